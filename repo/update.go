package repo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quipu/markdown"
	"quipu/policy"
)

// Update runs one memory_update action. The error of a refusal is the policy's own
// (policy.Refusal) with this floor's sentinel: ErrInvalid, ErrConflict, ErrRefused
// or ErrNotFound. ErrBusy, ErrState, ErrTooLarge, ErrOff.
func (w *Workspace) Update(ctx context.Context, m Meta, u policy.Update) (Receipt, error) {
	if m.Author.Kind != Person && !w.store.Config().MemoryOn(w.id) {
		return Receipt{}, wrapf(ErrOff, "memory is switched off for this bot")
	}
	if m.Action == "" {
		m.Action = ActUpdate
	}
	if m.Source == "" {
		m.Source = u.Source
	}
	return w.change(ctx, m, func(v *view) (draft, error) {
		lifted, err := v.mayLearn(ctx, m, u)
		if err != nil {
			return draft{}, err
		}
		if err := v.admit(m, u); err != nil {
			return draft{}, err
		}
		d, err := v.update(u)
		if err == nil && lifted != nil && len(d.files) > 0 {
			d.files = append(d.files, fileText{path: policy.LedgerFile, text: lifted})
		}
		if err != nil {
			return draft{}, err
		}
		return d, v.saysOut(&d)
	})
}

// mayLearn refuses a fact that the person asked to forget, unless it is the person
// who asks to remember it again: then the ledger with it lifted comes back.
func (v *view) mayLearn(ctx context.Context, m Meta, u policy.Update) ([]byte, error) {
	if u.Action == policy.Remove || u.Text == "" {
		return nil, nil
	}
	n, err := v.never(ctx)
	if err != nil || n.empty() || !n.blocks(u.Text) {
		return nil, err
	}
	if m.Author.Kind != Person {
		return nil, wrapf(ErrRefused, "the person asked to forget this; it is stored again only when they ask for it")
	}
	if n.person.Blocks(u.Text) {
		me, err := v.w.store.Me(ctx, "")
		if err == nil {
			err = me.lift(ctx, m, u.Text)
		}
		if err != nil {
			return nil, err
		}
	}
	l, err := v.ledger()
	if err != nil {
		return nil, err
	}
	events := l.Never().Lift(u.Text, m.Author.String(), v.at)
	if len(events) == 0 {
		return nil, nil
	}
	return l.Append(events...), nil
}

func (v *view) update(u policy.Update) (draft, error) {
	n, err := v.notesFor(u)
	if err != nil {
		return draft{}, err
	}
	n.Clock = v.clock()
	today := markdown.DateOf(v.at)
	w, err := v.weighed(u, &n)
	if err != nil || w.Known != "" {
		return w.known(err)
	}
	o, err := u.Plan(n, today, v.w.store.redact)
	if err != nil {
		return draft{}, refused(err)
	}
	o.Edits = w.with(o.Edits)
	limits := v.w.limits()
	if o, err = v.settle(o, n, limits, today); err != nil {
		return draft{}, err
	}
	d := draft{subject: updateSubject(u, n, o), receipt: Receipt{
		Entry: o.Entry, Known: o.Known, Redacted: o.Redacted, Kept: o.Kept,
		Moved: o.Moved, Truncated: o.Truncated, Message: o.Message(limits), Retired: w.Retired, Conflicts: w.Conflicts,
	}}
	for _, e := range o.Edits {
		if err := checkSize(e.Path, len(e.Text)); err != nil {
			return draft{}, err
		}
		d.files = append(d.files, fileText{path: e.Path, text: e.Text})
	}
	sortFiles(d.files)
	return d, nil
}

// settle keeps MEMORY.md within its budget. The archive is read only when something
// has to move there.
func (v *view) settle(o policy.Outcome, n policy.Notes, l policy.Limits, today markdown.Date) (policy.Outcome, error) {
	over := false
	for _, e := range o.Edits {
		if e.Path == policy.MemoryFile {
			g := l.Measure(e.Text)
			over = g.Lines > g.MaxLines || g.Bytes > g.MaxBytes
		}
	}
	if !over {
		return o, nil
	}
	archive, ok, err := v.file(policy.ArchiveFile)
	if err != nil {
		return o, err
	}
	n.Order = append(n.Order, policy.ArchiveFile)
	if ok {
		n.Files[policy.ArchiveFile] = archive
	}
	o, err = policy.Settle(o, n, l, today)
	return o, refused(err)
}

func updateSubject(u policy.Update, n policy.Notes, o policy.Outcome) string {
	if u.Action == policy.Remove {
		return "took out: " + tookOut(u, n, o)
	}
	return statedIn(o.Entry)
}

// tookOut is the fact that a removal took out, which may have been named by its line.
func tookOut(u policy.Update, n policy.Notes, o policy.Outcome) string {
	for _, e := range o.Edits {
		for _, p := range markdown.Pairs(n.Files[e.Path], e.Text) {
			switch {
			case p.Kind() != markdown.Removed:
			case p.Before.Entry != nil:
				return p.Before.Entry.Text
			case strings.TrimSpace(string(p.Before.Raw)) != "":
				return strings.TrimLeft(string(p.Before.Raw), "-*# ")
			}
		}
	}
	return u.OldText
}

// notesFor gathers the files that an action looks at: an append reads one, the others
// look for their text everywhere but in the archive.
func (v *view) notesFor(u policy.Update) (policy.Notes, error) {
	n := policy.Notes{Files: map[string][]byte{}, Order: []string{policy.MemoryFile}}
	if u.Action == policy.Append && u.Topic == "" {
		text, ok, err := v.file(policy.MemoryFile)
		if ok {
			n.Files[policy.MemoryFile] = text
		}
		return n, err
	}
	files, err := v.tx.Files()
	if err != nil {
		return n, err
	}
	for _, f := range files {
		if k, err := policy.CheckPath(f.Path); err == nil && k == policy.Topic {
			n.Order = append(n.Order, f.Path)
		}
	}
	want := n.Order
	if u.Action == policy.Append {
		if want = v.topicsFor(u.Topic, n.Order); want == nil {
			return n, nil // the plan says what is wrong with the name
		}
	}
	for _, path := range want {
		text, ok, err := v.file(path)
		if err != nil {
			return n, err
		}
		if ok {
			n.Files[path] = text
		}
	}
	return n, nil
}

// topicsFor are the files that a topic's name may mean.
func (v *view) topicsFor(topic string, have []string) []string {
	path, err := policy.TopicFile(topic)
	if err != nil {
		return nil
	}
	out := []string{path}
	for _, p := range have {
		if p != path && policy.SameName(p, path) {
			out = append(out, p)
		}
	}
	return out
}

// refused gives a policy's refusal the sentinel of this floor.
func refused(err error) error {
	var r *policy.Refusal
	if !errors.As(err, &r) {
		return err
	}
	kind := map[policy.Code]error{
		policy.Invalid: ErrInvalid, policy.Conflict: ErrConflict, policy.Refused: ErrRefused, policy.NotFound: ErrNotFound,
	}[r.Code]
	if kind == nil {
		kind = ErrInvalid
	}
	return fmt.Errorf("%w%w", r, silent{kind})
}

// silent carries a sentinel that adds nothing to the words.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }
