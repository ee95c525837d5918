package markdown

import (
	"bytes"
	"slices"
)

// match finds the pieces of a version again in a later one.
type match struct {
	from, to *version
	found    []int  // for each piece of from, its place in to or -1
	taken    []bool // places in to
	gaps     []pieceGap
}

// pieceGap is a region of one file that differs.
type pieceGap struct{ from, to []*piece }

// follow returns for each piece of from where it is in to, -1 where it is gone.
// Equal pieces are found first, in their place and then elsewhere in the file; then
// those that state the same fact, in the file and then in another one; last those
// that share words, in a region that differs or with the same date and source.
func follow(from, to *version) []int {
	m := match{from: from, to: to, found: make([]int, len(from.all)), taken: make([]bool, len(to.all))}
	for i := range m.found {
		m.found[i] = -1
	}
	m.inPlace()
	local := func(p *piece, text string) string { return p.path + "\x00" + text }
	m.by(func(p *piece) string { return local(p, p.key) })
	m.by(func(p *piece) string { return local(p, p.id) })
	m.by(func(p *piece) string {
		if !p.moves() {
			return ""
		}
		return p.id
	})
	for _, g := range m.gaps {
		m.alike(g)
	}
	m.reworded()
	return m.found
}

func (m *match) pair(a, b *piece) { m.found[a.n], m.taken[b.n] = b.n, true }

// inPlace pairs what stands unchanged in its place.
func (m *match) inPlace() {
	for _, path := range m.from.paths {
		s := m.to.sheets[path]
		if s == nil {
			continue
		}
		a, b := m.from.sheets[path].pieces, s.pieces
		if bytes.Equal(s.f.text, m.from.sheets[path].f.text) {
			for i := range a {
				m.pair(a[i], b[i])
			}
			continue
		}
		t := make(table, len(a)+len(b))
		i, j := 0, 0
		for _, g := range append(align(t.pieces(a), t.pieces(b)), gap{len(a), len(a), len(b), len(b)}) {
			for ; i < g.a0; i, j = i+1, j+1 {
				m.pair(a[i], b[j])
			}
			i, j = g.a1, g.b1
			if g.a0 < g.a1 && g.b0 < g.b1 {
				m.gaps = append(m.gaps, pieceGap{a[g.a0:g.a1], b[g.b0:g.b1]})
			}
		}
	}
}

func (t table) pieces(list []*piece) []rune {
	numbers := make([]rune, len(list))
	for i, p := range list {
		numbers[i] = t.number(p.key)
	}
	return numbers
}

// by pairs what is left and has the same name, in order; "" names nothing.
func (m *match) by(name func(*piece) string) {
	places := map[string][]*piece{}
	for _, p := range m.to.all {
		if !m.taken[p.n] {
			if s := name(p); s != "" {
				places[s] = append(places[s], p)
			}
		}
	}
	if len(places) == 0 {
		return
	}
	for _, p := range m.from.all {
		if m.found[p.n] >= 0 {
			continue
		}
		if s := name(p); s != "" && len(places[s]) > 0 {
			m.pair(p, places[s][0])
			places[s] = places[s][1:]
		}
	}
}

// alike pairs what is left of a region by the words that are shared. A rewording
// keeps its date: an entry with another one is another note.
func (m *match) alike(g pieceGap) {
	from := slices.DeleteFunc(slices.Clone(g.from), func(p *piece) bool { return m.found[p.n] >= 0 })
	to := slices.DeleteFunc(slices.Clone(g.to), func(p *piece) bool { return m.taken[p.n] })
	if len(from) == 0 || len(to) == 0 {
		return
	}
	for i, j := range pairUp(unitsOf(from), unitsOf(to)) {
		if j >= 0 && from[i].when() == to[j].when() {
			m.pair(from[i], to[j])
		}
	}
}

// reworded pairs entries that were changed and put elsewhere at once: they share
// words and have kept date and source.
func (m *match) reworded() {
	name := func(p *piece) string { return p.Entry.Date.String() + p.Entry.Clock + dot + p.Entry.Source }
	places := map[string][]*piece{}
	for _, p := range m.to.all {
		if !m.taken[p.n] && p.Entry != nil {
			places[name(p)] = append(places[name(p)], p)
		}
	}
	for _, p := range m.from.all {
		if len(places) == 0 {
			return
		}
		if p.Entry == nil || m.found[p.n] >= 0 {
			continue
		}
		list := places[name(p)]
		if len(list) == 0 {
			continue
		}
		own := words(p.wording())
		for _, q := range list[:min(len(list), pairWindow)] {
			if !m.taken[q.n] && alike(own, words(q.wording())) {
				m.pair(p, q)
				break
			}
		}
	}
}

func unitsOf(list []*piece) []Unit {
	units := make([]Unit, len(list))
	for i, p := range list {
		units[i] = p.Unit
	}
	return units
}
