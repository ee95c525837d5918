package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	tests := []struct {
		name, before, after, want string
		added, removed            int
	}{
		{"change and add", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "one\ntwo\nthree\nFOUR\nfive\nsix\nseven\neight\n", "@@ -2,6 +2,7 @@\n two\n three\n-four\n+FOUR\n five\n six\n seven\n+eight", 2, 1},
		{"created", "", "new\n", "@@ -0,0 +1,1 @@\n+new", 1, 0},
		{"emptied", "gone\n", "", "@@ -1,1 +0,0 @@\n-gone", 0, 1},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n", "@@ -1,2 +1,3 @@\n+0\n 1\n 2\n@@ -6,2 +7,3 @@\n 6\n 7\n+8", 2, 0},
		{"open end", "a", "a\nb", "@@ -1,1 +1,2 @@\n a\n+b", 1, 0},
		{"CRLF", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, added, removed := Diff("memory/x.md", []byte(tt.before), []byte(tt.after))
			if diff := cmp.Diff("--- a/memory/x.md\n+++ b/memory/x.md\n"+tt.want, text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if added != tt.added || removed != tt.removed {
				t.Errorf("added %d removed %d, want %d and %d", added, removed, tt.added, tt.removed)
			}
		})
	}
	for _, same := range [][2]string{{"a\nb\n", "a\nb\n"}, {"a", "a\n"}, {"", ""}} {
		if text, added, removed := Diff("x", []byte(same[0]), []byte(same[1])); text != "" || added+removed != 0 {
			t.Errorf("Diff(%q, %q) = %q, %d, %d, want nothing", same[0], same[1], text, added, removed)
		}
	}
}

func TestLongDiffIsCut(t *testing.T) {
	before := strings.Repeat(strings.Repeat("ä", 99)+"\n", 200)
	text, added, removed := Diff("x", []byte(before), nil)
	all := strings.Split(text, "\n")
	if got, want := all[len(all)-1], fmt.Sprintf("… %d more lines", 203-(len(all)-1)); got != want {
		t.Errorf("last line = %q, want %q", got, want)
	}
	if n := len([]rune(strings.Join(all[:len(all)-1], "\n"))); n > 8000 || n < 7800 {
		t.Errorf("%d characters are shown, want about 8,000", n)
	}
	if added != 0 || removed != 200 {
		t.Errorf("added %d removed %d, want 0 and 200", added, removed)
	}
}

// TestDiffApplies rebuilds the second text from the first and the difference.
func TestDiffApplies(t *testing.T) {
	texts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "", "- x", "+ y"}), 0, 20)
	rapid.Check(t, func(t *rapid.T) {
		before, after := texts.Draw(t, "before"), texts.Draw(t, "after")
		text, added, removed := Diff("x", []byte(lines(before...)), []byte(lines(after...)))
		var got []string
		at, plus, minus := 0, 0, 0
		for line := range strings.SplitSeq(text, "\n") {
			switch {
			case line == "" || strings.HasPrefix(line, "--- a/") || strings.HasPrefix(line, "+++ b/"):
			case strings.HasPrefix(line, "@@"):
				var first, n, to, m int
				if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &first, &n, &to, &m); err != nil {
					t.Fatalf("hunk %q: %v", line, err)
				}
				if n > 0 {
					first--
				}
				got = append(got, before[at:first]...)
				at = first
				if m > 0 && to != len(got)+1 || m == 0 && to != len(got) {
					t.Fatalf("hunk %q begins at line %d of the new text", line, len(got)+1)
				}
			case line[0] == '+':
				got = append(got, line[1:])
				plus++
			case line[0] == '-':
				at++
				minus++
			default:
				got = append(got, line[1:])
				at++
			}
		}
		got = append(got, before[at:]...)
		if lines(got...) != lines(after...) || plus != added || minus != removed {
			t.Fatalf("applied = %q, want %q; +%d -%d in\n%s", got, after, added, removed, text)
		}
	})
}

func TestPairs(t *testing.T) {
	type pair struct {
		Kind          PairKind
		Before, After string
	}
	tests := []struct {
		name, before, after string
		want                []pair
	}{
		{"added, removed, changed", lines(tea, office, dog), lines(officeB, dog, trip), []pair{{Removed, tea, ""}, {Changed, office, officeB}, {Added, "", trip}}},
		{"struck pairs by its fact", lines(office, tea), lines("- 2026-09-02 · ~~Office is in City A~~ · superseded 2026-09-09", tea, officeB), []pair{{Changed, office, "- 2026-09-02 · ~~Office is in City A~~ · superseded 2026-09-09"}, {Added, "", officeB}}},
		{"unlike is no change", lines(tea), lines(trip), []pair{{Removed, tea, ""}, {Added, "", trip}}},
		{"blank lines are not listed", lines(tea, "", ""), lines("", tea), nil},
		{"line ends are no change", "a\r\nb\r\n", "a\nb\n", nil},
		{"moved", lines(tea, office, dog), lines(office, dog, tea), []pair{{Removed, tea, ""}, {Added, "", tea}}},
		{"dates and sources are no likeness", lines(`- 2026-09-01 · from chat "Plans for May" · Likes tea`), lines(`- 2026-09-01 · from chat "Plans for May" · Owns boats`), []pair{{Removed, `- 2026-09-01 · from chat "Plans for May" · Likes tea`, ""}, {Added, "", `- 2026-09-01 · from chat "Plans for May" · Owns boats`}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []pair
			for _, p := range Pairs([]byte(tt.before), []byte(tt.after)) {
				one := pair{Kind: p.Kind()}
				if p.Before != nil {
					one.Before = string(p.Before.Raw)
				}
				if p.After != nil {
					one.After = string(p.After.Raw)
				}
				got = append(got, one)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("pairs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAlignIsADifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gen := rapid.SliceOfN(rapid.Int32Range(0, 30), 0, 300)
		a, b := gen.Draw(t, "a"), gen.Draw(t, "b")
		match := matches(len(a), align(a, b))
		last := -1
		for i, j := range match {
			if j < 0 {
				continue
			}
			if j <= last || a[i] != b[j] {
				t.Fatalf("element %d is matched with %d: %v", i, j, match)
			}
			last = j
		}
	})
}
