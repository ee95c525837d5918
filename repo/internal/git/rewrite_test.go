package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tells says whether text holds what tests erase: Zanzibar, as a word or in a path.
func tells(b []byte) bool { return bytes.Contains(b, []byte("anzibar")) }

// withoutSecret drops the lines that tell it.
func withoutSecret(b []byte) ([]byte, bool) {
	if !tells(b) {
		return b, false
	}
	out := []byte{}
	for line := range bytes.Lines(b) {
		if !tells(line) {
			out = append(out, line...)
		}
	}
	return out, true
}

// erasing is a rewriting as the vault makes one, by lines.
func erasing() Rewriting {
	return Rewriting{
		ID:   "erase-1",
		Text: func(_ string, text []byte) ([]byte, bool) { return withoutSecret(text) },
		Path: func(path string) string {
			return strings.NewReplacer("zanzibar", "topic", "Zanzibar", "topic").Replace(path)
		},
		Message: func(m Message) string {
			text, changed := withoutSecret([]byte(m.Text))
			if !changed {
				return m.Text
			}
			if tells([]byte(firstLine(m.Text))) {
				text = append([]byte("erased\n"), text...)
			}
			return string(text)
		},
		Found: tells,
	}
}

// holds lists where the workspace still tells the secret: objects, decompressed, and
// the files of the git directory and the work tree, as they are.
func (h *home) holds() (where []string) {
	h.t.Helper()
	cmd := h.command("cat-file", "--batch-all-objects", "--batch", "--unordered")
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatal(err)
	}
	for rest := out; len(rest) > 0; {
		head, more, _ := bytes.Cut(rest, []byte("\n"))
		var name, kind string
		var size int
		if _, err := fmt.Sscan(string(head), &name, &kind, &size); err != nil {
			h.t.Fatalf("%q: %v", head, err)
		}
		if tells(more[:size]) {
			where = append(where, kind+" "+name)
		}
		rest = more[size+1:]
	}
	for _, dir := range []string{h.dir, h.work} {
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if tells([]byte(d.Name())) {
					where = append(where, p)
				}
				return err
			}
			b, err := os.ReadFile(p)
			if tells(b) || tells([]byte(d.Name())) {
				where = append(where, p)
			}
			return err
		})
		if err != nil {
			h.t.Fatal(err)
		}
	}
	return where
}

// erased checks everything that must hold after an erase.
func (h *home) erased() {
	h.t.Helper()
	if where := h.holds(); len(where) > 0 {
		h.t.Errorf("still told by:\n%s", strings.Join(where, "\n"))
	}
	h.whole()
	h.tidy()
}

// whole checks that git finds nothing wrong and nothing that is not reachable.
func (h *home) whole() {
	h.t.Helper()
	if out, err := h.tryGit("fsck", "--full", "--strict", "--unreachable", "--no-progress"); err != nil || out != "" {
		h.t.Errorf("git fsck: %v\n%s", err, out)
	}
	if out, err := h.tryGit("count-objects", "-v"); err != nil || !strings.Contains(out, "garbage: 0") {
		h.t.Errorf("git count-objects: %v\n%s", err, out)
	}
}

// tidy checks that an erase left nothing of its own.
func (h *home) tidy() {
	h.t.Helper()
	for _, p := range []string{h.dir + "/quipu/rewrite", h.dir + "/packed-refs.lock", h.dir + "/index.lock"} {
		if _, err := os.Lstat(p); err == nil {
			h.t.Errorf("%s was left", p)
		}
	}
}

// drop takes the secret out of every work file by an ordinary commit, as a caller of
// Rewrite does before.
func drop(r *Repo) error {
	return r.Update(context.Background(), func(t *Tx) error {
		if err := addIn(t, "memory/other.md", "- before the erase"); err != nil {
			return err
		}
		files, err := t.Files()
		if err != nil {
			return err
		}
		var write []File
		for _, f := range files {
			text, _, err := t.File(f.Path)
			if err != nil {
				return err
			}
			if _, _, err := t.Outside(f.Path); err != nil {
				return err
			}
			after, changed := withoutSecret(text)
			switch {
			case tells([]byte(f.Path)):
				write = append(write, File{Path: f.Path, Delete: true}, File{Path: erasing().Path(f.Path), Text: after})
				if _, _, err := t.Outside(erasing().Path(f.Path)); err != nil {
					return err
				}
			case changed:
				write = append(write, File{Path: f.Path, Text: after})
			}
		}
		if len(write) == 0 {
			return nil
		}
		who := Signature{Name: "Ada", Email: "ada@localhost", When: t.Now()}
		_, err = t.Commit(NewCommit{Author: who, Message: "forget\n\nMemory-Action: forget\n", Files: write})
		return err
	})
}

// erase runs the erase, again while a late edit's watch is on.
func erase(t testing.TB, r *Repo) Rewritten {
	t.Helper()
	out, err := r.Rewrite(t.Context(), erasing())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestErase(t *testing.T) {
	h := newHome(t)
	r := h.open()
	for i := range 6 {
		if err := add(r, "MEMORY.md", fmt.Sprintf("- line %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	early := strings.TrimSpace(h.git("rev-parse", "HEAD"))
	for _, line := range []string{"- Ada lives in Zanzibar", "- more", "- still more"} {
		if err := add(r, "MEMORY.md", line); err != nil {
			t.Fatal(err)
		}
	}
	if len(h.holds()) < 5 { // the scanner sees what is there
		t.Fatalf("the control copies were not found: %v", h.holds())
	}
	if err := drop(r); err != nil {
		t.Fatal(err)
	}
	authors := h.git("log", "--format=%an %ae %at %cn %ct")
	time.Sleep(2 * lateAge)
	out := erase(t, r)
	h.erased()
	h.sound()
	if got := h.git("log", "--format=%an %ae %at %cn %ct"); got != authors {
		t.Errorf("authors:\n%s", cmp.Diff(authors, got))
	}
	if !strings.Contains(h.git("rev-list", "HEAD"), early) {
		t.Error("a commit before the first affected one has another name")
	}
	if out.Commits != 11 || out.Changed != 5 || out.Emptied != 2 || len(out.New) != 5 || out.Refs != 1 {
		t.Errorf("got %+v", out)
	}
	if err := add(r, "MEMORY.md", "- after"); err != nil {
		t.Fatal(err)
	}
	h.sound()
	r = h.reopen(r)
	if err := add(r, "MEMORY.md", "- after that"); err != nil {
		t.Fatal(err)
	}
	h.sound()
	if id, change, ok, err := r.LastRewrite(); err != nil || !ok || id != "erase-1" || !cmp.Equal(change, out.New) {
		t.Errorf("last rewrite: %q %v %v %v", id, change, ok, err)
	}
	if again := erase(t, r); again.Changed != 0 || again.Refs != 0 || len(again.Notes) > 0 {
		t.Errorf("again: %+v", again)
	}
}

// A history that does not hold it stays as it is, to the byte.
func TestEraseOfNothing(t *testing.T) {
	h := newHome(t)
	r := h.open()
	for i := range 20 {
		if err := add(r, "MEMORY.md", fmt.Sprintf("- line %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	h.git("tag", "-a", "-m", "a tag", "v1")
	h.git("update-ref", "refs/remotes/origin/main", "HEAD~3")
	time.Sleep(2 * lateAge)
	if err := add(r, "MEMORY.md", "- end"); err != nil {
		t.Fatal(err)
	}
	list := func() string {
		var b strings.Builder
		err := filepath.WalkDir(h.dir, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.Contains(p, "/quipu/") {
				text, rerr := os.ReadFile(p)
				fmt.Fprintf(&b, "%s %s\n", p, HashBlob(text))
				err = rerr
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	before := list()
	out := erase(t, r)
	if out.Changed+out.Refs+out.Copies+len(out.New)+len(out.Notes) != 0 || out.Commits != 21 {
		t.Errorf("got %+v", out)
	}
	if d := cmp.Diff(before, list()); d != "" {
		t.Error(d)
	}
	h.sound()
}

func TestEraseRefuses(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		is         error
		prepare    func(h *home)
	}{
		{"shallow", "git fetch --unshallow", ErrUnsupported, func(h *home) { h.gitFile("shallow", strings.Repeat("0", 40)+"\n") }},
		{"alternates", "borrowed", ErrUnsupported, func(h *home) { h.gitFile("objects/info/alternates", "/nowhere\n") }},
		{"worktree", "git worktree remove", ErrUnsupported, func(h *home) {
			h.git("worktree", "add", "-q", filepath.Join(h.t.TempDir(), "side"))
		}},
		{"detached", "git switch main", ErrState, func(h *home) { h.git("checkout", "-q", "--detach") }},
		{"merge", "git merge --abort", ErrState, func(h *home) { h.gitFile("MERGE_HEAD", strings.Repeat("0", 40)+"\n") }},
		{"rebase", "git rebase --abort", ErrState, func(h *home) { h.gitFile("rebase-merge/head-name", "main\n") }},
		{"gc", "git gc is running", ErrBusy, func(h *home) { h.gitFile("gc.pid", fmt.Sprintf("%d host\n", os.Getpid())) }},
		{"lock", "packed-refs.lock", ErrBusy, func(h *home) { h.gitFile("packed-refs.lock", "") }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := newHome(t)
			h.wait = 100 * time.Millisecond
			r := h.open()
			if err := errors.Join(add(r, "MEMORY.md", "- Zanzibar"), add(r, "MEMORY.md", "- more"), drop(r)); err != nil {
				t.Fatal(err)
			}
			tc.prepare(h)
			time.Sleep(2 * lateAge)
			before := h.git("for-each-ref")
			_, err := r.Rewrite(t.Context(), erasing())
			if !errors.Is(err, tc.is) || !strings.Contains(fmt.Sprint(err), tc.want) {
				t.Errorf("got %v", err)
			}
			if got := h.git("for-each-ref"); got != before {
				t.Error(cmp.Diff(before, got))
			}
		})
	}
}

// What still holds it is never called erased: nothing changes, and the error names the
// object and no text.
func TestEraseFindsWhatIsLeft(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := errors.Join(add(r, "MEMORY.md", "- Zanzibar"), add(r, "MEMORY.md", "- Zanzibar again")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * lateAge)
	before := h.git("for-each-ref")
	w := erasing()
	w.Text = func(_ string, text []byte) ([]byte, bool) {
		return bytes.Replace(text, []byte("Zanzibar again"), []byte("gone"), 1), true
	}
	_, err := r.Rewrite(t.Context(), w)
	if err == nil || tells([]byte(err.Error())) || !strings.Contains(err.Error(), "object ") {
		t.Errorf("got %v", err)
	}
	if got := h.git("for-each-ref"); got != before {
		t.Error(cmp.Diff(before, got))
	}
	if err := add(r, "MEMORY.md", "- goes on"); err != nil {
		t.Error(err)
	}
	h.sound()
}
