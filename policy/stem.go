package policy

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	nl "github.com/blevesearch/snowballstem/dutch"
	en "github.com/blevesearch/snowballstem/english"
	fr "github.com/blevesearch/snowballstem/french"
	de "github.com/blevesearch/snowballstem/german"
	it "github.com/blevesearch/snowballstem/italian"
	pt "github.com/blevesearch/snowballstem/portuguese"
	ru "github.com/blevesearch/snowballstem/russian"
	es "github.com/blevesearch/snowballstem/spanish"
)

// tongue is a language that has a stemmer. English comes first: it is what a text is
// taken for when nothing speaks against.
type tongue uint8

const (
	inEnglish tongue = iota
	inSpanish
	inGerman
	inFrench
	inPortuguese
	inItalian
	inDutch
	inRussian
	tongues
)

// tongueOf leads from a language's code to its stemmer.
func tongueOf(code string) (tongue, bool) {
	at := strings.Index("en es de fr pt it nl ru", code)
	return tongue(at / len("en ")), at >= 0
}

func (t tongue) stemmer() func(*snowballstem.Env) bool {
	switch t {
	case inSpanish:
		return es.Stem
	case inGerman:
		return de.Stem
	case inFrench:
		return fr.Stem
	case inPortuguese:
		return pt.Stem
	case inItalian:
		return it.Stem
	case inDutch:
		return nl.Stem
	case inRussian:
		return ru.Stem
	default:
		return en.Stem
	}
}

// plainWords are the words that say nothing of what a text is about.
type plainWords struct {
	votes   map[string]uint16 // the tongues of which a word is a stop word, a bit each
	openers forms             // how messages open, of all languages
}

// plain is built at the first text that is compared.
var plain = sync.OnceValue(func() *plainWords {
	v := &plainWords{votes: map[string]uint16{}}
	for _, l := range languages() {
		v.openers.add(l.openers)
		t, ok := tongueOf(l.code)
		if !ok {
			continue
		}
		for word := range strings.FieldsSeq(l.stop) {
			v.votes[foldText(word)] |= 1 << t
		}
	}
	return v
})

// tongueIn returns the language that the stop words of a text speak for, the louder
// the fewer languages share one; without any it is the one that is expected.
func tongueIn(words []string, expected tongue) tongue {
	const lead = 0.6 // less than one word of its own, more than one that two share
	var votes [tongues]float64
	votes[expected] = lead
	for _, w := range words {
		mask := plain().votes[w]
		for t := range tongues {
			if mask&(1<<t) != 0 {
				votes[t] += 1 / float64(bits.OnesCount16(mask))
			}
		}
	}
	best := expected
	for t := range tongues {
		if votes[t] > votes[best] {
			best = t
		}
	}
	return best
}

// stems gives the stems of words by the rules of one language, whatever language the
// words are of: two texts compare only when the same rules cut both. It remembers
// what it has seen, so it is for one call.
type stems struct {
	tongue tongue
	seen   map[string]string
}

func newStems(t tongue) *stems { return &stems{tongue: t, seen: map[string]string{}} }

const shortestStemmed = 3 // bytes: a shorter word stays as it is

// of returns the stem of a word from tokens, "" for one that carries no subject.
func (s *stems) of(word string) string {
	stem, ok := s.seen[word]
	if !ok {
		if !vocabulary().stop[word] && isSubject(word) {
			stem = s.cut(word)
		}
		s.seen[word] = stem
	}
	return stem
}

// cut takes the ending off. Cyrillic has its own rules, and a word with other letters
// than the Latin ones stays as it is, without accents.
func (s *stems) cut(word string) string {
	t := s.tongue
	plain := unaccented(word)
	switch r, _ := utf8.DecodeRuneInString(word); {
	case unicode.Is(unicode.Cyrillic, r):
		t, plain = inRussian, strings.ReplaceAll(word, "ё", "е") // й must stay
	case t == inRussian:
		t = inEnglish
	}
	if len(plain) < shortestStemmed || t != inRussian && !isASCII(plain) {
		return plain
	}
	env := snowballstem.NewEnv(plain)
	t.stemmer()(env)
	return env.Current()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
