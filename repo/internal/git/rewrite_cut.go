package git

import (
	"errors"
	"slices"
	"strings"
)

// fate is what becomes of a commit where the history's beginning is cut off.
type fate uint8

const (
	kept fate = iota
	base      // it stays without its parents
	gone
)

// errFate says that a commit which was rewritten is to become something else.
var errFate = errors.New("the history was cut at another place")

// decide says what becomes of each known commit: one that is old goes, or becomes a
// base where a ref names it or a commit that is not old builds on it. A stash is work
// that is not done yet, and no history: it is not cut. errFate: begin anew.
func (w *rewriter) decide(l *refList, targets []Hash) error {
	if w.Old == nil {
		return nil
	}
	stash := w.stashes(l)
	old, needed := map[Hash]bool{}, map[Hash]bool{}
	for _, h := range targets {
		needed[h] = true
	}
	for _, c := range slices.Backward(w.order) { // children before parents
		if c.notes {
			continue
		}
		before := c.fate
		c.fate = kept
		switch is := !stash[c.hash] && (old[c.hash] || c.late); {
		case is && needed[c.hash]:
			c.fate = base
		case is:
			c.fate = gone
		}
		if c.done && c.fate != before {
			return errFate
		}
		for _, p := range c.parents {
			if c.fate == kept {
				needed[p] = true
			} else {
				old[p] = true
			}
		}
	}
	return nil
}

// stashes are the commits that stashes are made of: of the files, of what was staged,
// and of files that were not tracked.
func (w *rewriter) stashes(l *refList) map[Hash]bool {
	out := map[Hash]bool{}
	add := func(h Hash) {
		c := w.commits[h]
		if c == nil || len(c.parents) < 2 {
			return
		}
		if staged := w.commits[c.parents[1]]; len(staged.parents) != 1 || staged.parents[0] != c.parents[0] {
			return // somebody stored another merge
		}
		out[h] = true
		for _, p := range c.parents[1:] {
			out[p] = true
		}
	}
	add(l.at["refs/stash"])
	for _, line := range l.stash {
		entry, _ := parseReflogLine(line)
		add(entry.new)
	}
	return out
}

// longAgo says whether a commit's own date makes it old.
func (w *rewriter) longAgo(key, value string) bool {
	if w.Old == nil || key != "committer" {
		return false
	}
	when := parseSignature(strings.TrimSpace(value)).When
	return !when.IsZero() && w.Old(when) // a date that nobody can read says nothing
}

// letGo counts the commits of some that go, and gives the others.
func (w *rewriter) letGo(some []*oldCommit) []*oldCommit {
	stay := some[:0:0]
	for _, c := range some {
		if c.fate != gone {
			stay = append(stay, c)
			continue
		}
		c.done, c.raw = true, nil
		w.out.New[c.hash] = Hash{}
		w.out.Dropped++
	}
	return stay
}
