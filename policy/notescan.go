package policy

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

// noteScan finds where the notes of a file begin and end.
type noteScan struct {
	units    []markdown.Unit
	table    bool // the line before is a part of a table
	closing  int  // the line that ends a comment in which notes stand, -1
	unclosed bool // no line further on ends a comment
}

var (
	// definition begins a footnote, or says where a link goes.
	definition = regexp.MustCompile(`^ {0,3}\[[^\]]+\]:`)
	// delimiter rules off the head of a table.
	delimiter = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$`)
)

const footnoteColumn = 4 // from which a paragraph belongs to the footnote above

func (s *noteScan) raw(i int) string { return string(s.units[i].Raw) }

// note returns the note that unit i, which is not blank, begins.
func (s *noteScan) note(i int) noteSpan {
	n := noteSpan{from: i, to: i + 1, said: i + 1}
	inTable := s.table
	s.table = false
	switch s.units[i].Kind {
	case markdown.KindHeader:
		n.kept = true
		for n.to < len(s.units) && s.units[n.to].Kind == markdown.KindHeader {
			n.to++
		}
		n.said = n.to
	case markdown.KindEntry:
		first, _, _ := strings.Cut(s.raw(i), "\n")
		s.item(&n, contentColumn(first))
	case markdown.KindLine:
		s.line(&n, inTable)
	}
	if n.fact == 0 {
		n.fact = n.said
	}
	return n
}

// line finds the end of the note that a hand-written line begins.
func (s *noteScan) line(n *noteSpan, inTable bool) {
	line := s.raw(n.from)
	switch {
	case isHeading(line) || isRuleLine(line) || n.from == s.closing:
		n.kept = true
	case isBullet(line):
		s.item(n, contentColumn(line))
	case s.heads(n.from):
		n.kept, s.table = true, true
		n.to, n.said = n.from+2, n.from+2
	case isRow(line) || inTable:
		s.table = inTable
	case opensComment(line) && n.from > s.closing && !s.unclosed:
		s.comment(n)
	case definition.MatchString(line):
		s.paragraph(n, func(i int) bool { return !definition.MatchString(s.raw(i)) })
		s.item(n, footnoteColumn)
	default:
		s.paragraph(n, func(int) bool { return true })
		s.underline(n)
	}
}

// item takes in what belongs to a bullet, an entry or a footnote: the lines that are
// indented deeper than its own, and after a blank line those that begin at the column
// of its text or deeper.
func (s *noteScan) item(n *noteSpan, column int) {
	deeper := indentOf(s.raw(n.from)) + 1
	own, from := true, deeper
	for i := n.to; i < len(s.units); i++ {
		u := s.units[i]
		if u.Kind == markdown.KindBlank {
			from = column
			if n.fact == 0 {
				n.fact = n.said
			}
			continue
		}
		if u.Kind != markdown.KindLine && u.Kind != markdown.KindFence || indentOf(s.raw(i)) < from {
			return
		}
		from = deeper
		if own = own && !isBullet(s.raw(i)); own {
			n.said = i + 1
		}
		n.to = i + 1
	}
}

// paragraph takes in the lines that go on with it.
func (s *noteScan) paragraph(n *noteSpan, also func(i int) bool) {
	for n.to < len(s.units) && s.goesOn(n.to) && also(n.to) {
		n.to++
	}
	n.said = n.to
}

// underline makes a heading of one line that is underlined; a line that is drawn under
// several is a part of that note.
func (s *noteScan) underline(n *noteSpan) {
	if n.to == len(s.units) || !isUnderline(s.units[n.to]) || !isProse(s.units[n.to-1]) {
		return
	}
	n.kept = n.to == n.from+1
	n.to++
	n.said = n.to
}

// comment takes in a comment to its end, over blank lines. When notes stand in it, they
// are notes of their own, and only its first and last line are kept. One that does not
// end claims nothing.
func (s *noteScan) comment(n *noteSpan) {
	notes := false
	for i := n.to; i < len(s.units); i++ {
		raw := s.raw(i)
		if strings.Contains(raw, "-->") {
			if n.kept = notes; notes {
				s.closing = i
			} else {
				n.to, n.said = i+1, i+1
			}
			return
		}
		kind := s.units[i].Kind
		notes = notes || kind == markdown.KindEntry || kind == markdown.KindFence || kind == markdown.KindLine && (isBullet(raw) || isHeading(raw))
	}
	s.unclosed = true
	s.paragraph(n, func(int) bool { return true })
}

// goesOn reports whether a unit is one more line of the paragraph before it.
func (s *noteScan) goesOn(i int) bool {
	return i != s.closing && s.units[i].Kind == markdown.KindLine && isText(s.raw(i)) && !isUnderline(s.units[i]) && !s.heads(i) && !opensComment(s.raw(i))
}

// heads reports whether line i names the columns of a table.
func (s *noteScan) heads(i int) bool {
	if i+1 == len(s.units) || s.units[i+1].Kind != markdown.KindLine {
		return false
	}
	line, next := s.raw(i), s.raw(i+1)
	return isRow(line) && isRuleLine(next) || strings.Contains(line, "|") && strings.Contains(next, "|") && delimiter.MatchString(next)
}

// isProse reports whether a unit is a line of a paragraph, which a line that is drawn
// under it makes a heading.
func isProse(u markdown.Unit) bool {
	line := string(u.Raw)
	return u.Kind == markdown.KindLine && isText(line) && !strings.HasPrefix(strings.TrimSpace(line), ">")
}

func isText(line string) bool {
	return !isHeading(line) && !isBullet(line) && !isRow(line) && !isRuleLine(line)
}

// isUnderline reports whether a unit is drawn under a paragraph to make it a heading. A
// single hyphen is a bullet that has no text yet.
func isUnderline(u markdown.Unit) bool {
	line := strings.TrimRight(string(u.Raw), " \t\r")
	body := strings.TrimLeft(line, " ")
	return u.Kind == markdown.KindLine && len(line)-len(body) <= 3 && body != "" && body != "-" && (strings.Trim(body, "=") == "" || strings.Trim(body, "-") == "")
}

func opensComment(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "<!--") && !strings.Contains(line, "-->")
}

func isBullet(line string) bool { return handBullet.MatchString(line + " ") }

func isRow(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

// isRuleLine reports whether a line only draws a line, or rules off a table.
func isRuleLine(line string) bool {
	return strings.Trim(line, "-=*_|: \t\r") == "" && strings.Count(line, "-")+strings.Count(line, "=")+strings.Count(line, "*")+strings.Count(line, "_") >= 3
}

// contentColumn returns the column at which the text of a bullet begins. Text that is
// more than four columns away from its mark is code, one column away from it.
func contentColumn(bullet string) int {
	body := strings.TrimLeft(bullet, " \t")
	end := strings.IndexAny(body, " \t")
	if end < 0 {
		end = len(body)
	}
	mark := indentOf(bullet) + utf8.RuneCountInString(body[:end])
	if column := columnsTo(body[end:], mark); column > mark && column <= mark+4 {
		return column
	}
	return mark + 1
}

// indentOf returns how far a line is indented, a tab counting to the next four.
func indentOf(line string) int { return columnsTo(line, 0) }

// columnsTo returns the column of the first character that is no blank, when the text
// begins at column n.
func columnsTo(text string, n int) int {
	for _, c := range text {
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
