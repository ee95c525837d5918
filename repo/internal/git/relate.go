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

// relating walks two histories from their newest commits down to what both hold.
type relating struct {
	r     *Repo
	seen  map[Hash]int
	queue byDate
	order []Hash
	low   int64 // the oldest date at which one side alone, or a base, was walked
	skew  bool  // a parent is younger than its child: then dates say nothing, and all is walked
}

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
	w.skew = w.skew || at > child
	heap.Push(&w.queue, dated{h, at, c.Parents})
	return nil
}

// Relate compares two commits that are both here. ErrDamaged where one of their
// ancestors cannot be read.
func (r *Repo) Relate(ctx context.Context, ours, theirs Hash) (Relation, error) {
	w := &relating{r: r, seen: map[Hash]int{}, low: math.MaxInt64}
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
		w.order = append(w.order, c.hash)
		if sides&sideStale == 0 {
			w.low = min(w.low, c.at)
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

// open says whether something in the queue may still be of one side alone, or tell that
// what was walked is not: commits of one second come in any order.
func (w *relating) open() bool {
	if w.skew || len(w.queue) > 0 && w.queue[0].at >= w.low {
		return len(w.queue) > 0
	}
	return slices.ContainsFunc(w.queue, func(c dated) bool { return w.seen[c.hash]&sideStale == 0 })
}

func (w *relating) result(found []Hash) Relation {
	var out Relation
	known := map[Hash]bool{}
	for _, h := range w.order {
		if known[h] {
			continue
		}
		known[h] = true
		switch w.seen[h] {
		case sideOurs:
			out.Ours = append(out.Ours, h)
		case sideTheirs:
			out.Theirs = append(out.Theirs, h)
		}
	}
	for _, h := range found {
		if !known[h] || slices.ContainsFunc(found, func(o Hash) bool { return o != h && w.r.contains(o, h, ancestry) }) {
			continue
		}
		known[h] = false
		out.Bases = append(out.Bases, h)
	}
	return out
}
