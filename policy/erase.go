package policy

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"quipu/markdown"
)

// erasedWord is what quipu calls what it erased: in a line that stays it stands as
// «erased», a file whose name told it is called erased.md. Where that word is erased
// itself, another stands there.
const erasedWord = "erased"

// Erasure takes something out of everything that was ever kept: every note that
// mentions phrases, or entries that state one of a set of facts. It is safe for
// concurrent use.
type Erasure struct {
	phrases []Phrase
	facts   map[string]bool // identities
	taken   func(path string) bool
	gate    *lineGate
	word    string // what stands for what is erased

	mu    sync.Mutex
	names map[string]string // paths that tell it -> what they are called now
}

// EraseWords erases every note that mentions all phrases, and what mentions them
// besides. taken reports whether a path is in use: a new name is none of these.
func EraseWords(phrases []Phrase, taken func(path string) bool) *Erasure {
	return &Erasure{phrases: phrases, taken: taken, gate: gateOfPhrases(phrases), word: wordBeside(phrases), names: map[string]string{}}
}

// wordBeside returns the word that stands for what is erased: one that no phrase has.
func wordBeside(phrases []Phrase) string {
	has := func(word string) bool {
		return slices.ContainsFunc(phrases, func(p Phrase) bool { return slices.Contains(p.words, word) })
	}
	for _, word := range []string{erasedWord, "removed", "gone"} {
		if !has(word) {
			return word
		}
	}
	word := "x"
	for has(word) {
		word += "x"
	}
	return word
}

// EraseFacts erases the entries, and the lines that were written by hand, that state
// exactly one of the facts, in whatever file and with whatever marks.
func EraseFacts(facts []string) *Erasure {
	e := &Erasure{facts: map[string]bool{}, names: map[string]string{}}
	for _, f := range facts {
		if id := markdown.Identity(f); id != "" {
			e.facts[id] = true
		}
	}
	e.gate = gateOfFacts(e.facts)
	return e
}

// mentions reports whether a text says what is erased.
func (e *Erasure) mentions(text string) bool {
	return e.gate.may(text) && allIn(e.phrases, tokens(text))
}

// File returns a file without what is erased, and how many copies of it were taken
// out. A note goes whole, with what it owns, struck or not. What stays by its nature -
// a heading, a header, where a note is from - keeps its line with the words masked.
func (e *Erasure) File(path string, text []byte) (after []byte, copies int) {
	if !strings.HasSuffix(path, ".md") && IsPicture(text) {
		return text, 0 // its bytes can spell anything; that it goes, is decided by what links it
	}
	if narrowed, w, ok := narrow(text); ok {
		if after, copies = e.File(path, narrowed); copies == 0 {
			return text, 0
		}
		return w.text(after), copies
	}
	if shielded, ok := shield(text); ok {
		after, copies = e.File(path, shielded)
		return unshield(after), copies
	}
	if !e.gate.may(string(text)) {
		return text, 0
	}
	f := markdown.Parse("", text)
	var gone []noteSpan
	at := 0
	for _, n := range noteSpans(f) {
		if n.from < at || !e.tells(f, n) {
			continue
		}
		copies++
		if !n.kept {
			gone = append(gone, n)
			at = n.to
		}
	}
	out := withoutNotes(f, gone)
	if masked := e.maskLines(string(out)); masked != string(out) {
		out, copies = []byte(masked), max(copies, 1)
	}
	if bytes.Equal(out, text) {
		return text, 0
	}
	return out, copies
}

// The bytes of a text in another encoding that are no UTF-8 stand in runes of their own
// while it is looked at, so that one stray byte hides no words.
const (
	shieldFirst = '\U0010FE00'
	shieldLast  = shieldFirst + 0xFF
)

// shield is false for a text that needs none, and for one that has such runes already.
func shield(text []byte) ([]byte, bool) {
	if utf8.Valid(text) || bytes.ContainsFunc(text, isShield) {
		return nil, false
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			r = shieldFirst + rune(text[0])
		}
		out = utf8.AppendRune(out, r)
		text = text[size:]
	}
	return out, true
}

func isShield(r rune) bool { return shieldFirst <= r && r <= shieldLast }

func unshield(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if isShield(r) {
			out = append(out, byte(r-shieldFirst))
		} else {
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return out
}

// tells reports whether a note says what is erased.
func (e *Erasure) tells(f *markdown.File, n noteSpan) bool {
	if e.facts == nil {
		return e.mentions(n.says(f))
	}
	return e.facts[n.factID(f)]
}

// factID is the identity of the fact that a note states, whatever its marks; "" for none.
func (n noteSpan) factID(f *markdown.File) string {
	if u := f.Units()[n.from]; u.Entry != nil {
		return markdown.Identity(u.Entry.Text)
	}
	if n.kept {
		return ""
	}
	return markdown.Identity(strings.Trim(handBullet.ReplaceAllString(n.states(f), ""), "~ "))
}

// maskLines masks the phrases in each line that still mentions all of them.
func (e *Erasure) maskLines(text string) string {
	if e.facts != nil || !e.gate.may(text) {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if e.mentions(line) {
			line = e.mask(line)
		}
		b.WriteString(line)
	}
	return b.String()
}

// Mask returns a name or a title with the words masked, where it mentions what is
// erased.
func (e *Erasure) Mask(name string) string {
	if e.facts != nil || !e.mentions(name) {
		return name
	}
	return e.mask(name)
}

// mask puts the mark in the place of every phrase in a line.
func (e *Erasure) mask(line string) string {
	mark := "«" + e.word + "»"
	for _, p := range e.phrases {
		for from := 0; ; {
			s, ok := p.find(line, from, mark)
			if !ok {
				break
			}
			line = line[:s.start] + mark + line[s.end:]
			from = s.start + len(mark)
		}
	}
	return line
}

// find returns the first span of a text, from an offset on, that is the phrase: its
// words alone, and really words of the text ("C" is none of "C++"): with the mark in its
// place the text has one less of them.
func (p Phrase) find(text string, from int, mark string) (span, bool) {
	have := runCount(tokens(text), p.words)
	if have == 0 {
		return span{}, false
	}
	cuts := wordCuts(text)
	for i, start := range cuts {
		if start < from {
			continue
		}
		for _, end := range cuts[i+1:] {
			said := tokens(text[start:end])
			if len(said) > len(p.words) {
				break
			}
			if !slices.Equal(said, p.words) || runCount(tokens(text[:start]+mark+text[end:]), p.words) >= have {
				continue
			}
			for _, later := range cuts[i+1:] { // the signs before the words stay
				if later < end && slices.Equal(tokens(text[later:end]), p.words) {
					start = later
				}
			}
			return span{start: start, end: end}, true
		}
	}
	return span{}, false
}

// runCount returns how often a run stands in a list, overlapping ones included.
func runCount(list, run []string) int {
	n := 0
	for i := range list {
		if runAt(list[i:], run) == 0 {
			n++
		}
	}
	return n
}

// wordCuts returns the offsets at which a text may be cut between words: both ends, each
// side of a sign or a blank, and between characters that are words by themselves.
func wordCuts(text string) []int {
	var list []int
	var prev rune
	for i, r := range text {
		if i == 0 || !inWord(r) && !unicode.IsMark(r) || !inWord(prev) && !unicode.IsMark(prev) || single(r) || single(prev) && !unicode.IsMark(r) {
			list = append(list, i)
		}
		prev = r
	}
	return append(list, len(text))
}
