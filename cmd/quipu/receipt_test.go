package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

func TestTell(t *testing.T) {
	row := repo.Row{Path: "MEMORY.md", Diff: "--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1,0 +1,1 @@\n+- tea"}
	archive := repo.Row{Path: "memory/archive.md", Diff: "--- a/memory/archive.md"}
	tests := map[string]struct {
		r          repo.Receipt
		out, words string
	}{
		"written": {
			repo.Receipt{Change: "01X", Rows: []repo.Row{row}},
			"", "wrote MEMORY.md (change 01X)\n",
		},
		"two files, and what else happened": {
			repo.Receipt{
				Change: "01X", Rows: []repo.Row{archive, row}, Outside: []repo.ChangeID{"01W"}, Redacted: 2,
				Moved: []string{"- old\n  and more"}, Notes: []string{"a stale lock was taken away"},
			},
			"",
			"wrote memory/archive.md, MEMORY.md (change 01X)\ntook in 1 edit made outside first\nmasked 2 credentials before it was kept\n" +
				"  moved: - old\nnote: a stale lock was taken away\n",
		},
		"a message for the bot is one for the person": {
			repo.Receipt{Change: "01X", Rows: []repo.Row{row}, Redacted: 1, Message: "To make room, 5 entries moved.", Moved: []string{"a", "b", "c", "d", "e"}},
			"",
			"wrote MEMORY.md (change 01X)\nTo make room, 5 entries moved.\n  moved: a\n  moved: b\n  moved: c\n  and 2 more\n",
		},
		"many files": {
			repo.Receipt{Change: "01X", Rows: []repo.Row{{Path: "a"}, {Path: "b"}, {Path: "c"}, {Path: "d"}, {Path: "e"}}},
			"", "wrote a, b, c and 2 more (change 01X)\n",
		},
		"nothing":       {repo.Receipt{}, "", "nothing to change\n"},
		"known":         {repo.Receipt{Known: true}, "", "already known, nothing is added\n"},
		"dry run":       {repo.Receipt{DryRun: true, Rows: []repo.Row{row}}, row.Diff + "\n", "would change MEMORY.md (dry run, nothing is written)\n"},
		"empty dry run": {repo.Receipt{DryRun: true}, "", "nothing to change\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHarness(nil)
			if err := h.env.tell(tt.r, "wrote"); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.out, h.out.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.words, h.err.String()); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	list := []repo.Finding{
		{Level: "note", Where: "git", What: "is old"},
		{Level: "error", Where: "MEMORY.md", What: "a link stands\nthere", Fix: "rm MEMORY.md"},
	}
	h := newHarness(nil)
	err := h.env.verdict(list)
	if got := exitOf(err); got != exitFound {
		t.Errorf("exit %d, want %d", got, exitFound)
	}
	want := "note      git: is old\nerror     MEMORY.md: a link stands there\n          fix: rm MEMORY.md\n"
	if diff := cmp.Diff(want, h.out.String()); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if err := newHarness(nil).env.verdict(list[:1]); err != nil {
		t.Errorf("notes alone give %v, want no error", err)
	}
}

func TestBar(t *testing.T) {
	now := noon
	h := newHarness(nil)
	h.env.Now = func() time.Time { return now }
	b := h.env.bar("verify")
	b.step(1, 2)
	b.done()
	if h.err.Len() > 0 {
		t.Errorf("without a terminal it drew %q", h.err.String())
	}
	h.env.ErrTerm = true
	b = h.env.bar("verify")
	b.step(1, 4)
	b.step(2, 4) // too soon to be worth drawing
	now = now.Add(time.Second)
	b.step(3, 4)
	b.step(4, 4)
	b.done()
	drawn := strings.Split(strings.TrimPrefix(h.err.String(), "\r"), "\r")
	want := []string{
		"verify [" + strings.Repeat("=", 7) + strings.Repeat(" ", 23) + "] 1/4",
		"verify [" + strings.Repeat("=", 22) + strings.Repeat(" ", 8) + "] 3/4",
		"verify [" + strings.Repeat("=", 30) + "] 4/4",
		"\x1b[K",
	}
	if diff := cmp.Diff(want, drawn); diff != "" {
		t.Errorf("bar (-want +got):\n%s", diff)
	}
}
