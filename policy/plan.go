package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"quipu/markdown"
)

// Op is what a step does with one entry.
type Op string

// The steps of upkeep.
const (
	OpArchive Op = "archive" // its last day has passed: it goes to the archive
	OpDrop    Op = "drop"    // a newer entry says exactly the same: it goes
	OpStrike  Op = "strike"  // it cannot be true beside a newer one: it is struck through
	OpFile    Op = "file"    // it is detail about a subject: it goes to that topic
	OpFall    Op = "fall"    // its evidence does not hold it up: it goes to the archive
	OpRise    Op = "rise"    // a reflection that a person bore out: it goes to MEMORY.md
	OpLetGo   Op = "letgo"   // an entry of an area is over; Why says how: it goes to the archive
)

// Step is one thing to do with one entry. It was planned on the entry as it stood
// then; where that no longer stands the step is passed over.
type Step struct {
	Op      Op       `json:"op"`
	Path    string   `json:"path"`
	Line    int      `json:"line"`              // where it stood, from 1
	Raw     string   `json:"entry"`             // byte for byte, line ends as LF
	Twin    string   `json:"twin,omitempty"`    // drop, strike, let go: the entry that stays, likewise
	Rest    string   `json:"rest,omitempty"`    // strike: what of it is still true
	Trusted bool     `json:"trusted,omitempty"` // strike: the older entry stays, since who said it is trusted more
	To      string   `json:"to,omitempty"`      // file: the topic's path
	Aliases []string `json:"aliases,omitempty"`

	Why LeaveReason `json:"why,omitempty"` // let go
}

// Plan is what upkeep would do, in the order of the files.
type Plan struct {
	Steps    []Step
	Evidence *Falling // by which steps that rest on evidence are checked again; nil: none is taken
	Areas    *Tree    // by which what is let go is checked again; nil: nothing is
}

// Passed is a step that was not taken, and why.
type Passed struct {
	Step Step   `json:"step"`
	Why  string `json:"why"`
}

// Carried is what comes of a plan.
type Carried struct {
	Edits  []Edit // by path
	Done   []Step
	Passed []Passed
	// Moved are entries that went to the archive to make room, as they stood.
	Moved     []string
	Truncated bool // MEMORY.md is over a limit: its end does not load
}

// topicFull is the size from which a topic takes nothing more from upkeep.
const topicFull = 64 << 10

// Carry carries a plan out on notes as they are now, and keeps MEMORY.md within its
// limits. Every step is checked again: its entry must stand byte for byte, the entry
// that stays must stand and hold, the topic and the archive must have room. No text
// is lost by any plan, whoever made it: an entry goes only to the archive, to a topic,
// or because the same fact stands beside it.
func (p Plan) Carry(n Notes, l Limits, today markdown.Date) Carried {
	c := carrier{texts: map[string][]byte{}, shut: n.Shut, today: today, evidence: p.Evidence, areas: p.Areas}
	maps.Copy(c.texts, n.Files)
	byFile := map[string][]Step{}
	for _, s := range p.Steps {
		if _, there := n.Files[s.Path]; !there || s.Path == ArchiveFile {
			c.pass(s, "the file is not there")
			continue
		}
		byFile[s.Path] = append(byFile[s.Path], s)
	}
	for _, path := range sortedKeys(byFile) {
		if path != MemoryFile {
			c.file(path, byFile[path])
		}
	}
	c.file(MemoryFile, byFile[MemoryFile]) // last: what it files under topics is added to them as they are by then
	c.settle(l)
	c.collect(n)
	return c.out
}

// carrier carries a plan out, file by file.
type carrier struct {
	texts map[string][]byte
	shut  []string
	today markdown.Date
	out   Carried

	evidence *Falling
	areas    *Tree
	risen    string // the last entry that rose to MEMORY.md
}

func (c *carrier) pass(s Step, why string) {
	c.out.Passed = append(c.out.Passed, Passed{Step: s, Why: why})
}

// file takes the steps of one file.
func (c *carrier) file(path string, steps []Step) {
	if len(steps) == 0 {
		return
	}
	f := markdown.Parse(path, c.texts[path])
	at := c.match(f, steps)
	c.hold(f, at)
	if len(at) == 0 {
		return
	}
	before := maps.Clone(c.texts)
	done := at
	text, ok := rewritten(f, at, c.today)
	if ok {
		if done = c.give(at); len(done) < len(at) { // some have nowhere to go
			text, ok = rewritten(f, done, c.today)
		}
	}
	if !ok {
		c.texts = before
		for _, i := range sortedKeys(done) {
			c.pass(done[i], "what stays would read differently")
		}
		return
	}
	c.texts[path] = text
	for _, i := range sortedKeys(done) {
		c.out.Done = append(c.out.Done, done[i])
	}
}

// match finds the unit of each step: the entry that stands byte for byte as it did,
// on its own line if one of several does.
func (c *carrier) match(f *markdown.File, steps []Step) map[int]Step {
	at := map[int]Step{}
	placed := make([]bool, len(steps))
	for _, exact := range []bool{true, false} {
		for k, s := range steps {
			for i, u := range f.Units() {
				_, taken := at[i]
				if !placed[k] && !taken && u.Entry != nil && (u.Line == s.Line || !exact) && plainRaw(u) == s.Raw {
					at[i], placed[k] = s, true
				}
			}
		}
	}
	for k, s := range steps {
		if !placed[k] {
			c.pass(s, "the entry has changed since")
		}
	}
	return at
}

// hold takes out the steps whose reason does not hold on the file as it is.
func (c *carrier) hold(f *markdown.File, at map[int]Step) {
	for _, i := range sortedKeys(at) {
		if why := c.objection(f, at, i); why != "" {
			c.pass(at[i], why)
			delete(at, i)
		}
	}
}

// objection says why a step must not be taken, "" when nothing speaks against it.
func (c *carrier) objection(f *markdown.File, at map[int]Step, i int) string {
	s, e := at[i], *f.Units()[i].Entry
	switch s.Op {
	case OpArchive:
		if !expired(e, c.today) {
			return "its last day has not passed"
		}
	case OpDrop:
		if !c.stays(f, at, i, func(u markdown.Unit) bool { return sameFact(*u.Entry, e) }) {
			return "no other entry says the same"
		}
	case OpStrike:
		if e.Struck || !c.stays(f, at, i, func(u markdown.Unit) bool { return plainRaw(u) == s.Twin }) {
			return "the entry that it contradicts has changed since"
		}
	case OpFile:
		if e.Struck || s.Path != MemoryFile || !isTopic(s.To) {
			return "it cannot be filed there"
		}
	case OpFall, OpRise:
		return c.unproven(s, e)
	case OpLetGo:
		return c.areas.keeps(s)
	default:
		return "there is no such step"
	}
	return ""
}

// stays reports whether another entry than the one at i holds, is not about to go
// itself, and is what the step rests on.
func (c *carrier) stays(f *markdown.File, at map[int]Step, i int, same func(markdown.Unit) bool) bool {
	for j, u := range f.Units() {
		step, goes := at[j]
		if at[i].Op == OpDrop && step.Op == OpStrike { // the newer twin is struck: the text stays, and both had it wrong
			goes = false
		}
		if j != i && !goes && u.Entry != nil && holdsOn(*u.Entry, c.today) && same(u) {
			return true
		}
	}
	return false
}

// give puts the entries that leave where they go, and returns the steps for which
// there was room.
func (c *carrier) give(at map[int]Step) map[int]Step {
	done := map[int]Step{}
	var leaving []string
	for _, i := range sortedKeys(at) {
		switch s := at[i]; s.Op {
		case OpArchive:
			leaving = append(leaving, marked(s.Raw, "expired", c.today))
		case OpLetGo:
			leaving = append(leaving, letGo(s, c.today))
		case OpFall:
			leaving = append(leaving, moved(s.Raw, markdown.Parse("", []byte(s.Raw)).Entries()[0], c.today))
		case OpRise:
			if why := c.rise(s); why != "" {
				c.pass(s, why)
				continue
			}
		case OpFile:
			if why := c.fileUnder(s); why != "" {
				c.pass(s, why)
				continue
			}
		}
		done[i] = at[i]
	}
	if len(leaving) == 0 {
		return done
	}
	if archive, ok := grown(c.texts[ArchiveFile], leaving); ok && !slices.Contains(c.shut, ArchiveFile) {
		c.texts[ArchiveFile] = archive
		return done
	}
	for _, i := range sortedKeys(done) {
		if done[i].Op.archives() {
			c.pass(done[i], "memory/archive.md has no room for it")
			delete(done, i)
		}
	}
	return done
}

// archives reports whether a step puts its entry into the archive.
func (op Op) archives() bool { return op == OpArchive || op == OpFall || op == OpLetGo }

// fileUnder adds an entry to its topic, unless the topic says it already. It says why
// when it cannot.
func (c *carrier) fileUnder(s Step) string {
	text := c.texts[s.To]
	f := markdown.Parse(s.To, text)
	e := markdown.Parse("", []byte(s.Raw)).Entries()[0]
	for _, have := range f.Entries() {
		if holdsOn(have, c.today) && sameFact(have, e) {
			return ""
		}
	}
	next := markdown.MergeTopic(text, topicTitle(s.To), s.Aliases, []string{s.Raw})
	units := markdown.Parse(s.To, next).Units()
	switch {
	case slices.Contains(c.shut, s.To):
		return "the topic wants mending first"
	case len(next) > topicFull:
		return "the topic has no room for it"
	case len(units) == 0 || plainRaw(units[len(units)-1]) != s.Raw:
		return "the topic ends in the middle of a block"
	}
	c.texts[s.To] = next
	return ""
}

// topicTitle is the title of a new topic: its name with blanks for dashes.
func topicTitle(path string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(path, topicDir), ".md"), "-", " ")
}

// settle keeps MEMORY.md within its limits.
func (c *carrier) settle(l Limits) {
	text, ok := c.texts[MemoryFile]
	if !ok || slices.Contains(c.shut, ArchiveFile) {
		return
	}
	o, err := Settle(Outcome{Edits: []Edit{{Path: MemoryFile, Text: text}}, Line: lineOf(text, c.risen)}, Notes{Files: c.texts}, l, c.today)
	if err != nil {
		c.out.Truncated = true // larger than any file may be: nothing makes room for it
		return
	}
	c.out.Moved, c.out.Truncated = o.Moved, o.Truncated
	for _, e := range o.Edits {
		c.texts[e.Path] = e.Text
	}
}

// collect gathers what differs.
func (c *carrier) collect(n Notes) {
	for _, path := range sortedKeys(c.texts) {
		if before, had := n.Files[path]; !had || string(before) != string(c.texts[path]) {
			c.out.Edits = append(c.out.Edits, Edit{Path: path, Text: c.texts[path]})
		}
	}
}

// rewritten returns the file after its steps. It is false when what stays would read
// differently without its neighbour, as a line behind a fence that never closes may.
func rewritten(f *markdown.File, at map[int]Step, today markdown.Date) ([]byte, bool) {
	text, units, starts := f.Bytes(), f.Units(), unitStarts(f)
	out := slices.Clone(text[:starts[0]])
	var want []string
	for i, u := range units {
		s, goes := at[i]
		end := text[starts[i]+len(u.Raw) : starts[i+1]]
		switch {
		case !goes:
			out = append(out, text[starts[i]:starts[i+1]]...)
			want = append(want, string(u.Raw))
			continue
		case s.Op != OpStrike:
			continue
		}
		struck, ok := markdown.Strike(string(u.Raw), today)
		if !ok {
			return text, false
		}
		out, want = append(out, struck...), append(want, struck)
		if s.Rest != "" {
			rest := markdown.NewEntry(s.Rest, tidyUp, false, today, markdown.Date{}).String()
			out, want = append(append(out, f.EOL()...), rest...), append(want, rest)
		}
		out = append(out, end...)
	}
	after := markdown.Parse(f.Path(), out).Units()
	return out, slices.EqualFunc(after, want, func(u markdown.Unit, raw string) bool { return string(u.Raw) == raw })
}

// tidyUp is the source of what tidy keeps of a struck entry.
const tidyUp = "tidy-up"

// marked puts a dated mark at the end of an entry's first line.
func marked(raw, mark string, today markdown.Date) string {
	line, owned, more := strings.Cut(raw, "\n")
	line += dot + mark + " " + today.String()
	if more {
		return line + "\n" + owned
	}
	return line
}

// holdsOn reports whether an entry still speaks on a day.
func holdsOn(e markdown.Entry, today markdown.Date) bool {
	return !e.Struck && e.Expired.IsZero() && !expired(e, today)
}

// sameFact reports whether two entries say exactly the same for as long. In a block
// of code white space counts.
func sameFact(a, b markdown.Entry) bool {
	if a.Identity() != b.Identity() || a.Identity() == "" || a.Until != b.Until {
		return false
	}
	return !strings.Contains(a.Text+b.Text, "\n") || a.Text == b.Text
}

func plainRaw(u markdown.Unit) string { return strings.ReplaceAll(string(u.Raw), "\r\n", "\n") }

func isTopic(path string) bool {
	kind, err := CheckPath(path)
	return err == nil && kind == Topic
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
