package git

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"strings"
)

// InBundle says whether a ref, by its whole name, goes into a bundle: branches and tags.
func InBundle(ref string) bool {
	return strings.HasPrefix(ref, branchPrefix) || strings.HasPrefix(ref, "refs/tags/")
}

// CanBundle says whether a bundle can be made here: ErrState without the git program.
func (r *Repo) CanBundle() error {
	if _, err := exec.LookPath("git"); err != nil {
		return statef("a bundle is made by git, which is not installed; `quipu export zip` needs nothing, and `quipu backup` holds the history too")
	}
	return nil
}

// Bundle writes the branches and tags, with all that they reach, as git's bundle. Beside
// an erase none is made: it would be the old history. ErrBusy, ErrState.
func (r *Repo) Bundle(ctx context.Context, out io.Writer) error {
	if err := r.CanBundle(); err != nil {
		return err
	}
	held, err := r.takeErase(ctx)
	if err != nil {
		return err
	}
	defer held.Unlock() //nolint:errcheck // closing it lets go, too
	var said bytes.Buffer
	return r.runGitTo(ctx, nil, out, &said, "bundle", "create", "--quiet", "-", "HEAD", "--branches", "--tags")
}

// EachMessage visits every commit that any ref reaches, once.
func (r *Repo) EachMessage(ctx context.Context, visit func(*Commit) error) error {
	refs, err := r.allRefs()
	if err != nil {
		return err
	}
	queue := make([]Hash, 0, len(refs))
	for _, h := range refs {
		if kind, _, err := r.Object(h); err == nil && kind == KindCommit {
			queue = append(queue, h)
		}
	}
	return r.eachCommit(ctx, queue, func(int, int) {}, func(_ Hash, c *Commit, err error) error {
		if err != nil {
			return err
		}
		return visit(c)
	})
}
