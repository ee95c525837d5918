package policy

import (
	"slices"
	"strings"
	"unicode"

	"quipu/markdown"
)

// Theme is what a bot may raise too often: a topic of its notes, or one note.
type Theme struct {
	Name string // the topic's title, or the note's fact on one line
	Path string // the file
	Fact string // the note's identity; "" for a topic

	runs   [][]string // of a topic: its names, as whole words
	terms  []term     // of a note
	tongue tongue     // whose rules cut the terms
}

// A note is mentioned when this part of the weight of its terms stands in a text.
const (
	mentionedOf   = 2
	mentionedFrom = 3
	leastTerms    = 2
)

// Themes returns what the notes can be about: each topic by its title, its name and
// its aliases, and each note that holds today and carries enough words to be told
// from others, in the order of the files. A note of one word is known by it only when
// it is a name or a number and no other note has it.
func Themes(n Notes, today markdown.Date) []Theme {
	t := themes{today: today, cut: map[tongue]*stems{}, held: map[string]int{}}
	paths := slices.DeleteFunc(sortedKeys(n.Files), func(path string) bool { return path != AboutFile && !searched(path) })
	files := make([]*markdown.File, len(paths))
	for i, path := range paths {
		files[i] = markdown.Parse(path, n.Files[path])
		t.read(files[i])
	}
	expected := tongueIn(t.all, inEnglish)
	for i, path := range paths {
		if isTopic(path) {
			t.topic(path, files[i].Header())
		}
		t.notes(path, t.facts[i], expected)
	}
	return slices.DeleteFunc(t.list, func(theme Theme) bool {
		return theme.Fact != "" && len(theme.terms) < leastTerms && t.held[theme.terms[0].key] > 1
	})
}

type themes struct {
	today markdown.Date
	facts [][]string // of each file, the facts of its notes
	all   []string   // the words of all, by which the expected language is told
	list  []Theme
	cut   map[tongue]*stems
	held  map[string]int // in how many notes a term stands
}

// maxSampled are the words that tell the language of all notes.
const maxSampled = 5000

func (t *themes) read(f *markdown.File) {
	var facts []string
	for _, s := range noteSpans(f) {
		if s.kept || !s.live(f, t.today) {
			continue
		}
		fact := flatten(handBullet.ReplaceAllString(s.states(f), ""))
		facts = append(facts, fact)
		if len(t.all) < maxSampled {
			t.all = append(t.all, saidWords(fact)...)
		}
	}
	t.facts = append(t.facts, facts)
}

func (t *themes) topic(path string, h markdown.Header) {
	base := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	theme := Theme{Name: h.Title, Path: path}
	if theme.Name == "" {
		theme.Name = base
	}
	for _, name := range append([]string{h.Title, strings.NewReplacer("-", " ", "_", " ").Replace(base)}, h.Aliases...) {
		run := tokens(name)
		known := slices.ContainsFunc(theme.runs, func(other []string) bool { return slices.Equal(other, run) })
		if !known && slices.ContainsFunc(run, func(w string) bool { return !vocabulary().stop[w] }) {
			theme.runs = append(theme.runs, run)
		}
	}
	if len(theme.runs) > 0 {
		t.list = append(t.list, theme)
	}
}

func (t *themes) notes(path string, facts []string, expected tongue) {
	for _, fact := range facts {
		words := saidWords(fact)
		in := tongueIn(words, expected)
		if t.cut[in] == nil {
			t.cut[in] = newStems(in)
		}
		terms := t.cut[in].terms(words, true)
		for _, term := range terms {
			t.held[term.key]++
		}
		if len(terms) < leastTerms && (len(terms) == 0 || !isName(fact, words[terms[0].from])) {
			continue
		}
		t.list = append(t.list, Theme{Name: shortened(fact), Path: path, Fact: markdown.Identity(fact), terms: terms, tongue: in})
	}
}

// isName reports whether a word from tokens is a number, or is written in a text as a
// name is: with a capital behind the first word, or with one inside.
func isName(text, word string) bool {
	if strings.ContainsFunc(word, unicode.IsDigit) {
		return true
	}
	first := true
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inWord(r) && !unicode.IsMark(r) }) {
		capital := strings.IndexFunc(w, unicode.IsUpper)
		if foldText(w) == word && (capital > 0 || capital == 0 && !first) {
			return true
		}
		first = false
	}
	return false
}

// In reports whether a text mentions the theme. Of a topic one of its names stands in
// it as whole words in their order; of a note at least two thirds of its words, and at
// least two unless it has but one. The first 4 KiB of a text are read.
func (t Theme) In(text string) bool { return len(newReading([]string{text}).of(&t)) > 0 }

// reading is texts that themes are looked for in.
type reading struct {
	words  [][]string
	holds  map[string][]int // word -> the texts that have it
	stems  [tongues]map[string][]int
	counts []int // what of one note a text has, by text
}

func newReading(texts []string) *reading {
	r := &reading{holds: map[string][]int{}, counts: make([]int, len(texts))}
	for i, text := range texts {
		words := saidWords(text)
		r.words = append(r.words, words)
		for _, w := range words {
			if at := r.holds[w]; len(at) == 0 || at[len(at)-1] != i {
				r.holds[w] = append(at, i)
			}
		}
	}
	return r
}

// of returns the texts that mention a theme, in their order.
func (r *reading) of(t *Theme) []int {
	if t.Fact == "" {
		return r.named(t.runs)
	}
	stems := r.cut(t.tongue)
	all := 0
	var touched []int
	for _, term := range t.terms {
		all += term.weight
		for _, i := range stems[term.key] {
			if r.counts[i] == 0 {
				touched = append(touched, i)
			}
			r.counts[i] += term.weight
		}
	}
	var found []int
	for _, i := range touched {
		if r.counts[i]*mentionedFrom >= all*mentionedOf && (len(t.terms) < leastTerms || r.shares(stems, t.terms, i)) {
			found = append(found, i)
		}
		r.counts[i] = 0
	}
	slices.Sort(found)
	return found
}

// shares reports whether a text has at least two of the terms.
func (r *reading) shares(stems map[string][]int, terms []term, text int) bool {
	n := 0
	for _, term := range terms {
		if _, has := slices.BinarySearch(stems[term.key], text); has {
			n++
		}
	}
	return n >= leastTerms
}

func (r *reading) named(runs [][]string) []int {
	var found []int
	for _, run := range runs {
		for _, i := range r.holds[run[0]] {
			if holdsRun(r.words[i], run) {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// cut returns the texts that have each term, by the rules of one language.
func (r *reading) cut(in tongue) map[string][]int {
	if r.stems[in] == nil {
		stems := newStems(in)
		has := map[string][]int{}
		for i, words := range r.words {
			for _, term := range stems.terms(words, true) {
				has[term.key] = append(has[term.key], i)
			}
		}
		r.stems[in] = has
	}
	return r.stems[in]
}
