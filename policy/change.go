package policy

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"quipu/markdown"
)

// find looks for the old text as given, then as it reads after redaction: the
// notes hold only that.
func (d *draft) find() (Place, *markdown.File, error) {
	p, err := d.notes.Find(d.OldText)
	if err != nil {
		if masked, n := d.red.Redact(d.OldText); n > 0 {
			p, err = d.notes.Find(masked)
		}
	}
	if err != nil {
		return Place{}, nil, err
	}
	return p, markdown.Parse(p.Path, d.notes.Files[p.Path]), nil
}

// replace changes the text of an entry, which keeps its date and source and is
// marked as updated; anything else is plain substitution.
func (d *draft) replace() (Outcome, error) {
	p, f, err := d.find()
	if err != nil {
		return Outcome{}, err
	}
	u := f.Units()[p.Unit]
	old := string(f.Bytes()[p.Start:p.End])
	if u.Entry == nil || !p.Whole && strings.ContainsAny(old, "\r\n") {
		return d.substitute(p, f)
	}
	e, err := d.replaced(u, old, p.Whole, p.Start-unitStart(f, p.Unit))
	if err != nil {
		return Outcome{}, err
	}
	raw := d.redact(e.String())
	return Outcome{Edits: []Edit{{Path: p.Path, Text: f.ReplaceUnit(p.Unit, raw)}}, Entry: raw, Line: u.Line}, nil
}

// replaced returns u's entry with the new text in place of old, which starts at
// byte at of the unit.
func (d *draft) replaced(u markdown.Unit, old string, whole bool, at int) (markdown.Entry, error) {
	e, text := *u.Entry, d.Text
	typed := d.typed(text)
	if typed.Line > 0 {
		text = typed.Text
	}
	if whole {
		return d.updated(e, e, text)
	}
	body := bodyOf(string(u.Raw), e)
	start, end := max(at, body.start), min(at+len(old), body.end)
	firstLine := strings.IndexByte(string(u.Raw)+"\n", '\n')
	switch {
	case at > firstLine: // in a line that the entry owns
		return d.updated(e, e, strings.Replace(e.Text, strings.TrimLeft(old, " \t"), text, 1))
	case at+len(old) <= body.start:
		return e, refuse(Invalid, "the date and the source of an entry stay as they are")
	case at >= body.end: // in the marks: an end date is moved
		return d.remarked(u, at, old)
	}
	if at+len(old) > body.end && !typed.Until.IsZero() {
		e.Until = typed.Until
	}
	next := string(u.Raw[body.start:start]) + text + string(u.Raw[end:body.end])
	if _, owned, more := strings.Cut(e.Text, "\n"); more {
		next += "\n" + owned
	}
	return d.updated(*u.Entry, e, next)
}

// updated returns e with another text and the mark of today; was is the entry
// as it stands.
func (d *draft) updated(was, e markdown.Entry, text string) (markdown.Entry, error) {
	next := e.Replaced(text, d.today)
	switch {
	case next.Text == "":
		return e, refuse(Invalid, "nothing would be left of the entry: use remove")
	case next.Text == was.Text && next.Until == was.Until:
		return e, refuse(Invalid, "the new text says the same as the old one")
	}
	return next, nil
}

// typed reads a new text that was typed as an entry, with a date and perhaps a
// source before it; Line is 0 when it has none and only its marks are read.
func (d *draft) typed(text string) markdown.Entry {
	if units := markdown.Parse("", []byte(strings.TrimSpace(text))).Units(); len(units) > 0 && units[0].Entry != nil {
		return *units[0].Entry
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if units := markdown.Parse("", []byte("- "+d.today.String()+" · "+line)).Units(); units[0].Entry != nil {
		e := *units[0].Entry
		e.Line = 0
		return e
	}
	return markdown.Entry{}
}

// remarked changes the marks at the end of an entry, and nothing else of it.
func (d *draft) remarked(u markdown.Unit, at int, old string) (markdown.Entry, error) {
	raw := string(u.Raw)
	units := markdown.Parse("", []byte(raw[:at]+d.Text+raw[at+len(old):])).Units()
	if len(units) != 1 || units[0].Entry == nil || units[0].Entry.Text != u.Entry.Text {
		return markdown.Entry{}, refuse(Invalid, "a mark reads like until 2026-09-14, with a real day")
	}
	e := *u.Entry
	e.Until = units[0].Entry.Until
	if e.Until == u.Entry.Until {
		return e, refuse(Invalid, "only the last day of a note can be changed in its marks")
	}
	e.Updated = d.today
	return e, nil
}

var (
	trailingMarks = regexp.MustCompile(`(?: · (?:confirmed|updated|until|expired|superseded|moved) \d{4}-\d{2}-\d{2})+[ \t]*$`)
	handBullet    = regexp.MustCompile(`^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)+`)
)

const (
	datedPrefix = len("- 2006-01-02 · ")
	dot         = " · "
)

// bodyOf returns the part of an entry's first line that is the fact: behind the
// date and source, before the bracketed date and the marks.
func bodyOf(raw string, e markdown.Entry) span {
	line, _, _ := strings.Cut(raw, "\n")
	line = strings.TrimRight(line, "\r")
	body := span{start: len("- "), end: len(line)}
	if m := trailingMarks.FindStringIndex(line); m != nil {
		body.end = m[0]
	}
	if e.Form == markdown.Bracketed {
		body.end = max(body.start, strings.LastIndex(line[:body.end], " ["))
		return body
	}
	body.start = min(datedPrefix, body.end)
	if e.Source != "" || e.Noticed {
		if i := strings.Index(line[body.start:body.end], dot); i >= 0 {
			body.start += i + len(dot)
		}
	}
	return body
}

// substitute puts the new text in the place of the old one in what is no entry,
// or over several lines. It never makes an entry that was not there: a date and
// a source are written by the program alone.
func (d *draft) substitute(p Place, f *markdown.File) (Outcome, error) {
	u := f.Units()[p.Unit]
	before, text := f.Bytes(), strings.ReplaceAll(d.Text, "\r\n", "\n")
	oneLine := !bytes.ContainsAny(before[p.Start:p.End], "\r\n") && u.Kind != markdown.KindFence
	if typed := d.typed(text); oneLine && typed.Line > 0 {
		text = typed.Text
	}
	if oneLine {
		text = strings.Join(strings.Fields(text), " ")
	}
	if p.Whole && u.Kind == markdown.KindHeader {
		return Outcome{}, refuse(Invalid, "a header is changed by its text, not by its line")
	}
	if p.Whole && u.Kind == markdown.KindLine {
		p.Start += len(handBullet.Find(u.Raw))
		text = handBullet.ReplaceAllString(text, "")
	}
	text = strings.ReplaceAll(text, "\n", f.EOL())
	after := slices.Concat(before[:p.Start], []byte(text), before[p.End:])
	if bytes.Equal(after, before) {
		return Outcome{}, refuse(Invalid, "the new text says the same as the old one")
	}
	next := markdown.Parse(p.Path, after)
	if forged(f, next) {
		return Outcome{}, refuse(Invalid, "a date and a source are not written by hand: give the fact alone")
	}
	p.settle(next)
	raw := string(next.Units()[p.Unit].Raw)
	if masked := d.redact(raw); masked != raw {
		raw, after = masked, next.ReplaceUnit(p.Unit, masked)
	}
	return Outcome{Edits: []Edit{{Path: p.Path, Text: after}}, Entry: raw, Line: next.Units()[p.Unit].Line}, nil
}

// forged reports whether after has an entry whose date and source no entry of
// before has.
func forged(before, after *markdown.File) bool {
	type origin struct {
		day     markdown.Date
		source  string
		noticed bool
	}
	known := map[origin]bool{}
	for _, e := range before.Entries() {
		known[origin{e.Date, e.Source, e.Noticed}] = true
	}
	for _, e := range after.Entries() {
		if !known[origin{e.Date, e.Source, e.Noticed}] {
			return true
		}
	}
	return len(after.Entries()) > len(before.Entries()) && len(before.Entries()) == 0
}

// remove takes the old text out. An entry of which no fact would be left goes
// whole, with the lines that it owns; so does a bullet with nothing behind it.
func (d *draft) remove() (Outcome, error) {
	p, f, err := d.find()
	if err != nil {
		return Outcome{}, err
	}
	if p.Whole {
		if f.Units()[p.Unit].Kind == markdown.KindHeader {
			return Outcome{}, refuse(Invalid, "a header is changed by its text, not by its line")
		}
		return Outcome{Edits: []Edit{{Path: p.Path, Text: f.RemoveUnit(p.Unit)}}}, nil
	}
	text := f.Bytes()
	cut := widened(f, p)
	lineStart := cut.start == 0 || text[cut.start-1] == '\n'
	endsLine := cut.end > cut.start && text[cut.end-1] == '\n'
	if rest := text[cut.end:]; lineStart && !endsLine {
		rest = bytes.TrimPrefix(rest, []byte("\r"))
		if bytes.HasPrefix(rest, []byte("\n")) {
			cut.end = len(text) - len(rest) + 1
		}
	}
	return Outcome{Edits: []Edit{{Path: p.Path, Text: slices.Concat(text[:cut.start], text[cut.end:])}}}, nil
}

// widened returns the bytes to take out for a place: each entry whose fact lies
// in it goes from its bullet to its last owned line.
func widened(f *markdown.File, p Place) span {
	text, cut := f.Bytes(), span{start: p.Start, end: p.End}
	at := 0
	for i, u := range f.Units() {
		if i == 0 {
			at = unitStart(f, 0)
		}
		end := at + len(u.Raw)
		if at < p.End && end > p.Start && emptied(u, max(0, p.Start-at), min(len(u.Raw), p.End-at)) {
			cut.start, cut.end = min(cut.start, at), max(cut.end, end)
		}
		at = end + lineEndLen(text[end:])
	}
	return cut
}

// emptied reports whether a unit says nothing more when its bytes from start to
// end are gone.
func emptied(u markdown.Unit, start, end int) bool {
	raw := string(u.Raw)
	if u.Entry != nil {
		body := bodyOf(raw, *u.Entry)
		left := raw[body.start:max(body.start, min(start, body.end))] + raw[min(body.end, max(end, body.start)):body.end]
		return strings.Trim(left, " \t~") == "" && start < body.end
	}
	left := raw[:start] + raw[end:]
	return u.Kind == markdown.KindLine && strings.TrimSpace(handBullet.ReplaceAllString(left+" ", "")) == ""
}

func lineEndLen(rest []byte) int {
	switch {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		return 2
	case bytes.HasPrefix(rest, []byte("\n")):
		return 1
	}
	return 0
}

// supersede strikes the unit that holds the old text and writes the new fact
// as an entry at the end of the same file.
func (d *draft) supersede() (Outcome, error) {
	if !lineSelector.MatchString(strings.TrimSpace(d.OldText)) && strings.ContainsAny(d.OldText, "\r\n") {
		return Outcome{}, refuse(Invalid, "supersede takes an oldText of one line")
	}
	p, f, err := d.find()
	if err != nil {
		return Outcome{}, err
	}
	u := f.Units()[p.Unit]
	if u.Kind != markdown.KindEntry && u.Kind != markdown.KindLine || bytes.HasPrefix(u.Raw, []byte("#")) {
		return Outcome{}, refuse(Invalid, "only a note can be superseded, not a heading, header or block")
	}
	e, raw := d.entry()
	switch {
	case e.Text == "":
		return Outcome{}, refuse(Invalid, "supersede needs a text: nothing is left of this one but marks")
	case u.Entry != nil && u.Entry.Identity() == e.Identity():
		return Outcome{}, refuse(Invalid, "the new text says the same as the old one")
	}
	struck, ok := markdown.Strike(string(u.Raw), d.today)
	if !ok {
		return Outcome{}, refuse(Conflict, "that note is superseded already")
	}
	kept, err := d.still(p, f, u)
	if err != nil {
		return Outcome{}, err
	}
	if kept != "" {
		struck += "\n" + kept
	}
	text := markdown.Parse(p.Path, f.ReplaceUnit(p.Unit, struck)).Append(raw)
	return Outcome{Edits: []Edit{{Path: p.Path, Text: text}}, Entry: raw, Kept: kept, Line: lastLine(text, raw)}, nil
}
