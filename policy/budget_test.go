package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

// numbered writes n lines, each line with its number from 0 on.
func numbered(line string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

func entries(text []byte) int { return len(markdown.Parse("", text).Entries()) }

// settled plans and settles an update on MEMORY.md and, where given, an archive.
func settled(t *testing.T, n Notes, u Update) Outcome {
	t.Helper()
	d := day(t, "2026-10-03")
	o, err := u.Plan(n, d, NewRedactor())
	if err == nil {
		o, err = Settle(o, n, Limits{}, d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestBudget(t *testing.T) {
	const fence = "  ```\n  pnpm deploy --prod\n  ```"
	tests := []struct {
		name, memory string
		update       Update
		moved        []string
		archive      string
		truncated    bool
	}{
		{"there is room", numbered("- 2026-09-02 · fact %d", 198), Update{Text: "x"}, nil, "", false},
		{
			"oldest moves", "# Memory\n- 2026-09-01 · The staging host is kestrel\n" + numbered("- 2026-09-02 · fact %d", 198),
			Update{Text: "one fact too many", Source: `chat "Full"`},
			[]string{"- 2026-09-01 · The staging host is kestrel"},
			"- 2026-09-01 · The staging host is kestrel · moved 2026-10-03\n", false,
		},
		{
			"a block goes along", "- 2026-01-01 · Deploy command:\n" + fence + "\n" + numbered("- 2026-09-02 · fact %d", 196),
			Update{Text: "one more"},
			[]string{"- 2026-01-01 · Deploy command:\n" + fence},
			"- 2026-01-01 · Deploy command: · moved 2026-10-03\n" + fence + "\n", false,
		},
		{
			"a block at the edge", "- 2026-01-01 · Deploy command:\n```sh\nrailway up\n```\n" + numbered("- 2026-09-02 · fact %d", 196),
			Update{Text: "one more"},
			[]string{"- 2026-01-01 · Deploy command:\n```sh\nrailway up\n```"},
			"- 2026-01-01 · Deploy command: · moved 2026-10-03\n```sh\nrailway up\n```\n", false,
		},
		{
			"a block that opens on the line", "- 2026-01-01 · Snippet ```\nrailway up\n```\n" + numbered("- 2026-09-02 · fact %d", 197),
			Update{Text: "one more"},
			[]string{"- 2026-01-01 · Snippet ```\nrailway up\n```"},
			"- 2026-01-01 · Snippet ``` · moved 2026-10-03\nrailway up\n```\n", false,
		},
		{"hand-written lines stay", numbered("- note %d", 200), Update{Text: "still saved"}, nil, "", true},
		{"all would not be enough", "- 2026-09-01 · kestrel\n- 2026-09-02 · Tuesdays\n" + numbered("- note %d", 200), Update{Text: "also saved"}, nil, "", true},
		{
			"struck, expired, oldest", "- 2026-01-01 · oldest\n- 2026-09-09 · until then · until 2026-09-30\n- 2026-09-10 · ~~no more~~ · superseded 2026-09-12\n" + numbered("- 2026-09-02 · fact %d", 196),
			Update{Text: "a\n```\nb\nc\n```"},
			[]string{
				"- 2026-01-01 · oldest", "- 2026-09-09 · until then · until 2026-09-30", "- 2026-09-10 · ~~no more~~ · superseded 2026-09-12",
				"- 2026-09-02 · fact 0",
			},
			"- 2026-01-01 · oldest · moved 2026-10-03\n- 2026-09-09 · until then · until 2026-09-30 · moved 2026-10-03\n" +
				"- 2026-09-10 · ~~no more~~ · superseded 2026-09-12 · moved 2026-10-03\n- 2026-09-02 · fact 0 · moved 2026-10-03\n", false,
		},
		{
			"health stays, struck and expired too", "- 2026-01-01 · Allergic to nuts\n- 2026-01-01 · ~~Vegan~~ · superseded 2026-02-01\n- 2026-01-01 · On medication · until 2026-02-01\n" + numbered("- 2026-09-02 · fact %d", 197),
			Update{Text: "x"},
			[]string{"- 2026-09-02 · fact 0"},
			"- 2026-09-02 · fact 0 · moved 2026-10-03\n", false,
		},
		{
			"an identical older entry is not the new one", "- 2026-10-03 · x · expired 2026-10-03\n- 2026-10-03 · y\n" + numbered("- 2026-10-04 · fact %d", 198),
			Update{Text: "z"},
			[]string{"- 2026-10-03 · x · expired 2026-10-03"},
			"- 2026-10-03 · x · expired 2026-10-03 · moved 2026-10-03\n", false,
		},
		{
			"bracketed dates", "- The host is kestrel [2026-09-01]\n" + numbered("- fact %d [2026-09-02T10:00]", 199),
			Update{Text: "x"},
			[]string{"- The host is kestrel [2026-09-01]"},
			"- The host is kestrel [2026-09-01] · moved 2026-10-03\n", false,
		},
		{
			"moved before", "- 2026-01-01 · back again · moved 2026-05-05\n" + numbered("- 2026-09-02 · fact %d", 199),
			Update{Text: "x"},
			[]string{"- 2026-01-01 · back again · moved 2026-05-05"},
			"- 2026-01-01 · back again · moved 2026-10-03\n", false,
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			tc.update.Action = Append
			o := settled(t, memory(tc.memory), tc.update)
			archive := ""
			if len(o.Edits) > 1 {
				if o.Edits[0].Path != ArchiveFile {
					t.Fatalf("first edit is %s", o.Edits[0].Path)
				}
				archive = string(o.Edits[0].Text)
			}
			slices.Sort(tc.moved)
			got := slices.Sorted(slices.Values(o.Moved))
			if diff := cmp.Diff(tc.moved, got, cmp.Transformer("nil", func(s []string) string { return strings.Join(s, "\x00") })); diff != "" {
				t.Errorf("moved (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.archive, archive); diff != "" {
				t.Errorf("archive (-want +got):\n%s", diff)
			}
			text := o.Edits[len(o.Edits)-1].Text
			if g := Measure(text); o.Truncated != tc.truncated || g.Truncated != tc.truncated {
				t.Errorf("truncated: %v, gauge %v, want %v", o.Truncated, g.Truncated, tc.truncated)
			}
			if line := strings.Split(string(text), "\n")[o.Line-1]; !strings.HasPrefix(o.Entry, line) {
				t.Errorf("line %d is %q, want %q", o.Line, line, o.Entry)
			}
		})
	}
}

func TestOnlyTheNewEntryIsKept(t *testing.T) {
	text := "- 2026-10-03 · again\n- 2026-10-03 · b\n- 2026-10-03 · again\n"
	got := Limits{Lines: 2}.Fit(markdown.Parse(MemoryFile, []byte(text)), 3, today(t))
	if diff := cmp.Diff("- 2026-10-03 · b\n- 2026-10-03 · again\n", string(got.Memory)); diff != "" || got.Line != 2 {
		t.Errorf("line %d (-want +got):\n%s", got.Line, diff)
	}
}

func TestRemoveAlsoFits(t *testing.T) {
	o := settled(t, memory(numbered("- 2026-09-01 · fact %d", 250)), Update{Action: Remove, OldText: "- 2026-09-01 · fact 7\n"})
	if len(o.Moved) != 49 || countLines(o.Edits[1].Text) != 200 || entries(o.Edits[0].Text) != 49 {
		t.Errorf("moved %d, left %d, archived %d", len(o.Moved), countLines(o.Edits[1].Text), entries(o.Edits[0].Text))
	}
}

func TestReplaceKeepsItsEntry(t *testing.T) {
	o := settled(t, memory("- 2026-01-01 · old host\n"+numbered("- 2026-09-02 · fact %d", 201)), Update{Action: Replace, OldText: "old host", Text: "new host"})
	if o.Line != 1 || !strings.HasPrefix(string(o.Edits[1].Text), "- 2026-01-01 · new host · updated 2026-10-03\n") || len(o.Moved) != 2 {
		t.Errorf("line %d, moved %q", o.Line, o.Moved)
	}
}

func TestFullArchive(t *testing.T) {
	n := memory(numbered("- 2026-09-01 · fact %d", 200))
	n.Files[ArchiveFile] = []byte(strings.Repeat("x", MaxFileBytes-10))
	o := settled(t, n, Update{Action: Append, Text: "x"})
	if !o.ArchiveFull || !o.Truncated || len(o.Moved) > 0 || len(o.Edits) != 1 {
		t.Errorf("full %v, truncated %v, moved %q, %d edits", o.ArchiveFull, o.Truncated, o.Moved, len(o.Edits))
	}
	if msg := o.Message(Limits{}); !strings.Contains(msg, "archive.md is full") {
		t.Error(msg)
	}
}

func TestSettleLeavesTopicsAlone(t *testing.T) {
	n := notes(MemoryFile, numbered("- 2026-09-01 · fact %d", 220), "memory/t.md", "")
	o := settled(t, n, Update{Action: Append, Text: "x", Topic: "t"})
	if len(o.Edits) != 1 || len(o.Moved) > 0 {
		t.Errorf("%d edits, moved %q", len(o.Edits), o.Moved)
	}
	big := Outcome{Edits: []Edit{{Path: MemoryFile, Text: []byte(strings.Repeat("x", MaxFileBytes+1))}}}
	var refusal *Refusal
	if _, err := Settle(big, Notes{}, Limits{}, today(t)); !errors.As(err, &refusal) || refusal.Code != Refused {
		t.Errorf("got %v", err)
	}
}

func TestMessage(t *testing.T) {
	tests := []struct {
		name string
		o    Outcome
		want string
	}{
		{"nothing", Outcome{}, ""},
		{"one", Outcome{Moved: []string{"- 2026-01-01 · The host is kestrel"}}, `To make room, 1 entry moved to memory/archive.md: "The host is kestrel". Add back what should stay loaded.`},
		{
			"five",
			Outcome{Moved: []string{"- 2026-01-01 · a", "- 2026-01-01 · b\n  c", "- 2026-01-01 · " + strings.Repeat("x", 90), "d", "e"}},
			`To make room, 5 entries moved to memory/archive.md: "a", "b c", "` + strings.Repeat("x", 79) + `…" and 2 more. Add back what should stay loaded.`,
		},
		{"trim", Outcome{Truncated: true}, "Saved, but MEMORY.md is past its 200 lines or 24000 bytes and only lines that never move are left: its end does not load. Please trim MEMORY.md."},
		{"kept and masked", Outcome{Kept: "- 2026-01-01 · likes tea", Redacted: 1}, `Kept as its own entry, as still true: "likes tea". 1 place that looked like a credential was masked before saving.`},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, tc.o.Message(Limits{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// noteParts are what generated files are made of.
var noteParts = []string{
	"- 2026-09-01 · fact", "- 2026-08-01 · 日本語のメモ 🍣", "- 2026-07-01 · ~~struck~~ · superseded 2026-07-02", "- 2026-06-01 · gone · until 2026-06-30",
	"- 2026-05-01 · Allergic to nuts", "- 2026-04-01 · code:\n  ```\n  a\n\n  b\n  ```", "- 2026-04-01 · code ```\nx\n```", "- bracketed [2026-03-01]", "- by hand", "# Heading",
	"", "prose é", "```\n- 2026-01-01 · in a fence\n```", "```", "  indented", "- 2026-02-01 · open ```", "- 2026-02-30 · no day", "\xff\xfe", "~~~", "| a | b |", "> quote", "- 2026-09-01 · owns\n  more\n\ttab",
}

func generated(t *rapid.T) []byte {
	n := rapid.IntRange(0, 60).Draw(t, "units")
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	var parts []string
	for i := range n { // a number makes each entry another one
		part := rapid.SampledFrom(noteParts).Draw(t, "part")
		part = strings.Replace(part, " · ", fmt.Sprintf(" · %d ", i), 1)
		parts = append(parts, strings.Replace(part, "bracketed", fmt.Sprintf("bracketed %d", i), 1))
	}
	text := strings.ReplaceAll(strings.Join(parts, "\n"), "\n", eol)
	if rapid.Bool().Draw(t, "final newline") {
		text += eol
	}
	if rapid.Bool().Draw(t, "bom") {
		text = "\ufeff" + text
	}
	return []byte(text)
}

// TestBudgetLaws holds for any file: it is within the limits or says that it is
// not, no entry is lost, and what stays is byte for byte what was there.
func TestBudgetLaws(t *testing.T) {
	day := today(t)
	rapid.Check(t, func(t *rapid.T) {
		before, archive := generated(t), generated(t)
		l := Limits{Lines: rapid.IntRange(1, 40).Draw(t, "lines"), Bytes: rapid.IntRange(20, 2000).Draw(t, "bytes")}
		f := markdown.Parse(MemoryFile, before)
		units := f.Units()
		keep := 0
		if len(units) > 0 {
			keep = units[len(units)-1].Line
		}
		o, err := Settle(Outcome{Edits: []Edit{{Path: MemoryFile, Text: before}}, Line: keep}, Notes{Files: map[string][]byte{ArchiveFile: archive}}, l, day)
		if err != nil {
			t.Fatal(err)
		}
		after, grownTo := o.Edits[len(o.Edits)-1].Text, archive
		if len(o.Edits) == 2 {
			grownTo = o.Edits[0].Text
		}
		if g := l.Measure(after); g.Truncated != o.Truncated {
			t.Fatalf("gauge %+v, truncated %v", g, o.Truncated)
		}
		if a, b := entries(before)+entries(archive), entries(after)+entries(grownTo); a != b {
			t.Fatalf("%d entries became %d\n%q\n%q\n%q", a, b, before, after, grownTo)
		}
		stay := before
		if len(units) > 0 {
			starts := unitStarts(f)
			stay = slices.Clone(before[:starts[0]])
			for i, u := range units {
				if u.Entry == nil || !slices.Contains(o.Moved, strings.ReplaceAll(string(u.Raw), "\r\n", "\n")) {
					stay = append(stay, before[starts[i]:starts[i+1]]...)
				}
			}
		}
		if string(stay) != string(after) {
			t.Fatalf("what stays differs:\n%q\n%q", stay, after)
		}
		if !strings.HasPrefix(string(grownTo), string(archive)) {
			t.Fatalf("the archive changed: %q -> %q", archive, grownTo)
		}
		if ends := strings.Count(string(archive), "\n"); ends > 0 && strings.Count(string(archive), "\r\n") == ends && strings.Count(string(grownTo), "\n") != strings.Count(string(grownTo), "\r\n") {
			t.Fatalf("the archive mixes line ends: %q", grownTo)
		}
	})
}

// TestWritesNeverLoseAnEntry runs random writes over one memory.
func TestWritesNeverLoseAnEntry(t *testing.T) {
	day := today(t)
	red := NewRedactor()
	rapid.Check(t, func(t *rapid.T) {
		n := memory("")
		l := Limits{Lines: 12, Bytes: 600}
		want := 0
		for i := range rapid.IntRange(1, 40).Draw(t, "writes") {
			u := Update{Action: Append, Text: fmt.Sprintf("fact %d %s", i, rapid.SampledFrom([]string{"", "日本語", "allergy", "a longer text 🍣"}).Draw(t, "more"))}
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 && i > 0 {
				u = Update{Action: Supersede, OldText: fmt.Sprintf("fact %d", i-1), Text: fmt.Sprintf("fact %d", i)}
			}
			o, err := u.Plan(n, day, red)
			if err != nil {
				continue
			}
			if o, err = Settle(o, n, l, day); err != nil {
				t.Fatal(err)
			}
			want++
			for _, e := range o.Edits {
				n.Files[e.Path] = e.Text
			}
			if got := entries(n.Files[MemoryFile]) + entries(n.Files[ArchiveFile]); got != want {
				t.Fatalf("%d entries, want %d", got, want)
			}
			if l.Measure(n.Files[MemoryFile]).Truncated && !o.Truncated {
				t.Fatal("over the limits in silence")
			}
		}
	})
}
