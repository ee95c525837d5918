package turns

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// snippet gives the part of a text where the phrases stand closest, as one line, with
// the matches in it; the opening of the text when there are no phrases.
func snippet(text string, phrases []phrase) (line string, marks []Span) {
	from := 0
	if len(phrases) > 0 {
		words := wordsOf(text)
		if first, last := closest(words, phrases); last > first {
			from = opening(text, words[first].from, words[last-1].to)
		}
	}
	line, more := oneLine(text[from:], snippetLen-2) // room for both ellipses
	if more {
		line += ellipsis
	}
	if from > 0 {
		line = ellipsis + line
	}
	return line, marksIn(line, phrases)
}

// opening says where a snippet begins whose matches lie between two places of the
// text: so that they stand in its middle, at the beginning of a word. It is the
// beginning of the text when that shows them too.
func opening(text string, first, last int) int {
	const room = snippetLen - 2
	if utf8.RuneCountInString(text[:last]) <= room {
		return 0
	}
	before := max((room-utf8.RuneCountInString(text[first:last]))/2, 0)
	from := first
	for range before {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	// Not inside a word, unless it has no end before the matches.
	if i := strings.IndexFunc(text[from:first], unicode.IsSpace); i >= 0 && from > 0 {
		from += i
	}
	for from < first {
		r, size := utf8.DecodeRuneInString(text[from:])
		if !unicode.IsSpace(r) {
			break
		}
		from += size
	}
	return from
}

// oneLine folds white space and keeps at most limit characters; more says that there
// was more.
func oneLine(text string, limit int) (line string, more bool) {
	var out strings.Builder
	blank := false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			blank = out.Len() > 0
			continue
		}
		if limit--; blank {
			limit--
		}
		if limit < 0 {
			return out.String(), true
		}
		if blank {
			out.WriteByte(' ')
			blank = false
		}
		out.WriteRune(r)
	}
	return out.String(), false
}

// marksIn gives where the phrases stand in a line, overlapping and touching matches as one.
func marksIn(line string, phrases []phrase) (marks []Span) {
	words := wordsOf(line)
	for i := range words {
		to := 0
		for _, p := range phrases {
			if stands, whole := p.at(words, i); stands {
				to = max(to, p.end(words[i+len(p.words)-1], whole))
			}
		}
		switch n := len(marks); {
		case to == 0:
		case n > 0 && words[i].from <= marks[n-1].To:
			marks[n-1].To = max(marks[n-1].To, to)
		default:
			marks = append(marks, Span{From: words[i].from, To: to})
		}
	}
	return marks
}
