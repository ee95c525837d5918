package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// tokens returns the words of a text in the form in which they compare: NFKC,
// case folded, accents kept, invisible characters gone. A sign that makes a word
// another one stays with it (C++, C#, .NET, -10, 1.5, 2026-10-05), a currency,
// an emoji or a comparison is a word of its own, and other marks only part
// words. A script that is written without blanks, and Korean, whose particles
// cling to the word before them, gives one word a character.
func tokens(text string) []string {
	t := tokenizer{text: foldText(text), prev: ' '}
	t.words = make([]string, 0, len(t.text)/5+1)
	r, size := utf8.DecodeRuneInString(t.text)
	for t.at < len(t.text) {
		next, width := utf8.DecodeRuneInString(t.text[t.at+size:])
		t.read(r, next, t.text[t.at:t.at+size])
		t.at += size
		t.prev, r, size = r, next, width
	}
	t.flush()
	return t.words
}

// foldText gives a text the form in which words are compared.
func foldText(text string) string {
	plain := true
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		return lowerASCII(text)
	}
	folded := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(text)))
	return strings.Map(func(r rune) rune {
		if unicode.Is(hidden, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		if unicode.Is(unicode.Pd, r) || r == 0x2212 {
			return '-'
		}
		return r
	}, folded)
}

type tokenizer struct {
	words []string
	text  string
	at    int // of the character that is read
	size  int // bytes of the word that ends there
	prev  rune
}

func (t *tokenizer) flush() {
	if t.size > 0 {
		t.words = append(t.words, t.text[t.at-t.size:t.at])
		t.size = 0
	}
}

// read takes one character, whose bytes are raw; next is the one behind it.
func (t *tokenizer) read(r, next rune, raw string) {
	switch {
	case unicode.IsMark(r):
		t.mark(raw)
	case single(r):
		t.flush()
		t.words = append(t.words, raw)
	case inWord(r) || t.clings(r, next) || t.leads(r, next):
		t.size += len(raw)
	default:
		t.flush()
		if meansSomething(r) {
			t.words = append(t.words, raw)
		}
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// meansSomething reports whether a sign is a word of its own.
func meansSomething(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.ContainsRune("%+<>=$", r)
	}
	return unicode.In(r, unicode.Sm, unicode.So, unicode.Sc)
}

// mark adds a combining mark to the word or character before it.
func (t *tokenizer) mark(raw string) {
	if n := len(t.words); t.size == 0 && n > 0 && (single(t.prev) || unicode.IsMark(t.prev)) {
		t.words[n-1] += raw
		return
	}
	t.size += len(raw)
}

// clings reports whether a sign belongs to the word before it: the marks inside
// a number, and the signs at the end of C++ and C#.
func (t *tokenizer) clings(r, next rune) bool {
	if t.size == 0 {
		return false
	}
	switch r {
	case '.', ',', ':', '-', '/':
		return unicode.IsDigit(t.prev) && unicode.IsDigit(next)
	case '+', '#':
		inRun := t.prev == r
		return (unicode.IsLetter(t.prev) || inRun) && (next == r || inRun || !unicode.IsLetter(next) && !unicode.IsDigit(next))
	}
	return false
}

// leads reports whether a sign at the start of a word belongs to it: the minus
// of a number, the dot of .NET.
func (t *tokenizer) leads(r, next rune) bool {
	free := t.size == 0 && (unicode.IsSpace(t.prev) || strings.ContainsRune("([{\"'=<>:*_`~", t.prev))
	return free && (r == '-' && unicode.IsDigit(next) || r == '.' && unicode.IsLetter(next) && !single(next))
}

// single reports whether a character is a word by itself.
func single(r rune) bool {
	return r >= 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !unicode.IsMark(r)
}

// holdsRun reports whether the words of run stand in list one after the other.
func holdsRun(list, run []string) bool {
	return runAt(list, run) >= 0
}

// runAt returns where the words of run begin in list, -1 when they do not.
func runAt(list, run []string) int {
	for i := 0; len(run) > 0 && i+len(run) <= len(list); i++ {
		n := 0
		for n < len(run) && list[i+n] == run[n] {
			n++
		}
		if n == len(run) {
			return i
		}
	}
	return -1
}
