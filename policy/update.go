package policy

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

// Action is what an update does to a memory.
type Action string

// The actions of a memory update.
const (
	Append    Action = "append"
	Replace   Action = "replace"
	Remove    Action = "remove"
	Supersede Action = "supersede"
)

// Update is one asked-for change. TextSet and OldTextSet say whether the field
// was given at all, so that an empty argument and a missing one differ.
type Update struct {
	Action  Action
	Text    string // the new fact: append, replace, supersede
	OldText string // unique text of what is meant, or PATH:LINE: replace, remove, supersede
	Source  string // where the new fact comes from, as it is to be written
	Noticed bool   // the fact was noticed, not stated
	Until   string // YYYY-MM-DD, the last day on which the fact holds: append, supersede
	Topic   string // the topic to append to; MEMORY.md when empty
	Quote   string // the person's words on which the fact rests, as a bot gives them

	// What the host knows of the turn, and no bot says: the person's latest messages in the
	// chat, the newest last, and whether that one asks to keep something in mind.
	Said     []string
	Asked    bool
	Reviewed bool // a review found that those messages bear the fact out

	TextSet, OldTextSet bool
}

// Code says what kind of refusal an update met.
type Code string

// The codes of a Refusal.
const (
	Invalid  Code = "invalid"   // the arguments make no update
	Conflict Code = "conflict"  // the old text is not there exactly once, or is struck already
	Refused  Code = "refused"   // a rule forbids the result
	NotFound Code = "not_found" // PATH:LINE names a file or a line that is not there
)

// Refusal is the error of an update that changes nothing. Reason is one
// sentence in lower case that says what to do instead where that is known.
//
//nolint:errname // a refusal is an answer to the caller and its name is part of the API
type Refusal struct {
	Code   Code
	Reason string
	Rule   string // the switch that refuses, and which of its rules; "" for what always holds
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

func refuse(code Code, format string, args ...any) error {
	return &Refusal{Code: code, Reason: fmt.Sprintf(format, args...)}
}

// Edit is the new whole text of one file.
type Edit struct {
	Path string
	Text []byte
}

// Outcome is what an update would write.
type Outcome struct {
	Edits    []Edit
	Entry    string // the entry as written, after redaction; "" for remove
	Line     int    // 1-based line on which Entry begins in its file; 0 when nothing was written
	Kept     string // what is still true of a superseded note, as its own entry; "" for none
	Known    bool   // an exact duplicate stands already: no edits, Entry quotes it
	Redacted int    // places that were masked in what was given

	// What Settle fills in.
	Moved       []string // entries that went to the archive, as they stood
	Truncated   bool     // MEMORY.md is over a limit: its end does not load
	ArchiveFull bool     // nothing could move: the archive has no room
}

// Notes are the files that an update may look at. Order lists their paths:
// MEMORY.md first, then topics, then the archive.
type Notes struct {
	Files map[string][]byte
	Order []string
	// Clock is the time of day, as 15:04:05, when notes are written with their date behind;
	// "" writes it in front.
	Clock string
	// Shut are files that stand there and must not be written now, as one that holds
	// conflict markers. Upkeep leaves them alone.
	Shut []string
}

// Seed is the text of MEMORY.md in a new workspace. It counts as empty: the
// first entry takes the place of the hint and the heading stays, so that the
// first diff takes out one line and puts in one.
const Seed = MemoryHead + "One fact a line: what is worth knowing in every conversation.\n"

// MemoryHead is what stays of the seed when the hint has gone.
const MemoryHead = "# Memory\n\n"

// IsSeed reports whether text is the seed, whatever its line ends.
func IsSeed(text []byte) bool {
	return strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")) == strings.TrimSpace(Seed)
}

// draft is an update whose arguments were checked and redacted.
type draft struct {
	Update
	notes    Notes
	today    markdown.Date
	until    markdown.Date
	red      *Redactor
	redacted int
}

// Plan returns the edits that carry out u on n, or a *Refusal. It changes
// nothing itself, and today is the day that marks and dates get. What is given
// is redacted before it is compared with anything or written. Settle is the step
// that follows: it keeps MEMORY.md within its limits.
func (u Update) Plan(n Notes, today markdown.Date, red *Redactor) (Outcome, error) {
	if err := u.check(); err != nil {
		return Outcome{}, err
	}
	d := &draft{Update: u, notes: n, today: today, red: red}
	if err := d.readUntil(); err != nil {
		return Outcome{}, err
	}
	if _, masked := red.Redact(u.Topic); masked > 0 {
		return Outcome{}, refuse(Refused, "the topic name looks like a credential")
	}
	d.Text, d.Source = d.redact(u.Text), d.redact(u.Source)
	run := map[Action]func() (Outcome, error){Append: d.append, Replace: d.replace, Remove: d.remove, Supersede: d.supersede}[u.Action]
	out, err := run()
	if err != nil {
		return Outcome{}, err
	}
	out.Redacted = d.redacted
	for _, e := range out.Edits {
		if len(e.Text) > MaxFileBytes {
			return Outcome{}, refuse(Refused, "%s would have %d bytes, %d is the limit", e.Path, len(e.Text), MaxFileBytes)
		}
	}
	return out, nil
}

func (d *draft) redact(text string) string {
	out, n := d.red.Redact(text)
	d.redacted += n
	return out
}

// check refuses missing, blank, extra and oversized arguments.
func (u Update) check() error {
	switch u.Action {
	case Append, Replace, Remove, Supersede:
	default:
		return refuse(Invalid, "unknown action %.40q: use append, replace, remove or supersede", string(u.Action))
	}
	if err := u.argument("text", u.Action != Remove, u.TextSet, u.Text); err != nil {
		return err
	}
	if err := u.argument("oldText", u.Action != Append, u.OldTextSet, u.OldText); err != nil {
		return err
	}
	switch {
	case u.Until != "" && u.Action != Append && u.Action != Supersede:
		return refuse(Invalid, "%s takes no until", u.Action)
	case u.Topic != "" && u.Action != Append:
		return refuse(Invalid, "%s takes no topic: it looks in all of them", u.Action)
	case !utf8.ValidString(u.Text+u.Source) || strings.ContainsRune(u.Text+u.Source, 0):
		return refuse(Invalid, "a text is valid UTF-8 without NUL")
	}
	return u.checkSize()
}

func (u Update) argument(name string, wanted, set bool, text string) error {
	switch {
	case !wanted && (set || text != ""):
		return refuse(Invalid, "%s takes no %s", u.Action, name)
	case wanted && strings.TrimSpace(text) == "":
		return refuse(Invalid, "%s needs a %s that is not blank", u.Action, name)
	}
	return nil
}

func (u Update) checkSize() error {
	if n := utf8.RuneCountInString(u.Text); n > MaxEntryRunes {
		return refuse(Invalid, "the text has %d characters, %d is the limit: keep one fact, or several entries", n, MaxEntryRunes)
	}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(u.Text)
	if n := countLines([]byte(lines)); n > MaxEntryLines {
		return refuse(Invalid, "the text has %d lines, %d is the limit", n, MaxEntryLines)
	}
	return nil
}

func (d *draft) readUntil() error {
	if d.Until == "" {
		return nil
	}
	day, ok := markdown.ParseDate(d.Until)
	switch {
	case !ok:
		return refuse(Invalid, "until is a real day as YYYY-MM-DD")
	case day.Before(d.today):
		return refuse(Invalid, "until %s is in the past: today is %s", day, d.today)
	}
	d.until = day
	return nil
}

// entry returns the new entry in its written form. The whole is redacted once
// more: what folds to one line may read as a credential only then.
func (d *draft) entry() (markdown.Entry, string) {
	e := markdown.NewEntry(d.Text, d.Source, d.Noticed, d.today, d.until)
	if d.notes.Clock != "" {
		e = markdown.NewBracketed(d.Text, d.today, d.notes.Clock, d.until)
	}
	raw := d.redact(e.String())
	if raw == e.String() {
		return e, raw
	}
	if units := markdown.Parse("", []byte(raw)).Units(); len(units) == 1 && units[0].Entry != nil {
		return *units[0].Entry, raw
	}
	return e, raw
}

func (d *draft) append() (Outcome, error) {
	path, err := d.target()
	if err != nil {
		return Outcome{}, err
	}
	e, raw := d.entry()
	if e.Text == "" {
		return Outcome{}, refuse(Invalid, "append needs a text: nothing is left of this one but marks")
	}
	text := d.notes.Files[path]
	f := markdown.Parse(path, text)
	for _, known := range f.Entries() {
		if d.holds(known) && known.Identity() == e.Identity() {
			return Outcome{Known: true, Entry: known.String()}, nil
		}
	}
	var out []byte
	switch {
	case path == MemoryFile && IsSeed(text):
		heading, _, _ := strings.Cut(Seed, "\n")
		out = []byte(strings.Join([]string{heading, "", raw, ""}, "\n"))
		if f.EOL() != "\n" {
			out = bytes.ReplaceAll(out, []byte("\n"), []byte(f.EOL()))
		}
	case path != MemoryFile && len(bytes.TrimSpace(text)) == 0:
		title := strings.TrimSuffix(strings.TrimPrefix(path, topicDir), ".md")
		out = markdown.MergeTopic(nil, strings.ReplaceAll(title, "-", " "), nil, []string{raw})
	default:
		out = f.Append(raw)
	}
	return Outcome{Edits: []Edit{{Path: path, Text: out}}, Entry: raw, Line: lastLine(out, raw)}, nil
}

// lastLine returns the line on which raw begins when it ends the text.
func lastLine(text []byte, raw string) int { return countLines(text) - strings.Count(raw, "\n") }

// holds reports whether e still speaks: a struck entry has no identity, and one
// that has run out would leave the fact unsaid.
func (d *draft) holds(e markdown.Entry) bool {
	return !e.Struck && e.Expired.IsZero() && !expired(e, d.today)
}

// target returns the file to append to. A topic that exists under a name that
// differs only in case is that topic.
func (d *draft) target() (string, error) {
	if d.Topic == "" {
		return MemoryFile, nil
	}
	path, err := TopicFile(d.Topic)
	if err != nil {
		return "", refuse(Invalid, "topic: %v", err)
	}
	if _, ok := d.notes.Files[path]; ok {
		return path, nil
	}
	for _, have := range d.notes.Order {
		if searched(have) && SameName(have, path) {
			return have, nil
		}
	}
	return path, nil
}
