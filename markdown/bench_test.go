package markdown

import (
	"fmt"
	"strings"
	"testing"
)

var benchSizes = []int{10, 1_000, 100_000}

func benchFile(n int) []byte {
	var b strings.Builder
	b.WriteString("---\ntitle: Notes\naliases: [a, b]\n---\n\n")
	for i := range n {
		fmt.Fprintf(&b, "- 2026-09-%02d · from chat \"Plans\" · fact number %d of the person's notes\n", i%30+1, i)
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for _, n := range benchSizes {
		text := benchFile(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Parse("memory/x.md", text)
			}
		})
	}
}

func BenchmarkPatch(b *testing.B) {
	for _, n := range benchSizes {
		from := benchFile(n)
		to := Parse("", from).InsertUnit(n/2, "- 2026-10-01 · one more")
		onto := Parse("", Parse("", from).Append("- 2026-10-02 · and another")).ReplaceUnit(5, "- 2026-10-03 · another first")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Patch(from, to, onto)
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	for _, n := range benchSizes {
		from := benchFile(n)
		to := Parse("", from).Append("- 2026-10-02 · and another")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Diff("memory/x.md", from, to)
			}
		})
	}
}
