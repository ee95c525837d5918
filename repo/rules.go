package repo

import (
	"context"
	"errors"
	"slices"
	"time"

	"quipu/markdown"
	"quipu/policy"
)

// Rules are the switches in force for this memory; a layer has those of its bot.
func (w *Workspace) Rules() policy.Rules { return w.store.Config().RulesIn(w.id) }

// clock is the time of day that new notes carry, "" when they carry none.
func (v *view) clock() string {
	if policy.On(v.w.Rules().DateBehind) {
		return v.at.Format(time.TimeOnly)
	}
	return ""
}

// admit refuses what the rules of this memory do not allow to be kept. Files that a person
// edits are no business of theirs.
func (v *view) admit(m Meta, u policy.Update) error {
	if u.Action == policy.Remove || u.Text == "" {
		return nil
	}
	a, err := v.asking(m, u)
	if err != nil {
		return err
	}
	return refused(v.w.Rules().Admit(a))
}

// asking is an update as the rules judge it.
func (v *view) asking(m Meta, u policy.Update) (policy.Asking, error) {
	person := m.Author.Kind == Person
	a := policy.Asking{
		Text: u.Text, Topic: u.Topic, Quote: u.Quote, Said: u.Said, Reviewed: u.Reviewed, Person: person, Asked: u.Asked || person, Change: u.Action != policy.Append,
	}
	if !v.w.Rules().Bounded() {
		return a, nil
	}
	n, err := v.everyNote()
	a.Notes = policy.Held(n)
	return a, err
}

// admitAdded refuses notes that whole texts bring in and the rules do not allow.
func (v *view) admitAdded(m Meta, n policy.Notes, writes []policy.Rewrite) error {
	r, person := v.w.Rules(), m.Author.Kind == Person
	for _, one := range writes {
		for _, p := range markdown.Pairs(n.Files[one.Path], one.Text) {
			if p.After == nil || p.After.Entry == nil || p.Before != nil && p.Before.Entry != nil && p.Before.Entry.Identity() == p.After.Entry.Identity() {
				continue
			}
			a := policy.Asking{Text: p.After.Entry.Text, Topic: policy.TopicOf(one.Path), Person: person, Asked: person}
			if err := r.Admit(a); err != nil {
				return refused(err)
			}
		}
	}
	return nil
}

// weighed is a fact that was weighed against the notes of all topics.
type weighed struct{ policy.NoteWeighing }

// weighed weighs a new fact where the rules ask for it; n loses what it retires.
func (v *view) weighed(u policy.Update, n *policy.Notes) (weighed, error) {
	if u.Action != policy.Append || !policy.On(v.w.Rules().DedupeAcrossTopics) {
		return weighed{}, nil
	}
	all, err := v.everyNote()
	if err != nil {
		return weighed{}, err
	}
	for path := range v.refused {
		all.Shut = append(all.Shut, path)
	}
	text, _ := v.w.store.Redact(u.Text)
	w := weighed{policy.WeighNote(text, all)}
	for _, e := range w.Edits {
		n.Files[e.Path] = e.Text
	}
	return w, nil
}

// known is the draft of a fact that is known already: what it corrects goes all the same.
func (w weighed) known(err error) (draft, error) {
	if err != nil {
		return draft{}, err
	}
	d := draft{subject: "known already", receipt: Receipt{Known: true, Entry: w.Known, Retired: w.Retired, Conflicts: w.Conflicts}}
	if len(w.Retired) > 0 {
		d.subject = "no longer so: " + statedIn(w.Retired[0])
	}
	return d, d.take(w.Edits)
}

// with are edits of which those that take out what is retired are a part: the plan was made
// on the files without it.
func (w weighed) with(edits []policy.Edit) []policy.Edit {
	for _, e := range w.Edits {
		if !slices.ContainsFunc(edits, func(o policy.Edit) bool { return o.Path == e.Path }) {
			edits = append(edits, e)
		}
	}
	return edits
}

// statedIn is the fact of an entry as it is written.
func statedIn(entry string) string {
	if list := markdown.Parse("", []byte(entry+"\n")).Entries(); len(list) > 0 {
		return list[0].Text
	}
	return entry
}

// Tried is what would become of a text that somebody asks to keep.
type Tried struct {
	Passes   bool             `json:"passes"`
	Findings []policy.Finding `json:"findings"` // of the rules that refuse it
	Entry    string           `json:"entry,omitempty"`
	Known    bool             `json:"known,omitempty"`
	Retired  []string         `json:"retired,omitempty"`   // notes that it would take the place of
	Against  []string         `json:"conflicts,omitempty"` // notes that speak against it and would stay
	Redacted int              `json:"redacted,omitempty"`  // places that would be masked
	Reason   string           `json:"reason,omitempty"`    // why it is refused by what is no switch
}

// Try tells what an update would do, and which rules refuse it; nothing is written.
// ErrInvalid for what is no update.
func (w *Workspace) Try(ctx context.Context, m Meta, u policy.Update) (Tried, error) {
	out := Tried{Findings: []policy.Finding{}}
	m.DryRun = true
	_, err := w.change(ctx, m, func(v *view) (draft, error) {
		a, err := v.asking(m, u)
		out.Findings = append(out.Findings, w.Rules().Findings(a)...)
		return draft{}, err
	})
	if err != nil {
		return out, err
	}
	receipt, err := w.Update(ctx, m, u)
	switch {
	case errors.Is(err, ErrRefused), errors.Is(err, ErrConflict), errors.Is(err, ErrOff):
		if len(out.Findings) == 0 {
			out.Reason = err.Error()
		}
		return out, nil
	case err != nil:
		return out, err
	}
	out.Passes, out.Entry, out.Known, out.Redacted, out.Retired, out.Against = true, receipt.Entry, receipt.Known, receipt.Redacted, receipt.Retired, receipt.Conflicts
	return out, nil
}
