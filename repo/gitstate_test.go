package repo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

// BUG-030: a repository of its own inside memory changes nothing of what is kept.
func TestFaultBUG030NestedRepository(t *testing.T) {
	l := newLab(t)
	l.save("memory/t.md", "- 2026-01-01 · x\n")
	cmd := exec.CommandContext(t.Context(), "git", "init", "-q", l.path("memory"))
	cmd.Env = l.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	l.update(policy.Update{Action: policy.Append, Topic: "t", Text: "y"})
	if out := l.git("ls-tree", "-r", "HEAD"); strings.Contains(out, "160000") || !strings.Contains(out, "memory/t.md") {
		t.Errorf("tree:\n%s", out)
	}
	l.finds(false, "memory/.git")
}

// finds wants a finding about where, or that says it, and gives it.
func (l *lab) finds(fix bool, about string) Finding {
	l.t.Helper()
	found, err := l.w.Doctor(l.t.Context(), fix)
	if err != nil {
		l.t.Fatal(err)
	}
	i := slices.IndexFunc(found, func(f Finding) bool { return f.Where == about })
	if i < 0 {
		i = slices.IndexFunc(found, func(f Finding) bool { return strings.Contains(f.What, about) })
	}
	if i < 0 {
		l.t.Fatalf("doctor says nothing of %q: %+v", about, found)
	}
	return found[i]
}

// BUG-031: memory is kept and its edits are noticed whatever .gitignore says.
func TestFaultBUG031Ignored(t *testing.T) {
	l := newLab(t)
	l.save("memory/t.md", "- a\n")
	l.put(".gitignore", "memory/\n*.md\n")
	l.put("memory/t.md", "- a\n- by hand\n")
	l.put("memory/new.md", "- by hand too\n")
	s, err := l.w.Status(t.Context())
	if err != nil || !slices.Equal(s.Outside, []string{"memory/new.md", "memory/t.md"}) {
		t.Errorf("outside %v (%v)", s.Outside, err)
	}
	l.must(Receipt{}, l.w.Idle(t.Context(), ada.Author))
	l.contains(l.git("ls-tree", "-r", "--name-only", "HEAD"), "memory/new.md")
	l.contains(l.git("show", "HEAD:memory/t.md"), "by hand")
	l.finds(false, ".gitignore")
}

// BUG-032, BUG-033, BUG-035 and more: the person's global git changes nothing that is
// written, and nothing of theirs is run.
func TestFaultBUG032BUG033BUG035GlobalConfig(t *testing.T) {
	l := newLab(t)
	person := t.TempDir()
	hooks := filepath.Join(person, "hooks")
	if err := os.MkdirAll(hooks, 0o700); err != nil {
		t.Fatal(err)
	}
	ran := filepath.Join(person, "ran")
	for _, h := range []string{"pre-commit", "post-commit", "reference-transaction", "post-index-change"} {
		if err := os.WriteFile(filepath.Join(hooks, h), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	config := "[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = " + ran + "-gpg\n[core]\n\tautocrlf = true\n\texcludesfile = " + person +
		"/ignore\n\tfsmonitor = touch " + ran + "\n[init]\n\ttemplateDir = " + hooks + "\n[user]\n\tname = Other\n"
	for name, text := range map[string]string{".gitconfig": config, "ignore": "MEMORY.md\nmemory\n"} {
		if err := os.WriteFile(filepath.Join(person, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", person)
	l.env = append(l.env, "HOME="+person)
	l.create("other")
	l.git("config", "core.hooksPath", hooks)
	if err := os.WriteFile(filepath.Join(l.w.git.Dir(), "hooks", "post-commit"), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	const crlf = "- one\r\n- two\r\n"
	l.put("MEMORY.md", crlf)
	l.append("three")
	l.append("four")
	l.undo("")
	if got, want := l.text("MEMORY.md"), crlf+"- 2026-09-12 · three\r\n"; got != want {
		t.Errorf("file is %q, want %q", got, want)
	}
	if n := len(l.rows(Query{Action: ActOutside})); n != 1 {
		t.Errorf("%d outside edits were seen, want 1", n)
	}
	if got := l.git("cat-file", "blob", "HEAD:MEMORY.md"); !strings.HasPrefix(got, crlf) {
		t.Errorf("the commit holds %q", got)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("something of the person's was run")
	}
	if out := l.git("log", "--format=%G?"); strings.Trim(out, "N\n") != "" {
		t.Errorf("signatures: %q", out)
	}
	l.git("config", "--unset", "core.hooksPath")
	l.sound()
}

// BUG-037: forms that cannot be read safely are refused with a reason and a fix.
func TestFaultBUG037Forms(t *testing.T) {
	tests := map[string]func(*lab){
		"sha256": func(l *lab) {
			l.must(Receipt{}, os.MkdirAll(l.path(""), 0o700))
			if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", "--object-format=sha256", l.dir).CombinedOutput(); err != nil {
				l.t.Skipf("this git has no sha256: %s", out)
			}
			l.put("MEMORY.md", "- x\n")
		},
		"worktreeConfig": func(l *lab) {
			l.create("scout")
			l.git("config", "extensions.worktreeConfig", "true")
			l.must(Receipt{}, l.store.Close())
			l.open()
		},
	}
	for name, make := range tests {
		t.Run(name, func(t *testing.T) {
			l := bareLab(t, filepath.Join(t.TempDir(), "home"), "")
			l.dir = filepath.Join(l.home, workspacesDir, "scout")
			make(l)
			before := l.text("MEMORY.md")
			_, err := l.store.Open(t.Context(), "scout")
			l.refuses(err, ErrState)
			l.contains(strings.ToLower(err.Error()), strings.ToLower(name))
			if got := l.text("MEMORY.md"); got != before {
				t.Errorf("the file was changed to %q", got)
			}
		})
	}
	t.Run("split index", func(t *testing.T) {
		l := newLab(t)
		l.append("one")
		l.git("update-index", "--split-index")
		l.append("two")
		l.git("update-index", "--no-split-index")
		l.append("three")
		l.sound()
	})
}

// BUG-040: a repository around the home is no business of ours.
func TestFaultBUG040OuterRepository(t *testing.T) {
	outer := t.TempDir()
	run := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", outer, "-c", "user.name=Ada", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
		return string(out)
	}
	run("init", "-q")
	run("commit", "-q", "--allow-empty", "-m", "start")
	if err := os.WriteFile(filepath.Join(outer, "half-done.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("add", "half-done.txt")
	before := run("rev-parse", "HEAD") + run("diff", "--cached", "--name-only")
	l := bareLab(t, filepath.Join(outer, "bots"), "")
	l.create("b1")
	l.append("x")
	if got := run("rev-parse", "HEAD") + run("diff", "--cached", "--name-only"); got != before {
		t.Errorf("the outer repository went from %q to %q", before, got)
	}
	if got := l.count(); got != 2 {
		t.Errorf("%d commits in the inner one, want 2", got)
	}
	l.sound()
}

// BUG-042: what the person has staged is theirs.
func TestFaultBUG042Staged(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.put("memory/draft.md", "- draft\n")
	l.add("- by hand\n")
	l.git("add", "memory/draft.md", "MEMORY.md")
	l.append("two")
	if got := l.git("show", "--format=%an", "--name-only", "HEAD"); got != "scout\n\nMEMORY.md" {
		t.Errorf("the bot's commit is %q", got)
	}
	if got := l.git("show", "--format=", "HEAD"); strings.Contains(got, "+- by hand") {
		t.Errorf("the bot's commit has the person's line:\n%s", got)
	}
	if got := l.git("log", "-1", "--format=%an", "-S", "by hand"); got != "Ada" {
		t.Errorf("the hand line is by %q, want Ada", got)
	}
	l.must(Receipt{}, l.w.Idle(t.Context(), ada.Author))
	l.sound()
}

// BUG-044: what a bot's tools make beside its notes costs a change nothing.
func TestFaultBUG044ManyOtherFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 5,000 files")
	}
	l := newLab(t)
	for i := range 5000 {
		l.put(fmt.Sprintf("node_modules/p%d/f%d.md", i/100, i), "x")
	}
	var slowest time.Duration
	for i := range 20 {
		start := time.Now()
		l.append(fmt.Sprintf("fact %d", i))
		slowest = max(slowest, time.Since(start))
	}
	if slowest > 250*time.Millisecond {
		t.Errorf("the slowest of 20 changes took %v", slowest)
	}
	l.sound()
}

// The person's own commits are welcome: nothing of them is lost or undone.
func TestPersonsOwnGit(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.add("- from my own commit\n")
	l.git("commit", "-q", "-am", "my notes")
	l.append("two")
	l.git("commit", "-q", "--amend", "-m", "amended by me", "--allow-empty")
	l.append("three")
	l.git("switch", "-q", "-c", "trial")
	l.append("on the other branch")
	l.git("switch", "-q", "main")
	r := l.append("back on main")
	text := l.text("MEMORY.md")
	l.contains(text, "one", "from my own commit", "two", "three", "back on main")
	if strings.Contains(text, "on the other branch") {
		t.Error("the other branch's note is on main")
	}
	if got := l.git("log", "-1", "--format=%H", "main"); got != r.Commit {
		t.Errorf("main is at %s, want %s", got, r.Commit)
	}
	l.contains(l.git("log", "--format=%s", "trial"), "on the other branch")
	l.sound()
	l.git("checkout", "-q", "--detach", "HEAD~1")
	_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "lost?"})
	l.refuses(err, ErrState)
	l.contains(err.Error(), "git switch main")
	if f := l.finds(false, "git"); f.Fix != "git switch main" {
		t.Errorf("the fix is %q", f.Fix)
	}
	l.git("switch", "-q", "main")
	l.append("four")
	l.sound()
}

// An unfinished merge and its markers are neither committed nor fed to anyone.
func TestUnfinishedMerge(t *testing.T) {
	l := newLab(t)
	l.append("base")
	l.git("switch", "-q", "-c", "side")
	l.append("side's end")
	l.git("switch", "-q", "main")
	l.append("main's end")
	if _, err := l.gitTry("merge", "side"); err == nil {
		t.Fatal("the merge has no conflict")
	}
	head := l.git("rev-parse", "HEAD")
	_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "x", Topic: "other"})
	l.refuses(err, ErrState)
	l.contains(err.Error(), "git merge --abort")
	if got := l.git("rev-parse", "HEAD"); got != head {
		t.Error("a commit was made in the middle of a merge")
	}
	l.git("merge", "--abort")
	l.append("y")
	l.sound()
}
