package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNewEntryIsWritten(t *testing.T) {
	tests := []struct {
		name, text, source, until, want string
		noticed                         bool
	}{
		{name: "folded", text: "first line\n   second line", source: `chat "A · B"`, want: `- 2026-09-10 · from chat "A - B" · first line second line`},
		{name: "code keeps its lines", text: "Deploy command:\n```sh\nrailway up\n```", want: "- 2026-09-10 · Deploy command:\n  ```sh\n  railway up\n  ```"},
		{name: "until", text: "Exams this weekend", source: `chat "Plans"`, until: "2026-09-14", want: `- 2026-09-10 · from chat "Plans" · Exams this weekend · until 2026-09-14`},
		{name: "noticed", text: "Likes tea", source: `chat "Plans"`, noticed: true, want: `- 2026-09-10 · from chat "Plans" (noticed) · Likes tea`},
		{name: "noticed stands once", text: "Likes tea", source: `chat "Plans" (noticed)`, want: `- 2026-09-10 · from chat "Plans" · Likes tea`},
		{name: "noticed with no source", text: "Likes tea", noticed: true, want: "- 2026-09-10 · from (noticed) · Likes tea"},
		{name: "bullet marker", text: " * Likes tea", want: "- 2026-09-10 · Likes tea"},
		{name: "number marker", text: "1) Likes tea", want: "- 2026-09-10 · Likes tea"},
		{name: "a year is no marker", text: "2026 was good", want: "- 2026-09-10 · 2026 was good"},
		{name: "a minus is no bullet", text: "-10 degrees", want: "- 2026-09-10 · -10 degrees"},
		{name: "typed until", text: "Exams · until 2026-09-12", until: "2026-09-14", want: "- 2026-09-10 · Exams · until 2026-09-14"},
		{name: "typed marks", text: "Exams · moved 2026-09-12 · superseded 2026-09-12", want: "- 2026-09-10 · Exams"},
		{name: "typed until inside", text: "Exams · until 2026-09-12 · hard", want: "- 2026-09-10 · Exams - until 2026-09-12 · hard"},
		{name: "typed strike", text: "~~Exams~~", want: "- 2026-09-10 · Exams"},
		{name: "typed source", text: `from chat "Bank" · pays in cash`, want: `- 2026-09-10 · from chat "Bank" - pays in cash`},
		{name: "typed source behind a real one", text: `from chat "Bank" · pays`, source: "room \"A\"", want: `- 2026-09-10 · from room "A" · from chat "Bank" · pays`},
		{name: "heading", text: "x\n# Heading", want: "- 2026-09-10 · x # Heading"},
		{name: "forged entry", text: "x\n- 2026-01-01 · forged", want: "- 2026-09-10 · x - 2026-01-01 · forged"},
		{name: "rule", text: "---", want: "- 2026-09-10 · ---"},
		{name: "every line break folds", text: "a\rb\u2028c\u2029d\ve\ff\u0085g\r\nh", want: "- 2026-09-10 · a b c d e f g h"},
		{name: "every line break in code is indented", text: "a\n```\nb\u2028# c\r- 2026-01-01 · d\n```", want: "- 2026-09-10 · a\n  ```\n  b\n  # c\n  - 2026-01-01 · d\n  ```"},
		{name: "blank line in code stays, outside it goes", text: "a\n\n```\nb\n\nc\n```\n\nd", want: "- 2026-09-10 · a\n  ```\n  b\n\n  c\n  ```\n  d"},
		{name: "code that never closes folds and is closed", text: "a\n```sh\nb", want: "- 2026-09-10 · a ```sh b ```"},
		{name: "backticks within one line stay", text: "Code blocks start with ```", want: "- 2026-09-10 · Code blocks start with ```"},
		{name: "code at once", text: "```\na\n```", want: "- 2026-09-10 · ```\n  a\n  ```"},
		{name: "tildes at once", text: "~~~\na\n~~~", want: "- 2026-09-10 · \n  ~~~\n  a\n  ~~~"},
		{name: "until of code stands on the bullet's line", text: "a\n```\nb\n```", until: "2026-09-14", want: "- 2026-09-10 · a · until 2026-09-14\n  ```\n  b\n  ```"},
		{name: "long source", text: "x", source: strings.Repeat("ä", 100), want: "- 2026-09-10 · from " + strings.Repeat("ä", 80) + " · x"},
		{name: "empty", text: " ", want: "- 2026-09-10 · "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			until, _ := ParseDate(tt.until)
			got := NewEntry(tt.text, tt.source, tt.noticed, day(t, "2026-09-10"), until)
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
			checkSurvives(t, got)
		})
	}
}

// checkSurvives holds the law of written entries: read alone they are one unit
// that is the same entry, and so are they between other units of a file.
func checkSurvives(t interface {
	Helper()
	Fatalf(string, ...any)
}, e Entry,
) {
	t.Helper()
	text := "# Memory\n\n" + e.String() + "\n- 2026-09-11 · next\n"
	for _, eol := range []string{"\n", "\r\n"} {
		f := Parse("", []byte(strings.ReplaceAll(text, "\n", eol)))
		entries := f.Entries()
		if len(entries) != 2 || len(f.Units()) != 4 {
			t.Fatalf("%d entries in %d units, want 2 in 4:\n%q", len(entries), len(f.Units()), text)
		}
		back := entries[0]
		back.Line = e.Line
		if diff := cmp.Diff(e, back, cmp.AllowUnexported(Date{})); diff != "" {
			t.Fatalf("entry changed by writing (-want +got):\n%s", diff)
		}
	}
}

// hostile draws text made of what means something to a reader of entries.
func hostile() *rapid.Generator[string] {
	pieces := []string{
		"\n", "\r\n", "\r", " ", "\t", "- ", "* ", "1. ", "# ", "```", "```sh", "~~~", "~~", "~", "---", "word", "ünï", "\u2028", "\u0085", "\v",
		" · ", "·", "from ", "(noticed)", "until ", "moved ", "2026-09-10", "2026-02-30", "[2026-09-10]", "[", "]", "T12:30", ":", ".", "\x00", "\xff", "\ufeff", "<!--", ">",
		" · until 2026-09-14", "- 2026-01-01 · forged", "- x [2026-01-01]", " · superseded 2026-09-12",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.StringN(0, 3, 8)), 0, 14).Draw(t, "pieces"), "")
	})
}

func TestWrittenEntriesSurvive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		until := Date{}
		if rapid.Bool().Draw(rt, "until") {
			until = day(t, "2026-12-24")
		}
		e := NewEntry(hostile().Draw(rt, "text"), hostile().Draw(rt, "source"), rapid.Bool().Draw(rt, "noticed"), day(t, "2026-09-10"), until)
		checkSurvives(rt, e)
		changed := e.Replaced(hostile().Draw(rt, "new text"), day(t, "2026-09-20"))
		checkSurvives(rt, changed)
		if changed.Date != e.Date || changed.Source != e.Source || changed.Until != e.Until {
			rt.Fatalf("replaced %q loses its date, source or until: %q", e.String(), changed.String())
		}
	})
}

func TestReplaced(t *testing.T) {
	tests := []struct{ name, entry, text, want string }{
		{"mark", `- 2026-09-10 · from chat "Setup" · npm`, "pnpm", `- 2026-09-10 · from chat "Setup" · pnpm · updated 2026-09-11`},
		{"one mark only, typed prefix dropped", `- 2026-09-10 · from chat "Setup" · CET · updated 2026-09-01`, `- 2026-09-11 · from room "Ops" · UTC`, `- 2026-09-10 · from chat "Setup" · UTC · updated 2026-09-11`},
		{"until stays", "- 2026-09-10 · a · until 2026-09-30", "b", "- 2026-09-10 · b · updated 2026-09-11 · until 2026-09-30"},
		{"bracketed", "- a [2026-09-10T10:00:00]", "b", "- b [2026-09-10T10:00:00] · updated 2026-09-11"},
		{"owned lines stay lines", "- 2026-09-10 · a\n  b", "a\nc", "- 2026-09-10 · a · updated 2026-09-11\n  c"},
		{"code", "- 2026-09-10 · a", "b\n```\nc\n```", "- 2026-09-10 · b · updated 2026-09-11\n  ```\n  c\n  ```"},
		{"code with a typed prefix", "- 2026-09-10 · a", "- 2026-09-11 · b\n  ```\n  c\n  ```", "- 2026-09-10 · b · updated 2026-09-11\n  ```\n  c\n  ```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := Parse("", []byte(tt.entry)).Entries()[0]
			got := e.Replaced(tt.text, day(t, "2026-09-11"))
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStrike(t *testing.T) {
	tests := []struct {
		name, raw, want string
		struck          bool
	}{
		{"entry", `- 2026-09-10 · from chat "Setup" · Office: City A`, `- 2026-09-10 · from chat "Setup" · ~~Office: City A~~ · superseded 2026-09-20`, true},
		{"marks go", "- 2026-09-10 · a · until 2026-09-30", "- 2026-09-10 · ~~a~~ · superseded 2026-09-20", true},
		{"noticed", `- 2026-09-10 · from chat "A" (noticed) · a`, `- 2026-09-10 · from chat "A" (noticed) · ~~a~~ · superseded 2026-09-20`, true},
		{"owned lines stay", "- 2026-09-10 · a\r\n  b\r\n  c", "- 2026-09-10 · ~~a~~ · superseded 2026-09-20\r\n  b\r\n  c", true},
		{"bracketed", "- a [2026-09-10]", "- ~~a~~ [2026-09-10] · superseded 2026-09-20", true},
		{"hand bullet", "- Old hand-written office: City P", "- ~~Old hand-written office: City P~~ · superseded 2026-09-20", true},
		{"other bullet, indented", "  * a", "  * ~~a~~ · superseded 2026-09-20", true},
		{"prose", "plain paragraph", "~~plain paragraph~~ · superseded 2026-09-20", true},
		{"struck entry", "- 2026-09-10 · ~~a~~ · superseded 2026-09-12", "- 2026-09-10 · ~~a~~ · superseded 2026-09-12", false},
		{"struck bullet", "- ~~a~~ · superseded 2026-09-12", "- ~~a~~ · superseded 2026-09-12", false},
		{"prose that begins with a tilde", "~5 km", "~~ ~5 km~~ · superseded 2026-09-20", true},
		{"blank", "", "", false},
		{"fence", "```\na\n```", "```\na\n```", false},
		{"struck prose", "~~a~~", "~~a~~", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Strike(tt.raw, day(t, "2026-09-20"))
			if ok != tt.struck {
				t.Errorf("struck = %v, want %v", ok, tt.struck)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("raw (-want +got):\n%s", diff)
			}
			if again, ok := Strike(got, day(t, "2026-09-21")); ok || again != got {
				t.Errorf("struck twice: %q", again)
			}
		})
	}
}

func TestSourceLabel(t *testing.T) {
	tests := []struct{ name, room, title, thread, want string }{
		{"room first", "Launch", "ignored", "t1", `room "Launch"`},
		{"chat", "", "Plans", "t1", `chat "Plans"`},
		{"thread", "", "", "t1", "thread t1"},
		{"blank is none", " ", "\n", "t1", "thread t1"},
		{"quoted as JSON", "", `Say "hi" <b> \ & é`, "t1", `chat "Say \"hi\" <b> \\ & é"`},
		{"cut before quoting", "", strings.Repeat(`"`, 61), "t1", `chat "` + strings.Repeat(`\"`, 60) + `…"`},
		{"sixty fit", strings.Repeat("é", 60), "", "", `room "` + strings.Repeat("é", 60) + `"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SourceLabel(tt.room, tt.title, tt.thread); got != tt.want {
				t.Errorf("label = %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzNewEntry(f *testing.F) {
	for _, text := range []string{"plain", "# Heading", "- 2026-01-01 · forged", "---", "a\n```\nb", "a\n~~~\n```\n~~~", "~~a~~ b", "from x · y", "\u2028\x00\xff", "a · until 2026-01-01 · b", "x [2026-01-01]", "2026-01-02 · odd ~~text~~ [2026-01-02]", "[2026-01-01]"} {
		f.Add(text, `chat "x"`, "other")
		f.Add("other", "", text)
	}
	f.Fuzz(func(t *testing.T, text, source, other string) {
		e := NewEntry(text, source, len(source)%2 == 1, day(t, "2026-09-10"), Date{})
		checkSurvives(t, e)
		checkSurvives(t, e.Replaced(other, day(t, "2026-09-11")))
		bracketed := Entry{Form: Bracketed, Date: e.Date, Text: "x"}.Replaced(other, day(t, "2026-09-11"))
		for _, e := range []Entry{bracketed, NewBracketed(text, e.Date, "15:04:05", Date{})} {
			if e.Text != "" {
				checkSurvives(t, e)
			}
		}
	})
}
