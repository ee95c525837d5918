package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fetched is a repository that has fetched a history which went on from its own first
// commit, with what the person keeps beside the notes.
func fetched(t *testing.T) (h *home, theirs Hash) {
	t.Helper()
	h, r := started(t)
	if err := add(r, "memory/tea.md", "- green"); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	h.git("clone", "-q", h.dir, other)
	for name, text := range map[string]string{"MEMORY.md": "- theirs\n", "memory/new.md": "- new\n", "README.md": "read me\n", "tool.sh": "#!/bin/sh\n"} {
		if err := os.WriteFile(filepath.Join(other, filepath.FromSlash(name)), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.git("-C", other, "rm", "-q", "memory/tea.md")
	h.git("-C", other, "add", "-A")
	h.git("-C", other, "update-index", "--chmod=-x", "MEMORY.md", "memory/new.md", "README.md")
	h.git("-C", other, "commit", "-qm", "theirs")
	h.git("fetch", "-q", other, "HEAD:refs/remotes/origin/main")
	theirs, ok := ParseHash(strings.TrimSpace(h.git("rev-parse", "refs/remotes/origin/main")))
	if !ok {
		t.Fatal("nothing was fetched")
	}
	return h, theirs
}

func land(r *Repo, l Landing) error {
	return r.Update(context.Background(), func(tx *Tx) error {
		_, err := tx.Land(l)
		return err
	})
}

var lander = Signature{Name: "Ada", Email: "ada@example.org", When: time.Date(2026, 9, 12, 12, 0, 0, 0, time.UTC)}

func TestLand(t *testing.T) {
	tests := map[string]struct {
		landing        Landing
		parents, files string
		memory         string
	}{
		"forward":        {Landing{Message: "forward\n"}, "1", "MEMORY.md README.md memory/new.md memory/topic.md tool.sh", "- theirs\n"},
		"merge":          {Landing{Merge: &lander, Message: "merge: both\n", Files: []File{{Path: "MEMORY.md", Text: []byte("- both\n")}}}, "2", "MEMORY.md README.md memory/new.md memory/topic.md tool.sh", "- both\n"},
		"masked on top":  {Landing{Top: &lander, Message: "masked\n", Files: []File{{Path: "MEMORY.md", Text: []byte("- «redacted»\n")}}}, "1", "MEMORY.md README.md memory/new.md memory/topic.md tool.sh", "- «redacted»\n"},
		"without a file": {Landing{Merge: &lander, Message: "merge\n", Files: []File{{Path: "memory/new.md", Delete: true}}, Other: []TreeFile{{Path: "tool.sh", Mode: modeFile}}}, "2", "MEMORY.md README.md memory/topic.md", "- theirs\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h, theirs := fetched(t)
			tt.landing.With = theirs
			r := h.open()
			if err := land(r, tt.landing); err != nil {
				t.Fatal(err)
			}
			landed(t, h, tt.parents, tt.files, tt.memory)
			if err := add(r, "MEMORY.md", "- life goes on"); err != nil {
				t.Fatal(err)
			}
			h.reopen(r)
			landed(t, h, "1", tt.files, tt.memory+"- life goes on\n")
		})
	}
}

func landed(t *testing.T, h *home, parents, files, memory string) {
	t.Helper()
	if got := strings.TrimSpace(h.git("log", "-1", "--format=%P")); len(strings.Fields(got)) != int(parents[0]-'0') {
		t.Errorf("parents %q, want %s", got, parents)
	}
	if got := strings.Join(strings.Fields(h.git("ls-tree", "-r", "--name-only", "HEAD")), " "); got != files {
		t.Errorf("the tree has %s, want %s", got, files)
	}
	if got := h.read("MEMORY.md"); got != memory {
		t.Errorf("MEMORY.md is %q, want %q", got, memory)
	}
	if got := h.git("status", "--porcelain"); got != "" {
		t.Errorf("git status: %s", got)
	}
	for _, gone := range []string{"README.md", "tool.sh", "memory/tea.md"} {
		if _, err := os.Lstat(h.path(gone)); err == nil {
			t.Errorf("%s is a work file", gone)
		}
	}
	if strings.Contains(files, "tool.sh") && !strings.HasPrefix(h.git("ls-tree", "HEAD", "tool.sh"), "100755 ") {
		t.Error("tool.sh lost its mode")
	}
	h.git("fsck", "--strict")
}

// What is no plain file, and what was edited outside meanwhile, is never overwritten.
func TestLandRefuses(t *testing.T) {
	h, theirs := fetched(t)
	r := h.open()
	h.write("memory/new.md", "- a person's own\n")
	if err := land(r, Landing{With: theirs, Message: "forward\n"}); !errors.Is(err, ErrState) {
		t.Errorf("over a file that is not kept yet: %v", err)
	}
	if got := h.read("memory/new.md"); got != "- a person's own\n" {
		t.Errorf("the file: %q", got)
	}
	if err := os.Remove(h.path("memory/new.md")); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(t.TempDir(), "w")
	h.git("worktree", "add", "-q", "--detach", work, theirs.String())
	if err := os.Symlink("/etc/passwd", filepath.Join(work, "memory", "link.md")); err != nil {
		t.Fatal(err)
	}
	h.git("-C", work, "add", "-A")
	h.git("-C", work, "commit", "-qm", "link")
	link, _ := ParseHash(strings.TrimSpace(h.git("-C", work, "rev-parse", "HEAD")))
	if err := land(r, Landing{With: link, Message: "forward\n"}); !errors.Is(err, ErrState) {
		t.Errorf("a symbolic link: %v", err)
	}
	if err := land(r, Landing{With: Hash{1}, Message: "forward\n"}); !errors.Is(err, ErrDamaged) {
		t.Errorf("a commit that was not fetched: %v", err)
	}
	if err := land(r, Landing{With: link, Top: &lander, Message: "without it\n", Files: []File{{Path: "memory/link.md", Delete: true}}}); err != nil {
		t.Errorf("without the link: %v", err)
	}
	h.git("fsck", "--strict")
}

// A fault at any call leaves all of the old or, at the latest after the next start, all
// of the new.
func TestLandFaults(t *testing.T) {
	broken := errors.New("no space left")
	for k := 0; ; k++ {
		h, theirs := fetched(t)
		armed, met, n := false, false, 0
		h.fault = func(string, string) error {
			if n++; armed && n == k+1 {
				met = true
				return broken
			}
			return nil
		}
		r := h.open()
		armed, n = true, 0
		l := Landing{With: theirs, Merge: &lander, Message: "merge: both\n", Files: []File{{Path: "MEMORY.md", Text: []byte("- both\n")}}}
		err := land(r, l)
		armed = false
		r = h.reopen(r)
		if h.git("log", "-1", "--format=%s") != "merge: both\n" {
			if err == nil {
				t.Fatalf("call %d: false success", k)
			}
			if got := h.git("status", "--porcelain"); got != "" {
				t.Errorf("call %d: git status after nothing was changed: %s", k, got)
			}
			if err := land(r, l); err != nil {
				t.Fatalf("call %d, again: %v", k, err)
			}
		}
		landed(t, h, "2", "MEMORY.md README.md memory/new.md memory/topic.md tool.sh", "- both\n")
		if !met {
			t.Logf("%d calls", k)
			return
		}
	}
}
