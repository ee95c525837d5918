package repo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// What a sync does with a remote whose history has nothing in common with ours.
const (
	UnrelatedJoin  = "join"  // both histories, and the notes of both
	UnrelatedAdopt = "adopt" // theirs; ours is kept under refs/quipu/lost
)

// Syncing says how a workspace is brought together with its remote.
type Syncing struct {
	PullOnly, PushOnly bool
	Unrelated          string // UnrelatedJoin, UnrelatedAdopt; "" refuses
}

// Synced says what a sync came to.
type Synced struct {
	Receipt
	Branch   string `json:"branch"`   // at the remote
	Pulled   int    `json:"pulled"`   // commits that came
	Pushed   int    `json:"pushed"`   // commits that went
	Merged   bool   `json:"merged"`   // both sides had changed
	Replayed int    `json:"replayed"` // changes that were made again on a history that an erasure made
	Ahead    int    `json:"ahead"`    // ours that the remote does not have, as it was read afterwards
	Behind   int    `json:"behind"`
	// Conflicts are the notes that both sides changed differently; both wordings stand.
	Conflicts []OpenConflict `json:"conflicts"`
}

const (
	syncTries  = 6
	syncPause  = 100 * time.Millisecond // before a second try; doubled each time, and up to as much again by chance
	syncLock   = "sync.lock"
	headsRef   = "refs/heads/"
	remotesRef = "refs/remotes/origin/"
	// theirErased is where the ids that the remote's erasures dropped are fetched to.
	theirErased = remotesRef + "quipu-erased"
)

// Sync brings a workspace and its remote together: what was edited outside is taken in,
// what the remote has is fetched and merged entry by entry, and what it has not is
// pushed, never by force but after an erasure. No lock is held while the network is
// used. Whatever fails, the notes and their history are as before, or as after a part
// that is whole. ErrNotFound without a remote, ErrRemote, ErrConflict for a history that
// is unrelated, ErrState, ErrBusy.
func (w *Workspace) Sync(ctx context.Context, m Meta, o Syncing) (Synced, error) {
	lock := flock.New(filepath.Join(w.git.Own(), syncLock), flock.SetPermissions(0o600))
	if ok, err := lock.TryLockContext(ctx, syncPause); err != nil || !ok {
		return Synced{}, err
	}
	defer lock.Unlock() //nolint:errcheck // closing it lets go, too
	remote, set, err := w.transport()
	if err != nil {
		return Synced{}, err
	}
	if !m.DryRun {
		w.finishFirst(ctx)
	}
	m.Action, m.Via = ActMerge, ViaSync
	j := &joining{w: w, m: m, o: o, remote: remote, set: set, zone: w.SyncState().Zone}
	j.out.Conflicts = []OpenConflict{}
	late := w.finishLetting(ctx)
	err = errors.Join(j.run(ctx), late)
	return j.out, errors.Join(err, j.keep(ctx, err))
}

// Newest names the newest commit, "" when there is none.
func (w *Workspace) Newest() string {
	head, err := w.git.Position()
	if err != nil || head.IsZero() {
		return ""
	}
	return head.String()
}

// joining is one sync on its way.
type joining struct {
	w      *Workspace
	m      Meta
	o      Syncing
	remote git.Remote
	set    Remote

	branch  string              // at the remote, whole name
	theirs  git.Hash            // its newest commit; zero: there is none
	erased  git.Hash            // its list of what erasures dropped
	holds   bool                // it still has what an erasure here dropped
	dropped map[git.Hash]bool   // what erasures dropped, here and, once it is met, there
	refs    map[string]git.Hash // all that it has
	zone    string              // in which days are counted wherever the memory is shared
	// What follows a landing: old says that a history that an erasure dropped is to go,
	// gone what goes with it; erasures are made in the one that was taken over.
	old      bool
	gone     []*policy.Erasure
	erasures []*erasure
	out      Synced
}

// run tries until nobody else pushes in between.
func (j *joining) run(ctx context.Context) error {
	wait := syncPause
	for try := 1; ; try++ {
		again, err := j.round(ctx)
		if err != nil || !again {
			return err
		}
		if try == syncTries {
			return wrapf(ErrBusy, "others keep pushing to the remote; try again")
		}
		timer := time.NewTimer(wait + rand.N(wait)) //nolint:gosec // only to not meet again
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		wait *= 2
	}
}

// round is one try; again says that the remote moved meanwhile.
func (j *joining) round(ctx context.Context) (again bool, err error) {
	if _, err := j.w.TakeIn(ctx, j.w.person()); err != nil {
		return false, err
	}
	if err := j.meet(ctx); err != nil {
		return false, err
	}
	if j.m.DryRun {
		return false, j.would(ctx)
	}
	if !j.theirs.IsZero() && !j.holds {
		if err := j.land(ctx); err != nil {
			return false, err
		}
		if again, err := j.after(ctx); err != nil || again {
			return again, err
		}
	}
	if err := j.shareZone(ctx); err != nil || j.o.PullOnly {
		return false, err
	}
	return j.push(ctx)
}

// meet finds out what the remote has, and fetches what we have not.
func (j *joining) meet(ctx context.Context) error {
	if err := j.look(ctx); err != nil {
		return err
	}
	err := j.readDropped()
	if err != nil {
		return err
	}
	// A tip that an erasure here dropped is not fetched: nothing of it is wanted.
	if j.holds, err = j.letGo(ctx); err != nil {
		return err
	}
	if err := j.fetch(ctx); err != nil {
		return err
	}
	return j.takeErased(ctx)
}

func (j *joining) shareZone(ctx context.Context) error {
	zone, note, err := j.w.shareZone(ctx, j.m, j.zone, !j.o.PullOnly)
	if err != nil {
		return err
	}
	if j.zone = zone; note != "" {
		j.out.Notes = append(j.out.Notes, note)
	}
	return nil
}

// letGo says whether the remote's tip was dropped by an erasure whose history is ours.
func (j *joining) letGo(ctx context.Context) (bool, error) {
	if !j.dropped[j.theirs] {
		return false, nil
	}
	head, err := j.w.git.Position()
	if err != nil {
		return false, gitError(err)
	}
	all, err := j.w.git.Relate(ctx, head, git.Hash{})
	return !j.hasDropped(all.Ours), gitError(err)
}

// after does what follows a landing over an erasure; again says that the history is
// another one then.
func (j *joining) after(ctx context.Context) (again bool, err error) {
	if j.old {
		if err := j.w.letOldGo(ctx, j.gone); err != nil {
			return false, err
		}
	}
	for _, e := range j.erasures {
		if err := e.here(ctx); err != nil {
			return false, err
		}
		if err := e.alone(ctx); err != nil {
			return false, err
		}
	}
	again = len(j.erasures) > 0
	j.old, j.gone, j.erasures = false, nil, nil
	return again, nil
}

// would counts what would be pulled and pushed.
func (j *joining) would(ctx context.Context) error {
	head, err := j.w.git.Position()
	if err != nil {
		return gitError(err)
	}
	rel, err := j.w.git.Relate(ctx, head, j.theirs)
	if err != nil {
		return gitError(err)
	}
	j.out.DryRun, j.out.Pulled, j.out.Pushed = true, len(rel.Theirs), len(rel.Ours)
	if len(rel.Bases) == 0 && !head.IsZero() && !j.theirs.IsZero() && !j.holds {
		l := &landing{j: j, v: &view{w: j.w, at: j.w.now()}, rel: rel}
		adopts, err := l.adopts(head)
		switch {
		case err != nil:
			return err
		case adopts:
			j.out.Pushed = 0
		case j.o.Unrelated == "":
			return ErrUnrelated
		}
	}
	_, _, zone, err := j.w.zones(j.zone)
	if zone {
		j.out.Pushed++
	}
	return err
}

// look reads what the remote has.
func (j *joining) look(ctx context.Context) error {
	state, err := j.w.git.RemoteRefs(ctx, j.remote)
	if err != nil {
		return remoteError(err)
	}
	if err := j.w.git.State(); err != nil { // says more than Head does
		return gitError(err)
	}
	ours, _, err := j.w.git.Head()
	if err != nil {
		return gitError(err)
	}
	j.branch = headsRef + ours
	switch _, has := state.Refs[j.branch]; {
	case j.set.Branch != "":
		j.branch = headsRef + j.set.Branch
	case !has && state.Head != "" && !state.Refs[state.Head].IsZero():
		j.branch = state.Head
	}
	j.out.Branch = strings.TrimPrefix(j.branch, headsRef)
	j.refs, j.theirs, j.erased = state.Refs, state.Refs[j.branch], state.Refs[erasedRef]
	if j.theirs.IsZero() && j.o.PullOnly && !state.Empty() {
		return wrapf(ErrRemote, "the remote has no branch %s; name another with `quipu remote set --branch`", j.out.Branch)
	}
	return nil
}

// fetch brings what the remote has and we have not.
func (j *joining) fetch(ctx context.Context) error {
	want := map[string]string{}
	if !j.theirs.IsZero() && !j.holds && !j.w.git.Has(j.theirs) {
		want[j.branch] = remotesRef + j.out.Branch
	}
	if !j.erased.IsZero() && !j.w.git.Has(j.erased) {
		want[erasedRef] = theirErased
	}
	if len(want) == 0 {
		return nil
	}
	got, err := j.w.git.Fetch(ctx, j.remote, want)
	if err != nil {
		return remoteError(err)
	}
	if h, ok := got[j.branch]; ok {
		j.theirs = h
	}
	if h, ok := got[erasedRef]; ok {
		j.erased = h
	}
	return nil
}

// keep notes how the sync went and how both sides stand now.
func (j *joining) keep(ctx context.Context, failed error) error {
	w := j.w
	s := w.SyncState()
	if s.URL != j.set.URL { // of another remote
		s = SyncState{URL: j.set.URL}
	}
	s.Holds, s.Zone = j.holds, j.zone
	if j.branch != "" {
		s.Branch = j.out.Branch
	}
	if !j.theirs.IsZero() {
		s.Head = j.theirs.String()
	}
	_, err := w.stand(context.WithoutCancel(ctx), &s)
	j.out.Ahead, j.out.Behind = s.Ahead, s.Behind
	switch now := w.now().UTC(); {
	case errors.Is(failed, context.Canceled):
		s.Tried, s.Fault = now, "it was ended before it was done; what it had not done yet is done by the next"
	case failed != nil:
		s.Tried = now
		s.Fault, _ = w.store.redact.Redact(oneLine(failed.Error()))
	case j.m.DryRun: // nothing was tried
	case err == nil:
		s.Tried, s.Success, s.Fault = now, now, ""
	}
	if err != nil {
		err = fmt.Errorf("how both sides stand is not known: %w", err)
	}
	return errors.Join(err, w.keepSyncState(s))
}
