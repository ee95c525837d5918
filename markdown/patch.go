package markdown

import (
	"bytes"
	"slices"
)

// Conflict is a place where a change does not fit, because the text there has
// changed since.
type Conflict struct {
	// Line is the 1-based line in the text that the change was applied to.
	Line int
	// Have is what stands there, "" if the unit is gone. Want is what would be
	// put there, "" if it would be taken out. Base is what was expected there.
	Have, Want, Base string
}

// Patched is the outcome of Patch.
type Patched struct {
	// Text is the new text, with every part of the change that does fit.
	Text []byte
	// Conflicts are in the order of their lines.
	Conflicts []Conflict
	// Changed says that Text differs from the text that was given.
	Changed bool
	// Gone holds the raw text of the units that the change takes out and that
	// were not there any more.
	Gone []string
}

// Patch applies the change that led from one text to another onto a third, unit
// by unit: Patch(after, before, now) undoes a change and keeps what came later.
// Blank lines and the style of line ends make no conflicts. If onto equals from,
// the result is to, byte for byte.
func Patch(from, to, onto []byte) Patched {
	switch {
	case bytes.Equal(from, onto):
		return Patched{Text: slices.Clone(to), Changed: !bytes.Equal(to, onto)}
	case bytes.Equal(from, to):
		return Patched{Text: slices.Clone(onto)}
	case bytes.Equal(to, onto):
		return Patched{Text: slices.Clone(onto), Gone: removed(from, to)}
	}
	p := newPatch(Parse("", from), Parse("", to), Parse("", onto))
	p.run()
	slices.SortStableFunc(p.conflicts, byLine)
	text := p.write()
	return Patched{Text: text, Conflicts: p.conflicts, Changed: !bytes.Equal(text, onto), Gone: p.gone}
}

// removed returns the raw text of the units that one version has oftener than
// the next and that did not turn into others.
func removed(from, to []byte) []string {
	left := map[string]int{}
	for _, u := range Parse("", to).units {
		left[u.key()]++
	}
	for _, u := range Parse("", from).units {
		left[u.key()]--
	}
	var gone []string
	for _, pair := range Pairs(from, to) {
		if pair.Kind() == Removed && left[pair.Before.key()] < 0 {
			left[pair.Before.key()]++
			gone = append(gone, string(pair.Before.Raw))
		}
	}
	return gone
}

// patch is one application of Patch. Indexes into the units of from, to and
// onto are called i, k and j.
type patch struct {
	from, to, onto *File
	ids            [3][]rune
	change         []gap          // from -> to
	there          []int          // for each i, its j or -1
	near           []int          // for each i, where in onto it would stand
	places         map[rune][]int // for each id, the js that no i is aligned with
	extra          []int          // for each id, how much oftener onto has it than from
	spot           []int          // for each k, the j that stands for it or precedes it, -2 unknown
	owed           map[int]int    // i -> j: units of onto that are a changed i

	taken     []bool         // js that are out
	put       map[int]string // js with another text
	after     map[int][]string
	conflicts []Conflict
	gone      []string
}

const unknown = -2

func newPatch(from, to, onto *File) *patch {
	t := table{}
	p := &patch{
		from: from, to: to, onto: onto,
		ids:    [3][]rune{t.units(from.units), t.units(to.units), t.units(onto.units)},
		places: map[rune][]int{}, owed: map[int]int{},
		taken: make([]bool, len(onto.units)), put: map[int]string{}, after: map[int][]string{},
	}
	p.change = align(p.ids[0], p.ids[1])
	since := align(p.ids[0], p.ids[2])
	p.there = matches(len(from.units), since)
	for _, g := range since {
		for j := g.b0; j < g.b1; j++ {
			p.places[p.ids[2][j]] = append(p.places[p.ids[2][j]], j)
		}
		for i, j := range pairUp(from.units[g.a0:g.a1], onto.units[g.b0:g.b1]) {
			if j >= 0 {
				p.owed[g.a0+i] = g.b0 + j
			}
		}
	}
	p.extra = make([]int, len(t)+1)
	for _, id := range p.ids[2] {
		p.extra[id]++
	}
	for _, id := range p.ids[0] {
		p.extra[id]--
	}
	p.near = make([]int, len(p.there))
	for i, last := 0, 0; i < len(p.there); i++ {
		p.near[i] = last
		if p.there[i] >= 0 {
			last = p.there[i] + 1
		}
	}
	p.spot = make([]int, len(to.units))
	for k := range p.spot {
		p.spot[k] = unknown
	}
	for i, k := range matches(len(from.units), p.change) {
		if k >= 0 && p.there[i] >= 0 {
			p.spot[k] = p.there[i]
		}
	}
	return p
}

// run takes out and changes first, over the whole file: what is put in looks
// for its neighbours afterwards.
func (p *patch) run() {
	changed := make([]bool, len(p.to.units))
	for _, g := range p.change {
		for i, k := range pairUp(p.from.units[g.a0:g.a1], p.to.units[g.b0:g.b1]) {
			if k >= 0 {
				changed[g.b0+k] = true
				p.replace(g.a0+i, g.b0+k)
				continue
			}
			p.takeOut(g.a0 + i)
		}
	}
	for _, g := range p.change {
		p.putIn(g, changed)
	}
}

// find takes the place of unit i in onto, moved ones included, out of what can
// still be found.
func (p *patch) find(i int) (int, bool) {
	if j := p.there[i]; j >= 0 {
		return j, true
	}
	id := p.ids[0][i]
	places := p.places[id]
	if len(places) == 0 || p.from.units[i].Kind == KindBlank {
		return 0, false
	}
	at, _ := slices.BinarySearch(places, p.near[i])
	if at == len(places) || at > 0 && distance(places[at-1], p.near[i]) < distance(places[at], p.near[i]) {
		at--
	}
	j := places[at]
	p.places[id] = slices.Delete(places, at, at+1)
	return j, true
}

func distance(a, b int) int { return max(a-b, b-a) }

func (p *patch) takeOut(i int) {
	unit := &p.from.units[i]
	if j, ok := p.find(i); ok {
		p.taken[j] = true
		return
	}
	if unit.Kind == KindBlank {
		return
	}
	if j, ok := p.owed[i]; ok {
		p.conflict(j, "", unit)
		return
	}
	p.gone = append(p.gone, string(unit.Raw))
}

func (p *patch) replace(i, k int) {
	unit, want := &p.from.units[i], p.to.units[k].key()
	if j, ok := p.find(i); ok {
		p.put[j] = want
		p.spot[k] = j
		return
	}
	if j, ok := p.owed[i]; ok {
		p.spot[k] = j
		if p.onto.units[j].key() != want {
			p.conflict(j, string(p.to.units[k].Raw), unit)
		}
		return
	}
	if id := p.ids[1][k]; p.extra[id] > 0 {
		p.extra[id]--
		return
	}
	line := 1
	if p.spot[k] = p.near[i] - 1; p.spot[k] >= 0 {
		line = p.onto.units[p.spot[k]].Line
	}
	p.conflicts = append(p.conflicts, Conflict{Line: line, Want: string(p.to.units[k].Raw), Base: string(unit.Raw)})
}

func (p *patch) conflict(j int, want string, base *Unit) {
	have := &p.onto.units[j]
	p.conflicts = append(p.conflicts, Conflict{Line: have.Line, Have: string(have.Raw), Want: want, Base: string(base.Raw)})
}

// putIn puts the new units of g in, each behind what precedes it. Blank lines
// go with the units around them: if all of those are there already, they stay
// out.
func (p *patch) putIn(g gap, changed []bool) {
	var news []int
	full, wanted := false, false
	for k := g.b0; k < g.b1; k++ {
		if changed[k] {
			continue
		}
		blank := p.to.units[k].Kind == KindBlank
		full = full || !blank
		if !blank && p.known(k) {
			continue
		}
		wanted = wanted || !blank
		news = append(news, k)
	}
	for _, k := range news {
		blank := p.to.units[k].Kind == KindBlank
		if blank && (full && !wanted || !full && p.known(k)) {
			continue
		}
		at := p.anchor(k)
		p.after[at] = append(p.after[at], p.to.units[k].key())
		p.spot[k] = at
	}
}

// known reports whether onto has unit k oftener than from has: it is there
// already. It counts each of those once.
func (p *patch) known(k int) bool {
	id := p.ids[1][k]
	if p.extra[id] <= 0 {
		return false
	}
	p.extra[id]--
	if places := p.places[id]; len(places) > 0 {
		p.spot[k] = places[0]
	}
	return true
}

// anchor returns the unit of onto behind which k goes, -1 for the top.
func (p *patch) anchor(k int) int {
	for at := k - 1; at >= 0; at-- {
		if p.spot[at] != unknown {
			return p.spot[at]
		}
	}
	for at := k + 1; at < len(p.spot); at++ {
		if p.spot[at] != unknown {
			return p.spot[at] - 1
		}
	}
	return len(p.onto.units) - 1
}

// write makes the new text. Every unit of onto keeps its bytes and line end; the
// file ends as onto ended.
func (p *patch) write() []byte {
	w := newWriter(p.onto)
	for j := -1; j < len(p.onto.units); j++ {
		if j >= 0 && !p.taken[j] {
			if text, ok := p.put[j]; ok {
				w.add(text, p.onto.lineEnd(j))
			} else {
				w.keep(p.onto, j)
			}
		}
		for _, text := range p.after[j] {
			w.add(text, "")
		}
	}
	return w.finish(len(p.onto.units) == 0 || p.onto.closed())
}

// closed reports whether the file ends with a line end.
func (f *File) closed() bool { return len(f.text) > 0 && f.text[len(f.text)-1] == '\n' }
