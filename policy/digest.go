package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

const (
	digestRunes = 1500 // characters of a digest
	digestLines = 5    // entries of one area that it names
)

var areaTitles = map[Area]string{
	AreaAbout: "About", AreaPreferences: "Preferences", AreaPeople: "People", AreaRoutines: "Routines", AreaLessons: "Lessons",
}

// Title is what a person reads for an area.
func (a Area) Title() string { return cmp.Or(areaTitles[a], string(a)) }

// Digest is what the memory holds in a few lines of plain text, for a chat: how many entries of
// each status, and of each area the first in the order of the index. It has at most 1,500
// characters and needs no model.
func (t Tree) Digest() string {
	if len(t.Entries) == 0 {
		return "Memory is empty."
	}
	n := map[Status]int{}
	for _, e := range t.Entries {
		n[e.Status]++
	}
	heads := []string{"Memory: " + counted(len(t.Entries), "entry", "entries")}
	for _, s := range []Status{StatusStated, StatusObserved, StatusTentative} {
		if n[s] > 0 {
			heads = append(heads, fmt.Sprintf("%d %s", n[s], strings.ToLower(s.Label())))
		}
	}
	head := strings.Join(heads, dot)
	shown := 0
	lines := []string{head}
	size := utf8.RuneCountInString(head)
	const rest = len("… and 300 more")
	for _, a := range Areas() {
		named := 0
		for _, e := range t.byStanding() {
			if e.Area != a || named == digestLines {
				continue
			}
			var add []string
			if named == 0 {
				add = append(add, "", a.Title())
			}
			add = append(add, "- "+e.Abstracted())
			text := strings.Join(add, "\n")
			if size+1+utf8.RuneCountInString(text)+1+rest > digestRunes {
				break
			}
			lines, size = append(lines, text), size+1+utf8.RuneCountInString(text)
			named++
			shown++
		}
	}
	if more := len(t.Entries) - shown; more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// Export is everything that the memory holds as one Markdown text: each area with its overview
// and its entries, how sure each is and on how many messages it rests, and what was let go.
func (t Tree) Export() []byte {
	var b strings.Builder
	b.WriteString("# Memory\n")
	for _, a := range Areas() {
		list := t.In(a)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", a.Title())
		if over := t.Overviews[a]; over != "" {
			b.WriteString(over + "\n\n")
		}
		for _, e := range list {
			exportLine(&b, e.Text, e.Label(), e.Address(), counted(e.Evidence(), "message", "messages"), untilText(e.Until))
		}
	}
	if len(t.LetGo) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", StatusArchived.Label())
	}
	for _, e := range t.LetGo {
		exportLine(&b, e.Text, string(e.Why), string(e.Area)+"/"+e.Slug, markdown.DateOf(e.At).String())
	}
	return []byte(b.String())
}

func untilText(d markdown.Date) string {
	if d.IsZero() {
		return ""
	}
	return "until " + d.String()
}

// exportLine writes one entry; what stands on further lines is indented under it.
func exportLine(b *strings.Builder, text string, marks ...string) {
	marks = slices.DeleteFunc(marks, func(m string) bool { return m == "" })
	first, more, _ := strings.Cut(text, "\n")
	fmt.Fprintf(b, "- %s (%s)\n", first, strings.Join(marks, " · "))
	if more != "" {
		for line := range strings.SplitSeq(more, "\n") {
			b.WriteString("  " + line + "\n")
		}
	}
}
