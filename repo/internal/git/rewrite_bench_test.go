package git

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
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

// peakReset forgets the most memory the process had, where the system
// can.
func peakReset() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600) }

// peakMemory is that, in MB; 0 where the system does not say.
func peakMemory() (mb float64) {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			_, _ = fmt.Sscan(value, &mb)
		}
	}
	return mb / 1024
}

// TestEraseSpeed prints, with QUIPU_BENCH set, what an erase of a long history takes
// on a real disk, and the memory, by where the first affected commit stands.
func TestEraseSpeed(t *testing.T) {
	if os.Getenv("QUIPU_BENCH") == "" {
		t.Skip("set QUIPU_BENCH to measure an erase")
	}
	for _, commits := range []int{1000, 10_000} {
		for _, form := range []string{"gc", "loose"} {
			for _, at := range []float64{0.05, 0.5, 0.9} {
				t.Run(fmt.Sprintf("%d commits, %s, from %v", commits, form, at), func(t *testing.T) {
					base, err := os.MkdirTemp(diskDir, "quipu-bench") //nolint:usetesting // the tests' own folder may lie in memory
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = os.RemoveAll(base) }()
					h := newHomeAt(t, base)
					h.importTopic(commits, at)
					h.git("gc", "-q", "--prune=now")
					if form == "loose" {
						h.unpack()
					}
					h.timeErase(time.Duration(commits) * time.Millisecond / 2)
				})
			}
		}
	}
}

func cpuTime() time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &use)
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// timeErase erases, prints what it took and checks the outcome.
func (h *home) timeErase(most time.Duration) {
	t := h.t
	t.Helper()
	syscall.Sync() // what made the history is not to be paid for
	r := h.open()
	debug.FreeOSMemory()
	peakReset()
	heap, busy := heapPeak(), cpuTime()
	start := time.Now()
	out := erase(t, r)
	took := time.Since(start)
	busy = cpuTime() - busy
	peak, all := heap(), peakMemory()
	size := int64(0)
	packs, _ := filepath.Glob(filepath.Join(h.dir, "objects/pack/*.pack"))
	for _, p := range packs {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	t.Logf("%.2f s, %.2f s of a processor, %.0f MB heap, %.0f MB in all, %d changed, %d objects, packs %.1f MB", took.Seconds(), busy.Seconds(), peak, all, out.Changed, out.Objects, float64(size)/(1<<20))
	if took > most || all > 300 {
		t.Errorf("took %v and %.0f MB, want at most %v and 300 MB", took, all, most)
	}
	h.erased()
	h.sound()
	if err := r.Close(); err != nil {
		t.Fatal(err)
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
