package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// evidence is a part of a line that bears a fact out.
type evidence struct {
	line  *line
	span       // of the folded line
	meant bool // it states something: it is no question, task or supposition
}

// evidence looks for the quotes. A preference or a fact needs one that holds; a
// decision or an outcome keeps those that were said at all.
func (a *admission) evidence() error {
	lines := a.lines()
	why := unfit(RuleQuote, "a fact about the person needs the words it rests on")
	for _, quote := range a.Quotes {
		for _, part := range elided(quote) {
			found, err := a.look(part, lines)
			if err != nil {
				why = err
			}
			a.held = append(a.held, found...)
		}
	}
	if len(a.held) == 0 && a.personal() {
		return why
	}
	return nil
}

// Meant returns the words of a person's message that a quote stands for, as they were
// said: words of their own that state something. Frames are what the host put into the
// message. The error, an *Unfit, says why the quote is no evidence.
func Meant(quote, message string, injected []Frame) (string, error) {
	text := WithoutFrames(strings.ReplaceAll(message, "\r\n", "\n"), injected)
	a := &admission{Candidate: Candidate{Text: quote, Kind: KindFact, Quotes: []string{quote}}, heard: []Heard{{Voice: VoicePerson, Text: text}}}
	if err := a.evidence(); err != nil {
		return "", err
	}
	said := make([]string, 0, len(a.held))
	for _, e := range a.held {
		said = append(said, e.line.said(e.span))
	}
	return strings.Join(said, " … "), nil
}

// lines folds what was heard, in own words.
func (a *admission) lines() []*line {
	if len(a.Quotes) == 0 {
		return nil
	}
	var list []*line
	for i, h := range a.heard {
		if h.Voice != VoiceNobody {
			l := newLine(h.Voice, ownWords(h.Text))
			l.place = i
			list = append(list, l)
		}
	}
	// The person's lines come first. Where they alone count they come last: what speaks
	// against one of them is the better reason.
	slices.SortStableFunc(list, func(x, y *line) int {
		if a.personal() {
			x, y = y, x
		}
		return int(x.voice) - int(y.voice)
	})
	return list
}

// elided returns the parts of a quote that leaves out something in the middle.
func elided(quote string) []string {
	if utf8.RuneCountInString(quote) > maxQuoteRunes {
		return nil
	}
	var parts []string
	for part := range strings.SplitSeq(strings.NewReplacer("[...]", "…", "[…]", "…", "(...)", "…", "...", "…").Replace(quote), "…") {
		if part = compared(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// look finds one quote. The error says why it is no evidence.
func (a *admission) look(quote string, lines []*line) ([]evidence, error) {
	why := unfit(RuleQuote, "the quoted words were not said")
	var said []evidence
	for _, l := range lines {
		for _, at := range l.places(quote) {
			switch {
			case !a.personal():
				states, _ := l.statements(at)
				if e := (evidence{line: l, span: at, meant: len(states) > 0}); len(said) == 0 || e.meant && !said[0].meant {
					said = []evidence{e}
				}
			case !a.counts(l.voice):
				why = unfit(RuleVoice, "the quoted words are not the person's")
			default:
				found, err := a.bears(l, at)
				if err == nil {
					return found, nil
				}
				why = err
			}
		}
	}
	if len(said) > 0 {
		return said, nil
	}
	return nil, why
}

// bears returns what of a place bears out a preference or a fact.
func (a *admission) bears(l *line, at span) ([]evidence, error) {
	parts, why := l.statements(at)
	thin := unfit(RuleThin, "the quoted words say nothing by themselves: quote the whole statement")
	var found []evidence
	for _, p := range parts {
		switch {
		case !substantial(l.flat[p.start:p.end]):
			why = cmp.Or(why, thin)
		case !a.denies() && l.leavesOutNot(p):
			why = unfit(RuleCut, "the quote leaves out a word that turns its meaning")
		case l.voice == VoiceOther && ofSelf(wordsOf(l.around(p))):
			why = unfit(RuleVoice, "another person's lines say nothing of themselves")
		default:
			found = append(found, evidence{line: l, span: p, meant: true})
		}
	}
	if len(found) == 0 {
		return nil, cmp.Or(why, thin)
	}
	return found, nil
}

// counts reports whether a voice can bear out a preference or a fact: the
// person's can, and for what is not about the person another one's in a room.
func (a *admission) counts(v Voice) bool {
	return v == VoicePerson || v == VoiceOther && a.rules.Room && a.Kind == KindFact && !a.AboutUser
}

// statements returns the parts of a span that state something. The error says how
// the rest of it is meant.
func (l *line) statements(s span) ([]span, error) {
	var parts []span
	var why error
	joined := false
	for _, c := range l.clausesOf(s) {
		part := span{start: max(s.start, c.start), end: min(s.end, c.end)}
		if part.start >= part.end || !strings.ContainsFunc(l.flat[part.start:part.end], isWordRune) {
			continue
		}
		switch {
		case c.stance != stated:
			joined, why = false, c.stance.refusal()
		case joined:
			parts[len(parts)-1].end = part.end
		default:
			parts, joined = append(parts, part), true
		}
	}
	return parts, why
}

// refusal says why words that are meant so are no evidence.
func (st stance) refusal() error {
	switch st {
	case asked:
		return unfit(RuleAsked, "the quoted words are a question")
	case tasked:
		return unfit(RuleTask, "the quoted words are a task")
	case supposed:
		return unfit(RuleSuppose, "the quoted words suppose something or play a part")
	case delegated:
		return unfit(RuleProxy, "the quoted words ask for somebody else")
	case handed:
		return unfit(RuleHanded, "the quoted words are from a text to work on")
	}
	return unfit(RulePassing, "the quoted words are true for the moment only")
}

// substantial reports whether a quote says something by itself: two words, or
// three characters of a language without blanks, and not only words that carry
// no subject.
func substantial(text string) bool {
	words, characters, content := 0, 0, false
	for _, w := range wordsOf(text) {
		r := []rune(w)
		switch {
		case single(r[0]):
			characters++
			content = content || characters > 2 || !vocabulary().stop[w]
		case isWordRune(r[0]) || len(r) > 1:
			words++
			content = content || !vocabulary().stop[w] && (len(r) > 1 || unicode.IsDigit(r[0]))
		}
	}
	return content && (words > 1 || characters > 2 || words > 0 && characters > 0)
}

// around returns the clauses that a span touches, as they are compared.
func (l *line) around(s span) string {
	list := l.clausesOf(s)
	if len(list) == 0 {
		return ""
	}
	return l.flat[list[0].start:list[len(list)-1].end]
}

// ofSelf reports whether words speak of the one who says them: "I", "my", and not
// "we".
func ofSelf(w []string) bool {
	v := idiom()
	for i := range w {
		if (v.selves.span(w[i:]) > 0 || v.mine.span(w[i:]) > 0) && v.us.span(w[i:]) == 0 {
			return true
		}
	}
	return false
}

// denies reports whether the fact itself says that something is not so.
func (a *admission) denies() bool { return idiom().negations.in(wordsOf(a.Text)) }

const (
	notWindow = 96 // bytes before and behind a quote that are read
	notBefore = 3  // words before a quote among which "not" turns it
	notAfter  = 3  // words behind it, for the languages that say it last
)

// leavesOutNot reports whether a part of a line was cut out from behind a "not",
// or from before one that ends its clause.
func (l *line) leavesOutNot(s span) bool {
	for _, c := range l.clausesOf(s) {
		if c.start < s.start && s.start < c.end {
			from := runeFloor(l.flat, max(c.start, s.start-notWindow))
			w := wordsOf(l.flat[from:s.start])
			if turned(w[max(0, len(w)-notBefore):], wordsOf(l.flat[s.start:runeFloor(l.flat, min(c.end, s.start+notWindow))])) {
				return true
			}
		}
		if c.start < s.end && s.end < c.end && turnedBehind(wordsOf(l.flat[s.end:runeFloor(l.flat, min(c.end, s.end+notWindow))])) {
			return true
		}
	}
	return false
}

// turned reports whether the words before a quote turn it. "I can't believe that"
// does not, nor does a "no" that answers something else: "no I like it".
func turned(before, quote []string) bool {
	start, end := idiom().negations.first(before)
	if start < 0 || slices.ContainsFunc(before[end:], func(w string) bool { return notTurned[w] }) {
		return false
	}
	return len(before) != 1 || before[0] != "no" || len(quote) == 0 || !pronouns[quote[0]]
}

var (
	notTurned = wordSet("believe wait forget worry only wonder mind just 过 過 仅 僅 但 只 nur solo sólo seulement apenas solamente alleen только")
	pronouns  = wordSet("i we ich wir ik wij je nous eu nós io noi yo я мы")
)

// turnedBehind reports whether the words behind a quote are a "not" that ends the
// clause, as in German, Dutch, Japanese and Korean.
func turnedBehind(w []string) bool {
	v := idiom()
	if len(w) == 0 {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(w[0]); unicode.In(r, unicode.Hiragana, unicode.Hangul) {
		start, _ := v.negations.first(w)
		return start >= 0 && start < notAfter
	}
	start, end := v.negations.first(w)
	return start >= 0 && end == len(w) && len(w) <= notAfter
}
