package repo

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

// An editor that rewrites a file, a deletion and a new file with an odd name are one
// change of the person.
func TestOutsideEdits(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.save("memory/gone.md", "- x\n")
	l.save("memory/food.md", "- tea\n")
	l.put("memory/food.md", "- coffee\n")
	l.put("memory/Meine Notizen (2)!.md", "- odd name\n")
	l.put("memory/sub/deep.md", "not memory\n")
	l.put("notes.txt", "not memory\n")
	if err := os.Remove(l.path("memory/gone.md")); err != nil {
		t.Fatal(err)
	}
	got, err := l.w.TakeIn(t.Context(), ada.Author)
	if err != nil || len(got) != 1 {
		t.Fatalf("took in %+v (%v)", got, err)
	}
	kinds := map[string]string{}
	for _, r := range got[0].Rows {
		kinds[r.Path] = r.Kind
		if r.Actor != "person" || r.Who != "Ada" || r.Via != "disk" || r.Action != "outside" {
			t.Errorf("row %+v", r)
		}
	}
	want := map[string]string{"memory/food.md": "edited", "memory/Meine Notizen (2)!.md": "created", "memory/gone.md": "deleted"}
	for p, k := range want {
		if kinds[p] != k || len(kinds) != len(want) {
			t.Errorf("kinds %v, want %v", kinds, want)
		}
	}
	if again, err := l.w.TakeIn(t.Context(), ada.Author); err != nil || again != nil {
		t.Errorf("taken in twice: %+v (%v)", again, err)
	}
	l.undo("")
	l.contains(l.text("memory/gone.md")+l.text("memory/food.md"), "- x\n- tea\n")
	l.sound()
}

// What is edited while a bot's turn is open is taken in as the bot's, even first thing.
func TestTakeInAsTheBot(t *testing.T) {
	l := newLab(t)
	l.reopen()
	l.put("memory/by-tool.md", "- x\n")
	got, err := l.w.TakeIn(t.Context(), Author{Kind: Bot, Name: "scout"})
	if err != nil || len(got) != 1 || got[0].Rows[0].Actor != "bot" || got[0].Rows[0].Who != "scout" {
		t.Errorf("took in %+v (%v)", got, err)
	}
}

// A file with conflict markers is refused with what to do; others are not.
func TestConflictMarkers(t *testing.T) {
	l := newLab(t)
	l.save("memory/t.md", "- a\n")
	const torn = "<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> side\n"
	l.put("memory/t.md", torn)
	_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Topic: "t", Text: "x"})
	l.refuses(err, ErrState)
	l.contains(err.Error(), "memory/t.md", "resolve")
	l.append("others are written")
	l.reopen()
	r := l.append("and after a new start the receipt tells")
	l.contains(strings.Join(r.Notes, "\n"), "memory/t.md")
	if got := l.text("memory/t.md"); got != torn {
		t.Errorf("the file was changed to %q", got)
	}
	l.finds(false, "memory/t.md")
	l.put("memory/t.md", "- a\n- b\n")
	l.update(policy.Update{Action: policy.Append, Topic: "t", Text: "x"})
	l.sound()
	l.put("memory/rule.md", "<<<<<<< not git's\n\nfine\n=======\n")
	if got, err := l.w.TakeIn(t.Context(), ada.Author); err != nil || len(got) != 1 {
		t.Errorf("a text with one marker was not taken in: %v", err)
	}
}

// A credential that an editor put into a note is masked in the file and in every
// object; one that a person's own commit brought is not copied on, shown or put back.
func TestCredentials(t *testing.T) {
	l := newLab(t)
	l.add("- deploy with " + secret + "\n")
	r := l.append("one")
	l.contains(strings.Join(r.Notes, "\n"), "MEMORY.md: 1 credentials were masked")
	l.contains(l.text("MEMORY.md"), "deploy with «redacted 40 chars»")
	r = l.save("memory/t.md", "token: "+secret+"\n")
	if r.Redacted != 1 {
		t.Errorf("%d places masked, want 1", r.Redacted)
	}
	l.must(l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "key " + secret, Source: `chat "` + secret + `"`}))
	if strings.Contains(l.objects(), secret) {
		t.Fatal("a credential is in an object")
	}
	l.sound()

	// journal-06
	l.add("- mine: " + secret + "\n")
	l.git("commit", "-q", "-am", "with "+secret)
	text, err := l.w.Read(t.Context(), "MEMORY.md")
	if err != nil || strings.Contains(text.Text, secret) {
		t.Errorf("the credential is shown (%v):\n%s", err, text.Text)
	}
	_, err = l.w.Save(t.Context(), ada, "MEMORY.md", "x\n", Expect{Hash: hashText([]byte("old"))})
	stale, ok := errors.AsType[*StaleError](err)
	if !ok || strings.Contains(stale.Current, secret) || stale.CurrentHash != text.Hash {
		t.Errorf("the stale error gives %+v", err)
	}
	plan := ada
	plan.DryRun = true
	saved := l.must(l.w.Save(t.Context(), plan, "MEMORY.md", "x\n", Expect{Hash: text.Hash}))
	if strings.Contains(saved.Rows[0].Diff, secret) || saved.Rows[0].CanRevert {
		t.Errorf("the receipt's row gives the credential: %+v", saved.Rows[0])
	}
	l.add("- and mine: " + secret + "\n")
	l.git("commit", "-q", "-am", "again")
	for _, b := range l.blame("MEMORY.md") {
		if strings.Contains(b.Text+b.Words, secret) {
			t.Errorf("blame gives the credential: %+v", b)
		}
	}
	r = l.append("two")
	l.contains(strings.Join(r.Notes, "\n"), "masked")
	if got := l.git("show", "HEAD:MEMORY.md"); strings.Contains(got, secret) {
		t.Error("the credential was copied into a commit of ours")
	}
	l.undo(string(r.Change))
	if got := l.text("MEMORY.md"); strings.Contains(got, secret) {
		t.Error("an undo put the credential back")
	}
	for _, row := range l.rows(Query{Path: "MEMORY.md"}) {
		if strings.Contains(row.Diff+row.Subject, secret) {
			t.Errorf("row %s shows the credential", row.ID)
		}
		if row.Change != r.Change {
			continue
		}
		if row.CanRevert || !strings.Contains(row.Reason, "credential") {
			t.Errorf("row %+v can be restored", row)
		}
		_, err := l.w.Undo(t.Context(), ada, row.ID, Restore)
		l.refuses(err, ErrNoUndo)
	}
	d, err := l.w.Show(t.Context(), l.git("log", "--format=%H", "--grep=with ghp"))
	if err != nil || strings.Contains(d.Body+d.Row.Subject+d.Rows[0].Diff, secret) {
		t.Errorf("show gives the credential (%v)", err)
	}
	diff, err := l.w.Diff(t.Context(), "2026-09-11", "", "")
	if err == nil && strings.Contains(diff, secret) {
		t.Error("diff gives the credential")
	}
	if topics, _, err := l.w.List(t.Context()); err != nil || strings.Contains(topics[0].Title, secret) {
		t.Errorf("list %v %v", topics, err)
	}
	l.sound()
}

// Once things are quiet no file of the home holds the credential that was masked.
func TestNoCopyOfACredential(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.add("- deploy with " + secret + "\n")
	l.append("two")
	time.Sleep(300 * time.Millisecond) // as long as a late edit of a replaced file is looked for
	l.must(Receipt{}, l.w.Idle(t.Context(), ada.Author))
	err := filepath.WalkDir(l.home, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if strings.Contains(string(b), secret) {
			t.Errorf("%s holds the credential", p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A file over what the API takes is kept; one over 2 MiB is left alone and told of.
func TestLargeFiles(t *testing.T) {
	l := newLab(t)
	large := strings.Repeat("a line of an imported book\n", 12_000) // 324,000 bytes
	l.put("memory/large.md", large)
	l.append("one")
	l.must(Receipt{}, l.w.Idle(t.Context(), ada.Author))
	if got := l.git("cat-file", "-s", "HEAD:memory/large.md"); got != "324000" {
		t.Errorf("%s bytes are kept", got)
	}
	_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Topic: "large", Text: "x"})
	if err == nil {
		t.Error("a change of a file over its cap was taken")
	}
	l.put("memory/large.md", large+"more\n")
	l.must(Receipt{}, l.w.Idle(t.Context(), ada.Author))
	l.undo("")
	if got := l.text("memory/large.md"); got != large && got != large+"more\n" {
		t.Errorf("%d bytes after undo", len(got))
	}
	l.put("memory/huge.md", strings.Repeat("x", 3<<20))
	s, err := l.w.Status(t.Context())
	if err != nil || len(s.Findings) != 1 || s.Findings[0].Where != "memory/huge.md" {
		t.Errorf("findings %+v (%v)", s.Findings, err)
	}
	_, err = l.w.Read(t.Context(), "memory/huge.md")
	l.refuses(err, ErrState)
	l.append("two")
	if out := l.git("ls-tree", "-r", "--name-only", "HEAD"); strings.Contains(out, "huge") {
		t.Error("the huge file is in the history")
	}
}

// The .git file is put back when it was altered or deleted, and that is told.
func TestGitFilePutBack(t *testing.T) {
	for name, spoil := range map[string]func(string) error{
		"another repository": func(p string) error {
			return errors.Join(os.Remove(p), exec.CommandContext(t.Context(), "git", "init", "-q", filepath.Dir(p)).Run())
		},
		"deleted": os.Remove, "altered": func(p string) error { return os.WriteFile(p, []byte("gitdir: /tmp/evil\n"), 0o600) },
	} {
		for _, reopen := range []bool{false, true} {
			l := newLab(t)
			want := l.text(".git")
			if err := spoil(l.path(".git")); err != nil {
				t.Fatal(err)
			}
			if reopen {
				l.reopen()
			}
			r := l.append("one")
			if got := l.text(".git"); got != want {
				t.Errorf("%s: .git is %q, want %q", name, got, want)
			}
			l.contains(strings.Join(r.Notes, "\n"), ".git file")
			if got := l.count(); got != 2 {
				t.Errorf("%s: %d commits, want 2", name, got)
			}
			l.sound()
		}
	}
}

// A folder with notes is taken over as it is.
func TestAdoptFolder(t *testing.T) {
	l := bareLab(t, filepath.Join(t.TempDir(), "home"), "")
	l.dir = filepath.Join(l.home, workspacesDir, "scout")
	notes := map[string]string{"MEMORY.md": "- mine\n", "memory/a.md": "- a\r\n", "memory/log/2026-01-01.md": "- log", "other.txt": "x"}
	for p, text := range notes {
		l.put(p, text)
	}
	l.create("scout")
	for p, text := range notes {
		if got := l.text(p); got != text {
			t.Errorf("%s is %q, want %q", p, got, text)
		}
		if p != "other.txt" {
			if got, _, err := l.gitRaw("cat-file", "blob", "HEAD:"+p); err != nil || got != text {
				t.Errorf("the history has %s as %q (%v)", p, got, err)
			}
		}
	}
	l.sound()
}

// A clone opens and works; so does a home that was moved whole.
func TestAdoptCloneAndMovedHome(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.append("two")
	rows := l.rows(Query{})
	second := bareLab(t, filepath.Join(t.TempDir(), "home2"), `{"timezone":"UTC"}`)
	work := filepath.Join(second.home, workspacesDir, "scout")
	if out, err := exec.CommandContext(t.Context(), "git", "clone", "-q", l.w.git.Dir(), work).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	second.use("scout")
	if bots, err := second.store.Bots(t.Context()); err != nil || len(bots) != 1 {
		t.Errorf("bots %v %v", bots, err)
	}
	if got := second.rows(Query{}); len(got) != len(rows) || got[0].ID != rows[0].ID {
		t.Errorf("rows %+v, want %+v", got, rows)
	}
	second.append("three")
	second.undo(string(rows[0].Change))
	second.contains(second.text("MEMORY.md"), "one", "three")
	second.sound()

	l.must(Receipt{}, l.store.Close())
	moved := l.home + "-moved"
	if err := os.Rename(l.home, moved); err != nil {
		t.Fatal(err)
	}
	l.home = moved
	l.open()
	l.use("scout")
	r := l.append("three")
	if slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, ".git") }) {
		t.Errorf("notes %v: nothing had to be put back", r.Notes)
	}
	l.contains(l.text("MEMORY.md"), "one", "two", "three")
	l.sound()
}
