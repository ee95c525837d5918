package policy

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxAbstractRunes is how long an abstract may be, in characters.
	MaxAbstractRunes = 160
	// MaxIndexRunes is how long the index of a prompt may be, in characters.
	MaxIndexRunes = 6000
)

// AreaIndex is what a prompt holds of a memory: one JSON object of abstracts by address,
// confirmed entries first, then the newest.
type AreaIndex struct {
	JSON  string
	Shown []string // addresses, in the order in which they stand there
	Left  int      // entries that did not fit
}

// Index makes the index of a prompt in at most so many characters; MaxIndexRunes when zero.
// Tentative entries are not in it. One that does not fit is left out whole, and counted; a
// shorter one after it may still fit.
func (t Tree) Index(budget int) AreaIndex {
	budget = cmp.Or(budget, MaxIndexRunes)
	var out AreaIndex
	var b strings.Builder
	b.WriteByte('{')
	size := len("{}")
	for _, e := range t.byStanding() {
		if !e.Status.InIndex() {
			continue
		}
		line := jsonText(e.Address()) + ":" + jsonText(e.Abstracted())
		n := utf8.RuneCountInString(line)
		if len(out.Shown) > 0 {
			n++
			line = "," + line
		}
		if size+n > budget {
			out.Left++
			continue
		}
		b.WriteString(line)
		size += n
		out.Shown = append(out.Shown, e.Address())
	}
	b.WriteByte('}')
	out.JSON = b.String()
	return out
}

// byStanding are the entries in the order of the index: confirmed ones first, then those
// that were said last, then by address.
func (t Tree) byStanding() []AreaEntry {
	list := slices.Clone(t.Entries)
	slices.SortStableFunc(list, func(a, b AreaEntry) int {
		stated := func(e AreaEntry) int {
			if e.Status == StatusStated {
				return 0
			}
			return 1
		}
		return cmp.Or(stated(a)-stated(b), b.Said.Compare(a.Said), strings.Compare(a.Address(), b.Address()))
	})
	return list
}

// jsonText is a string as JSON writes it, with < and > so that it closes no frame.
func jsonText(text string) string {
	raw, _ := json.Marshal(text) // a string always has a JSON
	return string(raw)
}

// cutAtWord returns a text of at most so many characters, cut behind a word and with … at
// its end when it is longer. One without blanks is cut at a character.
func cutAtWord(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	cut := string([]rune(text)[:runes-1])
	next, _ := utf8.DecodeRuneInString(text[len(cut):])
	if i := strings.LastIndexFunc(cut, unicode.IsSpace); i > 0 && !unicode.IsSpace(next) {
		cut = cut[:i]
	}
	return strings.TrimRightFunc(cut, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }) + "…"
}

// AreaLine is one entry in the list of an area.
type AreaLine struct {
	Path     string `json:"path"`
	Abstract string `json:"abstract"`
	Status   Status `json:"status"`
	Label    string `json:"label"`
}

// AreaView is an area as the bot reads it: the overview while it is current, and every entry.
type AreaView struct {
	Area     Area       `json:"area"`
	Overview string     `json:"overview,omitempty"`
	Entries  []AreaLine `json:"entries"`
}

// View is an area as the bot reads it.
func (t Tree) View(a Area) AreaView {
	v := AreaView{Area: a, Overview: t.Overviews[a], Entries: []AreaLine{}}
	for _, e := range t.byStanding() {
		if e.Area == a {
			v.Entries = append(v.Entries, e.line())
		}
	}
	return v
}

func (e AreaEntry) line() AreaLine {
	return AreaLine{Path: e.Address(), Abstract: e.Abstracted(), Status: e.Status, Label: e.Label()}
}

// EntryView is one entry as the bot reads it.
type EntryView struct {
	Path     string `json:"path"`
	Text     string `json:"text"`
	Status   Status `json:"status"`
	Label    string `json:"label"`
	Evidence int    `json:"evidence"` // messages that it rests on
	Until    string `json:"until,omitempty"`
}

// View is one entry as the bot reads it.
func (e AreaEntry) View() EntryView {
	return EntryView{Path: e.Address(), Text: e.Text, Status: e.Status, Label: e.Label(), Evidence: e.Evidence(), Until: e.Until.String()}
}
