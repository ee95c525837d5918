package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDamagedFiles: what a crash of another program, or a careless hand, makes of
// git's own files is mended by the next change, in an open process and in a new one.
func TestDamagedFiles(t *testing.T) {
	cases := []struct {
		name string
		do   func(h *home)
	}{
		{"empty branch", func(h *home) { h.gitFile("refs/heads/main", "") }},
		{"branch of zeros", func(h *home) { h.gitFile("refs/heads/main", strings.Repeat("\x00", 41)) }},
		{"torn branch", func(h *home) { h.gitFile("refs/heads/main", "1234567") }},
		{"no branch", func(h *home) { h.removeGitFile("refs/heads/main") }},
		{"no branch and no reflog", func(h *home) {
			h.removeGitFile("refs/heads/main")
			h.removeGitFile("logs/refs/heads/main")
		}},
		{"branch only in packed-refs", func(h *home) { h.git("pack-refs", "--all") }},
		{"empty index", func(h *home) { h.gitFile("index", "") }},
		{"index of garbage", func(h *home) { h.gitFile("index", strings.Repeat("garbage", 40)) }},
		{"torn index", func(h *home) {
			b, err := os.ReadFile(filepath.Join(h.dir, "index"))
			if err != nil {
				h.t.Fatal(err)
			}
			h.gitFile("index", string(b[:len(b)-30]))
		}},
		{"no index", func(h *home) { h.removeGitFile("index") }},
		{"no reflogs", func(h *home) {
			if err := os.RemoveAll(filepath.Join(h.dir, "logs")); err != nil {
				h.t.Fatal(err)
			}
		}},
		{"read-only leftovers of a kill", func(h *home) {
			for _, name := range []string{"object.new", "ref.new", "index.new"} {
				h.gitFile("quipu/"+name, "half")
				if err := os.Chmod(filepath.Join(h.dir, "quipu", name), 0o400); err != nil {
					h.t.Fatal(err)
				}
			}
		}},
		{"no token", func(h *home) {
			tokens, err := filepath.Glob(filepath.Join(h.dir, "quipu", "token-*"))
			if err != nil {
				h.t.Fatal(err)
			}
			for _, p := range tokens {
				if err := os.Remove(p); err != nil {
					h.t.Fatal(err)
				}
			}
		}},
	}
	for _, c := range cases {
		for _, reopen := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", new process"}[reopen], func(t *testing.T) {
				h, r := started(t)
				h.t = t
				count := len(strings.Fields(h.git("rev-list", "HEAD")))
				c.do(h)
				if reopen {
					r = h.reopen(r)
				}
				if err := r.State(); err != nil {
					t.Errorf("State: %v", err)
				}
				if err := add(r, "MEMORY.md", "- two"); err != nil {
					t.Fatal(err)
				}
				if got := len(strings.Fields(h.git("rev-list", "HEAD"))); got != count+1 {
					t.Errorf("%d commits, want %d", got, count+1)
				}
				if got, want := h.read("MEMORY.md"), "- one, as main has it\n- two\n"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				h.sound()
			})
		}
	}
}

func (h *home) removeGitFile(name string) {
	h.t.Helper()
	if err := os.Remove(filepath.Join(h.dir, filepath.FromSlash(name))); err != nil {
		h.t.Fatal(err)
	}
}

// TestPersonsCommitSurvivesEmptyBranch: the newest commit was not ours.
func TestPersonsCommitSurvivesEmptyBranch(t *testing.T) {
	h, r := started(t)
	h.write("memory/person.md", "- person\n")
	h.git("add", "memory/person.md")
	h.git("commit", "-qm", "by hand")
	want := h.git("rev-parse", "HEAD")
	h.gitFile("refs/heads/main", "")
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	if got := h.git("rev-parse", "HEAD~1"); got != want {
		t.Errorf("built on %s, want %s", got, want)
	}
	h.sound()
}

// TestIndexForms: forms of the index that are git's to write stay as they are.
func TestIndexForms(t *testing.T) {
	for _, form := range [][]string{
		{"update-index", "--index-version", "4"},
		{"update-index", "--split-index"},
		{"sparse-checkout", "set", "--sparse-index", "memory"},
		{"config", "index.skipHash", "true"},
	} {
		t.Run(strings.Join(form, " "), func(t *testing.T) {
			h, r := started(t)
			h.t = t
			h.git(form...)
			for i, line := range []string{"- two", "- three"} {
				if err := add(r, "memory/topic.md", line); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					h.git("update-index", "--refresh")
				}
			}
			if err := remove(r, "memory/topic.md"); err != nil {
				t.Fatal(err)
			}
			if err := add(r, "memory/other.md", "- other"); err != nil {
				t.Fatal(err)
			}
			h.sound()
		})
	}
}

// TestBrokenCommit: when the newest commit cannot be read, changes are refused and
// the work files stay.
func TestBrokenCommit(t *testing.T) {
	for _, what := range []string{"HEAD", "HEAD^{tree}", "HEAD:memory"} {
		h, r := started(t)
		id := strings.TrimSpace(h.git("rev-parse", what))
		path := filepath.Join(h.dir, "objects", id[:2], id[2:])
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		before := h.texts()
		r = h.reopen(r)
		if err := add(r, "memory/topic.md", "- two"); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v, want ErrDamaged", what, err)
		}
		if d := cmp.Diff(before, h.texts()); d != "" {
			t.Errorf("%s: work files were touched:\n%s", what, d)
		}
	}
}

// texts are the work files, by name.
func (h *home) texts() map[string]string {
	h.t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob(h.path("memory/*"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range append(files, h.path("MEMORY.md")) {
		b, err := os.ReadFile(f)
		if err != nil {
			h.t.Fatal(err)
		}
		out[f] = string(b)
	}
	return out
}
