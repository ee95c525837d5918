package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func erasing(t testing.TB, words ...string) *Erasure {
	t.Helper()
	phrases, err := ParsePhrases(words)
	if err != nil {
		t.Fatal(err)
	}
	return EraseWords(phrases, nil)
}

func TestEraseFile(t *testing.T) {
	tests := []struct {
		name       string
		words      []string
		text, want string
		copies     int
	}{
		{
			name: "live, struck, archived and owned: whole entries", words: []string{"Luna"}, copies: 3,
			text: "# Memory\n- 2026-09-01 · Dog is Luna\n  the black one\n- 2026-09-02 · ~~Luna likes fish~~ · superseded 2026-09-03\n- 2026-09-04 · Lunar calendar\n- 14:03 · from chat \"x\" · fed luna\n",
			want: "# Memory\n- 2026-09-04 · Lunar calendar\n",
		},
		{
			name: "what stays has its words masked", words: []string{"Luna"}, copies: 4,
			text: "---\ntitle: Luna the dog\naliases: [luna, dog]\n---\n\n# About LUNA, and lunar things\n- 2026-09-01 · from chat \"Luna's vet\" · Opens at nine\n",
			want: "---\ntitle: «erased» the dog\naliases: [«erased», dog]\n---\n\n# About «erased», and lunar things\n- 2026-09-01 · from chat \"«erased»'s vet\" · Opens at nine\n",
		},
		{
			name: "several phrases: only notes that mention all", words: []string{"Luna", "vet"}, copies: 1,
			text: "- 2026-09-01 · Luna is a dog\n- 2026-09-02 · The vet of Luna\n- 2026-09-03 · The vet opens at nine\n",
			want: "- 2026-09-01 · Luna is a dog\n- 2026-09-03 · The vet opens at nine\n",
		},
		{name: "C is none of C++", words: []string{"C"}, copies: 1, text: "- 2026-09-01 · Uses C++\n- 2026-09-01 · Uses C\n# C and C++\n", want: "- 2026-09-01 · Uses C++\n# «erased» and C++\n"},
		{name: "numbers with their sign", words: []string{"10"}, copies: 1, text: "- 2026-09-01 · -10\n- 2026-09-01 · 10\n", want: "- 2026-09-01 · -10\n"},
		{name: "another script", words: []string{"露娜"}, copies: 2, text: "- 2026-09-01 · 狗叫露娜\n# 露娜的事\n- 2026-09-01 · 狗\n", want: "# «erased»的事\n- 2026-09-01 · 狗\n"},
		{name: "a paragraph goes whole", words: []string{"secret lover"}, copies: 1, text: "It was the secret\nlover of Kim.\n\nStays.\n", want: "\nStays.\n"},
		{name: "nothing to do", words: []string{"Luna"}, text: "- 2026-09-01 · Tea\n", want: "- 2026-09-01 · Tea\n"},
		{name: "a byte of another encoding hides no words", words: []string{"Luna"}, copies: 1, text: "# L\n- Luna eats\n- caf\xe9 \xff\U0010ff00 stays\n", want: "# L\n- caf\xe9 \xff\U0010ff00 stays\n"},
		{name: "and stays what it was", words: []string{"Luna"}, text: "- caf\xe9\n", want: "- caf\xe9\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := erasing(t, tt.words...)
			got, copies := e.File("memory/x.md", []byte(tt.text))
			if diff := cmp.Diff(tt.want, string(got)); diff != "" || copies < min(tt.copies, 1) || tt.copies == 0 && copies != 0 {
				t.Errorf("%d copies, want %d\n%s", copies, tt.copies, diff)
			}
			if e.Found(got) {
				t.Errorf("still found in %q", got)
			}
		})
	}
}

func TestEraseFacts(t *testing.T) {
	e := EraseFacts([]string{"Dog is Luna"})
	text := "- 2026-09-01 · Dog is Luna\n- 2026-09-02 · ~~Dog is Luna.~~ · superseded 2026-09-03\n- 2026-09-04 · The dog is Luna\n- Dog is Luna\n"
	got, copies := e.File("MEMORY.md", []byte(text))
	if want := "- 2026-09-04 · The dog is Luna\n"; string(got) != want || copies != 3 || !e.Found([]byte(text)) || e.Found(got) {
		t.Errorf("%d copies, %q", copies, got)
	}
	message := "update: Dog is Luna\n\nMemory-Author: bot scout\nMemory-Change: 01JDXK3T9M2Q4R6S8V0W1X2Y3Z\n"
	if got := e.Message(CommitText{Text: message}); got != strings.Replace(message, "Dog is Luna", "(erased)", 1) {
		t.Errorf("message %q", got)
	}
}

func TestErasePath(t *testing.T) {
	taken := map[string]bool{"memory/erased.md": true}
	phrases, err := ParsePhrases([]string{"Luna vet"})
	if err != nil {
		t.Fatal(err)
	}
	e := EraseWords(phrases, func(p string) bool { return taken[p] })
	for path, want := range map[string]string{"memory/luna.md": "memory/luna.md", "memory/lunar-vet.md": "memory/lunar-vet.md", "MEMORY.md": "MEMORY.md"} {
		if got := e.Path(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	first, second := e.Path("memory/luna-vet.md"), e.Path("memory/Luna_Vet 2.md")
	if first != "memory/erased-2.md" || second != "memory/erased-3.md" || e.Path("memory/luna-vet.md") != first {
		t.Errorf("%s, %s", first, second)
	}
}

// The neutral names are none of the words that are erased, and what quipu calls its files
// stays.
func TestErasePathOwn(t *testing.T) {
	for _, tt := range []struct{ word, path, want string }{
		{"erased", "memory/erased.md", "memory/removed.md"},
		{"erased", "memory/tea.md", "memory/tea.md"},
		{"memory", "memory/log/2026-09-11.md", "memory/log/2026-09-11.md"},
		{"memory", "MEMORY.md", "MEMORY.md"},
		{"memory", "memory/of-memory.md", "memory/erased.md"},
		{"log", "memory/log/2026-09-11.md", "memory/log/2026-09-11.md"},
		{"md", "memory/tea.md", "memory/tea.md"},
		{"archive", "memory/archive.md", "memory/archive.md"},
		{"2026-09-11", "memory/log/2026-09-11.md", "memory/log/2026-09-11.md"},
		{"Luna", "luna/tea.md", "erased/tea.md"},
		{"Luna", "a/luna/b/luna.txt", "a/erased/b/erased"},
		{"Luna vet", "luna/vet.md", "luna/erased.md"},
	} {
		e := erasing(t, tt.word)
		if got := e.Path(tt.path); got != tt.want || e.Path(tt.path) != got || e.TellsPath(got) {
			t.Errorf("%s: %s is called %s, want %s", tt.word, tt.path, got, tt.want)
		}
	}
	phrases, _ := ParsePhrases([]string{"erased", "removed", "gone", "x"})
	if got := wordBeside(phrases); got != "xx" {
		t.Errorf("beside them all: %q", got)
	}
	for ref, want := range map[string]bool{"refs/heads/luna": true, "refs/tags/of-luna": true, "refs/heads/main": false, "refs/heads/lunar": false, "HEAD": false} {
		if got := erasing(t, "Luna").TellsRef(ref); got != want {
			t.Errorf("%s: %v", ref, got)
		}
	}
	for _, word := range []string{"refs", "heads", "main", "HEAD", "origin"} {
		for _, ref := range []string{"HEAD", "refs/heads/main", "refs/remotes/origin/main", "refs/remotes/origin/HEAD", "refs/heads/tea"} {
			if erasing(t, word).TellsRef(ref) {
				t.Errorf("%s tells %s", ref, word)
			}
		}
	}
}

func TestEraseMessage(t *testing.T) {
	const id = "Memory-Change: 01JDXK3T9M2Q4R6S8V0W1X2Y3Z"
	const old = "0123456789012345678901234567890123456789"
	tests := []struct {
		name       string
		in         CommitText
		words      []string
		text, want string
	}{
		{
			name: "subject, quote and source go; who and which change stay", words: []string{"Luna"},
			text: "capture: Dog is Luna\n\nMemory-Author: person Luna Lovegood\nMemory-Source: chat \"Luna\"\nMemory-Action: capture\nMemory-Quote: my dog Luna\n" + id + "\n",
			want: "capture: (erased)\n\nMemory-Author: person Luna Lovegood\nMemory-Action: capture\n" + id + "\n",
		},
		{
			name: "another fact of the same change keeps its quote", words: []string{"Luna"},
			text: "capture: 2 facts noticed\n\nMemory-Quote: my dog Luna\nMemory-Quote: I like tea\n" + id + "\n",
			want: "capture: 2 facts noticed\n\nMemory-Quote: I like tea\n" + id + "\n",
		},
		{
			name: "nothing is left of the change", words: []string{"Luna"}, in: CommitText{Emptied: true},
			text: "update: la chienne s'appelle ainsi\n\nMemory-Quote: elle\n" + id + "\n", want: "update: (erased)\n\n" + id + "\n",
		},
		{
			name: "a person's own commit is named by what it was called", words: []string{"Luna"}, in: CommitText{Old: old},
			text: "note on Luna\n\nShe is black.\nLuna sleeps.\n", want: "(erased)\n\nShe is black.\n\nMemory-Change: " + old + "\n",
		},
		{name: "one that only moved keeps its words", words: []string{"Luna"}, in: CommitText{Old: old}, text: "tea\n\nSigned-off-by: Ada <a@b>\n", want: "tea\n\nSigned-off-by: Ada <a@b>\nMemory-Change: " + old + "\n"},
		{name: "a subject alone", words: []string{"Luna"}, in: CommitText{Old: old}, text: "tea", want: "tea\n\nMemory-Change: " + old + "\n"},
		{name: "a tag has no id", words: []string{"Luna"}, in: CommitText{Tag: true, Old: old}, text: "release of Luna\n", want: "(erased)\n"},
		{
			name: "several phrases over several lines", words: []string{"Luna", "vet"},
			text: "update: Luna is ill\n\nMemory-Quote: the vet said so\n" + id + "\n", want: "update: (erased)\n\n" + id + "\n",
		},
		{name: "one phrase of several stays", words: []string{"Luna", "vet"}, text: "update: Luna\n\n" + id + "\n", want: "update: Luna\n\n" + id + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := erasing(t, tt.words...)
			tt.in.Text = tt.text
			got := e.Message(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if e.Found([]byte("tree " + strings.Repeat("0", 40) + "\nauthor Luna <vet>\n\n" + got)) {
				t.Errorf("still found in %q", got)
			}
		})
	}
}

func TestEraseFoundInTrees(t *testing.T) {
	hash := strings.Repeat("Luna!", 4)
	tree := "100644 MEMORY.md\x00" + hash + "40000 memory\x00" + hash
	if e := erasing(t, "Luna"); e.Found([]byte(tree)) || !e.Found([]byte("100644 luna.md\x00"+hash)) || !e.Found([]byte("100644 luna in prose")) {
		t.Error("a tree is told by its names, and by them alone")
	}
}

// After an erasure nothing is found, every other note is as it was, and doing it again
// changes nothing.
func TestEraseLaw(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.SampledFrom([]string{"Luna", "lunar", "C", "C++", "10", "-10", "露娜", "New York", "tea", "x", "É", "É"})
		words := rapid.SliceOfNDistinct(word, 1, 2, rapid.ID[string]).Draw(rt, "words")
		phrases, err := ParsePhrases(words)
		if err != nil {
			rt.Skip("no subject")
		}
		e := EraseWords(phrases, nil)
		piece := rapid.OneOf(word, rapid.SampledFrom([]string{" ", "\n", "- ", "# ", "- 2026-09-01 · ", "  ", "~~", "```", "---\n", "title: ", ", ", "\n\n", "\n\n  ", "===\n", "|", "|-|-|\n", "<!-- ", "-->\n", "[^1]: ", "from chat \"a\" · "}))
		text := strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(rt, "text"), "")
		got, _ := e.File("memory/x.md", []byte(text))
		if e.Found(got) {
			rt.Fatalf("%q: still found in %q", words, got)
		}
		if again, copies := e.File("memory/x.md", got); copies != 0 || string(again) != string(got) {
			rt.Fatalf("%q: again %q", got, again)
		}
	})
}

func FuzzEraseMessage(f *testing.F) {
	f.Add("update: Luna\n\nMemory-Quote: x\n", "Luna")
	f.Fuzz(func(t *testing.T, text, word string) {
		phrases, err := ParsePhrases([]string{word})
		if err != nil || len(text) > 4096 {
			t.Skip("no phrase")
		}
		e := EraseWords(phrases, nil)
		if got := e.Message(CommitText{Text: text}); e.tellsMessage(got) && !strings.Contains(got, ErasedSubject) {
			t.Errorf("%q still tells %q", got, word)
		}
	})
}

// What quipu writes into every message is no word of the person's: "update", the person's
// own name, the key of a trailer can be erased from what was said beside it.
func TestEraseOwnWords(t *testing.T) {
	own := "update: likes tea\n\nMemory-Author: person Ada Topiq\nMemory-Action: update\nMemory-Source: chat \"Plans\"\nMemory-Change: 01ARZ3NDEKTSV4RRFFQ69G5FAV\n"
	for _, word := range []string{"update", "Topiq", "person", "Memory", "Source"} {
		phrases, _ := ParsePhrases([]string{word}) // "person" carries no subject: it was confirmed
		e := EraseWords(phrases, nil)
		if got := e.Message(CommitText{Text: own}); got != own || e.Found([]byte("tree "+strings.Repeat("0", 40)+"\n\n"+own)) {
			t.Errorf("%s: %q", word, got)
		}
	}
	for _, tt := range []struct{ word, text, want string }{
		{"update", "update: the update of tea\n\nMemory-Action: update\n", "update: (erased)\n\nMemory-Action: update\n"},
		{"Luna", "Luna: hello\n", "(erased)\n"},
		{"Plans", own, strings.Replace(own, "Memory-Source: chat \"Plans\"\n", "", 1)},
	} {
		e := erasing(t, tt.word)
		if got := e.Message(CommitText{Text: tt.text}); got != tt.want || e.Found([]byte("tree "+strings.Repeat("0", 40)+"\n\n"+got)) {
			t.Errorf("%s: %q, want %q", tt.word, got, tt.want)
		}
	}
	for _, subject := range []string{
		"erase: 4 copies in 5 commits", "forget: 2 notes", "undo: forget: 1 note", "update: (erased)", "(erased)", "capture: 3 facts noticed", "tidy: 1 expired, 2 duplicates",
		"import: 2 notes, 14 new lines from ", "edit: MEMORY.md (+1 -2)", "outside: 3 files (+1 -2)", "log: memory/log/2026-09-11.md", "delete: memory/archive.md (deleted)",
	} {
		action, _, _ := strings.Cut(subject, ":")
		own := subject + "\n\nMemory-Author: person Ada\nMemory-Action: " + action + "\nMemory-Change: 01ARZ3NDEKTSV4RRFFQ69G5FAV\n"
		for _, word := range strings.FieldsFunc(subject, func(r rune) bool { return strings.ContainsRune(" :(),/+-.", r) }) {
			if strings.HasPrefix(word, "20") || word == "09" || word == "11" {
				continue
			}
			phrases, _ := ParsePhrases([]string{word})
			if e := EraseWords(phrases, nil); e.Message(CommitText{Text: own}) != own || e.TellsLog("0 1 quipu <q> 1 +0000\t"+subject+"\n") {
				t.Errorf("%q tells %q", subject, word)
			}
		}
	}
	for _, tt := range []struct {
		word, line string
		want       bool
	}{{"quipu", "quipu: erase", false}, {"erase", "quipu: erase", false}, {"Luna", "commit: of Luna", true}, {"Luna", "update: Dog is Luna", true}, {"Ada", "commit: tea", false}, {"note", "commit: a note of tea", true}} {
		phrases, _ := ParsePhrases([]string{tt.word})
		if got := EraseWords(phrases, nil).TellsLog("0 1 Ada <a@b> 1 +0000\t" + tt.line + "\n"); got != tt.want {
			t.Errorf("%q in the log %q: %v", tt.word, tt.line, got)
		}
	}
	ledger := `{"t":"lift","id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","at":"2026-09-20T12:00:00Z","by":"person Ada Topiq"}` + "\n"
	if erasing(t, "Topiq").Found([]byte(ledger)) {
		t.Error("who asked counts as told")
	}
}

// Whatever bytes it is shown, it tells that a word is in none which has not its letters.
func FuzzFound(f *testing.F) {
	hash := strings.Repeat("\x01", 20)
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + strings.Repeat("\x00", 60) + "\x00\x09zanzibar\x00\x00"))
	f.Add([]byte("100644 zanzibar.md\x00" + hash))
	f.Add([]byte("tree " + strings.Repeat("a", 40) + "\nmergetag x\n zanzibar\n"))
	f.Add([]byte("\xff\xfez\x00a\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e := erasing(t, "Zanzibar")
		if e.Found(raw) && !strings.ContainsAny(strings.ToLower(foldText(string(raw))), "z") {
			t.Errorf("found in %q", raw)
		}
	})
}
