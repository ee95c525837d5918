package policy

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"quipu/markdown"
)

// Place is where a selector points: the bytes Start to End of a file, and the
// unit of it that holds the first of them. Whole says that the selector was
// PATH:LINE and means all of the unit.
type Place struct {
	Path       string
	Line       int // 1-based line of Start
	Unit       int // index in Units of the parsed file
	Start, End int
	Whole      bool
}

var lineSelector = regexp.MustCompile(`^(\S.*\.md):(\d{1,7})$`)

// LineSelector takes PATH:LINE apart; ok is false for a selector of another kind.
func LineSelector(selector string) (path string, line int, ok bool) {
	m := lineSelector.FindStringSubmatch(strings.TrimSpace(selector))
	if m == nil {
		return "", 0, false
	}
	line, _ = strconv.Atoi(m[2]) // at most seven digits
	return m[1], line, true
}

// Find returns the one place that old names: PATH:LINE for the unit on that
// line, or text that occurs once in MEMORY.md and the topics together. The
// archive, About me and day logs are not looked at. It returns a *Refusal with
// Conflict when the text is not there exactly once, and with NotFound when the
// file or the line does not exist.
func (n Notes) Find(old string) (Place, error) {
	if path, line, ok := LineSelector(old); ok && searched(path) {
		return n.atLine(path, line)
	}
	var found []Place
	for _, path := range n.Order {
		if searched(path) {
			found = append(found, places(path, n.Files[path], old)...)
		}
	}
	switch len(found) {
	case 1:
		p := found[0]
		p.settle(markdown.Parse(p.Path, n.Files[p.Path]))
		return p, nil
	case 0:
		return Place{}, refuse(Conflict, "the old text is not in the notes; give it exactly as it stands")
	}
	where := make([]string, 0, len(found))
	for _, p := range found {
		where = append(where, fmt.Sprintf("%s:%d", p.Path, p.Line))
	}
	return Place{}, refuse(Conflict, "the old text is in more than one place (%s); give more of it, or PATH:LINE", strings.Join(where, ", "))
}

// At is Find, but that PATH:LINE may be in any of the files: in the archive, About me and
// day logs, too.
func (n Notes) At(selector string) (Place, error) {
	if path, line, ok := LineSelector(selector); ok {
		return n.atLine(path, line)
	}
	return n.Find(selector)
}

// FactAt returns the fact of the one note that a selector names: PATH:LINE in any of the
// files, or text that occurs once in MEMORY.md and the topics together. It returns a
// *Refusal as Find does, and with Refused for a heading or a header, which is no note.
func (n Notes) FactAt(selector string) (string, error) {
	s, err := n.StatingAt(selector)
	return s.Fact, err
}

func searched(path string) bool {
	kind, err := CheckPath(path)
	return err == nil && (kind == Memory || kind == Topic)
}

// StandsIn reports whether a text holds words, and not only where a reflection quotes them.
func StandsIn(text []byte, words string) bool { return len(places("", text, words)) > 0 }

// places returns up to three places of old in text, overlapping ones included. Where a
// reflection quotes it, it does not stand.
// Lines in old may end in LF where the file has CRLF.
func places(path string, text []byte, old string) []Place {
	if !bytes.Contains(text, []byte(old)) && strings.Contains(old, "\n") {
		old = strings.ReplaceAll(strings.ReplaceAll(old, "\r\n", "\n"), "\n", "\r\n")
	}
	var found []Place
	for at := 0; len(found) < 3; {
		i := bytes.Index(text[at:], []byte(old))
		if i < 0 || old == "" {
			break
		}
		start := at + i
		at = start + 1
		if inCitation(text, start, start+len(old)) {
			continue
		}
		found = append(found, Place{
			Path: path, Line: 1 + bytes.Count(text[:start], []byte("\n")),
			Start: start, End: start + len(old),
		})
	}
	return found
}

// settle finds the unit that holds the place's first byte.
func (p *Place) settle(f *markdown.File) {
	for i, u := range f.Units() {
		if u.Line <= p.Line {
			p.Unit = i
		}
	}
}

func (n Notes) atLine(path string, line int) (Place, error) {
	text, ok := n.Files[path]
	if !ok {
		return Place{}, refuse(NotFound, "there is no file %s", path)
	}
	f := markdown.Parse(path, text)
	if line < 1 || line > countLines(text) {
		return Place{}, refuse(NotFound, "%s has no line %d", path, line)
	}
	p := Place{Path: path, Line: line, Whole: true}
	p.settle(f)
	u := f.Units()[p.Unit]
	if u.Kind == markdown.KindBlank {
		return Place{}, refuse(NotFound, "line %d of %s is blank", line, path)
	}
	p.Start = unitStart(f, p.Unit)
	p.End = p.Start + len(u.Raw)
	return p, nil
}

// unitStart returns the offset of unit i: units tile the file line by line.
func unitStart(f *markdown.File, i int) int {
	text, at := f.Bytes(), 0
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	for line := 1; line < f.Units()[i].Line; line++ {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return at
}
