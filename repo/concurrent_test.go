package repo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/policy"
)

// BUG-001: a change is made on the file as it is now, never on an older copy.
func TestFaultBUG001OnlyTheNamedEntryChanges(t *testing.T) {
	l := newLab(t)
	l.append("office is in Leeds")
	l.rows(Query{})
	var hand strings.Builder
	for i := range 40 {
		fmt.Fprintf(&hand, "- hand line %d\n", i)
	}
	l.add(hand.String())
	l.update(policy.Update{Action: policy.Supersede, OldText: "office is in Leeds", Text: "office is in York"})
	l.contains(l.text("MEMORY.md"), hand.String(), "office is in York", "~~office is in Leeds~~")
	got := l.log("%(trailers:key=Memory-Action,valueonly,separator=%x2C)")
	if tail := strings.Join(got[len(got)-2:], " "); tail != "outside update" {
		t.Errorf("the last two actions are %q, want outside, then update", tail)
	}
	l.sound()
}

// BUG-003 and BUG-004: two processes on one home share it safely.
func TestFaultBUG003BUG004TwoProcesses(t *testing.T) {
	l := newLab(t)
	other := bareLab(t, l.home, "")
	other.use("scout")
	const each = 20
	var group sync.WaitGroup
	errs := make(chan error, 2*each)
	for n, one := range []*lab{l, other} {
		group.Go(func() {
			for i := range each {
				_, err := one.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: fmt.Sprintf("fact %d of process %d", i, n)})
				errs <- err
			}
		})
	}
	group.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	text := l.text("MEMORY.md")
	for n := range 2 {
		for i := range each {
			l.contains(text, fmt.Sprintf("fact %d of process %d\n", i, n))
		}
	}
	if got := l.count(); got != 1+2*each {
		t.Errorf("%d commits, want %d", got, 1+2*each)
	}
	l.sound()
}

// BUG-005: every acknowledged commit is an ancestor of HEAD, and nothing dangles.
func TestFaultBUG005EveryReceiptIsInTheHistory(t *testing.T) {
	l := newLab(t)
	var mu sync.Mutex
	var commits []string
	var group sync.WaitGroup
	for p := range 4 {
		one := bareLab(t, l.home, "")
		one.use("scout")
		group.Go(func() {
			for i := range 12 {
				r, err := one.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: fmt.Sprintf("p%d i%d", p, i), Topic: fmt.Sprintf("topic %d", p)})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				commits = append(commits, r.Commit)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for _, c := range commits {
		if out, err := l.gitTry("merge-base", "--is-ancestor", c, "HEAD"); err != nil {
			t.Errorf("commit %s is not in the history: %s", c, out)
		}
	}
	if out := l.git("fsck", "--strict"); out != "" {
		t.Errorf("git fsck says:\n%s", out)
	}
	l.sound()
}

// BUG-007: a text prepared earlier is refused when the file changed meanwhile.
func TestFaultBUG007PreparedTextIsStale(t *testing.T) {
	l := newLab(t)
	l.append("first")
	base, err := l.w.Read(t.Context(), "MEMORY.md")
	if err != nil {
		t.Fatal(err)
	}
	l.append("added while the model thought")
	l.add("- edited by hand meanwhile\n")
	_, err = l.w.Save(t.Context(), Meta{Author: Author{Kind: Upkeep}}, "MEMORY.md", "# rewritten\n", Expect{Hash: base.Hash})
	l.refuses(err, ErrStale)
	var stale *StaleError
	if !errors.As(err, &stale) || !strings.Contains(stale.Current, "edited by hand meanwhile") || stale.CurrentHash != hashText([]byte(stale.Current)) {
		t.Errorf("the error does not say what stands there: %+v", stale)
	}
	l.contains(l.text("MEMORY.md"), "added while the model thought", "edited by hand meanwhile")
}

// BUG-011: a line by hand and a line by the program both stay, in their order.
func TestFaultBUG011LogLineByHand(t *testing.T) {
	l := newLab(t)
	const log = "memory/log/2026-09-12.md"
	l.put(log, "- by hand\n")
	_, err := l.w.change(t.Context(), Meta{Author: scout.Author, Action: ActLog, Via: ViaTurn}, func(v *view) (draft, error) {
		text, _, err := v.file(log)
		return draft{subject: "turn", files: []fileText{{path: log, text: append(text, "- by the server\n"...)}}}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.text(log), "- by hand\n- by the server\n"; got != want {
		t.Errorf("log is %q, want %q", got, want)
	}
	rows := l.rows(Query{Path: log, All: true})
	if len(rows) != 2 || rows[0].Actor != "bot" || rows[1].Actor != "person" {
		t.Errorf("rows %+v, want the bot's over the person's", rows)
	}
	l.sound()
}

// BUG-013: a whole text without its base is refused.
func TestFaultBUG013SaveNeedsTheHash(t *testing.T) {
	l := newLab(t)
	l.append("one")
	_, err := l.w.Save(t.Context(), ada, "MEMORY.md", "x\n", Expect{})
	l.refuses(err, ErrNeedHash)
	_, err = l.w.Save(t.Context(), ada, "MEMORY.md", "x\n", Expect{Hash: hashText([]byte("old"))})
	l.refuses(err, ErrStale)
	_, err = l.w.Save(t.Context(), ada, "memory/none.md", "x\n", Expect{Hash: hashText([]byte("old"))})
	l.refuses(err, ErrStale)
	l.contains(l.text("MEMORY.md"), "one")
}

// A line that a shell appends while quipu writes is never lost.
func TestAppendWhileWriting(t *testing.T) {
	l := newLab(t)
	const lines = 60
	done := make(chan error, 1)
	go func() {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", fmt.Sprintf(`i=0; while [ $i -lt %d ]; do echo "- by hand $i." >> MEMORY.md; i=$((i+1)); sleep 0.005; done`, lines))
		cmd.Dir = l.dir
		done <- cmd.Run()
	}()
	for i := range 40 {
		l.append(fmt.Sprintf("by the bot %d", i))
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // as long as a late edit is looked for
	if err := l.w.Idle(t.Context(), ada.Author); err != nil {
		t.Fatal(err)
	}
	if err := l.w.Idle(t.Context(), ada.Author); err != nil {
		t.Fatal(err)
	}
	text := l.text("MEMORY.md")
	for i := range lines {
		l.contains(text, fmt.Sprintf("- by hand %d.\n", i))
	}
	for i := range 40 {
		l.contains(text, fmt.Sprintf("by the bot %d\n", i))
	}
	l.sound()
}

// Of several that make one bot at once, each gets it and one made it.
func TestCreateAtOnce(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	var mu sync.Mutex
	made := 0
	var group sync.WaitGroup
	for range 4 {
		one := bareLab(t, home, "")
		for range 2 {
			group.Go(func() {
				_, mine, err := one.store.Create(t.Context(), "scout", "Scout")
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				if mine {
					made++
				}
			})
		}
	}
	group.Wait()
	if made != 1 {
		t.Errorf("%d made it, want 1", made)
	}
	l := bareLab(t, home, "")
	l.use("scout")
	if got := l.count(); got != 1 {
		t.Errorf("%d commits, want 1", got)
	}
	left, err := filepath.Glob(filepath.Join(home, historyDir, "*.new"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}
	l.sound()
}

// BUG-023: a lock that a running git holds is waited for, then told, never removed.
func TestFaultBUG022BUG023ForeignLock(t *testing.T) {
	l := newLab(t)
	for _, age := range []time.Duration{0, 20 * time.Minute} {
		lock := filepath.Join(l.w.git.Dir(), "index.lock")
		if err := os.WriteFile(lock, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-age)
		if err := os.Chtimes(lock, old, old); err != nil {
			t.Fatal(err)
		}
		before := l.text("MEMORY.md")
		_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "x"})
		l.refuses(err, ErrBusy)
		l.contains(err.Error(), "index.lock")
		if _, err := os.Stat(lock); err != nil {
			t.Errorf("the lock was removed: %v", err)
		}
		if got := l.text("MEMORY.md"); got != before {
			t.Errorf("the file was changed to %q", got)
		}
		s, err := l.w.Status(t.Context())
		if err != nil || s.Ready || !strings.Contains(s.Reason, "index.lock") {
			t.Errorf("status %+v (%v), want not ready", s, err)
		}
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
	}
	l.append("after the lock went away")
	l.sound()
}

// BUG-008: readers and writers of one workspace share it, also while it is packed,
// and each answer is of one state.
func TestFaultBUG008ReadersAndWriters(t *testing.T) {
	l := newLab(t)
	first := l.append("first")
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	reads := []func() error{
		func() error { _, err := l.w.Journal(t.Context(), Query{}); return err },
		func() error { _, err := l.w.Read(t.Context(), "MEMORY.md"); return err },
		func() error { _, _, err := l.w.List(t.Context()); return err },
		func() error { _, err := l.w.Blame(t.Context(), "MEMORY.md"); return err },
		func() error { _, err := l.w.Show(t.Context(), string(first.Change)); return err },
		func() error { _, err := l.w.Diff(t.Context(), first.Commit, "", ""); return err },
		func() error { s, err := l.w.Status(t.Context()); _ = s; return err },
	}
	for _, read := range reads {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(5 * time.Millisecond):
				}
				if err := read(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := range 2 {
		writers.Go(func() {
			for i := range 12 {
				l.append(fmt.Sprintf("writer %d fact %d", n, i))
				if i%6 == 5 {
					if err := l.w.Idle(t.Context(), ada.Author); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if got := len(l.rows(Query{Limit: 1000})); got != 26 {
		t.Errorf("%d rows, want 26", got)
	}
	l.sound()
}
