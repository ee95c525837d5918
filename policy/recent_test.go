package policy

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRecent(t *testing.T) {
	two := []RecentFact{{"Has a cat named Luna", "pets", 2}, {"Has a dog\nnamed Luna", "pets", 1}, {" ", "pets", 3}}
	want := "- Has a dog named Luna [pets]\n- Has a cat named Luna [pets]\n(The newest 2 of 2 facts, in 1 topic: pets (2). Nothing is left out. Look up what is in a topic with recall.)\n"
	if got := Recent(two, RecentRules{}); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	want = "- Has a cat named Luna [pets]\n(The newest 1 of 2 facts, in 1 topic: pets (2). The others are kept as well: find them with memory_recall.)\n"
	if got := Recent(two, RecentRules{Facts: 1, Tool: "memory_recall"}); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := Recent(nil, RecentRules{}); got != "" {
		t.Errorf("no facts give %q", got)
	}
	if got := Recent([]RecentFact{{"- Likes tea ## Topics", "a]\n# b", 1}}, RecentRules{}); !strings.HasPrefix(got, "- Likes tea ## Topics [a # b]\n(") {
		t.Errorf("a hostile fact gives %q", got)
	}
}

func TestFactLine(t *testing.T) {
	tests := []struct {
		fact  string
		runes int
		want  string
	}{
		{"Likes tea", 400, "Likes tea"},
		{"Likes tea and more", 12, "Likes tea…"},
		{"Donaudampfschiff", 6, "Donau…"},
		{"Likes\r\n\r\n# tea\u2028now", 400, "Likes # tea now"},
		{"日本語のながいぶん", 4, "日本語…"},
		{"Likes tea", 0, "Likes tea"},
	}
	for _, tc := range tests {
		if got := FactLine(tc.fact, tc.runes); got != tc.want {
			t.Errorf("%q at %d: %q, want %q", tc.fact, tc.runes, got, tc.want)
		}
	}
}

// The block has one line a fact, the newest of them, within the bound, and counts them all.
func TestRecentLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "facts")
		var list []RecentFact
		for i := range n {
			list = append(list, RecentFact{Fact: fmt.Sprintf("fact %d %s", i, rapid.String().Draw(t, "fact")), Topic: rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "topic"), Order: int64(i)})
		}
		text := Recent(list, RecentRules{Runes: 30, Topics: 2})
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if want := min(n, RecentFacts) + 1; len(lines) != want {
			t.Fatalf("%d lines, want %d:\n%s", len(lines), want, text)
		}
		for i, line := range lines[:len(lines)-1] {
			if at := n - min(n, RecentFacts) + i; !strings.HasPrefix(line, fmt.Sprintf("- fact %d", at)) {
				t.Fatalf("line %d is %q", i, line)
			}
			if utf8.RuneCountInString(line) > len("- ")+30+len(" [general]") {
				t.Fatalf("%q is too long", line)
			}
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, fmt.Sprintf("of %d fact", n)) {
			t.Fatalf("the pointer is %q", last)
		}
	})
}
