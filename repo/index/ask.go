package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ask is a question made ready: its words with their forms, and what it asks for.
type ask struct {
	words []askWord
	// named are the authors that the question names, folded.
	named []string
	when  dated
	// wants says which sort of answer is asked for.
	time, place, count bool
}

// askWord is one word of a question, or one piece of a dense run.
type askWord struct {
	// text is the word as it is shown: folded. run numbers the dense run that a
	// piece comes from, and at is its place there; -1 for a word.
	text    string
	run, at int
	// forms are the terms under which notes may hold it, the likeliest first.
	forms []string
	// near are terms that share its beginning, kin those of near-equal words.
	near, kin []*term
	// weight is 1, less for a piece that says little.
	weight float32
	// idf says how rare it is, once the notes that hold it were counted.
	idf float32
	// name says that it is an author's name: in a conversation it tells who is
	// meant, not what.
	name bool
}

const (
	maxQuestion = 2000 // characters
	maxAskWords = 48
	// kanaWeight is for a pair of hiragana, which is grammar more often than not;
	// charWeight for one Chinese character out of a longer run.
	kanaWeight = 0.5
	charWeight = 0.4
)

// read reads a question.
func (s *search) read(text string, today day) *ask {
	x := s.x
	text = cut(text, maxQuestion)
	a := &ask{}
	lex := words()
	var votes ballot
	lex.detect(text, &votes)
	t := votes.winner(inEnglish)
	folded := []string{}
	sc := scanner{text: text}
	for run := 0; ; run++ {
		sp, ok := sc.next()
		if !ok || len(a.words) >= maxAskWords {
			break
		}
		raw := text[sp.from:sp.to]
		word := bare(fold(raw))
		if word == "" {
			continue
		}
		folded = append(folded, word)
		switch {
		case sp.kind == dense:
			a.addPieces(lex, raw, run)
		case sp.kind == signed:
			whole, _ := symbols(fold(raw))
			a.add(askWord{text: whole, run: -1, forms: []string{whole}, weight: 1})
		case !lex.isStop(word, t):
			a.add(askWord{text: word, run: -1, forms: s.forms(lex, raw, word, t), weight: 1, name: s.names(a, raw, word)})
		}
	}
	a.when = askedTime(folded, today)
	a.wants(text)
	for i := range a.words {
		x.widen(a, &a.words[i])
	}
	x.join(a, folded, t)
	return a
}

// join lets two words in a row be found where they are written as one: board
// games, boardgames.
func (x *Index) join(a *ask, folded []string, t tongue) {
	lex := words()
	for i := range folded[:max(0, len(folded)-1)] {
		first, second := a.word(folded[i]), a.word(folded[i+1])
		if first == nil || second == nil {
			continue
		}
		if t := x.terms[lex.stem(folded[i]+folded[i+1], t)]; t != nil && !a.holds(t.text) {
			first.near, second.near = addTerm(first.near, t), addTerm(second.near, t)
		}
	}
}

// word returns the word of the question that is shown as text, nil for a stop
// word or a piece.
func (a *ask) word(text string) *askWord {
	for i := range a.words {
		if w := &a.words[i]; w.run < 0 && w.text == text {
			return w
		}
	}
	return nil
}

// add takes a word in, unless one with the same forms is there.
func (a *ask) add(w askWord) {
	for i := range a.words {
		if a.words[i].forms[0] == w.forms[0] {
			return
		}
	}
	a.words = append(a.words, w)
}

func (a *ask) addPieces(lex *lexicon, raw string, run int) {
	for _, p := range lex.pieces(raw) {
		w := askWord{text: p.term, run: run, at: p.at, forms: []string{p.term}, weight: 1}
		switch {
		case !p.whole:
			w.weight = charWeight
		case isHiragana(p.term):
			w.weight = kanaWeight
		}
		a.add(w)
	}
}

func isHiragana(s string) bool {
	for _, r := range s {
		if !unicode.Is(unicode.Hiragana, r) {
			return false
		}
	}
	return true
}

// forms returns the terms that a word may be kept under: its stem in the
// question's language, then in each language that the index holds, since a short
// question seldom shows its own; and the two spellings of an umlaut.
func (s *search) forms(lex *lexicon, raw, word string, t tongue) []string {
	spellings := []string{word}
	if !isASCII(raw) {
		if long := umlauts.Replace(strings.ToLower(raw)); long != strings.ToLower(raw) {
			spellings = append(spellings, bare(fold(long)))
		}
	} else if short := unspelled(word); short != word {
		spellings = append(spellings, short)
	}
	forms := []string{}
	for _, spelling := range spellings {
		forms = addNew(forms, lex.stem(spelling, t))
		for other, n := range s.tongues {
			if n > 0 {
				forms = addNew(forms, lex.stem(spelling, tongue(other)))
			}
		}
	}
	return forms
}

func addNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// umlauts writes umlauts as German types them without.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "å", "aa", "ø", "oe")

// unspelled returns a folded word with ae, oe and ue as ä, ö and ü fold. A ue
// behind another vowel or q is none: Steuer, Frauen, Quelle.
func unspelled(word string) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		b.WriteByte(word[i])
		if i+1 == len(word) || word[i+1] != 'e' {
			continue
		}
		switch c := word[i]; {
		case c == 'u' && i > 0 && strings.IndexByte("aeoq", word[i-1]) >= 0:
		case c == 'a', c == 'o', c == 'u':
			i++
		}
	}
	return b.String()
}

// names reports whether a word of the question is an author's name, and notes
// the authors: it equals one of the name's words or, with three letters or more,
// begins it. Where the script has capitals the word must have one.
func (s *search) names(a *ask, raw, word string) bool {
	if first, _ := utf8.DecodeRuneInString(raw); unicode.IsLower(first) {
		return false
	}
	var meant []string
	for author := range s.authors {
		if called(author, word) {
			meant = append(meant, author)
		}
	}
	slices.Sort(meant)
	for _, author := range meant {
		a.named = addNew(a.named, author)
	}
	return len(meant) > 0
}

// called reports whether a folded word is one of an author's names or, with three
// letters or more, begins one.
func called(author, word string) bool {
	for part := range strings.FieldsSeq(author) {
		if part == word || len(word) >= 3 && strings.HasPrefix(part, word) {
			return true
		}
	}
	return false
}

// widen finds the terms of the index that share a word's beginning and those of
// near-equal words.
func (x *Index) widen(a *ask, w *askWord) {
	if w.run >= 0 {
		return
	}
	for _, form := range w.forms {
		for _, t := range x.heads[head(form)] {
			if strings.HasPrefix(t.text, form) && !a.holds(t.text) {
				w.near = addTerm(w.near, t)
			}
		}
		w.near = x.shorter(a, form, w.near)
	}
	for _, kin := range words().kin[w.forms[0]] {
		if t := x.terms[kin]; t != nil && !a.holds(kin) {
			w.kin = addTerm(w.kin, t)
		}
	}
}

// shorter adds the terms of five letters and more that the form begins with.
func (x *Index) shorter(a *ask, form string, near []*term) []*term {
	const shortest = 5
	if head(form) == "" {
		return near
	}
	letters := 0
	for i := range form {
		if letters >= shortest {
			if t := x.terms[form[:i]]; t != nil && !a.holds(t.text) {
				near = addTerm(near, t)
			}
		}
		letters++
	}
	return near
}

func addTerm(list []*term, t *term) []*term {
	if slices.Contains(list, t) {
		return list
	}
	return append(list, t)
}

// holds reports whether a term is a form of one of the question's own words.
func (a *ask) holds(text string) bool {
	for i := range a.words {
		if slices.Contains(a.words[i].forms, text) {
			return true
		}
	}
	return false
}

// wants reads which sort of answer the question is after, from English phrases.
func (a *ask) wants(text string) {
	low := " " + strings.ToLower(text) + " "
	has := func(phrases ...string) bool {
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(low, p) })
	}
	a.time = strings.HasPrefix(low, " when ") || has("what year", "which year", "what month", "which month", "what date", "what day", "how long ago")
	a.place = strings.HasPrefix(low, " where ") || has("which country", "what country", "which city", "what city", "which state",
		"what state", "what place", "which place", "countries")
	a.count = has("how many", "how long", "how often", "how old", "how much")
}
