package git

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func (r *Repo) indexPath() string { return filepath.Join(r.dir, "index") }

func (r *Repo) refPath(ref string) string { return filepath.Join(r.dir, filepath.FromSlash(ref)) }

// acquire takes the flock, recovers when an earlier holder left work, and then
// takes git's own locks of the index and the branch, so that nothing that comes
// after the record can be refused. On an error nothing is held.
func (r *Repo) acquire(ctx context.Context) error {
	deadline := time.Now().Add(r.opt.Wait)
	if err := r.takeFlock(ctx, deadline); err != nil {
		return err
	}
	err := r.prepare(ctx, deadline)
	if err != nil {
		return errors.Join(err, r.flock.Unlock())
	}
	return nil
}

func (r *Repo) prepare(ctx context.Context, deadline time.Time) error {
	if r.token == "" {
		if err := r.writeToken(); err != nil {
			return err
		}
	}
	if err := r.catchUp(ctx, deadline); err != nil {
		return err
	}
	if err := r.checkState(); err != nil { // says more than "detached" does
		return err
	}
	r.giveWay()
	const patience = 300 * time.Millisecond
	settled := time.Now().Add(patience) // a git that never rests must not keep us out
	for {
		branch, err := r.branch()
		if err != nil {
			return err
		}
		if err := r.takeGitLocks(ctx, branch, deadline); err != nil {
			return err
		}
		// HEAD may have moved while we waited for the branch it named.
		if again, err := r.branch(); err == nil && again == branch && !r.midSwitch(branch, settled) {
			r.head.branch = branch
			return nil
		}
		if err := r.dropGitLocks(branch); err != nil {
			return err
		}
		step := 10 * time.Millisecond
		if err := pause(ctx, &step); err != nil {
			return err
		}
	}
}

// midSwitch says whether another git seems to be between two steps of one command:
// `git switch` writes the files and the index, lets go of the index, and only then
// moves HEAD. Taken at its word, the branch would get the other one's texts as
// edits. A sign is an index, written a moment ago and not by us, that differs from
// the branch.
func (r *Repo) midSwitch(branch string, deadline time.Time) bool {
	const moment = 300 * time.Millisecond // on a busy machine git needs more than a tenth of a second
	st, err := lstat(r.indexPath())
	if err != nil || st == r.indexStat || time.Now().After(deadline) {
		return false
	}
	if age := time.Since(time.Unix(st.mtime, st.mnsec)); age < 0 || age > moment {
		return false
	}
	b, err := os.ReadFile(r.indexPath())
	if err != nil {
		return false
	}
	x, err := parseIndex(b)
	if err != nil {
		return false
	}
	return r.stagesOther(x, branch)
}

// stagesOther says whether an index holds other texts than the branch.
func (r *Repo) stagesOther(x *index, branch string) bool {
	cur, err := r.readRef(branch)
	if err != nil {
		return false
	}
	files, err := r.trackedAt(cur)
	if err != nil {
		return false
	}
	for path, want := range files {
		if staged, ok := x.blob(path); !ok || staged != want {
			return true
		}
	}
	for path := range x.at {
		if _, ok := files[path]; !ok && r.opt.Tracked(path) {
			return true
		}
	}
	return false
}

// giveWay leaves a gap before git's locks are taken when another git was met
// lately: a writer that never pauses would keep a person's git out for ever.
func (r *Repo) giveWay() {
	const lately, gap = 5 * time.Second, 20 * time.Millisecond
	if time.Since(r.foreignAt) < lately {
		time.Sleep(gap)
	}
}

// catchUp brings our view up to what other processes did since we last held the
// flock, and recovers when one of them, or we, stopped half-way.
func (r *Repo) catchUp(ctx context.Context, deadline time.Time) error {
	stale, err := r.wal.stale()
	if err != nil {
		return err
	}
	if stale || r.broken {
		if err := r.reload(); err != nil {
			return err
		}
	}
	if r.broken || !r.inPlace() || r.rewriteStopped() || isOurs(r.indexPath()+".lock") || isOurs(r.refPath(r.wal.branch())+".lock") {
		return r.recover(ctx, deadline)
	}
	return nil
}

// reload reads the record file again and what it says of the branches.
func (r *Repo) reload() error {
	records, err := r.loadRecords()
	if err != nil {
		return err
	}
	r.learn(records)
	return nil
}

// loadRecords reads the record file. What we know of a history that another process
// has rewritten since is void, the packs that we have open included.
func (r *Repo) loadRecords() ([]record, error) {
	before := r.wal.header.erases
	records, err := r.wal.load()
	if err == nil && r.wal.header.erases != before {
		r.forgetHistory()
	}
	return records, err
}

func (r *Repo) forgetHistory() {
	r.packs.close()
	r.head, r.index, r.indexStat = tip{branch: r.head.branch}, nil, stat{}
	for branch := range r.tips.all() {
		r.tips.set(branch, Hash{})
	}
}

func (r *Repo) learn(records []record) {
	if r.wal.header.branch != "" {
		r.tips.set(r.wal.header.branch, r.wal.header.head)
	}
	for i := range records {
		r.tips.set(records[i].branch, records[i].new)
	}
}

func (r *Repo) takeGitLocks(ctx context.Context, branch string, deadline time.Time) error {
	if err := r.takeGitLock(ctx, r.indexPath(), deadline); err != nil {
		return err
	}
	if err := r.takeGitLock(ctx, r.refPath(branch), deadline); err != nil {
		return errors.Join(err, r.dropLock(r.indexPath()+".lock"))
	}
	return nil
}

func (r *Repo) dropGitLocks(branch string) error {
	return errors.Join(r.dropLock(r.refPath(branch)+".lock"), r.dropLock(r.indexPath()+".lock"))
}

// dropLock gives a lock back, if it is still ours.
func (r *Repo) dropLock(lock string) error {
	if !isOurs(lock) {
		return nil
	}
	return r.disk.remove(lock)
}

// unlock gives everything back. A lock that cannot be removed is told by its
// content and adopted by the next holder of the flock, so it is no failure of the
// change.
func (r *Repo) unlock() {
	if err := r.dropGitLocks(r.head.branch); err != nil {
		r.log.Warn("a lock was left", "err", err)
	}
	if err := r.flock.Unlock(); err != nil {
		r.log.Warn("the lock of quipu was not given back", "err", err)
	}
}

// begin reads the view of a transaction; the locks are held.
func (r *Repo) begin() (*Tx, error) {
	if err := r.checkState(); err != nil {
		return nil, err
	}
	branch := r.head.branch
	cur, err := r.readRef(branch)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.tips.at(branch).IsZero():
		err = r.mayStart(branch)
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errBadRef):
		cur, err = r.mendTip(branch)
	}
	if err != nil {
		return nil, err
	}
	t := &Tx{
		r: r, texts: map[string]staged{}, seen: map[string]workFile{}, found: map[string]openEdit{},
		taken: map[string]bool{}, told: map[string]bool{},
	}
	if cur != r.tips.at(branch) {
		if err := t.adopt(branch, cur); err != nil {
			return nil, err
		}
	}
	if err := r.loadHead(cur); err != nil {
		return nil, err
	}
	if err := r.loadIndex(); err != nil {
		return nil, err
	}
	if t.due, err = r.dueLate(false); err != nil {
		return nil, err
	}
	t.start = r.head
	t.end = r.head
	return t, nil
}

// mayStart allows a first commit only where nothing was ever committed.
func (r *Repo) mayStart(branch string) error {
	return r.mayStartOn(branch, !r.tips.at(branch).IsZero() || r.hasHistory())
}

func (r *Repo) mayStartOn(branch string, history bool) error {
	if !history {
		return nil
	}
	name := strings.TrimPrefix(branch, branchPrefix)
	return statef("branch %s has no commit, but this workspace has a history; run `git switch main`, or `quipu doctor --fix`", name)
}

func (r *Repo) hasHistory() bool {
	for _, h := range r.tips.all() {
		if !h.IsZero() {
			return true
		}
	}
	return r.historyOnDisk()
}

// historyOnDisk says whether any branch, kept commit or reflog is there.
func (r *Repo) historyOnDisk() bool {
	found := false
	for _, dir := range [...]string{"refs/heads", "refs/quipu"} {
		err := filepath.WalkDir(filepath.Join(r.dir, filepath.FromSlash(dir)), func(_ string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(d.Name(), ".lock") {
				found = true
				return fs.SkipAll
			}
			return nil
		})
		found = found || err != nil
	}
	if b, err := os.ReadFile(filepath.Join(r.dir, "packed-refs")); err == nil && strings.Contains(string(b), " refs/heads/") {
		found = true
	}
	return found || len(r.readReflog("HEAD")) > 0
}

func (r *Repo) loadHead(cur Hash) error {
	if r.head.root != nil && r.head.hash == cur {
		return nil
	}
	root := &node{}
	if !cur.IsZero() {
		c, err := r.Commit(cur)
		if err == nil {
			root, err = r.readTree(c.Tree)
		}
		if err != nil {
			return errors.Join(ErrDamaged, err)
		}
	}
	r.head.hash, r.head.root = cur, root
	return nil
}

// loadIndex reads git's index when it changed. A form that only git can write
// leaves r.index nil; an unreadable one is rebuilt from the newest commit.
func (r *Repo) loadIndex() error {
	st, err := lstat(r.indexPath())
	if errors.Is(err, fs.ErrNotExist) {
		return r.rebuildIndex()
	}
	if err != nil {
		return err
	}
	if r.index != nil && r.indexStat.sameContent(st) && r.indexStat.ctime == st.ctime && r.indexStat.cnsec == st.cnsec {
		return nil
	}
	b, err := os.ReadFile(r.indexPath())
	if err != nil {
		return err
	}
	x, err := parseIndex(b)
	switch {
	case errors.Is(err, errIndexForeign):
		r.index, r.indexStat = nil, stat{}
		return nil
	case errors.Is(err, errUnmerged):
		return errConflicts()
	case err != nil:
		r.note("the index was unreadable and was rebuilt from the newest commit")
		return r.rebuildIndex()
	}
	r.index, r.indexStat = x, st
	return nil
}

func errConflicts() error {
	return statef("the index holds conflicts that are not resolved; resolve them and `git add`, or run `git restore --staged .`")
}

// rebuildIndex makes an index of the newest commit in memory; it is written with
// the next change.
func (r *Repo) rebuildIndex() error {
	x := emptyIndex()
	err := r.walk(r.head.root, "", func(f TreeFile) {
		x.set(f.Path, f.Blob, nil)
	})
	r.index, r.indexStat = x, stat{}
	return err
}

// applied holds which record was last put in place, in which boot. It is never
// synced: after another boot it says nothing.
func (r *Repo) setApplied() {
	var b [88]byte
	binary.BigEndian.PutUint64(b[:], r.wal.seq)
	binary.BigEndian.PutUint64(b[8:], r.wal.header.epoch)
	copy(b[16:], r.boot)
	if err := r.disk.pwrite(r.applied, b[:], 0); err != nil {
		r.log.Warn("note of progress not written; the next start will check the last changes", "err", err)
	}
}

func (r *Repo) sameBoot() bool {
	var b [88]byte
	n, _ := r.applied.ReadAt(b[:], 0)
	return n == len(b) && strings.TrimRight(string(b[16:]), "\x00") == r.boot
}

// inPlace says whether every record is known to be in place.
func (r *Repo) inPlace() bool {
	if r.wal.seq == r.wal.header.seq {
		return true
	}
	return r.lastApplied() >= r.wal.seq
}

// lastApplied is the number of the last record that was put in place in this boot.
func (r *Repo) lastApplied() uint64 {
	var b [88]byte
	n, _ := r.applied.ReadAt(b[:], 0)
	if n < len(b) || strings.TrimRight(string(b[16:]), "\x00") != r.boot {
		return 0
	}
	return binary.BigEndian.Uint64(b[:])
}
