package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What must not come in is met on the way: credentials, links, conflict markers; a
// person's other files stay in the tree.
func TestSyncHostile(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
	for name, diverged := range map[string]bool{"forward": false, "merged": true} {
		t.Run(name, func(t *testing.T) {
			remote := bareRemote(t)
			a := machine(t, "a", remote)
			a.append("Likes tea")
			a.sync()
			clone := filepath.Join(t.TempDir(), "clone")
			rawGit(t, filepath.Dir(clone), "clone", "-q", remote, clone)
			for path, text := range map[string]string{
				"memory/keys.md": "- the key is " + secret + "\n", "README.md": "read me\n",
				"memory/torn.md": "- one\n<<<<<<< HEAD\n- ours\n=======\n- theirs\n>>>>>>> other\n",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(clone, path)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(clone, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink("/etc/passwd", filepath.Join(clone, "memory", "link.md")); err != nil {
				t.Fatal(err)
			}
			rawGit(t, clone, "add", "-A")
			rawGit(t, clone, "commit", "-qm", "by a person")
			rawGit(t, clone, "push", "-q")
			if diverged {
				a.append("Sings at night")
			}
			got := a.sync()
			notes := strings.Join(got.Notes, "\n")
			for _, want := range []string{"memory/keys.md", "memory/link.md", "memory/torn.md"} {
				if !strings.Contains(notes, want) {
					t.Errorf("%s is not told: %q", want, notes)
				}
			}
			if text := a.text("memory/keys.md"); strings.Contains(text, secret) || !strings.Contains(text, "the key is") {
				t.Errorf("keys.md: %q", text)
			}
			if text := a.text("memory/torn.md"); text != "- one\n- ours\n- theirs\n" {
				t.Errorf("torn.md: %q", text)
			}
			for _, path := range []string{"memory/link.md", "README.md"} {
				if _, err := os.Lstat(a.path(path)); err == nil {
					t.Errorf("%s is a work file", path)
				}
			}
			if files := a.git("ls-tree", "-r", "--name-only", "HEAD"); !strings.Contains(files, "README.md") || strings.Contains(files, "link.md") {
				t.Errorf("the tree: %s", files)
			}
			if s := a.git("status", "--porcelain"); s != "" {
				t.Errorf("git status: %s", s)
			}
			a.sound()
		})
	}
}

// A remote that has another history is refused with the choices, and nothing changes.
func TestSyncUnrelated(t *testing.T) {
	for _, how := range []string{"", UnrelatedJoin, UnrelatedAdopt} {
		remote := bareRemote(t)
		other := machine(t, "other", remote)
		other.append("Likes tea")
		other.sync()
		a := machine(t, "a", remote)
		a.append("Sings at night")
		head := a.git("rev-parse", "HEAD")
		_, err := a.w.Sync(a.ctx(), ada, Syncing{Unrelated: how})
		text := a.text("MEMORY.md")
		switch how {
		case "":
			if a.refuses(err, ErrConflict); a.git("rev-parse", "HEAD") != head || !strings.Contains(err.Error(), "join") {
				t.Errorf("refused with %v", err)
			}
			if s := a.w.SyncState(); s.Fault == "" {
				t.Errorf("state %+v", s)
			}
		case UnrelatedJoin:
			if err != nil || !strings.Contains(text, "Likes tea") || !strings.Contains(text, "Sings at night") {
				t.Errorf("join: %v, %q", err, text)
			}
		case UnrelatedAdopt:
			if err != nil || !strings.Contains(text, "Likes tea") || strings.Contains(text, "Sings at night") {
				t.Errorf("adopt: %v, %q", err, text)
			}
			if kept := a.git("for-each-ref", "--format=%(objectname)", "refs/quipu/lost"); kept != head {
				t.Errorf("kept %q, want %s", kept, head)
			}
		}
		a.sound()
	}
}

// A remote that takes nothing leaves all that was changed here, and says so until it does.
func TestSyncRejected(t *testing.T) {
	remote := bareRemote(t)
	a := machine(t, "a", remote)
	a.sync()
	hook := filepath.Join(remote, "hooks", "pre-receive")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\necho no entry >&2\nexit 1\n"), 0o700); err != nil { //nolint:gosec // a hook must run
		t.Fatal(err)
	}
	a.append("Likes tea")
	got, err := a.w.Sync(a.ctx(), ada, Syncing{})
	a.refuses(err, ErrRemote)
	if s := a.w.SyncState(); got.Ahead != 1 || s.Ahead != 1 || s.Fault == "" || !strings.Contains(s.Fault, "no entry") {
		t.Errorf("%+v, %+v", got, s)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if got := a.sync(); got.Ahead != 0 || got.Pushed != 1 {
		t.Errorf("%+v", got)
	}
	if err := os.RemoveAll(remote); err != nil {
		t.Fatal(err)
	}
	_, err = a.w.Sync(a.ctx(), ada, Syncing{})
	a.refuses(err, ErrRemote)
	none := newLab(t)
	_, err = none.w.Sync(none.ctx(), ada, Syncing{})
	none.refuses(err, ErrNotFound)
	for _, url := range []string{"ext::sh -c id", "https://u:p@example.org/x", "-x"} {
		a.refuses(a.w.SetRemote(Remote{URL: url}, nil), ErrInvalid)
	}
}
