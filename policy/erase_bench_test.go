package policy

import (
	"fmt"
	"strings"
	"testing"

	"quipu/markdown"
)

func bigTopic(tell bool) []byte {
	var b strings.Builder
	b.WriteString("# Topic\n\n")
	for i := range 600 {
		fmt.Fprintf(&b, "- 2026-09-%02d · from chat \"Plans %d\" · The person said that number %d of their plans is to walk along the river and then home\n", i%28+1, i%7, i)
		if tell && i == 300 {
			b.WriteString("- 2026-09-12 · Persimmon is the lover\n")
		}
	}
	return []byte(b.String())
}

func BenchmarkEraseFile(b *testing.B) {
	for _, tell := range []bool{false, true} {
		text := bigTopic(tell)
		b.Run(fmt.Sprint(tell), func(b *testing.B) {
			p, _ := ParsePhrases([]string{"Persimmon"})
			e := EraseWords(p, nil)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				e.File("", text)
			}
		})
	}
	b.Run("parse", func(b *testing.B) {
		text := bigTopic(true)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			markdown.Parse("", text)
		}
	})
}
