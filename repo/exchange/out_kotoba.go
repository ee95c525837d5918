package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quipu/policy"
)

const (
	maxKotoba    = 400 // characters of one fact there, on one line
	recentKotoba = 25  // facts in USER.md
)

// kotobaFact is a fact with the topic that it lies in.
type kotobaFact struct {
	fact
	topic string
}

// WriteKotoba gives USER.md and a file for each topic, with one line a fact.
func WriteKotoba(sp OutSpace, o OutOptions) (Out, error) {
	var left shorn
	var all []kotobaFact
	var out Out
	var topics strings.Builder
	slugs := map[string]bool{}
	for _, n := range sp.chosen(o, &left) {
		left.head(n, false)
		facts := sp.facts(n, &left)
		if len(facts) == 0 {
			continue
		}
		name := cmp.Or(slug(n.stem()), "topic")
		switch n.Kind {
		case policy.Memory:
			name = "general"
		case policy.About:
			name = "about"
		}
		name = only(slugs, name)
		var text strings.Builder
		for _, f := range facts {
			left.count(f, true, true, true)
			f.text = oneLine(plain(f.text))
			if utf8.RuneCountInString(f.text) > maxKotoba {
				left.cut++
				f.text = cutAt(f.text, maxKotoba)
			}
			text.WriteString("- " + f.text + "\n")
			all = append(all, kotobaFact{f, name})
		}
		out.Files = append(out.Files, OutFile{Path: "topics/" + name + ".md", Text: []byte(text.String())})
		fmt.Fprintf(&topics, "- topics/%s.md (%d)\n", name, len(facts))
	}
	slices.SortStableFunc(all, func(a, b kotobaFact) int { return b.date.Compare(a.date) })
	var user strings.Builder
	user.WriteString("# USER\n\nYou can edit any of these.\n\n## Recent\n\n")
	for _, f := range all[:min(len(all), recentKotoba)] {
		fmt.Fprintf(&user, "- %s [%s]\n", f.text, f.topic)
	}
	user.WriteString("\n## Topics\n\n" + topics.String())
	out.Files = sorted(append(out.Files, OutFile{Path: "USER.md", Text: []byte(user.String())}))
	out.Left = left.sentences()
	return out, nil
}

// slug spells a name with a-z, 0-9 and dashes, accents dropped; "" when nothing is left.
func slug(name string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		default:
			dash = true
		}
	}
	return b.String()
}
