package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// branch decides what a branch should hold, and puts it and, when it is checked
// out, the work files and the index in order.
func (m *mending) branch(ctx context.Context, name string, checkedOut bool) error {
	r := m.r
	cur, rerr := r.readRef(name)
	last := r.tips.at(name)
	if last.IsZero() && errors.Is(rerr, fs.ErrNotExist) && !r.hasHistory() {
		return nil
	}
	target, personal, err := m.target(name, cur, last, rerr)
	if errors.Is(err, ErrDamaged) {
		m.damaged = true // reads go on with what is there; a write says what is wrong
		r.note("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	if checkedOut {
		if err := m.checkOut(ctx, name, target, personal); err != nil {
			return err
		}
	}
	if rerr != nil || target != cur {
		if err := r.writeRef(name, target); err != nil {
			return err
		}
		if err := m.mendLog(name, cur, target); err != nil {
			return err
		}
	}
	r.tips.set(name, target)
	return nil
}

// checkOut puts the work files and the index in order, unless they are a person's.
func (m *mending) checkOut(ctx context.Context, name string, target Hash, personal bool) error {
	m.r.head = tip{branch: name}
	if err := m.r.loadHead(target); err != nil || personal {
		return err
	}
	return m.mendFiles(ctx, name)
}

// mendLog adds the reflog lines of the records that were not in place.
func (m *mending) mendLog(name string, cur, target Hash) error {
	known := map[Hash]bool{}
	for _, l := range m.r.readReflog(name) {
		known[l.new] = true
	}
	for i := range m.records {
		c := &m.records[i]
		if c.branch == name && c.kind == recordChange && !known[c.new] {
			known[c.new] = true
			if err := m.r.appendReflog(name, c.old, c.new, c.subject, m.r.signature()); err != nil {
				return err
			}
		}
	}
	if known[target] {
		return nil
	}
	return m.r.appendReflog(name, cur, target, "recovered", m.r.signature())
}

// target is what the branch should hold; personal: a person put it there, and the
// work files and index are theirs.
func (m *mending) target(name string, cur, last Hash, rerr error) (target Hash, personal bool, err error) {
	r := m.r
	switch {
	case rerr == nil && m.sameBoot && !r.intact(cur):
		return cur, true, fmt.Errorf("branch %s: its newest commit %s cannot be read: %w", strings.TrimPrefix(name, branchPrefix), cur, ErrDamaged)
	case rerr != nil || !m.sound(cur):
		target, err = m.restored(name, last)
		if err == nil && (rerr != nil || target != cur) {
			r.note("branch %s was unreadable and was restored", strings.TrimPrefix(name, branchPrefix))
		}
		return target, false, err
	case last.IsZero() || cur == last || r.contains(cur, last, ancestry):
		return cur, false, nil
	case r.contains(last, cur, ancestry):
		if m.movedBack(name, cur, last) {
			return cur, true, r.keepLost(last, r.opt.Now())
		}
		return last, false, nil
	case m.wasReached(name, last):
		return cur, true, r.keepLost(last, r.opt.Now())
	}
	target, err = m.merge(name, cur, last)
	return target, false, err
}

// restored finds the newest sound value of a branch: the newest line of the reflog
// that holds what the record knows, else that itself, else what the reflog has.
func (m *mending) restored(name string, last Hash) (Hash, error) {
	const newest, near = 200, 10_000
	lines := m.r.readReflog(name)
	lines = lines[max(len(lines)-newest, 0):]
	if !last.IsZero() {
		for _, l := range slices.Backward(lines) {
			if m.r.contains(l.new, last, near) && m.sound(l.new) {
				return l.new, nil
			}
		}
		if m.sound(last) {
			return last, nil
		}
	}
	for _, l := range slices.Backward(lines) {
		if m.sound(l.new) {
			return l.new, nil
		}
	}
	return Hash{}, fmt.Errorf("branch %s: no intact commit is known; run `quipu doctor`: %w", strings.TrimPrefix(name, branchPrefix), ErrDamaged)
}

// sound says whether a commit and its files can be read and, after a power cut,
// whether the commits that led to it survived, too.
func (m *mending) sound(h Hash) bool {
	return m.r.intactBy(h, m.has) && (m.sameBoot || m.soundSince(h))
}

// soundSince looks at the commits that git wrote since the checkpoint: it does not
// sync loose objects, so any of them may be gone.
func (m *mending) soundSince(h Hash) bool {
	const most = 10_000
	queue, seen := []Hash{h}, map[Hash]bool{}
	for len(queue) > 0 && len(seen) < most {
		h := queue[0]
		queue = queue[1:]
		if seen[h] {
			continue
		}
		seen[h] = true
		fi, err := os.Lstat(m.r.loosePath(h))
		if err != nil && !m.r.has(h) {
			return false
		}
		if err != nil || !m.fresh(fi) {
			continue
		}
		parents, err := m.r.adoptCommit(h, func(_ Kind, o Hash) error {
			if !m.r.has(o) {
				return errBroken
			}
			return nil
		})
		if err != nil {
			return false
		}
		queue = append(queue, parents...)
	}
	return true
}

// fresh says whether a file was written since the last checkpoint.
func (m *mending) fresh(fi fs.FileInfo) bool {
	const slack = 2 * time.Second
	since := m.r.wal.header.at.Add(-slack)
	return !fi.ModTime().Before(since) || !time.Unix(statOf(fi).ctime, 0).Before(since)
}

// movedBack says whether a person moved the branch back after our change was in place.
func (m *mending) movedBack(name string, cur, last Hash) bool {
	lines := m.r.readReflog(name)
	if len(lines) == 0 || lines[len(lines)-1].new != cur || !m.sameBoot {
		return false
	}
	return slices.ContainsFunc(lines[:len(lines)-1], func(l reflogLine) bool { return l.new == last })
}

// wasReached says whether the branch once held last in this boot: then what it
// holds beside it was put there on purpose (amend, rebase).
func (m *mending) wasReached(name string, last Hash) bool {
	return m.sameBoot && slices.ContainsFunc(m.r.readReflog(name), func(l reflogLine) bool { return l.new == last })
}

// intact says whether a commit and every file of its tree can be read.
func (r *Repo) intact(h Hash) bool { return r.intactBy(h, r.has) }

func (r *Repo) intactBy(h Hash, has func(Hash) bool) bool {
	c, err := r.Commit(h)
	if err != nil {
		return false
	}
	root, err := r.readTree(c.Tree)
	if err != nil {
		return false
	}
	ok := true
	err = r.walk(root, "", func(f TreeFile) { ok = ok && (f.Mode == modeLink || has(f.Blob)) })
	return ok && err == nil
}
