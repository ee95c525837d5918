package panel

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

// marked writes a difference with what changed in brackets.
func marked(lines []diffLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(map[string]string{"add": "+", "del": "-", "same": " ", "gap": "~", "note": "!"}[l.Kind])
		for _, s := range l.Spans {
			if s.Changed {
				b.WriteString("[" + s.Text + "]")
			} else {
				b.WriteString(s.Text)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestParseDiff(t *testing.T) {
	tests := map[string]struct{ before, after, want string }{
		"one word":       {"the office is in Pune\n", "the office is in Mumbai\n", "-the office is in [Pune]\n+the office is in [Mumbai]\n"},
		"added":          {"a\n", "a\nb\n", " a\n+b\n"},
		"removed":        {"a\nb\n", "a\n", " a\n-b\n"},
		"another line":   {"one two three four\n", "something else altogether\n", "-one two three four\n+something else altogether\n"},
		"like a header":  {"-- a/x\n", "++ b/x\n", "-[--] [a]/x\n+[++] [b]/x\n"},
		"no spaces":      {"住在浦那市\n", "住在孟买市\n", "-住在[浦那]市\n+住在[孟买]市\n"},
		"a mark kept on": {"été chaud\n", "été froid\n", "-été [chaud]\n+été [froid]\n"},
		"two places":     {"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n", "-a\n+A\n 1\n 2\n~\n 5\n 6\n-b\n+B\n"},
		"nothing":        {"a\n", "a\n", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text, _, _ := markdown.Diff("MEMORY.md", []byte(tt.before), []byte(tt.after))
			if diff := cmp.Diff(tt.want, marked(parseDiff(text, 0))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDiffLosesNothing: the lines of each side are there again, however the words are marked.
func TestDiffLosesNothing(t *testing.T) {
	line := rapid.StringOfN(rapid.SampledFrom([]rune("ab Pune,.-+@市é\u0301 ")), 0, 30, -1)
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(rapid.SliceOfN(line, 1, 6).Draw(t, "before"), "\n") + "\n"
		after := strings.Join(rapid.SliceOfN(line, 1, 6).Draw(t, "after"), "\n") + "\n"
		text, added, removed := markdown.Diff("MEMORY.md", []byte(before), []byte(after))
		var gone, came []string
		for _, l := range parseDiff(text, 0) {
			var whole strings.Builder
			for _, s := range l.Spans {
				whole.WriteString(s.Text)
			}
			switch l.Kind {
			case "del":
				gone = append(gone, whole.String())
			case "add":
				came = append(came, whole.String())
			}
		}
		if len(gone) != removed || len(came) != added {
			t.Fatalf("%d removed and %d added, want %d and %d", len(gone), len(came), removed, added)
		}
		for side, lines := range map[string][]string{before: gone, after: came} {
			for _, l := range lines {
				if !strings.Contains("\n"+side, "\n"+l+"\n") {
					t.Fatalf("%q is no line of %q", l, side)
				}
			}
		}
	})
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "evil\u202egnp.exe": "evil[U+202E]gnp.exe", "a\u2066b\u2069": "a[U+2066]b[U+2069]", "nul\x00": "nul\u2400", "esc\x1b[31m": "esc\u241b[31m",
		"c1\u0085": "c1[U+0085]", "tab\tand\nline": "tab\tand\nline", "שלום\u200f": "שלום\u200f", "👩\u200d👧": "👩\u200d👧",
	} {
		if got := visible(text); got != want {
			t.Errorf("visible(%q) = %q, want %q", text, got, want)
		}
	}
}
