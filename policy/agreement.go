package policy

import (
	"slices"
	"strings"
)

// agreement refuses what only another bot may have said. Where other bots spoke,
// a decision needs the words of a person who agreed to it, and an outcome these
// or the words of this bot, who saw it.
func (a *admission) agreement() error {
	if a.personal() || !slices.ContainsFunc(a.heard, func(h Heard) bool { return h.Voice == VoiceOtherBot }) {
		return nil
	}
	if slices.ContainsFunc(a.held, func(e evidence) bool {
		person := e.line.voice == VoicePerson || e.line.voice == VoiceOther
		return e.meant && person || a.Kind == KindOutcome && e.line.voice == VoiceBot
	}) {
		return nil
	}
	return unfit(RuleVoice, "what another bot says counts only when a person agreed: quote them")
}

// grounded refuses a fact with a number, a path or an address that was not said:
// in the words it rests on, or for a decision and an outcome by anybody.
func (a *admission) grounded() error {
	g := newGrounds(a.rules.Today)
	if a.personal() {
		for _, e := range a.held {
			g.add(e.line, e.span)
		}
	} else {
		for _, h := range a.heard {
			l := newLine(h.Voice, h.Text)
			g.add(l, span{end: len(l.flat)})
		}
	}
	if word := g.missing(a.Text); word != "" {
		return unfit(RuleGround, "%.40q was not said", word)
	}
	return nil
}

// whose refuses what somebody else's words are to say of the person.
func (a *admission) whose() error {
	if len(a.held) == 0 || !tellsOfPerson(wordsOf(a.Text)) || slices.ContainsFunc(a.held, func(e evidence) bool { return e.line.voice == VoicePerson }) {
		return nil
	}
	return unfit(RuleVoice, "somebody else's words say nothing about the person: call who said it by their name")
}

// tellsOfPerson reports whether a fact tells of the person: "the person is vegetarian",
// and not of what they are about to do: "the person is moving the launch".
func tellsOfPerson(w []string) bool {
	if len(w) > 0 && w[0] == "the" {
		w = w[1:]
	}
	if len(w) < 2 || !persons[w[0]] {
		return false
	}
	return len(w) < 3 || w[1] != "is" || !strings.HasSuffix(w[2], "ing")
}

var persons = wordSet("person user owner person's user's owner's")
