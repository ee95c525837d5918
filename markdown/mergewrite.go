package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// write makes one file of the result. It is false when the text would not read
// back as the pieces that it was made of.
func (m *merge) write(path string, out *Merged) bool {
	d := m.draft(path)
	order := m.order(path)
	if len(order) == 0 && !d.stays() {
		return true
	}
	d.head, d.conflicts = d.mergeHead(m.day)
	d.style = d.pickStyle()
	for _, i := range order {
		d.add(&m.tracks[i])
	}
	s := d.untouched()
	if s == nil {
		if s = readSheet("", d.text(), m.known); !d.reads(s) {
			return false
		}
	}
	out.Files[path] = s.f.text
	d.report(path, s, out)
	return true
}

// report tells the conflicts of a file, with the lines that they have in the result.
func (d *draft) report(path string, s *sheet, out *Merged) {
	for _, c := range d.conflicts {
		c.Path = path
		for _, u := range s.f.units {
			if u.Kind == KindHeader && c.is(Open{Other: string(u.Raw)}) {
				c.Line = u.Line
				break
			}
		}
		out.Conflicts = append(out.Conflicts, c)
	}
	for i, p := range d.pieces {
		if p.both != nil {
			p.both.Line = s.pieces[i].Line
			out.Conflicts = append(out.Conflicts, *p.both)
		}
	}
}

// draft is one file on its way to the result.
type draft struct {
	at    [2]*sheet // nil where a side has no such file
	bases []*sheet  // those that there are

	head      string
	style     *sheet // gives line ends and byte order mark
	pieces    []placed
	conflicts []MergeConflict
}

// placed is one piece of the result.
type placed struct {
	*piece
	lead string
	own  *piece         // the same piece in the sheet that gives the style, or nil
	both *MergeConflict // of which this is the marked wording
}

func (m *merge) draft(path string) *draft {
	d := &draft{at: [2]*sheet{m.sides[0].sheets[path], m.sides[1].sheets[path]}}
	for _, base := range m.bases {
		if s := base.sheets[path]; s != nil {
			d.bases = append(d.bases, s)
		}
	}
	return d
}

// stays reports whether a file in which no piece is left is there all the same.
func (d *draft) stays() bool {
	if d.at[0] != nil && d.at[1] != nil {
		return true
	}
	s := cmp.Or(d.at[0], d.at[1])
	if len(d.bases) == 0 {
		return len(s.pieces) == 0 || s.head != ""
	}
	return s.head != "" && !slices.ContainsFunc(d.bases, func(was *sheet) bool { return was.head == s.head })
}

func (d *draft) mergeHead(day Date) (string, []MergeConflict) {
	if d.at[0] == nil || d.at[1] == nil {
		return cmp.Or(d.at[0], d.at[1]).head, nil
	}
	var heads []string
	for _, was := range d.bases {
		heads = append(heads, was.head)
	}
	return mergeHeads(heads, d.at[0].head, d.at[1].head, day)
}

// either returns what becomes of a quality of the file: what one side changed
// wins, and else that of side 0.
func either[T comparable](d *draft, of func(*sheet) T) T {
	switch {
	case d.at[1] == nil:
		return of(d.at[0])
	case d.at[0] == nil:
		return of(d.at[1])
	}
	a, b := of(d.at[0]), of(d.at[1])
	if slices.ContainsFunc(d.bases, func(was *sheet) bool { return of(was) == a }) {
		return b
	}
	return a
}

// pickStyle returns the sheet whose line ends the file gets.
func (d *draft) pickStyle() *sheet {
	type look struct {
		bom int
		eol string
	}
	style := either(d, func(s *sheet) look { return look{s.f.bom, s.f.eol} })
	whole := either(d, func(s *sheet) string { return string(s.f.text) })
	var found *sheet
	for _, s := range d.at {
		if s == nil || (look{s.f.bom, s.f.eol}) != style {
			continue
		}
		if found == nil || string(s.f.text) == whole {
			found = s
		}
	}
	return found
}

// add puts what a track comes to at the end of the file.
func (d *draft) add(t *track) {
	for j, p := range t.out {
		lead := t.lead
		if j > 0 {
			lead = ""
		}
		if n := len(d.pieces); lead == "" && n > 0 && !d.pieces[n-1].beside(p) {
			lead = lf
		}
		next := placed{piece: p, lead: lead}
		if j == 1 {
			next.both = t.both
		}
		for s, own := range t.at {
			if own != nil && j == 0 && own.key == p.key && own.path == t.path && d.at[s] == d.style {
				next.own = own
			}
		}
		d.pieces = append(d.pieces, next)
	}
}

// beside reports whether another piece may follow with no blank line: what stood
// so on a side, and what does not flow together.
func (p placed) beside(next *piece) bool {
	if p.prose() && next.prose() {
		return false
	}
	return next.Kind != KindFence && (p.Entry == nil || depth(next.key) == 0 && !startsFence(next.key))
}

// untouched returns the sheet of a side that has every piece of the result, if the
// other side did not change the file, else nil.
func (d *draft) untouched() *sheet {
	for i, s := range d.at {
		other := d.at[1-i]
		if s == nil || s.head != d.head || len(s.pieces) != len(d.pieces) {
			continue
		}
		if other != nil && !slices.ContainsFunc(d.bases, func(was *sheet) bool { return bytes.Equal(was.f.text, other.f.text) }) {
			continue
		}
		if slices.EqualFunc(s.pieces, d.pieces, func(p *piece, q placed) bool { return p.Kind == q.Kind && p.key == q.key }) {
			return s
		}
	}
	return nil
}

// text writes the file.
func (d *draft) text() []byte {
	f := d.style.f
	out := slices.Clone(f.text[:f.bom])
	add := func(text string) { out = append(out, f.nativeUnit(text)...) }
	if d.head == d.style.head && d.head != "" {
		out = append(out, f.text[f.bom:f.header.End]...)
		if !strings.HasSuffix(string(out), lf) {
			add(lf)
		}
	} else {
		add(d.head)
	}
	for _, p := range d.pieces {
		add(p.lead)
		if p.own != nil {
			out = append(out, p.own.Raw...)
			out = append(out, cmp.Or(p.own.end, f.eol)...)
			continue
		}
		add(p.key + lf)
	}
	add(either(d, func(s *sheet) string { return s.tail }))
	if !either(d, func(s *sheet) bool { return len(s.f.text) == 0 || s.f.closed() }) {
		out = bytes.TrimSuffix(out, []byte(f.eol))
	}
	return out
}

// reads reports whether a text has the header and the pieces that it was made of.
func (d *draft) reads(s *sheet) bool {
	if s.head != d.head || len(s.pieces) != len(d.pieces) {
		return false
	}
	for i, p := range s.pieces {
		if p.Kind != d.pieces[i].Kind || p.key != d.pieces[i].key {
			return false
		}
	}
	return true
}
