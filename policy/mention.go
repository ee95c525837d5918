package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Mention is what a person asks not to be mentioned, or not to be called.
type Mention struct {
	Kind DirectiveKind
	Term string // 2 to 40 characters as they were written, on one line
}

// DirectivesIn returns what a person's message asks not to be mentioned, each term
// once, in the order in which they are said. All languages of the table are tried,
// and none is guessed. Questions, what somebody else asked for, quotations, code and
// texts to work on ask for nothing. What a host puts into a message is to be taken
// out before, and credentials are to be masked: a term that holds one is dropped, and
// so is one that names something only while it is spoken of ("it").
func DirectivesIn(text string) []Mention {
	text = strings.ReplaceAll(ownWords(strings.ReplaceAll(text, "\r\n", "\n")), "`", "\"")
	l := newLine(VoicePerson, text)
	r := &hearing{line: l, table: hushes()}
	l.read()
	words := wordsHeard(l.folded)
	for _, p := range l.parts {
		n := 0
		for n < len(words) && words[n].start < p.end {
			n++
		}
		r.part = p
		r.sentence(words[:n], l.folded[p.start:p.end])
		words = words[n:]
		if r.done() {
			break
		}
	}
	return r.mentions()
}

const (
	maxHits      = 4 * MaxDirectives // terms of one message, before those that are one
	maxLooked    = 1000              // templates of one message that are looked into
	maxTermWords = 40                // words, or characters of a script without blanks
	maxBefore    = 16                // words before a template that are read
	maxJudged    = 4096              // bytes of a sentence whose clauses are told apart
)

// hearing is a message while it is read.
type hearing struct {
	line   *line
	table  *templates
	words  []heardWord // of the sentence
	asks   bool
	kana   bool
	looked int
	part   span // where the sentence stands
	found  []finding
}

// finding is a mention and where its term stands.
type finding struct {
	Mention
	span
	words []heardWord
}

// match is a template in a sentence: its words, and those of the term.
type match struct {
	*template
	start, end int
	term       span
}

// sentence looks for templates in one sentence.
func (r *hearing) sentence(words []heardWord, text string) {
	r.words, r.asks, r.kana = words, strings.ContainsAny(text, "?？"), kana(text)
	for i, w := range words {
		if w.quoted {
			continue
		}
		for _, t := range r.table.begins[w.text] {
			if n := consume(t.before, words[i:]); n >= 0 {
				r.behind(t, i, i+n)
			}
		}
		for _, t := range r.table.ends[w.text] {
			if n := consume(t.after, words[i:]); n >= 0 {
				r.before(t, i, i+n)
			}
		}
		if r.done() {
			return
		}
	}
}

// done reports whether enough was read of a message that is full of templates.
func (r *hearing) done() bool { return len(r.found) >= maxHits || r.looked >= maxLooked }

// behind takes the term that stands behind the words from start to from.
func (r *hearing) behind(t *template, start, from int) {
	r.looked++
	end := r.termEnd(t, from)
	m := match{template: t, start: start, end: end, term: span{start: from, end: end}}
	if len(t.after) > 0 {
		n := -1
		at := from + 1
		for ; at < len(r.words) && at <= from+maxTermWords; at++ {
			if r.words[at].mark > 0 && r.words[at].mark != ',' {
				return
			}
			if n = consume(t.after, r.words[at:]); n >= 0 {
				break
			}
		}
		if n < 0 {
			return
		}
		m.term.end, m.end = at, at+n
	}
	if m.term.start >= m.term.end || !r.meant(m) {
		return
	}
	r.take(m)
}

// before takes the term that stands before the words from anchor to end.
func (r *hearing) before(t *template, anchor, end int) {
	r.looked++
	start := anchor
	for start > 0 && anchor-start < maxTermWords && (r.words[start].mark == 0 || start == anchor && r.words[start].mark == '-') {
		start--
	}
	for i := start; i < anchor; i++ {
		if n := t.tongue.cuts.spanOf(r.words[i:anchor]); n > 0 {
			start = i + n
		}
	}
	m := match{template: t, start: anchor, end: end, term: span{start: start, end: anchor}}
	if start >= anchor || t.tongue.noEnds.endOf(r.words[start:anchor]) > 0 || !r.meant(m) {
		return
	}
	r.take(m)
}

// termEnd returns where a term that begins at from ends at the latest: at a mark, or
// at a word that begins something new. A comma is passed where a list goes on.
func (r *hearing) termEnd(t *template, from int) int {
	list := from // the end of the last clause that a list goes on with
	for i := from; i < len(r.words) && i < from+maxTermWords; i++ {
		w := r.words[i]
		switch {
		case i == from && w.mark != 0 && w.mark != ':':
			return from
		case i > from && w.mark == ',' && r.listed(t, i):
			list = i
		case i > from && w.mark != 0:
			return i
		case i > from && i > list && t.tongue.cuts.spanOf(r.words[i:]) > 0:
			return i
		}
	}
	return min(len(r.words), from+maxTermWords)
}

// listed reports whether a list goes on at a comma: a few words further it has its
// last "or".
func (r *hearing) listed(t *template, at int) bool {
	const apart, most = 4, 16 // words between the marks of a list, and in all
	last := at
	for i := at; i < len(r.words) && i-last <= apart && i-at < most; i++ {
		if t.tongue.ands.spanOf(r.words[i:]) > 0 {
			return i == at || !r.begins(i+1)
		}
		if i > at && r.words[i].mark != 0 {
			if r.words[i].mark != ',' {
				return false
			}
			last = i
		}
	}
	return false
}

// begins reports whether a clause of its own begins at a word: "and tell me", "and
// I'll go".
func (r *hearing) begins(at int) bool {
	if at >= len(r.words) {
		return true
	}
	var w []string
	for _, x := range r.words[at:min(len(r.words), at+maxBefore/4)] {
		w = append(w, x.text)
	}
	v := idiom()
	if v.tasks.span(w) > 0 || v.selves.span(w) > 0 || vocabulary().verbs[w[0]] || clauseWords[w[0]] || courtesies[w[0]] {
		return true
	}
	return slices.ContainsFunc(r.table.begins[w[0]], func(t *template) bool { return consume(t.before, r.words[at:]) >= 0 })
}

// clauseWords begin a clause behind an "and", in words without accents.
var clauseWords = wordSet(`let lets tell just focus talk give move do you it that this please ask start go get stop we he she they then also now instead don be help play try keep sing show change
 vamos hablemos cuentame dime dame hablame mejor haz fala falemos conta diz me vamonos lass lasst sag erzahl gib reden wir du dann parle dis raconte donne on tu passons parliamo dimmi raccontami dammi andiamo
 laten vertel geef zeg praat je we давай давайте расскажи скажи поговорим лучше ты мы dejame no nao ne non niet nicht не`)

// take cuts a term to what it names and keeps it.
func (r *hearing) take(m match) {
	from := m.term.start
	for i := from; i < m.term.end; i++ {
		n := m.tongue.ands.spanOf(r.words[i:m.term.end])
		if m.kind == DirectiveCall || n == 0 || i == from || i+n >= m.term.end || m.tongue.east && (i-from < minTermRunes || m.term.end-i-n < minTermRunes) {
			continue
		}
		if r.begins(i + n) {
			r.keep(m, span{start: from, end: i})
			return
		}
		r.keep(m, span{start: from, end: i})
		from = i + n
		i = from
	}
	r.keep(m, span{start: from, end: m.term.end})
}

// mentions returns what was found, each term once. Of two places that overlap the
// longer one is dropped when it only adds words that say no more.
func (r *hearing) mentions() []Mention {
	slices.SortStableFunc(r.found, func(a, b finding) int { return cmp.Compare(a.start, b.start) })
	var list []Mention
	seen := map[Mention]bool{}
	for i, h := range r.found {
		key := Mention{Kind: h.Kind, Term: foldedTerm(h.Term)}
		if seen[key] || len(list) == MaxDirectives || r.longer(i) {
			continue
		}
		seen[key] = true
		list = append(list, h.Mention)
	}
	return list
}

// longer reports whether another find that overlaps says the same in fewer words.
func (r *hearing) longer(i int) bool {
	a := r.found[i]
	for k := i - 1; k >= 0 && a.start-r.found[k].start < maxTermRunes*utf8.UTFMax; k-- {
		if r.adds(a, r.found[k]) {
			return true
		}
	}
	for k := i + 1; k < len(r.found) && r.found[k].start < a.end; k++ {
		if r.adds(a, r.found[k]) {
			return true
		}
	}
	return false
}

// adds reports whether a holds b and around it nothing but fillers.
func (r *hearing) adds(a, b finding) bool {
	if a.Kind != b.Kind || a.start > b.start || a.end < b.end || len(a.words) <= len(b.words) {
		return false
	}
	for i := 0; i < len(a.words); {
		switch n := r.table.filler.spanOf(a.words[i:]); {
		case a.words[i].start >= b.start && a.words[i].end <= b.end:
			i++
		case n == 0:
			return false
		default:
			i += n
		}
	}
	return true
}
