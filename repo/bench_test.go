package repo

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"quipu/policy"
)

// topicLab is a bot with so many topics of about 2.5 KB.
func topicLab(b *testing.B, topics int) *lab {
	b.Helper()
	l := newLab(b)
	for i := range topics {
		var text strings.Builder
		fmt.Fprintf(&text, "---\ntitle: topic %d\n---\n\n", i)
		for n := range 35 {
			fmt.Fprintf(&text, "- 2026-01-%02d · from chat \"Setup\" · fact %d of topic %d\n", n%28+1, n, i)
		}
		l.put(fmt.Sprintf("memory/topic-%d.md", i), text.String())
	}
	if _, err := l.w.TakeIn(b.Context(), ada.Author); err != nil {
		b.Fatal(err)
	}
	if err := l.w.git.Checkpoint(b.Context()); err != nil {
		b.Fatal(err)
	}
	return l
}

// median gives the middle of some times in milliseconds.
func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Microseconds()) / 1000
}

// floor is one small synced file, put in place by a rename: less cannot be durable.
func floor(b *testing.B, dir string) time.Duration {
	b.Helper()
	start := time.Now()
	tmp := filepath.Join(dir, "floor.tmp")
	f, err := os.Create(tmp)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := f.WriteString(strings.Repeat("x", 300)); err != nil {
		b.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, "floor")); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// byGit is the same change made with git, as durable.
func byGit(b *testing.B, dir string, i int) time.Duration {
	b.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "memory", "topic-1.md"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Fprintf(f, "- 2026-01-01 · fact %d\n", i)
	_ = f.Close()
	start := time.Now()
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-qm", "x"}} {
		cmd := exec.CommandContext(b.Context(), "git", append([]string{"-C", dir, "-c", "core.fsync=all", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v %s", err, out)
		}
	}
	return time.Since(start)
}

// BenchmarkUpdate: one durable change, against the floor and git in the same run.
func BenchmarkUpdate(b *testing.B) {
	for _, topics := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("topics-%d", topics), func(b *testing.B) {
			l := topicLab(b, topics)
			other := filepath.Join(b.TempDir(), "git")
			if out, err := exec.CommandContext(b.Context(), "cp", "-r", l.dir, other).CombinedOutput(); err != nil {
				b.Fatalf("%v %s", err, out)
			}
			_ = os.Remove(filepath.Join(other, ".git"))
			if out, err := exec.CommandContext(b.Context(), "git", "init", "-q", other).CombinedOutput(); err != nil {
				b.Fatalf("%v %s", err, out)
			}
			byGit(b, other, -1)
			var ours, floors, gits []time.Duration
			for b.Loop() {
				i := len(ours)
				start := time.Now()
				l.update(policy.Update{Action: policy.Append, Topic: fmt.Sprintf("topic %d", i%topics), Text: fmt.Sprintf("new fact %d", i)})
				ours = append(ours, time.Since(start))
				if i%4 == 0 {
					floors = append(floors, floor(b, l.home))
					gits = append(gits, byGit(b, other, i))
				}
			}
			b.ReportMetric(median(ours), "ms/change")
			b.ReportMetric(median(ours)/median(floors), "x-floor")
			b.ReportMetric(median(ours)/median(gits), "of-git")
		})
	}
}

// BenchmarkBudget: an update that moves ten entries to the archive, of one that moves
// none.
func BenchmarkBudget(b *testing.B) {
	block := "The steps:\n```sh\n" + strings.Repeat("step\n", 7) + "```" // ten lines with its bullet
	text := func(i int) string { return strings.Replace(block, "steps", fmt.Sprintf("steps of run %d", i), 1) }
	loose, tight := newLab(b), newLab(b)
	var ratios []float64
	for i := 0; b.Loop(); i++ {
		for _, l := range []*lab{loose, tight} { // as full an archive each time
			l.save("memory/archive.md", full(60))
		}
		loose.save("MEMORY.md", "# Memory\n"+full(100))
		tight.save("MEMORY.md", "# Memory\n"+full(199))
		start := time.Now()
		loose.append(text(i))
		none := time.Since(start)
		start = time.Now()
		r := tight.append(text(i))
		if len(r.Moved) != 10 {
			b.Fatalf("moved %d entries, want 10", len(r.Moved))
		}
		ratios = append(ratios, float64(time.Since(start))/float64(none))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "moving/not")
}

const longTopics = 500

// longLab is a bot whose history has QUIPU_BENCH_COMMITS changes (50,000), each of
// which taught one entry; MEMORY.md has 120.
func longLab(b *testing.B) (l *lab, ids []string) {
	b.Helper()
	commits := 50_000
	if n, err := strconv.Atoi(os.Getenv("QUIPU_BENCH_COMMITS")); err == nil && n > 0 {
		commits = n
	}
	if testing.Short() {
		b.Skipf("makes a history of %d commits; run without -short, or with QUIPU_BENCH_COMMITS smaller", commits)
	}
	l = newLab(b)
	l.must(Receipt{}, l.store.Close())
	cmd := exec.CommandContext(b.Context(), "git", "--git-dir", filepath.Join(l.home, historyDir, "scout.git"), "fast-import", "--quiet", "--force")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ids = writeHistory(b, bufio.NewWriterSize(in, 1<<20), commits)
	if err := in.Close(); err != nil {
		b.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	l.git("reset", "-q", "--hard", "main")
	l.clock.set(noon.Add(time.Duration(commits) * time.Minute))
	l.open()
	l.use("scout")
	start := time.Now()
	l.rows(Query{Limit: 1})
	b.Logf("the index of %d commits was built in %v", commits, time.Since(start))
	l.append("the history that git wrote is taken over")
	time.Sleep(5 * time.Second) // so long quipu leaves gaps for another git that it met
	return l, ids
}

// writeHistory writes commits as git fast-import reads them and gives their ids.
func writeHistory(b *testing.B, w *bufio.Writer, commits int) []string {
	b.Helper()
	topics := make([]strings.Builder, longTopics)
	var ids, memory []string
	for i := range commits {
		at := noon.Add(time.Duration(i) * time.Minute)
		id := ulid.MustNew(ulid.Timestamp(at), strings.NewReader(fmt.Sprintf("%010d", i))).String()
		ids = append(ids, id)
		entry := fmt.Sprintf("- 2026-09-12 · from chat \"Long\" · taught as number %d\n", i)
		path, text := policy.MemoryFile, ""
		if i%50 == 0 {
			if memory = append(memory, entry); len(memory) > 120 {
				memory = memory[1:]
			}
			text = "# Memory\n\n" + strings.Join(memory, "")
		} else {
			t := &topics[i%longTopics]
			if t.Len() == 0 {
				fmt.Fprintf(t, "---\ntitle: long %d\n---\n\n", i%longTopics)
			}
			t.WriteString(entry)
			path, text = fmt.Sprintf("memory/long-%d.md", i%longTopics), t.String()
		}
		msg := fmt.Sprintf("update: taught as number %d\n\nMemory-Author: bot scout\nMemory-Source: chat \"Long\"\nMemory-Action: update\nMemory-Via: turn\nMemory-Change: %s\n", i, id)
		fmt.Fprintf(w, "commit refs/heads/main\nauthor scout <scout@bots.invalid> %d +0000\ncommitter quipu <quipu@localhost> %d +0000\ndata %d\n%s", at.Unix(), at.Unix(), len(msg), msg)
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return ids
}

// BenchmarkLongHistory: what a person waits for when the history is long.
func BenchmarkLongHistory(b *testing.B) {
	l, ids := longLab(b)
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("newest-50", func(b *testing.B) {
		for b.Loop() {
			l.rows(Query{})
		}
	})
	b.Run("path-50", func(b *testing.B) {
		for b.Loop() {
			l.rows(Query{Path: "memory/long-7.md"})
		}
	})
	b.Run("path-memory-50", func(b *testing.B) {
		for b.Loop() {
			l.rows(Query{Path: policy.MemoryFile})
		}
	})
	b.Run("show-by-id", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i = (i + 7919) % len(ids)
			_, err := l.w.Show(b.Context(), ids[i])
			must(err)
		}
	})
	b.Run("blame-120", func(b *testing.B) {
		for b.Loop() {
			_, err := l.w.Blame(b.Context(), policy.MemoryFile)
			must(err)
		}
	})
	b.Run("at-date", func(b *testing.B) {
		for b.Loop() {
			_, err := l.w.At(b.Context(), policy.MemoryFile, "2026-09-13")
			must(err)
		}
	})
	b.Run("update", func(b *testing.B) {
		var ours, floors []time.Duration
		for i := 0; b.Loop(); i++ {
			start := time.Now()
			l.update(policy.Update{Action: policy.Append, Topic: fmt.Sprintf("long %d", i%longTopics), Text: fmt.Sprintf("one more %d", i)})
			ours = append(ours, time.Since(start))
			if i%4 == 0 {
				floors = append(floors, floor(b, l.home))
			}
		}
		b.ReportMetric(median(ours), "ms/change")
		b.ReportMetric(median(ours)/median(floors), "x-floor")
	})
	back := max(len(ids)/2, len(ids)-10_000)
	b.Run("undo-10k-back", func(b *testing.B) {
		for b.Loop() {
			if back--; back%50 == 0 {
				back-- // MEMORY.md has lost its entry since
			}
			l.undo(ids[back])
		}
	})
	b.Run("open-cold", func(b *testing.B) {
		for b.Loop() {
			must(l.store.Close())
			l.open()
			l.use("scout")
		}
	})
	b.Run("open-and-newest-50", func(b *testing.B) {
		for b.Loop() {
			must(l.store.Close())
			l.open()
			l.use("scout")
			l.rows(Query{})
		}
	})
}
