package policy

import (
	"strconv"
	"strings"

	"quipu/markdown"
)

// noteSpan is one note of a file: the units from and up to to. What it says of
// itself ends at said: a bullet under a bullet goes with the one above it, and
// is a note of its own as well.
type noteSpan struct {
	from, to, said int
	kept           bool // a heading or a header: it stays whatever it says
}

// noteSpans returns the notes of f in the order in which they begin. A note may
// lie inside the one before it.
func noteSpans(f *markdown.File) []noteSpan {
	units := f.Units()
	var list []noteSpan
	for i := 0; i < len(units); {
		n := noteSpan{from: i, to: i + 1, said: i + 1}
		line := string(units[i].Raw)
		switch units[i].Kind {
		case markdown.KindBlank:
			i++
			continue
		case markdown.KindHeader:
			n.kept = true
			for n.to < len(units) && units[n.to].Kind == markdown.KindHeader {
				n.to++
			}
			n.said = n.to
		case markdown.KindLine:
			n = lineNote(units, i, line)
		}
		list = append(list, n)
		i = n.said
	}
	return list
}

// lineNote returns the note that a hand-written line begins.
func lineNote(units []markdown.Unit, i int, line string) noteSpan {
	n := noteSpan{from: i, to: i + 1, said: i + 1}
	switch {
	case isHeading(line) || isRuleLine(line) || isRow(line) && i+1 < len(units) && isRuleLine(string(units[i+1].Raw)):
		n.kept = true
	case isBullet(line):
		for n.said < len(units) && under(units[n.said], line) && !isBullet(string(units[n.said].Raw)) {
			n.said++
		}
		n.to = n.said
		for n.to < len(units) && under(units[n.to], line) {
			n.to++
		}
	case !isRow(line):
		for n.to < len(units) && goesOn(units[n.to]) {
			n.to++
		}
		n.said = n.to
	}
	return n
}

// under reports whether a unit is indented deeper than a bullet's line.
func under(u markdown.Unit, bullet string) bool {
	return (u.Kind == markdown.KindLine || u.Kind == markdown.KindFence) && indentOf(string(u.Raw)) > indentOf(bullet)
}

// goesOn reports whether a unit is one more line of the paragraph before it.
func goesOn(u markdown.Unit) bool {
	line := string(u.Raw)
	return u.Kind == markdown.KindLine && !isHeading(line) && !isBullet(line) && !isRow(line) && !isRuleLine(line)
}

func isBullet(line string) bool { return handBullet.MatchString(line + " ") }

func isRow(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

// isRuleLine reports whether a line only draws a line, or rules off a table.
func isRuleLine(line string) bool {
	return strings.Trim(line, "-=*_|: \t\r") == "" && strings.Count(line, "-")+strings.Count(line, "=")+strings.Count(line, "*")+strings.Count(line, "_") >= 3
}

// indentOf returns how far a line is indented, a tab counting to the next four.
func indentOf(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// says returns the text by which a note is judged: the fact of an entry, and
// all of anything else.
func (n noteSpan) says(f *markdown.File) string {
	units := f.Units()
	if e := units[n.from].Entry; e != nil {
		return e.Text
	}
	lines := make([]string, 0, n.said-n.from)
	for _, u := range units[n.from:n.said] {
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

func placeName(path string, line int) string { return path + ":" + strconv.Itoa(line) }
