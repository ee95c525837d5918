package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/hooks/prompt"
	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// stretch is what capture reads at once.
type stretch struct {
	heard  []policy.Heard
	guests bool // somebody else than the owner speaks
	owners bool // every word of a person in it is the owner's
	source string
	// still is what of it may be kept by now, asked when the answer is there: a chat may
	// have been deleted meanwhile.
	still func(context.Context) ([]policy.Heard, error)
}

// read finds what is new in a stretch and files it.
func (c *capture) read(ctx context.Context, s stretch) error {
	if !policy.Readable(s.heard, s.guests) {
		return nil
	}
	n, err := c.ws.WholeNotes(ctx)
	if err != nil {
		return err
	}
	list, signs, err := c.candidates(ctx, s, n)
	alone := noModel(err) && c.engine == nil
	if err != nil && !alone {
		return err
	}
	w, err := c.weigh(ctx, s, n)
	if err != nil {
		return err
	}
	if alone {
		w.facts, w.bearings = c.explicit(s, n), w.plainly
	} else {
		w.facts = func(heard []policy.Heard, count bool) []policy.Candidate { return c.admitted(list, heard, s, count) }
		w.bearings = func(heard []policy.Heard, count bool) []policy.Bearing { return w.told(signs, heard, count) }
	}
	facts := w.facts
	w.facts = func(heard []policy.Heard, count bool) []policy.Candidate {
		return c.ruled(facts(heard, count), n, count)
	}
	return c.file(ctx, s, w)
}

// ruled are the candidates that the switches of this memory allow.
func (c *capture) ruled(list []policy.Candidate, n policy.Notes, count bool) []policy.Candidate {
	rules, held := c.ws.Rules(), 0
	if rules.Bounded() {
		held = policy.Held(n)
	}
	return slices.DeleteFunc(list, func(k policy.Candidate) bool {
		found := rules.Findings(policy.Asking{Text: k.Text, Topic: k.Topic, Asked: k.Asked, Quoted: true, Notes: held})
		if len(found) > 0 && count {
			c.out.Refused[found[0].Switch]++
		}
		return len(found) > 0
	})
}

// candidates are what the model proposes, and what it says of notes that stand.
func (c *capture) candidates(ctx context.Context, s stretch, n policy.Notes) ([]policy.Candidate, []policy.Sign, error) {
	memory, cut := tail(string(n.Files[policy.MemoryFile]), memoryRunes)
	if policy.IsSeed(n.Files[policy.MemoryFile]) {
		memory = ""
	}
	answer, err := c.ask(ctx, "capture", prompt.Capture{
		Bot: c.name(), Today: prompt.Day(c.ws.Now()), Lines: lines(s.heard, c.name()), Topics: topicIndex(n), Memory: memory, Cut: cut,
		Rules: strings.Join(c.ws.Rules().Told(), "\n"), Room: s.guests, Sensitive: c.sensitive(),
	}.Text(), policy.CaptureSchema())
	if err != nil {
		return nil, nil, err
	}
	list, dropped, err := policy.ParseCandidates(answer, markdown.DateOf(c.ws.Now()))
	signs, more := policy.ParseSigns(answer)
	for _, d := range slices.Concat(dropped, more) {
		c.out.Refused[string(d.Rule)] += d.N
	}
	if err != nil {
		return nil, nil, fmt.Errorf("capture: %w: %w", errGarbled, err)
	}
	return list, signs, nil
}

func (c *capture) sensitive() bool { return policy.On(c.ws.Rules().Sensitive) }

// rules are those by which a stretch is judged.
func (c *capture) rules(s stretch) policy.CaptureRules {
	return policy.CaptureRules{
		Room: s.guests, Sensitive: c.sensitive(), Prompt: prompt.Examples(), Injected: injected(), Today: markdown.DateOf(c.ws.Now()),
	}
}

// admitted are the candidates that what was said bears out. count counts the others.
func (c *capture) admitted(list []policy.Candidate, heard []policy.Heard, s stretch, count bool) []policy.Candidate {
	rules := c.rules(s)
	var out []policy.Candidate
	for _, one := range list {
		kept, err := one.Admit(heard, rules)
		if unfit, is := errors.AsType[*policy.Unfit](err); is && count {
			c.out.Refused[string(unfit.Rule)]++
		}
		if err == nil {
			out = append(out, kept)
		}
	}
	return out
}

// injected are the frames of what a host puts into a person's message: notes that were
// recalled are not what the person said.
func injected() []policy.Frame {
	return []policy.Frame{{Open: repo.RecallOpen, Close: repo.RecallClose}, {Open: policy.LoadOpen, Close: policy.LoadClose}, {Open: policy.GuessOpen, Close: policy.GuessClose}}
}

// file files what may be kept of a stretch when the vault is locked for it.
func (c *capture) file(ctx context.Context, s stretch, w *weighing) error {
	if len(w.facts(s.heard, true)) == 0 && len(w.bearings(s.heard, true)) == 0 && len(w.judged(s.heard)) == 0 { // the vault is left alone
		return nil
	}
	m := repo.Meta{Author: repo.Author{Kind: repo.Upkeep}, Via: repo.ViaCapture, Source: s.source, DryRun: c.dry}
	got, err := c.ws.Notice(ctx, m, func() (repo.Noticing, error) {
		if err := c.allowed(); err != nil {
			return repo.Noticing{}, err
		}
		heard, err := s.still(ctx)
		if err != nil {
			return repo.Noticing{}, err
		}
		if len(heard) < len(s.heard) && !policy.Readable(heard, s.guests) {
			return repo.Noticing{}, nil // all of it is gone
		}
		n := repo.Noticing{Bot: c.name(), Bearings: w.bearings(heard, false), Judged: w.judged(heard)}
		for _, k := range w.facts(heard, false) {
			if len(heard) < len(s.heard) && len(k.Quotes) == 0 {
				continue // it may rest on what is gone
			}
			if !k.Noted {
				n.Facts = append(n.Facts, w.stamped(k, heard))
			}
			if k.AboutUser && s.owners {
				n.AboutMe = append(n.AboutMe, k.Text)
			}
		}
		return n, nil
	})
	c.count(got)
	return err
}

// count adds what was filed to the report.
func (c *capture) count(got repo.Noticed) {
	c.out.Added += len(got.Notes.Core)
	c.out.Topics += len(got.Notes.Topics)
	c.out.Filed += len(got.Notes.Kept) - len(got.Notes.Core)
	c.out.Known += len(got.Notes.Known)
	c.out.AboutMe += len(got.AboutMe)
	c.out.Supported += got.Moved.Supported
	c.out.Disputed += got.Moved.Denied
	c.out.Changes = append(c.out.Changes, changesOf(got.Receipt)...)
	if got.Disputed > 0 {
		c.out.Refused[string(policy.RuleOut)] += got.Disputed
	}
	if got.Hushed > 0 {
		c.out.Refused[string(policy.RuleHushed)] += got.Hushed
	}
	if got.Notes.Full > 0 {
		c.out.Refused["full"] += got.Notes.Full
	}
	for why, n := range got.Moved.Left {
		c.out.Refused[string(why)] += n
	}
}
