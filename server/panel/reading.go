package panel

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// unitsAPage is how many notes of a file one page shows.
const unitsAPage = 100

// reading is a file as a person reads it, part of it when it is long.
type reading struct {
	Space   *space
	Path    string
	Alone   bool // the page is about this file alone, so its headings stand under the page's own
	Blocks  []block
	Next    int    // the line on which the next page begins; 0 is none
	NextURL string // the path of that page, where it is not the file's own
	Left    int    // notes after this page
	Empty   bool
	Within  bool // it begins in the middle of the file
	Plain   bool // only to be read: nothing in it can be acted on

	first, shown int // the line of the first part, and how many parts are shown
}

// block is what stands together: a heading, a paragraph, fenced lines, a list of notes,
// or the line below which nothing loads.
type block struct {
	Kind  string // heading, prose, code, notes, limit
	Text  string
	Notes []note
	Out   int // of a limit: lines that do not load
}

// note is one entry, or one bullet that a person wrote.
type note struct {
	Line                        int
	Text                        string
	Day, Source                 string
	Noticed, Struck, Expired    bool
	Until, Superseded, Conflict string
	ConflictURL                 string // where both wordings stand side by side
	By                          string // who taught it
	Quote                       string // the words on which it rests
	Out                         bool   // it enters no prompt: it is disputed
	OutURL                      string // where that is told
	Picture, About              string // where the picture is that it keeps, and who is shown
}

// readingOf lays a text out from a line on. Who taught what is for credit to add.
func readingOf(v *visit, s *space, path, text string, from int, g policy.Gauge, today string) reading {
	r := reading{Space: s, Path: path, Alone: path != policy.MemoryFile}
	r.lay(v, text, from, unitsAPage, g, today)
	return r
}

// lay adds at most so many notes of a text.
func (r *reading) lay(v *visit, text string, from, most int, g policy.Gauge, today string) {
	limit := 0
	if g.Truncated && r.Path == policy.MemoryFile {
		limit = g.LoadedLines + 1
	}
	for _, u := range markdown.Parse(r.Path, []byte(text)).Units() {
		if limit > 0 && u.Line >= limit {
			if u.Line >= from && r.Next == 0 {
				r.Blocks = append(r.Blocks, block{Kind: "limit", Out: g.Lines - g.LoadedLines})
			}
			limit = 0
		}
		if u.Kind == markdown.KindBlank || u.Kind == markdown.KindHeader || u.Line < from {
			continue
		}
		if r.shown >= most {
			r.Next = cmp.Or(r.Next, u.Line)
			r.Left++
			continue
		}
		if r.shown == 0 {
			r.first = u.Line
		}
		r.shown++
		r.add(v, u, repo.Blamed{}, today)
	}
	r.Empty, r.Within = r.shown == 0, from > 1
}

// credit says who taught each note.
func (r *reading) credit(v *visit, blamed []repo.Blamed) {
	by := map[int]repo.Blamed{}
	for _, b := range blamed {
		by[b.Line] = b
	}
	for _, block := range r.Blocks {
		for i := range block.Notes {
			n := &block.Notes[i]
			n.By, n.Quote = v.byWhom(by[n.Line]), by[n.Line].Quote
		}
	}
}

func (r *reading) add(v *visit, u markdown.Unit, b repo.Blamed, today string) {
	raw := strings.TrimRight(string(u.Raw), "\r\n")
	switch {
	case u.Entry != nil:
		n := v.entryNote(u, b, today)
		n.picture(r.Space, u.Entry.Text)
		r.note(n)
	case u.Kind == markdown.KindFence:
		r.Blocks = append(r.Blocks, block{Kind: "code", Text: raw})
	case strings.HasPrefix(raw, "#"):
		r.Blocks = append(r.Blocks, block{Kind: "heading", Text: strings.TrimSpace(strings.TrimLeft(raw, "#"))})
	case bulleted(raw):
		text := strings.TrimSpace(raw)[2:]
		n := note{Line: u.Line, Text: text, By: v.byWhom(b), Quote: b.Quote}
		if inner, ok := strings.CutPrefix(text, "~~"); ok && strings.Contains(inner, "~~") {
			n.Struck, n.Text = true, strings.Replace(inner, "~~", "", 1)
		}
		r.note(n)
	default:
		r.Blocks = append(r.Blocks, block{Kind: "prose", Text: raw})
	}
}

func bulleted(raw string) bool {
	raw = strings.TrimSpace(raw)
	return len(raw) > 2 && strings.ContainsRune("-*+", rune(raw[0])) && raw[1] == ' '
}

func (r *reading) note(n note) {
	if n.Conflict != "" && r.Space != nil && !r.Plain {
		n.ConflictURL = r.Space.Base + "/conflicts"
	}
	if last := len(r.Blocks) - 1; last >= 0 && r.Blocks[last].Kind == "notes" {
		r.Blocks[last].Notes = append(r.Blocks[last].Notes, n)
		return
	}
	r.Blocks = append(r.Blocks, block{Kind: "notes", Notes: []note{n}})
}

func (v *visit) entryNote(u markdown.Unit, b repo.Blamed, today string) note {
	e := u.Entry
	n := note{
		Line: u.Line, Text: e.Text, Day: e.Date.String(), Source: e.Source, Noticed: e.Noticed, Struck: e.Struck,
		Until: e.Until.String(), Superseded: e.Superseded.String(), Conflict: e.Conflict.String(), By: v.byWhom(b), Quote: b.Quote,
	}
	n.Expired = n.Until != "" && n.Until < today
	return n
}

// byWhom names who taught a note.
func (v *visit) byWhom(b repo.Blamed) string {
	if b.Change == "" {
		return ""
	}
	return v.actor(b.Actor, b.Who)
}

// actor names who made a change as a person says it.
func (v *visit) actor(kind, who string) string {
	switch repo.AuthorKind(kind) {
	case repo.Upkeep:
		return v.say("Memory upkeep")
	case repo.Person:
		return cmp.Or(who, v.say("You"))
	case repo.Bot:
		return cmp.Or(who, v.say("The bot"))
	case repo.Import:
		return v.say("Import")
	case repo.Sync:
		return v.say("Sync")
	}
	return cmp.Or(who, kind)
}

// gaugeView is the picture of how full MEMORY.md is.
type gaugeView struct {
	policy.Gauge
	Sentence string
	Fill     int // percent of the bar
}

func (v *visit) gauge(g policy.Gauge) gaugeView {
	view := gaugeView{Gauge: g, Fill: min(g.Percent, 100)}
	switch out := g.Lines - g.LoadedLines; {
	case !g.Truncated:
		view.Sentence = v.several(g.MaxLines, "Only the first line loads each turn.", "Only the first %d lines load each turn.")
	case out > 0:
		view.Sentence = v.several(out, "Only the first %[2]d lines load each turn; 1 line does not.",
			"Only the first %[2]d lines load each turn; %[1]d lines do not.", g.MaxLines)
	default:
		view.Sentence = v.say("Only the first %d lines load each turn, and at most %d bytes.", g.MaxLines, g.MaxBytes)
	}
	return view
}

// mark names a note's very bytes, so that a form acts on that note or on none.
func mark(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// located finds the note that a form means: on its line, or alone elsewhere.
func located(text repo.Text, line int, want string) (markdown.Unit, int, error) {
	var found []int
	units := markdown.Parse(text.Path, []byte(text.Text)).Units()
	for i, u := range units {
		if u.Kind != markdown.KindEntry && u.Kind != markdown.KindLine || want != "" && mark(u.Raw) != want {
			continue
		}
		if u.Line == line {
			return u, i, nil
		}
		found = append(found, i)
	}
	if want == "" || len(found) != 1 {
		return markdown.Unit{}, 0, errNoEntry
	}
	return units[found[0]], found[0], nil
}

func selector(path string, line int) string { return fmt.Sprintf("%s:%d", path, line) }
