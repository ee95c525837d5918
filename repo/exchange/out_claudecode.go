package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"quipu/markdown"
	"quipu/policy"
)

// maxAbout is how much of a note stands for a topic that has no description.
const maxAbout = 160

// WriteClaudeCode gives a memory folder of Claude Code: MEMORY.md as an index of one line a
// memory, and a file for each topic with name, description and metadata.type.
func WriteClaudeCode(sp OutSpace, o OutOptions) (Out, error) {
	var left shorn
	var out Out
	var index strings.Builder
	stems := map[string]bool{"memory": true} // the index's own
	for _, n := range sp.chosen(o, &left) {
		left.head(n, true)
		count := shorn{}
		facts := sp.facts(n, &count)
		if len(facts) == 0 && n.isMain() {
			left.struck, left.expired = left.struck+count.struck, left.expired+count.expired
			continue
		}
		h := markdown.Parse(n.Path, n.Text).Header()
		name, stem := n.title(), n.stem()
		switch n.Kind {
		case policy.Memory:
			name, stem = "Notes of "+cmp.Or(sp.Name, sp.Bot), "notes"
		case policy.About:
			name, stem = "About me", "about"
		}
		stem = only(stems, stem)
		about := oneLine(plain(h.Description))
		if about == "" && len(facts) > 0 {
			about = cutAt(oneLine(plain(facts[0].text)), maxAbout)
		}
		text := fmt.Sprintf("---\nname: %s\ndescription: %s\nmetadata:\n  type: project\n---\n\n%s", scalar(name), scalar(about), sp.body(n, &left))
		out.Files = append(out.Files, OutFile{Path: stem + ".md", Text: []byte(text)})
		fmt.Fprintf(&index, "- [%s](%s.md)", inLink.Replace(name), inTarget.Replace(stem))
		if about != "" {
			index.WriteString(" — " + about)
		}
		index.WriteByte('\n')
	}
	out.Files = sorted(append(out.Files, OutFile{Path: "MEMORY.md", Text: []byte(index.String())}))
	out.Left = left.sentences()
	return out, nil
}

var (
	inLink   = strings.NewReplacer("[", "(", "]", ")")
	inTarget = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29")
)

// body is a file's text as it stands, without its header and what does not hold any more.
func (sp OutSpace) body(n OutNote, left *shorn) string {
	var b strings.Builder
	for _, u := range markdown.Parse(n.Path, n.Text).Units() {
		raw := plain(string(u.Raw))
		switch {
		case u.Kind == markdown.KindHeader:
			continue
		case u.Entry != nil && !sp.holds(*u.Entry, left):
			continue
		case u.Kind == markdown.KindLine && !strings.HasPrefix(strings.TrimSpace(raw), "#") && handText(raw, left) == "":
			continue
		case u.Kind == markdown.KindLine && n.seeded(raw):
			continue
		}
		b.WriteString(raw + "\n")
	}
	return strings.Trim(b.String(), "\n") + "\n"
}

// bare is what YAML takes for a text without quotes.
var bare = regexp.MustCompile(`^[\pL][\pL\pN ,.()'/_-]*$`)

// scalar writes a text as YAML does. A text in JSON's quotes is one in YAML's.
func scalar(s string) string {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf":
	default:
		if bare.MatchString(s) && !strings.HasSuffix(s, " ") {
			return s
		}
	}
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// cutAt cuts a text after so many characters, with an ellipsis.
func cutAt(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
