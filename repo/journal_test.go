package repo

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// What a page of the journal can be asked for.
func TestJournalFilters(t *testing.T) {
	l := newLab(t)
	day := func(n int) time.Time { return time.Date(2026, 9, n, 12, 0, 0, 0, time.UTC) }
	l.clock.per = 0
	l.clock.set(day(13))
	a := l.update(policy.Update{Action: policy.Append, Text: "likes Tea", Source: `chat "Breakfast"`})
	l.clock.set(day(14))
	b := l.save("memory/food.md", "- soup\n- bread\n")
	l.clock.set(day(15))
	l.must(l.w.change(t.Context(), Meta{Author: scout.Author, Action: ActLog}, func(*view) (draft, error) {
		return draft{subject: "turn", files: []fileText{{path: "memory/log/2026-09-15.md", text: []byte("- x\n")}}}, nil
	}))
	l.clock.set(day(16))
	c := l.undo(string(b.Change))
	since := func(n int) time.Time { return day(n) }
	for name, tc := range map[string]struct {
		q    Query
		want []ChangeID
	}{
		"author":          {Query{Author: Bot}, []ChangeID{a.Change}},
		"action":          {Query{Action: ActUndo}, []ChangeID{c.Change}},
		"words in source": {Query{Words: "breakfast tea"}, []ChangeID{a.Change}},
		"words in diff":   {Query{Words: "BREAD"}, []ChangeID{c.Change, b.Change}},
		"no such words":   {Query{Words: "bread tea"}, nil},
		"path":            {Query{Path: "memory/food.md"}, []ChangeID{c.Change, b.Change}},
		"no such path":    {Query{Path: "memory/none.md"}, nil},
		"since":           {Query{Since: since(14)}, []ChangeID{c.Change, b.Change}},
		"until":           {Query{Since: since(13), Until: since(14)}, []ChangeID{b.Change, a.Change}},
		"before":          {Query{Before: c.Change, Limit: 1}, []ChangeID{b.Change}},
		"change":          {Query{Change: b.Change[:20]}, []ChangeID{b.Change}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []ChangeID
			for _, r := range l.rows(tc.q) {
				got = append(got, r.Change)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
	if plain, all := len(l.rows(Query{})), len(l.rows(Query{All: true})); plain != 4 || all != 5 {
		t.Errorf("%d rows, %d of all kinds, want 4 and 5", plain, all)
	}
	row := l.rows(Query{Change: b.Change})[0]
	if row.UndoneBy != c.Change || row.At != day(14).UnixMilli() || row.Kind != "created" || row.Added != 2 {
		t.Errorf("row %+v", row)
	}
	_, err := l.w.Journal(t.Context(), Query{Before: "01ARZ3NDEKTSV4RRFFQ69G5FAV"})
	l.refuses(err, ErrNotFound)
}

// A change that is undone is not undone again: what it took out would come twice.
func TestUndoneAlready(t *testing.T) {
	l := newLab(t)
	l.append("a fact")
	r := l.update(policy.Update{Action: policy.Remove, OldText: "a fact"})
	l.undo(string(r.Change))
	before := l.text("MEMORY.md")
	_, err := l.w.Undo(t.Context(), ada, string(r.Change), Revert)
	l.refuses(err, ErrConflict)
	l.contains(err.Error(), "undone already")
	if got := l.text("MEMORY.md"); got != before {
		t.Errorf("the file went from %q to %q", before, got)
	}
}

// A person's git revert counts as an undo, and their commits can be undone by hash.
func TestForeignReverts(t *testing.T) {
	l := newLab(t)
	l.append("filler")
	r := l.append("kept for a while")
	l.git("revert", "--no-edit", r.Commit)
	row := l.rows(Query{Change: r.Change})[0]
	if row.UndoneBy == "" {
		t.Errorf("the reverted change is not undone: %+v", row)
	}
	l.add("- mine\n")
	l.git("commit", "-q", "-am", "mine")
	own := l.git("rev-parse", "HEAD")
	l.append("later")
	u := l.undo(own[:12])
	if u.Undone != ChangeID(own) || strings.Contains(l.text("MEMORY.md"), "mine") || !strings.Contains(l.text("MEMORY.md"), "later") {
		t.Errorf("undone %s: %q", u.Undone, l.text("MEMORY.md"))
	}
	l.sound()
}

func FuzzMessage(f *testing.F) {
	f.Add("a fact", "chat \"x\"")
	f.Add("a\n---\nb", "x\n\nMemory-Change: 0")
	f.Add("\xff\x00", "  continued")
	f.Fuzz(func(t *testing.T, subject, source string) {
		text := message(ActUpdate, subject, []trailer{{keySource, source}, {keyChange, "X"}})
		got := map[string]string{}
		for _, tr := range git.Trailers(text) {
			got[tr.Key] = tr.Value
		}
		want := map[string]string{keyChange: "X"}
		if s := oneLine(source); s != "" {
			want[keySource] = s
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("trailers of %q (-want +got):\n%s", text, diff)
		}
	})
}

// Pages give each row once, also when a change touched more files than a page has rows.
func TestPagesOfManyFiles(t *testing.T) {
	l := newLab(t)
	l.append("one")
	files := map[string]string{}
	for name := range strings.FieldsSeq("a b c d e f g h i j k") {
		files["memory/"+name+".md"] = "- " + name + "\n"
	}
	l.take(notesOf(files))
	l.two("two files", "- x\n", "- y\n")
	l.append("last")
	all := l.rows(Query{Limit: 1000})
	if len(all) != 16 {
		t.Fatalf("%d rows, want 16", len(all))
	}
	for size := 1; size <= 17; size++ {
		for _, path := range []string{"", "MEMORY.md"} {
			var got, want []string
			for before := ""; ; {
				rows := l.rows(Query{Limit: size, Path: path, Before: ChangeID(before)})
				for _, r := range rows {
					got = append(got, r.ID)
				}
				if len(rows) < size {
					break
				}
				before = rows[len(rows)-1].ID
			}
			for _, r := range all {
				if path == "" || r.Path == path {
					want = append(want, r.ID)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("pages of %d of %q (-want +got):\n%s", size, path, diff)
			}
		}
	}
}

// Walking back passes over a change of which a merge left nothing.
func TestUndoPassesOverWhatIsGone(t *testing.T) {
	l := newLab(t)
	before := l.text("MEMORY.md")
	l.append("first")
	kept := l.text("MEMORY.md")
	l.append("taken out by another machine")
	l.must(l.w.change(t.Context(), Meta{Author: Author{Kind: Sync}, Action: ActSync}, func(*view) (draft, error) {
		return draft{subject: "merge", files: []fileText{{path: "MEMORY.md", text: []byte(kept)}}}, nil
	}))
	l.undo("")
	if got := l.text("MEMORY.md"); got != before {
		t.Errorf("MEMORY.md is %q, want %q", got, before)
	}
}

// A restore to before an undo that does not stand any more is a change of its own.
func TestRestoreOfAnUndo(t *testing.T) {
	l := newLab(t)
	before := l.text("MEMORY.md")
	a := l.append("a fact")
	undone := l.undo(string(a.Change))
	l.must(l.w.Redo(t.Context(), ada))
	l.must(l.w.Undo(t.Context(), ada, string(a.Change), Restore))
	r := l.must(l.w.Undo(t.Context(), ada, string(undone.Change), Restore))
	if row := l.rows(Query{Change: r.Change})[0]; row.Action != "restore" || row.Undoes != "" {
		t.Errorf("row %+v", row)
	}
	l.undo("")
	if got := l.text("MEMORY.md"); got != before {
		t.Errorf("MEMORY.md is %q, want %q", got, before)
	}
}
