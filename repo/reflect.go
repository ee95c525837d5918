package repo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"quipu/markdown"
	"quipu/policy"
)

// answerTime is how long a reflection that was shown waits for an answer before the silence
// counts (a night of N.E.K.O., which asks in the evening and looks the next day).
const answerTime = 24 * time.Hour

// Reflections is what a pass kept.
type Reflections struct {
	Receipt
	Kept    []policy.Reflected // with their text as it stands in memory/reflections.md
	Skipped int                // whose facts changed meanwhile, or that are known or out by now
}

// Reflect files reflections in memory/reflections.md, each with the facts that it was drawn
// from and the support that these give it, as one change. Each is checked again under the
// lock: a fact that stands no more or is out voids it. still, which may be nil, is asked
// under the lock whether the pass is wanted; its error ends the change before anything is
// written.
func (w *Workspace) Reflect(ctx context.Context, m Meta, plan []policy.Reflected, still func() error) (Reflections, error) {
	var out Reflections
	m.Action = ActReflect
	receipt, err := w.change(ctx, m, func(v *view) (draft, error) {
		n, err := v.wholeNotes(still)
		if err != nil {
			return draft{}, err
		}
		if slices.Contains(n.Shut, policy.ReflectionsFile) {
			return draft{}, wrapf(ErrState, "%s: %s", policy.ReflectionsFile, v.refused[policy.ReflectionsFile])
		}
		list, err := v.holding(ctx, n, plan)
		if err != nil {
			return draft{}, err
		}
		before := n.Files[policy.ReflectionsFile]
		text, kept := policy.FileReflections(before, list, markdown.DateOf(v.at))
		out.Kept, out.Skipped = kept, len(plan)-len(kept)
		if len(kept) == 0 {
			return draft{}, nil
		}
		d := draft{subject: reflectSubject(kept), files: []fileText{{path: policy.ReflectionsFile, text: text}}}
		events, err := v.drawnEvents(m, kept)
		if err == nil {
			err = v.record(&d, events)
		}
		return d, err
	})
	out.Receipt = receipt
	return out, err
}

// holding are the reflections that may be kept now.
func (v *view) holding(ctx context.Context, n policy.Notes, plan []policy.Reflected) ([]policy.Reflected, error) {
	_, stands, err := v.standings()
	if err != nil {
		return nil, err
	}
	list, err := v.never(ctx)
	if err != nil {
		return nil, err
	}
	live := map[string]bool{}
	for _, f := range stated(n) {
		live[f] = true
	}
	out := stands.Disputes(v.at)
	out.DropFallen(live)
	drawn := func(fact string) bool {
		_, is := stands.Reflection(fact)
		return is
	}
	var kept []policy.Reflected
	hushed := stands.Directives(v.at)
	for _, x := range plan {
		x.Text = v.w.clean(x.Text)
		id := markdown.Identity(x.Text)
		known := id == "" || live[id] || drawn(id)
		falls := len(x.From) < 2 || slices.ContainsFunc(x.From, func(f string) bool { return !live[f] || drawn(f) || out.Blocks(f) })
		quiet := out.Blocks(id) || list.blocks(x.Text) || policy.Touches(x.Text, hushed)
		if known || falls || quiet {
			continue
		}
		live[id] = true
		kept = append(kept, x)
	}
	return kept, nil
}

// drawnEvents are what the ledger is told of new reflections.
func (v *view) drawnEvents(m Meta, kept []policy.Reflected) ([]policy.Event, error) {
	var events []policy.Event
	for _, k := range kept {
		fact := v.w.clean(markdown.Identity(k.Text))
		from := make([]string, len(k.From))
		for i, f := range k.From {
			from[i] = v.w.clean(f)
		}
		for _, e := range []policy.Event{
			{Kind: policy.EventReflect, From: from, Weight: k.Weight},
			{Kind: policy.EventSupport, Why: policy.Weighed, Weight: k.Weight},
		} {
			id, err := v.w.store.change(v.at)
			if err != nil {
				return nil, err
			}
			e.ID, e.At, e.By, e.Fact = string(id), v.at, m.Author.String(), fact
			events = append(events, e)
		}
	}
	return events, nil
}

func reflectSubject(kept []policy.Reflected) string {
	if len(kept) == 1 {
		return kept[0].Text
	}
	return fmt.Sprintf("%d reflections", len(kept))
}

// Guess is a reflection and how it stands. JSON.
type Guess struct {
	Stand
	At       time.Time `json:"at"`
	Shown    time.Time `json:"shown,omitzero"` // to the person, first
	Answered bool      `json:"answered"`       // something moved it since
	Fell     bool      `json:"fell"`           // a fact that it was drawn from does not stand: it enters no prompt
}

// Guesses lists the reflections that notes state, the oldest first, and where.
func (w *Workspace) Guesses(context.Context) ([]Guess, error) {
	stands, out, err := w.reflections()
	if err != nil {
		return nil, err
	}
	return w.guesses(stands, out, stands.Reflections(), nil)
}

func (w *Workspace) reflections() (*policy.Standings, *policy.Disputes, error) {
	stands, err := w.standings()
	if err != nil {
		return nil, nil, err
	}
	out, _, err := w.out()
	return stands, out, err
}

// guesses tells how reflections stand, those that no note states left out. enough, which may
// be nil, ends the list behind the one for which it is true.
func (w *Workspace) guesses(stands *policy.Standings, out *policy.Disputes, of []policy.Reflection, enough func(Guess) bool) ([]Guess, error) {
	n, err := w.workNotes("")
	if err != nil {
		return nil, err
	}
	list, now, places := []Guess{}, w.now(), map[string]policy.Stating{}
	live := map[string]bool{}
	for _, s := range policy.Stated(n) {
		if _, twice := places[s.Fact]; !twice {
			places[s.Fact], live[s.Fact] = s, true
		}
	}
	for _, r := range of {
		fact := stands.Newest(r.Fact, live)
		s, ok := places[fact]
		if !ok {
			continue
		}
		g := Guess{
			Stand: Stand{Standing: out.Of(fact, s.Falls, now.Location()), Path: s.Path, Line: s.Line},
			At:    r.At, Shown: r.Shown, Answered: r.Answered, Fell: out.Fell(fact),
		}
		if list = append(list, g); enough != nil && enough(g) {
			break
		}
	}
	return list, nil
}

// ToShow gives the reflection to ask the person about: the oldest that is neither sure nor
// out and that was never shown. ok is false when there is none, and when one was shown
// today. What is not to be mentioned is not asked about.
func (w *Workspace) ToShow(context.Context) (g Guess, ok bool, err error) {
	stands, out, err := w.reflections()
	if err != nil {
		return Guess{}, false, err
	}
	now := w.now()
	waiting := stands.Reflections()
	if slices.ContainsFunc(waiting, func(r policy.Reflection) bool {
		return !r.Shown.IsZero() && markdown.DateOf(r.Shown.In(now.Location())) == markdown.DateOf(now)
	}) {
		return Guess{}, false, nil
	}
	waiting = slices.DeleteFunc(waiting, func(r policy.Reflection) bool { return !r.Shown.IsZero() || out.Fell(r.Fact) })
	if len(waiting) == 0 {
		return Guess{}, false, nil
	}
	hushed := stands.Directives(now)
	_, err = w.guesses(stands, out, waiting, func(x Guess) bool {
		if ok = x.Tier == policy.TierPending && !x.Disputed && x.Path != policy.ArchiveFile && !policy.Touches(x.Fact, hushed); ok {
			g = x
		}
		return ok
	})
	return g, ok, err
}

// MarkShown keeps that a reflection was shown to the person. ErrNotFound for what is none,
// ErrConflict when it was shown before: it is shown once.
func (w *Workspace) MarkShown(ctx context.Context, m Meta, fact string) (Receipt, error) {
	m.Action = ActSignal
	return w.change(ctx, m, func(v *view) (draft, error) {
		_, stands, err := v.standings()
		if err != nil {
			return draft{}, err
		}
		x, ok := stands.Reflection(fact)
		if !ok {
			return draft{}, wrapf(ErrNotFound, "no reflection says that")
		}
		if !x.Shown.IsZero() {
			return draft{}, wrapf(ErrConflict, "it was shown before")
		}
		id, err := v.w.store.change(v.at)
		if err != nil {
			return draft{}, err
		}
		e := policy.Event{Kind: policy.EventShown, ID: string(id), At: v.at, By: m.Author.String(), Fact: v.w.clean(fact), Turn: m.Turn}
		d := draft{subject: "shown: " + fact}
		return d, v.record(&d, []policy.Event{e})
	})
}

// Answer takes what the person says to a reflection, which is named as in Evidence.
// ErrNotFound when no reflection says that.
func (w *Workspace) Answer(ctx context.Context, m Meta, selector string, yes bool) (Receipt, error) {
	e, err := w.Evidence(ctx, selector, time.Time{})
	if err != nil {
		return Receipt{}, err
	}
	if len(e.From) == 0 {
		return Receipt{}, wrapf(ErrNotFound, "no reflection says that: `quipu reflections` lists them")
	}
	why := policy.Rebut
	if yes {
		why = policy.Confirm
	}
	return w.Signal(ctx, m, []Signalled{{Fact: e.Fact, Why: why, Quote: m.Quote}})
}

// Unanswered takes a little support from each reflection that was shown and of which nothing
// was heard for a day, once. Silence is no dispute. It gives how many these were.
func (w *Workspace) Unanswered(ctx context.Context, m Meta) (Receipt, int, error) {
	list, err := w.Guesses(ctx)
	if err != nil {
		return Receipt{}, 0, err
	}
	var silent []Signalled
	for _, g := range list {
		if !g.Shown.IsZero() && !g.Answered && !g.Fell && w.now().Sub(g.Shown) >= answerTime {
			silent = append(silent, Signalled{Fact: g.Fact, Why: policy.Ignore})
		}
	}
	if len(silent) == 0 {
		return Receipt{}, 0, nil
	}
	r, err := w.Signal(ctx, m, silent)
	return r, len(silent), err
}

// ReflectRules gives what the ledger says of what a pass of reflection goes by, and every
// reflection that there ever was.
func (w *Workspace) ReflectRules() (r policy.ReflectRules, past []string, err error) {
	stands, disputes, err := w.reflections()
	if err != nil {
		return r, nil, err
	}
	for _, x := range stands.Reflections() {
		past = append(past, x.Fact)
	}
	hushed := stands.Directives(w.now())
	r.Out, r.Today, r.Redactor, r.Person = disputes.Blocks, markdown.DateOf(w.now()), w.store.redact, w.store.Config().PersonName()
	r.Quiet = func(text string) bool { return policy.Touches(text, hushed) }
	r.Drawn = func(fact string) bool {
		_, is := stands.Reflection(fact)
		return is
	}
	return r, past, nil
}

// Falling gives what evidence says of the notes now: for policy.SweepFallen.
func (w *Workspace) Falling() (policy.Falling, error) {
	stands, disputes, err := w.reflections()
	now := w.now()
	return policy.Falling{Stands: stands, Disputes: disputes, Now: now, Zone: now.Location()}, err
}

// falling is Falling on the notes of a view.
func (v *view) falling(n policy.Notes) (*policy.Falling, error) {
	_, stands, err := v.standings()
	if err != nil {
		return nil, err
	}
	live := map[string]bool{}
	for _, f := range stated(n) {
		live[f] = true
	}
	d := stands.Disputes(v.at)
	d.DropFallen(live)
	return &policy.Falling{Stands: stands, Disputes: d, Now: v.at, Zone: v.at.Location()}, nil
}
