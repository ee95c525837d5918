package git

import (
	"container/heap"
	"context"
	"math"
	"slices"
)

// Relation says how two histories stand to each other.
type Relation struct {
	Bases []Hash // the newest commits that both hold, none an ancestor of another; none: unrelated
	// Ours and Theirs are the commits that only one side holds, children before parents.
	Ours, Theirs []Hash
}

// Sides of a walk.
const (
	sideOurs = 1 << iota
	sideTheirs
	sideStale // it is below a base: nothing new comes of it
)

// dated is a commit of a walk.
type dated struct {
	hash    Hash
	at      int64
	parents []Hash
}

// byDate gives the newest commit first.
type byDate []dated

func (q byDate) Len() int           { return len(q) }
func (q byDate) Less(i, j int) bool { return q[i].at > q[j].at }
func (q byDate) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push and Pop are heap.Interface's.
func (q *byDate) Push(x any) { *q = append(*q, x.(dated)) } //nolint:forcetypeassert // nothing else is put in

// Pop takes the last one.
func (q *byDate) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// relating walks two histories from their newest commits down to what both hold. Clocks
// of machines differ: a parent can be younger than its child. How much younger was seen
// says how far below what counts the walk goes on, to find what was counted too early.
type relating struct {
	r     *Repo
	seen  map[Hash]int
	queue byDate
	order []dated
	skew  int64 // seconds, the most by which a parent was younger than its child
	floor int64 // the oldest commit so far that one side alone holds, or where both meet
}

// Seconds. leastSkew is how far clocks are taken to differ before it was seen; where they
// differ by more than mostSkew, dates say nothing and all is walked.
const (
	leastSkew = 600
	mostSkew  = 24 * 3600
)

// add marks a commit with the sides that hold it; child is the date of the one that
// names it.
func (w *relating) add(h Hash, sides int, child int64) error {
	was := w.seen[h]
	if was|sides == was {
		return nil
	}
	w.seen[h] = was | sides
	c, err := w.r.Commit(h)
	if err != nil {
		return err
	}
	at := c.Committer.When.Unix()
	if child != math.MaxInt64 {
		w.skew = max(w.skew, at-child)
	}
	heap.Push(&w.queue, dated{h, at, c.Parents})
	return nil
}

// Relate compares two commits that are both here. ErrDamaged where one of their
// ancestors cannot be read.
func (r *Repo) Relate(ctx context.Context, ours, theirs Hash) (Relation, error) {
	if ours == theirs && !ours.IsZero() {
		return Relation{Bases: []Hash{ours}}, nil
	}
	w := &relating{r: r, seen: map[Hash]int{}, floor: math.MaxInt64}
	for _, tip := range []struct {
		h    Hash
		side int
	}{{ours, sideOurs}, {theirs, sideTheirs}} {
		if tip.h.IsZero() {
			continue
		}
		if err := w.add(tip.h, tip.side, math.MaxInt64); err != nil {
			return Relation{}, err
		}
	}
	var found []Hash
	for w.open() {
		if err := ctx.Err(); err != nil {
			return Relation{}, err
		}
		c := heap.Pop(&w.queue).(dated) //nolint:forcetypeassert // nothing else is put in
		sides := w.seen[c.hash]
		w.order = append(w.order, c)
		if sides&sideStale == 0 {
			w.floor = min(w.floor, c.at)
		}
		if sides&sideStale == 0 && sides == sideOurs|sideTheirs {
			found = append(found, c.hash)
			sides |= sideStale
		}
		for _, p := range c.parents {
			if err := w.add(p, sides, c.at); err != nil {
				return Relation{}, err
			}
		}
	}
	return w.result(found), nil
}

// open says whether something in the queue may still be of one side alone, or lead to
// what was taken for that.
func (w *relating) open() bool {
	if w.skew > mostSkew {
		return len(w.queue) > 0
	}
	return slices.ContainsFunc(w.queue, func(c dated) bool {
		return w.seen[c.hash]&sideStale == 0 || c.at > w.floor-leastSkew-4*w.skew
	})
}

func (w *relating) result(found []Hash) Relation {
	var out Relation
	out.Ours, out.Theirs = w.only(sideOurs), w.only(sideTheirs)
	for _, h := range found {
		if w.seen[h]&sideStale == 0 && !slices.Contains(out.Bases, h) { // else it is below another
			out.Bases = append(out.Bases, h)
		}
	}
	return out
}

// only lists the commits of one side alone, children before parents whatever their dates.
func (w *relating) only(side int) []Hash {
	parents := map[Hash][]Hash{}
	for _, c := range w.order {
		if w.seen[c.hash] == side {
			parents[c.hash] = c.parents
		}
	}
	var out []Hash // parents first
	var visit func(h Hash)
	visit = func(h Hash) {
		older, waits := parents[h]
		if !waits {
			return
		}
		delete(parents, h)
		for _, p := range older {
			visit(p)
		}
		out = append(out, h)
	}
	for _, c := range slices.Backward(w.order) {
		visit(c.hash)
	}
	slices.Reverse(out)
	return out
}
