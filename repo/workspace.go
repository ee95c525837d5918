package repo

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
)

// Workspace is one bot's notes. It is safe for concurrent use.
type Workspace struct {
	store *Store
	id    ID
	dir   string
	own   bool // the history is ours, beside the workspace: its .git is one line
	git   *git.Repo
	log   *slog.Logger
	bot   func() (*Workspace, error) // that a layer is of; see Store.botOf

	finder finder // of the notes, in memory
	talk   talk   // of what was said

	verdicts verdicts // what the ledger comes to
	themes   themes   // what the notes can be about

	mu      sync.Mutex
	index   *side.Index // nil until the history is asked
	behind  int         // changes made here that the index has not seen
	scanned bool        // the whole work tree was looked through since it was opened
	told    []string    // repairs not yet told in a receipt
	unended bool        // an erasure was left that the next write finishes

	knownMu sync.Mutex
	known   map[git.Hash]bool // texts that hold no credential
}

// ID names the workspace.
func (w *Workspace) ID() ID { return w.id }

// Dir is the folder of notes, absolute.
func (w *Workspace) Dir() string { return w.dir }

// now is the clock in the workspace's time zone.
func (w *Workspace) now() time.Time {
	return w.store.now().In(w.store.Config().LocationOf(w.id))
}

// Now is the clock in the workspace's time zone.
func (w *Workspace) Now() time.Time { return w.now() }

// Today is the local day of the workspace's time zone, as YYYY-MM-DD.
func (w *Workspace) Today() string { return markdown.DateOf(w.now()).String() }

// person is who the person is, and the author of what is edited outside.
func (w *Workspace) person() Author {
	return Author{Kind: Person, Name: w.store.Config().PersonName()}
}

// start makes the first commit where there is none yet: the seed of MEMORY.md, and
// whatever lay in the folder before.
func (w *Workspace) start(ctx context.Context) error {
	return w.startWith(ctx, fileText{path: policy.MemoryFile, text: []byte(policy.Seed)})
}

func (w *Workspace) startWith(ctx context.Context, seed fileText) error {
	_, head, err := w.git.Head()
	if err != nil || !head.IsZero() {
		return gitError(err)
	}
	_, err = w.change(ctx, Meta{Author: w.person(), Action: ActInit, Via: w.store.door}, func(v *view) (draft, error) {
		if !v.tx.Head().IsZero() {
			return draft{}, nil
		}
		if _, ok, err := v.file(seed.path); err != nil || ok {
			return draft{}, err
		}
		return draft{subject: string(w.id), files: []fileText{seed}}, nil
	})
	return err
}

// Idle does what is better done when nobody waits: it takes in, as by's, what was
// edited outside, brings the index up to date, syncs what the record holds and packs
// loose objects when there are many.
func (w *Workspace) Idle(ctx context.Context, by Author) error {
	_, err := w.TakeIn(ctx, by)
	// A look at the newest state lets go of the replaced files that are kept for late edits.
	lerr := w.git.Update(ctx, func(*git.Tx) error { return nil })
	if lerr != nil && !errors.Is(lerr, git.ErrBusy) && !errors.Is(lerr, git.ErrState) {
		err = errors.Join(err, gitError(lerr))
	}
	if _, ierr := w.history(ctx); ierr != nil {
		err = errors.Join(err, ierr)
	}
	err = errors.Join(err, w.FinishForgets(ctx), w.FinishErasures(ctx, nil))
	return errors.Join(err, gitError(w.git.Checkpoint(ctx)), gitError(w.git.Pack(ctx)))
}

const (
	closeFull  = 0.5 // a record file so full is emptied when the workspace is closed
	maxBehind  = 64  // an index so many changes behind is brought up by the change that finds it so
	closeLimit = 2 * time.Second
)

func (w *Workspace) close() error {
	var errs []error
	_, err := os.Stat(filepath.Join(w.git.Dir(), "HEAD"))
	there := err == nil // else the folders were taken away, and nothing makes them again
	if there && w.git.Full() > closeFull {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		if err := w.git.Checkpoint(ctx); err != nil && !errors.Is(err, git.ErrBusy) {
			errs = append(errs, gitError(err))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if there && w.behind > 0 {
		if err := w.syncIndex(context.Background()); err != nil && !errors.Is(err, side.ErrLocked) {
			w.log.Warn("the history's index is behind; the next reader brings it up", "err", err)
		}
	}
	if w.index != nil {
		errs = append(errs, w.index.Close())
		w.index = nil
	}
	return errors.Join(append(errs, w.git.Close())...)
}

// openIndex gives the index, opened at the first need; w.mu is held.
func (w *Workspace) openIndex() (*side.Index, error) {
	if w.index != nil {
		return w.index, nil
	}
	if err := os.MkdirAll(w.git.Own(), 0o700); err != nil {
		return nil, err
	}
	x, err := side.Open(w.git.Own(), w.log)
	if err == nil {
		w.index = x
	}
	return x, err
}

func (w *Workspace) syncIndex(ctx context.Context) error {
	x, err := w.openIndex() //nolint:contextcheck // the handle outlives the call
	if err != nil {
		return err
	}
	head, err := w.git.Position()
	if err != nil {
		return gitError(err)
	}
	if _, err := x.Sync(ctx, w.git, head); err != nil {
		return err
	}
	w.behind = 0
	return nil
}

// history gives the index, brought up to the newest commit. While another process
// brings it up this waits for that.
func (w *Workspace) history(ctx context.Context) (*side.Index, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const tries = 100
	var err error
	for range tries {
		if err = w.syncIndex(ctx); !errors.Is(err, side.ErrLocked) {
			break
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	switch {
	case errors.Is(err, side.ErrLocked):
		return nil, wrapf(ErrBusy, "another process is reading the history in; try again")
	case err != nil:
		return nil, err
	}
	return w.index, nil
}

// noteChange counts a change that the index has not seen.
func (w *Workspace) noteChange(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.behind++
	if w.behind < maxBehind {
		return
	}
	if err := w.syncIndex(ctx); err != nil && !errors.Is(err, side.ErrLocked) {
		w.log.Warn("the history's index is behind", "err", err)
	}
}

const gitFilePutBack = "the workspace's .git file was changed and has been put back"

// pointBack puts the .git file back when someone changed or deleted it.
func (w *Workspace) pointBack() error {
	if !w.own {
		return nil
	}
	put, err := point(w.git.Dir(), w.dir)
	if put {
		w.mu.Lock()
		w.told = append(w.told, gitFilePutBack)
		w.mu.Unlock()
	}
	return err
}

func (w *Workspace) tell() []string {
	repaired := w.git.Mended()
	w.mu.Lock()
	defer w.mu.Unlock()
	out := slices.Concat(w.told, repaired)
	w.told = nil
	return out
}
