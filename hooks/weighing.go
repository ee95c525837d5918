package hooks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// weighing is what a stretch comes to: facts to file, what its words do to notes that
// stand, and what they say of who taught these. What the standing of accounts is worth is
// looked up before the vault is locked; the rest is told anew from what is left of the
// stretch by then.
type weighing struct {
	c        *capture
	s        stretch
	facts    func(heard []policy.Heard, count bool) []policy.Candidate
	bearings func(heard []policy.Heard, count bool) []policy.Bearing

	stated []string                    // identities of the facts that stand
	taught map[string][]policy.Account // of these: others than the owner who said so
	trust  map[string]*float64         // by account as the host gave it; nil for one of unknown trust
}

// weigh looks up what is known of the speakers of a stretch and of who taught the notes.
func (c *capture) weigh(ctx context.Context, s stretch, n policy.Notes) (*weighing, error) {
	w := &weighing{c: c, s: s, taught: map[string][]policy.Account{}, trust: map[string]*float64{}}
	for _, h := range s.heard {
		if _, known := w.trust[h.Account]; known || !isPerson(h) {
			continue
		}
		trust, err := c.trustIn(ctx, h)
		if err != nil {
			return nil, err
		}
		w.trust[h.Account] = trust
	}
	teachers, err := c.ws.TeachersOf()
	if err != nil {
		return nil, err
	}
	owners, seen := map[policy.Account]bool{}, map[string]bool{}
	for _, p := range policy.Stated(n) {
		if seen[p.Fact] {
			continue
		}
		seen[p.Fact] = true
		w.stated = append(w.stated, p.Fact)
		for _, a := range teachers(p.Fact) {
			if _, asked := owners[a]; !asked {
				if owners[a], err = c.isOwner(ctx, a, s.heard); err != nil {
					return nil, err
				}
			}
			if !owners[a] {
				w.taught[p.Fact] = append(w.taught[p.Fact], a)
			}
		}
	}
	return w, nil
}

func isPerson(h policy.Heard) bool {
	return h.Voice == policy.VoicePerson || h.Voice == policy.VoiceOther
}

// trustIn is how far a speaker is trusted now; nil, and never a number in its place, when
// the host does not say who they are or nothing tells how far to trust them.
func (c *capture) trustIn(ctx context.Context, h policy.Heard) (*float64, error) {
	account, ok := policy.ParseAccount(h.Account)
	if !ok {
		return nil, nil //nolint:nilnil // unknown is a value of its own
	}
	spoke, err := c.spoke(ctx, h.Account)
	if err != nil {
		return nil, err
	}
	sum, err := c.ws.Adjustments(account)
	if err != nil {
		return nil, err
	}
	trust, ok := policy.ResolveTrust(policy.TrustInput{Account: h.Account, Tier: h.Tier, Reported: h.Reported, Adjustments: sum, Messages: spoke.Messages})
	if !ok {
		return nil, nil //nolint:nilnil // as above
	}
	return &trust, nil
}

// isOwner reports whether an account is one of the owner's: they correct nobody by
// changing their own mind.
func (c *capture) isOwner(ctx context.Context, a policy.Account, heard []policy.Heard) (bool, error) {
	if slices.ContainsFunc(heard, func(h policy.Heard) bool {
		own, ok := policy.ParseAccount(h.Account)
		return ok && own == a && h.Voice == policy.VoicePerson
	}) {
		return true, nil
	}
	spoke, err := c.spoke(ctx, string(a))
	return spoke.Owner, err
}

func (c *capture) spoke(ctx context.Context, id string) (repo.Spoke, error) {
	said, err := c.u.store.Conversations() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return repo.Spoke{}, err
	}
	spoke, err := said.Spoke(ctx, string(c.bot), id)
	return spoke, repo.TurnError(err)
}

// stamped is a candidate as it is filed, with who said it and how far they were trusted
// then. All of that is the host's word: the model has no say in it. What rests on the
// words of several persons is trusted as the least of them, and not at all known when one
// of them is not.
func (w *weighing) stamped(k policy.Candidate, heard []policy.Heard) policy.Fact {
	f := policy.Fact{Text: k.Text, Until: k.Until, Topic: k.Topic, Aliases: k.Aliases, Quote: strings.Join(k.Quotes, " … "), Origin: policy.ByInferring}
	if k.Asked {
		f.Origin = policy.ByStating
	}
	persons := 0
	for i, at := range k.By {
		h := heard[at]
		if i == 0 {
			f.Turn = h.Turn
		}
		if !isPerson(h) {
			continue
		}
		trust := w.trust[h.Account]
		if persons++; persons == 1 || f.Trust != nil && (trust == nil || *trust < *f.Trust) {
			f.Speaker, f.Trust, f.Turn = accountOf(h), trust, h.Turn
		}
	}
	return f
}

// accountOf is who said something, as the ledger names them; "" where the host does not say.
func accountOf(h policy.Heard) string {
	a, _ := policy.ParseAccount(h.Account)
	return string(a)
}

// plainly is what the owner's statements do to notes by their words alone.
func (w *weighing) plainly(heard []policy.Heard, _ bool) []policy.Bearing {
	return policy.Bearings(heard, w.stated, w.c.rules(w.s))
}

// told is what the model says of notes that stand, as far as the owner's words bear it
// out. count counts what they do not.
func (w *weighing) told(signs []policy.Sign, heard []policy.Heard, count bool) []policy.Bearing {
	var out []policy.Bearing
	refuse := func(why policy.Rule) {
		if count {
			w.c.out.Refused[string(why)]++
		}
	}
	for _, s := range signs {
		fact, ok := s.Fact(func(fact string) bool { return fact != "" && slices.Contains(w.stated, fact) })
		if !ok {
			refuse(policy.RuleNote)
			continue
		}
		b, err := s.Admit(fact, heard, w.c.rules(w.s))
		if unfit, is := errors.AsType[*policy.Unfit](err); is {
			refuse(unfit.Rule)
		}
		if err == nil {
			out = append(out, b)
		}
	}
	return out
}

// judged is what the owner's statements say of the accounts that taught notes.
func (w *weighing) judged(heard []policy.Heard) []repo.Judged {
	var out []repo.Judged
	for _, b := range policy.Bearings(heard, slices.DeleteFunc(slices.Clone(w.stated), func(f string) bool { return len(w.taught[f]) == 0 }), w.c.rules(w.s)) {
		for _, a := range w.taught[b.Fact] {
			if e, ok := b.Trust(a); ok {
				out = append(out, repo.Judged{TrustEvent: e, Fact: markdown.Identity(b.Fact)})
			}
		}
	}
	return out
}
