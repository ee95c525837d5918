package repo

import (
	"bytes"
	"context"
	"fmt"

	"quipu/markdown"
)

// Verify reads every object of the history and every entry of the files; progress
// (may be nil) is told done and total. An empty answer means that nothing is wrong.
func (w *Workspace) Verify(ctx context.Context, progress func(done, total int)) ([]Finding, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	found := append([]Finding{}, w.pendingErasures()...)
	err := w.git.CheckAll(ctx, func(where, what string) {
		found = append(found, Finding{Level: "error", Where: where, What: what, Fix: "quipu doctor --fix, or restore the history from a copy"})
	}, progress)
	if err != nil {
		return found, gitError(err)
	}
	files, odd, err := w.git.ListWork()
	if err != nil {
		return found, gitError(err)
	}
	for _, p := range odd {
		found = append(found, oddFinding(p))
	}
	for _, f := range files {
		text, _, err := w.git.ReadWork(f.Path)
		if err != nil {
			found = append(found, Finding{Level: "error", Where: f.Path, What: err.Error()})
			continue
		}
		found = append(found, checkEntries(f.Path, text)...)
	}
	return found, nil
}

// checkEntries makes sure that a file's units are its bytes, and that what quipu
// wrote reads as it was written.
func checkEntries(path string, text []byte) []Finding {
	f := markdown.Parse(path, text)
	if !bytes.Equal(f.Bytes(), text) {
		return []Finding{{Level: "error", Where: path, What: "it does not read back as it is written; please report this"}}
	}
	var found []Finding
	for _, u := range f.Units() {
		if u.Entry != nil && u.Entry.Struck && u.Entry.Superseded.IsZero() && u.Entry.Moved.IsZero() {
			found = append(found, Finding{Level: "note", Where: fmt.Sprintf("%s:%d", path, u.Line), What: "a struck entry without a date of when"})
		}
	}
	return found
}
