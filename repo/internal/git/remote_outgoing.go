package git

import (
	"cmp"
	"context"
	"errors"
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

// lacking lists the commits that the remote lacks, parents first.
func (o *outgoing) lacking(ctx context.Context, tips []Hash, adv *packp.AdvRefs) ([]*Commit, error) {
	seen := map[Hash]*walked{}
	var queue []*walked // the newest last
	reach := func(h Hash, theirs bool) error {
		if w, ok := seen[h]; ok {
			if theirs && !w.theirs {
				w.theirs = true
				queue = append(queue, w) // its parents are theirs, too
			}
			return nil
		}
		kind, raw, err := o.src.object(h)
		if err != nil || kind != KindCommit {
			if theirs {
				return nil // a commit that we have not, or a tag: something will be sent twice
			}
			return o.other(h, kind, err)
		}
		c, err := parseCommit(h, raw)
		if err != nil {
			return err
		}
		w := &walked{c, theirs}
		seen[h] = w
		at, _ := slices.BinarySearchFunc(queue, w, func(a, b *walked) int { return cmp.Compare(a.Committer.When.Unix(), b.Committer.When.Unix()) })
		queue = slices.Insert(queue, at, w)
		return nil
	}
	for _, h := range adv.References {
		if err := reach(h, true); err != nil {
			return nil, err
		}
	}
	for _, h := range tips {
		if err := reach(h, false); err != nil {
			return nil, err
		}
	}
	var order []*walked
	for slices.ContainsFunc(queue, func(w *walked) bool { return !w.theirs }) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !w.theirs {
			order = append(order, w)
		}
		for _, p := range w.Parents {
			if err := reach(p, w.theirs); err != nil {
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

// other says what a tip is that is no commit: only commits are pushed.
func (o *outgoing) other(h Hash, kind Kind, err error) error {
	if err == nil {
		err = errors.New("object " + h.String() + " is a " + kind.String() + ", and only commits are pushed without git")
	}
	return err
}

func (o *outgoing) write(ctx context.Context, commits []*Commit) error {
	for _, c := range commits {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := o.src.read(KindCommit, c.Hash)
		if err != nil {
			return err
		}
		before := Hash{}
		if len(c.Parents) > 0 {
			p, err := o.src.read(KindCommit, c.Parents[0])
			if err != nil {
				return err
			}
			parent, err := parseCommit(c.Parents[0], p)
			if err != nil {
				return err
			}
			before = parent.Tree
		}
		if err := o.tree(before, c.Tree, ""); err != nil {
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
	raw, err := o.src.read(KindTree, after)
	if err != nil {
		return err
	}
	now, err := parseTree(after, raw)
	if err != nil {
		return err
	}
	old := &node{}
	if !before.IsZero() {
		raw, err := o.src.read(KindTree, before)
		if err != nil {
			return err
		}
		if old, err = parseTree(before, raw); err != nil {
			return err
		}
	}
	for i, e := range now.entries {
		was := Hash{}
		if j, ok := old.search(e.name, e.mode); ok {
			was = old.child(j)
		}
		h := now.child(i)
		switch {
		case h == was || e.mode == modeLink:
			continue
		case e.mode == modeDir:
			err = o.tree(was, h, path+e.name+"/")
		case !o.w.has(h):
			var text []byte
			if text, err = o.src.read(KindBlob, h); err == nil {
				err = o.w.add(KindBlob, h, text, o.chain(path+e.name))
			}
		}
		if err != nil {
			return err
		}
	}
	return o.w.add(KindTree, after, raw, o.chain(path))
}

func (o *outgoing) chain(path string) *chain {
	c := o.chains[path]
	if c == nil {
		c = &chain{}
		o.chains[path] = c
	}
	return c
}
