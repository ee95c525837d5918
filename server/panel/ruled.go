package panel

import (
	"strconv"
	"strings"

	"quipu/repo"
)

// aside says what a change did that is seen in no note.
func (v *visit) aside(a repo.Action) string {
	switch a {
	case repo.ActSignal:
		return v.say("It changes how facts stand, and no note.")
	case repo.ActDirective:
		return v.say("It changes what may be brought up or learned, and no note.")
	}
	return v.say("It changes what is kept about the notes, and none of them.")
}

// ruledOf are what a change of the ledger alone did to the fact or the term that its subject
// names, by how the subject begins.
var ruledOf = map[string]string{
	"borne out":              msg("This is so: %s"),
	"disputed":               msg("This is not so: %s"),
	"not taken up":           msg("Brought up, and nobody took it up: %s"),
	"do not mention":         msg("Do not mention: %s"),
	"may be mentioned again": msg("It may be mentioned again: %s"),
}

// ruledAlone are subjects that name neither.
var ruledAlone = map[string]string{
	"one may be mentioned again": msg("One subject may be mentioned again."),
	"may be learned again":       msg("What was removed may be learned again."),
	"changed":                    msg("What may be brought up is changed."),
}

// ruled says what a change of the ledger alone did.
func (v *visit) ruled(subject string) string {
	if n := counted(subject, "do not mention: ", " subjects"); n > 0 {
		return v.several(n, "Do not mention 1 subject.", "Do not mention %d subjects.")
	}
	if n := counted(subject, "", " facts"); n > 0 {
		return v.several(n, "1 fact was confirmed or disputed.", "%d facts were confirmed or disputed.")
	}
	if did, what, named := strings.Cut(subject, ": "); named && ruledOf[did] != "" {
		return v.say(ruledOf[did], what)
	}
	if text := ruledAlone[subject]; text != "" {
		return v.say(text)
	}
	return v.told(sentenced(subject))
}

// counted is the number between two texts; 0 where there is none.
func counted(text, before, after string) int {
	text, begins := strings.CutPrefix(text, before)
	text, ends := strings.CutSuffix(text, after)
	n, err := strconv.Atoi(text)
	if err != nil || !begins || !ends {
		return 0
	}
	return n
}
