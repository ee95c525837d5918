package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexeme is what one word of a text stands for in the index.
type lexeme struct {
	// terms are what is indexed; none for a stop word.
	terms []string
	cue   cue
}

// analyser turns texts into terms. It remembers the words it has seen, so it is
// for one user at a time.
type analyser struct {
	lex  *lexicon
	seen [tongues]map[string]*lexeme
	// votes has the languages of which a word, as written, is a stop word.
	votes map[string]uint16
}

// maxSeen bounds the words that are remembered: above it they are forgotten.
const maxSeen = 200_000

func newAnalyser() *analyser {
	a := &analyser{lex: words()}
	a.forget()
	return a
}

func (a *analyser) forget() {
	a.votes = map[string]uint16{}
	for t := range a.seen {
		a.seen[t] = map[string]*lexeme{}
	}
}

// vote returns the languages of which the word is a stop word.
func (a *analyser) vote(raw string) uint16 {
	mask, ok := a.votes[raw]
	if !ok {
		mask = a.lex.vote(raw)
		if len(a.votes) >= maxSeen {
			a.forget()
		}
		a.votes[strings.Clone(raw)] = mask
	}
	return mask
}

// lexeme returns what a plain or signed word stands for in a text of language t.
func (a *analyser) lexeme(raw string, k kind, t tongue) *lexeme {
	if found, ok := a.seen[t][raw]; ok {
		return found
	}
	made := &lexeme{terms: a.lex.terms(raw, k, t), cue: a.lex.cues[strings.ToLower(raw)]}
	if made.cue == 0 && k == plain && raw[0] >= '0' && raw[0] <= '9' {
		made.cue = cueOfDigits(raw)
	}
	a.seen[t][strings.Clone(raw)] = made
	return made
}

// terms returns the terms under which a plain or signed word is kept.
func (l *lexicon) terms(raw string, k kind, t tongue) []string {
	word := fold(raw)
	if k == signed {
		whole, parts := symbols(word)
		return append([]string{whole}, parts...)
	}
	word = bare(word)
	if word == "" || l.isStop(word, t) {
		return nil
	}
	return []string{l.stem(word, t)}
}

// bare takes the apostrophes out of a folded word: the 's of a possessive and
// the article of l'eau fall away, don't becomes dont.
func bare(word string) string {
	at := strings.IndexByte(word, '\'')
	if at < 0 {
		return word
	}
	word = strings.TrimSuffix(word, "'s")
	if head, rest, ok := strings.Cut(word, "'"); ok && isElision(head) && len(rest) > 1 {
		word = rest
	}
	return strings.ReplaceAll(word, "'", "")
}

// isElision reports the shortened article or pronoun before an apostrophe in
// French and Italian.
func isElision(head string) bool {
	switch head {
	case "l", "d", "j", "c", "s", "n", "m", "t", "qu", "jusqu", "lorsqu", "dell", "all", "nell", "sull", "dall", "un":
		return true
	}
	return false
}

// symbols returns how a signed word is kept: whole, so that -10 is not 10 and C++
// not C, and for a number of several parts, such as a date, each part too.
func symbols(word string) (whole string, parts []string) {
	whole = strings.TrimPrefix(word, "+")
	if !isDigit(word[0]) {
		return whole, nil
	}
	if thousands(whole) {
		return strings.ReplaceAll(whole, ",", ""), nil
	}
	if strings.ContainsAny(whole, "-/") {
		parts = strings.FieldsFunc(whole, func(r rune) bool { return r == '-' || r == '/' })
	}
	return whole, parts
}

// thousands reports a number whose commas part groups of three digits.
func thousands(number string) bool {
	groups := strings.Split(number, ",")
	for _, group := range groups[1:] {
		if len(group) != 3 {
			return false
		}
	}
	return len(groups) > 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// piece is a term of a run of a dense script.
type piece struct {
	term string
	// at is its place in the run, in characters.
	at int
	// whole is false for a single character out of a longer run.
	whole bool
}

// pieces returns the terms of a dense run: each pair of neighbours and each
// Chinese character, without those that only build sentences.
func (l *lexicon) pieces(raw string) []piece {
	runes := []rune(fold(raw))
	if len(runes) == 1 {
		if l.dense[string(runes)] {
			return nil
		}
		return []piece{{string(runes), 0, true}}
	}
	found := make([]piece, 0, 2*len(runes))
	for i, r := range runes {
		isHan := unicode.Is(unicode.Han, r)
		if isHan && !l.dense[string(r)] {
			found = append(found, piece{string(r), i, false})
		}
		if i+1 == len(runes) {
			break
		}
		pair := string(runes[i : i+2])
		empty := isHan && l.dense[string(r)] && l.dense[string(runes[i+1])]
		if !empty && !l.dense[pair] {
			found = append(found, piece{pair, i, true})
		}
	}
	return found
}

// head returns the first four characters of a term that begins with a letter and
// is so long, the key under which terms with one beginning are found; else "".
func head(term string) string {
	const letters = 4
	if first, _ := utf8.DecodeRuneInString(term); !unicode.IsLetter(first) {
		return ""
	}
	n := 0
	for i := range term {
		if n == letters {
			return term[:i]
		}
		n++
	}
	if n == letters {
		return term
	}
	return ""
}
