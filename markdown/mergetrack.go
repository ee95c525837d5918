package markdown

import "slices"

// merge is one run of Merge. Side 0 is the later one.
type merge struct {
	bases  []*version
	sides  [2]*version
	ids    [2][]int // for each piece of a side, its track
	tracks []track
	day    Date
	gone   func(text string) bool
	known  facts
	said   [2]map[string][]int // for each fact, its tracks on a side
	old    map[string]bool     // the facts of the bases
}

// track is one piece on its way from the bases to both sides.
type track struct {
	base []*piece  // its wordings in the bases, none for an addition
	at   [2]*piece // nil where it is gone

	path string   // where it ends
	out  []*piece // nothing, itself, or two wordings
	both *MergeConflict
	lead string
}

func newMerge(bases []map[string][]byte, a, b Side, gone func(text string) bool) *merge {
	m := &merge{day: a.At, gone: gone, known: make(facts, linesIn(a.Files))}
	var like *version
	for _, base := range bases {
		like = readVersion(base, like, m.known)
		m.bases = append(m.bases, like)
	}
	m.sides = [2]*version{readVersion(a.Files, like, m.known), readVersion(b.Files, like, m.known)}
	m.trackBases()
	m.pairAdditions()
	return m
}

// trackBases makes a track of each piece of the bases and finds it on the sides.
func (m *merge) trackBases() {
	for s, v := range m.sides {
		m.ids[s] = slices.Repeat([]int{-1}, len(v.all))
	}
	known := make([][]int, len(m.bases)) // for each piece of a base, its track
	for k, base := range m.bases {
		known[k] = slices.Repeat([]int{-1}, len(base.all))
		for earlier := range k {
			for i, j := range follow(m.bases[earlier], base) {
				if j >= 0 && known[k][j] < 0 {
					t := known[earlier][i]
					known[k][j] = t
					m.tracks[t].base = append(m.tracks[t].base, base.all[j])
				}
			}
		}
		for i, p := range base.all {
			if known[k][i] < 0 {
				known[k][i] = len(m.tracks)
				m.tracks = append(m.tracks, track{base: []*piece{p}})
			}
		}
	}
	for k, base := range m.bases {
		for s, v := range m.sides {
			for i, j := range follow(base, v) {
				if j < 0 || m.ids[s][j] >= 0 || m.tracks[known[k][i]].at[s] != nil {
					continue
				}
				m.ids[s][j] = known[k][i]
				m.tracks[known[k][i]].at[s] = v.all[j]
			}
		}
	}
	m.swapEqual()
}

// swapEqual tells equal pieces of a base apart so that what both sides have kept of
// them is one and the same: if each changed another one, neither changed both.
func (m *merge) swapEqual() {
	for s := range m.sides {
		spare := map[string][]int{} // tracks that are changed here and stand there as they were
		for i := range m.tracks {
			if t := &m.tracks[i]; !t.still(s) && t.still(1-s) {
				spare[t.base[0].key] = append(spare[t.base[0].key], i)
			}
		}
		for i := range m.tracks {
			t := &m.tracks[i]
			list := spare[t.base[0].key]
			if len(list) == 0 || !t.still(s) || t.still(1-s) {
				continue
			}
			spare[t.base[0].key] = list[1:]
			m.swap(1-s, i, list[0])
		}
	}
}

// still reports whether a side has a piece as it was.
func (t *track) still(side int) bool { return t.at[side] != nil && t.at[side].key == t.base[0].key }

// swap exchanges what a side has of two tracks.
func (m *merge) swap(side, i, j int) {
	x, y := &m.tracks[i], &m.tracks[j]
	x.at[side], y.at[side] = y.at[side], x.at[side]
	for _, t := range []int{i, j} {
		if p := m.tracks[t].at[side]; p != nil {
			m.ids[side][p.n] = t
		}
	}
}

// pairAdditions makes tracks of what no base has. What both sides added is one
// track: in the same file, or as an entry in two files.
func (m *merge) pairAdditions() {
	names := []func(*piece) string{
		func(p *piece) string { return p.path + "\x00" + p.key },
		func(p *piece) string { return p.path + "\x00" + p.id },
		func(p *piece) string {
			if p.Entry == nil {
				return ""
			}
			return p.id
		},
	}
	for _, name := range names {
		places := map[string][]*piece{}
		for _, p := range m.sides[1].all {
			if m.ids[1][p.n] < 0 {
				places[name(p)] = append(places[name(p)], p)
			}
		}
		for _, p := range m.sides[0].all {
			if m.ids[0][p.n] >= 0 {
				continue
			}
			if s := name(p); s != "" && len(places[s]) > 0 {
				found := places[s]
				places[s] = found[1:]
				m.ids[0][p.n], m.ids[1][found[0].n] = len(m.tracks), len(m.tracks)
				m.tracks = append(m.tracks, track{at: [2]*piece{p, found[0]}})
			}
		}
	}
	for s, v := range m.sides {
		for i, p := range v.all {
			if m.ids[s][i] < 0 {
				m.ids[s][i] = len(m.tracks)
				t := track{}
				t.at[s] = p
				m.tracks = append(m.tracks, t)
			}
		}
	}
}

// linesIn is about how many lines some notes have.
func linesIn(files map[string][]byte) int {
	const usual = 64 // bytes of a line
	n := 0
	for _, text := range files {
		n += len(text) / usual
	}
	return n
}
