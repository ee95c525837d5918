package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keep cuts one part of a term to what it names.
func (r *hearing) keep(m match, s span) {
	for i := s.start + 1; i < s.end; i++ {
		if r.words[i].mark == ',' && len(m.after) == 0 { // a list
			r.keep(m, span{start: s.start, end: i})
			r.keep(m, span{start: i, end: s.end})
			return
		}
	}
	words := r.trimmed(m, r.words[s.start:s.end])
	if len(words) == 0 || r.barred(m, words) || r.masked(words) {
		return
	}
	if words = r.fitted(m, words); len(words) == 0 {
		return
	}
	term := r.said(words)
	if utf8.RuneCountInString(term) < minTermRunes || strings.ContainsAny(term, "«»") || m.tongue.bare(words, m.tongue.code != "ko") {
		return
	}
	r.found = append(r.found, finding{Mention: Mention{Kind: m.kind, Term: term}, span: span{start: words[0].start, end: words[len(words)-1].end}, words: words})
}

// masked reports whether words hold what stands for a credential.
func (r *hearing) masked(words []heardWord) bool {
	return slices.ContainsFunc(words, func(w heardWord) bool {
		return w.text == "redacted" && strings.HasSuffix(r.line.folded[:w.start], "«")
	})
}

// barred reports whether a term begins as none does, or is none that a person is
// called by: a time, a number, too many words.
func (r *hearing) barred(m match, words []heardWord) bool {
	const most = 6
	if m.kind != DirectiveCall {
		return m.tongue.noTopics.spanOf(words) > 0
	}
	first, _ := utf8.DecodeRuneInString(words[0].text)
	return m.tongue.noNames.spanOf(words) > 0 || unicode.IsDigit(first) || !m.tongue.east && len(words) > most
}

// fitted returns a term in at most 40 characters: whole words of it, and none of a
// script without blanks. One of a single Chinese character takes the word behind it
// along.
func (r *hearing) fitted(m match, words []heardWord) []heardWord {
	for utf8.RuneCountInString(r.said(words)) > maxTermRunes {
		if words = words[:len(words)-1]; m.tongue.east || len(words) == 0 {
			return nil
		}
		words = r.trimmed(m, words)
	}
	if len(m.before) > 0 || len(words) != 1 || !unicode.Is(unicode.Han, []rune(words[0].text)[0]) {
		return words
	}
	return r.words[m.start-1 : m.start+max(0, consume(m.after[:1], r.words[m.start:]))]
}

// trimmed takes from a term what only begins or ends it, as long as two characters
// are left.
func (r *hearing) trimmed(m match, words []heardWord) []heardWord {
	return r.trimmedStart(m, r.trimmedEnd(m, words))
}

func (r *hearing) trimmedEnd(m match, words []heardWord) []heardWord {
	for len(words) > 0 {
		n := max(m.closing(words), m.tongue.tails.endOf(words))
		left := words[:len(words)-n]
		if n == 0 || len(left) > 0 && utf8.RuneCountInString(r.said(left)) < minTermRunes {
			break
		}
		words = left
	}
	return words
}

// closing returns how many words at the end of a term belong to its template.
func (t *template) closing(words []heardWord) int {
	for k := 1; k < len(words) && len(t.rest) > 0; k++ {
		if consume(t.rest, words[k:]) == len(words)-k {
			return len(words) - k
		}
	}
	return 0
}

func (r *hearing) trimmedStart(m match, words []heardWord) []heardWord {
	first, least := len(m.before) == 0, minTermRunes
	if first && m.tongue.east {
		least = 1 // it takes the word behind it along
	}
	for len(words) > 0 {
		n := m.tongue.heads.spanOf(words)
		if n == 0 && first && !m.tongue.east {
			n = m.tongue.leads.spanOf(words)
		}
		if n == 0 || n < len(words) && utf8.RuneCountInString(r.said(words[n:])) < least {
			break
		}
		words = words[n:]
	}
	return words
}

// said returns words as they were written, with the signs that belong to the last.
func (r *hearing) said(words []heardWord) string {
	if len(words) == 0 {
		return ""
	}
	s := span{start: words[0].start, end: words[len(words)-1].end}
	for s.end < len(r.line.folded) && strings.IndexByte("+#", r.line.folded[s.end]) >= 0 {
		s.end++
	}
	return cleanTerm(r.line.said(s))
}

// spanOf is span over the words of a message.
func (f *forms) spanOf(list []heardWord) int {
	best := 0
	if len(list) == 0 {
		return 0
	}
	for _, run := range f.runs[list[0].text] {
		if len(run) > best && beginsWith(list, run) {
			best = len(run)
		}
	}
	return best
}

// endOf returns how many words the longest form has with which a list ends.
func (f *forms) endOf(list []heardWord) int {
	const longest = 9
	for n := min(longest, len(list)); n > 0; n-- {
		if f.spanOf(list[len(list)-n:]) == n {
			return n
		}
	}
	return 0
}

// within reports whether a form stands among the words.
func (f *forms) within(list []heardWord) bool {
	for i := range list {
		if f.spanOf(list[i:]) > 0 {
			return true
		}
	}
	return false
}

// bare reports whether words name nothing by themselves; common nouns count among
// them when asked.
func (t *hushTongue) bare(words []heardWord, common bool) bool {
	for i := 0; i < len(words); {
		n := max(t.vague.spanOf(words[i:]), t.owners.spanOf(words[i:]))
		if common {
			n = max(n, t.generic.spanOf(words[i:]))
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}
