package repo

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quipu/policy"
)

// BUG-015: an index that was cut short is made again from the newest commit.
func TestFaultBUG015EmptyIndex(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "torn": "DIRC\x00\x00\x00\x02\x00\x00", "noise": strings.Repeat("x", 300)} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.append("one")
			l.put("memory/by-hand.md", "- unsaved\n")
			l.reopen()
			if err := os.WriteFile(filepath.Join(l.w.git.Dir(), "index"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			l.finds(false, "index")
			r := l.append("two")
			l.contains(strings.Join(r.Notes, "\n"), "index")
			l.contains(l.text("memory/by-hand.md"), "unsaved")
			l.contains(l.text("MEMORY.md"), "one", "two")
			l.sound()
		})
	}
}

// BUG-016: an empty branch is restored; a new root is never made.
func TestFaultBUG016EmptyBranch(t *testing.T) {
	for _, again := range []bool{false, true} {
		l := newLab(t)
		l.append("one")
		l.append("two")
		if err := os.WriteFile(filepath.Join(l.w.git.Dir(), "refs/heads/main"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if again {
			l.reopen()
		}
		_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "three"})
		if err != nil {
			l.finds(true, "mended")
			l.append("three")
		}
		if got := l.count(); got != 4 {
			t.Errorf("reopened %v: %d commits, want 4", again, got)
		}
		l.sound()
	}
}

// BUG-017: a broken object is named, the work files stay, and the history goes on
// from the newest intact commit.
func TestFaultBUG017BrokenObject(t *testing.T) {
	l := newLab(t)
	l.append("one")
	l.append("two")
	if err := l.w.git.Checkpoint(t.Context()); err != nil { // after it the record does not hold the object
		t.Fatal(err)
	}
	tree := l.git("rev-parse", "HEAD^{tree}")
	object := filepath.Join(l.w.git.Dir(), "objects", tree[:2], tree[2:])
	if err := os.Remove(object); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	l.reopen()
	before := l.text("MEMORY.md")
	_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "three"})
	if !errors.Is(err, ErrDamaged) {
		t.Fatalf("error %v, want damaged", err)
	}
	if f := l.finds(false, "history"); f.Level != "error" || !strings.Contains(f.Fix, "doctor --fix") {
		t.Errorf("finding %+v", f)
	}
	found, err := l.w.Verify(t.Context(), nil)
	if err != nil || len(found) == 0 {
		t.Errorf("verify found %+v (%v)", found, err)
	}
	l.finds(true, "set back to the newest intact change")
	if got := l.text("MEMORY.md"); got != before {
		t.Errorf("the work file went from %q to %q", before, got)
	}
	l.append("three")
	l.contains(l.text("MEMORY.md"), "one", "two", "three")
	l.contains(l.git("show", "HEAD:MEMORY.md"), "one", "two", "three")
	l.contains(strings.Join(l.log("%s"), "\n"), "one", "three")
	if out := l.git("status", "--porcelain"); out != "" {
		t.Errorf("git status says:\n%s", out)
	}
}

// A process that ends without closing leaves nothing that the next one cannot use.
func TestNoClose(t *testing.T) {
	l := newLab(t)
	for i := range 5 {
		l.append("fact " + string(rune('a'+i)))
		l.open() // the old store is left as a killed process leaves it
		l.use("scout")
	}
	if got := l.count(); got != 6 {
		t.Errorf("%d commits, want 6", got)
	}
	l.sound()
}

// An index of the history that is broken is made again.
func TestBrokenSideIndex(t *testing.T) {
	l := newLab(t)
	l.append("one")
	want := l.rows(Query{})
	for _, text := range []string{"", "not a database", strings.Repeat("\x00", 5000)} {
		l.must(Receipt{}, l.store.Close())
		if err := os.WriteFile(filepath.Join(l.w.git.Own(), "index.db"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l.open()
		l.use("scout")
		if got := l.rows(Query{}); len(got) != len(want) || got[0].ID != want[0].ID {
			t.Errorf("rows %+v, want %+v", got, want)
		}
	}
}
