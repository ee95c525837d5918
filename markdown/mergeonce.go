package markdown

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// spot is one piece of the result: its track, and which of its wordings.
type spot struct{ track, out int }

// once takes out what would stand oftener than on either side: a fact that one
// side put in one place and the other in another.
func (m *merge) once() {
	spots := m.introduced()
	maps.DeleteFunc(spots, func(_ string, list []spot) bool { return len(list) < 2 })
	if len(spots) == 0 {
		return
	}
	many := map[string]int{}
	for s := range m.sides {
		counts := map[string]int{}
		for _, p := range m.sides[s].all {
			if said := p.said(); spots[said] != nil {
				counts[said]++
				many[said] = max(many[said], counts[said])
			}
		}
	}
	for said, list := range spots {
		over := len(list) - max(1, many[said])
		if over <= 0 {
			continue
		}
		slices.SortStableFunc(list, func(x, y spot) int {
			p, q := &m.tracks[x.track], &m.tracks[y.track]
			return cmp.Or(p.weight(x.out)-q.weight(y.out), cmp.Compare(q.path, p.path), y.track-x.track)
		})
		for _, s := range list {
			if t := &m.tracks[s.track]; over > 0 && !t.always(said) {
				t.out[s.out], t.both = nil, nil
				over--
			}
		}
	}
	for i := range m.tracks {
		t := &m.tracks[i]
		t.out = slices.DeleteFunc(t.out, func(p *piece) bool { return p == nil })
	}
}

// introduced returns where each fact stands that is new to some place.
func (m *merge) introduced() map[string][]spot {
	spots := map[string][]spot{}
	for _, isNew := range []bool{true, false} {
		for i := range m.tracks {
			t := &m.tracks[i]
			if len(t.out) == 1 && t.knows(t.out[0]) && (isNew || len(spots) == 0) {
				continue
			}
			for j, p := range t.out {
				said := p.said()
				if _, known := spots[said]; said != "" && t.always(said) != isNew && (isNew || known) {
					spots[said] = append(spots[said], spot{i, j})
				}
			}
		}
	}
	return spots
}

// always reports whether a base has the fact in this track.
func (t *track) always(said string) bool {
	return slices.ContainsFunc(t.base, func(was *piece) bool { return was.said() == said })
}

// said names a live entry by its fact, "" for everything else.
func (p *piece) said() string {
	switch {
	case p.Entry == nil || p.Entry.Struck:
		return ""
	case strings.Contains(p.Entry.Text, lf):
		return p.Entry.Text // in a block of code white space counts
	}
	return p.id
}

// weight says what goes last of several that say the same: what is in sight and
// not marked.
func (t *track) weight(out int) int {
	if !t.out[out].conflict().IsZero() {
		return 0
	}
	return 2 - putAwayIn(t.path)
}

// restore puts back what would be lost: what a side added, or both sides have. It
// happens where pieces say so much the same that one was taken for another.
func (m *merge) restore() {
	var now map[string]bool
	for s, v := range m.sides {
		for n, p := range v.all {
			t := &m.tracks[m.ids[s][n]]
			if t.states(p) || m.kept(p) == nil || m.overruled(s, t) || !m.owed(s, p) {
				continue
			}
			if now == nil {
				now = m.stated()
			}
			if now[p.id] {
				continue
			}
			if now[p.id] = true; len(t.out) == 0 {
				t.path = p.path
			}
			t.out = append(t.out, p)
		}
	}
}

// states reports whether a track ends as the fact of p.
func (t *track) states(p *piece) bool {
	return slices.ContainsFunc(t.out, func(q *piece) bool { return q == p || q.id == p.id })
}

// owed reports whether the fact of p, which side s has, must be in the result: the
// other side has it too, or no base had it.
func (m *merge) owed(s int, p *piece) bool {
	if m.elsewhere(1-s, p, -1) {
		return true
	}
	if m.old == nil {
		m.old = map[string]bool{}
		for _, base := range m.bases {
			for _, was := range base.all {
				m.old[was.id] = true
			}
		}
	}
	return !m.old[p.id]
}

// stated returns the facts of the result.
func (m *merge) stated() map[string]bool {
	now := map[string]bool{}
	for i := range m.tracks {
		for _, p := range m.tracks[i].out {
			now[p.id] = true
		}
	}
	return now
}
