package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestPlainTopic(t *testing.T) {
	tests := map[string]string{
		"../../etc/evil": "etc-evil", "  ": "general", "Aurora Website!": "aurora-website", "Ünïcode": "n-code", "": "general", "work": "work", "a_b.md": "a-b-md", "東京": "general",
	}
	for name, want := range tests {
		if got := PlainTopic(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		slug := PlainTopic(rapid.String().Draw(t, "name"))
		if slug == "" || strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || PlainTopic(slug) != slug || strings.HasPrefix(slug, "-") {
			t.Fatalf("%q is no topic", slug)
		}
	})
}

func TestRecallStem(t *testing.T) {
	tests := map[string]string{
		"Wants": "want", "notes": "not", "moved": "mov", "vive": "viv", "is": "is", "living": "liv", "live": "liv", "lives": "liv", "ring": "ring", "does": "doe", "Jesús": "jesu", "casa": "cas", "": "", "sea": "sea",
	}
	for word, want := range tests {
		if got := RecallStem(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

var storedFacts = []TopicFact{
	{"work", "Wants the CLI to look like the demo"}, {"general", "Lives in Madrid"}, {"pref", "Su color favorito es el verde musgo"}, {"social", "User has a Facebook account"}, {"search", "Looking for Fulano Pérez on Facebook"},
}

func factsOf(list []TopicFact) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.Fact)
	}
	return out
}

func TestSearchFacts(t *testing.T) {
	tests := map[string][]string{
		"what do I want":        {"Wants the CLI to look like the demo"},
		"where do I live":       {"Lives in Madrid"},
		"facebook":              {"User has a Facebook account", "Looking for Fulano Pérez on Facebook"},
		"fulano perez facebook": {"Looking for Fulano Pérez on Facebook", "User has a Facebook account"},
		"vivo en madrid":        {"Lives in Madrid"},
		"the of and":            {},
		"zebra":                 {},
		"":                      {},
		"MUSGO":                 {"Su color favorito es el verde musgo"},
	}
	for query, want := range tests {
		if diff := cmp.Diff(want, factsOf(SearchFacts(query, storedFacts)), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
	var many []TopicFact
	for range 20 {
		many = append(many, TopicFact{"tea", "Likes tea"})
	}
	if got := SearchFacts("tea", many); len(got) != MaxFactHits {
		t.Errorf("%d hits", len(got))
	}
	if got := SearchFacts("東京のどこ", []TopicFact{{"home", "東京に住んでいる"}, {"home", "京都に住んでいる"}}); len(got) != 1 {
		t.Errorf("東京: %v", got)
	}
}

func TestReadTopic(t *testing.T) {
	list := append([]TopicFact{{"pets", "Has a dog named Luna"}, {"health", "Allergic to pets"}}, storedFacts...)
	for i := range 6 {
		list = append(list, TopicFact{"home", "Pet door " + strings.Repeat("I", i+1)})
	}
	tests := []struct {
		name         string
		own, related []string
	}{
		{"Pets", []string{"Has a dog named Luna"}, []string{"Allergic to pets", "Pet door I", "Pet door II", "Pet door III"}},
		{"facebook", nil, []string{"User has a Facebook account", "Looking for Fulano Pérez on Facebook"}},
		{"work", []string{"Wants the CLI to look like the demo"}, nil},
		{"../pets", []string{"Has a dog named Luna"}, []string{"Allergic to pets", "Pet door I", "Pet door II", "Pet door III"}},
		{"nothing at all", nil, nil},
	}
	for _, tc := range tests {
		own, related := ReadTopic(tc.name, list)
		if diff := cmp.Diff(tc.own, factsOf(own), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q, own (-want +got):\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.related, factsOf(related), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q, related (-want +got):\n%s", tc.name, diff)
		}
	}
}

// A hit shares a key with the query, and none that covers more stands behind one that
// covers less.
func TestSearchFactsLaws(t *testing.T) {
	word := rapid.SampledFrom([]string{"tea", "Madrid", "dogs", "living", "the", "vive", "東京", "Luna"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 5).Draw(t, "words"), " ") })
	rapid.Check(t, func(t *rapid.T) {
		var list []TopicFact
		for _, fact := range rapid.SliceOfN(text, 0, 30).Draw(t, "facts") {
			list = append(list, TopicFact{"t", fact})
		}
		query := text.Draw(t, "query")
		last := len(query)
		for _, hit := range SearchFacts(query, list) {
			n := sharedWords(RecallKeys(query), RecallKeys(hit.Fact))
			if n == 0 || n > last {
				t.Fatalf("%q finds %q with %d behind %d", query, hit.Fact, n, last)
			}
			last = n
		}
	})
}
