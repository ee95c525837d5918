package repo

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quipu/repo/internal/side"
)

// quiet are the actions that a person reading the journal does not look for.
var quiet = []string{string(ActLog), string(ActSignal), string(ActSync), string(ActMerge), string(ActErase)}

const (
	pageRows = 50
	mostRows = 1000
)

// Journal gives rows, newest change first, the files of one change in write order.
// Before may be the id of the last row of a page: then the next page begins with the
// row after it, be it of the same change. ErrNotFound for a Before or Change that
// names none, ErrInvalid for a Note with other filters.
func (w *Workspace) Journal(ctx context.Context, q Query) ([]Row, error) {
	if q.Note != "" {
		return w.rowsOfNote(ctx, q)
	}
	x, err := w.history(ctx)
	if err != nil {
		return nil, err
	}
	if q.Change != "" {
		c, _, err := w.find(ctx, x, string(q.Change))
		if err != nil {
			return nil, err
		}
		return w.rows(ctx, x, c)
	}
	p := page{limit: min(q.Limit, mostRows), filter: side.Filter{
		Path: q.Path, Author: string(q.Author), Action: string(q.Action), Words: strings.Fields(q.Words),
		Since: q.Since, Until: q.Until,
	}}
	if p.limit <= 0 {
		p.limit = pageRows
	}
	if !q.All && q.Action == "" {
		p.filter.Skip = quiet
	}
	if q.Before != "" {
		c, n, err := w.find(ctx, x, string(q.Before))
		if err != nil {
			return nil, err
		}
		p.filter.BeforePos = c.Pos
		if n > 0 {
			p.filter.BeforePos, p.cut, p.after = c.Pos+1, c.Pos, n
		}
	}
	return p.read(ctx, w, x)
}

var rowSuffix = regexp.MustCompile(`^(.+)\.(\d{1,4})$`)

// find looks a change up by its id, a row's id (n is its file's number, else 0), a
// prefix or a commit.
func (w *Workspace) find(ctx context.Context, x *side.Index, id string) (c side.Change, n int, err error) {
	if m := rowSuffix.FindStringSubmatch(id); m != nil {
		id = m[1]
		n, _ = strconv.Atoi(m[2]) // at most four digits
	}
	if h, ok, rerr := w.revision(id); ok {
		if rerr != nil {
			return c, 0, rerr
		}
		id = h.String()
	}
	c, err = x.ByID(ctx, id)
	switch {
	case errors.Is(err, side.ErrNotFound):
		return c, 0, wrapf(ErrNotFound, "no such memory change")
	case errors.Is(err, side.ErrAmbiguous):
		return c, 0, wrapf(ErrInvalid, "several changes begin with %s; give more of it", oneLine(id))
	case err == nil && n > c.Touched:
		return c, 0, wrapf(ErrNotFound, "no such memory change")
	}
	return c, n, err
}

// Show gives one change in full by its id, a row id, a unique prefix of at least 6
// characters, or a commit. ErrNotFound.
func (w *Workspace) Show(ctx context.Context, id string) (Details, error) {
	x, err := w.history(ctx)
	if err != nil {
		return Details{}, err
	}
	c, n, err := w.find(ctx, x, id)
	if err != nil {
		return Details{}, err
	}
	rows, err := w.rows(ctx, x, c)
	if err != nil {
		return Details{}, err
	}
	if n > 0 {
		rows = slices.DeleteFunc(rows, func(r Row) bool { return r.ID != rowID(ChangeID(c.ID), n-1, c.Touched) })
	}
	commit, err := w.git.Commit(c.Hash)
	if err != nil {
		return Details{}, gitError(err)
	}
	body, _ := w.store.redact.Redact(commit.Message)
	return Details{Row: w.row(c), Rows: rows, Body: body}, nil
}

// BlameText says for each entry and line of a text who taught it, as if it stood in a file:
// a note that is marked or moved since is known by its bytes alone.
func (w *Workspace) BlameText(ctx context.Context, path, text string) ([]Blamed, error) {
	if _, err := checkPath(path); err != nil {
		return nil, err
	}
	return w.taught(ctx, path, []byte(text), 0, 0)
}

// Blame says for each entry and hand-written line of a file who taught it.
func (w *Workspace) Blame(ctx context.Context, path string) ([]Blamed, error) {
	return w.BlameFrom(ctx, path, 0, 0)
}

// BlameFrom is Blame for what begins at a line or after it, at most so many of them; 0 is
// all: a page of a long file need not ask for the rest.
func (w *Workspace) BlameFrom(ctx context.Context, path string, line, most int) ([]Blamed, error) {
	if _, err := checkPath(path); err != nil {
		return nil, err
	}
	text, _, err := w.git.ReadWork(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, wrapf(ErrNotFound, "there is no %s", path)
	}
	if err != nil {
		return nil, gitError(err)
	}
	return w.taught(ctx, path, text, line, most)
}

func (w *Workspace) taught(ctx context.Context, path string, text []byte, line, most int) ([]Blamed, error) {
	x, err := w.history(ctx)
	if err != nil {
		return nil, err
	}
	origins, err := x.TaughtFrom(ctx, path, text, line, most)
	if err != nil {
		return nil, err
	}
	out := make([]Blamed, len(origins))
	quotes := quotedBy{w: w, x: x, known: map[string]map[string]string{}}
	for i, o := range origins {
		b := &out[i]
		b.Line = o.Line
		b.Text, _ = w.store.redact.Redact(o.Raw)
		if !o.Known {
			b.Actor, b.Who, b.Action = string(Person), w.person().Name, string(ActOutside) // not yet taken in
			continue
		}
		b.Change, b.Commit, b.At = ChangeID(o.Last.ID), o.Last.Hash.String(), o.Last.At
		b.First, b.FirstAt, b.Words = ChangeID(o.First.ID), o.First.At, o.FirstText
		b.Actor, b.Who, b.Source = o.First.AuthorKind, o.First.AuthorName, o.First.Source
		b.Action = o.Last.Action
		if b.Quote, err = quotes.of(ctx, o.First, o.FirstText); err != nil {
			return nil, err
		}
		if o.First.Foreign {
			b.Words, _ = w.store.redact.Redact(b.Words)
		}
	}
	return out, nil
}

// bothSides reads a file as a change found it and as it left it; empty where it was not.
func (w *Workspace) bothSides(f side.File) (before, after []byte, err error) {
	if before, err = w.git.Blob(f.Before); err == nil {
		after, err = w.git.Blob(f.After)
	}
	return before, after, gitError(err)
}
