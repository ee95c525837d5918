package policy

import (
	"bytes"
	"slices"
	"strings"
)

// ErasedSubject stands in the place of what a commit was about.
const ErasedSubject = "(erased)"

// ownTrailers are the trailers of quipu's own commits that say nothing of a note.
var ownTrailers = []string{"Memory-Author", "Memory-Action", "Memory-Via", "Memory-Change", "Memory-Undoes", "Memory-Turn", "Memory-Moved"}

// CommitText is a commit's message on its way through an erasure.
type CommitText struct {
	Text    string
	Old     string // the commit's old name, 40 hex digits
	Emptied bool   // nothing of the change is left
	Tag     bool   // of a tag, or a note: it has no change id
}

// Message returns a message without what is erased: the subject says so instead, and
// the lines of the body and the trailers that tell it go. Who did it, when, and the
// change's id stay; a commit that had no id is given its old name as one, so that what
// pointed to it still finds it. What rests on an erased note alone goes with it.
func (e *Erasure) Message(m CommitText) string {
	text := m.Text
	if m.Emptied || e.tellsMessage(text) {
		text = e.scrubMessage(text, m.Emptied)
	}
	if m.Tag || m.Old == "" || changeTrailer(text) {
		return text
	}
	return withTrailer(text, "Memory-Change: "+m.Old)
}

// tellsMessage reports whether a message tells what is erased. What quipu itself puts in
// every message is not looked at: what kind of change it was, its id, who made it.
func (e *Erasure) tellsMessage(text string) bool {
	if e.facts == nil {
		return e.mentions(saidBy(text))
	}
	return slices.ContainsFunc(strings.Split(text, "\n"), e.tellsFact)
}

// tellsFact reports whether a line of a message states one of the facts, whole or as a
// subject that was cut.
func (e *Erasure) tellsFact(line string) bool {
	line = strings.Join(strings.Fields(line), " ")
	_, rest, _ := strings.Cut(line, ": ")
	for fact := range e.facts {
		cut, isCut := strings.CutSuffix(rest, "…")
		if strings.Contains(line, fact) || isCut && len(cut) > minCutSubject && strings.HasPrefix(fact, strings.TrimSpace(cut)) {
			return true
		}
	}
	return false
}

// minCutSubject is how many bytes of a cut subject must agree with a fact.
const minCutSubject = 12

func (e *Erasure) scrubMessage(text string, emptied bool) string {
	subject, body, _ := strings.Cut(text, "\n")
	subject = e.scrubSubject(subject, actionOf(text), emptied)
	var kept []string
	for line := range strings.SplitSeq(body, "\n") {
		key, _, isTrailer := strings.Cut(line, ": ")
		own := isTrailer && slices.Contains(ownTrailers, key)
		rests := key == "Memory-Quote" || key == "Memory-Source"
		if !own && (e.tellsLine(line) || emptied && isTrailer && rests) {
			continue
		}
		kept = append(kept, line)
	}
	return subject + "\n" + strings.Join(kept, "\n")
}

// scrubSubject is a subject without what is erased; action is what quipu put before it.
func (e *Erasure) scrubSubject(subject, action string, emptied bool) string {
	said := strings.TrimPrefix(subject, action)
	switch {
	case !emptied && !e.tellsLine(said):
		return subject
	case action != "":
		return action + ErasedSubject
	}
	if subject = neutral(subject); e.tellsLine(subject) {
		return ErasedSubject
	}
	return subject
}

// tellsLine reports whether a line of a message that tells what is erased has a part
// in that: it mentions any of the phrases.
func (e *Erasure) tellsLine(line string) bool {
	if e.facts != nil {
		return e.tellsFact(line)
	}
	list := tokens(line)
	return slices.ContainsFunc(e.phrases, func(p Phrase) bool { return holdsRun(list, p.words) })
}

// neutral is a subject that says what kind of change it was and no more.
func neutral(subject string) string {
	action, _, ok := strings.Cut(subject, ": ")
	if !ok || strings.ContainsAny(action, " \t") || len(action) > 12 {
		return ErasedSubject
	}
	return action + ": " + ErasedSubject
}

// saidBy is what a message says beside what quipu puts in every one.
func saidBy(text string) string {
	lines := strings.Split(strings.TrimPrefix(text, actionOf(text)), "\n")
	kept := lines[:0]
	for i, line := range lines {
		key, value, isTrailer := strings.Cut(line, ": ")
		switch {
		case i > 0 && isTrailer && slices.Contains(ownTrailers, key):
			continue
		case i > 0 && isTrailer && strings.HasPrefix(key, "Memory-"):
			line = value
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// actionOf is the beginning of the subject of a commit of quipu's, as "update: "; "" of
// any other.
func actionOf(text string) string {
	_, rest, ok := strings.Cut(text, "\nMemory-Action: ")
	if !ok {
		return ""
	}
	action, _, _ := strings.Cut(rest, "\n")
	if action = strings.TrimSpace(action) + ": "; strings.HasPrefix(text, action) {
		return action
	}
	return ""
}

func changeTrailer(text string) bool {
	return strings.Contains("\n"+text, "\nMemory-Change: ")
}

// withTrailer adds a trailer: to the last paragraph when that is one of trailers, else
// as a paragraph of its own.
func withTrailer(text, trailer string) string {
	text = strings.TrimRight(text, "\n")
	last := text[strings.LastIndex(text, "\n\n")+1:]
	sep := "\n\n"
	if strings.Contains(text, "\n\n") && trailersOnly(strings.TrimSpace(last)) {
		sep = "\n"
	}
	return text + sep + trailer + "\n"
}

func trailersOnly(paragraph string) bool {
	for line := range strings.SplitSeq(paragraph, "\n") {
		key, _, ok := strings.Cut(line, ": ")
		if !ok || key == "" || strings.ContainsFunc(key, func(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') }) {
			return false
		}
	}
	return true
}

// Found reports whether an object of git still holds what is erased. Of a commit or a
// tag its message counts, of a tree the names, of anything else each line: hashes are
// no words, and who made a commit stays.
func (e *Erasure) Found(raw []byte) bool {
	if names, ok := treeNames(raw); ok {
		return slices.ContainsFunc(names, e.tellsPath)
	}
	for _, head := range []string{"tree ", "object "} {
		if bytes.HasPrefix(raw, []byte(head)) {
			if _, message, ok := bytes.Cut(raw, []byte("\n\n")); ok {
				return e.tellsMessage(string(message))
			}
		}
	}
	if l, problems := ParseLedger(raw); len(l.events) > 0 && len(problems) == 0 {
		return false // hashes, and who asked
	}
	_, copies := e.File("", raw)
	return copies > 0
}

// treeNames reads the names of a tree object. It is false for anything else.
func treeNames(raw []byte) ([]string, bool) {
	const hash = 20
	var names []string
	for len(raw) > 0 {
		mode, rest, ok := bytes.Cut(raw, []byte(" "))
		if !ok || len(mode) < 5 || len(mode) > 6 || bytes.ContainsFunc(mode, func(r rune) bool { return r < '0' || r > '7' }) {
			return nil, false
		}
		name, rest, ok := bytes.Cut(rest, []byte{0})
		if !ok || len(rest) < hash {
			return nil, false
		}
		names = append(names, string(name))
		raw = rest[hash:]
	}
	return names, len(names) > 0
}
