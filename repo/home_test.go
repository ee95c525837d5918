package repo

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A home of a newer quipu is refused; one without a mark, or empty, is not.
func TestHomeFormat(t *testing.T) {
	for format, ok := range map[string]bool{"": true, "1\n": true, "1": true, "2\n": false, "99": false, "x": false} {
		dir := t.TempDir()
		if format != "" {
			if err := os.WriteFile(filepath.Join(dir, formatFile), []byte(format), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		l := &lab{t: t, clock: &clock{at: noon}}
		_, err := OpenHome(dir, Options{Now: l.clock.now})
		if ok && err != nil {
			t.Errorf("%q: %v", format, err)
		}
		if !ok {
			l.refuses(err, ErrState)
			l.contains(err.Error(), "newer quipu")
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHome(file, Options{}); err == nil {
		t.Error("a file was opened as a home")
	}
	l := newLab(t)
	if b, err := os.ReadFile(filepath.Join(l.home, formatFile)); err != nil || strings.TrimSpace(string(b)) != homeFormat {
		t.Errorf("format %q (%v)", b, err)
	}
}

// Folders are the owner's alone whatever the umask.
func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o777} {
		old := syscall.Umask(mask)
		l := bareLab(t, filepath.Join(t.TempDir(), "home"), "")
		err := os.Chmod(l.home, 0o700)
		_, _, cerr := l.store.Create(t.Context(), "scout", "Scout")
		if err != nil || cerr != nil {
			syscall.Umask(old)
			t.Fatal(err, cerr)
		}
		l.use("scout")
		l.append("one")
		l.save("memory/t.md", "x\n")
		l.rows(Query{})
		l.must(Receipt{}, l.store.Close())
		syscall.Umask(old)
		err = filepath.WalkDir(l.home, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if err != nil {
				return err
			}
			mode := fi.Mode().Perm()
			if rel, _ := filepath.Rel(l.home, p); mode&0o077 != 0 || mode&0o400 == 0 || d.IsDir() && mode != 0o700 {
				t.Errorf("umask %o: %s has mode %o", mask, rel, mode)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Creating a bot again gives it back; ids are checked.
func TestCreate(t *testing.T) {
	l := newLab(t)
	r := l.append("one")
	b, made, err := l.store.Create(t.Context(), "scout", "The Scout")
	if err != nil || made || b.Name != "The Scout" {
		t.Errorf("created again: %+v %v %v", b, made, err)
	}
	if got := l.git("rev-parse", "HEAD"); got != r.Commit {
		t.Error("creating it again made a commit")
	}
	for _, id := range []ID{"Scout", "SCOUT"} {
		_, _, err = l.store.Create(t.Context(), id, "")
		l.refuses(err, ErrConflict)
	}
	for _, id := range []ID{"", "-x", "a--b", "a/b", "..", "a b", "é", ID(strings.Repeat("x", 65)), "CON", "@me"} {
		_, _, err = l.store.Create(t.Context(), id, "")
		l.refuses(err, ErrInvalid)
	}
	_, err = l.store.Open(t.Context(), "nobody")
	l.refuses(err, ErrNotFound)
	l.create("b_2")
	bots, err := l.store.Bots(t.Context())
	if err != nil || len(bots) != 2 || bots[0].ID != "b_2" || bots[1].Name != "The Scout" {
		t.Errorf("bots %+v %v", bots, err)
	}
	if got := l.store.IDOf(filepath.Join(l.dir, "memory")); l.text("MEMORY.md") == "" || got != "" && got != "b_2" {
		t.Errorf("the folder is %q's", got)
	}
	if got := l.store.IDOf(l.dir); got != "b_2" {
		t.Errorf("the folder is %q's, want b_2's", got)
	}
}

// Several that open one bot at once get the same workspace.
func TestOpenAtOnce(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.must(Receipt{}, l.store.Close())
	got := make(chan *Workspace, 8)
	for range cap(got) {
		go func() {
			w, err := l.store.Open(t.Context(), "scout")
			if err != nil {
				t.Error(err)
			}
			got <- w
		}()
	}
	first := <-got
	for range cap(got) - 1 {
		if w := <-got; w != first {
			t.Error("two workspaces of one bot in one store")
		}
	}
}
