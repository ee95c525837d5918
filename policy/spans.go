package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentenceSpans parts a folded text at the marks that end a sentence, which stay
// with it, and at the ends of lines.
func sentenceSpans(text string) []span {
	var list []span
	start := 0
	for i, r := range text {
		size := utf8.RuneLen(r)
		if size < 0 {
			size = 1
		}
		if i < start || !endsSentence(text, i, size, r) {
			continue
		}
		end := i + size
		for end < len(text) && strings.IndexByte(".!?\"')", text[end]) >= 0 && !wordBegins(text[end:]) {
			end++
		}
		list, start = append(list, span{start: start, end: end}), end
	}
	if start < len(text) {
		list = append(list, span{start: start, end: len(text)})
	}
	return list
}

// wordBegins reports whether a quotation mark opens a word.
func wordBegins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s[1:])
	return (s[0] == '"' || s[0] == '\'') && isWordRune(r)
}

// endsSentence reports whether the mark at i ends a sentence.
func endsSentence(text string, i, size int, r rune) bool {
	next, _ := utf8.DecodeRuneInString(text[i+size:])
	switch r {
	case '\n', '\f', '。', '！', '？', '؟', '…':
		return true
	case '!', '?':
		return !isWordRune(next) || single(next)
	case '.':
		return (i+size == len(text) || strings.ContainsRune(" \n\f\"')", next)) && !abbreviates(text[:i])
	}
	return false
}

// abbreviates reports whether a full stop behind a text belongs to its last word.
func abbreviates(before string) bool {
	from := len(before)
	for from > 0 && len(before)-from < maxWordBytes {
		r, n := utf8.DecodeLastRuneInString(before[:from])
		if !unicode.IsLetter(r) && r != '.' {
			break
		}
		from -= n
	}
	word := before[from:]
	return strings.Contains(word, ".") || abbreviations[word]
}

var abbreviations = wordSet("dr mr mrs ms prof st vs approx nr bzw sr sra jr inc ltd ca evtl ggf dott sig")

// clauseSpans parts a folded sentence at the marks inside it, before a word that
// joins a clause with a meaning of its own ("so", "because", before "I", a
// question, a task), before the mark that opens a Spanish question, and, in
// Japanese and Korean, behind the endings that lead to one.
func clauseSpans(text string, east bool) []span {
	c := clauseCutter{text: text, asks: strings.ContainsAny(text, "?？")}
	for i, r := range text {
		switch {
		case i < c.from:
		case partsClause(text, i, r):
			c.cut(i, i+utf8.RuneLen(r))
		case r == '¿':
			c.cut(i, i)
		case r == ' ':
			c.join(i + 1)
		}
	}
	if c.start < len(text) {
		c.list = append(c.list, span{start: c.start, end: len(text)})
	}
	if east {
		c.list = breakEast(text, c.list)
	}
	return c.list
}

type clauseCutter struct {
	text  string
	asks  bool
	start int // of the clause that is read
	from  int // up to here was read
	list  []span
}

const maxClauses = 256 // of one sentence: nobody says more, and what follows is one clause

// cut ends a clause at i; the next one begins at next.
func (c *clauseCutter) cut(i, next int) {
	if len(c.list) < maxClauses && strings.ContainsFunc(c.text[c.start:i], isWordRune) {
		c.list = append(c.list, span{start: c.start, end: i})
		c.start = next
	}
	c.from = next
}

// partsClause reports whether the mark at i stands between two clauses: none
// inside a number, a time or an address.
func partsClause(text string, i int, r rune) bool {
	switch r {
	case '，', '、', '；', '：', ';', '(', ')', '（', '）', '—':
		return true
	case ',', ':':
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		return after != '/' && (!unicode.IsDigit(before) || !unicode.IsDigit(after))
	case '-':
		return i > 0 && text[i-1] == ' ' && i+1 < len(text) && text[i+1] == ' '
	}
	return false
}

const joinWindow = 64 // bytes behind a word that are read to tell whether it joins

// join cuts before the word at i when it begins a clause of its own.
func (c *clauseCutter) join(i int) {
	if i >= len(c.text) || i == c.start {
		return
	}
	rest := c.text[i:]
	end := strings.IndexAny(rest, " ,;:?!.")
	if end < 0 || end > 16 {
		return
	}
	v := idiom()
	word := tokens(rest[:end])
	if len(word) == 0 {
		return
	}
	joins := len(v.links.runs[word[0]]) > 0 || vocabulary().joins[word[0]]
	asks := c.asks && len(vocabulary().questions.runs[word[0]]) > 0
	if !joins && !asks {
		return
	}
	w := wordsOf(rest[:runeFloor(rest, joinWindow)])
	if joins && beginsAnew(w[max(1, v.links.span(w)):]) {
		c.cut(i-1, i)
		return
	}
	// "I live in Goa what can I see there?"
	before := c.text[c.start:i]
	if asks && vocabulary().questions.span(w) > 1 && ofPerson(wordsOf(before[:runeFloor(before, joinWindow)])) {
		c.cut(i-1, i)
	}
}

// beginsAnew reports whether words begin a clause with a meaning of its own.
func beginsAnew(w []string) bool {
	v := idiom()
	return len(w) > 0 && (v.selves.span(w) > 0 || v.mine.span(w) > 0 || v.tasks.span(w) > 0 || remembers(w) || asksAtStart(w))
}

// breakEast parts clauses behind the endings that lead to a question.
func breakEast(text string, list []span) []span {
	var out []span
	for _, p := range list {
		start := p.start
		for i := range text[p.start:p.end] {
			at := p.start + i
			if at < start {
				continue
			}
			if n := breakLen(text[at:p.end]); n > 0 && at > start && len(out) < maxClauses && strings.ContainsFunc(text[at+n:p.end], isWordRune) {
				out, start = append(out, span{start: start, end: at + n}), at+n
			}
		}
		out = append(out, span{start: start, end: p.end})
	}
	return out
}

// breakLen returns the length of such an ending that s begins with.
func breakLen(s string) int {
	for _, form := range idiom().breaks {
		if strings.HasPrefix(s, form) {
			return len(form)
		}
	}
	return 0
}
