package markdown

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

const (
	sourceRunes = 80 // of a source
	nameRunes   = 60 // of the name inside a source label
)

// String returns the entry as it is written: LF between the owned lines, which
// are indented by two spaces, and no final newline.
func (e Entry) String() string {
	first, owned, more := strings.Cut(e.Text, "\n")
	if e.Struck {
		first = strike + first + strike
	}
	var b strings.Builder
	b.WriteString(bullet)
	if e.Form == Bracketed {
		b.WriteString(first + " [" + e.Date.String())
		if e.Clock != "" {
			b.WriteString("T" + e.Clock)
		}
		b.WriteString("]")
	} else {
		b.WriteString(e.Date.String() + dot + e.sourcePart() + first)
	}
	e.writeMarks(&b)
	if more {
		writeOwned(&b, owned)
	}
	return b.String()
}

func (e *Entry) sourcePart() string {
	switch {
	case e.Source != "" && e.Noticed:
		return from + e.Source + " " + noticed + dot
	case e.Source != "":
		return from + e.Source + dot
	case e.Noticed:
		return from + noticed + dot
	default:
		return ""
	}
}

func writeOwned(b *strings.Builder, owned string) {
	for line := range strings.SplitSeq(owned, "\n") {
		b.WriteString("\n")
		if line != "" {
			b.WriteString(indent + line)
		}
	}
}

// NewEntry returns the entry that says text, in the form in which it is
// written. A bullet marker, strike marks and trailing marks that were typed in
// the text are dropped; white space and line breaks fold to one space, unless
// the text has a fenced block, whose lines are kept. The source is folded, its
// middle dots become dashes, and it is cut at 80 characters. Whatever the text,
// reading the written entry gives the same Entry (but for Line) and one unit.
// day must not be zero: an entry without a date is none.
func NewEntry(text, source string, wasNoticed bool, day, until Date) Entry {
	e := Entry{Date: day, Source: cleanSource(source), Noticed: wasNoticed, Until: until}
	return e.with(text, hasFence(text))
}

// NewBracketed is NewEntry in the form that has its date behind, with a time of day as
// 15:04:05, "" for none. That form names no source.
func NewBracketed(text string, day Date, clock string, until Date) Entry {
	e := Entry{Form: Bracketed, Date: day, Clock: clock, Until: until}
	return e.with(text, hasFence(text))
}

// Replaced returns e with another text: date, source and until stay, a typed
// prefix in text is dropped, and the mark `· updated today` replaces an earlier
// one. Lines are kept if e had several, or if text has a fenced block.
func (e Entry) Replaced(text string, today Date) Entry {
	if typed, ok := readBullet(strings.TrimSpace(firstLine(text))); ok {
		_, owned, more := strings.Cut(strings.TrimSpace(text), "\n")
		text = typed.Text
		if more {
			text += "\n" + strings.ReplaceAll("\n"+owned, "\n"+indent, "\n")[1:]
		}
	}
	e.Updated = today
	return e.with(text, hasFence(text) || strings.Contains(e.Text, "\n"))
}

// with sets the text so that it survives being written and read.
func (e Entry) with(text string, keepLines bool) Entry {
	line := e.Line
	e.Line = 0
	if keepLines {
		e.Text = e.guard(keptLines(text))
		if e.survives() {
			e.Line = line
			return e
		}
	}
	folded := dropBullet(fold(breaks.Replace(text)))
	if keepLines && strings.Count(folded, fenceTicks)%2 == 1 {
		// Left open, the folded line would reach for the lines under it.
		folded += " " + fenceTicks
	}
	e.Text = e.guard(folded)
	e.Line = line
	return e
}

// survives reports whether the written form of e is one unit and reads as e.
func (e Entry) survives() bool {
	units := Parse("", []byte(e.String())).Units()
	if len(units) != 1 || units[0].Entry == nil {
		return false
	}
	back := *units[0].Entry
	back.Line = e.Line
	return back == e
}

// guard takes out of the first line what would be read as something else than
// the fact: strike marks, trailing marks, an inner until, a source.
func (e *Entry) guard(text string) string {
	first, owned, more := strings.Cut(text, "\n")
	for {
		before := first
		first = strings.Trim(dropMarks(" "+first), " \t")
		if strings.HasPrefix(first, strike) {
			first = strings.TrimSuffix(strings.TrimLeft(first, "~"), strike)
		}
		if first == before {
			break
		}
	}
	for !innerUntil(first).IsZero() {
		first = strings.ReplaceAll(first, dot+"until ", " - until ")
	}
	for e.misread(first) {
		first = strings.Replace(first, "·", "-", 1)
	}
	if e.sourcePart() != "" && dropMarks(dot+first) != dot+first {
		first += "." // `until 2026-09-14` alone behind a source would be a mark
	}
	if more {
		return first + "\n" + owned
	}
	return first
}

// misread reports whether the opening of first, written as the text of e, would
// be read as a source or as a date.
func (e *Entry) misread(first string) bool {
	if e.Form == Bracketed { // a date at its end stays text: the last one counts
		typed, ok := readBullet(bullet + first)
		return ok && typed.Form == Dotted
	}
	if e.Source != "" || e.Noticed {
		return false
	}
	_, _, ok := cutSource(first)
	return ok
}

// keptLines trims the lines of text, drops the blank ones outside of a fence,
// where they would end the entry, and the bullet marker of the first.
func keptLines(text string) string {
	var kept []string
	var open fence
	for line := range strings.SplitSeq(breaks.Replace(strings.TrimSpace(text)), "\n") {
		line = strings.TrimRight(line, " \t")
		if line == "" && open == fenceNone {
			continue
		}
		if len(kept) == 0 {
			line = dropBullet(strings.TrimLeft(line, " \t"))
			if strings.HasPrefix(line, fenceTildes) {
				kept = append(kept, "") // on the bullet's line it would read as struck
			}
		}
		open = open.after(line)
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// dropBullet drops one marker: `- `, `* `, `• `, or a number with . or ).
func dropBullet(text string) string {
	for _, mark := range []string{"- ", "* ", "• "} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimLeft(rest, " \t")
		}
	}
	digits := strings.TrimLeft(text, "0123456789")
	if n := len(text) - len(digits); n == 0 || n > 9 {
		return text
	}
	for _, mark := range []string{". ", ") "} {
		if rest, ok := strings.CutPrefix(digits, mark); ok {
			return strings.TrimLeft(rest, " \t")
		}
	}
	return text
}

// breaks turns every line break that some program knows into a newline.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// hasFence reports whether a line of text begins, after its indent, with a
// code fence.
func hasFence(text string) bool {
	if !strings.Contains(text, fenceTicks) && !strings.Contains(text, fenceTildes) {
		return false
	}
	for line := range strings.SplitSeq(breaks.Replace(strings.TrimSpace(text)), "\n") {
		if startsFence(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}

func cleanSource(source string) string {
	source = cutRunes(fold(strings.ReplaceAll(source, "·", "-")), sourceRunes)
	for {
		bare, ok := strings.CutSuffix(source, noticed)
		if !ok {
			return strings.TrimSpace(source)
		}
		source = strings.TrimSpace(bare)
	}
}

// cutRunes returns the first n characters of s. An invalid byte counts as one.
func cutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// SourceLabel names where a fact was said: room "name", else chat "title", else
// thread id. A name is cut at 60 characters, with an ellipsis, before it is
// quoted as JSON is.
func SourceLabel(room, title, thread string) string {
	if room = fold(room); room != "" {
		return "room " + quote(short(room))
	}
	if title = fold(title); title != "" {
		return "chat " + quote(short(title))
	}
	return "thread " + thread
}

func short(name string) string {
	if utf8.RuneCountInString(name) <= nameRunes {
		return name
	}
	return cutRunes(name, nameRunes) + "…"
}

// quote writes s as a JSON string without escapes for HTML.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `"` + s + `"` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Strike strikes a unit's raw text through: the fact of an entry, the text of a
// hand-written bullet, or a line of prose, each followed by the mark
// `· superseded today`. Lines under an entry's bullet stay as they are. It is
// false, and raw comes back, if the text is already struck, blank or a fence.
func Strike(raw string, today Date) (string, bool) {
	line, owned := raw, ""
	if i := strings.IndexByte(raw, '\n'); i >= 0 {
		line, owned = raw[:i], raw[i:]
		if bare, ok := strings.CutSuffix(line, "\r"); ok {
			line, owned = bare, "\r"+owned
		}
	}
	superseded := dot + "superseded " + today.String()
	e, ok := readBullet(line)
	if ok {
		if e.Struck {
			return raw, false
		}
		bare := Entry{Form: e.Form, Date: e.Date, Clock: e.Clock, Source: e.Source, Noticed: e.Noticed, Text: e.Text, Struck: true}
		return bare.String() + superseded + owned, true
	}
	lead, body := cutHandBullet(line)
	body = dropMarks(body)
	if strings.HasPrefix(body, strike) || startsFence(body) || strings.TrimSpace(body) == "" {
		return raw, false
	}
	if body[0] == '~' {
		body = " " + body // three tildes in a row would open a fence
	}
	return lead + strike + strings.TrimRight(body, " \t") + strike + superseded + owned, true
}

// cutHandBullet splits the indent and bullet of a hand-written line from it.
func cutHandBullet(line string) (lead, body string) {
	body = strings.TrimLeft(line, " \t")
	for _, mark := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(body, mark); ok {
			body = strings.TrimLeft(rest, " \t")
			break
		}
	}
	return line[:len(line)-len(body)], body
}
