package policy

import (
	"slices"
	"strings"
)

// delicate refuses a fact about faith, politics, origin, illness,
// sexuality, a union, a crime or pay that the person did not say of themselves,
// unless the switch is on. The words of the table are a brake and never the
// judge: a Church Street that the person spoke of is let through.
func (a *admission) delicate() error {
	if a.rules.Sensitive {
		return nil
	}
	w := wordsOf(a.Text)
	for topic := range topics {
		start, _ := idiom().delicate[topic].first(w)
		if start < 0 || topic == topicPay && !strings.ContainsAny(foldedDigits(a.Text), "0123456789") {
			continue
		}
		if a.personal() && !slices.ContainsFunc(a.held, func(e evidence) bool { return e.states(topic, w) }) || !a.personal() && !a.spokenOf(topic, w) {
			return unfit(RuleTopic, "such a thing is kept only when the person says it of themselves")
		}
	}
	return nil
}

// Delicate reports whether a text touches faith, politics, origin, illness, sexuality, a
// union, a crime or pay, by its words alone: a brake, and never a judge.
func Delicate(text string) bool {
	w := wordsOf(text)
	for topic := range topics {
		if idiom().delicate[topic].in(w) && (topic != topicPay || strings.ContainsAny(foldedDigits(text), "0123456789")) {
			return true
		}
	}
	return false
}

// spokenOf reports whether anybody spoke of a topic: a decision on it is no
// guess about the person then.
func (a *admission) spokenOf(topic int, fact []string) bool {
	return slices.ContainsFunc(a.heard, func(h Heard) bool {
		w := wordsOf(h.Text)
		return h.Voice != VoiceNobody && (idiom().delicate[topic].in(w) || sharedWord(w, fact) >= 0)
	})
}

func foldedDigits(text string) string { return fold(text).text }

// states reports whether a quote says something of a topic, and says it of the
// speaker. Words that the fact shares with the quote are enough to be of the
// topic: "my grandparents came from Suriname" is heritage.
func (e evidence) states(topic int, fact []string) bool {
	quote := wordsOf(e.line.flat[e.start:e.end])
	start, _ := idiom().delicate[topic].first(quote)
	if start < 0 {
		if start = sharedWord(quote, fact); start < 0 {
			return false
		}
		start = len(quote)
	}
	before := wordsOf(e.line.around(e.span))
	if at := runAt(before, quote); at >= 0 {
		before = before[:at+start]
	} else {
		before = quote[:start]
	}
	return nearestSubject(before, topic)
}

// nearestSubject reports whether the last one of whom it is said before a word is
// the speaker, or nobody. Of illness the speaker's family counts as well, of
// origin those they come from.
func nearestSubject(before []string, topic int) bool {
	v := idiom()
	for i := range slices.Backward(before) {
		rest := before[i:]
		kin, other := v.kin.span(rest), v.others.span(rest)
		switch {
		case max(kin, other) > 0 && !saidOf(rest[max(kin, other):]):
		case kin > 0:
			return topic == topicIllness || topic == topicOrigin
		case other > 0:
			return false
		case v.selves.span(rest) > 0 || v.mine.span(rest) > 0 || v.us.span(rest) > 0:
			return true
		}
	}
	return true
}

// saidOf reports whether what follows somebody up to a word says that word of
// them: "he is", "a friend who", nothing. Friends from church are only with it.
func saidOf(between []string) bool {
	return len(between) == 0 || slices.ContainsFunc(between, func(w string) bool {
		return vocabulary().verbs[w] || relatives[w] || single([]rune(w)[0])
	})
}

// relatives tie what they open to the one before them. An s was cut from "he's".
var relatives = wordSet("who whose s re que qui dont che cui der die das dessen deren quem который которая которые wie")

const sharedBytes = 5 // of two words that begin alike

// sharedWord returns where the quote has a word that the fact has as well, in one
// form or another, -1 when it has none.
func sharedWord(quote, fact []string) int {
	for i, q := range quote {
		if vocabulary().stop[q] || len(q) < sharedBytes && !single([]rune(q)[0]) {
			continue
		}
		if slices.ContainsFunc(fact, func(f string) bool { return alike(q, f) }) {
			return i
		}
	}
	return -1
}

// alike reports whether two words are forms of one: they share all but their
// endings.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= sharedBytes && 3*n >= 2*max(len(a), len(b))
}
