package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestStagedWorkStays: what a person has staged is theirs to commit.
func TestStagedWorkStays(t *testing.T) {
	h, r := started(t)
	h.write("memory/draft.md", "- a draft\n")
	h.write("MEMORY.md", "- one, edited and staged\n")
	h.git("add", "-f", "memory/draft.md", "MEMORY.md")
	err := r.Update(context.Background(), func(t *Tx) error { // a change that looks at its own file only
		who := Signature{Name: "scout", Email: "scout@bots.invalid", When: t.Now()}
		_, err := t.Commit(NewCommit{Author: who, Message: "ours\n", Files: []File{{Path: "memory/topic.md", Text: []byte("- ours\n")}}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := h.git("status", "--porcelain"), "M  MEMORY.md\nA  memory/draft.md\n"; got != want {
		t.Errorf("status: got %q, want %q", got, want)
	}
	if got, want := h.git("show", "--format=%an", "--name-only", "HEAD"), "scout\n\nmemory/topic.md\n"; got != want {
		t.Errorf("our commit: got %q, want %q", got, want)
	}
	if err := add(r, "memory/topic.md", "- all of it"); err != nil {
		t.Fatal(err)
	}
	if got := h.git("log", "--format=%an:%s", "-3"); !strings.Contains(got, "Ada:outside: memory/draft.md\n") || !strings.Contains(got, "Ada:outside: MEMORY.md\n") {
		t.Errorf("log:\n%s", got)
	}
	h.sound()
}

// TestIntentToAdd: `git add -N` marks an entry that a change of ours then fills.
func TestIntentToAdd(t *testing.T) {
	h, r := started(t)
	h.write("memory/later.md", "- later\n")
	h.git("add", "-N", "memory/later.md")
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	h.sound()
}

// TestUncommittedEditNeedsOutside: a change that never asked for the edits must not
// write over them, even when a change of the same batch was told and failed.
func TestUncommittedEditNeedsOutside(t *testing.T) {
	h, r := started(t)
	h.write("MEMORY.md", "- edited\n")
	blind := func(t *Tx) error {
		who := Signature{Name: "scout", Email: "scout@bots.invalid", When: t.Now()}
		_, err := t.Commit(NewCommit{Author: who, Message: "blind\n", Files: []File{{Path: "MEMORY.md", Text: []byte("- blind\n")}}})
		return err
	}
	if err := r.Update(context.Background(), blind); !errors.Is(err, ErrState) {
		t.Errorf("got %v, want ErrState", err)
	}
	r.turn <- struct{}{} // one batch of three
	failed := errors.New("thought better of it")
	results := make(chan error, 3)
	for _, fn := range []func(*Tx) error{
		func(t *Tx) error {
			edits, _, err := t.Outside()
			if err != nil || len(edits) != 1 {
				return fmt.Errorf("edits: %v, %w", edits, err)
			}
			return failed
		},
		blind,
		func(t *Tx) error { return addIn(t, "MEMORY.md", "- two") },
	} {
		n := len(r.queue.all())
		go func() { results <- r.Update(context.Background(), fn) }()
		for len(r.queue.all()) == n {
			time.Sleep(time.Millisecond)
		}
	}
	<-r.turn
	var got []string
	for range 3 {
		got = append(got, fmt.Sprint(<-results))
	}
	if text := strings.Join(got, "\n"); !strings.Contains(text, failed.Error()) || !strings.Contains(text, "edited outside") || !strings.Contains(text, "<nil>") {
		t.Errorf("results: %s", text)
	}
	if got, want := h.read("MEMORY.md"), "- edited\n- two\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	h.sound()
}

// all is what waits, for tests.
func (q *queue) all() []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

func TestPanicGivesTheLocksBack(t *testing.T) {
	h, r := started(t)
	err := r.Update(context.Background(), func(*Tx) error { panic("a fault of the caller") })
	if err == nil || !strings.Contains(err.Error(), "a fault of the caller") {
		t.Errorf("got %v", err)
	}
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Error(err)
	}
	h.sound()
}

// TestOddFiles: where no regular file stands, nothing is read, written or followed.
func TestOddFiles(t *testing.T) {
	cases := []struct {
		name string
		odd  string // what Scan and Outside list
		path string // what a change wants to write
		do   func(h *home, away string) error
	}{
		{"MEMORY.md is a link", "MEMORY.md", "MEMORY.md", func(h *home, away string) error {
			return errors.Join(os.Remove(h.path("MEMORY.md")), os.Symlink(away, h.path("MEMORY.md")))
		}},
		{"a topic is a link", "memory/topic.md", "memory/topic.md", func(h *home, away string) error {
			return errors.Join(os.Remove(h.path("memory/topic.md")), os.Symlink(away, h.path("memory/topic.md")))
		}},
		{"memory is a link", "memory", "memory/topic.md", func(h *home, away string) error {
			return errors.Join(os.RemoveAll(h.path("memory")), os.Symlink(filepath.Dir(away), h.path("memory")))
		}},
		{"memory is a file", "memory", "memory/topic.md", func(h *home, _ string) error {
			return errors.Join(os.RemoveAll(h.path("memory")), os.WriteFile(h.path("memory"), nil, 0o600))
		}},
		{"a pipe", "memory/topic.md", "memory/topic.md", func(h *home, _ string) error {
			return errors.Join(os.Remove(h.path("memory/topic.md")), syscall.Mkfifo(h.path("memory/topic.md"), 0o600))
		}},
		{"a folder", "memory/topic.md", "memory/topic.md", func(h *home, _ string) error {
			return errors.Join(os.Remove(h.path("memory/topic.md")), os.Mkdir(h.path("memory/topic.md"), 0o700))
		}},
		{"too large", "memory/topic.md", "memory/topic.md", func(h *home, _ string) error {
			return os.Truncate(h.path("memory/topic.md"), MaxWorkFile+1)
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h, r := started(t)
			away := filepath.Join(t.TempDir(), "topic.md")
			if err := errors.Join(os.WriteFile(away, []byte("away\n"), 0o600), c.do(h, away)); err != nil {
				t.Fatal(err)
			}
			head := h.git("rev-parse", "HEAD")
			if err := add(r, c.path, "- two"); !errors.Is(err, ErrOddFile) {
				t.Errorf("got %v, want ErrOddFile", err)
			}
			if got := h.git("rev-parse", "HEAD"); got != head {
				t.Errorf("HEAD moved")
			}
			if b, err := os.ReadFile(away); err != nil || string(b) != "away\n" {
				t.Errorf("the file elsewhere holds %q, %v", b, err)
			}
			_, odd, err := r.Scan()
			if d := cmp.Diff([]string{c.odd}, odd); d != "" || err != nil {
				t.Errorf("Scan: %v\n%s", err, d)
			}
			if err := add(r, "memory/log.md", "- beside it"); err != nil && !errors.Is(err, ErrOddFile) {
				t.Errorf("another file: %v", err)
			}
		})
	}
}

// TestFileForFolder: a file that stands in the history where a folder is wanted.
func TestFileForFolder(t *testing.T) {
	h, r := started(t)
	h.git("rm", "-rq", "memory")
	h.write("memory", "a file\n")
	h.git("add", "-f", "memory")
	h.git("commit", "-qm", "a file of that name")
	h.git("rm", "-q", "memory")
	if err := add(r, "memory/topic.md", "- two"); err != nil {
		t.Fatal(err)
	}
	h.sound()
	if got, want := h.git("ls-tree", "-r", "--name-only", "HEAD"), "MEMORY.md\nmemory/topic.md\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRacyEdits: an edit of the same length right after our write is seen by git
// and by us, although nothing but the content tells of it.
func TestRacyEdits(t *testing.T) {
	h := newHome(t)
	r := h.open()
	defer func() { _ = r.Close() }()
	for i := range 100 {
		if err := add(r, "MEMORY.md", "- aaaa"); err != nil {
			t.Fatal(err)
		}
		h.edit("MEMORY.md", "- aaaa", "- bbbb")
		if i%2 == 0 { // the index is rewritten for another file, a second later
			if i%20 == 0 {
				time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
			}
			if err := r.Update(context.Background(), func(t *Tx) error {
				who := Signature{Name: "scout", Email: "scout@bots.invalid", When: t.Now()}
				_, err := t.Commit(NewCommit{Author: who, Message: "other\n", Files: []File{{Path: "memory/other.md", Text: fmt.Appendf(nil, "%d\n", i)}}})
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		if got := h.git("status", "--porcelain"); got != " M MEMORY.md\n" {
			t.Fatalf("round %d: git does not see the edit: %q", i, got)
		}
		edited, _, err := r.Scan()
		if d := cmp.Diff([]string{"MEMORY.md"}, edited); d != "" || err != nil {
			t.Fatalf("round %d: %v\n%s", i, err, d)
		}
		if err := add(r, "memory/other.md", "- x"); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(h.git("show", "HEAD:MEMORY.md"), "- bbbb"); got != i+1 {
			t.Fatalf("round %d: %d edits are in the history", i, got)
		}
	}
	h.sound()
}

// edit changes a file in place, as some editors do.
func (h *home) edit(name, old, new string) {
	h.t.Helper()
	text := strings.ReplaceAll(h.read(name), old, new)
	f, err := os.OpenFile(h.path(name), os.O_WRONLY, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		h.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		h.t.Fatal(err)
	}
}

// A reader need not wait for a writer, and its own first write sees what that wrote.
func TestOpenBesideAWriter(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Fatal(err)
	}
	if err := r.takeFlock(t.Context(), time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	beside := h.open()
	if took := time.Since(begin); took > time.Second {
		t.Errorf("opening beside a writer took %v", took)
	}
	if _, head, err := beside.Head(); err != nil || head.IsZero() {
		t.Errorf("head: %v, %v", head, err)
	}
	if err := r.flock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	if err := add(beside, "MEMORY.md", "- three"); err != nil {
		t.Fatal(err)
	}
	if got, want := h.read("MEMORY.md"), "- one\n- two\n- three\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	h.sound()
}
