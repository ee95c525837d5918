package policy

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
)

// Disputes are the claims that are out at a time. They can only drop a fact, never bring
// one back.
type Disputes struct {
	claims []claim
	of     []*record        // whose claim each is
	ids    map[string]bool  // all wordings of them, and whether a person disputed it themselves
	human  []bool           // of each claim: a person disputed it themselves
	fallen map[string]bool  // facts that are out with what they were drawn from
	byKey  map[string][]int // claims by each of their keywords
	byRare map[string][]int // and by the one of them that the fewest have
	s      *Standings
	now    time.Time
	also   *Disputes // of another ledger that holds here, too; nil for none
}

// Disputes lists the claims that are disputed at a time.
func (s *Standings) Disputes(now time.Time) *Disputes {
	d := &Disputes{ids: map[string]bool{}, fallen: map[string]bool{}, byKey: map[string][]int{}, byRare: map[string][]int{}, s: s, now: now}
	for _, r := range s.list {
		if !r.evidence.Disputed(now) {
			continue
		}
		for _, fact := range r.facts {
			c := s.claims.of(fact)
			d.ids[c.id] = r.byPerson()
			for _, key := range c.keys {
				d.byKey[key] = append(d.byKey[key], len(d.claims))
			}
			d.claims, d.of, d.human = append(d.claims, c), append(d.of, r), append(d.human, r.byPerson())
		}
	}
	for i, c := range d.claims {
		if len(c.keys) > 0 {
			rare := d.rarest(c)
			d.byRare[rare] = append(d.byRare[rare], i)
		}
	}
	return d
}

// rarest is the keyword of a claim that the fewest claims have.
func (d *Disputes) rarest(c claim) string {
	return slices.MinFunc(c.keys, func(a, b string) int { return cmp.Compare(len(d.byKey[a]), len(d.byKey[b])) })
}

// alike calls found with each claim that may say the same as c: one that has all keywords
// of c has its rarest, and one whose keywords c has all has its own rarest in c.
func (d *Disputes) alike(c claim, found func(i int)) {
	if len(c.keys) == 0 {
		return
	}
	rare := d.rarest(c)
	for _, i := range d.byKey[rare] {
		found(i)
	}
	for _, key := range c.keys {
		for _, i := range d.byRare[key] {
			if key != rare {
				found(i)
			}
		}
	}
}

// Drop puts out a fact that falls with what it was drawn from, under each wording that its
// note had.
func (d *Disputes) Drop(fact string) {
	d.fallen[fact] = true
	if r := d.s.byFact[fact]; r != nil {
		for _, f := range r.facts {
			d.fallen[f] = true
		}
	}
}

// Fell reports whether a fact is out with what it was drawn from.
func (d *Disputes) Fell(fact string) bool { return d != nil && d.fallen[markdown.Identity(fact)] }

// Fallen lists the facts that are out with what they were drawn from.
func (d *Disputes) Fallen() []string { return sortedKeys(d.fallen) }

// Len counts the wordings that are out.
func (d *Disputes) Len() int {
	if d == nil {
		return 0
	}
	return len(d.claims) + len(d.fallen) + d.also.Len()
}

// With gives the claims together with those of another ledger: a fact is out when either
// says so. Neither of them changes.
func (d *Disputes) With(also *Disputes) *Disputes {
	both := *d
	both.also = also
	return &both
}

// Blocks reports whether a fact is out: it is disputed itself, or it says again what is and
// nothing that speaks for it since weighs that up. Pass the fact alone, without date and
// source.
func (d *Disputes) Blocks(fact string) bool { return d.Out(fact, true) }

// Out is Blocks for a note: one that keeps its place is out only when a person disputed
// it themselves. It is an Outside.
func (d *Disputes) Out(fact string, falls bool) bool {
	if d.Len() == 0 {
		return false
	}
	if d.also.Out(fact, falls) {
		return true
	}
	id := markdown.Identity(fact)
	human, disputed := d.ids[id]
	if d.fallen[id] || disputed && (falls || human) {
		return true
	}
	_, found := d.said(id, falls)
	return found
}

// Since is when the claim was disputed last that keeps a fact out; see Out. Zero for a
// fact that fell with what it was drawn from.
func (d *Disputes) Since(fact string, falls bool) (at time.Time, out bool) {
	if !d.Out(fact, falls) {
		return time.Time{}, false
	}
	id := markdown.Identity(fact)
	if r := d.s.byFact[id]; r != nil && r.evidence.Disputed(d.now) {
		return r.evidence.DisputeAt, true
	}
	old, _ := d.said(id, falls)
	if r := d.s.byFact[old]; r != nil {
		at = r.evidence.DisputeAt
	}
	return at, true
}

// said finds the disputed claim that the fact of an identity says again.
func (d *Disputes) said(id string, falls bool) (old string, found bool) {
	own := d.s.byFact[id]
	if _, disputed := d.ids[id]; disputed {
		own = nil
	}
	old, _, found = d.like(id, own, falls)
	return old, found
}

// like finds the disputed claim that a fact with evidence of its own, which may be nil,
// says again, and what the two come to.
func (d *Disputes) like(fact string, own *record, falls bool) (old string, worth float64, found bool) {
	if d.Len() == 0 {
		return "", 0, false
	}
	c := d.s.claims.of(fact)
	d.alike(c, func(i int) {
		if !falls && !d.human[i] || !c.restates(d.claims[i]) {
			return
		}
		if w := d.of[i].with(own, d.now); w < 0 && (!found || w < worth) {
			old, worth, found = d.claims[i].id, w, true
		}
	})
	return old, worth, found
}

// with is what a disputed claim comes to together with what speaks for another wording of
// it; zero when a person settled that since.
func (r *record) with(own *record, now time.Time) float64 {
	worth := r.evidence.Score(now)
	if own == nil {
		return worth
	}
	support := func(at time.Time) float64 { return max(0, own.evidence.support(at)) }
	if at := own.confirmed(); !at.Before(r.evidence.DisputeAt) && r.evidence.Score(at)+support(at) >= 0 {
		return 0
	}
	return worth + support(now)
}

// Of tells how a fact stands. falls is false for a note that keeps its place: then only
// what a person disputed counts. days is the zone by which days are counted.
func (d *Disputes) Of(fact string, falls bool, days *time.Location) Standing {
	id := markdown.Identity(fact)
	out := Standing{Fact: id}
	r, now := d.s.byFact[id], d.now
	if r != nil {
		out.Evidence = r.evidence
		out.Sources = r.sources()
		for _, e := range r.said {
			out.Origin = surer(out.Origin, e.Origin)
		}
		out.Speaker, out.Trust = r.taught()
		for _, e := range r.reflects {
			out.From = e.From
		}
		out.Below = r.below(falls, now, days)
	}
	out.Protected = !falls && !r.byPerson()
	score := out.Evidence.Score(now)
	out.Disputed = out.Evidence.Disputed(now) || d.fallen[id]
	if !out.Disputed && !out.Protected {
		if old, worth, ok := d.like(id, r, falls); ok {
			out.Restates, out.Disputed, score = old, true, worth
		}
	}
	out.Tier = TierOf(score)
	if !math.IsInf(score, 0) {
		out.Score = &score
	}
	return out
}

// Tells reports whether a text of several sentences says again, in one of them, what is
// disputed: what was said in a conversation, a line of a day log.
func (d *Disputes) Tells(text string) bool {
	return d.Len() > 0 && slices.ContainsFunc(toldSentences(text), d.Blocks)
}

// toldSentences parts a text where a sentence ends or a quotation begins, a question, too.
func toldSentences(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?;:\n\"“”„«»。！？；：「」", r) })
}
