package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestScan(t *testing.T) {
	h := newHome(t)
	r := h.open()
	for i := range 5 {
		if err := add(r, fmt.Sprintf("memory/t%d.md", i), "- line"); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, edited, odd []string) {
		t.Helper()
		gotEdited, gotOdd, err := r.Scan()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff([][]string{edited, odd}, [][]string{gotEdited, gotOdd}); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	check("nothing changed", nil, nil)
	h.write("memory/t1.md", "- edit\n") // as long as what stood there
	h.write("memory/new.md", "- new\n")
	h.write("node_modules/x.md", "not memory")
	if err := os.Remove(h.path("memory/t2.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("t0.md", h.path("memory/link.md")); err != nil {
		t.Fatal(err)
	}
	check("edited by hand", []string{"memory/new.md", "memory/t1.md", "memory/t2.md"}, []string{"memory/link.md"})
	h.git("add", "-A")
	check("staged is not committed", []string{"memory/new.md", "memory/t1.md", "memory/t2.md"}, []string{"memory/link.md"})
	h.git("commit", "-qm", "by hand")
	check("committed by a person", nil, []string{"memory/link.md"})
	if err := os.RemoveAll(h.path("memory")); err != nil {
		t.Fatal(err)
	}
	h.write("memory", "a file in the folder's place")
	check("no folder", nil, []string{"memory"})
}

func TestScanLateEdit(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(h.path("MEMORY.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("- late\n"); err != nil {
		t.Fatal(err)
	}
	edited, _, err := r.Scan()
	if d := cmp.Diff([]string{"MEMORY.md"}, edited); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}

// TestScanSpeed holds the promise that looking for edits in an unchanged workspace
// of a thousand files is cheap enough for every turn.
func TestScanSpeed(t *testing.T) {
	h := newHome(t)
	manyTopics(t, h, 1000)
	r := h.open()
	best := time.Hour
	for range 10 {
		start := time.Now()
		edited, odd, err := r.Scan()
		if err != nil || len(edited)+len(odd) > 0 {
			t.Fatalf("%v %v %v", edited, odd, err)
		}
		best = min(best, time.Since(start))
	}
	t.Logf("best of ten: %v", best)
	if limit := 10 * time.Millisecond; best > limit*raceFactor {
		t.Errorf("a scan of 1000 files took %v, want less than %v", best, limit)
	}
}

// manyTopics fills the home with n topics in one commit of a person's.
func manyTopics(t testing.TB, h *home, n int) {
	t.Helper()
	for i := range n {
		h.write(fmt.Sprintf("memory/topic-%04d.md", i), fmt.Sprintf("# Topic %d\n\n- a line of topic %d\n", i, i))
	}
	h.write("MEMORY.md", "# Memory\n")
	old := time.Now().Add(-time.Hour) // files that were there for a while
	files, err := filepath.Glob(h.path("memory/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, h.path("MEMORY.md")) {
		if err := os.Chtimes(f, old, old); err != nil {
			t.Fatal(err)
		}
	}
	h.git("add", "MEMORY.md", "memory")
	h.git("commit", "-qm", "topics")
}

func TestState(t *testing.T) {
	cases := []struct {
		name string
		do   func(h *home)
		want error
	}{
		{"ready", func(*home) {}, nil},
		{"a lock of another git", func(h *home) { h.gitFile("index.lock", "") }, ErrBusy},
		{"a lock of the branch", func(h *home) { h.gitFile("refs/heads/main.lock", "") }, ErrBusy},
		{"a lock of ours", func(h *home) { h.gitFile("index.lock", tokenMark+"1 boot\n") }, nil},
		{"detached", func(h *home) { h.git("checkout", "-q", "--detach") }, ErrState},
		{"merge", func(h *home) { h.gitFile("MERGE_HEAD", "") }, ErrState},
		{"no branch", func(h *home) { h.git("symbolic-ref", "HEAD", "refs/heads/gone") }, ErrState},
		{"conflict in the index only", func(h *home) {
			h.write("MEMORY.md", "- stashed\n")
			h.git("stash", "-q")
			h.write("MEMORY.md", "- other\n")
			h.git("commit", "-qam", "other")
			_, _ = h.tryGit("stash", "pop")
		}, ErrState},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			r := h.open()
			if err := add(r, "MEMORY.md", "- one"); err != nil {
				t.Fatal(err)
			}
			h.t = t
			c.do(h)
			if err := r.State(); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}
