package index

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// spans returns the words of a text as the scanner cuts them.
func spans(text string) []string {
	out := []string{}
	s := scanner{text: text}
	for {
		sp, ok := s.next()
		if !ok {
			return out
		}
		out = append(out, text[sp.from:sp.to])
	}
}

func TestScan(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"The cat's toy, don't!", []string{"The", "cat's", "toy", "don't"}},
		{"l’été à l'eau", []string{"l’été", "à", "l'eau"}},
		{"C++ and C#, A+ or F#. g++", []string{"C++", "and", "C#", "A+", "or", "F#", "g++"}},
		{"Notepad+ c+1 #tag", []string{"Notepad", "c", "+1", "tag"}},
		{"-10 (-2.5) 3-5 a-b - 4", []string{"-10", "-2.5", "3-5", "a", "b", "4"}},
		{"v2.1. Go1.26, 1,000.50 at 10:30", []string{"v2.1", "Go1.26", "1,000.50", "at", "10:30"}},
		{"R&D AT&T a & b Tom&Jerry", []string{"R&D", "AT&T", "a", "b", "Tom", "Jerry"}},
		{"main.go a/b snake_case", []string{"main", "go", "a", "b", "snake", "case"}},
		{"iPhone15を買った。", []string{"iPhone15", "を買った"}},
		{"東京・大阪 ﾄﾖﾀのﾊﾟｿｺﾝ", []string{"東京", "大阪", "ﾄﾖﾀのﾊﾟｿｺﾝ"}},
		{"서울에 가요", []string{"서울에", "가요"}},
		{"กินข้าว", []string{"กินข้าว"}},
		{"\xff\xfe a\x00b", []string{"a", "b"}},
		{"", []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spans(tt.text)); diff != "" {
				t.Errorf("spans (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFold(t *testing.T) {
	tests := map[string]string{
		"ÉTÉ": "ete", "Straße": "strasse", "Ærø": "aero", "Łódź": "lodz", "İstanbul": "istanbul", "Đà Nẵng": "da nang",
		"ﾊﾟｿｺﾝ": "パソコン", "ＡＢＣ１２": "abc12", "ガギグ": "ガギグ", "ёлка": "елка", "Йод": "йод", "Οδός": "οδοσ", "ภาษาไทย": "ภาษาไทย",
		"हिन्दी": "हिन्दी", "한국어": "한국어", "plain": "plain", "Don’t": "don't", "": "",
	}
	for text, want := range tests {
		if got := fold(text); got != want {
			t.Errorf("fold(%q) = %q, want %q", text, got, want)
		}
		if again := fold(fold(text)); again != fold(text) {
			t.Errorf("folding %q twice gives %q", text, again)
		}
	}
}

func TestLexiconTerms(t *testing.T) {
	tests := []struct {
		name, raw string
		kind      kind
		tongue    tongue
		want      []string
	}{
		{"stem", "running", plain, inEnglish, []string{"run"}},
		{"irregular", "went", plain, inEnglish, []string{"go"}},
		{"possessive", "Anna's", plain, inEnglish, []string{"anna"}},
		{"stop word", "the", plain, inEnglish, nil},
		{"contraction is a stop word", "don't", plain, inEnglish, nil},
		{"another language's stop word", "die", plain, inEnglish, []string{"die"}},
		{"German stop word", "die", plain, inGerman, nil},
		{"German plural", "Häuser", plain, inGerman, []string{"haus"}},
		{"Spanish plural", "llaves", plain, inSpanish, []string{"llav"}},
		{"elision", "l'hôtel", plain, inFrench, []string{"hotel"}},
		{"Russian by its script", "ключами", plain, inEnglish, []string{"ключ"}},
		{"negative", "−10", signed, inEnglish, []string{"-10"}},
		{"plus falls away", "+10", signed, inEnglish, []string{"10"}},
		{"thousands", "1,000", signed, inEnglish, []string{"1000"}},
		{"decimal comma", "2,5", signed, inEnglish, []string{"2,5"}},
		{"date and its parts", "2026-09-10", signed, inEnglish, []string{"2026-09-10", "2026", "09", "10"}},
		{"version whole", "v2.1", signed, inEnglish, []string{"v2.1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, words().terms(tt.raw, tt.kind, tt.tongue)); diff != "" {
				t.Errorf("terms (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPieces(t *testing.T) {
	tests := map[string][]string{
		"牙医":     {"牙", "牙医", "医"},
		"猫":      {"猫"},
		"の":      nil,
		"什么":     nil,
		"ﾄﾖﾀ":    {"トヨ", "ヨタ"},
		"寿司です":   {"寿", "寿司", "司", "司で"},
		"고양이":    {"고양", "양이"},
		"我的牙":    {"的牙", "牙"},
		"アパートです": {"アパ", "パー", "ート", "トで"},
	}
	for run, want := range tests {
		var got []string
		for _, p := range words().pieces(run) {
			got = append(got, p.term)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pieces of %s (-want +got):\n%s", run, diff)
		}
	}
}

func TestDetect(t *testing.T) {
	tests := map[string]tongue{
		"where is the key to the cellar": inEnglish, "¿dónde está la llave del sótano?": inSpanish, "wo ist der Schlüssel für den Keller": inGerman,
		"où est la clé de la cave": inFrench, "onde está a chave da cave": inPortuguese, "dov'è la chiave della cantina": inItalian,
		"waar is de sleutel van het huis": inDutch, "kettle": inEnglish, "": inEnglish,
	}
	for text, want := range tests {
		var votes ballot
		words().detect(text, &votes)
		if got := votes.winner(inEnglish); got != want {
			t.Errorf("%q is taken for language %d, want %d", text, got, want)
		}
	}
}

func TestMarks(t *testing.T) {
	tests := []struct {
		name, text string
		held, want []string
	}{
		{"stems", "The running dog and the dogs run", []string{"dog", "ran"}, []string{"running", "dog", "dogs", "run"}},
		{"accents", "Un café à l'hôtel", []string{"cafe", "hotel"}, []string{"café", "l'hôtel"}},
		{"signs", "From -10 to 10", []string{"-10"}, []string{"-10"}},
		{"dense", "我的牙医是李医生", []string{"牙医", "医生"}, []string{"牙医", "医生"}},
		{"half width marks the run", "ﾊﾟｿｺﾝの保証", []string{"パソ"}, []string{"ﾊﾟｿｺﾝの保証"}},
		{"none", "nothing here", []string{"kettle"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range Marks(tt.text, tt.held) {
				got = append(got, tt.text[m.From:m.To])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("marks (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzScan holds the scanner to its bounds: spans in order, not empty, on the
// boundaries of characters, and everything built on them without a panic.
func FuzzScan(f *testing.F) {
	f.Add("The cat's -10 c++ v2.1 R&D 2026-09-10")
	f.Add("ﾊﾟｿｺﾝ寿司です 서울 กิน \xff\xfe\u0300́")
	f.Add("a'b'c''d''' +-+1++ #c# &&")
	f.Fuzz(func(t *testing.T, text string) {
		s := scanner{text: text}
		end := 0
		for {
			sp, ok := s.next()
			if !ok {
				break
			}
			if sp.from < end || sp.to <= sp.from || sp.to > len(text) {
				t.Fatalf("span %d:%d after %d in %q", sp.from, sp.to, end, text)
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[sp.from:sp.to]) {
				t.Fatalf("span %d:%d cuts a character of %q", sp.from, sp.to, text)
			}
			end = sp.to
		}
		x := filled([]File{{Path: "memory/f.md", Title: text, Notes: []Note{{Text: text, Author: "Ana"}, {Text: text, Date: testDay}}}})
		for _, h := range x.Search(Query{Text: text, Today: testDay}) {
			for _, m := range Marks(h.Text, h.Words) {
				if m.From < 0 || m.To > len(h.Text) || m.From >= m.To {
					t.Fatalf("mark %v in %q", m, h.Text)
				}
			}
		}
		Terms(text)
	})
}
