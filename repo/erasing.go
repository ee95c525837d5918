package repo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/turns"
)

// The folder, in the history's own, of the erasures that are not at their end, and the
// lock of who is at them.
const (
	erasingDir  = "erasures"
	erasingLock = "erasures.lock"
)

// eraseLook is how long a lock must be held for its holder to count as at work.
const eraseLook = time.Second

// erasing says of an erasure under way all that it takes to finish it after a crash,
// and no word of what it takes out. JSON, one file each.
type erasing struct {
	ID    ChangeID     `json:"change"` // that takes it out of the files
	Began time.Time    `json:"began"`
	By    string       `json:"by"`
	Via   Via          `json:"via"`
	What  policy.Keyed `json:"what,omitzero"`
	// Retain: it is no erasure, but old history that is let go.
	Retain bool `json:"retain,omitempty"`
}

// keepErasing makes an erasure one that is finished whatever happens.
func (w *Workspace) keepErasing(m Meta, id ChangeID, x *policy.Erasure) error {
	salt, err := policy.NewSalt(rand.Reader)
	if err != nil {
		return err
	}
	return w.noteErasing(erasing{ID: id, By: m.Author.String(), Via: m.Via, What: x.Keyed(salt)})
}

func (w *Workspace) noteErasing(e erasing) error {
	e.Began = w.now().UTC().Truncate(time.Second)
	b, err := json.Marshal(e)
	if err == nil {
		err = os.MkdirAll(filepath.Join(w.git.Own(), erasingDir), 0o700)
	}
	if err == nil {
		err = w.writeOwn(filepath.Join(erasingDir, string(e.ID)), b)
	}
	if err != nil {
		return fmt.Errorf("note the erasure: %w", err)
	}
	return nil
}

// dropErasing ends an erasure that is done, or that changed nothing.
func (w *Workspace) dropErasing(id ChangeID) error {
	err := os.Remove(filepath.Join(w.git.Own(), erasingDir, string(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// erasures are those that are not at their end, oldest first.
func (w *Workspace) erasures() ([]erasing, error) {
	dir := filepath.Join(w.git.Own(), erasingDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []erasing
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue // being written
		}
		b, rerr := readSmall(filepath.Join(dir, e.Name()))
		var one erasing
		if rerr == nil && len(b) > 0 {
			rerr = json.Unmarshal(b, &one)
		}
		if rerr != nil || one.ID != ChangeID(e.Name()) {
			w.log.Warn("an erasure under way is noted unreadably; erase the same words again", "file", e.Name(), "err", rerr)
			one = erasing{ID: ChangeID(e.Name())}
		}
		out = append(out, one)
	}
	return out, err
}

// eraseTurn is the lock of who is at the erasures of this workspace.
func (w *Workspace) eraseTurn() *flock.Flock {
	return flock.New(filepath.Join(w.git.Own(), erasingLock), flock.SetPermissions(0o600))
}

// FinishErasures finishes what a crash, or an error, left of erasures: words that are
// out of the notes, and may still stand in their history or in what was said. One that
// another process is at is left to it. It can be called at any time.
func (w *Workspace) FinishErasures(ctx context.Context, progress func(done, total int)) error {
	list, err := w.erasures()
	if err != nil || len(list) == 0 {
		return err
	}
	turn := w.eraseTurn()
	wait, cancel := context.WithTimeout(ctx, eraseLook) // whoever only looks has it for a moment
	defer cancel()
	if ok, err := turn.TryLockContext(wait, eraseLook/50); !ok {
		if errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
		return err
	}
	defer turn.Unlock() //nolint:errcheck // closing it lets go, too
	list, err = w.erasures()
	for _, e := range list {
		if rerr := w.resume(ctx, e, progress); rerr != nil {
			err = errors.Join(err, fmt.Errorf("finish an erasure: %w", rerr))
		}
	}
	return err
}

// startFinishing sees to what was left of erasures before the workspace was opened.
func (w *Workspace) startFinishing(ctx context.Context) {
	if list, err := w.erasures(); err != nil || len(list) == 0 {
		return
	}
	if !w.store.resident {
		w.unended = true
		return
	}
	ctx, stop := w.store.detached(ctx)
	w.store.running.Go(func() {
		defer stop()
		if err := w.FinishErasures(ctx, nil); err != nil && ctx.Err() == nil {
			w.log.Warn("an erasure is not at its end; it is tried again later", "err", err)
		}
	})
}

// OpenUnended opens the workspaces in which an erasure is not at its end: a process that
// stays finishes it then.
func (s *Store) OpenUnended(ctx context.Context) {
	for _, id := range s.having(erasingDir + "/*") {
		if _, err := s.openAny(ctx, id); err != nil && ctx.Err() == nil {
			s.log.Warn("an erasure is not at its end", "bot", string(id), "err", err)
		}
	}
}

// having lists the workspaces in whose history's own folder a file of a pattern stands.
func (s *Store) having(pattern string) []ID {
	var ids []ID
	for _, at := range []string{filepath.Join(s.home, historyDir, "*.git"), filepath.Join(s.home, workspacesDir, "*", ".git")} {
		found, _ := filepath.Glob(filepath.Join(at, "quipu", filepath.FromSlash(pattern))) // the pattern is good
		for _, p := range found {
			rel, err := filepath.Rel(s.home, p)
			if err != nil {
				continue
			}
			id := ID(strings.TrimSuffix(strings.Split(rel, string(filepath.Separator))[1], ".git"))
			if !slices.Contains(ids, id) && s.exists(id) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// finishFirst finishes what was left of erasures, before the first write of a process
// that does not stay: every write comes by here, and one that reads the history first
// comes before that.
func (w *Workspace) finishFirst(ctx context.Context) {
	w.mu.Lock()
	left := w.unended
	w.unended = false
	w.mu.Unlock()
	if !left {
		return
	}
	w.log.Warn("an erasure that was cut short is finished first; in a long history this takes a while")
	told := "an erasure that was cut short was finished"
	if err := w.FinishErasures(ctx, nil); err != nil {
		told = "an erasure that was cut short is not at its end: " + err.Error()
	}
	w.mu.Lock()
	w.told = append(w.told, told)
	w.mu.Unlock()
}

func (w *Workspace) resume(ctx context.Context, e erasing, progress func(done, total int)) error {
	j := erasure{w: w, id: e.ID, m: Meta{Author: ParseAuthor(e.By), Action: ActForget, Via: e.Via}, progress: progress, retain: e.Retain}
	last, change, ok, err := w.git.LastRewrite()
	if err != nil {
		return gitError(err)
	}
	if ok && last == string(e.ID) { // what was said went before
		if err := errors.Join(w.letDerivedGo(), w.forgetJudged()); err != nil { //nolint:contextcheck // it goes, whether or not the caller still waits
			return err
		}
		j.out.Changed = len(change)
		return j.settle(ctx, change)
	}
	if e.Retain {
		return w.dropErasing(e.ID) // the next night tries again
	}
	x, err := w.seek(ctx, e.What)
	if err != nil {
		return err
	}
	if x == nil { // nothing holds it
		return w.dropErasing(e.ID)
	}
	j.x = x
	listed, err := w.lists(e.ID)
	if err != nil {
		return err
	}
	if !listed {
		j.phrases = x.Phrases()
	}
	if err := j.here(ctx); err != nil {
		return err
	}
	return j.everywhere(ctx)
}

// lists says whether the words of an erasure are on the never-learn list.
func (w *Workspace) lists(id ChangeID) (bool, error) {
	l, err := w.ledgerNow()
	return err == nil && l.Never().Has(string(id)), err
}

// seek finds again what an erasure takes out; nil when nothing here holds it.
func (w *Workspace) seek(ctx context.Context, what policy.Keyed) (*policy.Erasure, error) {
	s, ok := what.Seek()
	if !ok {
		return nil, wrapf(ErrDamaged, "what it takes out is noted unreadably; erase the same words again")
	}
	err := w.git.Everything(ctx, func(where string, raw []byte) error {
		if !git.IsSetting(where) {
			s.Look(where)
			s.Look(string(raw))
		}
		return nil
	}, nil)
	if err != nil {
		return nil, gitError(err)
	}
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	for _, f := range files {
		text, _, err := w.git.ReadWork(f.Path)
		if err != nil {
			return nil, gitError(err)
		}
		s.Look(string(text))
	}
	look := func(text string) bool { s.Look(text); return false }
	said, err := w.store.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said != nil {
		_, err = said.Holds(ctx, string(w.id), turns.Erasing{Tells: look, Mask: func(name string) string { look(name); return name }})
	}
	if err != nil {
		return nil, turnError(err)
	}
	return s.Found(w.taken()), nil
}

// taken says which paths are in use: a file that is renamed gets none of them.
func (w *Workspace) taken() func(path string) bool {
	var files map[string]git.Hash
	if head, err := w.git.Position(); err == nil {
		files, _ = w.git.BlobsAt(head) // no name is in use in a history that cannot be read
	}
	return func(path string) bool { _, is := files[path]; return is }
}

// pendingErasures tells of erasures that are not at their end.
func (w *Workspace) pendingErasures() []Finding {
	list, err := w.erasures()
	if err != nil {
		return []Finding{{Level: "error", Where: "history", What: "erasures under way cannot be read: " + err.Error()}}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b erasing) int { return a.Began.Compare(b.Began) })
	turn := w.eraseTurn()
	free, err := turn.TryLock()
	if err == nil && !free {
		return []Finding{{
			Level: "note", Where: "history",
			What: fmt.Sprintf("an erasure that began at %s is being finished: what it takes out may still be in the history", list[0].Began.Format(time.RFC3339)),
		}}
	}
	if free {
		_ = turn.Unlock() // closing it lets go, too
	}
	return []Finding{{
		Level: "error", Where: "history",
		What: fmt.Sprintf("an erasure that began at %s has not come to its end: what it takes out may still be there", list[0].Began.Format(time.RFC3339)),
		Fix:  "quipu doctor --fix",
	}}
}
