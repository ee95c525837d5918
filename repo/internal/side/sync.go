package side

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"quipu/repo/internal/git"
)

// batch is how many commits one transaction takes, about: it ends only where the
// first-parent line does, so that the index always stands for one head.
const batch = 300

// Sync brings the index to head (the zero Hash: no history yet) and says how many
// changes it added. Commits that head does not reach on the same line go out,
// and their bytes with them. ErrLocked: another process is writing it. What was
// added before an error stays; the next Sync goes on from there.
func (x *Index) Sync(ctx context.Context, r *git.Repo, head git.Hash) (added int, err error) {
	x.syncing.Lock()
	defer x.syncing.Unlock()
	const tries = 3 // another process can move the index between plan and write, or the file can prove broken
	for range tries {
		var n int
		n, err = x.catchUp(ctx, r, head)
		added += n
		if errors.Is(err, ErrBroken) {
			added = 0 // it was made empty
		} else if !errors.Is(err, errMoved) {
			break
		}
	}
	if errors.Is(err, errMoved) {
		err = ErrLocked
	}
	if err != nil {
		err = fmt.Errorf("sync index to %s: %w", head, err)
	}
	return added, err
}

// plan is what separates the index from a head.
type plan struct {
	have  git.Hash      // what the index stands for now
	keep  int64         // the position up to which its rows stay
	cut   bool          // rows above keep must go
	chain []*git.Commit // the first-parent line above keep, newest first
}

func (x *Index) catchUp(ctx context.Context, r *git.Repo, head git.Hash) (added int, err error) {
	p, err := x.plan(ctx, r, head)
	if err != nil {
		return 0, err
	}
	b := &builder{repo: r, log: x.log}
	// A statement under a context that can end costs a watcher each: look between the batches.
	steady := context.WithoutCancel(ctx)
	for len(p.chain) > 0 || p.cut {
		if err := ctx.Err(); err != nil {
			return added, err
		}
		n := 0
		err := x.write(steady, func(ctx context.Context, t *tables) (err error) {
			n, err = b.step(ctx, t, p)
			return err
		})
		if err != nil {
			return added, err
		}
		added += n
	}
	return added, x.scrub(steady)
}

// plan walks from head along the first parents to a commit that the index has on
// its own first-parent line. Everything up to that one is the same in both. The
// tables follow from their head, so it is enough that step finds the same one.
func (x *Index) plan(ctx context.Context, r *git.Repo, head git.Hash) (*plan, error) {
	p := &plan{}
	var last int64
	err := x.view(ctx, func(ctx context.Context, t *tables) (err error) {
		if p.have, err = t.head(ctx); err == nil {
			last, err = t.last(ctx)
		}
		return err
	})
	if err != nil || p.have == head {
		return p, err
	}
	for h := head; !h.IsZero(); {
		if p.keep, err = x.onMain(ctx, h, p.have); err != nil {
			return nil, err
		}
		if p.keep > 0 {
			break
		}
		c, err := readCommit(r, h, h == head)
		if err != nil {
			return nil, err
		}
		if c == nil {
			break
		}
		p.chain = append(p.chain, c)
		h = firstParent(c)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	p.cut = last > p.keep
	return p, nil
}

// onMain is the position of a commit on the first-parent line, 0 if it is not
// there. The walk of a long history must not keep readers out, so each look is
// one of its own; an empty index needs none.
func (x *Index) onMain(ctx context.Context, h, have git.Hash) (pos int64, err error) {
	if have.IsZero() {
		return 0, nil
	}
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		_, err := t.one(ctx, "SELECT pos FROM change WHERE hash = ? AND main", []any{h[:]}, &pos)
		return err
	})
	return pos, err
}

// readCommit gives nil for a commit that is not there, as below the edge of a
// shallow clone, or not readable as one: the history begins above it. The head
// itself must be there.
func readCommit(r *git.Repo, h git.Hash, must bool) (*git.Commit, error) {
	c, err := r.Commit(h)
	if err != nil && !must && lost(err) {
		return nil, nil
	}
	return c, err
}

// lost tells an object that is missing or damaged, which no later try would
// read, from trouble with the disk, which may pass.
func lost(err error) bool {
	var trouble *fs.PathError
	return !errors.As(err, &trouble)
}

func firstParent(c *git.Commit) git.Hash {
	if len(c.Parents) == 0 {
		return git.Hash{}
	}
	return c.Parents[0]
}

// step takes out what must go and adds the next batch, in one transaction.
func (b *builder) step(ctx context.Context, t *tables, p *plan) (added int, err error) {
	have, err := t.head(ctx)
	if err != nil {
		return 0, err
	}
	if have != p.have {
		return 0, errMoved
	}
	b.begin(p.keep)
	if p.cut {
		if err := t.cut(ctx, p.keep); err != nil {
			return 0, err
		}
		if have, err = t.newest(ctx); err != nil {
			return 0, err
		}
	}
	left := p.chain
	for len(left) > 0 && added < batch {
		c := left[len(left)-1]
		left = left[:len(left)-1]
		n, err := b.addWithSides(ctx, t, c)
		if err != nil {
			return 0, err
		}
		added += n
		have = c.Hash
	}
	if err := b.block.keep(ctx, t, b.pos); err != nil {
		return 0, err
	}
	if err := t.exec(ctx, "UPDATE meta SET head = coalesce(?, x'')", raw(have)); err != nil {
		return 0, err
	}
	clear(p.chain[len(left):]) // the commits are not needed any more
	p.have, p.keep, p.cut, p.chain = have, b.pos, false, left
	return added, nil
}

// cut takes the changes above pos out, and asks for their bytes to go from the
// WAL as well.
func (t *tables) cut(ctx context.Context, pos int64) error {
	key := firstKey(pos + 1)
	return errors.Join(
		t.exec(ctx, "DELETE FROM unit WHERE key >= ?", key),
		t.exec(ctx, "DELETE FROM file WHERE key >= ?", key),
		t.exec(ctx, "DELETE FROM change WHERE pos > ?", pos),
		t.cutBlocks(ctx, pos),
		t.exec(ctx, "DELETE FROM path WHERE id NOT IN (SELECT path FROM file)"),
		t.exec(ctx, "UPDATE meta SET scrub = 1"),
	)
}

// newest is the hash of the newest change, zero when there is none.
func (t *tables) newest(ctx context.Context) (git.Hash, error) {
	var h []byte
	_, err := t.one(ctx, "SELECT hash FROM change ORDER BY pos DESC LIMIT 1", nil, &h)
	return hashOf(h), err
}

// scrub empties the WAL after rows were taken out: it still holds their bytes.
// While another handle reads an older state that cannot be; a later Sync tries again.
func (x *Index) scrub(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	t, err := x.ready(ctx)
	if err != nil {
		return err
	}
	var due, busy, frames, done int
	if _, err := t.one(ctx, "SELECT scrub FROM meta", nil, &due); err != nil || due == 0 {
		return explain(err)
	}
	_, err = t.one(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &frames, &done)
	if err == nil && busy == 0 {
		err = t.exec(ctx, "UPDATE meta SET scrub = 0")
	}
	if err = explain(err); errors.Is(err, ErrLocked) || busy != 0 {
		x.log.Info("index keeps taken-out rows in its log until a later sync", "path", x.path)
		return nil
	}
	return err
}

// addWithSides adds a commit of the first-parent line after what its other
// parents reach and the index does not have yet.
func (b *builder) addWithSides(ctx context.Context, t *tables, c *git.Commit) (added int, err error) {
	var sides []*git.Commit
	if len(c.Parents) > 1 {
		if sides, err = b.sides(ctx, t, c); err != nil {
			return 0, err
		}
	}
	for _, s := range sides {
		if err := b.add(ctx, t, s, false); err != nil {
			return 0, err
		}
	}
	return len(sides) + 1, b.add(ctx, t, c, true)
}

// frame is a commit on the way of a depth-first walk and its next parent.
type frame struct {
	commit *git.Commit
	next   int
}

// sides lists what only the other parents of c reach: parents before children,
// and of several parents the first one's line first.
func (b *builder) sides(ctx context.Context, t *tables, c *git.Commit) ([]*git.Commit, error) {
	var out []*git.Commit
	listed := map[git.Hash]bool{}
	stack := []frame{{c, 1}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next >= len(top.commit.Parents) {
			out = append(out, top.commit)
			stack = stack[:len(stack)-1]
			continue
		}
		h := top.commit.Parents[top.next]
		top.next++
		if listed[h] {
			continue
		}
		listed[h] = true
		if known, err := t.one(ctx, "SELECT 1 FROM change WHERE hash = ?", []any{h[:]}, new(int)); err != nil {
			return nil, err
		} else if known {
			continue
		}
		parent, err := readCommit(b.repo, h, false)
		if err != nil {
			return nil, err
		}
		if parent != nil {
			stack = append(stack, frame{parent, 0})
		}
	}
	return slices.Delete(out, len(out)-1, len(out)), nil
}
