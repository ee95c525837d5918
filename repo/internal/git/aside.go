package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"
)

// KeepAside adds files, by their names, to those that a ref beside the branches keeps,
// as a commit on top of what it names. A file that it has already with the same text is
// passed over; when all are, nothing is written. The ref is durable when this returns.
// ErrBusy, ErrState.
func (r *Repo) KeepAside(ctx context.Context, ref string, files map[string][]byte, message string) error {
	return r.aside(ctx, ref, files, Hash{}, message)
}

// JoinAside adds to a ref beside the branches what another commit of its kind keeps.
func (r *Repo) JoinAside(ctx context.Context, ref string, other Hash, message string) error {
	c, err := r.Commit(other)
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	files, err := r.asideFiles(c.Tree)
	if err != nil {
		return err
	}
	return r.aside(ctx, ref, files, other, message)
}

func (r *Repo) aside(ctx context.Context, ref string, files map[string][]byte, other Hash, message string) error {
	return r.beside(ctx, func(deadline time.Time) error {
		if err := r.takeGitLock(ctx, r.refPath(ref), deadline); err != nil {
			return err
		}
		return errors.Join(r.keepAside(ref, files, other, message), r.dropLock(r.refPath(ref)+".lock"))
	})
}

// beside runs what changes no branch, work file or index, while no writer runs.
func (r *Repo) beside(ctx context.Context, fn func(deadline time.Time) error) error {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-r.turn }()
	deadline := time.Now().Add(r.opt.Wait)
	if err := r.takeFlock(ctx, deadline); err != nil {
		return err
	}
	defer r.flock.Unlock() //nolint:errcheck // closing it lets go, too
	if r.token == "" {
		if err := r.writeToken(); err != nil {
			return err
		}
	}
	if err := r.catchUp(ctx, deadline); err != nil {
		return err
	}
	return fn(deadline)
}

func (r *Repo) keepAside(ref string, files map[string][]byte, other Hash, message string) error {
	old, root, err := r.asideTip(ref)
	if err != nil {
		return err
	}
	if !other.IsZero() && (old.IsZero() || r.contains(other, old, ancestry)) { // it has all of ours
		return r.setAside(ref, other, nil)
	}
	var made []object
	before := root.hash
	for _, name := range slices.Sorted(maps.Keys(files)) {
		o := newObject(KindBlob, files[name])
		made = append(made, o)
		if root, err = r.put(root, name, o.hash, &made); err != nil {
			return err
		}
	}
	if root.hash == before && other.IsZero() {
		return nil
	}
	who := r.signature()
	c := &Commit{Tree: root.hash, Author: who, Committer: who, Message: message}
	for _, p := range []Hash{old, other} {
		if !p.IsZero() {
			c.Parents = append(c.Parents, p)
		}
	}
	o := newObject(KindCommit, encodeCommit(c))
	return r.setAside(ref, o.hash, append(made, o))
}

// setAside sets the ref once all that it names is on the disk.
func (r *Repo) setAside(ref string, h Hash, made []object) error {
	for _, o := range made {
		if err := r.writeLoose(&o, true); err != nil {
			return err
		}
	}
	if err := r.syncEverything(); err != nil {
		return err
	}
	if err := r.writeRef(ref, h); err != nil {
		return err
	}
	return r.syncEverything()
}

// asideTip reads the commit that a ref names, and its tree; an empty one where there
// is no such ref.
func (r *Repo) asideTip(ref string) (Hash, *node, error) {
	h, err := r.readRef(ref)
	if errors.Is(err, fs.ErrNotExist) {
		return Hash{}, &node{}, nil
	}
	if err != nil {
		return Hash{}, nil, err
	}
	c, err := r.Commit(h)
	if err != nil {
		return Hash{}, nil, fmt.Errorf("%s: %w", ref, errors.Join(ErrDamaged, err))
	}
	root, err := r.readTree(c.Tree)
	return h, root, err
}

// Aside reads the files that a ref beside the branches keeps; none where it does not
// exist. It takes no lock.
func (r *Repo) Aside(ref string) (map[string][]byte, error) {
	h, _, err := r.asideTip(ref)
	if err != nil || h.IsZero() {
		return nil, err
	}
	c, err := r.Commit(h)
	if err != nil {
		return nil, err
	}
	return r.asideFiles(c.Tree)
}

func (r *Repo) asideFiles(tree Hash) (map[string][]byte, error) {
	root, err := r.readTree(tree)
	if err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	out := map[string][]byte{}
	var failed error
	err = r.walk(root, "", func(f TreeFile) {
		text, err := r.Blob(f.Blob)
		out[f.Path], failed = text, errors.Join(failed, err)
	})
	return out, errors.Join(err, failed)
}

// RefAt gives what a ref names; the zero Hash when there is none.
func (r *Repo) RefAt(ref string) (Hash, error) {
	h, err := r.readRef(ref)
	if errors.Is(err, fs.ErrNotExist) {
		return Hash{}, nil
	}
	return h, err
}

// Has says whether an object is here.
func (r *Repo) Has(h Hash) bool { return !h.IsZero() && r.has(h) }

// KeepLost names a commit under refs/quipu/lost, so that it stays when the branch lets
// it go.
func (t *Tx) KeepLost(h Hash) error { return t.r.keepLost(h, t.r.opt.Now()) }

// Plain says that it is an ordinary file, and no symbolic link or another repository's
// commit.
func (f TreeFile) Plain() bool { return f.Mode&0o170000 == modeFile&0o170000 }

// Usual says that it has the mode that quipu's own files have.
func (f TreeFile) Usual() bool { return f.Mode == modeFile }
