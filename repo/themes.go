package repo

import (
	"context"
	"sync"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// themes are what the notes can be about, read once for each state of them and day.
type themes struct {
	mu   sync.Mutex
	head git.Hash
	day  markdown.Date
	list []policy.Theme
}

// Themes gives what the notes can be about, as the newest commit has them. It takes no lock
// of the vault.
func (w *Workspace) Themes(context.Context) ([]policy.Theme, error) {
	t := &w.themes
	t.mu.Lock()
	defer t.mu.Unlock()
	head, err := w.git.Position()
	if err != nil {
		return nil, gitError(err)
	}
	today := markdown.DateOf(w.now())
	if t.list != nil && t.head == head && t.day == today {
		return t.list, nil
	}
	blobs, err := w.git.BlobsAt(head)
	if err != nil {
		return nil, gitError(err)
	}
	n := policy.Notes{Files: map[string][]byte{}}
	for path, blob := range blobs {
		if kind, err := policy.CheckPath(path); err != nil || kind == policy.Log {
			continue
		}
		text, err := w.git.Blob(blob)
		if err != nil {
			return nil, gitError(err)
		}
		n.Files[path], _ = w.masked(text)
	}
	t.list, t.head, t.day = policy.Themes(n, today), head, today
	return t.list, nil
}
