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
	if err := r.takeGitLock(ctx, r.refPath(ref), deadline); err != nil {
		return err
	}
	return errors.Join(r.keepAside(ref, files, message), r.dropLock(r.refPath(ref)+".lock"))
}

func (r *Repo) keepAside(ref string, files map[string][]byte, message string) error {
	old, root, err := r.asideTip(ref)
	if err != nil {
		return err
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
	if root.hash == before {
		return nil
	}
	who := r.signature()
	c := &Commit{Tree: root.hash, Author: who, Committer: who, Message: message}
	if !old.IsZero() {
		c.Parents = []Hash{old}
	}
	o := newObject(KindCommit, encodeCommit(c))
	for _, o := range append(made, o) {
		if err := r.writeLoose(&o, true); err != nil {
			return err
		}
	}
	if err := r.syncEverything(); err != nil { // before the ref names them
		return err
	}
	if err := r.writeRef(ref, o.hash); err != nil {
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
	h, root, err := r.asideTip(ref)
	if err != nil || h.IsZero() {
		return nil, err
	}
	out := map[string][]byte{}
	var failed error
	err = r.walk(root, "", func(f TreeFile) {
		text, err := r.Blob(f.Blob)
		out[f.Path], failed = text, errors.Join(failed, err)
	})
	return out, errors.Join(err, failed)
}
