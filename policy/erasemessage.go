package policy

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
)

// ErasedSubject stands in the place of what a commit was about.
const ErasedSubject = "(erased)"

// ownTrailers are the trailers of quipu's own commits that say nothing of a note.
var ownTrailers = []string{"Memory-Author", "Memory-Action", "Memory-Via", "Memory-Change", "Memory-Undoes", "Memory-Turn", "Memory-Moved", "Memory-Import"}

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
	action := actionOf(text)
	lines := strings.Split(strings.TrimPrefix(text, action), "\n")
	if action != "" || lines[0] == ErasedSubject {
		lines[0] = subjectSays(lines[0])
	}
	kept := lines[:0]
	for i, line := range lines {
		key, value, isTrailer := strings.Cut(line, ": ")
		switch {
		case i > 0 && isTrailer && slices.Contains(ownTrailers, key):
			continue
		case i > 0 && isTrailer && key == "Memory-Files":
			line = namesGiven(value)
		case i > 0 && isTrailer && strings.HasPrefix(key, "Memory-"):
			line = value
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// namesGiven are those of a list of files that quipu did not give, without what it adds
// to each.
func namesGiven(list string) string {
	names := slices.DeleteFunc(strings.Split(list, ", "), func(name string) bool { return ownName.MatchString(name) || moreFiles.MatchString(name) })
	for i, name := range names {
		names[i] = strings.TrimSuffix(ownFolder.ReplaceAllString(name, ""), ".md")
	}
	return strings.Join(names, "\n")
}

var moreFiles = regexp.MustCompile(`^and \d+ more$`)

var (
	// ownSubject are the parts of a subject by which quipu tells how much there was of
	// what, but nothing of a note.
	ownSubject = regexp.MustCompile(`^(?:took out: |\d+ notes, \d+ new lines from )|^(?:[a-z]+: )*` +
		`(?:\(erased\)|\d+ notes?|\d+ copies in \d+ commits|\d+ learned facts?|\d+ turns were deleted|may be learned again|history older than the retention window|what was known when older history was let go|\d+ facts noticed|` +
		`\d+ (?:expired|duplicates?|struck|lines? filed into topics)(?:, \d+ (?:expired|duplicates?|struck|lines? filed into topics))*)$`)
	// ownCount ends the subject of a change that is told by its files.
	ownCount = regexp.MustCompile(`(?:^\d+ files| as of)? \(\+\d+ -\d+\)$| \(deleted\)$`)
	// ownPath are the names that quipu gives to files.
	ownPath = strings.NewReplacer("MEMORY.md", "", "ABOUT.md", "", ArchiveFile, "", logDir, "", topicDir, "", ".md", "")
	// ownLog begins a line of git's log of a ref.
	ownLog = regexp.MustCompile(`^(?:quipu: )?(?:commit|rebase|merge|pull|checkout|reset|branch|clone|init|update|edit|delete|outside|undo|redo|restore|import|log|signal|sync|erase|forget|prefer|directive|capture|organize|tidy)(?: \([a-z-]+\))?(?:: |$)`)
)

// subjectSays is what a subject of quipu's tells, without its action.
func subjectSays(subject string) string {
	return ownPath.Replace(ownCount.ReplaceAllString(ownSubject.ReplaceAllString(subject, ""), ""))
}

// TellsLog reports whether a file in which git logs a ref mentions what is erased in what
// was done: who did it, and what quipu or git calls it, is not looked at.
func (e *Erasure) TellsLog(text string) bool {
	for line := range strings.Lines(text) {
		_, said, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		said = subjectSays(ownLog.ReplaceAllString(said, ""))
		if e.facts == nil && e.mentions(said) || e.facts != nil && e.tellsFact(": "+said) {
			return true
		}
	}
	return false
}

// TellsMessage reports whether a message that waits to be a commit's mentions what is
// erased; lines that begin with # are git's.
func (e *Erasure) TellsMessage(text string) bool {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			b.WriteString(line)
		}
	}
	return e.tellsMessage(b.String())
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
// tag its message counts, of a tree and of git's index the names, of anything else each
// line: hashes are no words, and who made a commit stays.
func (e *Erasure) Found(raw []byte) bool {
	if names, ok := treeNames(raw); ok {
		return slices.ContainsFunc(names, e.TellsPath)
	}
	if objectHead.Match(raw) {
		head, message, _ := bytes.Cut(raw, []byte("\n\n"))
		return message != nil && e.tellsMessage(string(message)) || message == nil && e.mentions(string(knownHead.ReplaceAll(head, nil)))
	}
	if names, rest, ok := indexNames(raw); ok {
		raw = rest
		if slices.ContainsFunc(names, e.TellsPath) {
			return true
		}
	}
	if l, problems := ParseLedger(raw); len(l.events) > 0 && len(problems) == 0 {
		_, n := e.Ledger(raw) // the rest of it is hashes, and who asked
		return n > 0
	}
	_, copies := e.File("", raw)
	return copies > 0
}

var (
	// objectHead begins a commit or a tag.
	objectHead = regexp.MustCompile(`^(?:tree|object) [0-9a-f]{40}\n`)
	// knownHead are the lines of it that git writes of every one.
	knownHead = regexp.MustCompile(`(?m)^(?:tree|parent|author|committer|object|type|tag|tagger|encoding) .*$`)
)

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

// indexNames reads the paths of a git index of version 2 or 3, and what stands behind
// them when that repeats paths that were resolved. It is false for anything else.
func indexNames(raw []byte) (names []string, rest []byte, ok bool) {
	const head, fixed, extended = 12, 62, 0x4000
	if len(raw) < head || !bytes.HasPrefix(raw, []byte("DIRC")) || raw[7] != 2 && raw[7] != 3 {
		return nil, nil, false
	}
	count, rest := int(binary.BigEndian.Uint32(raw[8:])), raw[head:]
	for range count {
		if len(rest) < fixed {
			return nil, nil, false
		}
		at := fixed
		if binary.BigEndian.Uint16(rest[fixed-2:])&extended != 0 {
			at += 2
		}
		size := bytes.IndexByte(rest[min(at, len(rest)):], 0)
		if size < 0 {
			return nil, nil, false
		}
		names = append(names, string(rest[at:at+size]))
		rest = rest[min((at+size+8)&^7, len(rest)):]
	}
	if !bytes.Contains(rest, []byte("REUC")) {
		rest = nil
	}
	return names, rest, true
}
