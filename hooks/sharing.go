package hooks

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"quipu/repo"
)

// The rhythm of sharing.
const (
	shareLook  = 5 * time.Second // how soon a change is noticed; it is pushed when the next look finds no newer one
	shareFirst = time.Minute     // after a remote failed; doubled each time
	shareMost  = time.Hour
	shareAtOne = 4 // workspaces that are synced at the same time
)

// Sharing syncs the workspaces that have a remote, off the path of every request: at
// the start, after changes, and every so many minutes. A remote that fails is asked
// less and less often. It rests while sync.intervalMinutes is 0.
type Sharing struct {
	store *repo.Store
	now   func() time.Time
	log   *slog.Logger

	under sync.WaitGroup
	mu    sync.Mutex
	of    map[repo.ID]*shared
}

// shared is what is known of one workspace.
type shared struct {
	every   time.Duration
	syncing bool
	seen    string // its newest commit at the last look
	synced  string // and when it was synced last
	next    time.Time
	after   time.Duration // of the last retry; 0 when the last sync went well
}

// NewSharing makes the sharing of a home.
func NewSharing(store *repo.Store, now func() time.Time, log *slog.Logger) *Sharing {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Sharing{store: store, now: now, log: log, of: map[repo.ID]*shared{}}
}

// Run runs until ctx ends, and waits for the syncs that are under way to break off.
func (s *Sharing) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	defer s.under.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		s.look(ctx)
		timer.Reset(shareLook)
	}
}

// look starts the syncs that are due.
func (s *Sharing) look(ctx context.Context) {
	every := s.store.Config().Sync.IntervalMinutes
	if every <= 0 {
		return
	}
	for _, id := range s.store.WithRemote() {
		ws, err := s.store.OpenAny(ctx, id)
		if err != nil {
			if ctx.Err() == nil {
				s.log.Warn("a workspace is not synced", "bot", string(id), "err", err)
			}
			continue
		}
		if s.due(ws, time.Duration(every)*time.Minute) {
			s.under.Go(func() { s.sync(ctx, ws) })
		}
	}
}

// due says whether a workspace is to be synced now, and marks it as being synced: at the
// start, when its time has come, and when a change of its has found its rest.
func (s *Sharing) due(ws *repo.Workspace, every time.Duration) bool {
	head, now := ws.Newest(), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	w, known := s.of[ws.ID()]
	if !known {
		w = &shared{}
		s.of[ws.ID()] = w
	}
	w.every = every
	rests := head == w.seen
	w.seen = head
	busy := 0
	for _, o := range s.of {
		if o.syncing {
			busy++
		}
	}
	switch {
	case w.syncing, busy >= shareAtOne:
		return false
	case w.after > 0:
		if now.Before(w.next) {
			return false
		}
	case known && now.Before(w.next) && (head == w.synced || !rests):
		return false
	}
	w.syncing = true
	return true
}

func (s *Sharing) sync(ctx context.Context, ws *repo.Workspace) {
	got, err := ws.Sync(ctx, repo.Meta{Author: repo.Author{Kind: repo.Sync}}, repo.Syncing{})
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.of[ws.ID()]
	w.syncing, w.synced = false, ws.Newest()
	if err == nil {
		w.after, w.next = 0, s.now().Add(w.every)
		if got.Pulled+got.Pushed > 0 {
			s.log.Info("sync", "bot", string(ws.ID()), "pulled", got.Pulled, "pushed", got.Pushed, "merged", got.Merged, "replayed", got.Replayed)
		}
		return
	}
	if ctx.Err() != nil || errors.Is(err, repo.ErrNotFound) {
		return
	}
	w.after = min(max(2*w.after, shareFirst), shareMost)
	w.next = s.now().Add(w.after)
	s.log.Warn("a sync failed and is tried again", "bot", string(ws.ID()), "after", w.after.String(), "err", err)
}
