package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Landing says how a fetched history becomes part of the branch.
type Landing struct {
	// With is a fetched commit. Its objects, and those that it reaches, are on the disk.
	With Hash
	// Merge is the commit that joins Head and With; nil moves the branch to With itself,
	// or, where Files or Other say how that is to be altered, to a commit on top of it,
	// signed as Top.
	Merge, Top *Signature
	Message    string
	// Files are the tracked files in which the result differs from With.
	Files []File
	// Other are the paths that are not tracked in which it does; a zero Blob takes one
	// out. No work file of such a path is looked at or altered.
	Other []TreeFile
}

// Land puts a fetched history in place: the work files of tracked paths become what the
// result has, and every other path of its tree stays in the tree and out of the work
// files. A file that was edited outside must be taken in first. ErrDamaged, ErrState,
// ErrOddFile.
func (t *Tx) Land(l Landing) (Hash, error) {
	with, err := t.r.Commit(l.With)
	if err != nil {
		return Hash{}, errors.Join(ErrDamaged, err)
	}
	base, err := t.r.readTree(with.Tree)
	if err != nil {
		return Hash{}, errors.Join(ErrDamaged, err)
	}
	rec := &record{kind: recordChange, branch: t.start.branch, old: t.end.hash, new: l.With, subject: firstLine(l.Message)}
	root, err := t.landTree(rec, base, l)
	if err != nil {
		return Hash{}, err
	}
	if l.Merge != nil || l.Top != nil {
		o := newObject(KindCommit, encodeCommit(t.landCommit(l, root.hash)))
		rec.objects = append(rec.objects, o)
		rec.new = o.hash
	}
	if err := t.landFiles(rec, root, l.Files); err != nil {
		return Hash{}, err
	}
	t.end = tip{branch: t.start.branch, hash: rec.new, root: root}
	t.records = append(t.records, rec)
	return rec.new, nil
}

// landTree makes the tree of the result.
func (t *Tx) landTree(rec *record, base *node, l Landing) (*node, error) {
	root := base
	var err error
	for _, f := range l.Files {
		blob := Hash{}
		if !f.Delete {
			o := newObject(KindBlob, f.Text)
			rec.objects = append(rec.objects, o)
			blob = o.hash
		}
		if root, err = t.r.put(root, f.Path, blob, &rec.objects); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	for _, f := range l.Other {
		if root, err = t.r.putMode(root, f.Path, f.Mode, f.Blob, &rec.objects); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	if root.hash.IsZero() {
		rec.objects = append(rec.objects, newObject(KindTree, nil))
	}
	if len(l.Files)+len(l.Other) > 1 {
		rec.objects, err = t.r.dropPassing(rec.objects, base, root)
	}
	return root, err
}

func (t *Tx) landCommit(l Landing, tree Hash) *Commit {
	c := &Commit{Tree: tree, Committer: t.r.opt.Committer, Message: l.Message}
	if c.Tree.IsZero() {
		c.Tree = emptyTree
	}
	if l.Merge != nil {
		c.Author = *l.Merge
		if !t.end.hash.IsZero() {
			c.Parents = append(c.Parents, t.end.hash)
		}
	} else {
		c.Author = *l.Top
	}
	c.Parents = append(c.Parents, l.With)
	c.Committer.When = c.Author.When
	return c
}

// landFiles stages what differs between Head and the result.
func (t *Tx) landFiles(rec *record, root *node, files []File) error {
	texts := map[string][]byte{}
	for _, f := range files {
		texts[f.Path] = f.Text
	}
	var deltas []Delta
	if err := t.r.compare(t.end.root, root, "", &deltas); err != nil {
		return errors.Join(ErrDamaged, err)
	}
	sortDeltas(deltas)
	for _, d := range deltas {
		rec.files = append(rec.files, fileChange{d.Path, d.Before, d.After})
		if !t.r.opt.Tracked(d.Path) {
			t.beside = append(t.beside, d)
			continue
		}
		if err := t.landFile(d, root, texts); err != nil {
			return fmt.Errorf("%s: %w", d.Path, err)
		}
	}
	return nil
}

func (t *Tx) landFile(d Delta, root *node, texts map[string][]byte) error {
	if mode, err := t.r.modeAt(root, d.Path); err != nil || mode != 0 && mode&^0o111 != modeFile {
		return errors.Join(statef("it is no plain file in what was fetched"), err)
	}
	if !t.told[d.Path] {
		if _, edited, err := t.look(d.Path); err != nil {
			return err
		} else if edited {
			return statef("the file was edited outside and could not be taken in")
		}
	}
	text, known := texts[d.Path]
	if !known && !d.After.IsZero() {
		var err error
		if text, err = t.r.Blob(d.After); err != nil {
			return errors.Join(ErrDamaged, err)
		}
	}
	t.texts[d.Path] = staged{text: text, blob: d.After}
	t.taken[d.Path] = true
	return nil
}

// publishBeside stages the paths that are not tracked as the new tree has them, marked
// so that git does not look for their files.
func (p *placing) publishBeside() error {
	for _, d := range p.t.beside {
		if d.After.IsZero() {
			p.r.index.remove(d.Path)
			continue
		}
		mode, err := p.r.modeAt(p.t.end.root, d.Path)
		if err != nil {
			return err
		}
		p.r.index.setAside(d.Path, d.After, mode)
	}
	return nil
}

// otherFiles adds paths that are not tracked.
func (t *Tx) otherFiles(rec *record, root *node, files []TreeFile) (*node, error) {
	for _, f := range files {
		old, err := t.r.find(root, f.Path)
		if err != nil {
			return nil, err
		}
		if root, err = t.r.putMode(root, f.Path, f.Mode, f.Blob, &rec.objects); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		rec.files = append(rec.files, fileChange{f.Path, old, f.Blob})
		t.beside = append(t.beside, Delta{f.Path, old, f.Blob})
	}
	return root, nil
}

// AllFiles lists every file at Head, tracked or not.
func (t *Tx) AllFiles() ([]TreeFile, error) {
	var out []TreeFile
	err := t.r.walk(t.end.root, "", func(f TreeFile) { out = append(out, f) })
	return out, err
}

// Pending are the commits that are not in the object store yet, the newest first: those
// of this transaction, and of others that are written with it.
func (t *Tx) Pending() []Hash {
	var out []Hash
	for _, rec := range t.records {
		out = append(out, rec.new)
	}
	slices.Reverse(out)
	return out
}

// Relate compares Head with a commit that is here. ErrDamaged.
func (t *Tx) Relate(ctx context.Context, theirs Hash) (Relation, error) {
	rel, err := t.r.Relate(ctx, t.start.hash, theirs)
	rel.Ours = slices.Concat(t.Pending(), rel.Ours)
	return rel, err
}
