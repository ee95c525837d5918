package repo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
)

// page is one page of the journal to be read.
type page struct {
	filter side.Filter
	limit  int   // rows
	cut    int64 // the change that the page before ended in, 0 for none,
	after  int   // and the number of its last file there
}

// read gathers rows until the page is full: a change that touched no file has none.
func (p page) read(ctx context.Context, w *Workspace, x *side.Index) ([]Row, error) {
	rows := []Row{}
	for want := p.limit; len(rows) < p.limit; {
		p.filter.Limit = want + 1 // one more than needed: the first may have nothing left to give
		changes, err := x.Newest(ctx, p.filter)
		if err != nil {
			return nil, err
		}
		if n := len(changes); n > 0 {
			p.filter.BeforePos = changes[n-1].Pos
		}
		ended := len(changes) <= want
		for i := range changes {
			if changes[i].Pos == p.cut {
				changes[i].Files = slices.DeleteFunc(changes[i].Files, func(f side.File) bool { return f.N <= p.after })
			}
		}
		more, err := w.rows(ctx, x, changes...)
		if err != nil {
			return nil, err
		}
		if rows = append(rows, more...); ended {
			break
		}
	}
	return rows[:min(len(rows), p.limit)], nil
}

// rows turns changes into journal rows; a change that touched no file has none, but for
// one whose notes were erased, which says so.
func (w *Workspace) rows(ctx context.Context, x *side.Index, changes ...side.Change) ([]Row, error) {
	foreign, err := x.ForeignBefore(ctx, changes...)
	if err != nil {
		return nil, err
	}
	rows := []Row{}
	for _, c := range changes {
		if c.Action == string(ActErase) || c.Touched == 0 && strings.HasSuffix(c.Subject, policy.ErasedSubject) {
			row := w.row(c)
			row.Kind, row.Reason = "erased", "what it changed was erased"
			rows = append(rows, row)
			continue
		}
		if c.Action == string(ActImport) && c.Touched == 0 { // its history brought all of it
			row := w.row(c)
			row.Kind, row.CanRevert = "edited", true
			rows = append(rows, row)
			continue
		}
		for _, f := range c.Files {
			if policy.OwnFile(f.Path) && c.Touched > 1 {
				continue // keys and hashes, for no one to read
			}
			row := w.row(c)
			row.ID = rowID(row.Change, f.N-1, c.Touched)
			row.Path, row.Kind, row.Diff, row.Added, row.Removed = f.Path, f.Kind, f.Diff, f.Added, f.Removed
			row.BeforeHash, row.AfterHash = optional(f.BeforeSum), optional(f.AfterSum)
			row.CanRevert, row.Reason = canRevert(f.Path, f.BeforeSize)
			if policy.OwnFile(f.Path) {
				row.Diff = ""
			}
			if c.Foreign || foreign[f.Before] {
				if err := w.mask(&row, f, foreign[f.Before]); err != nil {
					return nil, fmt.Errorf("change %s: %w", c.ID, err)
				}
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

const heldCredential = "the earlier text held a credential; undo by entry works for the rest of it"

// mask takes credentials out of a row that shows a text which quipu did not write.
func (w *Workspace) mask(row *Row, f side.File, before bool) error {
	row.Diff, _ = w.store.redact.Redact(row.Diff)
	if !before || !row.CanRevert {
		return nil
	}
	clean, err := w.cleanBlob(f.Before)
	if errors.Is(err, git.ErrNoObject) {
		return nil // Reason is told when someone tries
	}
	if err == nil && !clean {
		row.CanRevert, row.Reason = false, heldCredential
	}
	return err
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (w *Workspace) row(c side.Change) Row {
	via := c.Via
	if via == "" {
		via = string(ViaDisk)
	}
	if c.Foreign { // any text may stand in a message that quipu did not write
		for _, s := range []*string{&c.Subject, &c.Source, &c.Quote, &c.AuthorName, &c.Turn} {
			*s, _ = w.store.redact.Redact(*s)
		}
	}
	return Row{
		ID: c.ID, At: c.At.UnixMilli(), AtTime: c.At, BotID: w.id, Actor: c.AuthorKind, Who: c.AuthorName, Via: via,
		Change: ChangeID(c.ID), Commit: c.Hash.String(), Source: c.Source, Action: c.Action, Subject: c.Subject,
		Undoes: ChangeID(c.Undoes), UndoneBy: ChangeID(c.UndoneBy), Turn: c.Turn, Quote: shownQuotes(c.Quote),
	}
}
