package policy

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func salt(t testing.TB, seed byte) Salt {
	t.Helper()
	s, err := NewSalt(bytes.NewReader(bytes.Repeat([]byte{seed}, saltBytes)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var noon = time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC)

// listed returns a ledger in which each set of phrases is listed.
func listed(t testing.TB, sets ...[]string) Ledger {
	t.Helper()
	var l Ledger
	for i, set := range sets {
		text := l.Append(l.Never().Add(phrases(t, set...), "01JDXK3T9M2Q4R6S8V0W1X2Y3"+string(rune('A'+i)), "person Anna", noon, salt(t, 7))...)
		var problems []error
		if l, problems = ParseLedger(text); len(problems) > 0 {
			t.Fatal(problems)
		}
	}
	return l
}

func TestNeverBlocks(t *testing.T) {
	never := listed(t, []string{"office in Pune"}, []string{"Luna", "vet"}, []string{"C++"}, []string{"東京"}, []string{"caf\u00e9"}).Never()
	tests := []struct {
		text string
		want bool
	}{
		{"the office in Pune is nice", true},
		{"The Office, in PUNE", true},
		{"Pune office is closed", true}, // two of three keywords
		{"Pune", true},                  // no more than what was forgotten
		{"Lives in Pune", false},
		{"Luna goes to the vet", true},
		{"Vets adore Luna the brown dog", false},
		{"Uses C++", true},
		{"Uses C", false},
		{"東京に住む", true},
		{"京都に住む", false},
		{"the cafe\u0301 again", true},
		{"Likes tea", false},
		{"", false},
	}
	for _, tc := range tests {
		if got := never.Blocks(tc.text); got != tc.want {
			t.Errorf("%q: %v, want %v", tc.text, got, tc.want)
		}
	}
}

// What was listed in a turn is told from what was listed before it, by its words alone.
func TestNeverMentions(t *testing.T) {
	never := listed(t, []string{"office in Pune"}, []string{"Luna", "vet"}).Never()
	tests := []struct {
		text  string
		since time.Time
		want  bool
	}{
		{"please forget the office in Pune", noon, true},
		{"please forget the office in Pune", noon.Add(time.Second), false},
		{"Luna was at the vet", noon.Add(-time.Hour), true},
		{"Luna", noon, false},
		{"Pune office is closed", noon, false},
		{"", noon, false},
	}
	for _, tt := range tests {
		if got := never.Mentions(tt.text, tt.since); got != tt.want {
			t.Errorf("%q since %s: %v", tt.text, tt.since, got)
		}
	}
}

func TestNeverLift(t *testing.T) {
	l := listed(t, []string{"office in Pune"}, []string{"Luna"})
	events := l.Never().Lift("remember the office in Pune", "person Anna", noon)
	if len(events) != 1 {
		t.Fatalf("%d events, want 1", len(events))
	}
	l, _ = ParseLedger(l.Append(events...))
	if n := l.Never(); n.Blocks("office in Pune") || !n.Blocks("Luna") || n.Len() != 1 {
		t.Error("the wrong one was lifted")
	}
	again := l.Never().Add(phrases(t, "office in Pune"), "01JDXK3T9M2Q4R6S8V0W1X2Y3Z", "person Anna", noon, salt(t, 9))
	if len(again) != 1 {
		t.Errorf("%d events, want no second salt", len(again))
	}
	l, _ = ParseLedger(l.Append(again...))
	if !l.Never().Blocks("office in Pune") {
		t.Error("forgotten again, and not listed")
	}
}

func TestLedgerTellsNothing(t *testing.T) {
	l := listed(t, []string{"secret lover"})
	if text := string(l.Append()); strings.Contains(text, "secret") || strings.Contains(text, "lover") || strings.Count(text, "\n") != 2 {
		t.Errorf("%s", text)
	}
}

func TestLedgerMerge(t *testing.T) {
	a, b := listed(t, []string{"Luna"}), Ledger{}
	b, _ = ParseLedger(b.Append(b.Never().Add(phrases(t, "office in Pune"), "01JDXK3T9M2Q4R6S8V0W1X2Y4A", "person Anna", noon, salt(t, 9))...))
	both, problems := ParseLedger(append(append(a.Append(), b.Append()...), a.Append()...))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if n := both.Never(); n.Len() != 2 || !n.Blocks("Luna") || !n.Blocks("office in Pune") {
		t.Errorf("%d listed", n.Len())
	}
}

func TestParseLedger(t *testing.T) {
	text := "{\"t\":\"later\",\"at\":1}\n\r\nno json <secret>\n[]\n{\"t\":\"never\",\"id\":\"a\",\"n\":[1,2],\"h\":[\"00\"]}\n{\"t\":\"never\",\"id\":7}\n{\"t\":\"lift\"}\n{\"t\":\"salt\",\"salt\":\"00\"}\n{\"t\":\"never\",\"id\":\"a\",\"n\":[999999],\"h\":[\"00\"]}"
	l, problems := ParseLedger([]byte(text))
	var got []string
	for _, p := range problems {
		got = append(got, strings.TrimPrefix(p.Error(), LedgerFile))
	}
	want := []string{":3: no JSON object", ":4: no JSON object", ":5: the never event is not whole", ":6: the never event is not whole", ":7: the lift event is not whole", ":8: the salt event is not whole", ":9: the never event is not whole"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(text+"\n{\"t\":\"lift\",\"id\":\"b\"}\n", string(l.Append(Event{Kind: EventLift, ID: "b"}))); diff != "" {
		t.Error(diff)
	}
}

func TestNewSaltNeedsRandomness(t *testing.T) {
	if _, err := NewSalt(strings.NewReader("short")); err == nil {
		t.Error("got a salt from 5 bytes")
	}
}

// TestNeverLaw: what a forget was asked with is blocked in whatever text holds
// it as words of their own.
func TestNeverLaw(t *testing.T) {
	words := rapid.SampledFrom([]string{"Luna", "Pune", "office", "C++", "-10", "東京", "caf\u00e9", "don't", "서울", "x1"})
	rapid.Check(t, func(t *rapid.T) {
		phrase := strings.Join(rapid.SliceOfN(words, 1, 4).Draw(t, "phrase"), " ")
		list, err := ParsePhrases([]string{phrase})
		if err != nil {
			t.Fatal(err)
		}
		var s Salt
		l, _ := ParseLedger(Ledger{}.Append(Never{}.Add(list, "a", "", noon, s)...))
		text := strings.Join(rapid.SliceOfN(words, 0, 4).Draw(t, "before"), " ") + " " + strings.ToUpper(phrase) + ", " + strings.Join(rapid.SliceOfN(words, 0, 4).Draw(t, "after"), " ")
		if !l.Never().Blocks(text) {
			t.Fatalf("%q is not blocked by %q", text, phrase)
		}
	})
}

func FuzzParseLedger(f *testing.F) {
	f.Add([]byte("{\"t\":\"never\",\"id\":\"a\",\"n\":[1],\"h\":[\"00\"],\"salt\":\"x\"}\n{\"t\":\"salt\",\"salt\":\"zz\"}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, _ := ParseLedger(text)
		l.Never().Blocks("the office in Pune")
		if !bytes.HasPrefix(l.Append(Event{Kind: EventLift, ID: "x"}), text) {
			t.Fatal("bytes were lost")
		}
	})
}

func BenchmarkNeverBlocks(b *testing.B) {
	sets := make([][]string, 20)
	for i := range sets {
		sets[i] = []string{"office in Pune " + string(rune('a'+i))}
	}
	never := listed(b, sets...).Never()
	for b.Loop() {
		never.Blocks(plainNote)
	}
}
