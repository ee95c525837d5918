package repo

import (
	"strings"
	"testing"

	"quipu/policy"
)

// aged is a workspace with a change every ten days, the newest of today, and the ids of
// the changes by their facts.
func aged(t *testing.T) (l *lab, ids map[string]ChangeID) {
	t.Helper()
	l = newLab(t)
	ids = map[string]ChangeID{}
	for _, fact := range []string{"Likes tea", "Sings at night", "Lives in Goa", "Has a cat", "Reads a lot"} {
		ids[fact] = l.append(fact).Change
		l.clock.at = l.clock.at.AddDate(0, 0, 10)
	}
	l.git("commit", "--allow-empty", "-qm", "by hand, long ago", "--date", "2026-09-13T00:00:00Z")
	return l, ids
}

func TestRetain(t *testing.T) {
	l, ids := aged(t)
	text, old := l.text("MEMORY.md"), l.git("rev-parse", "HEAD")
	dry := ada
	dry.DryRun = true
	if got, err := l.w.Retain(l.ctx(), dry, 25, nil); err != nil || got.Dropped != 3 || l.git("rev-parse", "HEAD") != old {
		t.Errorf("tried: %+v, %v", got, err)
	}
	got, err := l.w.Retain(l.ctx(), ada, 25, nil)
	if err != nil || got.Dropped != 3 || got.Epoch != 1 || got.Change == "" || len(got.Unreached) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if now := l.text("MEMORY.md"); now != text {
		t.Errorf("the notes became %q", now)
	}
	log := strings.Split(l.git("log", "--reverse", "--format=%s|%(trailers:key=Memory-Change,valueonly,separator=%x2C)"), "\n")
	if want := "init: " + baseSubject + "|" + string(ids["Lives in Goa"]); log[0] != want || len(log) != 5 {
		t.Errorf("the history begins with %q, want %q: %q", log[0], want, log)
	}
	if all := l.git("cat-file", "--batch-all-objects", "--batch"); strings.Contains(all, string(ids["Likes tea"])) {
		t.Error("an older commit is still there")
	}
	if gone := l.git("grep", "-h", "-c", "", "refs/quipu/erased"); strings.TrimSpace(gone) == "0" {
		t.Error("the ids of what went are not kept")
	}
	l.sound()
	if found, err := l.w.Verify(l.ctx(), nil); err != nil || len(found) != 0 {
		t.Errorf("verify: %v, %v", found, err)
	}
	// What is older is gone and says so; what came later is undone by its id.
	_, err = l.w.Undo(l.ctx(), ada, string(ids["Likes tea"]), Revert)
	l.refuses(err, ErrNotFound)
	_, err = l.w.Undo(l.ctx(), ada, string(ids["Lives in Goa"]), Revert)
	l.refuses(err, ErrNoUndo)
	l.undo(string(ids["Has a cat"]))
	if now := l.text("MEMORY.md"); strings.Contains(now, "Has a cat") || !strings.Contains(now, "Likes tea") {
		t.Errorf("undone: %q", now)
	}
	// Once more there is nothing to let go of.
	head := l.git("rev-parse", "HEAD")
	if got, err := l.w.Retain(l.ctx(), ada, 25, nil); err != nil || got.Dropped != 0 || l.git("rev-parse", "HEAD") != head {
		t.Errorf("again: %+v, %v", got, err)
	}
	_, err = l.w.Retain(l.ctx(), ada, 0, nil)
	l.refuses(err, ErrInvalid)
}

// A window moves on: the base of yesterday goes, and a week of slack keeps names stable.
func TestRetainDue(t *testing.T) {
	l, ids := aged(t)
	for days, want := range map[int]bool{0: false, 25: true, 60: false} {
		if due, err := l.w.RetainDue(l.ctx(), days); err != nil || due != want {
			t.Errorf("%d days: due %v, %v", days, due, err)
		}
	}
	for range 2 {
		if _, err := l.w.Retain(l.ctx(), ada, 25, nil); err != nil {
			t.Fatal(err)
		}
		if due, err := l.w.RetainDue(l.ctx(), 25); err != nil || due {
			t.Errorf("due again at once: %v, %v", due, err)
		}
		l.clock.at = l.clock.at.AddDate(0, 0, 20)
	}
	if n, err := l.w.Epoch(); n != 2 || err != nil {
		t.Errorf("epoch %d, %v", n, err)
	}
	if first := l.git("log", "--reverse", "--format=%(trailers:key=Memory-Change,valueonly,separator=%x2C)"); !strings.HasPrefix(first, string(ids["Reads a lot"])) {
		t.Errorf("it begins with %q", first)
	}
	l.sound()
}

// A crash behind the swap is finished like that of an erasure; one before it leaves the
// old history and no mark.
func TestRetainCutShort(t *testing.T) {
	for name, swapped := range map[string]bool{"before the swap": false, "behind it": true} {
		t.Run(name, func(t *testing.T) {
			l, _ := aged(t)
			id, err := l.store.change(l.w.now())
			if err != nil {
				t.Fatal(err)
			}
			j := &erasure{w: l.w, m: ada, id: id, x: policy.EraseFacts(nil), retain: true}
			if err := l.w.noteErasing(erasing{ID: id, By: "upkeep", Via: ViaTidy, Retain: true}); err != nil {
				t.Fatal(err)
			}
			if swapped {
				if _, err := l.w.git.Rewrite(l.ctx(), j.cut(l.w.now().AddDate(0, 0, -25))); err != nil {
					t.Fatal(err)
				}
			}
			l.reopen()
			l.append("Life goes on")
			want := 0
			if swapped {
				want = 1
			}
			if n, err := l.w.Epoch(); n != want || err != nil {
				t.Errorf("epoch %d, %v; want %d", n, err, want)
			}
			if found := l.w.pendingErasures(); len(found) != 0 {
				t.Errorf("still told: %v", found)
			}
			l.sound()
		})
	}
}
