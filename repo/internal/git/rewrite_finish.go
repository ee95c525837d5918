package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// leftFiles are the files of the git directory, as globs, that repeat texts or
// messages, or that belong to the old history.
var leftFiles = [...]string{
	"logs", "ORIG_HEAD", "FETCH_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE",
	"COMMIT_EDITMSG", "MERGE_MSG", "MERGE_RR", "MERGE_MODE", "SQUASH_MSG", "TAG_EDITMSG", "NOTES_EDITMSG", "EDIT_DESCRIPTION",
	"NOTES_MERGE_*", "BISECT_*", "rr-cache", "gitk.cache", "sharedindex.*", "addp-hunk-edit.diff", "ADD_EDIT.patch", "info/refs", "gc.log",
	"quipu/was", "quipu/bad", "quipu/*.new", "quipu/" + quarantineName + "*", "objects/info/packs", "objects/info/commit-graph", "objects/info/commit-graphs",
}

// finishEarlier finishes, or takes back, what an earlier process left of an erase.
// The caller keeps other erases out.
func (r *Repo) finishEarlier(ctx context.Context) error {
	if _, err := os.Lstat(r.rewriteDir()); err != nil {
		return nil // nothing was left
	}
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	deadline := time.Now().Add(r.opt.Wait)
	if err := r.takeFlock(ctx, deadline); err != nil {
		return err
	}
	defer r.flock.Unlock() //nolint:errcheck // closing it lets go, too
	if r.rewriteStopped() {
		return r.recover(ctx, deadline)
	}
	return r.dropRewrite()
}

// settledRecords reads the record file, once no erase is half-way. When one was, the
// records were of the old history, and in place.
func (r *Repo) settledRecords(ctx context.Context, deadline time.Time) ([]record, error) {
	records, err := r.loadRecords()
	if err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	again, err := r.settleRewrite(ctx, deadline)
	if again {
		records = nil
	}
	return records, err
}

// settleRewrite finishes an erase that a crash cut short behind its marker, and takes
// back one that did not come so far. The caller holds the flock; again says that
// history was replaced.
func (r *Repo) settleRewrite(ctx context.Context, deadline time.Time) (again bool, err error) {
	if _, err := os.Lstat(r.rewriteDir()); err != nil {
		return false, nil //nolint:nilerr // no erase was under way
	}
	if !r.rewriteStopped() {
		return false, r.rollBackRewrite()
	}
	b, err := os.ReadFile(r.markPath())
	if err != nil {
		return false, err
	}
	mark, err := decodeMark(b)
	if err != nil {
		return false, errors.Join(ErrDamaged, err)
	}
	if r.token == "" {
		if err := r.writeToken(); err != nil {
			return false, err
		}
	}
	held, err := r.lockRefs(ctx, mark.moves, "")
	if err != nil {
		return false, errors.Join(err, r.dropLocks(held))
	}
	for _, p := range []string{r.indexPath(), r.refPath(mark.head.ref)} {
		if err := r.takeGitLock(ctx, p, deadline); err != nil {
			return false, errors.Join(err, r.dropLocks(held))
		}
		held = append(held, p+".lock")
	}
	left, err := r.finishRewrite(mark)
	if err = errors.Join(err, r.dropLocks(held)); err != nil {
		return false, err
	}
	r.note("an erase that was cut short was finished")
	if left > 0 {
		r.note("%d branches, tags or packs of the old history came meanwhile: what was erased may still be in them; run the erase again", left)
	}
	return true, r.removeBy(r.rewriteDir(), removers)
}

// rollBackRewrite removes what a killed erase left before its marker. One that is
// alive, and builds, holds its lock.
func (r *Repo) rollBackRewrite() error {
	held := r.eraseLock()
	if ok, err := held.TryLock(); err != nil || !ok {
		return err
	}
	defer held.Unlock() //nolint:errcheck // closing it lets go, too
	return r.dropRewrite()
}

// dropRewrite removes locks of refs that a killed erase left, and then its folder.
// The flock is held, and other erases are kept out.
func (r *Repo) dropRewrite() error {
	errs := []error{r.dropLock(filepath.Join(r.dir, "packed-refs.lock"))}
	err := filepath.WalkDir(filepath.Join(r.dir, "refs"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".lock") {
			errs = append(errs, r.dropLock(p))
		}
		return err
	})
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	return r.removeBy(r.rewriteDir(), removers)
}

// finishRewrite puts a complete new history in place and lets the old one go. Each
// step may be done again. All locks are held. left counts refs that came meanwhile and
// belong to the old history, which then stays for another round.
func (r *Repo) finishRewrite(m *rewriteMark) (left int, err error) {
	for _, step := range []func(*rewriteMark) error{r.placePack, r.placeRefs, r.placeWork, r.placeIndex, r.renewRecords, r.clearLeft, r.startLogs} {
		if err := errors.Join(step(m), r.linkPack(m)); err != nil {
			return 0, err
		}
	}
	if err := r.syncEverything(); err != nil {
		return 0, err
	}
	if left, err = r.oldRefs(m); err != nil {
		return left, err
	}
	if left == 0 {
		if left, err = r.prune(m); err != nil {
			return 0, err
		}
	}
	if err := r.linkPack(m); err != nil {
		return 0, err
	}
	if err := r.syncEverything(); err != nil {
		return 0, err
	}
	last := rewriteMark{id: m.id, head: refMove{ref: m.head.ref}, change: m.change} // no names of refs
	if err := r.disk.replace(r.own, r.lastPath(), last.encode()); err != nil {
		return 0, err
	}
	return left, r.disk.remove(r.markPath())
}

func (r *Repo) syncEverything() error {
	if err := r.disk.ask("syncfs", r.own); err != nil {
		return err
	}
	return syncAll(r.own)
}

func (r *Repo) packDir() string { return filepath.Join(r.dir, "objects", "pack") }

// placePack lets readers see the new pack, the index before the objects: git passes
// over an index without a pack, but go-git fails at a pack without an index. It stays
// in the folder of the erase, too: a person's git that packs would take a pack away
// that no ref reaches yet.
func (r *Repo) placePack(m *rewriteMark) error {
	r.forgetHistory()
	return r.linkPack(m)
}

func (r *Repo) linkPack(m *rewriteMark) error {
	if m.pack == "" {
		return nil
	}
	if err := r.disk.mkdir(r.packDir()); err != nil {
		return err
	}
	linked := false
	for _, ending := range []string{".idx", ".pack"} {
		to := filepath.Join(r.packDir(), m.pack+ending)
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		err := r.disk.link(filepath.Join(r.rewriteDir(), m.pack+ending), to)
		if err != nil {
			return fmt.Errorf("place the new pack: %w", err)
		}
		linked = true
	}
	if !linked {
		return nil
	}
	return r.disk.syncPath(r.packDir())
}

func (r *Repo) placeRefs(m *rewriteMark) error { return r.moveRefs(m.moves) }

// placeWork writes the work files whose committed text changed: those that equal the
// old one. It is done when the old history cannot be read any more: it went after
// this step.
func (r *Repo) placeWork(m *rewriteMark) error {
	if m.head.old == m.head.new || m.head.old.IsZero() {
		return nil
	}
	old, err := r.Commit(m.head.old)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	now, err := r.Commit(m.head.new)
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	deltas, err := r.Changes(old.Tree, now.Tree)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	for i, d := range deltas {
		have, _, err := r.work.inspect(d.Path, d.Before, stat{}, nil, stat{})
		if errors.Is(err, ErrOddFile) || err == nil && have.blob != d.Before {
			continue
		}
		if err != nil {
			return err
		}
		if err := r.rewriteWork(d, i); err != nil {
			return err
		}
	}
	return nil
}

func (r *Repo) rewriteWork(d Delta, i int) error {
	if d.After.IsZero() {
		err := r.work.remove(d.Path)
		for dir := path.Dir(d.Path); err == nil && dir != "."; dir = path.Dir(dir) {
			if r.work.root.Remove(dir) != nil { // its name may tell it, too; one that is not empty stays
				break
			}
		}
		return err
	}
	text, err := r.Blob(d.After)
	if err != nil {
		return err
	}
	tmp := tempName(d.Path, i)
	if err := r.work.writeTemp(d.Path, tmp, text); err != nil {
		return err
	}
	if err := r.disk.syncPath(r.work.abs(tmp)); err != nil { // a torn one would pass for a person's edit
		return err
	}
	return r.work.rename(tmp, d.Path)
}

// placeIndex puts the prepared index in place, once: a person may stage on it.
func (r *Repo) placeIndex(*rewriteMark) error {
	err := r.disk.rename(filepath.Join(r.rewriteDir(), "index"), r.indexPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// renewRecords makes the record file one of the new history. No record counts: they
// were in place and synced before the marker was written.
func (r *Repo) renewRecords(m *rewriteMark) error {
	if _, err := r.wal.load(); err != nil {
		return err
	}
	if err := r.wal.renew(m.head.ref, m.head.new, time.Now()); err != nil {
		return err
	}
	r.forgetHistory()
	r.tips.set(m.head.ref, m.head.new)
	r.setApplied()
	return nil
}

// clearLeft removes reflogs and left-over files.
func (r *Repo) clearLeft(*rewriteMark) error {
	errs := []error{r.work.sweep()}
	for _, glob := range leftFiles {
		paths, err := filepath.Glob(filepath.Join(r.dir, filepath.FromSlash(glob)))
		errs = append(errs, err)
		for _, p := range paths {
			errs = append(errs, r.removeTree(p))
		}
	}
	return errors.Join(errs...)
}

// startLogs begins new reflogs: of the branch, and of the stash, which has no other
// place for all but its newest entry.
func (r *Repo) startLogs(m *rewriteMark) error {
	if !m.head.new.IsZero() {
		if err := r.appendReflog(m.head.ref, Hash{}, m.head.new, "erase", r.signature()); err != nil {
			return err
		}
	}
	b, err := os.ReadFile(filepath.Join(r.rewriteDir(), "stash"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.disk.replace(r.own, r.reflogPath("refs/stash"), b)
}
