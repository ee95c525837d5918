package repo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/policy"
)

// BUG-081: names that differ only in case.
func TestFaultBUG081CaseTwins(t *testing.T) {
	l := newLab(t)
	l.save("memory/Food.md", "- a\n")
	_, err := l.w.Save(t.Context(), ada, "memory/food.md", "- b\n", Expect{})
	l.refuses(err, ErrConflict)
	l.contains(err.Error(), "memory/Food.md")
	l.update(policy.Update{Action: policy.Append, Topic: "food", Text: "goes to the one that is there"})
	l.contains(l.text("memory/Food.md"), "goes to the one that is there")
	// a pair that a clone brought stays, and doctor says so
	l.put("memory/food.md", "- b\n")
	topics, _, err := l.w.List(t.Context())
	if err != nil || len(topics) != 2 {
		t.Errorf("%d topics (%v), want 2", len(topics), err)
	}
	found, err := l.w.Doctor(t.Context(), false)
	if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return strings.Contains(f.What, "only in case") }) {
		t.Errorf("doctor found %+v (%v)", found, err)
	}
}

// BUG-084, BUG-086 and BUG-134: paths that are no memory file.
func TestFaultBUG084BUG086BUG134BadPaths(t *testing.T) {
	l := newLab(t)
	head := l.git("rev-parse", "HEAD")
	for _, p := range []string{
		"../x.md", "memory/../.git/config", "memory/%2e%2e/x.md", "/etc/passwd", `memory\..\x.md`, "memory/a/b.md", "memory/.hidden.md",
		"memory/x.md%00.txt", "memory/x.md\x00.txt", ".GIT/config", ".git", "", ".", "memory", "memory/", "memory/log", "memory/log/notes.md",
		"memory/log/2026-02-30.md", "memory/CON.md", "memory/a .md", "memory/a..md", "memory/.md", "memory/" + strings.Repeat("x", 300) + ".md",
		"memory/Archive.md", "memory/x.md.md", "memory/x", "memory/X.MD", "MEMORY.md/", "memory.md", "memory/a\nb.md", "memory/a\u202eb.md",
	} {
		_, err := l.w.Save(t.Context(), ada, p, "x\n", Expect{Any: true})
		l.refuses(err, ErrInvalid)
		_, err = l.w.Read(t.Context(), p)
		l.refuses(err, ErrInvalid)
		_, err = l.w.Delete(t.Context(), ada, p, Expect{Any: true})
		l.refuses(err, ErrInvalid)
		_, err = l.w.At(t.Context(), p, "HEAD")
		l.refuses(err, ErrInvalid)
		_, err = l.w.Restore(t.Context(), ada, p, "HEAD")
		l.refuses(err, ErrInvalid)
		_, err = l.w.Blame(t.Context(), p)
		l.refuses(err, ErrInvalid)
		if strings.Contains(err.Error(), l.home) {
			t.Errorf("%q: the error names the server's path: %v", p, err)
		}
	}
	if got := l.git("rev-parse", "HEAD"); got != head {
		t.Error("a refused path made a commit")
	}
	l.sound()
}

// BUG-086: names that are odd and allowed.
func TestFaultBUG086OddNamesWork(t *testing.T) {
	l := newLab(t)
	for _, p := range []string{"memory/-rf.md", "memory/_x.md", "memory/🙂.md", "memory/旅行.md", "memory/two words.md", "memory/archive.md"} {
		l.save(p, "- 2026-01-01 · a\n")
		l.must(l.w.Save(t.Context(), ada, p, "- 2026-01-01 · b\n", Expect{Hash: hashText([]byte("- 2026-01-01 · a\n"))}))
		if rows := l.rows(Query{Path: p}); len(rows) != 2 {
			t.Errorf("%s: %d rows, want 2", p, len(rows))
		}
		if b, err := l.w.Blame(t.Context(), p); err != nil || len(b) != 1 || b[0].Change == "" {
			t.Errorf("%s: blame %+v %v", p, b, err)
		}
	}
	l.sound()
}

// BUG-085: no link is followed.
func TestFaultBUG085Links(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "out.md")
	if err := os.WriteFile(outside, []byte("private\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		link, to, path string
	}{
		"the memory file": {"MEMORY.md", outside, "MEMORY.md"},
		"the folder":      {"memory", filepath.Dir(outside), "memory/out.md"},
		"a new file":      {"memory/t.md", outside + ".none", "memory/t.md"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if err := os.MkdirAll(filepath.Dir(l.path(tc.link)), 0o700); err != nil {
				t.Fatal(err)
			}
			_ = os.RemoveAll(l.path(tc.link))
			if err := os.Symlink(tc.to, l.path(tc.link)); err != nil {
				t.Fatal(err)
			}
			_, err := l.w.Save(t.Context(), ada, tc.path, "x\n", Expect{Any: true})
			l.refuses(err, ErrState)
			if text, err := l.w.Read(t.Context(), tc.path); err == nil && strings.Contains(text.Text, "private") {
				t.Error("the outside file was read")
			}
			if b, err := os.ReadFile(outside); err != nil || string(b) != "private\n" {
				t.Errorf("the outside file is %q (%v)", b, err)
			}
			if _, err := os.Stat(outside + ".none"); err == nil {
				t.Error("a file was made outside")
			}
			found, err := l.w.Doctor(t.Context(), false)
			if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return strings.HasPrefix(f.Fix, "mv -- ") }) {
				t.Errorf("doctor found %+v (%v)", found, err)
			}
			if out := l.git("ls-tree", "-r", "HEAD"); strings.Contains(out, "120000") {
				t.Errorf("a link is in the history:\n%s", out)
			}
		})
	}
}

// BUG-087: what is no plain file is passed over, reported, and blocks nothing else.
func TestFaultBUG087OddFiles(t *testing.T) {
	l := newLab(t)
	if err := os.MkdirAll(l.path("memory/d.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(l.path("memory/f.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if topics, _, err := l.w.List(t.Context()); err != nil || len(topics) != 0 {
		t.Errorf("topics %v (%v), want none", topics, err)
	}
	for _, p := range []string{"memory/d.md", "memory/f.md"} {
		_, err := l.w.Read(t.Context(), p)
		l.refuses(err, ErrState)
		_, err = l.w.Save(t.Context(), ada, p, "x", Expect{Any: true})
		l.refuses(err, ErrState)
	}
	r := l.append("another file is written all the same")
	if r.Change == "" {
		t.Error("nothing was written")
	}
	s, err := l.w.Status(t.Context())
	if err != nil || len(s.Findings) != 2 {
		t.Errorf("status findings %+v (%v), want two", s.Findings, err)
	}
	l.reopen()
	r = l.append("after a new start the notes name both")
	l.contains(strings.Join(r.Notes, "\n"), "memory/d.md", "memory/f.md")
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// Delete has its own rules.
func TestDelete(t *testing.T) {
	l := newLab(t)
	l.save("memory/keep.md", "keep me\n")
	for _, p := range []string{"MEMORY.md", "ABOUT.md"} {
		_, err := l.w.Delete(t.Context(), ada, p, Expect{})
		l.refuses(err, ErrForbidden)
	}
	_, err := l.w.Delete(t.Context(), ada, "memory/keep.md", Expect{Hash: hashText([]byte("other"))})
	l.refuses(err, ErrStale)
	if r := l.must(l.w.Delete(t.Context(), ada, "memory/none.md", Expect{})); r.Change != "" {
		t.Error("a missing file made a change")
	}
	l.must(l.w.Delete(t.Context(), ada, "memory/keep.md", Expect{Hash: hashText([]byte("keep me\n"))}))
	if _, err := os.Stat(l.path("memory/keep.md")); err == nil {
		t.Error("the file is still there")
	}
	_, err = l.w.Save(t.Context(), ada, "memory/log/2026-09-12.md", "x\n", Expect{Any: true})
	l.refuses(err, ErrForbidden)
	l.sound()
}
