package exchange

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
	"quipu/policy"
)

const maxOtto = 600 // characters of one entry there

// ottoAreas are the areas, with the words in a topic's name that put it there.
var ottoAreas = []struct {
	name  string
	words []string
}{
	{"about", nil},
	{"preferences", []string{"preference", "preferences", "style", "taste", "tastes", "likes", "dislikes", "favourites", "favorites"}},
	{"people", []string{"people", "person", "persons", "family", "friends", "contacts", "colleagues", "team", "relatives"}},
	{"routines", []string{"routine", "routines", "habit", "habits", "schedule", "procedure", "procedures", "workflow", "workflows", "chores"}},
	{"lessons", []string{"lesson", "lessons", "mistake", "mistakes", "correction", "corrections", "avoid", "pitfalls"}},
}

// WriteOtto gives one Markdown file with a section for each area and a line for each
// note: its address, its status, its text and its day.
func WriteOtto(sp OutSpace, o OutOptions) (Out, error) {
	var left shorn
	lines := map[string][]string{}
	slugs := map[string]map[string]bool{}
	for _, n := range sp.chosen(o, &left) {
		left.head(n, false)
		area := ottoArea(n)
		for _, f := range sp.facts(n, &left) {
			left.count(f, false, true, true)
			text := plain(f.text)
			if utf8.RuneCountInString(text) > maxOtto {
				left.cut++
				text = cutAt(text, maxOtto)
			}
			at := area
			if n.isMain() && (policy.IsRule(text) || strings.Contains(strings.ToLower(text), "prefer")) {
				at = "preferences"
			}
			if slugs[at] == nil {
				slugs[at] = map[string]bool{}
			}
			status := "stated"
			if f.noticed {
				status = "observed"
			}
			if !f.date.IsZero() {
				text += " [" + f.date.String() + "]"
			}
			line := fmt.Sprintf("- **%s/%s** (%s): %s\n", at, only(slugs[at], ottoSlug(f.text)), status, strings.ReplaceAll(text, "\n", "\n  "))
			lines[at] = append(lines[at], line)
		}
	}
	var b strings.Builder
	b.WriteString("# Memory\n")
	for _, a := range ottoAreas {
		if len(lines[a.name]) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s", strings.ToUpper(a.name[:1])+a.name[1:], strings.Join(lines[a.name], ""))
		}
	}
	return Out{Files: []OutFile{{Path: "memory.md", Text: []byte(b.String())}}, Left: left.sentences()}, nil
}

// ottoArea is where a file's notes belong, by its name, title and other names.
func ottoArea(n OutNote) string {
	if n.isMain() {
		return ottoAreas[0].name
	}
	h := markdown.Parse(n.Path, n.Text).Header()
	called := slug(strings.Join(append([]string{n.stem(), h.Title}, h.Aliases...), " "))
	for word := range strings.SplitSeq(called, "-") {
		for _, a := range ottoAreas {
			if slices.Contains(a.words, word) {
				return a.name
			}
		}
	}
	return ottoAreas[0].name
}

// ottoSlug names a note by its first words.
func ottoSlug(text string) string {
	const most = 6
	words := strings.Split(slug(text), "-")
	if s := strings.Join(words[:min(len(words), most)], "-"); s != "" {
		return s
	}
	return "note"
}
