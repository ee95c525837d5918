package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	text := "---\ntitle: Food\ndescription: what we eat\naliases: [meals, diner]\n---\n# Food\n\nA paragraph\nof two lines.\n" +
		"- 2026-09-10 · from chat \"x\" · Likes tea · until 2026-12-31\n  with milk\n## Out\n- by hand\n  and more\n* another\n1. first\n" +
		"- ~~gone~~ · superseded 2026-09-01\n- 2026-09-11 · ~~Likes coffee~~ · superseded 2026-09-12\n- bracketed [2026-09-09]\n\n```\ncode here\n```\n"
	want := File{
		Path: "memory/food.md", Title: "Food", Description: "what we eat", Aliases: []string{"meals", "diner"},
		Notes: []Note{
			{Line: 8, Text: "A paragraph\nof two lines."},
			{Line: 10, Text: "Likes tea\nwith milk", Date: day0("2026-09-10"), Until: day0("2026-12-31")},
			{Line: 13, Text: "by hand\nand more", Section: "Out"},
			{Line: 15, Text: "another", Section: "Out"},
			{Line: 16, Text: "first", Section: "Out"},
			{Line: 17, Text: "gone · superseded 2026-09-01", Section: "Out", Struck: true},
			{Line: 18, Text: "Likes coffee", Section: "Out", Date: day0("2026-09-11"), Struck: true},
			{Line: 19, Text: "bracketed", Section: "Out", Date: day0("2026-09-09")},
			{Line: 21, Text: "```\ncode here\n```", Section: "Out"},
		},
	}
	if diff := cmp.Diff(want, Read("memory/food.md", []byte(text)), sameDate); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestReadLog(t *testing.T) {
	f := Read("memory/log/2026-09-10.md", []byte("- 09:05 · from chat \"x\" · Sent the invoices\n"))
	if len(f.Notes) != 1 || f.Notes[0].Date != testDay {
		t.Errorf("notes %+v, want one of the log's day", f.Notes)
	}
}

// TestSection says that a note is found by the heading above it.
func TestSection(t *testing.T) {
	x := filled([]File{topic("memory/a.md", "## Dentist", "- Dr. Rao, Tuesday", "## Plumber", "- Suresh"), topic("memory/b.md", "- something else")})
	hits := x.Search(Query{Text: "who is our dentist"})
	if got := first(hits); got != "Dr. Rao, Tuesday" {
		t.Errorf("first hit %q", got)
	}
	if diff := cmp.Diff([]string{"dentist"}, hits[0].Words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("# a\n- 2026-09-10 · b\n~~\n- ~~c\n1) d\n```\n"))
	f.Add([]byte("\xef\xbb\xbf---\ntitle: x\n---\n\x00\xff\r\n## \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		last := 0
		file := Read("memory/f.md", text)
		for _, n := range file.Notes {
			if n.Text == "" || n.Line < last {
				t.Fatalf("note %+v after line %d", n, last)
			}
			last = n.Line
		}
		filled([]File{file}).Search(Query{Text: "a b c"})
	})
}
