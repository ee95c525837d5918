package markdown

import (
	"bytes"
	"slices"
)

// Union unites two versions that grew from one base and loses no line: what
// either side added stays, ours before theirs; a unit that both changed is kept
// in both wordings; what one side deleted goes if the other left it alone, and
// stays, as edited, if the other edited it. It never fails and leaves no marks.
func Union(base, ours, theirs []byte) []byte {
	switch {
	case bytes.Equal(base, theirs), bytes.Equal(ours, theirs):
		return slices.Clone(ours)
	case bytes.Equal(base, ours):
		return slices.Clone(theirs)
	}
	u := union{base: Parse("", base), ours: Parse("", ours), theirs: Parse("", theirs)}
	return u.run()
}

type union struct {
	base, ours, theirs *File
	ids                [3][]rune
	shared             map[rune]int // what both sides added, how often
	owed               map[rune]int // what both sides have, oftener than the walk would keep
	w                  *writer
}

func (u *union) run() []byte {
	t := table{}
	u.ids = [3][]rune{t.units(u.base.units), t.units(u.ours.units), t.units(u.theirs.units)}
	ourGaps, theirGaps := align(u.ids[0], u.ids[1]), align(u.ids[0], u.ids[2])
	n := len(u.base.units)
	inOurs, inTheirs := matches(n, ourGaps), matches(n, theirGaps)
	u.shared = map[rune]int{}
	for _, g := range ourGaps {
		for _, id := range u.ids[1][g.b0:g.b1] {
			u.shared[id]++
		}
	}
	u.owed = u.debts(ourGaps, theirGaps, inOurs, inTheirs)
	u.w = newWriter(u.ours)
	for i := 0; i <= n; i++ {
		ourPart, theirPart := addedAt(ourGaps, i), addedAt(theirGaps, i)
		for j := ourPart.b0; j < ourPart.b1; j++ {
			u.w.keep(u.ours, j)
		}
		u.addTheirs(theirPart, ourPart)
		if i < n {
			u.keepBase(i, inOurs[i], inTheirs[i])
		}
	}
	return u.w.finish(u.ours.closed() || u.theirs.closed())
}

// keepBase keeps unit i of the base if neither side deleted it.
func (u *union) keepBase(i, ours, theirs int) {
	id := u.ids[0][i]
	if ours < 0 || theirs < 0 {
		if ours < 0 && theirs < 0 || u.owed[id] <= 0 {
			return
		}
		u.owed[id]--
	}
	if ours >= 0 {
		u.w.keep(u.ours, ours)
		return
	}
	u.w.add(u.theirs.units[theirs].key(), "")
}

// debts counts the units that both sides have oftener than the walk keeps them.
// Of equal units one side may have deleted the first and the other the second:
// neither deleted both.
func (u *union) debts(ourGaps, theirGaps []gap, inOurs, inTheirs []int) map[rune]int {
	ours, theirs, kept := map[rune]int{}, map[rune]int{}, map[rune]int{}
	for _, id := range u.ids[1] {
		ours[id]++
	}
	for _, id := range u.ids[2] {
		theirs[id]++
	}
	for i, id := range u.ids[0] {
		if inOurs[i] >= 0 && inTheirs[i] >= 0 {
			kept[id]++
		}
	}
	added := map[rune]int{}
	for _, g := range theirGaps {
		for _, id := range u.ids[2][g.b0:g.b1] {
			added[id]++
		}
	}
	for _, g := range ourGaps {
		for _, id := range u.ids[1][g.b0:g.b1] {
			kept[id]++
			added[id]--
		}
	}
	owed := map[rune]int{}
	for id, n := range ours {
		owed[id] = min(n, theirs[id]) - kept[id] - max(0, added[id])
	}
	return owed
}

// addedAt returns the gap that begins at base unit i, or an empty one. align
// lists the gaps in order, at most one for each beginning.
func addedAt(gaps []gap, i int) gap {
	k, ok := slices.BinarySearchFunc(gaps, i, func(g gap, i int) int { return g.a0 - i })
	if !ok {
		return gap{}
	}
	return gaps[k]
}

// addTheirs adds what they added, but once what both sides added alike. Blank
// lines are counted against those that we added in the same place.
func (u *union) addTheirs(theirs, ours gap) {
	blanks := 0
	for _, unit := range u.ours.units[ours.b0:ours.b1] {
		if unit.Kind == KindBlank {
			blanks++
		}
	}
	for j := theirs.b0; j < theirs.b1; j++ {
		unit := &u.theirs.units[j]
		if unit.Kind == KindBlank {
			if blanks--; blanks < 0 {
				u.w.add(unit.key(), "")
			}
			continue
		}
		if id := u.ids[2][j]; u.shared[id] > 0 {
			u.shared[id]--
			continue
		}
		u.w.add(unit.key(), "")
	}
}

// writer puts units one after the other into a text with the line ends of f.
type writer struct {
	f    *File
	out  []byte
	open bool // the last unit has no line end yet
}

func newWriter(f *File) *writer {
	return &writer{f: f, out: slices.Clone(f.text[:f.bom])}
}

// keep adds unit j of a file with all its bytes.
func (w *writer) keep(from *File, j int) {
	w.end()
	w.out = append(w.out, from.text[from.start(j):from.next[j]]...)
	w.open = from.lineEnd(j) == ""
}

// add adds a unit's text, with LF line ends, and the line end that it had, if
// any.
func (w *writer) add(text, lineEnd string) {
	w.end()
	w.out = append(w.out, w.f.nativeUnit(text)...)
	w.out = append(w.out, lineEnd...)
	w.open = lineEnd == ""
}

func (w *writer) end() {
	if w.open {
		w.out = append(w.out, w.f.eol...)
		w.open = false
	}
}

// finish returns the text, with a line end behind the last unit or without.
func (w *writer) finish(closed bool) []byte {
	if closed {
		w.end()
		return w.out
	}
	if !w.open {
		w.out = bytes.TrimSuffix(w.out, []byte(lf))
		w.out = bytes.TrimSuffix(w.out, []byte("\r"))
	}
	return w.out
}
