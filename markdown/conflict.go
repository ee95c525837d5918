package markdown

import (
	"slices"
	"strings"
)

// conflictWord is the mark of a wording that a merge kept beside another one of
// the same note: ` · conflict 2026-11-30` at the end of an entry's first line, of
// a paragraph's last, or behind the opening fence of a block. The person takes
// one of the two out, or the mark off.
const conflictWord = "conflict"

// Open is a conflict that a merge left for the person.
type Open struct {
	// Line is the 1-based line of the marked wording.
	Line int
	// Other is the marked wording as it stands. Kept is the note that it is another
	// wording of, "" if that is gone or says something else by now. In a header, Other is
	// the comment.
	Other, Kept string
	// Since is the day of the merge.
	Since Date
}

// Conflicts returns the conflicts that stand open in a file, in their order.
func Conflicts(text []byte) []Open {
	if !strings.Contains(string(text), conflictWord+" ") {
		return nil
	}
	s := readSheet("", text, facts{})
	var list []Open
	for i, u := range s.f.units {
		if day, _, ok := cutHeadConflict(string(u.Raw)); ok && u.Kind == KindHeader {
			list = append(list, Open{Line: u.Line, Other: string(u.Raw), Kept: s.f.headKept(i), Since: day})
		}
	}
	for i, p := range s.pieces {
		day := p.conflict()
		if day.IsZero() {
			continue
		}
		list = append(list, Open{Line: p.Line, Other: p.key, Since: day, Kept: s.otherWording(i)})
	}
	return list
}

// otherWording returns the unmarked piece that says most like what marked piece i says,
// "" where none says nearly the same. Place alone tells nothing: later merges and the
// person put notes between.
func (s *sheet) otherWording(i int) string {
	p := s.pieces[i]
	own := words(unmarked(p))
	found, most := "", 0
	look := func(q *piece) {
		if q.Kind != p.Kind || !q.conflict().IsZero() || p.Entry != nil && q.Entry.Date != p.Entry.Date {
			return
		}
		theirs := words(q.key)
		if n := sharedWords(own, theirs); n > most && 2*n >= max(len(own), len(theirs)) {
			found, most = q.key, n
		}
	}
	for _, q := range slices.Backward(s.pieces[:i]) {
		look(q)
	}
	for _, q := range s.pieces[i+1:] {
		look(q)
	}
	return found
}

// Settled returns the raw text of a unit without its conflict mark, and raw as it
// is when it has none.
func Settled(raw string) string {
	p, ok := onePiece(plain(raw))
	if !ok || p.conflict().IsZero() {
		return raw
	}
	return unmarked(p)
}

// conflict returns the date of a piece's conflict mark, zero without one.
func (p *piece) conflict() Date {
	if !strings.Contains(p.key, dot+conflictWord+" ") {
		return Date{}
	}
	if p.Entry != nil {
		return p.Entry.Conflict
	}
	at, end := p.markLine()
	var e Entry
	e.takeMarks(p.key[at:end])
	return e.Conflict
}

// markLine returns where the line begins and ends that carries a piece's marks.
func (p *piece) markLine() (start, end int) {
	if p.Kind == KindLine {
		return strings.LastIndex(p.key, lf) + 1, len(p.key)
	}
	if i := strings.Index(p.key, lf); i >= 0 {
		return 0, i
	}
	return 0, len(p.key)
}

// unmarked returns the text of a piece without its conflict mark.
func unmarked(p *piece) string {
	day := p.conflict()
	if day.IsZero() {
		return p.key
	}
	at, end := p.markLine()
	mark := dot + conflictWord + " " + day.String()
	i := at + strings.LastIndex(p.key[at:end], mark)
	if i < at {
		return p.key
	}
	return p.key[:i] + p.key[i+len(mark):]
}

// marked returns a piece with the conflict mark of a day, in place of an earlier
// one. A piece that cannot carry one comes back as it is.
func marked(p *piece, day Date) *piece {
	bare, ok := onePiece(unmarked(p))
	if !ok || day.IsZero() {
		return p
	}
	_, end := bare.markLine()
	line := strings.TrimRight(bare.key[:end], " \t")
	out, ok := onePiece(line + dot + conflictWord + " " + day.String() + bare.key[end:])
	if !ok || out.Kind != p.Kind || out.conflict() != day || out.id != p.id {
		return p
	}
	return out
}
