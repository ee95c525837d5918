package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// judge parts a folded sentence into clauses and tells how each is meant.
func judge(sentence string) []clause {
	s := newSentence(sentence)
	if idiom().delegates.in(s.words) {
		return s.all(delegated)
	}
	for i := range s.list {
		s.open(i)
	}
	s.resolve()
	for i, c := range s.list {
		if c.stance == stated && isPassing(sentence[c.start:c.end]) {
			s.list[i].stance = passing
		}
	}
	return s.list
}

// sentence is one while it is judged.
type sentence struct {
	text  string
	words []string
	east  bool
	asks  bool // it is a question
	mark  bool // and has the mark of one
	from  int  // where a Spanish question begins
	good  func() bool
	wish  func() bool
	list  []clause
	opens []opening // what each clause opens with
	own   []bool    // a clause has the person for its subject
}

// opening is what a clause opens with.
type opening uint8

const (
	opensPlain    opening = iota
	opensRequest          // to remember, or a standing rule
	opensTask             // something to do
	opensQuestion         // a question
	opensSuppose          // a supposition: it holds to the end of the sentence
	opensWhether          // "if", before a question or a task
	opensTag              // "right?"
)

func newSentence(text string) *sentence {
	s := &sentence{text: text, words: wordsOf(text), east: eastern(text), asks: IsQuestion(text), mark: strings.ContainsAny(text, "?？"), from: strings.Index(text, "¿")}
	// What is asked of the whole sentence is asked once, however many clauses want to know.
	s.good = sync.OnceValue(func() bool { return idiom().standing.in(s.words) })
	s.wish = sync.OnceValue(func() bool {
		return slices.ContainsFunc(idiom().wishes, func(x wish) bool { return x.in(s.words) })
	})
	for _, p := range clauseSpans(text, s.east) {
		s.list = append(s.list, clause{span: p})
	}
	s.opens, s.own = make([]opening, len(s.list)), make([]bool, len(s.list))
	return s
}

func (s *sentence) all(st stance) []clause {
	for i := range s.list {
		s.list[i].stance = st
	}
	return s.list
}

// open tells what clause i opens with.
func (s *sentence) open(i int) {
	text := s.text[s.list[i].start:s.list[i].end]
	w := wordsOf(text)
	s.own[i] = ofPerson(w)
	if s.asks && i == len(s.list)-1 && (i > 0 && isTag(w) || endsInTag(w)) {
		s.asks, s.opens[i] = false, opensTag
		return
	}
	s.opens[i] = s.opening(i, text, w)
}

func (s *sentence) opening(i int, text string, w []string) opening {
	switch v := idiom(); {
	case s.requests(i, text, w):
		return opensRequest
	case v.supposes.opens(w) || v.plays.opens(w) || s.wishes(w):
		return opensSuppose
	case s.task(i, text, w):
		if s.standing(text, w) {
			return opensRequest
		}
		return opensTask
	case v.whether.opens(w):
		return opensWhether
	case s.asks && (i == 0 || s.mark) && s.list[i].end > s.from && asksAtStart(w):
		return opensQuestion
	}
	return opensPlain
}

// requests reports whether a clause is to be remembered.
func (s *sentence) requests(i int, text string, w []string) bool {
	return remembers(w) || s.east && asksInEast(text) || i > 0 && s.bare(i-1)
}

// bare reports whether clause i is a request to remember and nothing else, so that
// the next one is what it asks for: "remember: send invoices on Mondays".
func (s *sentence) bare(i int) bool {
	if s.opens[i] != opensRequest || s.list[i].end-s.list[i].start > openingBytes {
		return false
	}
	text := s.text[s.list[i].start:s.list[i].end]
	if s.east && asksInEast(text) {
		return longestForm(strings.Trim(text, " -、，,「\"请請。.!！"), func(t, form string) bool { return t == form }) > 0
	}
	w := afterCourtesy(wordsOf(text))
	return len(w) > 0 && vocabulary().remember.span(w) == len(w)
}

// wishes reports whether a clause opens a supposition in two parts.
func (s *sentence) wishes(w []string) bool {
	return slices.ContainsFunc(idiom().wishes, func(x wish) bool { return x.opens.opens(w) }) && s.wish()
}

// task reports whether a clause opens as something to do. Behind a statement an
// "and" goes on with it, "I teach and write novels", unless the bot is spoken to:
// "and give me".
func (s *sentence) task(i int, text string, w []string) bool {
	list := afterCourtesy(w)
	n := idiom().tasks.span(list)
	if n == 0 {
		return s.east && endsWithTask(text, idiom().lastTasks)
	}
	goesOn := i > 0 && vocabulary().joins[w[0]] && (s.own[i-1] || s.states(i-1))
	return !goesOn || slices.ContainsFunc(list[:n], func(x string) bool { return addressed[x] })
}

// states reports whether clause i is a statement of some length.
func (s *sentence) states(i int) bool {
	const least = 4 // words
	plain := s.opens[i] == opensPlain || s.opens[i] == opensWhether
	return plain && len(wordsOf(s.text[s.list[i].start:s.list[i].end])) >= least
}

var addressed = wordSet("me us you u tu vous você du sie je puedes podrías peux pouvez pode puoi potresti kannst könntest kun kan можешь можете мне")

// standing reports whether a task is meant for good: it is a rule.
func (s *sentence) standing(text string, w []string) bool {
	return vocabulary().rules.in(w[:min(len(w), 5)]) || vocabulary().eastRules.opens(text) || s.good()
}

// asksAtStart reports whether a clause opens as a question.
func asksAtStart(w []string) bool {
	return vocabulary().questions.opens(w) || idiom().asks.opens(w)
}

// resolve tells how each clause is meant.
func (s *sentence) resolve() {
	works := s.asks || slices.Contains(s.opens, opensTask)
	task := tasked
	if works && strings.ContainsAny(s.text, ":：\"«「") && onText(s.text, s.words[:min(len(s.words), 12)]) {
		task = handed
	}
	before := stated
	if s.asks && !s.asksInEnd() {
		before = asked
	}
	for i := range s.list {
		if s.opens[i] == opensWhether && works && before != handed {
			s.list[i].stance = supposed
			continue
		}
		before = s.next(i, before, task)
		s.list[i].stance = before
	}
}

// asksInEnd reports whether the last clause is a question by itself, so that the
// others may be statements: "I'm vegetarian, what can I cook?", and not "the best,
// for a startup?".
func (s *sentence) asksInEnd() bool {
	if len(s.opens) == 0 || s.east {
		return true
	}
	last := s.opens[len(s.opens)-1]
	return last == opensQuestion || last == opensTask
}

// next tells how clause i is meant behind one that was meant as before. A clause
// that opens with nothing goes on with it, unless it has the person for its
// subject; and the last one of a question is the question.
func (s *sentence) next(i int, before, task stance) stance {
	switch o := s.opens[i]; {
	case o == opensSuppose || before == supposed:
		return supposed
	case o == opensTask:
		return task
	case before == handed:
		return handed
	case o == opensRequest:
		return stated
	case o == opensQuestion || s.asks && i == len(s.list)-1:
		return asked
	case s.own[i]:
		return stated
	}
	return before
}

// ofPerson reports whether a clause has the speaker for its subject, and not in
// the order of a question: "I live in Goa", "yesterday I moved", "my name is".
func ofPerson(w []string) bool {
	v := idiom()
	if len(w) > 1 && v.links.span(w) == 1 {
		w = w[1:]
	}
	if v.mine.span(w) > 0 {
		return true
	}
	for i := 0; i < len(w) && i < 4; i++ {
		if v.selves.span(w[i:]) > 0 {
			return i == 0 || v.inverts.span(w[i-1:i]) == 0 && !asksAtStart(w)
		}
		if r, _ := utf8.DecodeRuneInString(w[i]); single(r) && i >= 2 {
			return false // in Chinese a character is a word, and the third may belong to another clause
		}
	}
	return false
}

// isTag reports whether a clause only asks whether one heard: "right?".
func isTag(w []string) bool { return len(w) > 0 && idiom().tags.span(w) == len(w) }

// endsInTag reports whether a clause is a statement of the person with a tag
// behind it and no comma between: "I'm vegetarian right?".
func endsInTag(w []string) bool {
	const longest = 6
	for n := 1; n <= longest && n < len(w); n++ {
		tail, rest := w[len(w)-n:], w[:len(w)-n]
		if idiom().tags.span(tail) != n {
			continue
		}
		r, _ := utf8.DecodeRuneInString(tail[0])
		if ofPerson(rest) && !asksAtStart(rest) || single(r) && n > 1 {
			return true
		}
	}
	return false
}
