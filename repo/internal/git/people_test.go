package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// started is a home with a branch "side" beside main, both of which changed the
// same line.
func started(t *testing.T) (*home, *Repo) {
	t.Helper()
	h := newHome(t)
	h.wait = 300 * time.Millisecond
	r := h.open()
	t.Cleanup(func() { _ = r.Close() })
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Fatal(err)
	}
	h.git("branch", "side")
	h.write("MEMORY.md", "- one, as main has it\n")
	if err := add(r, "memory/topic.md", "- topic"); err != nil {
		t.Fatal(err)
	}
	h.git("switch", "-q", "side")
	h.write("MEMORY.md", "- one, as side has it\n")
	h.git("commit", "-qam", "side")
	h.git("switch", "-q", "main")
	return h, r
}

// TestUnfinishedGit refuses a change while the person's git is in the middle of
// something, says what to do, and touches nothing.
func TestUnfinishedGit(t *testing.T) {
	cases := []struct {
		name string
		do   []string // each a git command that may end in a conflict
		hint string
		fix  string
	}{
		{"detached", []string{"checkout -q --detach HEAD~1"}, "git switch main", "switch -q main"},
		{"merge", []string{"merge -q side"}, "git merge --abort", "merge --abort"},
		{"rebase", []string{"rebase -q side"}, "git rebase --abort", "rebase --abort"},
		{"rebase by am", []string{"rebase -q --apply side"}, "git rebase --abort", "rebase --abort"},
		{"cherry-pick", []string{"cherry-pick side"}, "git cherry-pick --abort", "cherry-pick --abort"},
		{"revert", []string{"revert --no-edit HEAD~2"}, "git revert --abort", "revert --abort"},
		{"several picks", []string{"cherry-pick side HEAD~1", "add MEMORY.md", "commit -qm picked"}, "cherry-pick", "cherry-pick --quit"},
		{"squashed merge", []string{"merge -q --squash side"}, "git restore --staged", "reset -q --hard"},
		{"orphan", []string{"switch -q --orphan fresh"}, "git switch main", "switch -q main"},
		{"a ref that is no branch", []string{"symbolic-ref HEAD refs/tags/x"}, "git switch main", "symbolic-ref HEAD refs/heads/main"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h, r := started(t)
			h.t = t
			for _, args := range c.do {
				_, _ = h.tryGit(strings.Fields(args)...)
			}
			before := h.everything()
			for name, err := range map[string]error{"State": r.State(), "Update": add(r, "MEMORY.md", "- two")} {
				if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), c.hint) {
					t.Errorf("%s: got %v, want ErrState with %q", name, err, c.hint)
				}
			}
			if d := cmp.Diff(before, h.everything()); d != "" {
				t.Errorf("something was touched:\n%s", d)
			}
			r = h.reopen(r) // a new process, with git still in that state
			h.git(strings.Fields(c.fix)...)
			if err := errors.Join(r.State(), add(r, "MEMORY.md", "- two")); err != nil {
				t.Errorf("after git %s: %v", c.fix, err)
			}
			if !strings.HasSuffix(h.read("MEMORY.md"), "- two\n") {
				t.Errorf("got %q", h.read("MEMORY.md"))
			}
			h.sound()
		})
	}
}

// everything is what a refused change must leave as it is.
func (h *home) everything() map[string]string {
	h.t.Helper()
	out := map[string]string{
		"status": h.git("status", "--porcelain"),
		"refs":   h.git("for-each-ref"),
		"index":  h.git("ls-files", "--stage"),
	}
	files, err := filepath.Glob(h.path("memory/*.md"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range append(files, h.path("MEMORY.md")) {
		if b, err := os.ReadFile(f); err == nil {
			out[f] = string(b)
		}
	}
	return out
}

// TestConflictInIndexOnly: a stash that conflicts leaves no MERGE_HEAD.
func TestConflictInIndexOnly(t *testing.T) {
	h, r := started(t)
	h.write("MEMORY.md", "- stashed\n")
	h.git("stash", "-q")
	h.write("MEMORY.md", "- other\n")
	h.git("commit", "-qam", "other")
	if out, err := h.tryGit("stash", "pop"); err == nil {
		t.Fatalf("no conflict: %s", out)
	}
	before := h.everything()
	if err := add(r, "memory/topic.md", "- two"); !errors.Is(err, ErrState) {
		t.Errorf("got %v, want ErrState", err)
	}
	if d := cmp.Diff(before, h.everything()); d != "" {
		t.Errorf("something was touched:\n%s", d)
	}
	h.git("checkout", "-q", "--theirs", "MEMORY.md")
	h.git("add", "MEMORY.md")
	if err := add(r, "memory/topic.md", "- two"); err != nil {
		t.Error(err)
	}
	h.sound()
}

// TestHistoryIsRewritten: whatever the person does to the branch, it stays where
// they put it, and what we had is kept.
func TestHistoryIsRewritten(t *testing.T) {
	cases := []struct {
		name string
		do   func(h *home)
		lost bool
	}{
		{"reset --hard", func(h *home) { h.git("reset", "-q", "--hard", "HEAD~1") }, true},
		{"reset --soft", func(h *home) { h.git("reset", "-q", "--soft", "HEAD~1") }, true},
		{"amend", func(h *home) { h.git("commit", "-q", "--amend", "-m", "amended") }, true},
		{"rebase", func(h *home) { h.git("rebase", "-q", "-X", "theirs", "side") }, true},
		{"drop a commit", func(h *home) { h.git("rebase", "-q", "--onto", "HEAD~2", "HEAD~1") }, true},
		{"update-ref", func(h *home) { h.git("update-ref", "refs/heads/main", "HEAD~1") }, true},
		{"revert", func(h *home) { h.git("revert", "--no-edit", "HEAD") }, false},
		{"merge", func(h *home) { h.git("merge", "-q", "--no-edit", "-X", "ours", "side") }, false},
		{"rename the branch", func(h *home) { h.git("branch", "-m", "trunk") }, false},
		{"copy and switch", func(h *home) { h.git("branch", "-c", "copy"); h.git("switch", "-q", "copy") }, false},
		{"gc and prune", func(h *home) { h.git("gc", "-q", "--prune=now"); h.git("pack-refs", "--all") }, false},
	}
	for _, c := range cases {
		for _, reopen := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", new process"}[reopen], func(t *testing.T) {
				h, r := started(t)
				h.t = t
				ours := strings.TrimSpace(h.git("rev-parse", "HEAD"))
				c.do(h)
				theirs := strings.TrimSpace(h.git("rev-parse", "HEAD"))
				if reopen {
					r = h.reopen(r)
				}
				if got := strings.TrimSpace(h.git("rev-parse", "HEAD")); got != theirs {
					t.Errorf("HEAD moved to %s", got)
				}
				if err := add(r, "memory/topic.md", "- two"); err != nil {
					t.Fatal(err)
				}
				if out, err := h.tryGit("merge-base", "--is-ancestor", theirs, "HEAD"); err != nil {
					t.Errorf("the person's commit is gone: %s", out)
				}
				lost, err := r.Lost()
				if err != nil || (len(lost) == 1 && lost[0].String() == ours) != c.lost {
					t.Errorf("kept: %v, %v; want %s: %v", lost, err, ours, c.lost)
				}
				h.sound()
			})
		}
	}
}

// TestForeignLock: a lock that is not ours is waited for and never removed, however
// old it is; one of a killed process of ours is taken over.
func TestForeignLock(t *testing.T) {
	for _, name := range []string{"index.lock", "refs/heads/main.lock"} {
		for _, age := range []time.Duration{0, 24 * time.Hour} {
			h, r := started(t)
			h.gitFile(name, "")
			lock := filepath.Join(h.dir, filepath.FromSlash(name))
			if err := os.Chtimes(lock, time.Now(), time.Now().Add(-age)); err != nil {
				t.Fatal(err)
			}
			err := add(r, "MEMORY.md", "- two")
			if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), lock) {
				t.Errorf("%s: got %v, want ErrBusy that names it", name, err)
			}
			if _, err := os.Stat(lock); err != nil {
				t.Errorf("%s was removed", name)
			}
			if err := os.Remove(lock); err != nil {
				t.Fatal(err)
			}
			h.gitFile(name, tokenMark+"4194304 boot-0\n")
			if err := add(r, "MEMORY.md", "- two"); err != nil {
				t.Errorf("%s of ours: %v", name, err)
			}
			if _, err := os.Stat(lock); err == nil {
				t.Errorf("%s of ours is still there", name)
			}
			h.sound()
		}
	}
}

// TestWaitsForGit: a lock that is given back within the wait is no failure.
func TestWaitsForGit(t *testing.T) {
	h, r := started(t)
	h.gitFile("index.lock", "")
	go func() {
		time.Sleep(100 * time.Millisecond)
		_ = os.Remove(filepath.Join(h.dir, "index.lock"))
	}()
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Error(err)
	}
	h.sound()
}

// TestUnsupported refuses at the door what go-git misreads.
func TestUnsupported(t *testing.T) {
	run := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(context.Background(), "git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	cases := map[string]func(dir string) string{
		"sha256": func(dir string) string {
			run(dir, "init", "-q", "--object-format=sha256")
			return filepath.Join(dir, ".git")
		},
		"worktree config": func(dir string) string {
			run(dir, "init", "-q")
			run(dir, "config", "extensions.worktreeConfig", "true")
			return filepath.Join(dir, ".git")
		},
		"partial clone": func(dir string) string {
			run(dir, "init", "-q")
			run(dir, "config", "core.repositoryformatversion", "1")
			run(dir, "config", "extensions.partialClone", "origin")
			return filepath.Join(dir, ".git")
		},
		"linked worktree": func(dir string) string {
			run(dir, "init", "-q", "a")
			a := filepath.Join(dir, "a")
			run(a, "-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "-q", "--allow-empty", "-m", "x")
			run(a, "worktree", "add", "-q", "../b")
			git, err := DirOf(filepath.Join(dir, "b"))
			if err != nil {
				t.Fatal(err)
			}
			return git
		},
	}
	for name, make := range cases {
		dir := t.TempDir()
		h := &home{t: t, dir: make(dir), work: dir}
		if _, err := Open(context.Background(), h.options()); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: got %v, want ErrUnsupported", name, err)
		}
		if _, err := os.Stat(filepath.Join(h.dir, "quipu")); err == nil {
			t.Errorf("%s: something was written", name)
		}
	}
}
