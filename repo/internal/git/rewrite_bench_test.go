package git

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// importTopic puts n commits on main, in each of which one topic of about 60 KB grows
// by a line; in the middle of them a line with the secret comes and stays, and the
// last one takes it out. The objects are packed as git packs them.
func (h *home) importTopic(n int, at float64) {
	h.t.Helper()
	cmd := h.command("fast-import", "--quiet", "--force", "--depth=50")
	in, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	lines := []string{"# Topic\n\n"}
	for i := range 800 {
		lines = append(lines, fmt.Sprintf("- 2026-01-02 · from chat \"c\" · a fact of some length, number %d %s\n", i, incompressible(14)))
	}
	for i := range n {
		lines = append(lines, fmt.Sprintf("- 2026-03-04 · from chat \"c\" · one more fact, number %d\n", i))
		if len(lines) > 900 {
			lines = append(lines[:1], lines[2:]...)
		}
		if i == int(float64(n)*at) {
			lines[400] = "- 2026-03-04 · the person lives in Zanzibar\n" + lines[400]
			lines[899%len(lines)] += "- 2026-03-04 · and Zanzibar again\n"
		}
		text := strings.Join(lines, "")
		if i == n-1 {
			b, _ := withoutSecret([]byte(text))
			text = string(b)
		}
		msg := fmt.Sprintf("update: fact %d\n\nMemory-Author: bot scout\nMemory-Action: update\nMemory-Change: 01JDXK3T9M2Q4R6S8V0W%06d\n", i, i)
		fmt.Fprintf(in, "commit refs/heads/main\ncommitter Ada <ada@localhost> %d +0000\ndata %d\n%s\n", 1_700_000_000+i, len(msg), msg)
		if i == 0 {
			_, _ = io.WriteString(in, "M 100644 inline MEMORY.md\ndata 9\n# Memory\n\n")
		}
		fmt.Fprintf(in, "M 100644 inline memory/topic.md\ndata %d\n%s\n", len(text), text)
	}
	if err := in.Close(); err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		h.t.Fatal(err)
	}
	h.git("reset", "-q", "--hard")
	h.git("config", "gc.auto", "0")
}

// heapPeak watches the heap until stop is called, which gives the most there was, in MB.
func heapPeak() (stop func() float64) {
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() float64 {
		close(done)
		<-ended
		return float64(most.Load()) / (1 << 20)
	}
}

// TestEraseSpeed prints, with QUIPU_BENCH set, what an erase of a long history takes
// on a real disk, and the heap.
func TestEraseSpeed(t *testing.T) {
	if os.Getenv("QUIPU_BENCH") == "" {
		t.Skip("set QUIPU_BENCH to measure an erase")
	}
	for _, tc := range []struct {
		commits int
		at      float64
		form    string
		most    time.Duration
	}{
		{1000, 0.5, "as imported", 500 * time.Millisecond},
		{1000, 0.5, "gc", 500 * time.Millisecond},
		{1000, 0.5, "loose", 3 * time.Second},
		{10_000, 0.5, "as imported", 5 * time.Second},
		{10_000, 0.5, "gc", 5 * time.Second},
		{10_000, 0.99, "gc", 5 * time.Second},
		{10_000, 0.5, "loose", 20 * time.Second},
	} {
		t.Run(fmt.Sprintf("%d commits from %v, %s", tc.commits, tc.at, tc.form), func(t *testing.T) {
			base, err := os.MkdirTemp(diskDir, "quipu-bench") //nolint:usetesting // the tests' own folder may lie in memory
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.RemoveAll(base) }()
			h := newHomeAt(t, base)
			h.importTopic(tc.commits, tc.at)
			switch tc.form {
			case "gc":
				h.git("gc", "-q", "--prune=now")
			case "loose":
				h.unpack()
			}
			var locked, let time.Time
			h.fault = func(op, path string) error {
				switch {
				case filepath.Base(path) != "index.lock":
				case op == "link":
					locked = time.Now()
				default:
					let = time.Now()
				}
				return nil
			}
			r := h.open()
			runtime.GC()
			heap := heapPeak()
			start := time.Now()
			out := erase(t, r)
			took := time.Since(start)
			peak := heap()
			pack, _ := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack"))
			info, err := os.Stat(pack[0])
			if err != nil || len(pack) != 1 {
				t.Fatal(pack, err)
			}
			t.Logf("%.2f s, locks held %.2f s, %.0f MB heap, %d changed, %d objects, pack %.1f MB", took.Seconds(), let.Sub(locked).Seconds(), peak, out.Changed, out.Objects, float64(info.Size())/(1<<20))
			if took > tc.most || peak > 300 {
				t.Errorf("took %v and %.0f MB, want at most %v and 300 MB", took, peak, tc.most)
			}
			h.erased()
			h.sound()
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// unpack makes every object a loose one.
func (h *home) unpack() {
	h.t.Helper()
	packs, err := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, p := range packs {
		away := filepath.Join(h.t.TempDir(), "pack")
		if err := os.Rename(p, away); err != nil { // another disk
			b, rerr := os.ReadFile(p)
			if rerr != nil || os.WriteFile(away, b, 0o600) != nil || os.Remove(p) != nil {
				h.t.Fatal(err)
			}
		}
		_ = os.Remove(strings.TrimSuffix(p, ".pack") + ".idx")
		f, err := os.Open(away)
		if err != nil {
			h.t.Fatal(err)
		}
		cmd := h.command("-c", "core.compression=1", "unpack-objects", "-q")
		cmd.Stdin = f
		if out, err := cmd.CombinedOutput(); err != nil {
			h.t.Fatalf("%v\n%s", err, out)
		}
		_ = f.Close()
	}
}
