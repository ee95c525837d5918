package markdown

import (
	"strings"
	"unicode"
)

// words returns the words of text, lower-cased, each once. Scripts that are
// written without spaces give one word a character.
func words(text string) map[string]bool {
	found := map[string]bool{}
	word := []rune{}
	flush := func() {
		if len(word) > 0 {
			found[string(word)] = true
			word = word[:0]
		}
	}
	for _, c := range strings.ToLower(text) {
		switch {
		case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			flush()
			found[string(c)] = true
		case unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c):
			word = append(word, c)
		default:
			flush()
		}
	}
	flush()
	return found
}

func sharedWords(a, b map[string]bool) int {
	n := 0
	for word := range a {
		if b[word] {
			n++
		}
	}
	return n
}

// alike reports whether two texts share at least a third of the words of the
// shorter one and a fifth of the longer one: enough to call them two wordings of
// one note. One little word in common does not make a long line a short one.
func alike(a, b map[string]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := sharedWords(a, b)
	return shared > 0 && 3*shared >= len(a) && 5*shared >= len(b)
}
