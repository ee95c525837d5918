package markdown

import "cmp"

// PairKind says what happened to a unit.
type PairKind uint8

// The kinds of pairs.
const (
	// Changed has both sides.
	Changed PairKind = iota
	// Added has no Before.
	Added
	// Removed has no After.
	Removed
)

// Pair is a unit on its way from one version of a file to the next. Before is
// nil if the unit was added, After is nil if it was removed.
type Pair struct{ Before, After *Unit }

// Kind says which of the two sides there are.
func (p Pair) Kind() PairKind {
	switch {
	case p.Before == nil:
		return Added
	case p.After == nil:
		return Removed
	default:
		return Changed
	}
}

// pairWindow is how many units of a changed region are looked through for the
// other wording of one: it bounds the time for a file that was written anew.
const pairWindow = 32

// Pairs returns how the units went from before to after, in the order of the
// file. Units that did not change and blank lines are not listed. Inside a
// changed region units pair by the identity of their facts, then in order when
// the two share words; a unit that moved is removed here and added there.
func Pairs(before, after []byte) []Pair {
	a, b := Parse("", before).units, Parse("", after).units
	t := table{}
	var pairs []Pair
	for _, g := range align(t.units(a), t.units(b)) {
		pairs = append(pairs, gapPairs(a[g.a0:g.a1], b[g.b0:g.b1])...)
	}
	return pairs
}

func gapPairs(a, b []Unit) []Pair {
	to := pairUp(a, b)
	var pairs []Pair
	j := 0
	add := func(end int, taken map[int]bool) {
		for ; j < end; j++ {
			if !taken[j] && b[j].Kind != KindBlank {
				pairs = append(pairs, Pair{After: &b[j]})
			}
		}
	}
	taken := map[int]bool{}
	for _, k := range to {
		taken[k] = true
	}
	for i := range a {
		if a[i].Kind == KindBlank {
			continue
		}
		if to[i] < 0 {
			pairs = append(pairs, Pair{Before: &a[i]})
			continue
		}
		add(to[i], taken)
		pairs = append(pairs, Pair{Before: &a[i], After: &b[to[i]]})
	}
	add(len(b), taken)
	return pairs
}

// pairUp returns for each unit of a the unit of b that is the same note, changed,
// or -1. Blank lines pair with nothing.
func pairUp(a, b []Unit) []int {
	to := make([]int, len(a))
	taken := make([]bool, len(b))
	byFact := map[string][]int{}
	for j := range b {
		if fact := b[j].fact(); fact != "" {
			byFact[fact] = append(byFact[fact], j)
		}
	}
	for i := range a {
		to[i] = -1
		fact := a[i].fact()
		if places := byFact[fact]; fact != "" && len(places) > 0 {
			to[i], byFact[fact] = places[0], places[1:]
			taken[places[0]] = true
		}
	}
	pairAlike(a, b, to, taken)
	return to
}

// pairAlike pairs what is left in order, by the words that are shared.
func pairAlike(a, b []Unit, to []int, taken []bool) {
	known := make([]map[string]bool, len(b))
	low := 0
	for i := range a {
		if to[i] >= 0 || a[i].Kind == KindBlank {
			continue
		}
		own := words(a[i].wording())
		for low < len(b) && taken[low] {
			low++
		}
		for j := low; j < min(len(b), low+pairWindow); j++ {
			if taken[j] || b[j].Kind == KindBlank || (a[i].Kind == KindHeader) != (b[j].Kind == KindHeader) {
				continue
			}
			if known[j] == nil {
				known[j] = words(b[j].wording())
			}
			if alike(own, known[j]) {
				to[i], taken[j], low = j, true, j+1
				break
			}
		}
	}
}

// wording is the text that two wordings of one note share: no date, no source.
func (u *Unit) wording() string {
	const enough = 4096 // bytes: more than any note that a person compares
	text := string(u.Raw)
	if u.Entry != nil {
		text = u.Entry.Text
	}
	return text[:min(len(text), enough)]
}

// fact is the identity of the unit's fact, struck or not, "" for a blank line.
func (u *Unit) fact() string {
	if u.Entry != nil {
		return Identity(u.Entry.Text)
	}
	if u.Kind != KindLine {
		return ""
	}
	_, body := cutHandBullet(string(u.Raw))
	return Identity(trimStrike(dropMarks(body)))
}

// byLine orders conflicts as they stand in the file.
func byLine(a, b Conflict) int { return cmp.Compare(a.Line, b.Line) }
