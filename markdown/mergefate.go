package markdown

import (
	"cmp"
	"slices"
	"strings"
)

// archivePath is where notes go that are out of the way: what one side keeps in
// sight is not put away.
const archivePath = "memory/archive.md"

// decide settles what becomes of every track.
func (m *merge) decide() {
	for i := range m.tracks {
		m.fate(i)
	}
	m.once()
	m.restore()
}

// elsewhere reports whether a side states the fact of p in another track than i.
func (m *merge) elsewhere(side int, p *piece, i int) bool {
	if m.said[side] == nil {
		m.said[side] = make(map[string][]int, len(m.sides[side].all))
		for n, p := range m.sides[side].all {
			m.said[side][p.id] = append(m.said[side][p.id], m.ids[side][n])
		}
	}
	return slices.ContainsFunc(m.said[side][p.id], func(other int) bool { return other != i })
}

// fate settles what becomes of one track.
func (m *merge) fate(i int) {
	t := &m.tracks[i]
	a, b := m.kept(t.at[0]), m.kept(t.at[1])
	switch {
	case a == nil && b == nil, m.overruled(0, t), m.overruled(1, t):
	case a == nil:
		t.survive(b)
	case b == nil:
		t.survive(a)
	default:
		t.path = t.place()
		switch {
		case a.key == b.key || t.knows(b) && !t.knows(a):
			t.out = []*piece{a}
		case t.knows(a) && !t.knows(b):
			t.out = []*piece{b}
		default:
			m.combine(i)
		}
	}
}

// kept is what a side has of a track, nil where that is forgotten.
func (m *merge) kept(p *piece) *piece {
	if p != nil && m.gone != nil && p.forgotten(m.gone) {
		return nil
	}
	return p
}

// overruled reports whether p, which a side has of what the other took out, is a
// rewording of something that is forgotten. Where p does not stand before what that
// stood before, it is another note, which was only taken for it.
func (m *merge) overruled(side int, t *track) bool {
	p := t.at[side]
	if m.gone == nil || t.at[1-side] != nil || p == nil {
		return false
	}
	return slices.ContainsFunc(t.base, func(was *piece) bool {
		return was.forgotten(m.gone) && was.path == p.path && m.precedes(side, p, was)
	})
}

// precedes reports whether a side has behind p what stood behind was in its base. Behind
// what was added there is nothing of that.
func (m *merge) precedes(side int, p, was *piece) bool {
	behind := func(v *version, p *piece) *piece {
		if p.n+1 == len(v.all) || v.all[p.n+1].path != p.path {
			return nil
		}
		return v.all[p.n+1]
	}
	for _, base := range m.bases {
		if was.n >= len(base.all) || base.all[was.n] != was {
			continue
		}
		x, y := behind(m.sides[side], p), behind(base, was)
		return x != nil && y != nil && slices.Contains(m.tracks[m.ids[side][x.n]].base, y)
	}
	return false
}

// forgotten asks for what a piece says. Headings stay whatever they say, and what
// belongs to the header.
func (p *piece) forgotten(gone func(text string) bool) bool {
	switch {
	case p.Entry != nil:
		return gone(p.Entry.Text)
	case p.fixed || p.Kind == KindHeader || p.Kind == KindBlank || p.Kind == KindLine && isHeading(p.key):
		return false
	}
	return gone(p.key)
}

// survive keeps what only one side has, unless the other took it out and this one
// did not change what it says.
func (t *track) survive(p *piece) {
	t.path = p.path
	if len(t.base) == 0 || !t.knows(p) && !t.putAway(p) {
		t.out = []*piece{p}
	}
}

// knows reports whether a base has this wording.
func (t *track) knows(p *piece) bool {
	return slices.ContainsFunc(t.base, func(was *piece) bool { return was.key == p.key })
}

// putAway reports whether nothing but the marks of upkeep was added to a piece.
func (t *track) putAway(p *piece) bool {
	n, ok := p.note()
	return ok && slices.ContainsFunc(t.base, func(was *piece) bool {
		old, ok := was.note()
		old.Moved, old.Expired = n.Moved, n.Expired
		return ok && old == n
	})
}

// place returns the file where a piece ends that both sides have: the one to which
// it was moved.
func (t *track) place() string {
	a, b := t.at[0].path, t.at[1].path
	from := func(path string) bool {
		return slices.ContainsFunc(t.base, func(was *piece) bool { return was.path == path })
	}
	switch {
	case a == b || from(b) && !from(a):
		return a
	case from(a) && !from(b):
		return b
	}
	if c := cmp.Or(putAwayIn(a)-putAwayIn(b), cmp.Compare(a, b)); c < 0 {
		return a
	}
	return b
}

func putAwayIn(path string) int {
	if path == archivePath {
		return 1
	}
	return 0
}

// combine joins two changed wordings of one note, or keeps both.
func (m *merge) combine(i int) {
	t := &m.tracks[i]
	a, b := t.at[0], t.at[1]
	if joined, ok := t.join(); ok {
		t.out = []*piece{joined}
		return
	}
	first, second := a, b
	if rank(b, a) < 0 {
		first, second = b, a
	}
	switch knowsB, knowsA := m.elsewhere(0, b, i), m.elsewhere(1, a, i); {
	case knowsA && knowsB:
		t.out = []*piece{first}
	case knowsB: // a has seen the wording of b and keeps both
		t.out = []*piece{a}
	case knowsA:
		t.out = []*piece{b}
	default:
		t.out = []*piece{first, marked(second, m.day)}
		t.both = &MergeConflict{Path: t.path, Kept: first.key, Other: second.key}
		if len(t.base) > 0 {
			t.both.Base = t.base[0].key
		}
	}
}

// rank orders two wordings of one note, the one that stays unmarked first: the one
// that was updated last, and else by its text.
func rank(a, b *piece) int {
	x, y := a.updated(), b.updated()
	if marked, other := !a.conflict().IsZero(), !b.conflict().IsZero(); marked != other {
		if marked {
			return 1
		}
		return -1
	}
	return cmp.Or(y.Compare(x), strings.Compare(a.key, b.key))
}

func (p *piece) updated() Date {
	n, ok := p.note()
	if !ok {
		return Date{}
	}
	return n.Updated
}

// join merges two wordings field by field, or is false where both sides changed
// what the note says.
func (t *track) join() (*piece, bool) {
	a, okA := t.at[0].note()
	b, okB := t.at[1].note()
	if !okA || !okB || a.hand != b.hand {
		return nil, false
	}
	var out note
	ok := false
	if was, known := t.was(); known && was.hand == a.hand {
		out, ok = joinNotes(was, a, b)
	} else {
		out, ok = joinAdded(a, b, t.at[0].key, t.at[1].key)
	}
	switch {
	case !ok:
		return nil, false
	case out == a:
		return t.at[0], true
	case out == b:
		return t.at[1], true
	}
	return out.written()
}

// was returns the note that both sides changed.
func (t *track) was() (note, bool) {
	if len(t.base) == 0 {
		return note{}, false
	}
	return t.base[0].note()
}

// three returns what becomes of a value that both sides may have changed. It is
// false when they changed it differently.
func three[T comparable](base, a, b T) (T, bool) {
	switch {
	case a == b || b == base:
		return a, true
	case a == base:
		return b, true
	}
	return a, false
}

// joinNotes merges two notes that grew from one. Of two dates of a mark the later
// counts, of two dates of the note itself the earlier.
func joinNotes(was, a, b note) (note, bool) {
	out := a
	var oks [5]bool
	out.lead, oks[0] = three(was.lead, a.lead, b.lead)
	out.Text, oks[1] = three(was.Text, a.Text, b.Text)
	if !oks[1] && !strings.Contains(a.Text+b.Text, lf) && Identity(a.Text) == Identity(b.Text) {
		out.Text, oks[1] = min(a.Text, b.Text), true
	}
	out.Source, oks[2] = three(was.Source, a.Source, b.Source)
	out.Noticed, _ = three(was.Noticed, a.Noticed, b.Noticed)
	out.Struck, _ = three(was.Struck, a.Struck, b.Struck)
	out.Until, oks[3] = three(was.Until, a.Until, b.Until)
	if out.Struck && !was.Struck && !oks[3] {
		out.Until, oks[3] = Date{}, true // a struck note needs no last day
	}
	oks[4] = true
	out.Form, _ = three(was.Form, a.Form, b.Form)
	if !joinDates(&out, was, a, b) {
		out.Date, out.Clock = b.Date, b.Clock
	}
	joinMarks(&out.Entry, was.Entry, a.Entry, b.Entry)
	return out, !slices.Contains(oks[:], false)
}

// joinDates sets the date and time of a note; false chooses those of b.
func joinDates(out *note, was, a, b note) bool {
	type stamp struct {
		day   Date
		clock string
	}
	s, ok := three(stamp{was.Date, was.Clock}, stamp{a.Date, a.Clock}, stamp{b.Date, b.Clock})
	if !ok {
		return cmp.Or(a.Date.Compare(b.Date), strings.Compare(a.Clock, b.Clock)) < 0
	}
	out.Date, out.Clock = s.day, s.clock
	return true
}

// joinMarks merges the dates of all marks but until.
func joinMarks(out *Entry, was, a, b Entry) {
	for _, word := range marks {
		if word == "until" {
			continue
		}
		day, ok := three(*was.mark(word), *a.mark(word), *b.mark(word))
		if other := *b.mark(word); !ok && day.Before(other) {
			day = other
		}
		*out.mark(word) = day
	}
}

// joinAdded merges the same fact, added on both sides: it is as old as the first
// of the two, and whoever was told it counts for more than who noticed it.
func joinAdded(a, b note, keyA, keyB string) (note, bool) {
	if cmp.Or(a.Date.Compare(b.Date), told(a)-told(b), strings.Compare(keyA, keyB)) > 0 {
		a, b = b, a
	}
	out := a
	if a.Text != b.Text && Identity(a.Text) != Identity(b.Text) || strings.Contains(a.Text+b.Text, lf) && a.Text != b.Text {
		return out, false
	}
	out.Struck = a.Struck || b.Struck
	var ok bool
	out.Until, ok = three(Date{}, a.Until, b.Until)
	joinMarks(&out.Entry, Entry{}, a.Entry, b.Entry)
	return out, ok
}

func told(n note) int {
	if n.Noticed {
		return 1
	}
	return 0
}
