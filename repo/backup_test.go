package repo

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
	"quipu/repo/turns"
)

// backup makes a backup of the lab's home.
func (l *lab) backup(o BackingUp) ([]byte, Backup) {
	l.t.Helper()
	var b bytes.Buffer
	m, err := l.store.Backup(l.ctx(), &b, o)
	if err != nil {
		l.t.Fatal(err)
	}
	return b.Bytes(), m
}

// restored is the home that a backup gives.
func (l *lab) restored(data []byte) *lab {
	l.t.Helper()
	home := filepath.Join(l.t.TempDir(), "deep", "home")
	r, err := RestoreBackup(l.ctx(), home, bytes.NewReader(data), int64(len(data)), Restoring{Store: Options{Now: l.clock.now}})
	if err != nil {
		l.t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(home), ".quipu*")); len(left) > 0 {
		l.t.Errorf("left behind: %v", left)
	}
	out := bareLab(l.t, home, "")
	for _, w := range r.Workspaces {
		if w.ID == "scout" {
			out.use("scout")
		}
	}
	return out
}

func TestBackup(t *testing.T) {
	l := newLab(t)
	l.append("likes tea")
	l.save("memory/food.md", "# Food\n\nrye bread\n")
	l.me()
	l.create("rover")
	l.append("walks at six")
	l.use("scout")
	l.git("tag", "kept")
	said, err := l.store.Conversations()
	if err != nil {
		t.Fatal(err)
	}
	turn := turns.Turn{ID: "t1", Bot: "scout", Conversation: turns.Conversation{ID: "c", Kind: turns.Direct}, Speaker: turns.Speaker{By: turns.Owner}, Message: "the pharos is lit", Started: noon}
	if _, err := said.Begin(l.ctx(), turn); err != nil {
		t.Fatal(err)
	}
	if _, err := l.store.OwnerToken(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.store.CreateToken(RoleBot, "scout", ""); err != nil {
		t.Fatal(err)
	}
	l.put("memory/food.md", "# Food\n\nrye bread and butter\n") // nobody took it in yet

	data, m := l.backup(BackingUp{Quipu: "v9"})
	if diff := cmp.Diff([]string{"the owner's token (--with-secrets takes it along)"}, m.Left); diff != "" {
		t.Error(diff)
	}
	got := l.restored(data)
	if diff := cmp.Diff(l.log("%H %s %ai"), got.log("%H %s %ai")); diff != "" {
		t.Error(diff)
	}
	got.contains(got.text("memory/food.md"), "butter")
	got.contains(got.text("MEMORY.md"), "likes tea")
	got.sound()
	if tag := got.git("rev-parse", "kept"); tag != l.git("rev-parse", "kept") {
		t.Errorf("the tag is %s", tag)
	}
	if _, err := os.Stat(filepath.Join(got.home, ownerFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the owner's token came along: %v", err)
	}
	if list, err := got.store.ListTokens(); err != nil || len(list) != 1 {
		t.Errorf("tokens %v, %v", list, err)
	}
	talk, err := got.store.Conversations()
	if err != nil {
		t.Fatal(err)
	}
	if open, err := talk.OpenTurns(l.ctx(), "scout", noon); err != nil || len(open) != 1 {
		t.Errorf("open turns %v, %v", open, err)
	}
	got.append("and goes on")
	got.sound()
	got.use("rover")
	got.contains(got.text("MEMORY.md"), "walks at six")
	got.sound()
	if _, err := got.store.Me(l.ctx(), ""); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(l.home, backupDir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a copy is left in the home: %v", err)
	}
	if until := l.store.UpkeepPaused(); !until.IsZero() {
		t.Errorf("upkeep stays paused until %s", until)
	}

	secret, _ := l.backup(BackingUp{Secrets: true})
	if _, err := os.Stat(filepath.Join(l.restored(secret).home, ownerFile)); err != nil {
		t.Error(err)
	}
}

// What is odd in a history comes along, and is no reason to give none of it.
func TestBackupOddHistories(t *testing.T) {
	tests := map[string]func(l *lab){
		"an end that is kept":      func(l *lab) { l.git("update-ref", "refs/quipu/lost/x", "HEAD") },
		"packed":                   func(l *lab) { l.git("pack-refs", "--all"); l.git("repack", "-a", "-d", "-q") },
		"a link among the notes":   func(l *lab) { l.commitLink("memory/link.md") },
		"no branch is checked out": func(l *lab) { l.git("checkout", "-q", "--detach") },
		"an unfinished merge": func(l *lab) {
			writeAt(l.t, filepath.Join(l.home, "history", "scout.git", "MERGE_HEAD"), l.git("rev-parse", "HEAD")+"\n")
		},
	}
	for name, odd := range tests {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.append("likes tea")
			odd(l)
			data, _ := l.backup(BackingUp{})
			got := l.restored(data)
			if diff := cmp.Diff(l.git("rev-parse", "HEAD"), got.git("rev-parse", "HEAD")); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(l.git("for-each-ref"), got.git("for-each-ref")); diff != "" {
				t.Error(diff)
			}
			lost, err := got.w.git.Lost()
			if want := name == "an end that is kept"; err != nil || len(lost) > 0 != want {
				t.Errorf("kept ends %v, %v", lost, err)
			}
			if out := got.git("fsck", "--strict", "--no-dangling"); out != "" {
				t.Errorf("git fsck says:\n%s", out)
			}
		})
	}
}

// A workspace that is a clone, with a .git folder of its own.
func TestBackupClone(t *testing.T) {
	l := newLab(t)
	l.append("likes tea")
	l.git("clone", "-q", l.dir, filepath.Join(l.home, workspacesDir, "rover"))
	data, _ := l.backup(BackingUp{})
	got := l.restored(data)
	got.use("rover")
	got.contains(got.text("MEMORY.md"), "likes tea")
	got.append("and coffee")
	got.sound()
}

func writeAt(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// commitLink makes a link a note, as a person's git can.
func (l *lab) commitLink(path string) {
	l.t.Helper()
	if err := errors.Join(os.MkdirAll(l.path("memory"), 0o700), os.Symlink("../MEMORY.md", l.path(path))); err != nil {
		l.t.Fatal(err)
	}
	l.git("add", "-f", path)
	l.git("commit", "--no-verify", "-qm", "a link")
}

// Every change that was answered before a backup began is in it, whoever writes
// meanwhile, and nothing in it is torn.
func TestBackupWhileOthersWrite(t *testing.T) {
	l := newLab(t)
	other := bareLab(t, l.home, "")
	other.use("scout")
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	answered := map[string]bool{}
	var group sync.WaitGroup
	for n, one := range []*lab{l, other} {
		group.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				fact := fmt.Sprintf("writer%d counts%d", n, i)
				_, err := one.w.Update(l.ctx(), scout, policy.Update{Action: policy.Append, Text: fact, Topic: fmt.Sprintf("t%d", i%7)}) //nolint:contextcheck // ctx only ends the loop
				if errors.Is(err, ErrBusy) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				answered[fact] = true
				mu.Unlock()
			}
		})
	}
	reader := bareLab(t, l.home, "")
	for range 4 {
		time.Sleep(200 * time.Millisecond)
		mu.Lock()
		var before []string
		for fact := range answered {
			before = append(before, fact)
		}
		mu.Unlock()
		data, m := reader.backup(BackingUp{})
		got := l.restored(data)
		if head := got.git("rev-parse", "HEAD"); head != m.Workspaces[0].Head {
			t.Errorf("HEAD is %s, want %s", head, m.Workspaces[0].Head)
		}
		if out := got.git("fsck", "--strict", "--no-dangling"); out != "" {
			t.Errorf("git fsck says:\n%s", out)
		}
		all := got.git("grep", "-h", "counts", "HEAD", "--", "MEMORY.md", "memory")
		for _, fact := range before {
			if !strings.Contains(all, fact) {
				t.Fatalf("%q was answered before the backup and is not in it", fact)
			}
		}
	}
	stop()
	group.Wait()
	if len(answered) < 20 {
		t.Errorf("only %d changes were made: the test shows nothing", len(answered))
	}
	l.sound()
}

// Objects that a person's git packs while they are copied come along.
func TestBackupWhileGitPacks(t *testing.T) {
	l := newLab(t)
	for i := range 30 {
		l.append(fmt.Sprintf("fact %d", i))
	}
	for i := range 5 {
		l.append(fmt.Sprintf("later %d", i))
		ctx, stop := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() {
			for ctx.Err() == nil {
				l.git("repack", "-a", "-d", "-q") //nolint:contextcheck // it ends by itself
			}
		})
		data, _ := l.backup(BackingUp{})
		stop()
		group.Wait()
		got := l.restored(data)
		got.contains(got.text("MEMORY.md"), fmt.Sprintf("later %d", i))
	}
}

func TestBackupPausesUpkeep(t *testing.T) {
	l := newLab(t)
	long := noon.Add(48 * time.Hour)
	for name, before := range map[string]time.Time{"none": {}, "a short one": noon.Add(5 * time.Minute), "a long one": long} {
		t.Run(name, func(t *testing.T) {
			if err := l.store.PauseUpkeep(before); err != nil {
				t.Fatal(err)
			}
			l.clock.set(noon)
			var during time.Time
			l.backup(BackingUp{Progress: func(string, int, int) { during = l.store.UpkeepPaused() }})
			if during.IsZero() || during.Before(before) {
				t.Errorf("while the backup ran upkeep was paused until %v", during)
			}
			if after := l.store.UpkeepPaused(); !after.Equal(before) {
				t.Errorf("after the backup upkeep is paused until %v, want %v", after, before)
			}
		})
	}
}

func TestBackupNothingThere(t *testing.T) {
	s, err := OpenHome(filepath.Join(t.TempDir(), "none"), Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(t.Context(), io.Discard, BackingUp{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

// entry is a file of a zip that a test makes.
type entry struct {
	name, text string
	link       bool
}

func zipped(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.link {
			h.SetMode(os.ModeSymlink | 0o777)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const evil = "evil\n" // its SHA-256 is below

func manifestOf(path string) string {
	return fmt.Sprintf(`{"format":"quipu-backup","version":1,"home":"1","files":[{"path":%q,"size":5,"sha256":"886b67480dbe73b406ad83a1dd6d9596f93089d90c220ccfc91944c95f1c68c4"}]}`, path)
}

func TestRestoreRefuses(t *testing.T) {
	tests := map[string]struct {
		entries []entry
		want    error
		says    string
	}{
		"no zip":              {nil, ErrInvalid, "manifest"},
		"another zip":         {[]entry{{name: "a", text: "b"}}, ErrInvalid, "no backup of quipu's"},
		"another's manifest":  {[]entry{{name: "manifest.json", text: `{"format":"quipu-notes","version":1}`}}, ErrInvalid, "another one's"},
		"newer":               {[]entry{{name: "manifest.json", text: `{"format":"quipu-backup","version":2,"files":7}`}}, ErrState, "version 2"},
		"newer home":          {[]entry{{name: "manifest.json", text: `{"format":"quipu-backup","version":1,"home":"2"}`}}, ErrState, "format"},
		"slip":                {[]entry{{name: "../evil", text: evil}, {name: "manifest.json", text: manifestOf("../evil")}}, ErrInvalid, "no file of a home"},
		"absolute":            {[]entry{{name: "/tmp/evil", text: evil}, {name: "manifest.json", text: manifestOf("/tmp/evil")}}, ErrInvalid, "no file of a home"},
		"backslash":           {[]entry{{name: `workspaces\..\evil`, text: evil}, {name: "manifest.json", text: manifestOf(`workspaces\..\evil`)}}, ErrInvalid, "no file of a home"},
		"hook":                {[]entry{{name: "history/scout.git/hooks/pre-commit", text: evil}, {name: "manifest.json", text: manifestOf("history/scout.git/hooks/pre-commit")}}, ErrInvalid, "no file of a home"},
		"dots as a workspace": {[]entry{{name: "workspaces/../MEMORY.md", text: evil}, {name: "manifest.json", text: manifestOf("workspaces/../MEMORY.md")}}, ErrInvalid, "no file of a home"},
		"link":                {[]entry{{name: "config.json", text: evil, link: true}, {name: "manifest.json", text: manifestOf("config.json")}}, ErrInvalid, "no plain file"},
		"not named":           {[]entry{{name: "config.json", text: evil}, {name: "token", text: "x"}, {name: "manifest.json", text: manifestOf("config.json")}}, ErrInvalid, "does not name"},
		"lacking":             {[]entry{{name: "manifest.json", text: manifestOf("config.json")}}, ErrDamaged, "lacks"},
		"other text":          {[]entry{{name: "config.json", text: "good\n"}, {name: "manifest.json", text: manifestOf("config.json")}}, ErrDamaged, "not what was put there"},
		"other size":          {[]entry{{name: "config.json", text: "longer than that"}, {name: "manifest.json", text: manifestOf("config.json")}}, ErrDamaged, "size"},
		"twice":               {[]entry{{name: "token", text: evil}, {name: "token", text: evil}, {name: "manifest.json", text: manifestOf("token")}}, ErrDamaged, "twice"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			data := zipped(t, tt.entries...)
			folder := t.TempDir()
			_, err := RestoreBackup(t.Context(), filepath.Join(folder, "home"), bytes.NewReader(data), int64(len(data)), Restoring{Store: Options{Now: time.Now}})
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %v with %q", err, tt.want, tt.says)
			}
			if left, _ := os.ReadDir(folder); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if _, err := CheckBackup(t.Context(), bytes.NewReader(data), int64(len(data)), nil); !errors.Is(err, tt.want) {
				t.Errorf("the check gives %v, want %v", err, tt.want)
			}
		})
	}
}

// A backup that is altered or cut anywhere is never restored as if it were whole.
func TestRestoreDamaged(t *testing.T) {
	l := newLab(t)
	l.append("likes tea")
	data, _ := l.backup(BackingUp{})
	if _, err := CheckBackup(t.Context(), bytes.NewReader(data), int64(len(data)), nil); err != nil {
		t.Fatal(err)
	}
	for at := 40; at < len(data); at += len(data) / 40 {
		bad := bytes.Clone(data)
		bad[at] ^= 0x40
		_, berr := CheckBackup(t.Context(), bytes.NewReader(bad), int64(len(bad)), nil)
		_, cerr := CheckBackup(t.Context(), bytes.NewReader(data[:at]), int64(at), nil)
		if cerr == nil {
			t.Errorf("cut at %d it is taken for whole", at)
		}
		if berr != nil {
			continue
		}
		// What is no file's text, name or size may change: then all of it is as it was.
		got := l.restored(bad)
		if diff := cmp.Diff(l.log("%H"), got.log("%H")); diff != "" {
			t.Errorf("altered at %d:\n%s", at, diff)
		}
	}
}

func TestRestoreNeverOverSomething(t *testing.T) {
	l := newLab(t)
	data, _ := l.backup(BackingUp{})
	restore := func(home string, force bool) error {
		_, err := RestoreBackup(t.Context(), home, bytes.NewReader(data), int64(len(data)), Restoring{Force: force, Store: Options{Now: time.Now}})
		return err
	}
	empty, full, file, link := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.WriteFile(filepath.Join(full, "x"), nil, 0o600), os.WriteFile(file, nil, 0o600), os.Symlink(empty, link)); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{empty, full, file, link, l.home} {
		if err := restore(home, false); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: got %v, want ErrConflict", home, err)
		}
	}
	for _, home := range []string{full, file, link, l.home} {
		if err := restore(home, true); !errors.Is(err, ErrConflict) {
			t.Errorf("%s with force: got %v, want ErrConflict", home, err)
		}
	}
	if err := restore(empty, true); err != nil {
		t.Error(err)
	}
}
