package git

import (
	"errors"
	"io/fs"
	"time"
)

const (
	adoptCommits = 200     // more of a person's commits than this: a checkpoint instead
	adoptBytes   = 1 << 19 // likewise
	ancestry     = 200_000 // how far back a descent is looked for
)

// adopt makes a branch value that is not ours durable before we build on it: git
// does not sync loose objects, and our record would name a parent that a power cut
// takes away. A branch that no longer holds what we knew is left where the person
// put it, and ours is kept.
func (t *Tx) adopt(branch string, cur Hash) error {
	r := t.r
	last := r.tips.at(branch)
	r.foreignAt = time.Now()
	if !last.IsZero() && !r.contains(cur, last, ancestry) {
		if err := r.keepLost(last, r.opt.Now()); err != nil {
			return err
		}
		last = Hash{}
	}
	objects, ok, err := r.loosely(cur, last)
	if err != nil {
		return err
	}
	if !ok {
		return r.checkpoint(branch, cur)
	}
	files, err := r.changesBetween(last, cur)
	if err != nil {
		return err
	}
	t.records = append(t.records, &record{
		kind: recordAdopt, branch: branch, old: last, new: cur, subject: "commits made outside", objects: objects, files: files,
	})
	return nil
}

// changesBetween lists the tracked files that differ between two commits: the
// person's editor does not sync them either.
func (r *Repo) changesBetween(last, cur Hash) ([]fileChange, error) {
	a, err := r.Commit(last)
	if err != nil {
		return nil, err
	}
	b, err := r.Commit(cur)
	if err != nil {
		return nil, err
	}
	deltas, err := r.Changes(a.Tree, b.Tree)
	if err != nil {
		return nil, err
	}
	var files []fileChange
	for _, d := range deltas {
		if r.opt.Tracked(d.Path) {
			files = append(files, fileChange{d.Path, d.Before, d.After})
		}
	}
	return files, nil
}

// loosely collects the loose objects of the commits from last to cur; ok is false
// when they are too many for a record. Packed objects were synced by git.
func (r *Repo) loosely(cur, last Hash) (objects []object, ok bool, err error) {
	if last.IsZero() {
		return nil, false, nil
	}
	size, seen := 0, map[Hash]bool{last: true}
	add := func(k Kind, h Hash) error {
		if seen[h] {
			return nil
		}
		seen[h] = true
		kind, raw, err := r.readLoose(h)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && kind == k {
			objects = append(objects, object{kind: kind, hash: h, raw: raw})
			size += len(raw)
		}
		return err
	}
	queue := []Hash{cur}
	for n := 0; len(queue) > 0; n++ {
		h := queue[0]
		queue = queue[1:]
		if seen[h] {
			continue
		}
		if n > adoptCommits || size > adoptBytes {
			return nil, false, nil
		}
		parents, err := r.adoptCommit(h, add)
		if err != nil {
			return nil, false, err
		}
		queue = append(queue, parents...)
	}
	return objects, size <= adoptBytes, nil
}

func (r *Repo) adoptCommit(h Hash, add func(Kind, Hash) error) ([]Hash, error) {
	c, err := r.Commit(h)
	if err != nil {
		return nil, err
	}
	before := &node{}
	if len(c.Parents) > 0 {
		p, err := r.Commit(c.Parents[0])
		if err != nil {
			return nil, err
		}
		if before, err = r.readTree(p.Tree); err != nil {
			return nil, err
		}
	}
	after, err := r.readTree(c.Tree)
	if err != nil {
		return nil, err
	}
	if err := r.adoptTree(before, after, add); err != nil {
		return nil, err
	}
	return c.Parents, add(KindCommit, h)
}

// adoptTree adds what after has and before has not, blobs before their trees.
func (r *Repo) adoptTree(before, after *node, add func(Kind, Hash) error) error {
	for i, e := range after.entries {
		j, ok := before.search(e.name, e.mode)
		if ok && before.child(j) == after.child(i) {
			continue
		}
		if e.mode != modeDir {
			if e.mode == modeLink { // a submodule's commit lies elsewhere
				continue
			}
			if err := add(KindBlob, after.child(i)); err != nil {
				return err
			}
			continue
		}
		sub, err := r.subtree(after, i)
		if err != nil {
			return err
		}
		old := &node{}
		if ok {
			if old, err = r.subtree(before, j); err != nil {
				return err
			}
		}
		if err := r.adoptTree(old, sub, add); err != nil {
			return err
		}
	}
	return add(KindTree, after.hash)
}
