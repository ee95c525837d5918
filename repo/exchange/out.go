package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
	"quipu/policy"
)

// OutSpace is a workspace as it goes out.
type OutSpace struct {
	Bot    string        // the workspace's id
	Name   string        // what people call the bot
	Person string        // who the person is, "" when it is not known
	Today  markdown.Date // decides what has expired
	At     time.Time     // of the newest change
	Notes  []OutNote     // MEMORY.md or ABOUT.md first, then by path
	Own    []string      // files beside the notes that only quipu reads
	// Pictures are those that notes link, for the forms that take files as they are.
	Pictures []OutFile
}

// OutNote is one file of notes.
type OutNote struct {
	Path    string
	Kind    policy.PathKind
	Text    []byte // credentials masked
	Changed time.Time
	Taught  map[int]OutOrigin // by line; nil where the format does not ask for it
}

// OutOrigin says where a note comes from: the newest change of its text, and the one that
// first taught it.
type OutOrigin struct {
	Change, Action, First string // "" for what is not taken in yet
	At, FirstAt           time.Time
	Actor, Who, Source    string
	Words, Quote          string
}

// OutOptions says how much goes along.
type OutOptions struct {
	All bool // day logs and the archive too, for formats that leave them out
}

// OutFile is one file of an export; Path is below the export's folder.
type OutFile struct {
	Path string
	Text []byte
}

// Out is an export: its files by path, and what did not come along, a sentence each. An
// export of one file has a path that only names it.
type Out struct {
	Files []OutFile
	Left  []string
}

// OutFormat is a form in which notes leave.
type OutFormat struct {
	Name   string // as the command line has it
	Usage  string
	About  string // what a person should know of it before
	Folder bool   // it is several files
	Other  bool   // it is meant for another system: day logs and the archive stay without All
	Taught bool   // it tells where each note comes from
	Write  func(OutSpace, OutOptions) (Out, error)
}

// OutFormats lists the forms in which notes leave.
func OutFormats() []OutFormat {
	return []OutFormat{
		{
			Name: "folder", Usage: "the notes as plain files, without their history", Folder: true, Write: WriteFolder,
			About: "Every file of notes as it stands, day logs and the archive too.",
		},
		{
			Name: "zip", Usage: "the notes in one zip file, with a manifest", Write: WriteZip,
			About: "The plain files, and manifest.json with the SHA-256, size, number of notes and newest change of each. The same notes give the same bytes.",
		},
		{
			Name: "jsonl", Usage: "one note a line, with where it comes from", Taught: true, Write: WriteJSONL,
			About: "JSON lines: a header, a line for each file, and one for each note with its date, source, marks, change and first words.",
		},
		{
			Name: "mcp-memory", Usage: "the JSON lines of the MCP reference memory server", Other: true, Write: WriteMCPMemory,
			About: "One entity for MEMORY.md and one for each topic; each note that holds is an observation, with its day in brackets.",
		},
		{
			Name: "claude-code", Usage: "a memory folder of Claude Code", Folder: true, Other: true, Write: WriteClaudeCode,
			About: "MEMORY.md is an index with one line a memory; each topic is a file with name and description.",
		},
		{
			Name: "otto", Usage: "one Markdown file, by area", Other: true, Write: WriteOtto,
			About: "The areas are about, preferences, people, routines and lessons; a topic goes by its name.",
		},
		{
			Name: "kotoba", Usage: "a memory folder of Kotoba", Folder: true, Other: true, Write: WriteKotoba,
			About: "USER.md with the newest 25 facts and the topics, and topics/NAME.md with one line a fact.",
		},
	}
}

// fact is one note that holds, in plain text.
type fact struct {
	text          string
	date, until   markdown.Date
	source        string
	noticed, hand bool // hand: a hand-written line
}

// shorn counts what a format leaves behind.
type shorn struct {
	struck, expired, headings, sources, dates, untils, cut int

	headers []string // files whose header says more than the format carries
	held    []string // files that only --all takes along
	own     []string
}

// chosen gives the notes that go out, and counts the others.
func (sp OutSpace) chosen(o OutOptions, left *shorn) []OutNote {
	left.own = sp.Own
	if o.All {
		return sp.Notes
	}
	var out []OutNote
	for _, n := range sp.Notes {
		if n.Kind == policy.Log || n.Kind == policy.Archive {
			left.held = append(left.held, n.Path)
			continue
		}
		out = append(out, n)
	}
	return out
}

// facts gives what a file says that holds today, in its order.
func (sp OutSpace) facts(n OutNote, left *shorn) []fact {
	if policy.IsSeed(n.Text) {
		return nil
	}
	learned := map[string]policy.Learned{}
	if n.Kind == policy.About {
		for _, l := range policy.LearnedLines(n.Text) {
			learned[l.Line] = l
		}
	}
	var out []fact
	for _, u := range markdown.Parse(n.Path, n.Text).Units() {
		switch {
		case u.Entry != nil:
			if e := u.Entry; sp.holds(*e, left) {
				f := fact{text: e.Text, date: e.Date, until: e.Until, source: e.Source, noticed: e.Noticed}
				if l, ok := learned[string(u.Raw)]; ok { // who it was said to is no part of the fact
					f.text, f.source = l.Text, l.BotName
				}
				out = append(out, f)
			}
		case u.Kind == markdown.KindLine:
			if n.seeded(string(u.Raw)) {
				continue
			}
			if text := handText(string(u.Raw), left); text != "" {
				out = append(out, fact{text: text, hand: true})
			}
		case u.Kind == markdown.KindFence:
			out = append(out, fact{text: plain(string(u.Raw)), hand: true})
		}
	}
	return out
}

// seeded says whether a line is of the text that every main file begins with.
func (n OutNote) seeded(raw string) bool {
	line := strings.TrimRight(raw, "\r")
	return n.Kind == policy.Memory && slices.Contains(strings.Split(policy.Seed, "\n"), line)
}

// holds says whether an entry is still true.
func (sp OutSpace) holds(e markdown.Entry, left *shorn) bool {
	switch {
	case e.Struck, !e.Superseded.IsZero():
		left.struck++
	case !e.Expired.IsZero(), !e.Until.IsZero() && e.Until.Before(sp.Today):
		left.expired++
	default:
		return true
	}
	return false
}

// handText is what a hand-written line says; "" for a heading and for what is struck.
func handText(raw string, left *shorn) string {
	line := strings.TrimSpace(plain(raw))
	if strings.HasPrefix(line, "#") {
		left.headings++
		return ""
	}
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, bullet); ok {
			line = strings.TrimSpace(rest)
			break
		}
	}
	if strings.HasPrefix(line, "~~") {
		left.struck++
		return ""
	}
	return line
}

// plain has LF line ends and is valid UTF-8.
func plain(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD")
}

// oneLine folds a text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// stem is a file's name without folder and ending.
func (n OutNote) stem() string {
	return strings.TrimSuffix(n.Path[strings.LastIndexByte(n.Path, '/')+1:], ".md")
}

// title is what a file calls itself, else its name.
func (n OutNote) title() string {
	if n.isMain() {
		return n.stem()
	}
	h := markdown.Parse(n.Path, n.Text).Header()
	return cmp.Or(oneLine(plain(h.Title)), n.stem())
}

func (n OutNote) isMain() bool { return n.Kind == policy.Memory || n.Kind == policy.About }

// sentences tells what did not come along.
func (l *shorn) sentences() []string {
	var out []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			out = append(out, "1 "+one)
		case n > 1:
			out = append(out, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(l.struck, "note that is struck", "notes that are struck")
	add(l.expired, "note that has expired", "notes that have expired")
	add(l.headings, "heading", "headings")
	add(l.dates, "note's date", "notes' dates")
	add(l.untils, "note's last day", "notes' last days")
	add(l.sources, "note's source", "notes' sources")
	add(l.cut, "end of a note that is too long there", "ends of notes that are too long there")
	if len(l.headers) > 0 {
		out = append(out, "what else the header says of "+named(l.headers))
	}
	if len(l.held) > 0 {
		out = append(out, named(l.held)+" (--all takes them along)")
	}
	if len(l.own) > 0 {
		out = append(out, named(l.own)+" (only a bundle and a backup hold that)")
	}
	return out
}

// named lists the first few names.
func named(paths []string) string {
	const few = 4
	text := strings.Join(paths[:min(len(paths), few)], ", ")
	if more := len(paths) - few; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// count counts what a format that knows no such thing drops of a fact.
func (l *shorn) count(f fact, date, until, source bool) {
	if date && !f.date.IsZero() {
		l.dates++
	}
	if until && !f.until.IsZero() {
		l.untils++
	}
	if source && f.source != "" {
		l.sources++
	}
}

// head notes a file whose header has more than its title, and its description where the
// format has room for that.
func (l *shorn) head(n OutNote, described bool) {
	h := markdown.Parse(n.Path, n.Text).Header()
	lines := strings.Count(string(n.Text[h.Start:h.End]), "\n") - 2
	if h.Title != "" && lines > 0 {
		lines--
	}
	if described && h.Description != "" {
		lines--
	}
	if h.Present && lines > 0 {
		l.headers = append(l.headers, n.Path)
	}
}

// sorted puts the files of an export in order.
func sorted(files []OutFile) []OutFile {
	slices.SortFunc(files, func(a, b OutFile) int { return strings.Compare(a.Path, b.Path) })
	return files
}
