package policy

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

func phrases(t testing.TB, args ...string) []Phrase {
	t.Helper()
	list, err := ParsePhrases(args)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestPhraseIn(t *testing.T) {
	tests := []struct {
		phrase, text string
		want         bool
	}{
		{"IST", "Meets at 5 IST daily", true},
		{"IST", "Goes to the dentist", false},
		{"ist", "(IST)", true},
		{"IST", "IST-based times", true},
		{"C++", "Uses C++ and Go", true},
		{"C++", "Uses c++.", true},
		{"C++", "Uses C", false},
		{"C", "Uses C++", false},
		{"C", "Uses C#", false},
		{"C", "Uses C, mostly", true},
		{"C#", "Uses C# daily", true},
		{"F#", "F#", true},
		{"-10", "Balance is -10", true},
		{"10", "Balance is -10", false},
		{"-10", "Balance is 10", false},
		{"−10", "Balance is -10", true},
		{"10", "Meets on 2026-10-05 at 10:30, 10.5 km", false},
		{"10", "Owes $10", true},
		{"$10", "Owes 10", false},
		{"1.5", "Rate is 15", false},
		{"1.5", "Rate is 1.5.", true},
		{".NET", "Writes .NET code", true},
		{"net", "Writes .NET code", false},
		{"API_KEY", "The API key", false},
		{"caf\u00e9", "The cafe\u0301 on the corner", true},
		{"caf\u00e9", "The cafe", false},
		{"Zoë", "Zoe", false},
		{"Straße", "STRASSE 5", true},
		{"Luna", "Luna’s collar", true},
		{"Luna's collar", "luna's collar is red", true},
		{"luna", "**Luna**, _Luna_, ~~Luna~~", true},
		{"office in Pune", "The office, in Pune", true},
		{"office in Pune", "The office was in Pune", false},
		{"東京", "来月は東京へ行く", true},
		{"東京", "京東", false},
		{"서울", "서울에 산다", true},
		{"กรุงเทพ", "อยู่กรุงเทพ", true},
		{"Ｌｕｎａ", "luna", true},
		{"lu\u200bna", "Luna", true},
		{"🍕", "Likes 🍕 a lot", true},
		{"100%", "is 100 sure", false},
		{"Иван", "Друг — иван!", true},
		{"R&D", "Works in R&D", true},
		{"no\u00ebl", "NOËL", true},
	}
	for _, tc := range tests {
		list, _ := ParsePhrases([]string{tc.phrase})
		if len(list) != 1 || list[0].In(tc.text) != tc.want {
			t.Errorf("%q in %q: want %v (%q, %q)", tc.phrase, tc.text, tc.want, tokens(tc.phrase), tokens(tc.text))
		}
	}
}

func TestParsePhrases(t *testing.T) {
	for _, args := range [][]string{nil, {""}, {" ", "..."}, {"the"}, {"what is", "I"}, {"的"}, {"der", "la"}} {
		_, err := ParsePhrases(args)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Code != Refused {
			t.Errorf("%q: %v", args, err)
		}
	}
	if got := phrases(t, "the dog", "", "is"); len(got) != 2 {
		t.Errorf("got %d phrases, want 2", len(got))
	}
}

func TestForget(t *testing.T) {
	files := map[string][]byte{
		MemoryFile: []byte("# Luna\n- 2026-09-10 · from chat \"Luna\" · Likes tea\n- 2026-09-10 · Dog is Luna\n  ```\n  chip 5\n  ```\n- ~~by hand, luna~~\n- by hand\n" +
			"- pets\n  - Luna the dog\n    brown\n  - Rex\n\nA paragraph of\ntwo lines about Luna.\nThird line.\n\nAnother one.\n"),
		"memory/pets.md": []byte("---\ntitle: Pets\naliases: [Luna, dogs]\n---\r\n\r\n- 2026-09-10 · Luna is brown\r\n"),
		ArchiveFile:      []byte("- 2026-01-01 · LUNA slept · moved 2026-02-01"),
		AboutFile:        []byte("I have a dog, Luna.\n\n| who | what |\n|---|---|\n| Luna | dog |\n| Rex | cat |\n"),
		"memory/t.md":    []byte("- 2026-09-10 · lunar base\n"),
	}
	want := map[string]string{
		MemoryFile:       "# Luna\n- 2026-09-10 · from chat \"Luna\" · Likes tea\n- by hand\n- pets\n  - Rex\n\n\nAnother one.\n",
		"memory/pets.md": "---\ntitle: Pets\naliases: [dogs]\n---\r\n\r\n",
		ArchiveFile:      "",
		AboutFile:        "\n| who | what |\n|---|---|\n| Rex | cat |\n",
	}
	plan := Forget(files, phrases(t, "Luna"), today(t))
	got := map[string]string{}
	for _, e := range plan.Edits {
		got[e.Path] = string(e.Text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if plan.Edits[0].Path != ArchiveFile || plan.Edits[1].Path != MemoryFile || plan.Edits[3].Path != AboutFile {
		t.Errorf("order of edits")
	}
	removed := []Removal{
		{ArchiveFile, 1, "- 2026-01-01 · LUNA slept · moved 2026-02-01"},
		{MemoryFile, 3, "- 2026-09-10 · Dog is Luna\n  ```\n  chip 5\n  ```"},
		{MemoryFile, 7, "- ~~by hand, luna~~"},
		{MemoryFile, 10, "  - Luna the dog\n    brown"},
		{MemoryFile, 14, "A paragraph of\ntwo lines about Luna.\nThird line."},
		{"memory/pets.md", 6, "- 2026-09-10 · Luna is brown"},
		{AboutFile, 1, "I have a dog, Luna."},
		{AboutFile, 5, "| Luna | dog |"},
	}
	if diff := cmp.Diff(removed, plan.Removed); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"MEMORY.md:1"}, plan.Left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if plan.Live != 13 {
		t.Errorf("%d live", plan.Live)
	}
}

func TestForgetAllPhrases(t *testing.T) {
	files := map[string][]byte{MemoryFile: []byte("- 2026-09-10 · Office in Pune\n- 2026-09-10 · Pune is warm\n- parent Pune\n  - child office\n")}
	plan := Forget(files, phrases(t, "pune", "office"), today(t))
	if len(plan.Removed) != 1 || plan.Removed[0].Line != 1 {
		t.Errorf("%+v", plan.Removed)
	}
	plan = Forget(files, phrases(t, "parent"), today(t))
	if diff := cmp.Diff("- 2026-09-10 · Office in Pune\n- 2026-09-10 · Pune is warm\n", string(plan.Edits[0].Text)); diff != "" {
		t.Error(diff)
	}
	if plan := Forget(files, phrases(t, "2026"), today(t)); len(plan.Edits)+len(plan.Removed) > 0 {
		t.Errorf("dates are no words: %+v", plan)
	}
}

func TestForgetGuard(t *testing.T) {
	tests := []struct {
		name         string
		hits, others int
		refused      bool
	}{{"five of five", 5, 0, false}, {"six of thirty", 6, 24, false}, {"six of twenty-nine", 6, 23, true}, {"twenty of many", 20, 500, false}, {"twenty-one of many", 21, 500, true}}
	for _, tc := range tests {
		text := numbered("- 2026-09-10 · Luna %d", tc.hits) + numbered("- 2026-09-10 · other %d", tc.others)
		err := Forget(map[string][]byte{MemoryFile: []byte(text)}, phrases(t, "luna"), today(t)).Guard()
		var refusal *Refusal
		if errors.As(err, &refusal) != tc.refused {
			t.Errorf("%s: %v", tc.name, err)
		}
		if tc.refused && (refusal.Code != Refused || !strings.Contains(refusal.Reason, "confirm")) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestForgetLaws: no note mentions the words afterwards, other notes and all
// headings are still there, and a second forget finds nothing.
func TestForgetLaws(t *testing.T) {
	when, want := today(t), phrases(t, "fact")
	rapid.Check(t, func(t *rapid.T) {
		text := generated(t)
		plan := Forget(map[string][]byte{MemoryFile: text}, want, when)
		after := text
		if len(plan.Edits) > 0 {
			after = plan.Edits[0].Text
		}
		if left := Forget(map[string][]byte{MemoryFile: after}, want, when); len(left.Removed) > 0 {
			t.Fatalf("%q -> %q: %+v", text, after, left.Removed)
		}
		rest := string(after)
		for _, u := range markdown.Parse("", text).Units() {
			if u.Entry == nil || want[0].In(u.Entry.Text) {
				continue
			}
			_, behind, ok := strings.Cut(rest, string(u.Raw))
			if !ok {
				t.Fatalf("%q is gone: %q -> %q", u.Raw, text, after)
			}
			rest = behind
		}
	})
}

func FuzzTokens(f *testing.F) {
	f.Add("C++ is -10, don't \u0e01\u0e33 日本 e\u0301 ½ \xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range tokens(text) {
			if word == "" || strings.ContainsAny(word, " \n\t") {
				t.Fatalf("%q gives %q", text, word)
			}
		}
		if list, _ := ParsePhrases([]string{text}); len(list) == 1 && !list[0].In(text) {
			t.Fatalf("%q is not in itself", text)
		}
	})
}
