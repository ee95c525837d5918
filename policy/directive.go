package policy

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// DirectiveKind says what a directive forbids.
type DirectiveKind string

// The kinds of a directive.
const (
	DirectiveTopic DirectiveKind = "topic" // do not mention the term
	DirectiveCall  DirectiveKind = "call"  // do not call the person by the term
)

const (
	// MaxDirectives is how many directives of a bot hold at once. The person is told
	// when there is no room; none makes room for another.
	MaxDirectives = 60

	minTermRunes = 2
	maxTermRunes = 40
)

// Directive is a term that a bot must not bring up.
type Directive struct {
	ID    string        `json:"id"`
	Kind  DirectiveKind `json:"kind"`
	Term  string        `json:"term"`
	At    time.Time     `json:"at"`
	Until time.Time     `json:"until,omitzero"` // when it ends; zero for never
	By    string        `json:"by"`             // who asked, as in Memory-Author
}

// Active reports whether the directive holds. It holds until the person lifts it,
// unless they gave it an end: being said often or long ago changes nothing.
func (d Directive) Active(now time.Time) bool { return d.Until.IsZero() || now.Before(d.Until) }

// CheckTerm returns a term that a person gives, on one line and without the marks
// around it, or a *Refusal with the code Invalid. A term that names nothing by itself
// ("it", "the topic") passes, for it may be a title; Nameless says that no draft is held
// against it.
func CheckTerm(kind DirectiveKind, term string) (string, error) {
	if kind != DirectiveTopic && kind != DirectiveCall {
		return "", refuse(Invalid, "a directive is of the kind %q or %q, not %q", DirectiveTopic, DirectiveCall, shortened(string(kind)))
	}
	if strings.Contains(term, redactedMark) {
		return "", refuse(Invalid, "the term holds a credential that was masked; name the subject without it")
	}
	term = cleanTerm(term)
	switch n := utf8.RuneCountInString(term); {
	case !strings.ContainsFunc(term, isWordRune):
		return "", refuse(Invalid, "the term is blank; name what must not be mentioned")
	case n < minTermRunes && !single([]rune(term)[0]):
		return "", refuse(Invalid, "the term has one letter and would meet too much; give at least %d", minTermRunes)
	case n > maxTermRunes:
		return "", refuse(Invalid, "the term has %d characters, and at most %d fit; name the subject in a few words", n, maxTermRunes)
	}
	return term, nil
}

const redactedMark = "«redacted"

// cleanTerm returns a term on one line, without characters that do not show and
// without the marks around it.
func cleanTerm(term string) string {
	term = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.Is(hidden, r), r == utf8.RuneError, unicode.Is(unicode.Cf, r) && r != 0x200D:
			return -1
		}
		return r
	}, term)
	return strings.Trim(strings.Join(strings.Fields(term), " "), " .,;:!?¡¿\"'`*_()[]{}<>«»„“”‚‘’「」『』《》〈〉【】（）。，、！？；：…-–—·~")
}

// SameTerm reports whether two terms are one, whatever their case, accents, width and
// the marks around them.
func SameTerm(a, b string) bool { return foldedTerm(a) == foldedTerm(b) }

// foldedTerm is the form in which terms are told apart.
func foldedTerm(term string) string {
	return strings.Join(strings.Fields(accentless(foldText(cleanTerm(term)))), " ")
}

// accentless returns a word without its accents. Scripts that have none stay as they are:
// the marks of kana make it another sound.
func accentless(word string) string {
	for _, r := range word {
		if r >= utf8.RuneSelf {
			if strings.ContainsFunc(word, single) {
				return word
			}
			return unaccented(word)
		}
	}
	return word
}
