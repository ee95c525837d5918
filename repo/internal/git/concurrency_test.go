package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// playAdder adds lines and prints, for each, how long it took in microseconds, or
// "busy".
func playAdder() error {
	h, args := playedHome()
	r, err := Open(context.Background(), h.options())
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	for i := range 100 {
		path := "MEMORY.md"
		if i%3 == 2 {
			path = fmt.Sprintf("memory/topic-%d.md", i%7)
		}
		line := fmt.Sprintf("- %s-%d", args[0], i)
		start := time.Now()
		switch err := add(r, path, line); {
		case errors.Is(err, ErrBusy):
			fmt.Println("busy", time.Since(start).Microseconds())
		case err != nil:
			return err
		default:
			fmt.Println(line[2:], time.Since(start).Microseconds())
		}
		time.Sleep(rand.N(4 * time.Millisecond))
	}
	return nil
}

// TestManyWriters lets eight processes add a hundred lines each while a shell adds
// lines by hand and a person commits now and then.
func TestManyWriters(t *testing.T) {
	const processes, byHand, commits = 8, 50, 20
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- first"); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	outs := make([]bytes.Buffer, processes)
	for i := range processes {
		cmd := h.player("adder", fmt.Sprintf("p%d", i))
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &outs[i], &errs
		wg.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("process %d: %v\n%s", i, err, errs.String())
			}
		})
	}
	wg.Go(func() {
		loop := exec.CommandContext(context.Background(), "sh", "-c", fmt.Sprintf(`for n in $(seq %d); do echo "- hand $n" >> MEMORY.md; sleep 0.0$((n %% 9)); done`, byHand))
		loop.Dir = h.work
		if out, err := loop.CombinedOutput(); err != nil {
			t.Errorf("by hand: %v\n%s", err, out)
		}
	})
	made, needless, tries := 0, 0, 0
	wg.Go(func() { made, needless, tries = h.commitNowAndThen(commits) })
	wg.Wait()
	time.Sleep(2 * lateAge)
	if err := add(r, "MEMORY.md", "- last"); err != nil {
		t.Fatal(err)
	}
	h.checkWriters(outs, byHand)
	t.Logf("of %d commits of the person's %d were made, %d had nothing left to commit; %d tries", commits, made, needless, tries)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	h.sound()
}

// commitNowAndThen is a person who commits what is there, and tries again when git
// is busy. It gives how many commits were made, how many had nothing to commit, and
// how often git was run.
func (h *home) commitNowAndThen(n int) (made, needless, tries int) {
	for range n {
		for range 10 {
			tries++
			out, err := h.tryGit("commit", "-qam", "by the person")
			if err == nil {
				made++
			}
			if strings.Contains(out, "nothing to commit") {
				needless++
				break
			}
			if err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(30 * time.Millisecond)
	}
	return made, needless, tries
}

func (h *home) checkWriters(outs []bytes.Buffer, byHand int) {
	h.t.Helper()
	var waits []time.Duration
	var answers []string
	busy := 0
	for i := range outs {
		for line := range strings.Lines(outs[i].String()) {
			id, us, _ := strings.Cut(strings.TrimSpace(line), " ")
			var n int64
			if _, err := fmt.Sscan(us, &n); err != nil {
				h.t.Fatalf("%q: %v", line, err)
			}
			waits = append(waits, time.Duration(n)*time.Microsecond)
			if id == "busy" {
				busy++
			} else {
				answers = append(answers, "+"+id)
			}
		}
	}
	h.checkAnswers(answers, true)
	for n := range byHand {
		if line := fmt.Sprintf("- hand %d\n", n+1); strings.Count(h.read("MEMORY.md"), line) != 1 {
			h.t.Errorf("%q stands %d times in the file", line, strings.Count(h.read("MEMORY.md"), line))
		}
	}
	slices.Sort(waits)
	at := func(q float64) time.Duration { return waits[int(q*float64(len(waits)-1))] }
	h.t.Logf("%d answered, %d busy; p50 %v, p99 %v, max %v", len(answers), busy, at(0.5), at(0.99), at(1))
	if limit := 2 * time.Second; at(0.99) > limit {
		h.t.Errorf("p99 is %v, want less than %v", at(0.99), limit)
	}
}

// TestReadersAndWriters runs sixteen goroutines on one repository.
func TestReadersAndWriters(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- first"); err != nil {
		t.Fatal(err)
	}
	const writers, readers, each = 8, 8, 25
	var wg sync.WaitGroup
	done := make(chan struct{})
	for i := range readers {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if err := readAll(r, (i+n)%3 == 0); err != nil {
					t.Errorf("reader: %v", err)
					return
				}
			}
		})
	}
	var writing sync.WaitGroup
	for i := range writers {
		writing.Go(func() {
			for n := range each {
				if err := add(r, fmt.Sprintf("memory/topic-%d.md", i%3), fmt.Sprintf("- w%d-%d", i, n)); err != nil {
					t.Errorf("writer: %v", err)
				}
			}
		})
	}
	writing.Wait()
	close(done)
	wg.Wait()
	h.sound()
	if got := len(strings.Fields(h.git("rev-list", "HEAD"))); got != writers*each+1 {
		t.Errorf("%d commits, want %d", got, writers*each+1)
	}
}

// readAll reads the newest commit, how it differs from its parent, and its files.
func readAll(r *Repo, scan bool) error {
	_, head, err := r.Head()
	if err != nil {
		return err
	}
	c, err := r.Commit(head)
	if err != nil {
		return err
	}
	files, err := r.Files(c.Tree)
	if err != nil {
		return err
	}
	for _, f := range files {
		if _, err := r.Blob(f.Blob); err != nil {
			return err
		}
	}
	if len(c.Parents) > 0 {
		p, err := r.Commit(c.Parents[0])
		if err != nil {
			return err
		}
		if _, err := r.Changes(p.Tree, c.Tree); err != nil {
			return err
		}
	}
	if scan {
		if _, _, err := r.Scan(); err != nil {
			return err
		}
		return r.State()
	}
	r.Full()
	return nil
}

// TestSwitchInALoop lets a person make and switch branches all the time: each
// change is on the branch that was checked out, and no branch gets another's texts.
func TestSwitchInALoop(t *testing.T) {
	h := newHome(t)
	r := h.open()
	if err := add(r, "MEMORY.md", "- first"); err != nil {
		t.Fatal(err)
	}
	h.git("branch", "side")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	switched := 0
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := h.tryGit("switch", "-q", []string{"side", "main"}[i%2]); err == nil {
				switched++
			}
			if i%5 == 0 {
				_, _ = h.tryGit("branch", "-C", "main", "copy")
			}
			time.Sleep(rand.N(40 * time.Millisecond))
		}
	})
	var answers []string
	on := map[string]string{} // line -> branch
	for i := range 50 {
		id, branch := fmt.Sprintf("n%d", i), ""
		err := r.Update(context.Background(), func(t *Tx) error {
			branch = t.Branch()
			return addIn(t, "memory/"+branch+".md", "- "+id)
		})
		if err != nil && !errors.Is(err, ErrBusy) {
			t.Fatal(err)
		}
		if err == nil {
			answers = append(answers, id)
			on[id] = branch
		}
		time.Sleep(rand.N(10 * time.Millisecond))
	}
	close(stop)
	wg.Wait()
	for _, id := range answers {
		if text, err := h.tryGit("show", on[id]+":memory/"+on[id]+".md"); err != nil || !strings.Contains(text, "- "+id+"\n") {
			t.Errorf("%s is not on branch %s", id, on[id])
		}
	}
	if got := h.git("log", "--format=%s", "main", "side"); strings.Contains(got, "outside") {
		t.Errorf("a half-done switch was taken for an edit:\n%s", got)
	}
	t.Logf("%d of 50 changes answered, %d switches", len(answers), switched)
	h.sound()
}

// TestHalfDoneSwitch stops where `git switch` has written files and index and has
// let go of the index, but has not yet moved HEAD.
func TestHalfDoneSwitch(t *testing.T) {
	h, r := started(t)
	h.wait = 0
	before := h.git("rev-parse", "main")
	h.git("read-tree", "-m", "-u", "main", "side")
	var wg sync.WaitGroup
	wg.Go(func() {
		time.Sleep(40 * time.Millisecond)
		_, _ = h.tryGit("symbolic-ref", "HEAD", "refs/heads/side")
	})
	if err := add(r, "memory/topic.md", "- two"); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if got := h.git("rev-parse", "main"); got != before {
		t.Errorf("main got the other branch's texts:\n%s", h.git("log", "-p", "-1", "main"))
	}
	if got := h.git("log", "--format=%s", "-2", "side"); got != "add: - two\nside\n" {
		t.Errorf("log of side: %q", got)
	}
	h.sound()
}

// TestLockThatGoesAway looks at a lock of ours while it comes and goes: a reader that
// looked twice told of another git program.
func TestLockThatGoesAway(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "main.lock")
	ours, done := lock+".ours", make(chan struct{})
	if err := os.WriteFile(ours, []byte(tokenMark), 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
		for range 2000 {
			if err := errors.Join(os.Link(ours, lock), os.Remove(lock)); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for looking := true; looking; {
		select {
		case <-done:
			looking = false
		default:
			if isForeign(lock) {
				t.Error("a lock of ours is told of as another's")
				looking = false
			}
		}
	}
	wg.Wait()
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !isForeign(lock) {
		t.Error("git's lock is not told of")
	}
}
