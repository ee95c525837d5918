package policy

import (
	"bytes"
	"slices"
	"strings"

	"quipu/markdown"
)

// Outside says of a fact whether it enters no prompt. falls is false for a note that keeps
// its place whatever its evidence: what was written by hand, a note of health or safety, a
// rule of the person.
type Outside func(fact string, falls bool) bool

// outUnits tells of each unit of a file whether it belongs to a note that enters no
// prompt. A struck note is past and stays as it is.
func outUnits(f *markdown.File, out Outside) (list []bool, notes int) {
	list = make([]bool, len(f.Units()))
	if out == nil {
		return list, 0
	}
	for _, n := range noteSpans(f) {
		if fact := n.factID(f); fact == "" || !n.live(f, markdown.Date{}) || !out(fact, falls(f, n, fact)) {
			continue
		}
		notes++
		for i := n.from; i < n.to; i++ {
			list[i] = true
		}
	}
	return list, notes
}

func falls(f *markdown.File, n noteSpan, fact string) bool {
	return f.Units()[n.from].Entry != nil && mayFall(fact)
}

// Blank returns a text in which every note that enters no prompt is blank lines, so that
// all others stand on their lines; nothing of it can be found or ranked then.
func Blank(path string, text []byte, out Outside) []byte {
	f := markdown.Parse(path, text)
	gone, n := outUnits(f, out)
	if n == 0 {
		return text
	}
	left := make([]byte, 0, len(text))
	starts := unitStarts(f)
	for i := range f.Units() {
		part := text[starts[i]:starts[i+1]]
		if gone[i] {
			part = bytes.Repeat([]byte("\n"), bytes.Count(part, []byte("\n")))
		} else if i == 0 {
			part = text[:starts[1]]
		}
		left = append(left, part...)
	}
	return left
}

// Stating is a note that states a fact.
type Stating struct {
	Path  string
	Line  int
	Fact  string // its identity
	Falls bool   // it may fall with its evidence; see Outside
}

// Stated lists the notes of all files but the day logs that state a fact, in their order;
// struck ones are left out.
func Stated(n Notes) []Stating {
	var list []Stating
	for _, path := range sortedKeys(n.Files) {
		if kind, err := CheckPath(path); err != nil || kind == Log {
			continue
		}
		f := markdown.Parse(path, n.Files[path])
		for _, s := range noteSpans(f) {
			if fact := s.factID(f); fact != "" && s.live(f, markdown.Date{}) {
				list = append(list, Stating{Path: path, Line: f.Units()[s.from].Line, Fact: fact, Falls: falls(f, s, fact)})
			}
		}
	}
	return list
}

// StatingAt is the note that a selector names; see Notes.FactAt.
func (n Notes) StatingAt(selector string) (Stating, error) {
	p, err := n.At(selector)
	if err != nil {
		return Stating{}, err
	}
	f := markdown.Parse(p.Path, n.Files[p.Path])
	out := Stating{Path: p.Path, Line: p.Line}
	for _, s := range noteSpans(f) {
		if s.from <= p.Unit && p.Unit < s.to {
			fact := s.factID(f) // the innermost comes last
			out.Fact, out.Line, out.Falls = fact, f.Units()[s.from].Line, falls(f, s, fact)
		}
	}
	if out.Fact == "" {
		return out, refuse(Refused, "%s:%d is no note; name it by its words", p.Path, p.Line)
	}
	return out, nil
}

// StatingOf finds the one fact that a selector means: PATH:LINE, a fact in its own words,
// or text that occurs in one fact alone, wherever that is stated. It returns a *Refusal with
// NotFound or Conflict otherwise.
func (n Notes) StatingOf(selector string) (Stating, error) {
	if _, _, ok := LineSelector(selector); ok {
		return n.StatingAt(selector)
	}
	var found []Stating
	id := markdown.Identity(selector)
	for _, s := range Stated(n) {
		if s.Fact == id {
			return s, nil
		}
		if id != "" && strings.Contains(s.Fact, id) && !slices.ContainsFunc(found, func(f Stating) bool { return f.Fact == s.Fact }) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Stating{}, refuse(NotFound, "no note says that: give a fact's words as they stand, or PATH:LINE")
	}
	where := make([]string, 0, len(found))
	for _, s := range found[:min(len(found), 3)] {
		where = append(where, placeName(s.Path, s.Line))
	}
	return Stating{}, refuse(Conflict, "several notes say that (%s): give more of it, or PATH:LINE", strings.Join(where, ", "))
}

// FactOf is the identity of the fact that one unit states by itself, "" for none.
func FactOf(u markdown.Unit) string {
	switch {
	case u.Entry != nil:
		return markdown.Identity(u.Entry.Text)
	case u.Kind == markdown.KindLine && !bytes.HasPrefix(u.Raw, []byte("#")):
		return markdown.Identity(handBullet.ReplaceAllString(string(u.Raw), ""))
	}
	return ""
}
