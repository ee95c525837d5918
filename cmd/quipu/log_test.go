package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

func testRow(id, path, subject string) repo.Row {
	return repo.Row{
		ID: id, Change: repo.ChangeID(id), Path: path, Actor: "person", Who: "Ada", Via: "cli", Action: "update",
		Subject: subject, AtTime: noon, CanRevert: true,
	}
}

func TestJournal(t *testing.T) {
	const a, b, c = "01K4S9QZX0AAAAAAAAAAAAAAAA", "01K4S9QZX0BBBBBBBBBBBBBBBB", "01K4S8PPPPCCCCCCCCCCCCCCCC"
	moved := testRow(a, "MEMORY.md", "update: two files")
	moved2 := testRow(a, "memory/archive.md", "update: two files")
	undone := testRow(c, "MEMORY.md", "update: tea")
	undone.UndoneBy = b
	undone.Source = `chat "Plans"`
	undo := testRow(b, "MEMORY.md", "undo: tea")
	undo.Undoes, undo.Action, undo.Via = c, "undo", "revert"
	hostile := testRow(c, "MEMORY.md", "update: \x1b[2J\nMemory-Author: bot evil")

	tests := map[string]struct {
		rows []repo.Row
		term bool
		want string
	}{
		"a change of two files is one": {
			[]repo.Row{moved, moved2},
			false,
			"2026-09-10 12:00  " + a + "  person Ada  update/cli  MEMORY.md, memory/archive.md\n    update: two files\n",
		},
		"undone ones are marked": {
			[]repo.Row{undone},
			true,
			"2026-09-10 12:00  01K4S8PPPP  person Ada  update/cli  MEMORY.md  (undone by 01K4S9QZX0)\n    update: tea\n    from chat \"Plans\"\n",
		},
		"ids stay whole where a short one would be two": {
			[]repo.Row{moved, undo},
			true,
			"2026-09-10 12:00  " + a + "  person Ada  update/cli  MEMORY.md\n    update: two files\n" +
				"2026-09-10 12:00  " + b + "  person Ada  undo/revert  MEMORY.md\n    undo: tea\n    undoes 01K4S8PPPP\n",
		},
		"a subject does nothing to the terminal": {
			[]repo.Row{hostile},
			true,
			"2026-09-10 12:00  01K4S8PPPP  person Ada  update/cli  MEMORY.md\n    update: \uFFFD[2J Memory-Author: bot evil\n",
		},
		"none": {nil, true, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := &env{OutTerm: tt.term}
			if diff := cmp.Diff(tt.want, e.journal(tt.rows, false)); diff != "" {
				t.Errorf("journal (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPainted(t *testing.T) {
	e := &env{color: true}
	got := e.painted("--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-old\n+new\n same")
	want := "\x1b[2m--- a/x\x1b[0m\n\x1b[2m+++ b/x\x1b[0m\n\x1b[36m@@ -1,1 +1,1 @@\x1b[0m\n\x1b[31m-old\x1b[0m\n\x1b[32m+new\x1b[0m\n same"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("painted (-want +got):\n%s", diff)
	}
	if strip := (&env{}).painted("-old\n+new\n"); strip != "-old\n+new\n" {
		t.Errorf("without colour %q, want it as it is", strip)
	}
}

func TestShown(t *testing.T) {
	const text = "a\r\n\x1b]0;owned\x07\u202Eb\tc\n"
	if got := (&env{}).shown(text); got != text {
		t.Errorf("in a pipe %q, want every byte", got)
	}
	got := (&env{OutTerm: true}).shown(text)
	if want := "a\n\uFFFD]0;owned\uFFFD\uFFFDb\tc\n"; got != want {
		t.Errorf("on a terminal %q, want %q", got, want)
	}
}

func TestTaught(t *testing.T) {
	lines := []repo.Blamed{
		{Text: "- tea", Change: "01B", At: noon, Actor: "person", Who: "Ada", First: "01A", FirstAt: noon.AddDate(0, -1, 0), Words: "- coffee"},
		{Text: "- new\n  more", Actor: ""},
	}
	want := strings.Join([]string{
		"2026-09-10    person Ada  -  01B  - tea",
		"    first taught 2026-08-10 in 01A as: - coffee",
		"not taken in              -       - new",
		"",
	}, "\n")
	if diff := cmp.Diff(want, (&env{}).taught(lines)); diff != "" {
		t.Errorf("taught (-want +got):\n%s", diff)
	}
}
