package policy

import (
	"unicode"
	"unicode/utf8"
)

// maxSaid are the bytes of a message that are read: what it is about stands at its
// beginning, and a hostile one costs no more.
const maxSaid = 4 << 10

// saidWords returns the words of a message, as tokens does.
func saidWords(text string) []string {
	return tokens(text[:runeFloor(text, maxSaid)])
}

// term is what two texts may have in common: the stem of a word or, of a script
// without blanks, a character or a pair of neighbours.
type term struct {
	key    string
	weight int // of a word ofWord; the pieces of a dense script weigh less, as there are more
	from   int // the word, or the first character, in what saidWords returned
	length int
}

// What the pieces of a dense script weigh. A Chinese character is a word or half of
// one; kana pairs overlap in a word of four; hiragana mostly builds the sentence.
const (
	ofWord     = 20
	ofHan      = 10
	ofHanPair  = 12
	ofKatakana = 8
	ofHangul   = 10
	ofHiragana = 3
)

// terms returns the terms of a text, each once. It says more finely than keywords what
// a text is about; keywords stays as it is, because the never-learn list keeps hashes
// of what it gives.
func (s *stems) terms(words []string, openers bool) []term {
	list := make([]term, 0, len(words))
	have := make(map[string]bool, len(words))
	s.each(words, openers, func(t term) {
		if !have[t.key] {
			have[t.key] = true
			list = append(list, t)
		}
	})
	return list
}

// each calls found with the terms of a text as they come, without stop words and
// words of one letter, and without the openers unless they are asked for.
func (s *stems) each(words []string, openers bool, found func(term)) {
	before := none // of the character before, when it makes a pair with this one
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !openers {
			if n := plain().openers.length(words[i:]); n > 0 {
				i += n - 1
				before = none
				continue
			}
		}
		here := scriptOf(w)
		if here == none {
			if key := s.of(w); key != "" {
				found(term{key, ofWord, i, 1})
			}
			before = none
			continue
		}
		stop := vocabulary().stop
		if stop[w] && (here != hangul || i == 0 || stop[words[i-1]]) { // a Korean particle is half of other words
			before = none
			continue
		}
		if here == han {
			found(term{w, ofHan, i, 1})
		}
		if before == here {
			found(term{words[i-1] + w, here.pair(), i - 1, 2})
		}
		before = here
	}
}

// isSubject reports whether a word between blanks can carry a subject.
func isSubject(w string) bool {
	first, size := utf8.DecodeRuneInString(w)
	return size < len(w) || unicode.IsDigit(first)
}

// script is how a dense text is written; none is any other text.
type script uint8

const (
	none script = iota
	han
	hiragana
	katakana
	hangul
	otherDense
)

func scriptOf(word string) script {
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case r < 0xE00:
		return none
	case r == 'ー':
		return katakana // Unicode counts the long mark to no script
	case !single(r):
		return none
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Katakana, r):
		return katakana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	}
	return otherDense
}

// pair is what two neighbours of a script weigh. Where scripts meet a word ends, or an
// ending begins.
func (s script) pair() int {
	switch s {
	case han:
		return ofHanPair
	case hiragana:
		return ofHiragana
	case katakana:
		return ofKatakana
	}
	return ofHangul
}

// length returns how many words the longest form has with which the list begins.
func (f *forms) length(list []string) int {
	longest := 0
	for _, run := range f.runs[list[0]] {
		if len(run) > longest && len(run) <= len(list) && holdsRun(list[:len(run)], run) {
			longest = len(run)
		}
	}
	return longest
}
