package policy

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// stance is how a part of a message is meant.
type stance uint8

const (
	stated    stance = iota // as what it says
	asked                   // a question
	tasked                  // something to do, now
	supposed                // a supposition, a game, a part that is played
	delegated               // asked for somebody else
	handed                  // a text to work on, which is somebody's words
	passing                 // true for the moment
)

// clause is a part of a sentence and how it is meant. Its span is of the line.
type clause struct {
	span
	stance stance
}

// read finds the sentences of a line, and which of them go on with a game that
// an earlier one began, or with a text that was handed over.
func (l *line) read() {
	if l.parts != nil {
		return
	}
	l.parts = sentenceSpans(l.folded)
	l.framed, l.noted, l.judged = make([]bool, len(l.parts)), make([]bool, len(l.parts)), make([][]clause, len(l.parts))
	game, text, list := false, false, false
	for i, p := range l.parts {
		l.framed[i], l.noted[i] = game || text, list
		sentence := l.folded[p.start:p.end]
		opening := wordsOf(sentence[:runeFloor(sentence, openingBytes)])
		game = game || idiom().plays.opens(opening)
		text = text || handsOver(sentence, opening)
		list = opensList(sentence, opening) || list && !strings.HasSuffix(sentence, "\f")
	}
}

// opensList reports whether a sentence is a request to remember that ends with the
// colon behind which a list stands.
func opensList(sentence string, opening []string) bool {
	return endsInColon(sentence) && (remembers(opening) || asksInEast(strings.TrimRight(sentence, " \n\f:：")))
}

func endsInColon(sentence string) bool {
	end := strings.TrimRight(sentence, " \n\f\"'")
	return strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：")
}

const openingBytes = 120 // of a sentence that are read to tell what it opens with

func runeFloor(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// handsOver reports whether a sentence is a task on a text and ends with the
// colon behind which the text stands.
func handsOver(sentence string, opening []string) bool {
	return endsInColon(sentence) && onText(sentence, opening)
}

// onText reports whether a sentence opens with a task on a text.
func onText(sentence string, opening []string) bool {
	if idiom().texts.opens(afterCourtesy(opening)) {
		return true
	}
	head, _, _ := strings.Cut(sentence, ":")
	return eastern(head) && endsWithTask(head, idiom().lastText)
}

// clausesOf returns the clauses of the sentences that a span touches.
func (l *line) clausesOf(s span) []clause {
	l.read()
	var list []clause
	i, _ := slices.BinarySearchFunc(l.parts, s.start, func(p span, at int) int {
		if p.end <= at {
			return -1
		}
		return 1
	})
	for ; i < len(l.parts) && l.parts[i].start < s.end; i++ {
		if l.judged[i] == nil {
			l.judged[i] = l.judge(i)
		}
		list = append(list, l.judged[i]...)
	}
	return list
}

// judge tells the clauses of one sentence. What belongs to a game or to a text
// that was handed over is nobody's statement, unless it asks to be remembered; and
// what is to be remembered is no task for now.
func (l *line) judge(i int) []clause {
	p := l.parts[i]
	list := judge(l.folded[p.start:p.end])
	for k, c := range list {
		list[k].start, list[k].end = c.start+p.start, c.end+p.start
		if l.noted[i] && c.stance == tasked {
			list[k].stance = stated
		}
		if l.framed[i] && !remembers(wordsOf(l.folded[list[k].start:list[k].end])) {
			list[k].stance = handed
		}
	}
	return list
}
