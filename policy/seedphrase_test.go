package policy

import (
	"fmt"
	"strings"
	"testing"
)

// Lists that use words of the list are notes; no line of them may be masked.
func TestListsAreNoSeedPhrases(t *testing.T) {
	var hand, shop strings.Builder
	for i := range 40 {
		fmt.Fprintf(&hand, "- hand %d\n", i)
	}
	for w := range strings.FieldsSeq("apple banana butter cheese coffee fish honey lemon olive onion orange rice") {
		fmt.Fprintf(&shop, "- %s\n", w)
	}
	notes := map[string]string{
		"numbered lines":  hand.String(),
		"a shopping list": shop.String(),
		"one word":        strings.Repeat("very ", 12),
		"thirteen words":  "apple banana butter cheese coffee fish honey lemon olive onion orange rice salad",
	}
	red := NewRedactor()
	for name, text := range notes {
		t.Run(name, func(t *testing.T) {
			if got, n := red.Redact(text); n != 0 {
				t.Errorf("masked %d places: %q", n, got)
			}
		})
	}
}

func TestSeedPhrasesAreMasked(t *testing.T) {
	words := strings.Fields("legal winner thank year wave sausage worth useful legal winner thank yellow")
	counted := ""
	for i, w := range strings.Fields("able baker cabin dance eager fabric gadget habit icon jacket kangaroo labor") {
		counted += fmt.Sprintf("%d. %s\n", i+1, w)
	}
	counted = strings.Replace(counted, "baker", "balance", 1)
	notes := map[string]string{
		"a line":     "able balance cabin dance eager fabric gadget habit icon jacket kangaroo labor",
		"counted":    counted,
		"with check": "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic",
		"by line":    strings.Join(strings.Fields("ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"), "\n"),
	}
	red := NewRedactor()
	for name, text := range notes {
		t.Run(name, func(t *testing.T) {
			if got, n := red.Redact(text); n == 0 {
				t.Errorf("not masked: %q", got)
			}
		})
	}
	if !seedCheck(numbersOf(words)) {
		t.Error("a phrase of the standard does not pass its check")
	}
}

func numbersOf(words []string) []int {
	var out []int
	for _, w := range words {
		out = append(out, seedNumbers()[w])
	}
	return out
}
