package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// benchHome is a home on a real disk with so many topics and packed commits.
func benchHome(b testing.TB, topics, commits int) *home {
	b.Helper()
	base, err := os.MkdirTemp(diskDir, "quipu-bench") //nolint:usetesting // the tests' own folder may lie in memory
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(base) })
	h := newHomeAt(b, base)
	manyTopics(b, h, topics)
	if commits > 1 {
		h.importCommits(commits)
	}
	h.git("config", "gc.auto", "0")
	return h
}

// importCommits puts n commits on main and packs them.
func (h *home) importCommits(n int) {
	h.t.Helper()
	var in strings.Builder
	in.WriteString("reset refs/heads/main\nfrom refs/heads/main^0\n\n")
	for i := range n {
		text := fmt.Sprintf("# Memory\n\n- fact %d\n", i)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter Ada <ada@localhost> %d +0000\ndata 8\nfact %03d", 1_700_000_000+i, i%1000)
		fmt.Fprintf(&in, "\nM 100644 inline MEMORY.md\ndata %d\n%s\n", len(text), text)
	}
	cmd := h.command("fast-import", "--quiet", "--force")
	cmd.Stdin = strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	h.git("reset", "-q", "--hard")
	h.git("pack-refs", "--all")
}

// oneLine replaces the last line of MEMORY.md, so that the file does not grow with
// the length of the run.
func oneLine(r *Repo, i int) error {
	return r.Update(context.Background(), func(t *Tx) error {
		if _, _, err := t.Outside("MEMORY.md"); err != nil {
			return err
		}
		who := Signature{Name: "Ada", Email: "ada@localhost", When: t.Now()}
		_, err := t.Commit(NewCommit{Author: who, Message: fmt.Sprintf("fact %d\n\nMemory-Action: update\n", i), Files: []File{
			{Path: "MEMORY.md", Text: fmt.Appendf(nil, "# Memory\n\n%s- fact %d\n", strings.Repeat("- the user prefers short replies\n", 60), i)},
		}})
		return err
	})
}

// floor is the least that a durable change can cost: a file of 300 bytes synced,
// renamed, and its folder synced.
func floor(dir string, i int) error {
	d := &disk{}
	tmp := filepath.Join(dir, "floor.new")
	text := fmt.Appendf(nil, "%0300d", i)
	return errors.Join(d.writeSynced(tmp, text), d.rename(tmp, filepath.Join(dir, "floor")), d.syncPath(dir))
}

func (h *home) gitChange(i int) error {
	if err := os.WriteFile(h.path("MEMORY.md"), fmt.Appendf(nil, "# Memory\n\n- fact by git %d\n", i), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{{"add", "MEMORY.md"}, {"commit", "-q", "-m", "fact"}} {
		if out, err := h.tryGit(append([]string{"-c", "core.fsync=all", "-c", "gc.auto=0"}, args...)...); err != nil {
			return fmt.Errorf("git %v: %w\n%s", args, err, out)
		}
	}
	return nil
}

func BenchmarkChange(b *testing.B) {
	for _, topics := range []int{10, 100, 1000} {
		for _, commits := range []int{1, 10_000} {
			b.Run(fmt.Sprintf("%d topics, %d commits", topics, commits), func(b *testing.B) {
				h := benchHome(b, topics, commits)
				r := h.open()
				defer func() { _ = r.Close() }()
				i := 0
				for b.Loop() {
					if err := oneLine(r, i); err != nil {
						b.Fatal(err)
					}
					i++
				}
			})
		}
	}
}

// BenchmarkOpen opens a home as the next process does, and as the first one after a
// start of the machine.
func BenchmarkOpen(b *testing.B) {
	for _, topics := range []int{100, 1000} {
		for _, booted := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d topics, 10000 commits, new boot %v", topics, booted), func(b *testing.B) {
				h := benchHome(b, topics, 10_000)
				r := h.open()
				if err := errors.Join(oneLine(r, 0), r.Close()); err != nil {
					b.Fatal(err)
				}
				i := 0
				for b.Loop() {
					if booted {
						i++
						h.boot = fmt.Sprint("boot-", i)
					}
					if err := h.open().Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkScan(b *testing.B) {
	for _, topics := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("%d topics", topics), func(b *testing.B) {
			r := benchHome(b, topics, 1).open()
			defer func() { _ = r.Close() }()
			for b.Loop() {
				if edited, odd, err := r.Scan(); err != nil || len(edited)+len(odd) > 0 {
					b.Fatal(edited, odd, err)
				}
			}
		})
	}
}

// BenchmarkWriters is sixteen goroutines that each wait for their change.
func BenchmarkWriters(b *testing.B) {
	r := benchHome(b, 100, 1).open()
	defer func() { _ = r.Close() }()
	var wg sync.WaitGroup
	work := make(chan int)
	for range 16 {
		wg.Go(func() {
			for i := range work {
				if err := oneLine(r, i); err != nil {
					b.Error(err)
				}
			}
		})
	}
	i := 0
	for b.Loop() {
		work <- i
		i++
	}
	close(work)
	wg.Wait()
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "changes/s")
}

// TestRatios prints, with QUIPU_BENCH set, the medians of rounds in which a change
// of ours, the floor and git take turns: the machine's mood cancels out.
func TestRatios(t *testing.T) {
	if os.Getenv("QUIPU_BENCH") == "" {
		t.Skip("set QUIPU_BENCH to measure against the floor and git")
	}
	const rounds = 40
	medians := map[string]float64{}
	for _, topics := range []int{10, 100, 1000} {
		for _, commits := range []int{1, 10_000} {
			ours, theirs := benchHome(t, topics, commits), benchHome(t, topics, commits)
			r := ours.open()
			var toFloor, toGit, took []float64
			for i := range rounds {
				base := clock(t, func() error { return floor(filepath.Dir(ours.dir), i) })
				change := clock(t, func() error { return oneLine(r, i) })
				other := clock(t, func() error { return theirs.gitChange(i) })
				toFloor, toGit, took = append(toFloor, change/base), append(toGit, change/other), append(took, change)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			ours.sound()
			medians[fmt.Sprint(topics, "/", commits)] = median(took)
			t.Logf("%4d topics, %5d commits: %.2f ms, %.2f of the floor, %.2f of git", topics, commits, median(took), median(toFloor), median(toGit))
			if limit := 0.35; median(toGit) > limit {
				t.Errorf("a change costs %.2f of git's, want at most %.2f", median(toGit), limit)
			}
		}
	}
	if most := 2.0; medians["1000/1"] > most*medians["100/1"] {
		t.Errorf("1000 topics cost %.2f ms, 100 cost %.2f ms", medians["1000/1"], medians["100/1"])
	}
}

// TestLongHistory prints, with QUIPU_BENCH set, what a change costs at 50,000 commits
// against one at 100, taken in turns.
func TestLongHistory(t *testing.T) {
	if os.Getenv("QUIPU_BENCH") == "" {
		t.Skip("set QUIPU_BENCH to measure a long history against a short one")
	}
	const rounds, most = 60, 1.25
	long, short := benchHome(t, 100, 50_000).open(), benchHome(t, 100, 100).open()
	var ratios []float64
	for i := range rounds {
		a := clock(t, func() error { return oneLine(long, i) })
		b := clock(t, func() error { return oneLine(short, i) })
		ratios = append(ratios, a/b)
	}
	t.Logf("a change at 50,000 commits costs %.2f of one at 100", median(ratios))
	if median(ratios) > most {
		t.Errorf("a change at 50,000 commits costs %.2f of one at 100, want at most %.2f", median(ratios), most)
	}
}

// clock gives milliseconds.
func clock(t *testing.T, do func() error) float64 {
	t.Helper()
	start := time.Now()
	if err := do(); err != nil {
		t.Fatal(err)
	}
	return float64(time.Since(start).Microseconds()) / 1000
}

func median(x []float64) float64 {
	return slices.Sorted(slices.Values(x))[len(x)/2]
}
