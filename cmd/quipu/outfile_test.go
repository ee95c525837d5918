package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

// tree lists what lies in a folder, with modes.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		fi, err := d.Info()
		name, _ := filepath.Rel(dir, p) // it lies under it
		got[name] = fi.Mode().String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestWriteOut(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "file")
	write := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, werr := io.WriteString(w, text)
			return errors.Join(err, werr)
		}
	}
	broken := errors.New("broken")
	if err := writeOut(at, false, write("half", broken)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(map[string]string{}, tree(t, dir)); diff != "" {
		t.Errorf("something half-written is left:\n%s", diff)
	}
	if err := writeOut(at, false, write("one", nil)); err != nil {
		t.Fatal(err)
	}
	if err := writeOut(at, false, write("two", nil)); !errors.Is(err, repo.ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
	if err := writeOut(at, true, write("half", broken)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(at); err != nil || string(text) != "one" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	if diff := cmp.Diff(map[string]string{"file": "-rw-------"}, tree(t, dir)); diff != "" {
		t.Error(diff)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(at, link); err != nil {
		t.Fatal(err)
	}
	if err := writeOut(link, true, write("three", nil)); !errors.Is(err, repo.ErrConflict) {
		t.Errorf("a link is followed, or replaced: %v", err)
	}
}

func TestWriteFolder(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "out")
	files := []outText{{"a.md", []byte("a")}, {"memory/b.md", []byte("b")}}
	for name, bad := range map[string]outText{"twice": {"a.md", nil}, "leads out": {"../c.md", nil}, "absolute": {"/c.md", nil}} {
		t.Run(name, func(t *testing.T) {
			if err := writeFolder(at, false, append(files[:2:2], bad)); err == nil {
				t.Error("it is taken")
			}
			if diff := cmp.Diff(map[string]string{}, tree(t, dir)); diff != "" {
				t.Errorf("something is left:\n%s", diff)
			}
		})
	}
	if err := writeFolder(at, false, files); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"out": "drwx------", "out/a.md": "-rw-------", "out/memory": "drwx------", "out/memory/b.md": "-rw-------"}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Error(diff)
	}
	// With force what is there of other names stays; a folder that is a link stops all of it.
	if err := os.WriteFile(filepath.Join(at, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeFolder(at, true, []outText{{"a.md", []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := errors.Join(os.RemoveAll(filepath.Join(at, "memory")), os.Symlink(elsewhere, filepath.Join(at, "memory"))); err != nil {
		t.Fatal(err)
	}
	if err := writeFolder(at, true, []outText{{"a.md", []byte("newer")}, {"memory/b.md", []byte("b")}}); !errors.Is(err, repo.ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
	if text, err := os.ReadFile(filepath.Join(at, "a.md")); err != nil || string(text) != "new" {
		t.Errorf("a.md holds %q, %v", text, err)
	}
	if len(tree(t, elsewhere)) > 0 {
		t.Error("a link was followed")
	}
	want = map[string]string{"out": "drwx------", "out/a.md": "-rw-------", "out/memory": "Lrwxrwxrwx", "out/mine": "-rw-------"}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Error(diff)
	}
}
