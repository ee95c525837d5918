package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quipu/markdown"
)

// pieces of text in which words hide: folds, marks, joiners, scripts without blanks.
var gatePieces = []string{
	"Luna", "luna", "ＬＵＮＡ", "Lu\u00adna", "Lu\u200dna", "cafe\u0301", "caf\u00e9", "\u0301", "C++", "C", "-10", "10", "~~", "**", "· ", "- ",
	"\n", "\r\n", "\n\n", " ", "  ", "東京", "東", "K\u212a", "ﬁsh", "fish", "İ", "\u2028", "\u0085", "\ufe0f", "👍", "<b>", "&amp;", ".", "۱۲",
}

// The gate never says no to a text that says what is erased.
func TestEraseGateLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, least, most int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(gatePieces), least, most).Draw(t, label), "")
		}
		phrases, _ := ParsePhrases([]string{draw("phrase", 1, 3), draw("second", 0, 2)})
		gate := gateOfPhrases(phrases)
		for range 3 {
			text := draw("text", 0, 12)
			if allIn(phrases, tokens(text)) && !gate.may(text) {
				t.Fatalf("phrases %q stand in %q, and the gate is shut", phrases, text)
			}
		}
		text := []byte("- 2026-09-01 · " + draw("entry", 1, 4) + "\n" + draw("more", 0, 6))
		for _, u := range markdown.Parse("", text).Units() {
			if u.Entry != nil && markdown.Identity(u.Entry.Text) != "" {
				facts := map[string]bool{markdown.Identity(u.Entry.Text): true}
				if !gateOfFacts(facts).may(string(text)) {
					t.Fatalf("the fact %q stands in %q, and the gate is shut", u.Entry.Text, text)
				}
			}
		}
	})
}
