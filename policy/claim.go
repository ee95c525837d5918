package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"quipu/markdown"
)

// claim is a fact as far as its words tell whether another one says the same.
type claim struct {
	id      string
	subject string   // who it is about; "" is the person, who is called by many words
	keys    []string // stems of its keywords, sorted, its subject among them
	denies  bool
}

// claims are the claims of a ledger's facts, each read once as long as the ledger is only
// added to.
type claims struct {
	person []string // words of the person's name
	mu     sync.Mutex
	read   map[string]claim
}

func (c *claims) of(fact string) claim {
	if c == nil {
		return claimOf(fact, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.read[fact]
	if !ok {
		known = claimOf(fact, c.person)
		c.read[fact] = known
	}
	return known
}

// WithPerson is the ledger of a person of this name: what it says of them by name it says of
// "the user" as well.
func (l Ledger) WithPerson(name string) Ledger {
	if person := tokens(name); l.claims == nil || !slices.Equal(l.claims.person, person) {
		l.claims = &claims{person: person, read: map[string]claim{}}
	}
	return l
}

// claimOf reads a fact; person are the words of the person's name, in their order.
func claimOf(fact string, person []string) claim {
	c := claim{id: markdown.Identity(fact)}
	c.denies = idiom().negations.in(wordsOf(fact))
	first := fact
	if list := clauses(fact); len(list) > 0 {
		first = fact[list[0].start:list[0].end]
	}
	words := keywords(fact)
	if c.subject = theirName(subjectOf(first)); called(strings.Fields(c.subject), person) {
		words = slices.DeleteFunc(words, func(w string) bool {
			return slices.ContainsFunc(person, func(name string) bool { return unaccented(name) == w })
		})
		c.subject = ""
	}
	c.keys = stemmed(words)
	return c
}

// called reports whether words are a person's name, or its first word.
func called(words, person []string) bool {
	return len(person) > 0 && (slices.Equal(words, person) || slices.Equal(words, person[:1]))
}

// theirName is a subject without the words by which the person is called.
func theirName(subject string) string {
	w := tokens(subject)
	if len(w) > 0 && (w[0] == "the" || w[0] == "my") {
		w = w[1:]
	}
	if len(w) == 1 && (persons[w[0]] || selfWords[w[0]]) {
		return ""
	}
	return strings.Join(w, " ")
}

// selfWords stand for the person where a fact has no name for them.
var selfWords = wordSet("i you he she they we yo tú usted ich du sie je tu vous eu você io ik jij я ты вы он она они")

// restates reports whether a claim says again what another one says, by the keyword rule
// of Kotoba: the same keywords, or some of them, at least two; or these and as many more
// at most. What differs on both sides, in who it is about, or in a "not", is another claim:
// born in May is not born in June.
func (c claim) restates(old claim) bool {
	switch {
	case c.id == old.id:
		return true
	case c.denies != old.denies, c.subject != old.subject, len(c.keys) == 0, len(old.keys) == 0:
		return false
	}
	shared := sharedWords(c.keys, old.keys)
	switch {
	case shared == len(c.keys) && shared == len(old.keys):
		return sameFigures(c.id, old.id)
	case shared == len(c.keys): // less is said
		return shared > 1
	case shared == len(old.keys): // more is said
		return shared > 1 && 2*shared >= len(c.keys)
	}
	return false
}

// Rewords reports whether a fact says the same as another one in other words, so that what
// is known of the one holds for the other.
func Rewords(fact, old string) bool {
	c, was := claimOf(fact, nil), claimOf(old, nil)
	return c.restates(was) || was.restates(c)
}

// Concerns reports whether a text speaks of what a fact is about: they share a keyword.
func Concerns(text, fact string) bool {
	return sharedWords(claimOf(text, nil).keys, claimOf(fact, nil).keys) > 0
}

// sameFigures reports whether two texts hold the same digits and signs in one order: +5 is
// not -5.
func sameFigures(a, b string) bool {
	figures := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) || strings.ContainsRune("+-−", r) {
				return r
			}
			return -1
		}, s)
	}
	return figures(a) == figures(b)
}

// sharedWords counts what two sorted lists have in common.
func sharedWords(a, b []string) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch strings.Compare(a[0], b[0]) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			n, a, b = n+1, a[1:], b[1:]
		}
	}
	return n
}

// stemmed are words without their endings, sorted, each once. The language is not looked
// for: Cyrillic words are taken for Russian, others for English, which takes the plural
// off in most.
func stemmed(words []string) []string {
	s := newStems(inEnglish)
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, s.cut(w))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
