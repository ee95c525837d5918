package turns

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxPhrases is how many words of a question count.
const maxPhrases = 32

// phrase is one word of a question: usually one word of a text, several in a row for
// e-mail addresses, paths and scripts without spaces. The last may go on (prefix).
type phrase struct {
	words  []string
	prefix bool
	plain  string // the word as it was asked for, in lower case
}

// phrasesOf reads a question. Each word of it must occur; stop words are left out
// unless there is nothing else. No character of it is an operator.
func phrasesOf(question string, stop func(string) bool) []phrase {
	var all []phrase
	for field := range strings.FieldsSeq(norm.NFKC.String(question)) {
		for _, piece := range pieces(field) {
			p := phraseOf(piece)
			same := func(q phrase) bool { return p.prefix == q.prefix && slices.Equal(p.words, q.words) }
			if len(p.words) > 0 && !slices.ContainsFunc(all, same) {
				all = append(all, p)
			}
		}
	}
	telling := slices.DeleteFunc(slices.Clone(all), func(p phrase) bool {
		return isParticle(p.plain) || stop != nil && stop(p.plain)
	})
	if len(telling) == 0 {
		telling = all
	}
	return telling[:min(len(telling), maxPhrases)]
}

// pieces parts a word of a question where a script without spaces begins or ends,
// and Japanese where kanji, katakana and hiragana meet, which is mostly where its
// words do. Other words stay whole: an address is one phrase.
func pieces(field string) []string {
	if !strings.ContainsFunc(field, spaceless) {
		return []string{field}
	}
	var out []string
	from, last := 0, -1
	for i, r := range field {
		s := scriptOf(r)
		if r == 'ー' || unicode.IsMark(r) {
			s = last // it lengthens what stands before it
		}
		if s != last && i > from {
			out, from = append(out, field[from:i]), i
		}
		last = s
	}
	return append(out, field[from:])
}

func scriptOf(r rune) int {
	switch {
	case unicode.Is(unicode.Han, r):
		return 1
	case unicode.Is(unicode.Katakana, r):
		return 2
	case unicode.Is(unicode.Hiragana, r):
		return 3
	case spaceless(r):
		return 4
	}
	return 0
}

// isParticle reports whether a piece is one or two hiragana: grammar, not a subject.
func isParticle(piece string) bool {
	return utf8.RuneCountInString(piece) <= 2 && !strings.ContainsFunc(piece, func(r rune) bool { return scriptOf(r) != 3 })
}

func phraseOf(piece string) phrase {
	words := wordsOf(piece)
	p := phrase{plain: strings.ToLower(strings.TrimFunc(piece, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))}
	if n := len(words); n > 0 && words[n-1].tail {
		// In the text the run may go on behind the piece: its last character is in the
		// pair before it, or begins another pair.
		if p.prefix = n == 1 || words[n-2].to != words[n-1].to; !p.prefix {
			words = words[:n-1]
		}
	}
	for _, w := range words {
		p.words = append(p.words, w.text)
	}
	if n := len(words); n > 0 && !p.prefix {
		p.words[n-1], p.prefix = open(p.words[n-1])
	}
	return p
}

// open lets a word of four letters or more go on, without a plural s: inflection is
// mostly at the end. Korean appends its particles, so two syllables are enough.
func open(w string) (string, bool) {
	const least, leastHangul = 4, 2
	size := utf8.RuneCountInString(w)
	first, _ := utf8.DecodeRuneInString(w)
	enough := size >= least || size >= leastHangul && unicode.Is(unicode.Hangul, first)
	if !enough || size >= maxWord || spaceless(first) || strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return w, false
	}
	if size > least && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		w = w[:len(w)-1]
	}
	return w, true
}

// match is the phrase in the language of the full text.
func (p phrase) match() string {
	quoted := `"` + strings.ReplaceAll(strings.Join(p.words, " "), `"`, `""`) + `"`
	if p.prefix {
		quoted += " *"
	}
	return quoted
}

// at reports whether the phrase stands at words[i], and whether it is the whole of them.
func (p phrase) at(words []word, i int) (stands, whole bool) {
	if i+len(p.words) > len(words) {
		return false, false
	}
	last := len(p.words) - 1
	for j, w := range p.words[:last] {
		if words[i+j].text != w {
			return false, false
		}
	}
	w := words[i+last].text
	whole = w == p.words[last]
	return whole || p.prefix && strings.HasPrefix(w, p.words[last]), whole
}

// end is where a match ends that ends in w: one character of a script without spaces
// is not the pair in which it was found.
func (p phrase) end(w word, whole bool) int {
	if !whole && w.half > 0 {
		return w.half
	}
	return w.to
}
