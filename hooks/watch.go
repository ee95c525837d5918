package hooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"quipu/policy"
	"quipu/repo"
)

// Watch takes in what is edited outside: when a memory file of a workspace that was
// used changes, and the workspace then rests for a while, its edits become a change
// of their own. One goroutine, that of Run, owns all of its state.
type Watch struct {
	store *repo.Store
	log   *slog.Logger
	quiet time.Duration
	by    func() repo.Author

	files *fsnotify.Watcher
	used  chan *repo.Workspace

	dirs   map[string]repo.ID      // watched folder -> whose it is
	roots  map[string]bool         // those of them that are workspaces
	timers map[repo.ID]*time.Timer // of workspaces that were touched and now rest
	rested chan repo.ID
}

// NewWatch makes a Watch; by names the author of what is edited outside, quiet is
// how long a workspace must rest. The error says that the system has no watches
// left: edits are then taken in with the next change or look into the journal.
func NewWatch(store *repo.Store, by func() repo.Author, quiet time.Duration, log *slog.Logger) (*Watch, error) {
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch workspaces: %w", err)
	}
	return &Watch{
		store: store, log: log, quiet: quiet, by: by,
		files: files, used: make(chan *repo.Workspace, 64),
		dirs: map[string]repo.ID{}, roots: map[string]bool{}, timers: map[repo.ID]*time.Timer{}, rested: make(chan repo.ID),
	}, nil
}

// Use tells the Watch of a workspace that is used. One that is behind learns of it
// at the next use.
func (w *Watch) Use(ws *repo.Workspace) {
	select {
	case w.used <- ws:
	default:
	}
}

// Folders lists the folders that are watched now.
func (w *Watch) Folders() []string { return w.files.WatchList() }

// Run watches until ctx ends.
func (w *Watch) Run(ctx context.Context) {
	defer func() {
		for _, t := range w.timers {
			t.Stop()
		}
		if err := w.files.Close(); err != nil {
			w.log.Warn("watching did not end cleanly", "err", err)
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case ws := <-w.used:
			w.watch(ws.Dir(), ws.ID())
		case event := <-w.files.Events:
			w.saw(ctx, event.Name)
		case err := <-w.files.Errors:
			w.log.Warn("edits made outside may be noticed late", "err", err)
		case id := <-w.rested:
			w.settle(ctx, id)
		}
	}
}

// watch adds the folders in which a workspace's notes lie. Those that are not there
// yet are added when they appear.
func (w *Watch) watch(dir string, id repo.ID) {
	w.roots[dir] = true
	for _, at := range []string{dir, filepath.Join(dir, "memory"), filepath.Join(dir, "memory", "log"), filepath.Join(dir, "memory", "images")} {
		if _, known := w.dirs[at]; known {
			continue
		}
		if err := w.files.Add(at); err == nil {
			w.dirs[at] = id
		} else if at == dir {
			w.log.Warn("edits made outside are not noticed by themselves", "bot", id, "err", err)
		}
	}
}

// saw starts a workspace's rest anew when one of its notes was touched.
func (w *Watch) saw(ctx context.Context, path string) {
	dir := filepath.Dir(path)
	id, ours := w.dirs[dir]
	if !ours {
		return
	}
	name := filepath.Base(path)
	if w.roots[dir] && name != policy.MemoryFile && name != policy.AboutFile && name != "memory" {
		return // the rest of the bot's folder is its own
	}
	if !strings.HasSuffix(name, ".md") {
		w.renew(dir, name, id)
	}
	w.rest(ctx, id)
}

// renew watches a folder that came, or came back, inside a workspace.
func (w *Watch) renew(dir, name string, id repo.ID) {
	for at := range w.dirs {
		if gone := filepath.Join(dir, name); at == gone || strings.HasPrefix(at, gone+string(filepath.Separator)) {
			delete(w.dirs, at)
		}
	}
	for root := range w.roots {
		if root == dir || filepath.Join(root, "memory") == dir {
			w.watch(root, id)
		}
	}
}

// rest waits for a workspace to be quiet; each touch begins the wait anew.
func (w *Watch) rest(ctx context.Context, id repo.ID) {
	if t, waiting := w.timers[id]; waiting {
		t.Reset(w.quiet)
		return
	}
	w.timers[id] = time.AfterFunc(w.quiet, func() {
		select {
		case w.rested <- id:
		case <-ctx.Done():
		}
	})
}

func (w *Watch) settle(ctx context.Context, id repo.ID) {
	delete(w.timers, id)
	ws, err := w.store.OpenAny(ctx, id)
	if errors.Is(err, repo.ErrNotFound) {
		return // it was removed
	}
	if err == nil {
		err = ws.Idle(ctx, w.by())
	}
	if errors.Is(err, repo.ErrBusy) {
		w.rest(ctx, id)
		return
	}
	if err != nil && ctx.Err() == nil {
		w.log.Warn("edits made outside are not taken in yet", "bot", id, "err", err)
	}
}
