package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/policy"
)

// plain is a person's clone of a remote, in which a test does what a person does.
func plain(t *testing.T, remote string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	rawGit(t, filepath.Dir(dir), "clone", "-q", remote, dir)
	return dir
}

func putIn(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func pushAll(t *testing.T, dir string) {
	t.Helper()
	rawGit(t, dir, "add", "-A")
	rawGit(t, dir, "commit", "-qm", "by a person")
	rawGit(t, dir, "push", "-q", "origin", "HEAD")
}

// Trees of any shape come in without harm: what is a note is one, what is none stays in
// the tree, and the next change works.
func TestSyncShapes(t *testing.T) {
	link := func(t *testing.T, dir, to, name string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	blob := func(t *testing.T, dir, text string) string {
		t.Helper()
		putIn(t, dir, "blob", text)
		h := rawGit(t, dir, "hash-object", "-w", "blob")
		_ = os.Remove(filepath.Join(dir, "blob"))
		return h
	}
	index := func(t *testing.T, dir, mode, hash, name string) {
		t.Helper()
		rawGit(t, dir, "update-index", "--add", "--cacheinfo", mode+","+hash+","+name)
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string)
		told string
	}{
		"names differing in case": {make: func(t *testing.T, dir string) {
			h := blob(t, dir, "- odd\n")
			index(t, dir, "100644", h, "memory/Foo.md")
			index(t, dir, "100644", h, "memory/foo.md")
		}},
		"a backslash": {make: func(t *testing.T, dir string) { index(t, dir, "100644", blob(t, dir, "- odd\n"), `memory/a\b.md`) }},
		"deep paths": {make: func(t *testing.T, dir string) {
			index(t, dir, "100644", blob(t, dir, "- odd\n"), "memory/"+strings.Repeat("d/", 200)+"deep.md")
		}},
		"a folder that is a link": {make: func(t *testing.T, dir string) {
			link(t, dir, "/tmp", "memory")
			rawGit(t, dir, "add", "-A")
		}},
		"MEMORY.md is a link": {told: "MEMORY.md", make: func(t *testing.T, dir string) {
			link(t, dir, "/etc/passwd", "MEMORY.md")
			rawGit(t, dir, "add", "-A")
		}},
		"MEMORY.md is a folder": {make: func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "MEMORY.md")); err != nil {
				t.Fatal(err)
			}
			putIn(t, dir, "MEMORY.md/x.md", "- x\n")
			rawGit(t, dir, "add", "-A")
		}},
		"a submodule": {make: func(t *testing.T, dir string) {
			index(t, dir, "160000", strings.Repeat("1", 40), "memory/sub.md")
			index(t, dir, "160000", strings.Repeat("1", 40), "lib")
			putIn(t, dir, ".gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = /nowhere\n")
			rawGit(t, dir, "add", ".gitmodules")
		}},
		"executable notes": {make: func(t *testing.T, dir string) { index(t, dir, "100755", blob(t, dir, "- odd\n"), "memory/run.md") }},
		"a large note": {make: func(t *testing.T, dir string) {
			putIn(t, dir, "memory/large.md", strings.Repeat("- a line of a large note\n", 10<<20/25))
			rawGit(t, dir, "add", "-A")
		}},
		"a large image": {make: func(t *testing.T, dir string) {
			putIn(t, dir, "memory/images/large.png", strings.Repeat("\x00\x01", 5<<20))
			rawGit(t, dir, "add", "-A")
		}},
		"CRLF and BOM": {make: func(t *testing.T, dir string) {
			putIn(t, dir, "memory/win.md", "\xef\xbb\xbf# Win\r\n\r\n- 2026-09-01 · by Windows\r\n")
			rawGit(t, dir, "-c", "core.autocrlf=false", "add", "-A")
		}},
		"attributes with filters": {make: func(t *testing.T, dir string) {
			index(t, dir, "100644", blob(t, dir, "*.md filter=evil eol=crlf\n* text working-tree-encoding=UTF-16\n"), ".gitattributes")
			index(t, dir, "100644", blob(t, dir, "*.md filter=evil\n"), "memory/.gitattributes")
		}},
		"memory is a file": {make: func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "memory")); err != nil {
				t.Fatal(err)
			}
			putIn(t, dir, "memory", "no folder\n")
			rawGit(t, dir, "add", "-A")
		}},
		"an empty tree": {make: func(t *testing.T, dir string) { rawGit(t, dir, "rm", "-rq", "--cached", ".") }},
	} {
		for _, diverged := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", diverged), func(t *testing.T) {
				t.Parallel()
				remote := bareRemote(t)
				a, b := machine(t, "a", remote), machine(t, "b", remote)
				a.append("Likes tea")
				a.update(policy.Update{Action: policy.Append, Text: "Has a cat", TextSet: true, Topic: "pets"})
				a.sync()
				b.sync()
				dir := plain(t, remote)
				c.make(t, dir)
				rawGit(t, dir, "commit", "-qm", "odd")
				rawGit(t, dir, "push", "-q", "origin", "HEAD")
				if diverged {
					a.append("Sings at night")
					a.update(policy.Update{Action: policy.Append, Text: "Has a dog", TextSet: true, Topic: "pets"})
				}
				got := a.sync()
				if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, c.told) {
					t.Errorf("notes %q", notes)
				}
				for _, l := range []*lab{a, b} {
					l.append("A later fact of " + filepath.Base(l.home))
					l.update(policy.Update{Action: policy.Append, Text: "And one in a topic", TextSet: true, Topic: "more"})
				}
				b.sync()
				a.sync()
				b.sync()
				if text := a.text("MEMORY.md"); !strings.Contains(text, "later fact of a") || !strings.Contains(text, "later fact of b") || diverged && !strings.Contains(text, "Sings") {
					t.Errorf("MEMORY.md: %q", text)
				}
				if info, err := os.Lstat(a.path("MEMORY.md")); err != nil || !info.Mode().IsRegular() {
					t.Errorf("MEMORY.md: %v, %v", info, err)
				}
				sameHeads(t, a, b)
			})
		}
	}
}

// What somebody wrote by hand into the files that only transactions write does not come
// in; what quipu wrote beside it does. A forgotten note that a person's git brings again
// stays out, whichever way it comes.
func TestSyncOwnFiles(t *testing.T) {
	for _, diverged := range []bool{false, true} {
		t.Run(fmt.Sprint("diverged ", diverged), func(t *testing.T) {
			remote := bareRemote(t)
			a, b := machine(t, "a", remote), machine(t, "b", remote)
			a.append("Likes tea")
			a.append("The secret lover is " + lover)
			a.forget(Forgetting{Words: []string{lover}})
			a.sync()
			b.sync()
			ledger := a.text(policy.LedgerFile)
			dir := plain(t, remote)
			putIn(t, dir, policy.LedgerFile, "{\"t\":\"lift\",\"id\":\"x\"}\nmine\n")
			putIn(t, dir, policy.EpochFile, "77\n")
			putIn(t, dir, "memory/again.md", "- "+lover+" came back\n- Has a cat\n")
			pushAll(t, dir)
			if diverged {
				a.append("Sings at night")
			}
			got := a.sync()
			notes := strings.Join(got.Notes, "\n")
			for _, want := range []string{policy.LedgerFile, policy.EpochFile, "forgotten"} {
				if !strings.Contains(notes, want) {
					t.Errorf("%s is not told: %q", want, notes)
				}
			}
			b.forget(Forgetting{Words: []string{rival}})
			b.sync()
			a.sync()
			b.sync()
			for _, l := range []*lab{a, b} {
				text := l.text(policy.LedgerFile)
				if !strings.HasPrefix(text, ledger) || strings.Contains(text, "mine") || strings.Count(text, "\"never\"") != 2 {
					t.Errorf("the ledger was %q and is %q", ledger, text)
				}
				if n, err := l.w.Epoch(); n != 0 || err != nil {
					t.Errorf("epoch %d, %v", n, err)
				}
				if text := l.text("memory/again.md"); strings.Contains(text, lover) || !strings.Contains(text, "Has a cat") {
					t.Errorf("again.md: %q", text)
				}
			}
			sameHeads(t, a, b)
		})
	}
}

// The branches that a remote can have: each leads to one memory, or to a message.
func TestSyncBranches(t *testing.T) {
	t.Run("another default branch", func(t *testing.T) {
		remote := bareRemote(t)
		rawGit(t, remote, "symbolic-ref", "HEAD", "refs/heads/trunk")
		dir := plain(t, remote)
		putIn(t, dir, "memory/theirs.md", "- Has a cat\n")
		pushAll(t, dir)
		a := machine(t, "a", remote)
		if got := a.sync(); got.Branch != "trunk" || !strings.Contains(a.text("memory/theirs.md"), "cat") {
			t.Errorf("%+v", got)
		}
		a.append("Likes tea")
		a.sync()
		if refs := rawGit(t, remote, "for-each-ref", "--format=%(refname)", "refs/heads"); refs != "refs/heads/trunk" {
			t.Errorf("branches %q", refs)
		}
		sameHeads(t, a)
	})
	t.Run("a branch that is not there", func(t *testing.T) {
		remote := bareRemote(t)
		other := machine(t, "other", remote)
		other.sync()
		a := machine(t, "a", remote)
		if err := a.w.SetRemote(Remote{URL: remote, Branch: "bots/scout"}, nil); err != nil {
			t.Fatal(err)
		}
		a.append("Likes tea")
		_, err := a.w.Sync(a.ctx(), ada, Syncing{PullOnly: true})
		a.refuses(err, ErrRemote)
		if got := a.sync(); got.Branch != "bots/scout" || got.Ahead != 0 {
			t.Errorf("%+v", got)
		}
		if heads := rawGit(t, remote, "for-each-ref", "--format=%(refname)", "refs/heads"); heads != "refs/heads/bots/scout\nrefs/heads/main" {
			t.Errorf("branches %q", heads)
		}
		sameHeads(t, a)
	})
	t.Run("a README of its own", func(t *testing.T) {
		remote := bareRemote(t)
		dir := plain(t, remote)
		putIn(t, dir, "README.md", "read me\n")
		pushAll(t, dir)
		a := machine(t, "a", remote)
		a.append("Likes tea")
		head := a.git("rev-parse", "HEAD")
		_, err := a.w.Sync(a.ctx(), ada, Syncing{})
		a.refuses(err, ErrConflict)
		if a.git("rev-parse", "HEAD") != head {
			t.Error("it moved")
		}
		if _, err := a.w.Sync(a.ctx(), ada, Syncing{Unrelated: UnrelatedJoin}); err != nil {
			t.Fatal(err)
		}
		if a.git("show", "HEAD:README.md") != "read me" || !strings.Contains(a.text("MEMORY.md"), "tea") {
			t.Error("something is gone")
		}
		sameHeads(t, a)
	})
	t.Run("a shallow push", func(t *testing.T) {
		remote := bareRemote(t)
		a := machine(t, "a", remote)
		a.append("Likes tea")
		a.append("Has a cat")
		a.sync()
		dir := filepath.Join(t.TempDir(), "shallow")
		rawGit(t, filepath.Dir(dir), "clone", "-q", "--depth", "1", "file://"+remote, dir)
		putIn(t, dir, "memory/shallow.md", "- from a shallow clone\n")
		pushAll(t, dir)
		a.append("Sings at night")
		a.sync()
		a.holds([]string{"Likes tea", "Has a cat", "Sings at night", "from a shallow clone"})
		sameHeads(t, a)
	})
	t.Run("a rewritten one", func(t *testing.T) {
		remote := bareRemote(t)
		a, b := machine(t, "a", remote), machine(t, "b", remote)
		a.append("Likes tea")
		a.append("Has a cat")
		a.sync()
		b.sync()
		b.append("Sings at night")
		dir := plain(t, remote)
		rawGit(t, dir, "reset", "-q", "--hard", "HEAD~1")
		putIn(t, dir, "memory/new.md", "- written after a reset\n")
		rawGit(t, dir, "add", "-A")
		rawGit(t, dir, "commit", "-qm", "another end")
		rawGit(t, dir, "push", "-q", "--force", "origin", "HEAD")
		got := b.sync()
		if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "rewritten") {
			t.Errorf("notes %q", notes)
		}
		a.sync()
		for _, l := range []*lab{a, b} {
			l.holds([]string{"Likes tea", "Has a cat", "Sings at night", "written after a reset"})
		}
		sameHeads(t, a, b)
	})
	t.Run("set back", func(t *testing.T) {
		remote := bareRemote(t)
		a := machine(t, "a", remote)
		a.append("Likes tea")
		a.append("Has a cat")
		a.sync()
		rawGit(t, remote, "update-ref", "refs/heads/main", "main~1")
		got := a.sync()
		if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "rewritten") || got.Pushed != 1 {
			t.Errorf("%+v", got)
		}
		sameHeads(t, a)
	})
	t.Run("gone", func(t *testing.T) {
		remote := bareRemote(t)
		a := machine(t, "a", remote)
		a.append("Likes tea")
		a.sync()
		rawGit(t, remote, "update-ref", "-d", "refs/heads/main")
		if got := a.sync(); got.Ahead != 0 || rawGit(t, remote, "rev-parse", "main") != a.git("rev-parse", "HEAD") {
			t.Errorf("%+v", got)
		}
		sameHeads(t, a)
	})
}
