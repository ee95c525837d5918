package index

import (
	"path"
	"strings"

	"quipu/markdown"
)

// Note is one thing that can be found: an entry, a hand-written paragraph or
// bullet, or what one person said in a conversation.
type Note struct {
	// Line is the 1-based line where it begins, 0 if it comes from no file.
	Line int
	// Text is the fact alone, without bullet, date, source and trailing marks.
	Text string
	// Section is the heading that it stands under, "" if none.
	Section string
	// Date is when it was written, Until the last day on which it holds; zero
	// where unknown.
	Date, Until markdown.Date
	// Author is who said it in a conversation; "" for what stands in a file of notes.
	Author string
	// Struck says that it is no longer true.
	Struck bool
	// Change is the id of the change that wrote it, "" where the caller does not know.
	Change string
}

// expired reports whether the note's last day has passed.
func (n *Note) expired(today markdown.Date) bool {
	return !n.Until.IsZero() && !today.IsZero() && n.Until.Before(today)
}

// File is what one path gives to the index: a memory file, or a conversation or
// a day of one. Its notes are in their order, since neighbours explain each other.
type File struct {
	// Path names it; unique in an index.
	Path string
	// Label is how it is called before a person or a bot: `chat "Plans"`. "" means Path.
	Label string
	// Title, Description and Aliases are other words by which it is found.
	Title, Description string
	Aliases            []string
	Notes              []Note
}

// Read returns the notes of the memory file at p: its entries, its hand-written
// bullets and paragraphs, its fenced blocks. Headings become the Section of what
// follows. Any bytes are a memory file. The notes of a day log carry its day.
// Nothing is left out: a struck note says so, and Search hides it and those whose
// last day has passed.
func Read(p string, text []byte) File {
	parsed := markdown.Parse(p, text)
	h := parsed.Header()
	f := File{Path: p, Title: h.Title, Description: h.Description, Aliases: h.Aliases}
	b := builder{file: &f}
	b.day, _ = markdown.ParseDate(strings.TrimSuffix(path.Base(p), ".md"))
	for _, u := range parsed.Units() {
		b.unit(u)
	}
	b.flush()
	return f
}

// builder gathers the hand-written lines of one paragraph or bullet.
type builder struct {
	file    *File
	day     markdown.Date
	section string
	lines   []string
	from    int
}

func (b *builder) unit(u markdown.Unit) {
	switch u.Kind {
	case markdown.KindEntry:
		b.flush()
		e := u.Entry
		b.add(Note{Line: u.Line, Text: e.Text, Date: e.Date, Until: e.Until, Struck: e.Struck})
	case markdown.KindFence:
		b.flush()
		b.add(Note{Line: u.Line, Text: string(u.Raw), Date: b.day})
	case markdown.KindLine:
		b.line(string(u.Raw), u.Line)
	default:
		b.flush()
	}
}

func (b *builder) line(raw string, at int) {
	if title, level := heading(raw); level > 0 {
		b.flush()
		b.section = title
		if level == 1 && title == b.file.Title {
			b.section = "" // it heads the whole file
		}
		return
	}
	text, isBullet := bullet(raw)
	if isBullet {
		b.flush()
	}
	if len(b.lines) == 0 {
		b.from = at
	}
	b.lines = append(b.lines, strings.TrimSpace(text))
}

// flush makes a note of the lines gathered so far.
func (b *builder) flush() {
	text := strings.Join(b.lines, "\n")
	b.lines = nil
	rest, struck := strings.CutPrefix(text, "~~")
	if struck {
		rest = strings.Replace(rest, "~~", "", 1)
	}
	b.add(Note{Line: b.from, Text: rest, Date: b.day, Struck: struck})
}

// add takes a note into the file, unless it is blank.
func (b *builder) add(n Note) {
	n.Text = strings.TrimSpace(strings.ToValidUTF8(n.Text, "\uFFFD"))
	if n.Text == "" {
		return
	}
	n.Section = b.section
	if n.Date.IsZero() {
		n.Date = b.day
	}
	b.file.Notes = append(b.file.Notes, n)
}

// heading reads `## Title ##` and returns its level, 0 for another line.
func heading(raw string) (title string, level int) {
	rest := strings.TrimLeft(raw, "#")
	level = len(raw) - len(rest)
	if level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", 0
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "#")), level
}

// bullet takes the marker off a list line at the left edge. An indented line
// continues what stands above it.
func bullet(raw string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(raw, mark); ok {
			return rest, true
		}
	}
	digits := len(raw) - len(strings.TrimLeft(raw, "0123456789"))
	if digits > 0 && digits < 4 && len(raw) > digits+1 && (raw[digits] == '.' || raw[digits] == ')') && raw[digits+1] == ' ' {
		return raw[digits+2:], true
	}
	return raw, false
}
