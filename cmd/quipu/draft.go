package main

import (
	"os"
	"path"
	"path/filepath"
)

// draft is a copy of a note for the person's editor: a file in a folder of its own
// outside every workspace, readable by its owner alone, with the note's own name so
// that the editor knows what it is.
type draft struct{ dir, path string }

func newDraft(note, text string) (*draft, error) {
	dir, err := os.MkdirTemp("", "quipu-") // 0700
	if err != nil {
		return nil, err
	}
	d := &draft{dir: dir, path: filepath.Join(dir, path.Base(note))}
	if err := os.WriteFile(d.path, []byte(text), 0o600); err != nil {
		_ = d.remove() // the write is what went wrong
		return nil, err
	}
	return d, nil
}

// text reads the draft as the editor left it.
func (d *draft) text() (string, error) {
	text, err := os.ReadFile(d.path)
	return string(text), err
}

// remove takes the draft away, with what the editor left beside it.
func (d *draft) remove() error { return os.RemoveAll(d.dir) }
