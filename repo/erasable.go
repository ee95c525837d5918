package repo

import (
	"context"

	"quipu/markdown"
	"quipu/policy"
)

// toErase is what is to be erased. What the guard refuses is refused here.
func (w *Workspace) toErase(ctx context.Context, m Meta, e Erasing) ([]policy.Phrase, *policy.Erasure, error) {
	switch {
	case !e.one():
		return nil, nil, wrapf(ErrInvalid, "say what to erase: words, an entry, or a change")
	case e.Change != "":
		facts, err := w.broughtIn(ctx, e.Change)
		return nil, policy.EraseFacts(facts), err
	case e.Entry != "":
		n, err := w.everyNote(ctx, m)
		if err != nil {
			return nil, nil, err
		}
		fact, err := n.FactAt(e.Entry)
		if err == nil && e.Fact != "" && fact != e.Fact {
			err = wrapf(ErrConflict, "another note stands there now")
		}
		return nil, policy.EraseFacts([]string{fact}), refused(err)
	}
	phrases, err := policy.ParsePhrases(e.Words)
	if err != nil && (!e.Confirm || len(phrases) == 0) {
		return nil, nil, refused(err)
	}
	if !e.Confirm && !m.DryRun {
		if err := guard(ctx, m, phrases, w); err != nil {
			return nil, nil, err
		}
	}
	return phrases, policy.EraseWords(phrases, w.taken()), nil
}

// one says whether just one kind of what to erase is named.
func (e Erasing) one() bool {
	n := 0
	for _, given := range []bool{len(e.Words) > 0, e.Entry != "", e.Change != ""} {
		if given {
			n++
		}
	}
	return n == 1
}

// everyNote are the texts of all files that hold notes, day logs too, edits made outside
// taken in first.
func (w *Workspace) everyNote(ctx context.Context, m Meta) (n policy.Notes, err error) {
	_, err = w.change(ctx, m, func(v *view) (d draft, err error) {
		if err = v.takeIn(); err == nil {
			n, err = v.everyNote()
		}
		return d, err
	})
	return n, err
}

// everyNote are the texts of all files of the view that hold notes, day logs too.
func (v *view) everyNote() (policy.Notes, error) {
	n := policy.Notes{Files: map[string][]byte{}}
	files, err := v.tx.Files()
	if err != nil {
		return n, err
	}
	for _, f := range files {
		if policy.OpaqueFile(f.Path) {
			continue
		}
		if n.Files[f.Path], _, err = v.tx.File(f.Path); err != nil {
			return n, err
		}
		n.Order = append(n.Order, f.Path)
	}
	return n, nil
}

// broughtIn are the facts of the entries that a change added or reworded.
func (w *Workspace) broughtIn(ctx context.Context, id string) ([]string, error) {
	x, err := w.history(ctx)
	if err != nil {
		return nil, err
	}
	c, _, err := w.find(ctx, x, id)
	if err != nil {
		return nil, err
	}
	var facts []string
	for _, f := range c.Files {
		before, after, err := w.bothSides(f)
		if err != nil {
			return nil, err
		}
		for _, p := range markdown.Pairs(before, after) {
			if p.After != nil && p.After.Entry != nil {
				facts = append(facts, p.After.Entry.Text)
			}
		}
	}
	if len(facts) == 0 {
		return nil, wrapf(ErrRefused, "that change brought in no entry; erase by words instead")
	}
	return facts, nil
}
