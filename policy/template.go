package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// template is one way to ask that something be not mentioned: what stands before the
// term and what behind it.
type template struct {
	kind   DirectiveKind
	tongue *hushTongue
	before []slot
	after  []slot
	loose  bool   // unknown words may stand before
	opens  bool   // it stands only where its clause begins
	toEnd  bool   // it stands only at the end of its clause
	rest   []slot // what may close the term, where nothing must stand behind it
}

// slot is a place of a template and the forms that it may hold.
type slot struct {
	runs     map[string][][]string // by their first word, the longest first
	optional bool
}

// hushTongue is what one language says around its templates.
type hushTongue struct {
	code string
	east bool // written without blanks, or as if it were

	blocks, tells, behind, reports, asks, composes forms

	leads, heads, tails, cuts, ands, noTopics, noNames, noEnds forms

	owners, vague, generic forms

	clings string
	stops  map[string]bool
}

// templates holds those of all languages, by the word that each begins with.
type templates struct {
	begins  map[string][]*template // something stands before the term
	ends    map[string][]*template // the term comes first
	tongues []*hushTongue
	filler  forms // what a term may be longer by and say no more
}

// hushes builds the table at the first message that is read.
var hushes = sync.OnceValue(func() *templates {
	v := &templates{begins: map[string][]*template{}, ends: map[string][]*template{}}
	for _, l := range languages() {
		h := l.hush
		t := &hushTongue{code: l.code, east: l.code == "zh" || l.code == "ja" || l.code == "ko", clings: h.clings, stops: map[string]bool{}}
		for word := range strings.FieldsSeq(l.stop) {
			if !t.east {
				t.stops[accentless(foldText(word))] = true
			}
		}
		for f, list := range map[*forms]string{
			&t.blocks: h.blocks, &t.tells: h.tells, &t.behind: h.behind, &t.reports: h.reports, &t.asks: h.asks, &t.composes: h.composes,
			&t.leads: h.leads, &t.owners: h.owners, &t.vague: h.vague, &t.generic: h.generic, &t.heads: h.heads, &t.tails: h.tails, &t.cuts: h.cuts, &t.ands: h.ands, &t.noTopics: h.noTopics, &t.noNames: h.noNames, &t.noEnds: h.noEnds,
		} {
			f.enter(list, heardWords)
		}
		v.tongues = append(v.tongues, t)
		for _, list := range []string{h.heads, h.tails, h.generic} {
			v.filler.enter(list, heardWords)
		}
		v.addAll(DirectiveTopic, h.topics, t)
		v.addAll(DirectiveCall, h.names, t)
	}
	return v
})

// enter adds forms as the words of a message are read by read.
func (f *forms) enter(list string, read func(string) []string) {
	if f.runs == nil {
		f.runs = map[string][][]string{}
	}
	for form := range strings.SplitSeq(list, "|") {
		if run := read(form); len(run) > 0 {
			f.runs[run[0]] = append(f.runs[run[0]], run)
		}
	}
}

func (v *templates) addAll(kind DirectiveKind, list string, of *hushTongue) {
	for text := range strings.SplitSeq(list, ";") {
		t := parseTemplate(text)
		t.kind, t.tongue = kind, of
		index, slots := v.begins, t.before
		if len(t.before) == 0 {
			index, slots = v.ends, t.after
		}
		for _, s := range slots {
			for word := range s.runs {
				if !slices.Contains(index[word], t) {
					index[word] = append(index[word], t)
				}
			}
			if !s.optional {
				break
			}
		}
	}
}

// parseTemplate reads a template as the table of hush has it.
func parseTemplate(text string) *template {
	t := &template{}
	text = strings.TrimSpace(text)
	text, t.toEnd = strings.CutSuffix(text, "$")
	text, t.loose = strings.CutPrefix(text, "~")
	text, t.opens = strings.CutPrefix(text, "^")
	seen := false
	for part := range strings.SplitSeq(text, "+") {
		part = strings.TrimSpace(part)
		if part == "…" {
			seen = true
			continue
		}
		s := newSlot(part)
		if seen {
			t.after = append(t.after, s)
		} else {
			t.before = append(t.before, s)
		}
	}
	if !slices.ContainsFunc(t.after, func(s slot) bool { return !s.optional }) {
		t.after, t.rest = nil, t.after
	}
	return t
}

func newSlot(list string) slot {
	var s slot
	list, s.optional = strings.CutPrefix(list, "?")
	var f forms
	f.enter(list, heardWords)
	s.runs = f.runs
	for _, runs := range s.runs {
		slices.SortFunc(runs, func(a, b []string) int { return len(b) - len(a) })
	}
	return s
}

// consume returns how many words the slots take from the beginning of a list, -1 when
// they do not fit.
func consume(slots []slot, list []heardWord) int {
	if len(slots) == 0 {
		return 0
	}
	s := slots[0]
	if len(list) > 0 {
		for _, run := range s.runs[list[0].text] {
			if !beginsWith(list, run) {
				continue
			}
			if n := consume(slots[1:], list[len(run):]); n >= 0 {
				return len(run) + n
			}
		}
	}
	if s.optional {
		return consume(slots[1:], list)
	}
	return -1
}

func beginsWith(list []heardWord, run []string) bool {
	if len(run) > len(list) {
		return false
	}
	for i, w := range run {
		if list[i].text != w {
			return false
		}
	}
	return true
}

// heardWord is a word of a message. Its span is of the folded line.
type heardWord struct {
	span
	text   string // without accents
	mark   rune   // what parts it from the word before, 0 for nothing but blanks
	quoted bool
}

// plainWords returns the words of a form, as wordsHeard does of a line.
func heardWords(text string) []string {
	var list []string
	for _, w := range wordsHeard(foldText(text)) {
		list = append(list, w.text)
	}
	return list
}

// wordsHeard returns the words of a folded text. A character of a script without
// blanks is a word, and so is each of Korean.
func wordsHeard(text string) []heardWord {
	list := make([]heardWord, 0, len(text)/5+1)
	start, mark, quote := -1, rune(0), quotation{}
	flush := func(end int) {
		if start >= 0 {
			list = append(list, heardWord{span: span{start: start, end: end}, text: accentless(text[start:min(end, start+maxWordBytes)]), mark: mark, quoted: quote.open != 0})
			start, mark = -1, 0
		}
	}
	for i, r := range text {
		switch {
		case single(r):
			flush(i)
			start = i
			flush(i + utf8.RuneLen(r))
		case inWord(r) || start >= 0 && unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
			if quote.read(text, i, r) || unicode.IsControl(r) && r != '\f' || strings.ContainsRune(" \n'’", r) {
				continue
			}
			mark = parting(text, i, r, mark)
		}
	}
	flush(len(text))
	return list
}

// parting returns the mark that stands for what parts two words so far and for r. A
// dash parts them only between blanks, and what joins the parts of a word never.
func parting(text string, i int, r, before rune) rune {
	switch r {
	case '.', '/', '&', '+', '#', '_':
		return before
	case '-':
		if i == 0 || text[i-1] != ' ' || !strings.HasPrefix(text[i+1:], " ") {
			return before
		}
	case '，', '、', ',':
		if before != 0 {
			return before
		}
		return ','
	case '：':
		return ':'
	}
	return r
}

// quotation tells what stands in quotation marks that are closed in their paragraph.
type quotation struct{ open, close rune }

// read takes a mark and reports whether it is one of quotation.
func (q *quotation) read(text string, i int, r rune) bool {
	if q.open != 0 {
		if r == q.close || r == '\f' {
			*q = quotation{}
			return r != '\f'
		}
		return false
	}
	const opening, closing = `"«「『“`, `"»」』”`
	n := strings.IndexRune(opening, r)
	if n < 0 {
		return strings.ContainsRune(closing, r)
	}
	end := []rune(closing)[utf8.RuneCountInString(opening[:n])]
	rest, _, _ := strings.Cut(text[i+utf8.RuneLen(r):], "\f")
	if strings.ContainsRune(rest, end) {
		*q = quotation{open: r, close: end}
	}
	return true
}
