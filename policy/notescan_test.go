package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/markdown"
)

// What belongs to a note goes with it, in a forget as in an erasure, and no line that
// marks something stays without what it marks.
func TestNotesGoWhole(t *testing.T) {
	const entry = "- 2026-09-10 · Dog is Luna\n"
	tests := []struct{ name, text, want string }{
		{"a second paragraph of an entry", entry + "\n  black, with a white paw\n- 2026-09-11 · Tea\n", "- 2026-09-11 · Tea\n"},
		{"which alone tells it", "- 2026-09-10 · The dog\n\n  is Luna\n\nStays.\n", "\nStays.\n"},
		{"over several blank lines, and a nested block", entry + "  small\n\n\n  ```\n  chip 5\n\n  6\n  ```\n\n  more\n\nStays.\n", "\nStays.\n"},
		{"a bullet under it after a blank line", entry + "\n  - fish\n\n    raw\n\n- 2026-09-11 · Tea\n", "\n- 2026-09-11 · Tea\n"},
		{"that tells it by itself", "- 2026-09-10 · The dog\n\n  - Luna\n\n    raw\n\n  - fish\n", "- 2026-09-10 · The dog\n\n\n  - fish\n"},
		{"code under it", entry + "\n      chip 5\n\nStays.\n", "\nStays.\n"},
		{"a tab", entry + "\n\tblack\nStays.\n", "Stays.\n"},
		{"what is indented less than its text does not", entry + "\n black\n", "\n black\n"},
		{"a bullet by hand", "* Luna\n\n  black\n* tea\n\n  green\n", "* tea\n\n  green\n"},
		{"a number", "1. tea\n2. Luna\n\n   black\n\n  not hers\n", "1. tea\n\n  not hers\n"},
		{"a wide mark", "-   Luna\n\n    black\n\n  not hers\n", "\n  not hers\n"},
		{"a bullet under a bullet", "- pets\n\n  - Luna\n\n    black\n\n  - Rex\n", "- pets\n\n\n  - Rex\n"},
		{"the paragraph of another", "- tea\n\n  green\n- Luna\n", "- tea\n\n  green\n"},
		{"CRLF", "- 2026-09-10 · Dog is Luna\r\n\r\n  black\r\n- tea\r\n", "- tea\r\n"},
		{"an open end", "- tea\n" + entry + "\n  black", "- tea\n"},

		{"lines that are underlined as a whole", "Tea.\n\nLuna\nis black\n===\nStays.\n", "Tea.\n\nStays.\n"},
		{"a line under what is before", "Tea.\n" + entry + "---\nStays.\n", "Tea.\n\n---\nStays.\n"},
		{"after several notes", "Tea.\n" + entry + "* Luna\n---\n", "Tea.\n\n---\n"},
		{"a line under a bullet is no underline", "- tea\n" + entry + "---\n", "- tea\n---\n"},
		{"a quotation has none", "> Luna\n---\n", "---\n"},
		{"a rule of stars", "Luna\n***\n", "***\n"},

		{"a row without bars at its ends", "who | what\n--- | ---\nLuna | dog\nRex | cat\n\nTea | green\n", "who | what\n--- | ---\nRex | cat\n\nTea | green\n"},
		{"a row of one cell", "| who |\n|-|\n| Rex |\nLuna\nTea\n", "| who |\n|-|\n| Rex |\nTea\n"},
		{"a table behind a paragraph", "Luna\nwho | what\n--- | ---\nRex | cat\n", "who | what\n--- | ---\nRex | cat\n"},

		{"a comment with a blank line", "<!-- Luna\n\nblack -->\nStays.\n", "Stays.\n"},
		{"told at its end", "Tea.\n<!--\nblack\n\nLuna -->\n", "Tea.\n"},
		{"one that does not end", "<!-- Luna\n\nblack\n", "\nblack\n"},
		{"one around notes", "<!--\n" + entry + "- 2026-09-11 · Tea\n-->\n", "<!--\n- 2026-09-11 · Tea\n-->\n"},
		{"one on a line", "<!-- Luna -->\n\nStays.\n", "\nStays.\n"},

		{"a footnote", "Tea[^1] and milk[^2].\n\n[^1]: Luna\n    black\n\n    and white\n[^2]: Rex\n", "Tea[^1] and milk[^2].\n\n[^2]: Rex\n"},
		{"where a link goes", "[tea]: https://a.example\n[dog]: https://b.example\n  \"Luna\"\n[cat]: https://c.example\n", "[tea]: https://a.example\n[cat]: https://c.example\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := erasing(t, "Luna").File("memory/x.md", []byte(tt.text))
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("erased (-want +got):\n%s", diff)
			}
			plan := Forget(map[string][]byte{MemoryFile: []byte(tt.text)}, phrases(t, "Luna"), today(t))
			if len(plan.Edits) != 1 || len(plan.Left) > 0 {
				t.Fatalf("forgot %+v", plan)
			}
			if diff := cmp.Diff(tt.want, string(plan.Edits[0].Text)); diff != "" {
				t.Errorf("forgotten (-want +got):\n%s", diff)
			}
		})
	}
}

// Headings that are underlined, heads of tables and the edges of a comment around notes
// stay as other headings do.
func TestHeadsStay(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		left             int
	}{
		{"underlined", "Tea.\n\nLuna and I\n---\nStays.\n", "Tea.\n\n«erased» and I\n---\nStays.\n", 3},
		{"twice", "Luna\n=\n", "«erased»\n=\n", 1},
		{"head of a table", "Luna | what\n--- | ---\nRex | cat\n", "«erased» | what\n--- | ---\nRex | cat\n", 1},
		{"a short rule", "| Luna |\n|-|\n", "| «erased» |\n|-|\n", 1},
		{"a comment around notes", "<!-- Luna\n- tea\n-->\n", "<!-- «erased»\n- tea\n-->\n", 1},
		{"and its end", "<!--\n- tea\n\nLuna -->\n", "<!--\n- tea\n\n«erased» -->\n", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := erasing(t, "Luna")
			got, _ := e.File("memory/x.md", []byte(tt.text))
			if string(got) != tt.want || e.Found(got) {
				t.Errorf("erased %q", got)
			}
			plan := Forget(map[string][]byte{MemoryFile: []byte(tt.text)}, phrases(t, "Luna"), today(t))
			if diff := cmp.Diff([]string{placeName(MemoryFile, tt.left)}, plan.Left); diff != "" || len(plan.Edits) > 0 {
				t.Errorf("forgot %+v\n%s", plan, diff)
			}
		})
	}
}

// The fact of a bullet is what stands before the first blank line.
func TestEraseFactWithParagraph(t *testing.T) {
	got, copies := EraseFacts([]string{"Dog is Luna"}).File("MEMORY.md", []byte("- Dog is Luna\n\n  black\n- 2026-09-01 · Dog is Luna\n\n  white\n- tea\n"))
	if string(got) != "- tea\n" || copies != 2 {
		t.Errorf("%d copies, %q", copies, got)
	}
}

func TestHostileNotesAreFast(t *testing.T) {
	for name, text := range map[string]string{
		"comments":       strings.Repeat("<!--\n", 20_000),
		"comments round": strings.Repeat("<!--\n", 20_000) + "- a\n-->\n",
		"blank lines":    strings.Repeat("- 2026-09-10 · a\n\n", 20_000),
		"bars":           strings.Repeat("|-", 20_000) + "\n" + strings.Repeat("a | b\n", 20_000),
		"footnotes":      strings.Repeat("[^1]: a\n", 20_000),
	} {
		start := time.Now()
		n := len(noteSpans(markdown.Parse("", []byte(text))))
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s: %d notes in %v, want less than 2s", name, n, took)
		}
	}
}
