package policy

import (
	"slices"
	"strings"

	"quipu/markdown"
)

// Fact is what capture files: checked, and worded as it is to be kept.
type Fact struct {
	Text    string
	Until   markdown.Date
	Topic   string // "" is MEMORY.md
	Aliases []string
	Quote   string // the words that it rests on
	Origin  Origin // "" is ByInferring
	// Speaker is the account of who said it, as the host gives it, and Trust in them at the
	// time; nil is not known, which is not the same as little.
	Speaker string
	Trust   *float64
	Turn    string // in which it was said
}

// Filed is what filing facts comes to.
type Filed struct {
	Edits  []Edit   // by path
	Core   []string // entries that went to MEMORY.md, as written
	Topics []string // the topics' files that took something
	Kept   []Fact   // what was filed, in the order in which it was given
	Known  []Fact   // stood there already, in any file
	Full   int      // had no room
	Moved  []string // entries that went to the archive to make room, as they stood

	Truncated bool // MEMORY.md is over a limit: its end does not load
	Redacted  int  // places that were masked
}

// FileFacts plans to file facts that were noticed in source: what every conversation
// needs at the end of MEMORY.md, the rest under its topic, which is made with a header
// when it is not there. A fact that any file but the archive and the day logs states in
// the same words is known and not written again; hand-written lines count. never reports
// what must not be learned.
func FileFacts(n Notes, facts []Fact, source string, never func(string) bool, l Limits, today markdown.Date, red *Redactor) Filed {
	f := filer{notes: n, source: source, today: today, red: red, known: knownIn(n, today), texts: map[string][]byte{}, topics: topicsOf(n)}
	for _, fact := range facts {
		if never(fact.Text) {
			continue
		}
		fact.Aliases = slices.DeleteFunc(slices.Clone(fact.Aliases), never) // nor does its place say it
		if fact.Topic != "" && never(fact.Topic) {
			fact.Topic = ""
		}
		f.file(fact)
	}
	if _, changed := f.texts[MemoryFile]; changed && !slices.Contains(n.Shut, ArchiveFile) {
		f.settle(l)
	}
	for _, path := range sortedKeys(f.texts) {
		f.out.Edits = append(f.out.Edits, Edit{Path: path, Text: f.texts[path]})
	}
	return f.out
}

type filer struct {
	notes  Notes
	source string
	today  markdown.Date
	red    *Redactor
	known  map[string]bool // identities of what is stated anywhere
	texts  map[string][]byte
	topics []string
	out    Filed
}

func (f *filer) text(path string) []byte {
	if text, changed := f.texts[path]; changed {
		return text
	}
	return f.notes.Files[path]
}

// file adds one fact where it belongs.
func (f *filer) file(fact Fact) {
	u := Update{Action: Append, Text: fact.Text, TextSet: true, Source: f.source, Noticed: true, Until: fact.Until.String()}
	path := MemoryFile
	if fact.Topic != "" {
		named, ok := topicFor(fact.Topic, f.topics)
		if !ok {
			named = MemoryFile // a name that no topic may have does not lose the fact
		}
		path = named
	}
	if id := markdown.Identity(fact.Text); id == "" || f.known[id] {
		f.out.Known = append(f.out.Known, fact)
		return
	}
	at := Notes{Files: map[string][]byte{path: f.text(path)}, Order: []string{path}, Clock: f.notes.Clock}
	if path != MemoryFile {
		u.Topic = strings.TrimPrefix(path, topicDir)
	}
	o, err := u.Plan(at, f.today, f.red)
	switch {
	case slices.Contains(f.notes.Shut, path) || err != nil || path != MemoryFile && len(o.Edits) == 1 && len(o.Edits[0].Text) > topicFull:
		f.out.Full++
		return
	case o.Known:
		f.out.Known = append(f.out.Known, fact)
		return
	}
	f.take(path, fact, o)
}

// take writes down that a fact has its place.
func (f *filer) take(path string, fact Fact, o Outcome) {
	text := o.Edits[0].Text
	if path == MemoryFile {
		f.out.Core = append(f.out.Core, o.Entry)
	} else {
		text = markdown.MergeTopic(text, topicTitle(path), fact.Aliases[:min(len(fact.Aliases), maxAliases)], nil)
		if !slices.Contains(f.out.Topics, path) {
			f.out.Topics = append(f.out.Topics, path)
		}
		if !slices.Contains(f.topics, path) {
			f.topics = append(f.topics, path)
		}
	}
	f.texts[path] = text
	f.known[markdown.Identity(fact.Text)] = true
	f.out.Kept = append(f.out.Kept, fact)
	f.out.Redacted += o.Redacted
}

// settle keeps MEMORY.md within its limits; what was filed now never moves first.
func (f *filer) settle(l Limits) {
	first := f.texts[MemoryFile]
	o := Outcome{Edits: []Edit{{Path: MemoryFile, Text: first}}}
	if len(f.out.Core) > 0 {
		o.Line = lastLine(first, f.out.Core[len(f.out.Core)-1])
	}
	o, err := Settle(o, Notes{Files: map[string][]byte{ArchiveFile: f.notes.Files[ArchiveFile]}}, l, f.today)
	if err != nil {
		f.out.Truncated = true
		return
	}
	f.out.Moved, f.out.Truncated = o.Moved, o.Truncated
	for _, e := range o.Edits {
		f.texts[e.Path] = e.Text
	}
}

// knownIn returns the identities of all that the notes state: entries that hold, and
// lines that were written by hand.
func knownIn(n Notes, today markdown.Date) map[string]bool {
	known := map[string]bool{}
	for path, text := range n.Files {
		if !searched(path) {
			continue
		}
		for _, u := range markdown.Parse(path, text).Units() {
			switch {
			case u.Entry != nil && holdsOn(*u.Entry, today):
				known[u.Entry.Identity()] = true
			case u.Entry == nil:
				known[markdown.Identity(string(u.Raw))] = true
			}
		}
	}
	return known
}

func topicsOf(n Notes) []string {
	var list []string
	for _, path := range sortedKeys(n.Files) {
		if isTopic(path) {
			list = append(list, path)
		}
	}
	return list
}

// StatedAlready reports whether an entry that holds today says the same as a text in
// the same words, whom they mean aside: "my shoe size is 42" and "The
// person's shoe size is 42". One word more or less, a "not" or a number is another fact.
// It is for facts that nobody judged: that a bot wrote one down already.
func StatedAlready(n Notes, text string, today markdown.Date) bool {
	want := telling(text)
	for path, notes := range n.Files {
		if !searched(path) {
			continue
		}
		for _, e := range markdown.Parse(path, notes).Entries() {
			if holdsOn(e, today) && slices.Equal(telling(e.Text), want) {
				return true
			}
		}
	}
	return false
}

// whoseWords say whom a fact is about, or stand before any noun.
var whoseWords = wordSet("i me my mine myself you your yours the a an person person's user user's owner owner's they them their s is am are was were that")

// telling are the words of a fact without those that say whom it is about.
func telling(text string) []string {
	return slices.DeleteFunc(tokens(text), func(w string) bool { return whoseWords[w] })
}
