package repo

import (
	"bytes"
	"context"
	"slices"

	"quipu/markdown"
	"quipu/policy"
)

// OpenConflict is a note that two sides changed differently. Both wordings stand, the
// second with a mark, until the person takes one out, or the mark off. JSON.
type OpenConflict struct {
	Path  string `json:"path"`
	Line  int    `json:"line"` // of the marked wording
	Kept  string `json:"kept"` // the wording above it; "" when that is gone
	Other string `json:"other"`
	Since string `json:"since"` // the day of the merge
}

// Conflicts lists what syncs left for the person, by path and line.
func (w *Workspace) Conflicts() ([]OpenConflict, error) {
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	texts := map[string][]byte{}
	for _, f := range files {
		if policy.OpaqueFile(f.Path) {
			continue
		}
		if texts[f.Path], err = w.readWork(f.Path); err != nil {
			return nil, err
		}
	}
	return openIn(texts), nil
}

func (v *view) conflicts() ([]OpenConflict, error) {
	n, err := v.everyNote()
	return openIn(n.Files), err
}

func openIn(texts map[string][]byte) []OpenConflict {
	out := []OpenConflict{}
	for path, text := range texts {
		for _, o := range markdown.Conflicts(text) {
			out = append(out, OpenConflict{Path: path, Line: o.Line, Kept: o.Kept, Other: o.Other, Since: o.Since.String()})
		}
	}
	slices.SortFunc(out, func(a, b OpenConflict) int {
		if a.Path != b.Path {
			return bytes.Compare([]byte(a.Path), []byte(b.Path))
		}
		return a.Line - b.Line
	})
	return out
}

// The ways to end a conflict.
const (
	KeepFirst  = "first"  // the wording above stays, the marked one goes
	KeepSecond = "second" // the marked one stays, without its mark; the one above goes
	KeepBoth   = "both"   // both stay, without the mark
)

// Resolve ends the conflict whose marked wording stands on a line of a file. ErrNotFound
// where none does, ErrInvalid.
func (w *Workspace) Resolve(ctx context.Context, m Meta, path string, line int, keep string) (Receipt, error) {
	return w.resolve(ctx, m, path, line, keep, func(markdown.Open) bool { return true })
}

// ResolveSeen is Resolve for a person who looked at both wordings first: ErrNotFound when
// the line holds no conflict, or another one than they saw.
func (w *Workspace) ResolveSeen(ctx context.Context, m Meta, seen OpenConflict, keep string) (Receipt, error) {
	return w.resolve(ctx, m, seen.Path, seen.Line, keep, func(o markdown.Open) bool { return o.Kept == seen.Kept && o.Other == seen.Other })
}

func (w *Workspace) resolve(ctx context.Context, m Meta, path string, line int, keep string, same func(markdown.Open) bool) (Receipt, error) {
	if !slices.Contains([]string{KeepFirst, KeepSecond, KeepBoth}, keep) {
		return Receipt{}, wrapf(ErrInvalid, "keep must be first, second or both")
	}
	if _, err := checkPath(path); err != nil {
		return Receipt{}, err
	}
	m.Action = ActEdit
	return w.change(ctx, m, func(v *view) (draft, error) {
		text, ok, err := v.file(path)
		if err != nil {
			return draft{}, err
		}
		open := markdown.Conflicts(text)
		i := slices.IndexFunc(open, func(o markdown.Open) bool { return o.Line == line })
		if !ok || i < 0 || !same(open[i]) {
			return draft{}, wrapf(ErrNotFound, "no conflict stands at %s:%d", path, line)
		}
		if open[i].Kept == "" && keep == KeepFirst {
			return draft{}, wrapf(ErrConflict, "the other wording is gone, or says something else by now: keep second or both, or edit %s", path)
		}
		after, found := settled(path, text, open[i], keep)
		d := draft{files: []fileText{{path: path, text: after}}}
		if !found {
			d.receipt.Notes = []string{"the other wording was not found: where it still stands, take it out yourself"}
		}
		return d, nil
	})
}

// settled is a text with one conflict ended; found says whether the wording that was to
// go was there.
func settled(path string, text []byte, open markdown.Open, keep string) (after []byte, found bool) {
	f := markdown.Parse(path, text)
	units := f.Units()
	at := slices.IndexFunc(units, func(u markdown.Unit) bool { return u.Line == open.Line })
	if keep == KeepFirst {
		return f.RemoveUnit(at), true
	}
	text = f.ReplaceUnit(at, markdown.Settled(string(units[at].Raw)))
	if keep == KeepBoth || open.Kept == "" {
		return text, keep == KeepBoth
	}
	f = markdown.Parse(path, text)
	for i, u := range slices.Backward(f.Units()) {
		if i != at && string(u.Raw) == open.Kept {
			return f.RemoveUnit(i), true
		}
	}
	return text, false
}

// withoutMarkers takes git's conflict markers out of a text; the lines of both sides stay.
func withoutMarkers(text []byte) []byte {
	var out []byte
	inside, base := false, false
	for line := range bytes.Lines(text) {
		l := bytes.TrimRight(line, "\r\n")
		switch {
		case bytes.HasPrefix(l, []byte("<<<<<<< ")):
			inside = true
			continue
		case inside && bytes.HasPrefix(l, []byte("||||||| ")):
			base = true
			continue
		case inside && bytes.Equal(l, []byte("=======")):
			base = false
			continue
		case inside && bytes.HasPrefix(l, []byte(">>>>>>> ")):
			inside, base = false, false
			continue
		case base:
			continue
		}
		out = append(out, line...)
	}
	return out
}
