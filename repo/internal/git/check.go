package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Damage reads the newest commit with every file of its tree. nil, or an error that
// names the first broken object (ErrDamaged).
func (r *Repo) Damage(ctx context.Context) error {
	branch, err := r.branch()
	if err != nil {
		return nil //nolint:nilerr // State tells of a HEAD that is no branch
	}
	cur, err := r.readRef(branch)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	return r.checkCommit(ctx, cur, map[Hash]bool{})
}

// IndexFault says what is wrong with git's index; nil also when it has a form that
// only git itself can read. It takes no lock.
func (r *Repo) IndexFault() error {
	b, err := os.ReadFile(r.indexPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = parseIndex(b)
	}
	if errors.Is(err, errIndexForeign) || errors.Is(err, errUnmerged) { // State tells of the latter
		return nil
	}
	return err
}

// MendIndex makes an unreadable index again from the newest commit.
func (r *Repo) MendIndex(ctx context.Context) error {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	if err := r.acquire(ctx); err != nil {
		return err
	}
	_, err := r.begin()
	if err == nil && r.index != nil && r.indexStat == (stat{}) {
		err = r.writeIndex()
	}
	r.index, r.indexStat = nil, stat{}
	r.unlock()
	return err
}

func (r *Repo) checkCommit(ctx context.Context, h Hash, seen map[Hash]bool) error {
	c, err := r.Commit(h)
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	return r.checkTree(ctx, c.Tree, seen)
}

func (r *Repo) checkTree(ctx context.Context, h Hash, seen map[Hash]bool) error {
	if seen[h] {
		return nil
	}
	n, err := r.readTree(h)
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	for i, e := range n.entries {
		child := n.child(i)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case seen[child] || e.mode == modeLink:
			continue
		case e.mode == modeDir:
			err = r.checkTree(ctx, child, seen)
		default:
			_, err = r.object(KindBlob, child)
			seen[child] = true
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, errors.Join(ErrDamaged, err))
		}
	}
	seen[h] = true
	return nil
}

// CheckAll reads every commit, tree and blob that any ref reaches and checks each
// against its name. bad is told where and what for each that cannot be read.
func (r *Repo) CheckAll(ctx context.Context, bad func(where, what string), progress func(done, total int)) error {
	starts, err := r.allRefs()
	if err != nil {
		return err
	}
	trees := map[Hash]bool{}
	queue := make([]Hash, 0, len(starts))
	for ref, h := range starts {
		if kind, _, err := r.Object(h); err != nil {
			bad(ref, err.Error())
		} else if kind == KindCommit {
			queue = append(queue, h)
		}
	}
	return r.eachCommit(ctx, queue, progress, func(h Hash, c *Commit, err error) error {
		if err == nil {
			err = r.checkTree(ctx, c.Tree, trees)
		}
		if err != nil {
			bad("commit "+h.String(), err.Error())
		}
		return nil
	})
}

// eachCommit visits once each commit that queue reaches, with the error of one that
// cannot be read. progress is told how many are done.
func (r *Repo) eachCommit(ctx context.Context, queue []Hash, progress func(done, total int), visit func(h Hash, c *Commit, err error) error) error {
	seen := map[Hash]bool{}
	for done := 0; len(queue) > 0; done++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		h := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[h] {
			continue
		}
		seen[h] = true
		progress(done, done+len(queue))
		c, err := r.Commit(h)
		if err == nil {
			queue = append(queue, c.Parents...)
		}
		if err := visit(h, c, err); err != nil {
			return err
		}
	}
	return nil
}

// allRefs reads every ref, loose and packed.
func (r *Repo) allRefs() (map[string]Hash, error) {
	out := map[string]Hash{}
	if b, err := os.ReadFile(filepath.Join(r.dir, "packed-refs")); err == nil {
		for line := range strings.Lines(string(b)) {
			hex, name, _ := strings.Cut(strings.TrimSpace(line), " ")
			if h, ok := ParseHash(hex); ok {
				out[name] = h
			}
		}
	}
	err := filepath.WalkDir(filepath.Join(r.dir, "refs"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, ".lock") {
			return err
		}
		rel, err := filepath.Rel(r.dir, p)
		if err != nil {
			return err
		}
		h, err := r.readRef(filepath.ToSlash(rel))
		if err == nil {
			out[filepath.ToSlash(rel)] = h
		}
		return nil // an unreadable branch is Damage's to tell
	})
	return out, err
}

// Retreat sets the branch back to the newest commit that can be read whole, when
// the one it holds cannot. Work files are not touched: what they hold beyond that
// commit is an outside edit. It gives the commit.
func (r *Repo) Retreat(ctx context.Context) (string, error) {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	if err := r.acquire(ctx); err != nil {
		return "", err
	}
	branch := r.head.branch
	target, err := r.newestIntact(branch)
	if err == nil {
		err = r.writeRef(branch, target)
	}
	if err == nil {
		r.head = tip{branch: branch}
		err = r.checkpoint(branch, target)
	}
	if err == nil {
		err = r.appendReflog(branch, Hash{}, target, "set back to the newest intact commit", r.signature())
	}
	r.unlock()
	return target.String(), err
}

// newestIntact looks through what the branch held, newest first, and from the
// oldest readable one of these back through its parents.
func (r *Repo) newestIntact(branch string) (Hash, error) {
	m := &mending{r: r, read: map[Hash]bool{}}
	if h, err := m.restored(branch, r.tips.at(branch)); err == nil {
		return h, nil
	}
	h := r.tips.at(branch)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		c, err := r.Commit(h)
		if err != nil || len(c.Parents) == 0 {
			break
		}
		if h = c.Parents[0]; r.intact(h) {
			return h, nil
		}
	}
	return Hash{}, fmt.Errorf("no intact commit of %s is left: %w", strings.TrimPrefix(branch, branchPrefix), ErrDamaged)
}
