package panel

import (
	"slices"
	"strings"
	"unicode"
)

// diffLine is one line of a difference.
type diffLine struct {
	Kind  string // add, del, same, gap, note, more: the rest is left out
	Spans []span
}

// span is a part of a line; Changed is what differs from the line on the other side.
type span struct {
	Text    string
	Changed bool
}

// mostWords is how many words two lines are compared by; longer ones differ as a whole.
const mostWords = 300

// parseDiff reads a unified difference, and finds in lines that were reworded the words
// that changed. Above so many bytes the rest is left out; 0 is no limit.
func parseDiff(text string, most int) []diffLine {
	var out []diffLine
	var del, add []string
	flush := func() {
		out = append(out, reworded(del, add)...)
		del, add = nil, nil
	}
	begun, used := false, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if !begun && !strings.HasPrefix(line, "@@") {
			continue // the names of the file
		}
		if used += len(line); most > 0 && used > most {
			flush()
			return append(out, diffLine{Kind: "more"})
		}
		switch {
		case strings.HasPrefix(line, "@@"):
			flush()
			if begun {
				out = append(out, diffLine{Kind: "gap"})
			}
			begun = true
		case strings.HasPrefix(line, "-"):
			if len(add) > 0 {
				flush()
			}
			del = append(del, line[1:])
		case strings.HasPrefix(line, "+"):
			add = append(add, line[1:])
		case strings.HasPrefix(line, " "):
			flush()
			out = append(out, diffLine{"same", []span{{Text: line[1:]}}})
		default:
			flush()
			out = append(out, diffLine{"note", []span{{Text: line}}})
		}
	}
	flush()
	return out
}

// reworded pairs the lines that went with those that came, in their order.
func reworded(del, add []string) []diffLine {
	var out []diffLine
	for i := range del {
		if i >= len(add) {
			out = append(out, diffLine{"del", []span{{Text: del[i]}}})
			continue
		}
		before, after := compareWords(del[i], add[i])
		out = append(out, diffLine{"del", before}, diffLine{"add", after})
	}
	for _, line := range add[min(len(del), len(add)):] {
		out = append(out, diffLine{"add", []span{{Text: line}}})
	}
	return out
}

// compareWords marks the words that differ between two lines. Lines that share less than
// a third of their words are two lines, and nothing in them is marked.
func compareWords(before, after string) (a, b []span) {
	x, y := wordsOf(before), wordsOf(after)
	whole := func() ([]span, []span) { return []span{{Text: before}}, []span{{Text: after}} }
	if len(x) > mostWords || len(y) > mostWords {
		return whole()
	}
	inX, inY, shared := common(x, y)
	if shared*3 < min(wordCount(x), wordCount(y)) {
		return whole()
	}
	return spansOf(x, inX), spansOf(y, inY)
}

// wordsOf splits a line into words and what stands between them. Scripts without spaces
// are split by character.
func wordsOf(line string) []string {
	var out []string
	kind := func(r rune) int {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			return -1
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return -1
	}
	last := 0
	for _, r := range line {
		k := kind(r)
		if k > 0 && k == last {
			out[len(out)-1] += string(r)
		} else {
			out = append(out, string(r))
		}
		last = k
	}
	return out
}

func isWord(w string) bool {
	return strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsPunct(r) })
}

func wordCount(list []string) int {
	n := 0
	for _, w := range list {
		if isWord(w) {
			n++
		}
	}
	return n
}

// common finds a longest common run of words: which of each side are in it, and how many
// of them are more than space.
func common(x, y []string) (inX, inY []bool, shared int) {
	length := make([][]int, len(x)+1)
	for i := range length {
		length[i] = make([]int, len(y)+1)
	}
	for i, word := range slices.Backward(x) {
		for j, other := range slices.Backward(y) {
			if word == other {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	inX, inY = make([]bool, len(x)), make([]bool, len(y))
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			inX[i], inY[j] = true, true
			if isWord(x[i]) {
				shared++
			}
			i++
			j++
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return inX, inY, shared
}

func spansOf(words []string, kept []bool) []span {
	var out []span
	for i, w := range words {
		if n := len(out); n > 0 && out[n-1].Changed != kept[i] {
			out[n-1].Text += w
			continue
		}
		out = append(out, span{w, !kept[i]})
	}
	return out
}
