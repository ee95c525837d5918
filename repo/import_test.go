package repo

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"quipu/policy"
)

func (l *lab) take(src fs.FS) Imported {
	l.t.Helper()
	im, err := l.w.ImportFolder(l.t.Context(), Meta{Via: ViaImport}, src, "notes")
	if err != nil {
		l.t.Fatal(err)
	}
	return im
}

func notesOf(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for p, text := range files {
		out[p] = &fstest.MapFile{Data: []byte(text), Mode: 0o600}
	}
	return out
}

// everyLine wants each non-blank line of each note in the file that it went to.
func (l *lab) everyLine(src fs.FS, files []ImportedFile) {
	l.t.Helper()
	for _, f := range files {
		if f.To == "" {
			if f.Why == "" {
				l.t.Errorf("%s was left out without a reason", f.Path)
			}
			continue
		}
		b, err := fs.ReadFile(src, f.Path)
		if err != nil {
			l.t.Fatal(err)
		}
		have := strings.Split(strings.ReplaceAll(l.text(f.To), "\r\n", "\n"), "\n")
		for line := range strings.SplitSeq(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n") {
			if strings.TrimSpace(line) != "" && !slices.Contains(have, line) {
				l.t.Errorf("%s: the line %q is not in %s", f.Path, line, f.To)
			}
		}
	}
}

// The realistic workspace comes in as one change and comes in once.
func TestImportVault(t *testing.T) {
	l := newLab(t)
	src := os.DirFS("../testdata/vault")
	im := l.take(src)
	if got := l.count(); got != 2 || im.Change == "" {
		t.Errorf("%d commits, want 2", got)
	}
	l.everyLine(src, im.Files)
	taken := 0
	for _, f := range im.Files {
		if f.To == "" {
			continue
		}
		taken++
		b, err := fs.ReadFile(src, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := policy.CheckPath(f.Path); err == nil && (f.To != f.Path || l.text(f.To) != string(b)) {
			t.Errorf("%s went to %s and is not the same there", f.Path, f.To)
		}
	}
	if taken < 44 || len(im.Rows) != taken {
		t.Errorf("%d notes were taken in, %d rows", taken, len(im.Rows))
	}
	if !slices.ContainsFunc(im.Files, func(f ImportedFile) bool { return strings.HasPrefix(f.Path, "node_modules") && f.Why != "" }) {
		t.Errorf("node_modules is not listed: %+v", im.Files)
	}
	again := l.take(src)
	if again.Change != "" || l.count() != 2 {
		t.Errorf("a second import made the change %s", again.Change)
	}
	l.append("a change after it")
	l.undo(string(im.Change))
	if got, _, err := l.gitRaw("ls-tree", "-r", "--name-only", "HEAD"); err != nil || got != "MEMORY.md\n" {
		t.Errorf("after undo there are %q (%v)", got, err)
	}
	l.contains(l.text("MEMORY.md"), "a change after it")
	l.sound()
}

// Names that are no workspace's, and names that collide.
func TestImportNames(t *testing.T) {
	l := newLab(t)
	src := notesOf(map[string]string{
		"MEMORY.md": "# Mine\n- 2020-02-02 · old fact\n", "ideas.md": "---\ntitle: Ideas\n---\n- one\n", "Ideas.MARKDOWN": "---\ntitle: Other\nx: y\n---\n- two\n",
		"a/b.md": "- ab\n", "a b.md": "- a b\n", "memory/a-b.md": "- has the path\n", "x.md.md": "- twice\n", "memory/x.md": "- x\n",
		strings.Repeat("deep/", 60) + "note.md": "- deep\n", strings.Repeat("deep/", 60) + "other.md": "- deeper\n", "archive.md": "- an archive\n",
		"memory.md": "- lower case\n", "memory/log/2020-01-01.md": "- log\n", "memory/log/thoughts.md": "- no day\n", "???.md": "- no name\n", "!!!.md": "- no name either\n",
		"pic.png": "\x89PNG", ".obsidian/app.json": "{}", "node_modules/a/README.md": "x", "empty.md": "", "CON.md": "- device\n", "crlf.md": "- a\r\n- b\r\n",
	})
	im := l.take(src)
	l.everyLine(src, im.Files)
	to := map[string]string{}
	seen := map[string]string{}
	for _, f := range im.Files {
		to[f.Path] = f.To
		if f.To == "" {
			continue
		}
		if other, twice := seen[nameKey(f.To)]; twice {
			t.Errorf("%s and %s both went to %s", other, f.Path, f.To)
		}
		seen[nameKey(f.To)] = f.Path
		if _, err := policy.CheckPath(f.To); err != nil {
			t.Errorf("%s went to %s: %v", f.Path, f.To, err)
		}
	}
	for from, want := range map[string]string{"memory/a-b.md": "memory/a-b.md", "MEMORY.md": "MEMORY.md", "memory/x.md": "memory/x.md", "pic.png": "", "node_modules/": "", ".obsidian/": ""} {
		if to[from] != want {
			t.Errorf("%s went to %q, want %q", from, to[from], want)
		}
	}
	if got := l.text("MEMORY.md"); got != "# Mine\n- 2020-02-02 · old fact\n" {
		t.Errorf("MEMORY.md is %q", got)
	}
	if again := l.take(src); again.Change != "" {
		t.Errorf("a second import changed %+v", again.Rows)
	}
	l.sound()
}

// What is there already is kept, and what was struck here does not come back.
func TestImportOntoNotes(t *testing.T) {
	l := newLab(t)
	l.append("office is in Leeds")
	l.update(policy.Update{Action: policy.Supersede, OldText: "in Leeds", Text: "office is in York"})
	l.save("memory/food.md", "- 2026-01-01 · tea\n")
	before := l.text("MEMORY.md")
	src := notesOf(map[string]string{
		"MEMORY.md":      "- 2026-09-12 · office is in Leeds\n- 2026-09-01 · new fact\n  with a second line\n",
		"memory/food.md": "---\ntitle: Food\naliases: [eating]\n---\n- 2026-01-01 · tea\n- 2026-01-02 · ~~tea~~ · superseded 2026-01-03\n- hand line\n",
	})
	im := l.take(src)
	if got, want := l.text("MEMORY.md"), before+"- 2026-09-01 · new fact\n  with a second line\n"; got != want {
		t.Errorf("MEMORY.md is %q, want %q", got, want)
	}
	if got, want := l.text("memory/food.md"), "---\ntitle: Food\naliases: [eating]\n---\n\n- 2026-01-01 · tea\n- 2026-01-02 · ~~tea~~ · superseded 2026-01-03\n- hand line\n"; got != want {
		t.Errorf("food is %q, want %q", got, want)
	}
	if again := l.take(src); again.Change != "" {
		t.Errorf("a second import changed %+v", again.Rows)
	}
	l.undo(string(im.Change))
	if got := l.text("MEMORY.md") + l.text("memory/food.md"); got != before+"- 2026-01-01 · tea\n" {
		t.Errorf("after undo %q", got)
	}
	l.sound()
}

// A note that is too large refuses the whole import, and nothing is changed.
func TestImportRefusedWhole(t *testing.T) {
	for name, size := range map[string]int{"over the cap": policy.MaxFileBytes + 1, "over what is read": 3 << 20} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			src := notesOf(map[string]string{"a.md": "- a\n", "huge.md": strings.Repeat("x", size), "z.md": "- z\n"})
			_, err := l.w.ImportFolder(t.Context(), Meta{}, src, "notes")
			l.refuses(err, ErrTooLarge)
			l.contains(err.Error(), "huge.md")
			if l.count() != 1 || l.text("memory/a.md") != "" {
				t.Error("something was taken in")
			}
			l.sound()
		})
	}
	l := newLab(t)
	if _, err := l.w.ImportFolder(t.Context(), Meta{}, os.DirFS(t.TempDir()+"/none"), "none"); err == nil {
		t.Error("a folder that is not there was imported")
	}
	im := l.take(notesOf(map[string]string{"a.md": "- the key is " + secret + "\n"}))
	if im.Redacted != 1 || strings.Contains(l.objects(), secret) {
		t.Errorf("%d places masked, want 1", im.Redacted)
	}
}
