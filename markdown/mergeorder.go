package markdown

import (
	"cmp"
	"slices"
)

// order returns the tracks that end in a file, as they stand there. A side that
// put pieces in another order wins over one that did not; what only one side has
// goes behind what it follows there, and what both put in the same place goes by
// date.
func (m *merge) order(path string) []int {
	a, b := m.listed(0, path), m.listed(1, path)
	if m.reordered(path, b, a) && !m.reordered(path, a, b) {
		a, b = b, a
	}
	common := both(a, b)
	ours, theirs := runs(a, common), runs(b, common)
	out := m.together(nil, ours[start], theirs[start])
	for _, t := range a {
		if common[t] {
			out = append(out, t)
			out = m.together(out, ours[t], theirs[t])
		}
	}
	return out
}

// start stands for the place before the first piece.
const start = -1

// listed returns the tracks that a side has in a file and that end there, and sets
// the blank lines before each.
func (m *merge) listed(side int, path string) []int {
	var list []int
	s := m.sides[side].sheets[path]
	if s == nil {
		return nil
	}
	gone := "" // the blank lines before what is not here any more
	for _, p := range s.pieces {
		t := &m.tracks[m.ids[side][p.n]]
		if t.path != path || len(t.out) == 0 {
			gone = max(gone, p.lead)
			continue
		}
		t.lead = t.space(path)
		if other := t.at[1-side]; other == nil || other.path != path {
			t.lead = max(t.lead, gone)
		}
		gone = ""
		list = append(list, m.ids[side][p.n])
	}
	return list
}

// space returns the blank lines before a piece: what one side changed wins.
func (t *track) space(path string) string {
	a, b := t.at[0], t.at[1]
	switch {
	case a == nil || a.path != path:
		return b.lead
	case b == nil || b.path != path:
		return a.lead
	}
	for _, was := range t.base {
		if was.path == path && was.lead == a.lead {
			return b.lead
		}
	}
	if len(t.base) == 0 {
		return min(a.lead, b.lead)
	}
	return a.lead
}

func both(a, b []int) map[int]bool {
	in := make(map[int]bool, len(a))
	for _, t := range a {
		in[t] = true
	}
	common := make(map[int]bool, len(b))
	for _, t := range b {
		if in[t] {
			common[t] = true
		}
	}
	return common
}

// runs returns what stands behind each common track, up to the next one.
func runs(list []int, common map[int]bool) map[int][]int {
	behind := map[int][]int{}
	at := start
	for _, t := range list {
		if common[t] {
			at = t
			continue
		}
		behind[at] = append(behind[at], t)
	}
	return behind
}

// reordered reports whether a side has the pieces of the base in another order.
func (m *merge) reordered(path string, list, other []int) bool {
	common := both(list, other)
	last := -1
	for _, t := range list {
		if was := m.tracks[t].base; common[t] && len(was) > 0 && was[0].path == path {
			if was[0].n < last {
				return true
			}
			last = was[0].n
		}
	}
	return false
}

// together adds what two sides put in the same place: first what has a date, by
// date, then the rest of the one and of the other.
func (m *merge) together(out, a, b []int) []int {
	if len(a) == 0 || len(b) == 0 {
		return append(append(out, a...), b...)
	}
	i, j := m.dated(a), m.dated(b)
	if i > 0 && j > 0 {
		m.tighten(out, a[0], b[0])
	}
	first, second := a[:i], b[:j]
	for len(first) > 0 && len(second) > 0 {
		if m.earlier(second[0], first[0]) {
			first, second = second, first
		}
		out = append(out, first[0])
		first = first[1:]
	}
	out = append(append(out, first...), second...)
	return append(append(out, a[i:]...), b[j:]...)
}

// dated returns how many tracks at the beginning of a run have a date.
func (m *merge) dated(run []int) int {
	n := slices.IndexFunc(run, func(t int) bool { return m.tracks[t].out[0].when() == "" })
	if n < 0 {
		return len(run)
	}
	return n
}

func (m *merge) earlier(x, y int) bool {
	p, q := m.tracks[x].out[0], m.tracks[y].out[0]
	return cmp.Or(cmp.Compare(p.when(), q.when()), cmp.Compare(p.key, q.key)) < 0
}

// tighten leaves one gap before two runs that become one, below what is no entry:
// each had it before its own first one.
func (m *merge) tighten(out []int, x, y int) {
	if n := len(out); n > 0 && m.tracks[out[n-1]].out[0].Entry != nil {
		return
	}
	first, second := &m.tracks[x], &m.tracks[y]
	if m.earlier(y, x) {
		first, second = second, first
	}
	first.lead, second.lead = max(first.lead, second.lead), ""
}
