package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// home is a repository in a temporary folder, as the store lays it out.
type home struct {
	t         testing.TB
	dir, work string
	boot      string
	fault     func(op, path string) error
	wait      time.Duration
}

func newHome(t testing.TB) *home {
	t.Helper()
	return newHomeAt(t, t.TempDir())
}

func newHomeAt(t testing.TB, base string) *home {
	t.Helper()
	h := &home{t: t, dir: filepath.Join(base, "history", "b.git"), work: filepath.Join(base, "workspaces", "b"), boot: "boot-1"}
	if err := os.MkdirAll(filepath.Dir(h.dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Init(h.dir, h.work, "main"); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *home) options() Options {
	return Options{
		Dir: h.dir, Work: h.work, Boot: h.boot, Fault: h.fault, Wait: h.wait,
		Committer: Signature{Name: "quipu", Email: "quipu@localhost"},
		Now:       time.Now,
		Tracked: func(p string) bool {
			return p == "MEMORY.md" || strings.HasPrefix(p, "memory/") && strings.HasSuffix(p, ".md")
		},
		Union:  union,
		Redact: func(b []byte) ([]byte, int) { return b, 0 },
	}
}

// union is a plain stand-in for the entry-wise one: lines of both sides.
func union(base, a, b []byte) []byte {
	out := bytes.Clone(a)
	for line := range bytes.Lines(b) {
		if !bytes.Contains(base, line) && !bytes.Contains(a, line) {
			if len(out) > 0 && out[len(out)-1] != '\n' {
				out = append(out, '\n')
			}
			out = append(out, line...)
		}
	}
	return out
}

func (h *home) open() *Repo {
	h.t.Helper()
	r, err := Open(context.Background(), h.options())
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// reopen is the next process.
func (h *home) reopen(r *Repo) *Repo {
	h.t.Helper()
	if err := r.Close(); err != nil {
		h.t.Fatal(err)
	}
	next := h.open()
	h.t.Cleanup(func() { _ = next.Close() })
	return next
}

func (h *home) path(name string) string { return filepath.Join(h.work, filepath.FromSlash(name)) }

func (h *home) write(name, text string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(h.path(name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) appendTo(name, text string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o700); err != nil {
		h.t.Fatal(err)
	}
	f, err := os.OpenFile(h.path(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		h.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		h.t.Fatal(err)
	}
}

// gitFile puts a file into the git directory, as some program might.
func (h *home) gitFile(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) read(name string) string {
	h.t.Helper()
	b, err := os.ReadFile(h.path(name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(b)
}

// git runs the person's git in the workspace.
func (h *home) git(args ...string) string {
	h.t.Helper()
	out, err := h.tryGit(args...)
	if err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (h *home) tryGit(args ...string) (string, error) {
	return h.gitWith("GIT_CONFIG_GLOBAL=/dev/null", args...)
}

func (h *home) gitWith(env string, args ...string) (string, error) {
	cmd := h.command(args...)
	cmd.Env = append(cmd.Env, env)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (h *home) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir = h.work
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@localhost", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@localhost")
	return cmd
}

// sound checks that git finds nothing wrong and nothing changed.
func (h *home) sound() {
	h.t.Helper()
	if out, err := h.tryGit("fsck", "--full", "--strict", "--no-dangling", "--no-progress"); err != nil || out != "" {
		h.t.Errorf("git fsck: %v\n%s", err, out)
	}
	if out := h.git("status", "--porcelain"); out != "" {
		h.t.Errorf("git status is not clean:\n%s", out)
	}
}

// add commits a line to a file, taking outside edits in first.
func add(r *Repo, path, line string) error {
	return r.Update(context.Background(), func(t *Tx) error { return addIn(t, path, line) })
}

func addIn(t *Tx, path, line string) error {
	edits, _, err := t.Outside()
	if err != nil {
		return err
	}
	who := Signature{Name: "Ada", Email: "ada@localhost", When: t.Now()}
	for _, e := range edits {
		if _, err := t.Commit(NewCommit{Author: who, Message: "outside: " + e.Path + "\n", Files: []File{{Path: e.Path, Text: e.After, Delete: e.Deleted}}}); err != nil {
			return err
		}
	}
	text, _, err := t.File(path)
	if err != nil {
		return err
	}
	text = append(bytes.Clone(text), line+"\n"...)
	_, err = t.Commit(NewCommit{Author: who, Message: "add: " + line + "\n\nMemory-Action: update\n", Files: []File{{Path: path, Text: text}}})
	return err
}

func TestChangesAreCommits(t *testing.T) {
	h := newHome(t)
	r := h.open()
	for i := range 30 {
		path := "MEMORY.md"
		if i%3 > 0 {
			path = fmt.Sprintf("memory/t%d.md", i%7)
		}
		if err := add(r, path, fmt.Sprintf("- line %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	h.sound()
	if got := strings.TrimSpace(h.git("rev-list", "--count", "HEAD")); got != "30" {
		t.Errorf("commits: got %s, want 30", got)
	}
	if got := strings.Count(h.read("MEMORY.md"), "\n"); got != 10 {
		t.Errorf("lines of MEMORY.md: got %d, want 10", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r = h.open()
	if err := add(r, "MEMORY.md", "- again"); err != nil {
		t.Fatal(err)
	}
	h.sound()
	if err := r.Checkpoint(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := add(r, "memory/x.md", "- after a checkpoint"); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	h.sound()
}

func TestOutsideEdits(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Fatal(err)
	}
	h.write("memory/by-hand.md", "# by hand\n")
	h.write("MEMORY.md", "- one\n- by hand\n")
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	if got, want := h.read("MEMORY.md"), "- one\n- by hand\n- two\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := h.git("log", "--format=%s"); !strings.HasPrefix(got, "add: - two\noutside: memory/by-hand.md\noutside: MEMORY.md\nadd: - one\n") {
		t.Errorf("log:\n%s", got)
	}
	if err := os.Remove(h.path("memory/by-hand.md")); err != nil {
		t.Fatal(err)
	}
	if err := add(r, "MEMORY.md", "- three"); err != nil {
		t.Fatal(err)
	}
	if got := h.git("ls-files"); got != "MEMORY.md\n" {
		t.Errorf("tracked: %q", got)
	}
	h.sound()
}

func TestLateEditIsKept(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(h.path("MEMORY.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge)
	if err := add(r, "MEMORY.md", "- three"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("- late\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r = h.open()
	time.Sleep(2 * lateAge)
	if err := add(r, "memory/x.md", "- x"); err != nil {
		t.Fatal(err)
	}
	if got := h.read("MEMORY.md"); !strings.Contains(got, "- late\n") || !strings.Contains(got, "- two\n- three\n") {
		t.Errorf("got %q", got)
	}
	time.Sleep(2 * lateAge)
	for range 2 {
		if err := add(r, "memory/x.md", "- y"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * lateAge)
	}
	left, _ := os.ReadDir(r.wasDir())
	if len(left) > 1 { // only the newest replaced file may still wait
		t.Errorf("%d replaced files are still kept", len(left))
	}
	h.sound()
}

func TestPersonCommitsBesideUs(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- one"); err != nil {
		t.Fatal(err)
	}
	h.write("MEMORY.md", "- one\n- person\n")
	h.git("commit", "-qam", "by hand")
	if err := add(r, "MEMORY.md", "- two"); err != nil {
		t.Fatal(err)
	}
	h.git("commit", "-q", "--amend", "-m", "amended")
	if err := add(r, "MEMORY.md", "- three"); err != nil {
		t.Fatal(err)
	}
	h.sound()
	if got, want := h.read("MEMORY.md"), "- one\n- person\n- two\n- three\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if lost, err := r.Lost(); err != nil || len(lost) != 1 {
		t.Errorf("lost: %v, %v; want one commit", lost, err)
	}
	h.git("checkout", "-q", "--detach", "HEAD~1")
	if err := add(r, "MEMORY.md", "- four"); err == nil || !strings.Contains(err.Error(), "git switch main") {
		t.Errorf("detached HEAD: got %v", err)
	}
	h.git("switch", "-q", "main")
	h.git("switch", "-q", "-c", "side")
	if err := add(r, "MEMORY.md", "- side"); err != nil {
		t.Fatal(err)
	}
	h.git("switch", "-q", "main")
	if err := add(r, "MEMORY.md", "- four"); err != nil {
		t.Fatal(err)
	}
	h.sound()
	h.git("gc", "-q", "--prune=now")
	if err := add(r, "MEMORY.md", "- five"); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	h.sound()
}

// A change of several files leaves no tree behind that no commit names.
func TestNoObjectIsLeftOver(t *testing.T) {
	h := newHome(t)
	r := h.open()
	err := r.Update(t.Context(), func(tx *Tx) error {
		files := []File{{Path: "memory/archive.md", Text: []byte("- old\n")}, {Path: "MEMORY.md", Text: []byte("- one\n")}}
		for i := range 12 {
			files = append(files, File{Path: fmt.Sprintf("memory/t%d.md", i), Text: fmt.Appendf(nil, "- %d\n", i)})
		}
		if _, _, err := tx.Outside(); err != nil {
			return err
		}
		_, err := tx.Commit(NewCommit{Author: Signature{Name: "Ada", When: tx.Now()}, Message: "many\n", Files: files})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := add(r, "memory/t3.md", "- more"); err != nil {
		t.Fatal(err)
	}
	if out := h.git("fsck", "--full", "--strict", "--no-progress"); out != "" {
		t.Errorf("git fsck:\n%s", out)
	}
	h.sound()
	h.boot = "boot-2" // everything is made again from the record
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	h.open()
	h.sound()
}
