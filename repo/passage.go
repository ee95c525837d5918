package repo

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
)

// Passage is one change that touched a note: wrote it, reworded it, moved it from file to
// file, or took it out for a while.
type Passage struct {
	Row  Row    // of the file in which the note stood
	Did  string // added, changed, moved, removed, returned
	From string // of what was moved: the file in which it stood before, when another
	Text string // the note as the change left it; of a removal, as it was
}

// NoteHistory gives every change that touched the one note that a selector names, from
// the first on: PATH:LINE, or text that occurs once in MEMORY.md and the topics together.
// It is empty for a note that is in no change yet. A selector that names no one note is a
// *policy.Refusal; ErrInvalid for a path outside memory.
func (w *Workspace) NoteHistory(ctx context.Context, selector string) ([]Passage, error) {
	path, raw, err := w.noteAt(selector)
	if err != nil {
		return nil, err
	}
	x, err := w.history(ctx)
	if err != nil {
		return nil, err
	}
	list, err := x.Followed(ctx, path, raw)
	if err != nil {
		return nil, err
	}
	out := make([]Passage, 0, len(list))
	for _, p := range list {
		rows, err := w.rows(ctx, x, p.Change)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			continue
		}
		text, err := w.git.Blob(p.Blob())
		if err != nil {
			return nil, gitError(err)
		}
		note, _ := p.In(text)
		note, _ = w.store.redact.Redact(strings.TrimRight(note, "\r\n"))
		out = append(out, Passage{Row: rows[0], Did: p.Did, From: p.From, Text: note})
	}
	return out, nil
}

// rowsOfNote is the journal of one note, newest first.
func (w *Workspace) rowsOfNote(ctx context.Context, q Query) ([]Row, error) {
	limit := min(cmp.Or(q.Limit, pageRows), mostRows)
	alone := Query{Note: q.Note, Path: q.Path, Limit: q.Limit, All: q.All}
	if q != alone {
		return nil, wrapf(ErrInvalid, "of one note every change is told: no other filter goes with it")
	}
	list, err := w.NoteHistory(ctx, q.Note)
	rows := []Row{}
	for _, p := range slices.Backward(list) {
		if len(rows) < limit {
			rows = append(rows, p.Row)
		}
	}
	return rows, err
}

// noteAt finds the note that a selector names among the files as they stand.
func (w *Workspace) noteAt(selector string) (path string, raw []byte, err error) {
	n, err := w.workNotes(selector)
	if err != nil {
		return "", nil, err
	}
	p, err := n.At(selector)
	if err != nil {
		return "", nil, err
	}
	return p.Path, markdown.Parse(p.Path, n.Files[p.Path]).Units()[p.Unit].Raw, nil
}

// workNotes are the files, as they stand, in which a selector may name a note: the one of
// a PATH:LINE, else all.
func (w *Workspace) workNotes(selector string) (policy.Notes, error) {
	n := policy.Notes{Files: map[string][]byte{}}
	if at, _, ok := policy.LineSelector(selector); ok {
		if _, err := checkPath(at); err != nil {
			return n, err
		}
		n.Order = []string{at}
	} else {
		files, _, err := w.git.ListWork()
		if err != nil {
			return n, gitError(err)
		}
		for _, f := range files {
			n.Order = append(n.Order, f.Path)
		}
	}
	for _, p := range n.Order {
		b, _, err := w.git.ReadWork(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, gitError(err)
		}
		n.Files[p] = b
	}
	return n, nil
}
