package repo

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

// two makes one change of two files, the archive first, as a move of a note is.
func (l *lab) two(subject string, archive, memory string) Receipt {
	l.t.Helper()
	return l.must(l.w.change(l.ctx(), Meta{Author: Author{Kind: Upkeep}, Action: "tidy"}, func(v *view) (draft, error) {
		for _, p := range []string{policy.ArchiveFile, policy.MemoryFile} {
			if _, _, err := v.file(p); err != nil {
				return draft{}, err
			}
		}
		return draft{subject: subject, files: []fileText{{path: policy.ArchiveFile, text: []byte(archive)}, {path: policy.MemoryFile, text: []byte(memory)}}}, nil
	}))
}

// BUG-135: an undo keeps what came later, and tells where it cannot.
func TestFaultBUG135UndoKeepsLaterEdits(t *testing.T) {
	l := newLab(t)
	l.append("filler")
	c1 := l.append("A")
	l.append("B")
	l.put("MEMORY.md", strings.Replace(l.text("MEMORY.md"), "· A", "· A, said Ada", 1))
	_, err := l.w.Undo(t.Context(), ada, string(c1.Change), Revert)
	l.refuses(err, ErrConflict)
	var conflict *ConflictError
	if !errors.As(err, &conflict) || len(conflict.Clashes) != 1 {
		t.Fatalf("conflict %+v", conflict)
	}
	want := Clash{Path: "MEMORY.md", Line: 4, Have: "- 2026-09-12 · A, said Ada", Was: "- 2026-09-12 · A"}
	if diff := cmp.Diff(want, conflict.Clashes[0]); diff != "" {
		t.Errorf("clash (-want +got):\n%s", diff)
	}
	l.contains(l.text("MEMORY.md"), "A, said Ada", "B")
	other := l.append("C")
	l.append("D")
	l.undo(string(other.Change))
	text := l.text("MEMORY.md")
	l.contains(text, "A, said Ada", "B", "D")
	if strings.Contains(text, "· C") {
		t.Error("C is still there")
	}
	l.must(l.w.Undo(t.Context(), ada, string(c1.Change), Restore))
	if got, want := l.text("MEMORY.md"), "# Memory\n\n- 2026-09-12 · filler\n"; got != want {
		t.Errorf("restored %q, want %q", got, want)
	}
	l.sound()
}

// BUG-137: of one turn's edits by several, only the named one goes.
func TestFaultBUG137OnlyTheNamedChange(t *testing.T) {
	l := newLab(t)
	meta := scout
	meta.Turn = "turn-1"
	a := l.must(l.w.Update(t.Context(), meta, policy.Update{Action: policy.Append, Text: "by thread one"}))
	meta.Source = `chat "two"`
	l.must(l.w.Update(t.Context(), meta, policy.Update{Action: policy.Append, Text: "by thread two"}))
	l.add("- by the person\n")
	l.undo(string(a.Change))
	text := l.text("MEMORY.md")
	l.contains(text, "by thread two", "- by the person")
	if strings.Contains(text, "by thread one") {
		t.Error("thread one's note is still there")
	}
	for _, r := range l.rows(Query{}) {
		if strings.Contains(r.Subject, "thread") && r.Action == "update" && r.Turn != "turn-1" {
			t.Errorf("row %s has turn %q", r.ID, r.Turn)
		}
	}
}

// BUG-139: a move of several notes is one change and one undo, and each note is in
// one file before and after.
func TestFaultBUG139MoveIsOneUndo(t *testing.T) {
	l := newLab(t)
	var memory, archive strings.Builder
	memory.WriteString("# Memory\n\n")
	for i := range 6 {
		fmt.Fprintf(&memory, "- 2026-01-0%d · note %d\n", i+1, i)
		if i < 5 {
			fmt.Fprintf(&archive, "- 2026-01-0%d · note %d · moved 2026-09-12\n", i+1, i)
		}
	}
	all := memory.String()
	l.save("MEMORY.md", all)
	moved := l.two("5 notes moved", archive.String(), "# Memory\n\n- 2026-01-06 · note 5\n")
	if got, want := []string{moved.Rows[0].Path, moved.Rows[1].Path}, []string{"memory/archive.md", "MEMORY.md"}; !cmp.Equal(got, want) {
		t.Errorf("rows of %v, want %v", got, want)
	}
	if got, want := moved.Rows[1].ID, string(moved.Change)+".2"; got != want {
		t.Errorf("row id %s, want %s", got, want)
	}
	l.append("later")
	l.undo(moved.Rows[1].ID) // a row's id with revert is the whole change
	if got := l.text("MEMORY.md"); got != all+"- 2026-09-12 · later\n" {
		t.Errorf("MEMORY.md is %q", got)
	}
	if got := l.text("memory/archive.md"); got != "" {
		t.Errorf("the archive is %q, want it gone", got)
	}
	again := l.must(l.w.Redo(t.Context(), ada))
	if got := l.text("memory/archive.md"); got != archive.String() {
		t.Errorf("after redo the archive is %q", got)
	}
	if again.Rows[0].Action != "redo" || len(again.Rows) != 2 {
		t.Errorf("redo's rows %+v", again.Rows)
	}
	l.sound()
}

// A row's id with restore puts back that file only, and the rest of the change can
// still be undone.
func TestRestoreOneRow(t *testing.T) {
	l := newLab(t)
	l.save("memory/archive.md", "- 2026-01-01 · old\n")
	l.save("MEMORY.md", "- 2026-01-02 · a\n- 2026-01-03 · b\n")
	moved := l.two("moved", "- 2026-01-01 · old\n- 2026-01-02 · a · moved 2026-09-12\n", "- 2026-01-03 · b\n")
	r := l.must(l.w.Undo(t.Context(), ada, moved.Rows[0].ID, Restore))
	if got, want := l.text("memory/archive.md")+l.text("MEMORY.md"), "- 2026-01-01 · old\n- 2026-01-03 · b\n"; got != want {
		t.Errorf("files %q, want %q", got, want)
	}
	if got, want := string(r.Undone), moved.Rows[0].ID; got != want {
		t.Errorf("undone %s, want %s", got, want)
	}
	if c := l.rows(Query{Change: moved.Change})[0]; c.UndoneBy != "" {
		t.Errorf("the whole change counts as undone by %s", c.UndoneBy)
	}
	l.undo(string(r.Change))
	l.undo(string(moved.Change))
	if got, want := l.text("MEMORY.md"), "- 2026-01-02 · a\n- 2026-01-03 · b\n"; got != want {
		t.Errorf("MEMORY.md %q, want %q", got, want)
	}
	_, err := l.w.Undo(t.Context(), ada, string(moved.Change)+".3", Revert)
	l.refuses(err, ErrNotFound)
	l.sound()
}

// Undo without an id walks back and does not toggle; redo walks forward.
func TestUndoWalks(t *testing.T) {
	l := newLab(t)
	texts := []string{l.text("MEMORY.md")}
	for i := range 4 {
		l.append(fmt.Sprintf("fact %d", i))
		texts = append(texts, l.text("MEMORY.md"))
	}
	for i := 3; i >= 0; i-- {
		l.undo("")
		if got := l.text("MEMORY.md"); got != texts[i] {
			t.Fatalf("undone to %d: %q, want %q", i, got, texts[i])
		}
	}
	_, err := l.w.Undo(t.Context(), ada, "", Revert)
	l.refuses(err, ErrNotFound)
	for i := 1; i <= 4; i++ {
		l.must(l.w.Redo(t.Context(), ada))
		if got := l.text("MEMORY.md"); got != texts[i] {
			t.Fatalf("redone to %d: %q, want %q", i, got, texts[i])
		}
	}
	_, err = l.w.Redo(t.Context(), ada)
	l.refuses(err, ErrNotFound)
	l.undo("")
	if got := l.text("MEMORY.md"); got != texts[3] {
		t.Errorf("undone after redo: %q, want %q", got, texts[3])
	}
	l.sound()
}

// A note that moved on to another file is not this undo's to take out there.
func TestUndoOfMovedNote(t *testing.T) {
	l := newLab(t)
	l.append("filler")
	first := l.append("a note")
	l.append("another")
	l.two("moved", "- 2026-09-12 · a note · moved 2026-09-12\n", "# Memory\n\n- 2026-09-12 · filler\n- 2026-09-12 · another\n")
	_, err := l.w.Undo(t.Context(), ada, string(first.Change), Revert)
	var conflict *ConflictError
	if !errors.As(err, &conflict) || len(conflict.Clashes) != 1 || conflict.Clashes[0].Path != policy.ArchiveFile {
		t.Fatalf("error %v, want a clash in the archive", err)
	}
}

// journal-08, 09, 10, 12: what undoing a creation, a deletion and an undo does.
func TestJournalUndoes(t *testing.T) {
	t.Run("journal-08", func(t *testing.T) {
		l := newLab(t)
		r := l.save("memory/new.md", "text\n")
		l.undo(r.Rows[0].ID)
		if _, err := os.Stat(l.path("memory/new.md")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the file is there: %v", err)
		}
		l.sound()
	})
	t.Run("journal-09", func(t *testing.T) {
		l := newLab(t)
		l.save("memory/keep.md", "keep me\n")
		r := l.must(l.w.Delete(t.Context(), ada, "memory/keep.md", Expect{}))
		l.undo(r.Rows[0].ID)
		if got := l.text("memory/keep.md"); got != "keep me\n" {
			t.Errorf("text %q", got)
		}
		l.sound()
	})
	t.Run("journal-10", func(t *testing.T) {
		l := newLab(t)
		if err := os.Remove(l.path("MEMORY.md")); err != nil {
			t.Fatal(err)
		}
		l.must(Receipt{}, l.w.Idle(t.Context(), ada.Author))
		r := l.append("made anew")
		l.undo(r.Rows[0].ID)
		if b, err := os.ReadFile(l.path("MEMORY.md")); err != nil || len(b) != 0 {
			t.Errorf("MEMORY.md is %q (%v), want it empty and there", b, err)
		}
		l.sound()
	})
	t.Run("journal-12", func(t *testing.T) {
		l := newLab(t)
		r := l.append("a")
		u := l.undo(r.Rows[0].ID)
		again := l.undo(u.Rows[0].ID)
		row := l.rows(Query{Limit: 1})[0]
		if row.Actor != "person" || row.Via != "revert" || row.ID != again.Rows[0].ID || row.Subject != "redo: update: a" {
			t.Errorf("row %+v", row)
		}
	})
}

// A planned change is told and not made.
func TestDryRun(t *testing.T) {
	l := newLab(t)
	c := l.append("a")
	head := l.git("rev-parse", "HEAD")
	l.add("- by hand\n")
	before := l.text("MEMORY.md")
	plan := scout
	plan.DryRun = true
	for name, do := range map[string]func() (Receipt, error){
		"update": func() (Receipt, error) {
			return l.w.Update(t.Context(), plan, policy.Update{Action: policy.Append, Text: "b"})
		},
		"save":   func() (Receipt, error) { return l.w.Save(t.Context(), plan, "MEMORY.md", "x\n", Expect{Any: true}) },
		"undo":   func() (Receipt, error) { return l.w.Undo(t.Context(), plan, string(c.Change), Revert) },
		"delete": func() (Receipt, error) { return l.w.Delete(t.Context(), plan, "memory/none.md", Expect{}) },
	} {
		r := l.must(do())
		if !r.DryRun || r.Change != "" || r.Commit != "" || len(r.Outside) != 0 {
			t.Errorf("%s: receipt %+v names what was not made", name, r)
		}
		if name != "delete" && (len(r.Rows) != 1 || r.Rows[0].Diff == "" || r.Rows[0].ID != "") {
			t.Errorf("%s: rows %+v", name, r.Rows)
		}
	}
	if got := l.git("rev-parse", "HEAD"); got != head || l.text("MEMORY.md") != before {
		t.Error("something was written")
	}
}
