package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What an erasure takes is found again from its hashes in a text that holds it, and in
// none that does not; the hashes hold no word of it.
func TestKeyed(t *testing.T) {
	phrases := func(words ...string) *Erasure {
		list, _ := ParsePhrases(words) // stop words, too
		return EraseWords(list, nil)
	}
	tests := map[string]struct {
		made  *Erasure
		texts []string
		found bool
		takes string // a note that what is found takes out of a file
	}{
		"a word":                {phrases("Luna"), []string{"- 2026-09-01 · luna is a cat\n"}, true, "- LUNA\n"},
		"a phrase over lines":   {phrases("likes green tea"), []string{"no", "he likes\ngreen tea"}, true, "- likes green tea\n"},
		"two, in other texts":   {phrases("Luna", "vet"), []string{"Luna", "vet"}, true, "- the vet saw Luna\n"},
		"one of two":            {phrases("Luna", "vet"), []string{"Luna", "a cat"}, false, ""},
		"a part of a word":      {phrases("ist"), []string{"dentist"}, false, ""},
		"without blanks":        {phrases("猫が好き"), []string{"私は猫が好きです"}, true, "- 猫が好き\n"},
		"nothing":               {phrases("Luna"), nil, false, ""},
		"a fact":                {EraseFacts([]string{"Likes tea."}), []string{"x\n- 2026-09-01 · Likes tea\n"}, true, "- Likes tea\n"},
		"a fact in another one": {EraseFacts([]string{"Likes tea"}), []string{"- Likes tea a lot\n"}, false, ""},
		"one of the facts":      {EraseFacts([]string{"Likes tea", "Sings"}), []string{"- Sings\n"}, true, "- Sings\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			k := tt.made.Keyed(Salt{1, 2, 3})
			s, ok := k.Seek()
			if !ok {
				t.Fatal("its own hashes are not whole")
			}
			for _, text := range tt.texts {
				s.Look(text)
			}
			got := s.Found(nil)
			if (got != nil) != tt.found {
				t.Fatalf("found %v, want %v", got != nil, tt.found)
			}
			if got == nil {
				return
			}
			after, copies := got.File("MEMORY.md", []byte(tt.takes))
			if copies != 1 || len(after) > 0 {
				t.Errorf("it takes %d copies and leaves %q", copies, after)
			}
		})
	}
	for name, k := range map[string]Keyed{"no salt": {H: []string{"00"}, N: []int{1}, First: []string{"00"}}, "no numbers": {Salt: Salt{}.hex(), H: []string{"00"}}} {
		if _, ok := k.Seek(); ok {
			t.Errorf("%s: it passes for whole", name)
		}
	}
}

func TestKeyedLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-zA-Zäöü猫犬0-9+#'-]{1,8}`)
		words := rapid.SliceOfN(word, 1, 4).Draw(t, "words")
		list, _ := ParsePhrases([]string{strings.Join(words, " ")})
		if len(list) == 0 {
			t.Skip("signs alone")
		}
		text := strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "before"), " ") + " " + strings.Join(words, " ") + " " + strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "after"), " ")
		s, ok := EraseWords(list, nil).Keyed(Salt{7}).Seek()
		if !ok {
			t.Fatal("its own hashes are not whole")
		}
		s.Look(text)
		if held, found := list[0].In(text), s.Found(nil) != nil; held != found {
			t.Fatalf("%q in %q: %v, found %v", words, text, held, found)
		}
	})
}
