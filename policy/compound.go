package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Compound reports whether a statement holds more than one fact, as the switch "atomic"
// asks: it is parted by a semicolon outside quotes, by a joining word behind which a
// subject, an article, a possessive or a verb begins something of its own, or by a full
// stop or a comma with a statement on either side. "Likes salt and pepper", "Lives in
// Trinidad and Tobago", "Speaks and writes Arabic", "Fan of Florence and the Machine",
// "Works between 9 and the end of the day" and "Has two and a half acres" are one fact each.
func Compound(text string) bool { return len(factsIn(text)) > 1 }

// factsIn returns the facts that a statement of one line is made of, at least one. What is
// quoted parts nothing.
func factsIn(text string) []string {
	text = flatten(text)
	m := mosaic{text: text, plain: unquotedSame(text)}
	m.plain = m.plain[:min(len(m.plain), 2*maxWeighedBytes)]
	m.read()
	return m.parts
}

// unquotedSame blanks what a text quotes, byte for byte, so that places stay.
func unquotedSame(text string) string {
	b := []byte(text)
	for _, at := range append(quotedSpan.FindAllStringIndex(text, -1), webSpan.FindAllStringIndex(text, -1)...) {
		for i := at[0]; i < at[1]; i++ {
			b[i] = '_'
		}
	}
	return string(b)
}

// maxWeighedBytes is how much of a statement is looked at: no fact is so long.
const maxWeighedBytes = 4 << 10

type mosaic struct {
	text, plain string // the second without what is quoted, as long
	parts       []string
	start       int
}

func (m *mosaic) read() {
	for at := 0; at < min(len(m.plain), maxWeighedBytes); {
		r, size := utf8.DecodeRuneInString(m.plain[at:])
		switch r {
		case ';', '；':
			m.part(at, at+size)
		case ' ':
			if end := m.joint(at); end > at {
				m.part(at, end)
				at = end
				continue
			}
		}
		at += size
	}
	m.part(len(m.text), len(m.text))
	if len(m.parts) == 0 {
		m.parts = []string{m.text}
	}
}

// part ends a fact at one place and begins the next at another. What has no letter is none.
func (m *mosaic) part(end, next int) {
	if end < m.start {
		return
	}
	if fact := strings.Trim(m.text[m.start:end], " ,;.!。；"); strings.ContainsFunc(fact, unicode.IsLetter) {
		m.parts = append(m.parts, fact)
	}
	m.start = next
}

// joint returns where a second fact begins behind the blank at a place, the place itself
// when none does.
func (m *mosaic) joint(at int) int {
	before, rest := strings.Fields(m.plain[m.start:at]), strings.TrimLeft(m.plain[at:], " ")
	if len(before) == 0 || rest == "" {
		return at
	}
	restAt := len(m.plain) - len(rest)
	last := before[len(before)-1]
	switch {
	case strings.HasSuffix(last, ".") || strings.HasSuffix(last, "!"):
		if !initial(last) && hasVerb(before) && states(rest, maxSubject) {
			return restAt
		}
	case strings.HasSuffix(last, ","):
		if len(before) > 1 && isVerb(before[0]) && states(rest, 0) && !hostVerb(strings.Fields(rest)) {
			return restAt
		}
	}
	words := strings.Fields(rest)
	if len(words) > 1 && parts(before, words) {
		return restAt + len(words[0]) + 1
	}
	return at
}

// initial reports whether a full stop belongs to a word: "St.", "Dr.", "J.".
func initial(word string) bool {
	const short = 4
	return strings.HasSuffix(word, ".") && utf8.RuneCountInString(word) <= short && word != strings.ToLower(word)
}

func hasVerb(words []string) bool { return slices.ContainsFunc(words, isVerb) }

// parts reports whether the joining word that words begin with opens a fact of its own.
func parts(before, words []string) bool {
	seconds := secondFacts()[foldText(words[0])]
	if seconds == nil {
		return foldText(words[0]) == "but" && isVerb(words[1]) && !nounToo[plainForm(words[1])] && len(words) > 2
	}
	next := plainForm(words[1])
	switch {
	case sharesObject(before):
		return false
	case seconds[next]:
		return !oneName(before, words) && !oneThing(before, words)
	}
	return isVerb(words[1]) && len(words) > 2 && !hostVerb(words[1:])
}

// sharesObject reports whether the words before a joint are a verb, behind a subject or not:
// "speaks and writes Arabic" has one object.
func sharesObject(before []string) bool {
	last := before[len(before)-1]
	return isVerb(last) && !strings.HasSuffix(last, ",") && !nounToo[plainForm(last)]
}

// oneName reports whether the joint stands inside a name: an article between capitals.
func oneName(before, words []string) bool {
	capital := func(word string) bool {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "\"'(“"))
		return unicode.IsUpper(r)
	}
	return len(words) > 2 && len(before) > 1 && capital(before[len(before)-1]) && capital(words[2]) && titleArticles[plainForm(words[1])]
}

// oneThing reports whether the words at a joint count or bound one thing: "two and a half",
// "and the like", "between 9 and the end of the day".
func oneThing(before, words []string) bool {
	if len(words) > 2 && articles[plainForm(words[1])] && wholes[plainForm(words[2])] {
		return true
	}
	return slices.ContainsFunc(before, func(w string) bool { return bounds[plainForm(w)] })
}

// hostVerb reports whether the verb that words begin with may be a noun here: "food and
// drinks at fairs", "cars and ships". It is a verb when an object follows at once.
func hostVerb(words []string) bool {
	return nounToo[plainForm(words[0])] && (len(words) < 2 || prepositions[plainForm(words[1])] || strings.HasSuffix(words[0], ","))
}

func plainForm(word string) string {
	return foldText(strings.Trim(strings.ReplaceAll(word, "’", "'"), ".,;:!?\"()"))
}

var (
	titleArticles = wordSet("the el la los las le les il lo os de het") // not in German, whose nouns all have capitals
	articles      = wordSet("the a an el la los las der die das le les o os il lo de het")
	wholes        = wordSet("half quarter third like rest bit lot few couple others other")
	bounds        = wordSet("between entre zwischen tra fra tussen между")
	nounToo       = wordSet("drinks runs plans calls ships costs starts ends opens closes plays uses needs wants stands stays leads travels pays cooks takes gets sleeps supports comes can will must never always reads meets sits va come usa lee ama will mag")
	prepositions  = wordSet("at in on of for from to with by and or is are per as during under over near between after before about than")
)

// secondFacts leads from a joining word to the words that begin a second fact behind it.
var secondFacts = sync.OnceValue(func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, l := range languages() {
		for and := range strings.SplitSeq(l.ands, "|") {
			if and == "" {
				continue
			}
			if all[and] == nil {
				all[and] = map[string]bool{}
			}
			addEach(all[and], l.seconds)
		}
	}
	all["&"] = all["and"]
	return all
})
