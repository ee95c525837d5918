package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
)

// Gate returns the directives that a draft meets which a bot is about to say unasked,
// in their order; the caller passes those that are active. A term is met by its words
// in their order, whatever their case, accents, width and inflection, and never inside
// another word: "ex" is not in "example". Articles and possessives before it do not
// count ("my ex", "your ex"), and up to two words without a subject may stand between
// its words. A term in Chinese, Japanese or Korean is met wherever its characters
// stand. A Nameless term is never met.
func Gate(draft string, active []Directive) []Directive {
	if len(active) == 0 {
		return nil
	}
	d := newDraft(draft)
	terms := make([]*gateTerm, len(active))
	index := map[string][]*gateTerm{} // by their first word, and by its stem
	starts := map[string]bool{}
	for i, directive := range active {
		t := d.term(directive.Term)
		terms[i] = t
		if len(t.words) > 0 {
			index[t.words[0]] = append(index[t.words[0]], t)
			if t.stems[0] != t.words[0] {
				index[t.stems[0]] = append(index[t.stems[0]], t)
			}
		}
		for _, w := range t.words {
			starts[head(w)] = true
		}
	}
	d.stemSome(starts)
	for i, w := range d.words {
		for _, key := range [...]string{w, d.stems[i]} {
			for _, t := range index[key] {
				t.met = t.met || d.meets(i, t)
			}
		}
	}
	var met []Directive
	for i, directive := range active {
		if terms[i].met {
			met = append(met, directive)
		}
	}
	return met
}

// Touches reports whether a fact is about a subject that must not be mentioned. What
// the person must not be called keeps nothing out of memory.
func Touches(text string, active []Directive) bool {
	topics := slices.DeleteFunc(slices.Clone(active), func(d Directive) bool { return d.Kind != DirectiveTopic })
	return len(Gate(text, topics)) > 0
}

// Nameless reports whether a term names nothing by itself, in any language of the
// table: "this", "that thing", "it". Such a directive is told to the bot and holds no
// draft back.
func Nameless(term string) bool {
	words := plainTokens(cleanTerm(term))
	alone, inEnglish := 0, false
	for _, t := range hushes().tongues {
		if !t.nameless(words) {
			continue
		}
		alone++
		inEnglish = inEnglish || t.code == "en"
		// One word may be another language's name for something: "war", "van".
		if len(words) != 1 || t.east || t.vague.span(words) > 0 || t.owners.span(words) > 0 {
			return true
		}
	}
	return len(words) == 0 || inEnglish || alone > 1
}

// nameless reports whether all words are of those that name nothing.
func (t *hushTongue) nameless(words []string) bool {
	for i := 0; i < len(words); {
		n := max(t.vague.span(words[i:]), t.owners.span(words[i:]), t.generic.span(words[i:]))
		if n == 0 && t.stops[words[i]] {
			n = 1
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// plainTokens returns the words of a text without accents.
func plainTokens(text string) []string {
	list := tokens(text)
	for i, w := range list {
		list[i] = accentless(w)
	}
	return list
}

// gateTerm is a term of a directive while a draft is held against it.
type gateTerm struct {
	words, stems []string
	met          bool
}

// gated is a text that is held against terms.
type gated struct {
	words, stems []string
	stop         map[string]bool // of its language
	tongue       tongue
	closed       string // the text without blanks, for scripts that have none
	text         string
}

func newDraft(text string) *gated {
	d := &gated{text: text, words: plainTokens(text)}
	d.stems = slices.Clone(d.words)
	best, code := 0, "en"
	for _, t := range hushes().tongues {
		n := 0
		for _, w := range d.words[:min(len(d.words), maxGuessed)] {
			if t.stops[w] {
				n++
			}
		}
		if n > best {
			best, code = n, t.code
		}
		if t.code == code {
			d.stop = t.stops
		}
	}
	d.tongue, _ = tongueOf(code)
	return d
}

const maxGuessed = 400 // words by which the language of a draft is told

// head is what a word and its inflections begin with.
func head(word string) string {
	_, size := utf8.DecodeRuneInString(word)
	_, next := utf8.DecodeRuneInString(word[size:])
	return word[:size+next]
}

// stemSome finds the stems of the words that begin as one of the terms' does, each
// once.
func (d *gated) stemSome(starts map[string]bool) {
	known := map[string]string{}
	for i, w := range d.words {
		if !starts[head(w)] {
			continue
		}
		stem, ok := known[w]
		if !ok {
			stem = d.stemOf(w)
			known[w] = stem
		}
		d.stems[i] = stem
	}
}

// term makes a term ready. One in a script without blanks is looked for at once.
func (d *gated) term(text string) *gateTerm {
	t := &gateTerm{}
	text = cleanTerm(text)
	if Nameless(text) {
		return t
	}
	if eastern(text) {
		if d.closed == "" {
			d.closed = closed(d.text)
		}
		core := closed(eastCore(text))
		t.met = core != "" && strings.Contains(d.closed, core)
		return t
	}
	t.words = westCore(plainTokens(text))
	for _, w := range t.words {
		t.stems = append(t.stems, d.stemOf(w))
	}
	return t
}

// closed returns a folded text without blanks.
func closed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, foldText(text))
}

// westCore returns the words of a term behind its articles and possessives. "La la
// land" has none.
func westCore(words []string) []string {
	for len(words) > 1 && words[0] != words[1] {
		n := 0
		for _, t := range hushes().tongues {
			if !t.east {
				n = max(n, t.owners.span(words))
			}
		}
		if n == 0 || n >= len(words) {
			break
		}
		words = words[n:]
	}
	return words
}

// eastCore returns a term without the possessive that it begins with: in Korean a word
// of its own, in Chinese and Japanese as long as two characters are left.
func eastCore(text string) string {
	fields := strings.Fields(text)
	for _, t := range hushes().tongues {
		if !t.east || t.code == "ko" && len(fields) < 2 {
			continue
		}
		words := plainTokens(text)
		if t.code == "ko" {
			first := plainTokens(fields[0])
			if t.owners.span(first) == len(first) {
				return strings.Join(fields[1:], " ")
			}
			continue
		}
		n := t.owners.span(words)
		if n == 0 || len(words)-n < minTermRunes {
			continue
		}
		rest := text
		for range n {
			rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
			_, size := utf8.DecodeRuneInString(rest)
			rest = rest[size:]
		}
		return rest
	}
	return text
}

const maxBetween = 2 // words without a subject between those of a term

// meets reports whether the words of a term follow from place i on.
func (d *gated) meets(i int, t *gateTerm) bool {
	for k := range t.words {
		between := 0
		for k > 0 && i < len(d.words) && !d.is(i, t, k) && d.stop[d.words[i]] && between < maxBetween {
			i++
			between++
		}
		if i >= len(d.words) || !d.is(i, t, k) {
			return false
		}
		i++
	}
	return true
}

// is reports whether the word at i is word k of a term, or one of its forms.
func (d *gated) is(i int, t *gateTerm, k int) bool {
	return d.words[i] == t.words[k] || d.stems[i] == t.stems[k] || d.owner(d.words[i]) && d.owner(t.words[k])
}

// owner reports whether a word is an article or a possessive, all of which are one to
// a term: "a talk with my mother", "with your mother".
func (d *gated) owner(word string) bool {
	return slices.ContainsFunc(hushes().tongues, func(t *hushTongue) bool { return !t.east && t.owners.span([]string{word}) > 0 })
}

// stemOf returns the stem of a word in the language of the draft, or in Russian where
// its letters say so. Words of up to two letters have none, nor have other scripts.
func (d *gated) stemOf(word string) string {
	const least = 3
	if utf8.RuneCountInString(word) < least || len(word) > maxWordBytes {
		return word
	}
	t := d.tongue
	for _, r := range word {
		if r >= utf8.RuneSelf {
			if !unicode.Is(unicode.Cyrillic, r) {
				return word
			}
			t = inRussian
		} else if !unicode.IsLetter(r) {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	t.stemmer()(env)
	return env.Current()
}
