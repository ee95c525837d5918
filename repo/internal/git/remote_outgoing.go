package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
)

// outgoing makes the pack of what leads from the remote's refs to the tips. Only commits
// that the remote lacks are looked at, and of their trees only what differs from their
// first parent's: one commit is as quick in a long history as in a short one.
func (q *quarantine) outgoing(ctx context.Context, tips []Hash, adv *packp.AdvRefs) (io.ReadCloser, int64, error) {
	src, err := q.r.openSource()
	if err != nil {
		return nil, 0, err
	}
	defer src.close()
	o := &outgoing{src: src, chains: map[string]*chain{}}
	commits, err := o.lacking(ctx, tips, adv)
	if err != nil {
		return nil, 0, err
	}
	path := filepath.Join(q.dir, "out")
	if o.w, err = newPackWriter(q.r.disk, path); err != nil {
		return nil, 0, err
	}
	err = o.write(ctx, commits)
	if err == nil {
		_, err = o.w.seal()
	}
	if err = errors.Join(err, o.w.close()); err != nil {
		return nil, 0, err
	}
	f, err := os.Open(path + ".pack")
	return f, o.w.off + 20, err
}

type outgoing struct {
	src    *source
	w      *packWriter
	chains map[string]*chain // the newest version of each path, which the next is a delta of
}

// walked is a commit that is reached from a tip, or, if the remote has it, from its refs.
type walked struct {
	*Commit
	theirs bool
}

// walk goes back from both sides, the newest commits first.
type walk struct {
	src   *source
	seen  map[Hash]*walked
	queue []*walked // by date, the newest last
}

// lacking lists the commits that the remote lacks, parents first. It may list more where
// clocks were wrong, never less.
func (o *outgoing) lacking(ctx context.Context, tips []Hash, adv *packp.AdvRefs) ([]*Commit, error) {
	k := &walk{src: o.src, seen: map[Hash]*walked{}}
	for _, h := range adv.References {
		if err := k.reach(h, true); err != nil {
			return nil, err
		}
	}
	for _, h := range tips {
		if err := k.reach(h, false); err != nil {
			return nil, err
		}
	}
	var order []*walked
	for slices.ContainsFunc(k.queue, func(w *walked) bool { return !w.theirs }) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		if !w.theirs {
			order = append(order, w)
		}
		for _, p := range w.Parents {
			if err := k.reach(p, w.theirs); err != nil {
				return nil, err
			}
		}
	}
	var out []*Commit
	for _, w := range slices.Backward(order) {
		if !w.theirs {
			out = append(out, w.Commit)
		}
	}
	return out, nil
}

func (k *walk) reach(h Hash, theirs bool) error {
	if w, ok := k.seen[h]; ok {
		if theirs && !w.theirs {
			w.theirs = true
			k.queue = append(k.queue, w) // its parents are theirs, too
		}
		return nil
	}
	kind, raw, err := k.src.object(h)
	if theirs && (err != nil || kind != KindCommit) {
		return nil //nolint:nilerr // what we have not, and tags, tell nothing: something may be sent twice
	}
	if err != nil {
		return err
	}
	if kind != KindCommit {
		return fmt.Errorf("object %s is a %s, and only commits are pushed without git", h, kind)
	}
	c, err := parseCommit(h, raw)
	if err != nil {
		return err
	}
	w := &walked{c, theirs}
	k.seen[h] = w
	at, _ := slices.BinarySearchFunc(k.queue, w, func(a, b *walked) int { return a.Committer.When.Compare(b.Committer.When) })
	k.queue = slices.Insert(k.queue, at, w)
	return nil
}

func (o *outgoing) write(ctx context.Context, commits []*Commit) error {
	for _, c := range commits {
		if err := ctx.Err(); err != nil {
			return err
		}
		before := Hash{}
		if len(c.Parents) > 0 {
			raw, err := o.src.read(KindCommit, c.Parents[0])
			if err != nil {
				return err
			}
			parent, err := parseCommit(c.Parents[0], raw)
			if err != nil {
				return err
			}
			before = parent.Tree
		}
		if err := o.tree(before, c.Tree, ""); err != nil {
			return err
		}
		raw, err := o.src.read(KindCommit, c.Hash)
		if err != nil {
			return err
		}
		if err := o.w.add(KindCommit, c.Hash, raw, nil); err != nil {
			return err
		}
	}
	return nil
}

// tree writes what a tree has and the one before it has not.
func (o *outgoing) tree(before, after Hash, path string) error {
	if before == after || o.w.has(after) {
		return nil
	}
	now, err := o.read(after)
	if err != nil {
		return err
	}
	old, err := o.read(before)
	if err != nil {
		return err
	}
	for i, e := range now.entries {
		was, h := Hash{}, now.child(i)
		if j, ok := old.search(e.name, e.mode); ok {
			was = old.child(j)
		}
		switch {
		case h == was || e.mode == modeLink:
			continue
		case e.mode == modeDir:
			err = o.tree(was, h, path+e.name+"/")
		default:
			err = o.blob(h, path+e.name)
		}
		if err != nil {
			return err
		}
	}
	return o.w.add(KindTree, after, now.raw, o.chain(path))
}

func (o *outgoing) blob(h Hash, path string) error {
	if o.w.has(h) {
		return nil
	}
	text, err := o.src.read(KindBlob, h)
	if err != nil {
		return err
	}
	return o.w.add(KindBlob, h, text, o.chain(path))
}

func (o *outgoing) read(tree Hash) (*node, error) {
	if tree.IsZero() {
		return &node{}, nil
	}
	raw, err := o.src.read(KindTree, tree)
	if err != nil {
		return nil, err
	}
	return parseTree(tree, raw)
}

func (o *outgoing) chain(path string) *chain {
	c := o.chains[path]
	if c == nil {
		c = &chain{}
		o.chains[path] = c
	}
	return c
}
