package repo

import (
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

// begun is an erasure of what was planted, noted and not yet begun.
func begun(t *testing.T, l *lab) *erasure {
	t.Helper()
	phrases, err := policy.ParsePhrases([]string{lover})
	if err != nil {
		t.Fatal(err)
	}
	id, err := l.store.change(l.w.now())
	if err != nil {
		t.Fatal(err)
	}
	j := &erasure{w: l.w, m: Meta{Author: ada.Author, Action: ActForget, Via: ViaCLI}, id: id, x: policy.EraseWords(phrases, l.w.taken()), phrases: phrases}
	if err := l.w.keepErasing(j.m, id, j.x); err != nil {
		t.Fatal(err)
	}
	return j
}

// erasedWhole holds a workspace to all that an erasure promises.
func erasedWhole(t *testing.T, l *lab, old string) {
	t.Helper()
	if hits := stillIn(t, l); len(hits) > 0 {
		t.Errorf("it is still in %v", hits)
	}
	if found, err := l.w.Verify(l.ctx(), nil); err != nil || len(found) != 0 {
		t.Errorf("verify: %v, %v", found, err)
	}
	if n, err := l.w.Epoch(); n != 1 || err != nil {
		t.Errorf("epoch %d, %v", n, err)
	}
	if ids := l.git("grep", "-h", old, "refs/quipu/erased"); strings.TrimSpace(ids) != old {
		t.Errorf("the old tip %s is not among the erased: %q", old, ids)
	}
	rows := l.rows(Query{All: true, Action: ActErase, Limit: 10})
	if len(rows) != 1 || rows[0].Kind != "erased" || rows[0].CanRevert {
		t.Errorf("the tombstone: %+v", rows)
	}
	ledger, err := l.w.ledgerNow()
	if n := ledger.Never().Len(); err != nil || n != 1 {
		t.Errorf("listed %d times, %v", n, err)
	}
	l.sound()
}

// Whatever stops an erasure, the next write finishes it, or, in a process that stays,
// the opening of the workspace.
func TestEraseFinished(t *testing.T) {
	stops := map[string]func(j *erasure) error{
		"before anything":         func(*erasure) error { return nil },
		"when the files are done": func(j *erasure) error { return j.here(t.Context()) },
		"when what was said is, too": func(j *erasure) error {
			if err := j.here(t.Context()); err != nil {
				return err
			}
			_, err := j.w.eraseSaid(t.Context(), j.x)
			return err
		},
		"when the history is replaced": func(j *erasure) error {
			if err := j.here(t.Context()); err != nil {
				return err
			}
			if _, err := j.w.eraseSaid(t.Context(), j.x); err != nil {
				return err
			}
			_, err := j.history(t.Context())
			return err
		},
	}
	for name, stop := range stops {
		for _, resident := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				l := planted(t)
				j := begun(t, l)
				old := l.git("rev-parse", "HEAD")
				if err := stop(j); err != nil {
					t.Fatal(err)
				}
				if found := l.w.pendingErasures(); len(found) != 1 || found[0].Level != "error" {
					t.Errorf("it is told as %v", found)
				}
				if resident {
					l.stay()
				} else {
					l.reopen()
					l.append("Life goes on")
				}
				erasedWhole(t, l, old)
			})
		}
	}
}

// stay reopens the home as a process that stays, and waits for what it does by itself.
func (l *lab) stay() {
	l.t.Helper()
	if err := l.store.Close(); err != nil {
		l.t.Fatal(err)
	}
	l.resident = true
	l.open()
	l.store.OpenUnended(l.ctx())
	l.use(l.w.ID())
	l.rest()
}

// rest waits until no erasure is under way.
func (l *lab) rest() {
	l.t.Helper()
	for range 3000 {
		if len(l.w.pendingErasures()) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	l.t.Fatal("an erasure does not come to its end")
}

// An erasure that takes longer than the caller waits is finished in the background.
func TestErasePending(t *testing.T) {
	for name, erase := range map[string]func(l *lab) (*Erased, error){
		"erase": func(l *lab) (*Erased, error) {
			e, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}, Wait: time.Nanosecond})
			return &e, err
		},
		"forget": func(l *lab) (*Erased, error) {
			f, err := l.w.Forget(l.ctx(), ada, Forgetting{Words: []string{lover}, Erase: true, Wait: time.Nanosecond})
			return f.Erased, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := planted(t)
			old := l.git("rev-parse", "HEAD")
			got, err := erase(l)
			if err != nil || !got.Pending || len(got.Unreached) == 0 {
				t.Fatalf("%+v, %v", got, err)
			}
			for _, f := range []string{"MEMORY.md", "memory/archive.md"} {
				if strings.Contains(l.text(f), lover) {
					t.Errorf("%s holds it when the answer is there", f)
				}
			}
			l.rest()
			l.store.running.Wait()
			erasedWhole(t, l, old)
		})
	}
}

// A store that is closed in the middle leaves an erasure to the next process.
func TestEraseClosed(t *testing.T) {
	l := planted(t)
	old := l.git("rev-parse", "HEAD")
	if _, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{lover}, Wait: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	l.stay()
	erasedWhole(t, l, old)
}

// One note is erased by where it stands, and its like elsewhere with it.
func TestEraseEntry(t *testing.T) {
	for name, which := range map[string]string{"by line": "MEMORY.md:3", "by text": "Likes tea"} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.append("Likes tea")
			l.append("Likes teapots")
			if got := strings.Split(l.text("MEMORY.md"), "\n")[2]; !strings.HasSuffix(got, "Likes tea") {
				t.Fatalf("line 3 is %q", got)
			}
			if which == "Likes tea" { // it stands in the other note, too
				_, err := l.w.Erase(l.ctx(), ada, Erasing{Entry: which})
				l.refuses(err, ErrConflict)
				which = "· Likes tea\n"
			}
			got, err := l.w.Erase(l.ctx(), ada, Erasing{Entry: which})
			if err != nil || got.Notes != 1 || got.Listed {
				t.Fatalf("%+v, %v", got, err)
			}
			if all := l.git("log", "--all", "-p"); strings.Contains(all, "Likes tea\n") || !strings.Contains(all, "Likes teapots") {
				t.Errorf("the history: %s", all)
			}
		})
	}
	l := newLab(t)
	l.append("Likes tea")
	for which, want := range map[string]error{"MEMORY.md:1": ErrRefused, "MEMORY.md:99": ErrNotFound, "memory/none.md:1": ErrNotFound, "nowhere": ErrConflict} {
		_, err := l.w.Erase(l.ctx(), ada, Erasing{Entry: which})
		l.refuses(err, want)
	}
	_, err := l.w.Erase(l.ctx(), ada, Erasing{Entry: "MEMORY.md:3", Words: []string{"tea"}})
	l.refuses(err, ErrInvalid)
	// Where another note stands by now than the one that is meant, nothing goes.
	_, err = l.w.Erase(l.ctx(), ada, Erasing{Entry: "MEMORY.md:3", Fact: "Likes coffee"})
	l.refuses(err, ErrConflict)
	if _, err = l.w.Erase(l.ctx(), ada, Erasing{Entry: "MEMORY.md:3", Fact: "Likes tea"}); err != nil {
		t.Error(err)
	}
}

// What a person does to the epoch is put back.
func TestEpochPutBack(t *testing.T) {
	l := planted(t)
	if n, err := l.w.Epoch(); n != 0 || err != nil {
		t.Errorf("epoch %d, %v", n, err)
	}
	for want, word := range []string{"", "nine", "eight"} {
		if want > 0 {
			l.append("Number " + word)
			if _, err := l.w.Erase(l.ctx(), ada, Erasing{Words: []string{word}}); err != nil {
				t.Fatal(err)
			}
		}
		l.put(policy.EpochFile, "77\n")
		r, err := l.w.TakeIn(l.ctx(), ada.Author)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := l.w.Epoch(); n != want || err != nil {
			t.Errorf("epoch %d, %v; want %d", n, err, want)
		}
		if len(r) != 1 || !strings.Contains(strings.Join(r[0].Notes, "\n"), policy.EpochFile) {
			t.Errorf("it is not told: %+v", r)
		}
		l.sound()
	}
}
