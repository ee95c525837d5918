package policy

import (
	"slices"
	"strings"
	"sync"
)

// Control is what the owner may ask of their memory as a whole.
type Control string

// The controls.
const (
	ControlStop   Control = "stop"   // nothing is saved any more
	ControlResume Control = "resume" // it is again
	ControlClear  Control = "clear"  // everything is forgotten
)

// Controls reports whether a quote is the whole current message and that asks for the
// control and nothing else, in a language of the table. A question, a negation, a story or
// any word beside asks for nothing.
func Controls(action Control, current, quote string) bool {
	return WholeMessage(current, quote) && controlIn(current) == action
}

// controlWords are the words of one language by which a message asks for a control; | parts
// them. A message asks for one when it is made of such words and no others.
type controlWords struct {
	stop    string // "stop", "don't"; exactly one of them for stop
	resume  string // "start", "again"
	clear   string // "delete": with something of memory
	forget  string // "forget": with anything that is meant
	save    string // "save", "remember"
	memory  string // "memory", "about me", "what you know": what cannot be meant otherwise
	objects string // "everything", "things"
	fillers string // "please", "ok", "the"
	polite  string // what opens a request that ends as a question
	splits  string // verbs of two words between which others may stand: "turn memory off"
}

const maxControlWords = 24

// controlIn is the control that a message asks for, "" for none.
func controlIn(message string) Control {
	words := plainTokens(message)
	if len(words) == 0 || len(words) > maxControlWords {
		return ""
	}
	asks := strings.ContainsAny(message, "?？؟")
	for _, t := range controlTable() {
		if asks && t.polite.span(words) == 0 {
			continue
		}
		for _, w := range [][]string{words, t.joined(words)} {
			if c := t.read(w); c != "" {
				return c
			}
		}
	}
	return ""
}

// controlTongue is a language ready to be looked up.
type controlTongue struct {
	roles  [controlRoles]forms
	polite forms
	splits [][]string
}

const (
	roleStop = iota
	roleResume
	roleClear
	roleForget
	roleSave
	roleMemory
	roleObject
	roleFiller
	controlRoles
)

var controlTable = sync.OnceValue(func() []*controlTongue {
	var list []*controlTongue
	for _, w := range controlLanguages() {
		t := &controlTongue{}
		for role, words := range [controlRoles]string{w.stop, w.resume, w.clear, w.forget, w.save, w.memory, w.objects, w.fillers} {
			t.roles[role].enter(words, plainTokens)
		}
		t.polite.enter(w.polite, plainTokens)
		t.roles[roleFiller].enter(w.polite, plainTokens)
		for form := range strings.SplitSeq(w.splits, "|") {
			if run := plainTokens(form); len(run) > 1 {
				t.splits = append(t.splits, run)
			}
		}
		list = append(list, t)
	}
	return list
})

// joined puts the parts of a verb together that others part, nil when there are none.
func (t *controlTongue) joined(words []string) []string {
	for _, run := range t.splits {
		i, j := slices.Index(words, run[0]), runAt(words, run[1:])
		if i >= 0 && j > i+1 {
			rest := slices.Delete(slices.Clone(words), j, j+len(run)-1)
			return slices.Insert(rest, i+1, run[1:]...)
		}
	}
	return nil
}

// controlCounts says how often each role stands in a message.
type controlCounts [controlRoles]int

// read parts the words into roles, the longest first; every way in which that can be done
// must come to one control.
func (t *controlTongue) read(words []string) Control {
	found := map[Control]bool{}
	type state struct {
		at int
		n  controlCounts
	}
	seen := map[state]bool{}
	open := []state{{}} // of no words nothing is asked
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		if s.at == len(words) {
			found[s.n.control()] = true
			continue
		}
		longest := 0
		for role := range t.roles {
			longest = max(longest, t.roles[role].span(words[s.at:]))
		}
		for role := range t.roles {
			if n := t.roles[role].span(words[s.at:]); n > 0 && n == longest {
				next := state{at: s.at + n, n: s.n}
				next.n[role]++
				open = append(open, next)
			}
		}
	}
	delete(found, "")
	if len(found) != 1 {
		return ""
	}
	for c := range found {
		return c
	}
	return ""
}

// control is what a message of such roles asks for.
func (n controlCounts) control() Control {
	meant := n[roleMemory] > 0
	stops, resumes, ends := n[roleStop], n[roleResume], n[roleClear]+n[roleForget]
	saves := n[roleSave] > 0
	switch {
	case stops > 0 && resumes+ends > 0, stops > 1, resumes > 0 && ends > 0:
		return "" // two things at once, or one that is denied
	case stops > 0 && (meant || saves && n[roleObject] > 0):
		return ControlStop
	case resumes > 0 && (meant || saves):
		return ControlResume
	case ends > 0 && (meant || n[roleForget] > 0 && n[roleObject] > 0):
		return ControlClear
	}
	return ""
}
