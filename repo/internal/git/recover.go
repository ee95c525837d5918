package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// recover finishes what an earlier process left between the record and its place.
// The caller holds the flock. It trusts hashes, not presence: after a power cut a
// file that exists proves nothing.
func (r *Repo) recover(ctx context.Context, deadline time.Time) error {
	records, err := r.settledRecords(ctx, deadline)
	if err != nil {
		return err
	}
	r.learn(records)
	if len(records) == 0 && r.sameBoot() && !r.leftLock() {
		r.broken = false
		return r.checkTip(ctx, deadline)
	}
	if r.token == "" {
		if err := r.writeToken(); err != nil {
			return err
		}
	}
	m := &mending{r: r, read: map[Hash]bool{}, records: records, sameBoot: r.sameBoot()}
	if m.sameBoot {
		m.inPlace = r.lastApplied()
	}
	if m.sameBoot && r.inPlace() && !r.broken && !r.leftLock() {
		return r.checkTip(ctx, deadline)
	}
	locks, err := m.takeLocks(ctx, deadline)
	if err != nil {
		return err
	}
	err = m.run(ctx)
	for _, lock := range locks {
		err = errors.Join(err, r.dropLock(lock))
	}
	r.broken = err != nil || m.damaged
	return err
}

// leftLock says whether a killed process of ours left a lock.
func (r *Repo) leftLock() bool {
	for branch := range r.tips.all() {
		if isOurs(r.refPath(branch) + ".lock") {
			return true
		}
	}
	return isOurs(r.indexPath()+".lock") || isOurs(r.refPath(r.wal.branch())+".lock")
}

// checkTip restores a branch whose file was emptied or lost although nothing was
// under way. One that names a broken commit is left alone: a write tells of it.
func (r *Repo) checkTip(ctx context.Context, deadline time.Time) error {
	branch, err := r.branch()
	if err != nil {
		return nil //nolint:nilerr // reads go on; a write says what is wrong with HEAD
	}
	_, err = r.readRef(branch)
	if err == nil || errors.Is(err, fs.ErrNotExist) && r.tips.at(branch).IsZero() {
		return nil
	}
	if err := r.takeGitLock(ctx, r.refPath(branch), deadline); err != nil {
		return err
	}
	_, err = r.mendTip(branch)
	return errors.Join(err, r.dropLock(r.refPath(branch)+".lock"))
}

// mendTip gives a branch whose file cannot be read its newest known commit again.
// The branch's lock is held.
func (r *Repo) mendTip(branch string) (Hash, error) {
	m := &mending{r: r, read: map[Hash]bool{}, sameBoot: true}
	target, err := m.restored(branch, r.tips.at(branch))
	if err != nil {
		return Hash{}, err
	}
	r.note("branch %s was unreadable and was restored to its last commit %s", strings.TrimPrefix(branch, branchPrefix), target.String()[:10])
	return target, r.writeRef(branch, target)
}

// mending is one recovery.
type mending struct {
	r        *Repo
	records  []record
	sameBoot bool
	inPlace  uint64 // records up to this one were put in place in this boot
	damaged  bool   // something could not be mended: the records are kept
	read     map[Hash]bool
}

// has is Repo.has for objects that are asked for again and again.
func (m *mending) has(h Hash) bool {
	ok, known := m.read[h]
	if !known {
		ok = m.r.has(h)
		m.read[h] = ok
	}
	return ok
}

// takeLocks takes git's locks of the index and of every branch in question; one
// that a killed process of ours left is adopted.
func (m *mending) takeLocks(ctx context.Context, deadline time.Time) ([]string, error) {
	paths := []string{m.r.indexPath()}
	for _, b := range m.branches() {
		paths = append(paths, m.r.refPath(b))
	}
	var held []string
	for _, p := range paths {
		if !isOurs(p + ".lock") {
			if err := m.r.takeGitLock(ctx, p, deadline); err != nil {
				for _, lock := range held {
					err = errors.Join(err, m.r.dropLock(lock))
				}
				return nil, err
			}
		}
		held = append(held, p+".lock")
	}
	return held, nil
}

func (m *mending) branches() []string {
	set := map[string]bool{}
	if m.r.wal.header.branch != "" {
		set[m.r.wal.header.branch] = true
	}
	for i := range m.records {
		set[m.records[i].branch] = true
	}
	if b, err := m.r.branch(); err == nil {
		set[b] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func (m *mending) run(ctx context.Context) error {
	r := m.r
	if err := m.restoreObjects(); err != nil {
		return err
	}
	if !m.sameBoot {
		if err := errors.Join(m.sweepLoose(), m.sweepLost(), m.sweepLate()); err != nil {
			return err
		}
	}
	r.packs.close()
	m.read = map[Hash]bool{}
	r.head, r.index = tip{}, nil
	checkedOut, err := r.branch()
	if err != nil {
		r.log.Warn("recovery goes on without a work tree", "err", err)
	}
	for _, b := range m.branches() {
		if err := m.branch(ctx, b, b == checkedOut); err != nil {
			return err
		}
	}
	return m.tidy()
}

// tidy ends a recovery: reflogs, temporary files, old tokens.
func (m *mending) tidy() error {
	r := m.r
	errs := []error{r.work.sweep()}
	if !m.sameBoot {
		for _, b := range m.branches() {
			errs = append(errs, r.mendReflog(b))
		}
		errs = append(errs, r.mendReflog("HEAD"))
	}
	old, err := filepath.Glob(filepath.Join(r.own, "token-*"))
	errs = append(errs, err)
	for _, t := range old {
		if t != r.token && !alive(t) {
			errs = append(errs, r.disk.remove(t))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if m.damaged {
		return nil
	}
	if !m.sameBoot {
		branch := r.wal.branch()
		if b, err := r.branch(); err == nil {
			branch = b
		}
		return r.checkpoint(branch, r.tips.at(branch))
	}
	r.setApplied()
	return nil
}

// alive says whether the process that wrote a token may still run.
func alive(token string) bool {
	b, err := os.ReadFile(token)
	var pid int
	if err != nil {
		return false
	}
	if _, err := fmt.Sscanf(strings.TrimPrefix(string(b), tokenMark), "%d", &pid); err != nil {
		return false
	}
	err = syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
