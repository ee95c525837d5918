package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func day(t testing.TB, s string) Date {
	t.Helper()
	d, ok := ParseDate(s)
	if !ok {
		t.Fatalf("no such day: %q", s)
	}
	return d
}

func TestParseReadsEntries(t *testing.T) {
	d := func(s string) Date { return day(t, s) }
	tests := []struct {
		name, text string
		want       []Entry
	}{
		{
			name: "dated lines of a file",
			text: "# Memory\n- 2026-09-10 · from chat \"Plans\" · Exams this weekend · until 2026-09-14\n" +
				"- 2026-09-11 · ~~Office is in City A~~ · superseded 2026-09-12\n" +
				"- 2026-09-12 · Office is in City B · updated 2026-09-13\na hand-written line",
			want: []Entry{
				{Date: d("2026-09-10"), Source: `chat "Plans"`, Text: "Exams this weekend", Until: d("2026-09-14"), Line: 2},
				{Date: d("2026-09-11"), Text: "Office is in City A", Struck: true, Superseded: d("2026-09-12"), Line: 3},
				{Date: d("2026-09-12"), Text: "Office is in City B", Updated: d("2026-09-13"), Line: 4},
			},
		},
		{
			name: "noticed",
			text: "- 2026-09-25 · from chat \"Plans\" (noticed) · The person is vegetarian",
			want: []Entry{{Date: d("2026-09-25"), Source: `chat "Plans"`, Noticed: true, Text: "The person is vegetarian", Line: 1}},
		},
		{
			name: "noticed without a label",
			text: "- 2026-09-25 · from (noticed) · Likes tea",
			want: []Entry{{Date: d("2026-09-25"), Noticed: true, Text: "Likes tea", Line: 1}},
		},
		{
			name: "all marks in any order",
			text: "- 2026-09-25 · x · moved 2026-10-06 · confirmed 2026-10-01 · until 2026-10-02 · expired 2026-10-03 · superseded 2026-10-04 · updated 2026-10-05",
			want: []Entry{{
				Date: d("2026-09-25"), Text: "x", Line: 1, Confirmed: d("2026-10-01"), Until: d("2026-10-02"),
				Expired: d("2026-10-03"), Superseded: d("2026-10-04"), Updated: d("2026-10-05"), Moved: d("2026-10-06"),
			}},
		},
		{
			name: "the later of two equal marks counts",
			text: "- 2026-09-25 · x · updated 2026-10-01 · updated 2026-10-05",
			want: []Entry{{Date: d("2026-09-25"), Text: "x", Updated: d("2026-10-05"), Line: 1}},
		},
		{
			name: "until before other text",
			text: "- 2026-09-25 · Exams · until 2026-10-02 · in Berlin",
			want: []Entry{{Date: d("2026-09-25"), Text: "Exams · until 2026-10-02 · in Berlin", Until: d("2026-10-02"), Line: 1}},
		},
		{
			name: "an until that no calendar has is text",
			text: "- 2026-09-25 · Exams · until 2026-02-30",
			want: []Entry{{Date: d("2026-09-25"), Text: "Exams · until 2026-02-30", Line: 1}},
		},
		{
			name: "a mark is no rest of a source",
			text: "- 2026-09-25 · from Berlin · until 2026-10-02",
			want: []Entry{{Date: d("2026-09-25"), Text: "from Berlin", Until: d("2026-10-02"), Line: 1}},
		},
		{
			name: "CRLF",
			text: "- 2026-09-25 · x · until 2026-10-02\r\n- 2026-09-26 · y\r\n",
			want: []Entry{
				{Date: d("2026-09-25"), Text: "x", Until: d("2026-10-02"), Line: 1},
				{Date: d("2026-09-26"), Text: "y", Line: 2},
			},
		},
		{
			name: "behind a byte order mark",
			text: "\ufeff- 2026-09-25 · x\n",
			want: []Entry{{Date: d("2026-09-25"), Text: "x", Line: 1}},
		},
		{
			name: "bracketed",
			text: "- Lives in Austin [2025-03-25]\n- Engineer [2025-03-25T14:30:00] · until 2026-01-01\n- ~~Old~~ [2025-01-02] · superseded 2025-03-25\n- ~~Older [2025-01-02]~~",
			want: []Entry{
				{Form: Bracketed, Date: d("2025-03-25"), Text: "Lives in Austin", Line: 1},
				{Form: Bracketed, Date: d("2025-03-25"), Clock: "14:30:00", Text: "Engineer", Until: d("2026-01-01"), Line: 2},
				{Form: Bracketed, Date: d("2025-01-02"), Text: "Old", Struck: true, Superseded: d("2025-03-25"), Line: 3},
				{Form: Bracketed, Date: d("2025-01-02"), Text: "Older", Struck: true, Line: 4},
			},
		},
		{
			name: "lines that are no entries",
			text: "- 2026-02-30 · no such day\n * 2026-09-10 · x\n  - 2026-09-10 · indented\n- 2026-09-10 no dot\n- 2026-9-10 · short\n" +
				"- see [[2026-09-10]]\n- [2026-09-10]\n- [x](y) [2026-09-1]\n- x [2026-09-10T25]\n-2026-09-10 · x\n- ２０２６-09-10 · x\n- 2026-09-10 ·no",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Parse("MEMORY.md", []byte(tt.text)).Entries(), cmp.AllowUnexported(Date{})); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

// spans returns first line and line after the last one of each entry, from 0.
func spans(f *File) [][2]int {
	var out [][2]int
	for _, u := range f.Units() {
		if u.Kind == KindEntry {
			out = append(out, [2]int{u.Line - 1, u.Line + strings.Count(string(u.Raw), "\n")})
		}
	}
	return out
}

func TestEntriesOwnLines(t *testing.T) {
	tests := []struct {
		name, text string
		want       [][2]int
	}{
		{
			name: "fences in every place",
			text: "- 2026-09-01 · Deploy command:\n  ```sh\n  railway up\n\n  ```\n  run it from the repo root\n- 2026-09-02 · Older shape:\n```sh\nrailway up\n```\n" +
				"- 2026-09-03 · Snippet ```\nx\n```\n- 2026-09-04 · Code blocks start with ```\n## Notes\n- 2026-09-05 · plain\na hand-written line",
			want: [][2]int{{0, 6}, {6, 10}, {10, 13}, {13, 14}, {15, 16}},
		},
		{name: "a blank line ends it", text: "- 2026-09-01 · a\n  b\n\n  c\n", want: [][2]int{{0, 2}}},
		{name: "a line of spaces ends it", text: "- 2026-09-01 · a\n   \n  c\n", want: [][2]int{{0, 1}}},
		{name: "a tab continues it", text: "- 2026-09-01 · a\n\tb\n", want: [][2]int{{0, 2}}},
		{name: "tildes", text: "- 2026-09-01 · a\n  ~~~\nb\n\n  ~~~\nc\n", want: [][2]int{{0, 5}}},
		{name: "tildes around ticks", text: "- 2026-09-01 · a\n  ~~~\n  ```\n  ~~~\n- 2026-09-02 · b\n", want: [][2]int{{0, 4}, {4, 5}}},
		{name: "an open fence claims nothing", text: "- 2026-09-01 · a\n  ```\n  b\n\nc\n", want: [][2]int{{0, 1}}},
		{name: "a closed block right under an entry is the entry's, whatever is in it", text: "- 2026-09-01 · a\n```\nb\n- 2026-09-02 · c\n```\n", want: [][2]int{{0, 5}}},
		{name: "hand-written fence", text: "```\n- 2026-09-01 · example\n```\n- 2026-09-02 · real\n", want: [][2]int{{3, 4}}},
		{name: "hand-written fence that never closes", text: "```\n- 2026-09-01 · a\n- 2026-09-02 · b\n", want: [][2]int{{1, 2}, {2, 3}}},
		{name: "an entry's fence closes no hand-written one", text: "```\ncode\n- 2026-09-01 · a\n  ```\n  b\n  ```\n- 2026-09-02 · c\n", want: [][2]int{{2, 6}, {6, 7}}},
		{name: "fence of an entry is no beginning of another", text: "- 2026-09-01 · Snippet ```\nx\n```\n- 2026-09-02 · real\n- 2026-09-03 · Other ```\ny\n```\n\n```\n- 2026-09-04 · example\n```\n", want: [][2]int{{0, 3}, {3, 4}, {4, 7}}},
		{name: "fence in a hand-written list", text: "- a\n  ```\n- 2026-09-01 · real\n  ```\n", want: [][2]int{{2, 3}}},
		{name: "fence in a comment", text: "<!--\n```\n-->\n- 2026-09-01 · real\n\n<!--\n```\n-->\n", want: [][2]int{{3, 4}}},
		{name: "header holds no entries of its own", text: "---\ntitle: x\n---\n- 2026-09-01 · a\n", want: [][2]int{{3, 4}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				f := Parse("", []byte(strings.ReplaceAll(tt.text, "\n", eol)))
				if diff := cmp.Diff(tt.want, spans(f)); diff != "" {
					t.Errorf("line end %q: spans (-want +got):\n%s", eol, diff)
				}
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"space, bullet and full stop", "-  Likes \t tea.", "Likes tea", true},
		{"other bullets", "• Likes tea", "* Likes tea", true},
		{"composed and decomposed", "Lives in Orle\u0301ans", "Lives in Orléans", true},
		{"one full stop only", "Wait..", "Wait", false},
		{"plus signs", "Uses C++", "Uses C", false},
		{"decimal point", "Rate is 1.5", "Rate is 15", false},
		{"case", "Key name is API_KEY", "Key name is api_key", false},
		{"currency", "Budget is $100", "Budget is 100", false},
		{"comparison", "Version >= 2", "Version 2", false},
		{"sign", "Balance is -10", "Balance is 10", false},
		{"leading sign", "-10 degrees", "10 degrees", false},
		{"number at the front", "1. FC plays", "2. FC plays", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Identity(tt.a) == Identity(tt.b); got != tt.same {
				t.Errorf("Identity(%q) = %q, Identity(%q) = %q: same = %v, want %v", tt.a, Identity(tt.a), tt.b, Identity(tt.b), got, tt.same)
			}
		})
	}
	struck := Entry{Text: "Likes tea", Struck: true}
	if got := struck.Identity(); got != "" {
		t.Errorf("identity of a struck entry = %q, want none", got)
	}
	if got := (Entry{Text: "Likes tea."}).Identity(); got != "Likes tea" {
		t.Errorf("identity of a live entry = %q, want %q", got, "Likes tea")
	}
}
