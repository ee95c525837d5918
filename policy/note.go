package policy

import (
	"strconv"
	"strings"

	"quipu/markdown"
)

// noteSpan is one note of a file: the units from and up to to. What it says of
// itself ends at said: a bullet under a bullet goes with the one above it, and
// is a note of its own as well. Its fact ends at fact: what stands indented under
// it after a blank line belongs to it, but is not the fact.
type noteSpan struct {
	from, to, said, fact int
	kept                 bool // a heading or a header: it stays whatever it says
}

// noteSpans returns the notes of f in the order in which they begin. A note may
// lie inside the one before it.
func noteSpans(f *markdown.File) []noteSpan {
	s := noteScan{units: f.Units(), closing: -1}
	var list []noteSpan
	for i := 0; i < len(s.units); {
		if s.units[i].Kind == markdown.KindBlank {
			s.table = false
			i++
			continue
		}
		n := s.note(i)
		list = append(list, n)
		i = n.said
	}
	return list
}

// says returns the text by which a note is judged: the fact of an entry with what
// belongs to it, and all of anything else. A reflection quotes the facts that it rests on.
func (n noteSpan) says(f *markdown.File) string {
	text := n.text(f, n.said)
	if u := f.Units()[n.from]; u.Entry != nil && isReflection(*u.Entry) {
		text += "\n" + u.Entry.Source
	}
	return text
}

// states returns the fact that a note states.
func (n noteSpan) states(f *markdown.File) string { return n.text(f, n.fact) }

func (n noteSpan) text(f *markdown.File, to int) string {
	units := f.Units()
	lines := make([]string, 0, to-n.from)
	for i, u := range units[n.from:to] {
		if i == 0 && u.Entry != nil {
			lines = append(lines, u.Entry.Text)
			continue
		}
		lines = append(lines, string(u.Raw))
	}
	return strings.Join(lines, "\n")
}

// live reports whether a note still holds on a day.
func (n noteSpan) live(f *markdown.File, today markdown.Date) bool {
	u := f.Units()[n.from]
	if u.Entry != nil {
		return !u.Entry.Struck && !expired(*u.Entry, today)
	}
	return !strings.HasPrefix(handBullet.ReplaceAllString(string(u.Raw), ""), "~~")
}

func (n noteSpan) raw(text []byte) string {
	return strings.ReplaceAll(string(trimLineEnd(text)), "\r\n", "\n")
}

// withoutNotes returns the text of f without notes, which are in their order and do not
// overlap. A line that is drawn under what goes never comes to underline the paragraph
// before it: that would make a heading of it.
func withoutNotes(f *markdown.File, gone []noteSpan) []byte {
	text, units, starts := f.Bytes(), f.Units(), unitStarts(f)
	out := make([]byte, 0, len(text))
	at, last := 0, -1 // the unit that stays before what goes
	for k, n := range gone {
		if k == 0 || gone[k-1].to < n.from {
			last = n.from - 1
		}
		out = append(out, text[at:starts[n.from]]...)
		at = starts[n.to]
		joined := n.to < len(units) && (k+1 == len(gone) || gone[k+1].from > n.to)
		if joined && last >= 0 && isProse(units[last]) && isUnderline(units[n.to]) {
			out = append(out, f.EOL()...)
		}
	}
	return append(out, text[at:]...)
}

func placeName(path string, line int) string { return path + ":" + strconv.Itoa(line) }
