package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// typed runs a finding's fix as a person does, in the workspace.
func (l *lab) typed(command string) {
	l.t.Helper()
	cmd := exec.CommandContext(l.t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Env = l.dir, l.env
	if out, err := cmd.CombinedOutput(); err != nil {
		l.t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

// A sound workspace has nothing to tell.
func TestDoctorOfASoundWorkspace(t *testing.T) {
	l := newLab(t)
	l.append("one")
	found, err := l.w.Doctor(t.Context(), false)
	if err != nil || len(found) != 0 {
		t.Errorf("doctor found %+v (%v)", found, err)
	}
	calls := 0
	found, err = l.w.Verify(t.Context(), func(done, total int) {
		if calls++; done > total {
			t.Errorf("progress %d of %d", done, total)
		}
	})
	if err != nil || len(found) != 0 || calls == 0 {
		t.Errorf("verify found %+v (%v) in %d steps", found, err, calls)
	}
}

// Each planted fault is found, and its fix works when it is typed.
func TestDoctorFindsAndFixes(t *testing.T) {
	tests := map[string]struct {
		plant  func(*lab)
		about  string
		typed  bool // the fix is a command
		mended bool // doctor mends it itself
	}{
		"open to others": {plant: func(l *lab) { l.must(Receipt{}, os.Chmod(l.dir, 0o755)) }, about: "others on this computer can read it", typed: true, mended: true},
		"a link in place": {plant: func(l *lab) {
			l.put("memory/x.md", "")
			l.must(Receipt{}, os.Remove(l.path("memory/x.md")))
			l.must(Receipt{}, os.Symlink("/etc/hostname", l.path("memory/x.md")))
		}, about: "memory/x.md", typed: true},
		"a folder in place": {plant: func(l *lab) { l.must(Receipt{}, os.MkdirAll(l.path("memory/it's.md"), 0o700)) }, about: "memory/it's.md", typed: true},
		"a nested repository": {plant: func(l *lab) {
			l.put("memory/t.md", "x")
			l.typed("git init -q memory")
		}, about: "memory/.git"},
		"an open merge": {plant: func(l *lab) {
			l.git("switch", "-q", "-c", "side")
			l.append("a")
			l.git("switch", "-q", "main")
			l.append("b")
			_, _ = l.gitTry("merge", "side")
		}, about: "a merge is not finished", typed: true},
		"a detached HEAD":   {plant: func(l *lab) { l.append("a"); l.git("checkout", "-q", "--detach") }, about: "detached HEAD", typed: true},
		"a broken config":   {plant: func(l *lab) { l.must(Receipt{}, os.WriteFile(filepath.Join(l.home, configFile), []byte("{"), 0o600)) }, about: configFile},
		"an unusual name":   {plant: func(l *lab) { l.put("memory/a: b?.md", "- x\n") }, about: "memory/a: b?.md", typed: true},
		"a conflicted copy": {plant: func(l *lab) { l.put("memory/t (conflicted copy).md", "- x\n") }, about: "conflicted copy"},
		"hidden memory":     {plant: func(l *lab) { l.put(".gitignore", "/memory/\n") }, about: ".gitignore"},
		"an unread index":   {plant: func(l *lab) { l.must(Receipt{}, os.WriteFile(filepath.Join(l.w.git.Dir(), "index"), nil, 0o600)) }, about: "index cannot be read", mended: true},
		"a rewritten branch": {plant: func(l *lab) {
			l.append("a")
			l.append("b")
			l.git("reset", "-q", "--hard", "HEAD~1")
			l.append("c")
		}, about: "refs/quipu/lost", typed: true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			tc.plant(l)
			f := l.finds(false, tc.about)
			if f.Fix == "" {
				t.Errorf("no fix: %+v", f)
			}
			if tc.mended {
				if m := l.finds(true, f.Where); !strings.Contains(m.What, "mended") {
					t.Errorf("with fix: %+v", m)
				}
			}
			if tc.mended {
				tc.plant(l)
			}
			if tc.typed {
				l.typed(f.Fix)
				if f.Level == "note" {
					return
				}
				found, err := l.w.Doctor(t.Context(), false)
				for _, again := range found {
					if again.Level != "note" {
						t.Errorf("after %q: %+v (%v)", f.Fix, again, err)
					}
				}
			}
		})
	}
}

// Verify names what is broken: an object, a file.
func TestVerifyFinds(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.append("two")
	l.must(Receipt{}, l.w.git.Checkpoint(t.Context()))
	blob := l.git("rev-parse", "HEAD~1:MEMORY.md")
	object := filepath.Join(l.w.git.Dir(), "objects", blob[:2], blob[2:])
	l.must(Receipt{}, os.Remove(object))
	l.put("memory/t.md", "- 2026-01-01 · ~~a~~\n")
	l.reopen()
	found, err := l.w.Verify(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range found {
		all.WriteString(f.Where + ": " + f.What + "\n")
	}
	l.contains(all.String(), "commit "+l.git("rev-parse", "HEAD~1"), "MEMORY.md", "memory/t.md:1: a struck entry")
}
