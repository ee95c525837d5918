package turns

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"Hello, World!", "hello world"},
		{"Café CAFÉ cafe\u0301", "cafe cafe cafe"},
		{"Straße STRASSE", "strasse strasse"},
		{"Łódź, Ærø, ŒUVRE, ısı", "lodz aero oeuvre isi"},
		{"Ёлка и ЧАЙ", "елка и чаи"},
		{"ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"},
		{"ｶﾞﾗｽ ガラス", "ガラ ラス ス ガラ ラス ス"},
		{"Ｆｕｌｌ １２３", "full 123"},
		{"東京都", "東京 京都 都"},
		{"私はiPhone15を", "私は は iphone15 を"},
		{"コーヒー", "コー ーヒ ヒー ー"},
		{"회의에서", "회의에서"},
		{"หมา", "หม มา า"},
		{"हिन्दी", "हिन्दी"},
		{"C++ and C# vs. C", "c++ and c# vs c"},
		{"a+b, c+++, abc#def, tag#", "a b c++ abc def tag"},
		{"-10 or 10, 2026-09-10, 5 - 3, (-7) x-5 −4 =-2", "-10 or 10 2026 09 10 5 3 -7 x 5 -4 -2"},
		{"don't l'eau Ana's", "don t l eau ana s"},
		{"memory_update ada@example.org v2.1", "memory update ada example org v2 1"},
		{"ﬁne ½", "fine 1 2"},
		{"bad \xff\xfe bytes\x00here", "bad bytes here"},
		{"\u0301\u0301 x", "x"},
		{"👍🏽 ok", "ok"},
		{strings.Repeat("a", 100), strings.Repeat("a", 64)},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, analysed(tt.text)); diff != "" {
			t.Errorf("words of %q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// The short cut for common characters gives what the long way gives.
func TestPlainCharacters(t *testing.T) {
	for r := rune(utf8.RuneSelf); r < 0x10000; r++ {
		if !isPlain(r) {
			continue
		}
		c := cutter{text: string(r)}
		c.cluster(0, len(c.text))
		c.flush()
		if diff := cmp.Diff(c.out, wordsOf(string(r)), cmp.AllowUnexported(word{})); diff != "" {
			t.Fatalf("%q (-long way +short cut):\n%s", r, diff)
		}
		if got, want := analysed(string(r)+"\u0301x"), analysed(string(r)+"\u0301 x"); isCyrillic(r) && got == want {
			t.Errorf("%q with an accent ends the word: %q", r, got)
		}
	}
}

func TestPhrases(t *testing.T) {
	stop := func(w string) bool { return w == "the" || w == "está" }
	tests := []struct{ question, want string }{
		{"", ""},
		{"  \t", ""},
		{"??? --", ""},
		{"the invoice", `"invoice" *`},
		{"The THE", `"the"`},
		{"está bien", `"bien" *`},
		{"invoices Invoice", `"invoice" *`},
		{"bus class news", `"bus"|"class" *|"news" *`},
		{"2026 v2.1", `"2026"|"v2 1"`},
		{`AND OR NOT NEAR( * ^ "`, `"and"|"or"|"not"|"near" *`},
		{`words:x "y" place : b1`, `"words x"|"y"|"place" *|"b1"`},
		{"ada@example.org", `"ada example org"`},
		{"e-mails", `"e mail" *`},
		{"-10 c++", `"-10"|"c++"`},
		{"東", `"東" *`},
		{"東京", `"東京"`},
		{"東京都、大阪", `"東京 京都"|"大阪"`},
		{"会議のメモ", `"会議"|"メモ"`},
		{"の", `"の" *`},
		{"ﾒﾓ", `"メモ"`},
		{"회의 동", `"회의" *|"동"`},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range phrasesOf(tt.question, stop) {
			got = append(got, p.match())
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("phrases of %q (-want +got):\n%s", tt.question, diff)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"Hello, C++", "東京 ｶﾞﾗｽ", "e\u0301\xff", "-10 \x00", "하́ก็"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, w := range wordsOf(text) {
			if w.text == "" || strings.ContainsAny(w.text, " \"\x00") || !utf8.ValidString(w.text) {
				t.Fatalf("word %q of %q", w.text, text)
			}
			if w.from < last || w.to <= w.from || w.to > len(text) {
				t.Fatalf("word %q at %d-%d after %d of %q", w.text, w.from, w.to, last, text)
			}
			last = w.from
		}
		line, marks := snippet(text, phrasesOf(text, nil))
		if n := utf8.RuneCountInString(line); n > snippetLen {
			t.Fatalf("snippet of %d characters", n)
		}
		end := -1
		for _, m := range marks {
			if m.From <= end || m.To <= m.From || m.To > len(line) {
				t.Fatalf("marks %v of %q", marks, line)
			}
			end = m.To
		}
	})
}
