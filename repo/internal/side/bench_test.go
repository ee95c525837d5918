package side

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// long is a history of n changes: 20 topics of about 2.5 KB and a MEMORY.md of
// 120 entries, one file a change.
func long(tb testing.TB, n int) *story {
	tb.Helper()
	s := newStory(tb)
	files := map[string][]string{}
	commits := make([]told, 0, n)
	for i := range n {
		path, most := fmt.Sprintf("memory/topic-%d.md", i%20), 30
		if i%3 == 0 {
			path, most = "MEMORY.md", 120
		}
		entry := fmt.Sprintf("- 2026-09-%02d · from chat \"Plans %d\" · fact number %d about tea, dogs and trains\n", i%28+1, i%50, i)
		if len(files[path]) >= most {
			files[path] = files[path][1:]
		}
		if k := len(files[path]); i%5 == 4 && k > 0 { // every fifth change edits what it finds
			files[path][k/2] = strings.Replace(files[path][k/2], "about", fmt.Sprintf("(%d) about", i), 1)
		} else {
			files[path] = append(files[path], entry)
		}
		pairs := []string{"Memory-Action", "update", "Memory-Source", `chat "Plans"`}
		if i%50 == 49 {
			pairs = []string{"Memory-Action", "undo", "Memory-Undoes", ulid(i - 1)}
		}
		commits = append(commits, told{message: ours(fmt.Sprintf("update: fact number %d", i), ulid(i), pairs...), files: map[string]string{path: strings.Join(files[path], "")}})
	}
	s.tell(tb, commits...)
	return s
}

// size is how long a history the benchmarks read: SIDE_BENCH_CHANGES, 5,000 unless said.
func size(b *testing.B) int {
	n := 5000
	if said := os.Getenv("SIDE_BENCH_CHANGES"); said != "" {
		if _, err := fmt.Sscan(said, &n); err != nil {
			b.Fatal(err)
		}
	}
	return n
}

func BenchmarkIndex(b *testing.B) {
	ctx := context.Background()
	n := size(b)
	s := long(b, n)
	head := s.hashes[n-1]
	dir := b.TempDir()
	x := open(b, dir)
	mustSync(b, x, s, head)
	b.Run("build", func(b *testing.B) {
		built := ""
		for b.Loop() {
			built = b.TempDir()
			x := open(b, built)
			mustSync(b, x, s, head)
			if err := x.Close(); err != nil {
				b.Fatal(err)
			}
		}
		if fi, err := os.Stat(filepath.Join(built, fileName)); err == nil {
			b.ReportMetric(float64(fi.Size())/float64(n), "disk-B/change")
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/change")
	})
	check := func(b *testing.B, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			y, err := Open(dir, nil)
			check(b, err)
			check(b, y.Close())
		}
	})
	b.Run("sync-nothing", func(b *testing.B) {
		for b.Loop() {
			mustSync(b, x, s, head)
		}
	})
	newest := func(f Filter) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				if got, err := x.Newest(ctx, f); err != nil || len(got) == 0 {
					b.Fatal(len(got), err)
				}
			}
		}
	}
	b.Run("newest-50", newest(Filter{}))
	b.Run("newest-50-deep", newest(Filter{BeforePos: int64(n / 2)}))
	b.Run("path-50", newest(Filter{Path: "memory/topic-7.md"}))
	b.Run("path-50-of-MEMORY", newest(Filter{Path: "MEMORY.md", BeforePos: int64(n / 2)}))
	b.Run("since", newest(Filter{Since: day0.AddDate(0, 0, 1), Limit: 50}))
	b.Run("until", newest(Filter{Until: day0.AddDate(0, 0, 1), Limit: 50}))
	b.Run("action", newest(Filter{Action: "undo"}))
	b.Run("words-oldest", newest(Filter{Words: []string{"number 3 about"}}))
	b.Run("id", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, err := x.ByID(ctx, ulid(i*7919%n))
			check(b, err)
		}
	})
	b.Run("prefix", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, err := x.ByID(ctx, s.hashes[i*7919%n].String()[:14])
			check(b, err)
		}
	})
	b.Run("at-time", func(b *testing.B) {
		for b.Loop() {
			_, err := x.AtTime(ctx, day0.AddDate(0, 0, 3))
			check(b, err)
		}
	})
	b.Run("undoable", func(b *testing.B) {
		for b.Loop() {
			_, err := x.Undoable(ctx, []string{"log"})
			check(b, err)
		}
	})
	newestText := func() []byte {
		c, err := x.Newest(ctx, Filter{Path: "MEMORY.md", Limit: 1})
		check(b, err)
		text, err := s.repo.Blob(c[0].Files[0].After)
		check(b, err)
		return text
	}
	text := newestText()
	b.Run("blame-120", func(b *testing.B) {
		for b.Loop() {
			got, err := x.Taught(ctx, "MEMORY.md", text)
			check(b, err)
			if len(got) < 100 || !got[0].Known {
				b.Fatalf("%d origins", len(got))
			}
		}
	})
	b.Run("followed", func(b *testing.B) {
		raw := reworded(text)
		for b.Loop() {
			got, err := x.Followed(ctx, "MEMORY.md", raw)
			check(b, err)
			if len(got) < 2 {
				b.Fatalf("%d passages", len(got))
			}
		}
	})
	b.Run("sync-one", func(b *testing.B) {
		i := 0
		for b.Loop() {
			if i++; i >= n/2 {
				i = 1
			}
			if i == 1 {
				b.StopTimer()
				mustSync(b, x, s, s.hashes[n/2])
				b.StartTimer()
			}
			mustSync(b, x, s, s.hashes[n/2+i])
		}
	})
}

// reworded is a line of a text that was edited since it was written.
func reworded(text []byte) []byte {
	for line := range bytes.Lines(text) {
		if bytes.Contains(line, []byte(") about")) {
			return bytes.TrimSpace(line)
		}
	}
	return nil
}
