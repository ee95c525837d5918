package policy

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ExplicitNotes returns what a person's line asks to remember, one string for
// each statement: "Remember: short answers, and I'm in India" is one, "Remember:
// I moved. My new street is Elm Street." are two, and so are the lines of a list
// behind a colon. A question asks nothing to be remembered, nor does "I remember".
// It serves where no model reads along. What it returns is not judged and may be a
// credential; what a host puts into a message is to be taken out before.
func ExplicitNotes(text string) []string {
	l := newLine(VoicePerson, ownWords(strings.ReplaceAll(text, "\r\n", "\n")))
	l.read()
	var notes []string
	open := byte(0) // what ends the list behind a colon: the line, or the paragraph
	for _, p := range l.parts {
		sentence := l.folded[p.start:p.end]
		s, colon, asked := request(sentence)
		switch {
		case asked:
			open = 0
		case open == '\f' && s.end == 0:
			s.end = len(sentence)
		case open != 0 && s.end == 0:
			s = plainStatement(sentence)
		}
		if s.end > 0 {
			note := oneFact(strings.Trim(l.said(span{start: p.start + s.start, end: p.start + s.end}), " .!?;,。！？；，、\"“”「」"))
			if strings.ContainsFunc(note, isWordRune) {
				notes = append(notes, note)
			} else if colon == '\n' {
				colon = '\f' // nothing stands on the line of the colon: a list follows
			}
		}
		open = cmp.Or(colon, open)
		if ended := strings.HasSuffix(sentence, "\f") || open == '\n' && strings.HasSuffix(sentence, "\n"); ended && colon != '\f' {
			open = 0
		}
	}
	return notes
}

// request finds what a folded sentence asks to remember. colon is the end of the
// line when a colon stands behind the request. asked says that it is a question.
func request(sentence string) (note span, colon byte, asked bool) {
	end := len(sentence)
	if IsQuestion(sentence) && !asksPolitely(sentence) {
		if end = beforeTag(sentence); end < 0 {
			return span{}, 0, true
		}
	}
	start := requestEnd(sentence)
	if start < 0 {
		start, end = eastRequest(sentence, end)
	}
	if start < 0 {
		return span{}, 0, false
	}
	rest := strings.TrimLeft(sentence[start:end], " ")
	if strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：") {
		colon = '\n'
	}
	rest = withoutConjunction(strings.TrimLeft(rest, " ,:：，、-'\"\n"))
	return span{start: end - len(rest), end: end}, colon, false
}

// asksPolitely reports whether a question is a request to remember: "can you
// remember that".
func asksPolitely(sentence string) bool {
	w := wordsOf(sentence[:runeFloor(sentence, openingBytes)])
	return idiom().tasks.span(afterCourtesy(w)) > 0 && remembers(w)
}

// beforeTag returns the end of what stands before the tag of a sentence that only
// seems to ask, -1 for a question.
func beforeTag(text string) int {
	s := newSentence(text)
	for i := range s.list {
		s.open(i)
	}
	last := len(s.list) - 1
	if s.asks || last < 1 {
		return -1
	}
	return s.list[last-1].end
}

// plainStatement returns the span of a sentence that states something, none when
// it sets a task.
func plainStatement(sentence string) span {
	w := wordsOf(sentence[:runeFloor(sentence, openingBytes)])
	if idiom().tasks.opens(afterCourtesy(w)) {
		return span{}
	}
	return span{end: len(sentence)}
}

// requestEnd returns the end of the request to remember that a sentence opens
// with, -1 when it opens with none.
func requestEnd(sentence string) int {
	head := sentence[:runeFloor(sentence, openingBytes)]
	w := wordsOf(head)
	if !remembers(w) {
		return -1
	}
	rest := afterCourtesy(w)
	if n := idiom().tasks.span(rest); n > 0 {
		rest = afterCourtesy(rest[n:])
	}
	n := vocabulary().remember.span(rest)
	if n == 0 {
		return -1
	}
	count := len(w) - len(rest) + n
	end := wordsEnd(head, count)
	behind := rest[n:]
	looksBack := len(behind) > 0 && !conjunctions[behind[0]] && (recalls[behind[0]] || asksAtStart(behind))
	if end < 0 || looksBack && !strings.HasPrefix(strings.TrimLeft(head[end:], " "), ":") {
		return -1
	}
	return end
}

// recalls are what follows "remember" when it only looks back.
var recalls = wordSet("when how where what why who whether if me us cuando wie wo als quand quando wanneer toen когда как где")

// wordsEnd returns where the first count words of a text end, -1 when it has
// fewer.
func wordsEnd(text string, count int) int {
	for i, r := range text {
		if i > 0 && !isWordRune(r) && len(wordsOf(text[:i])) >= count {
			return i
		}
	}
	if len(wordsOf(text)) >= count {
		return len(text)
	}
	return -1
}

// withoutConjunction drops the "that" or "to" with which a note begins.
func withoutConjunction(note string) string {
	word, rest, found := strings.Cut(note, " ")
	if found && conjunctions[strings.Trim(word, ",")] {
		return strings.TrimLeft(rest, " ,")
	}
	if rest, found := strings.CutPrefix(note, "qu'"); found {
		return rest
	}
	return note
}

var conjunctions = wordSet("that que dass daß che dat что to de di zu om")

// eastRequest finds the note of a request in Chinese, Japanese or Korean: behind
// the request or, as the verb comes last, before it.
func eastRequest(sentence string, end int) (from, to int) {
	if !eastern(sentence) {
		return -1, end
	}
	head := strings.TrimLeft(sentence[:end], " -、，,「\"请請")
	if n := longestForm(head, strings.HasPrefix); n > 0 {
		r, _ := utf8.DecodeRuneInString(head)
		next, _ := utf8.DecodeRuneInString(head[n:])
		if unicode.Is(unicode.Han, next) && unicode.Is(unicode.Han, r) && n <= len(head) && !kana(head[:n]) || !isWordRune(next) {
			return end - len(head) + n, end
		}
	}
	tail := strings.TrimRight(sentence[:end], " \n\f。.!！、，,」\"~")
	if n := longestForm(tail, strings.HasSuffix); n > 0 {
		note := strings.TrimRight(tail[:len(tail)-n], " 、，,")
		for _, particle := range eastParticles {
			if cut, ok := strings.CutSuffix(note, particle); ok && cut != "" {
				note = cut
				if particle == "다고" || particle == "라고" {
					note += strings.TrimSuffix(particle, "고")
				}
				break
			}
		}
		return 0, len(note)
	}
	return -1, end
}

func kana(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
}

// longestForm returns the length of the longest form of remembering that a text
// begins or ends with.
func longestForm(text string, has func(string, string) bool) int {
	best := 0
	for _, form := range vocabulary().eastRemember.forms {
		if has(text, form) {
			best = max(best, len(form))
		}
	}
	return best
}

// eastParticles join a note to the verb behind it; the longer come first.
var eastParticles = []string{"ということを", "っていうことを", "ってことを", "ことを", "ように", "って", "と", "を", "は", "다고", "라고", "는 것을", "는 걸", "것을", "걸", "을", "를"}
