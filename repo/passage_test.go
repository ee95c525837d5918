package repo

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

// passage is what a test looks at of one.
type passage struct {
	Change          ChangeID
	Did, Path, From string
	Text            string
}

func (l *lab) passages(selector string) []passage {
	l.t.Helper()
	list, err := l.w.NoteHistory(l.t.Context(), selector)
	if err != nil {
		l.t.Fatal(err)
	}
	out := []passage{}
	for _, p := range list {
		out = append(out, passage{p.Row.Change, p.Did, p.Row.Path, p.From, p.Text})
	}
	return out
}

// A note is followed from its first wording to now, through edits, the archive, and out
// and back again.
func TestNoteHistory(t *testing.T) {
	l := newLab(t)
	l.append("filler")
	taught := l.append("walks at six")
	edited := l.update(policy.Update{Action: policy.Replace, OldText: "at six", Text: "at seven"})
	l.append("in between")
	moved := l.two("1 note moved", "- 2026-09-12 · walks at seven · updated 2026-09-12 · moved 2026-09-12\n", "# Memory\n\n- 2026-09-12 · filler\n- 2026-09-12 · in between\n")
	want := []passage{
		{taught.Change, "added", "MEMORY.md", "", "- 2026-09-12 · walks at six"},
		{edited.Change, "changed", "MEMORY.md", "", "- 2026-09-12 · walks at seven · updated 2026-09-12"},
		{moved.Change, "moved", "memory/archive.md", "MEMORY.md", "- 2026-09-12 · walks at seven · updated 2026-09-12 · moved 2026-09-12"},
	}
	if diff := cmp.Diff(want, l.passages("memory/archive.md:1")); diff != "" {
		t.Errorf("in the archive (-want +got):\n%s", diff)
	}
	out := l.update(policy.Update{Action: policy.Remove, OldText: "filler"})
	back := l.undo(string(out.Change))
	got := l.passages("filler")
	if diff := cmp.Diff([]string{"added", "removed", "returned"}, didOf(got)); diff != "" {
		t.Fatalf("taken out and put back (-want +got):\n%s\n%+v", diff, got)
	}
	if got[1].Change != out.Change || got[2].Change != back.Change || got[1].Text != "- 2026-09-12 · filler" {
		t.Errorf("got %+v", got)
	}
	rows, err := l.w.Journal(t.Context(), Query{Note: "filler", Limit: 2})
	if err != nil || len(rows) != 2 || rows[0].Change != back.Change || rows[1].Change != out.Change {
		t.Errorf("as a journal: %v %+v", err, rows)
	}
	_, err = l.w.Journal(t.Context(), Query{Note: "filler", Words: "x"})
	l.refuses(err, ErrInvalid)
	l.add("- not yet taken in\n")
	if got := l.passages("not yet taken in"); len(got) != 0 {
		t.Errorf("of a note that is in no change: %+v", got)
	}
	for selector, want := range map[string]policy.Code{"MEMORY.md:99": policy.NotFound, "memory/none.md:1": policy.NotFound, "2026-09-12": policy.Conflict, "nowhere": policy.Conflict} {
		_, err := l.w.NoteHistory(t.Context(), selector)
		if r, ok := errors.AsType[*policy.Refusal](err); !ok || r.Code != want {
			t.Errorf("%s: %v", selector, err)
		}
	}
	_, err = l.w.NoteHistory(t.Context(), "../x.md:1")
	l.refuses(err, ErrInvalid)
}

// What a person's own git brought may hold a credential: it is masked when it is shown.
func TestNoteHistoryIsMasked(t *testing.T) {
	l := newLab(t)
	key := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	l.add("- the key is " + key + "\n")
	l.git("commit", "-q", "-am", "mine")
	l.append("another")
	list, err := l.w.NoteHistory(t.Context(), "the key is")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Text == "" || cmp.Equal(p.Text, "- the key is "+key) {
			t.Errorf("shown as %q", p.Text)
		}
	}
	if len(list) == 0 {
		t.Error("no change is told")
	}
}

func didOf(list []passage) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.Did)
	}
	return out
}
