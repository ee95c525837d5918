package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestEraseBesideWriters erases while goroutines, another process and a person's git
// commit: nothing that was answered is lost, and the secret is gone.
func TestEraseBesideWriters(t *testing.T) {
	for round := range fewer(8) {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			h := newHome(t)
			h.wait = 20 * time.Second
			h.importTopic(300, 0.5)
			r := h.open()
			defer func() { _ = r.Close() }()
			if err := errors.Join(add(r, "memory/person.md", "- begin"), add(r, "MEMORY.md", "- Zanzibar"), drop(r)); err != nil {
				t.Fatal(err)
			}
			b := &beside{home: h, r: r}
			other := h.player("writer", "other")
			var out, errs bytes.Buffer
			other.Stdout, other.Stderr = &out, &errs
			if err := other.Start(); err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			for i := range 2 {
				wg.Go(func() { b.write(fmt.Sprintf("here%d", i)) })
			}
			wg.Go(b.commit)
			time.Sleep(100 * time.Millisecond)
			got := b.erase(round)
			time.Sleep(100 * time.Millisecond)
			b.stop.Store(true)
			wg.Wait()
			_ = other.Process.Kill()
			_ = other.Wait() // it says "killed"
			if errs.Len() > 0 {
				t.Errorf("the other process: %s", errs.String())
			}
			answers := append(answersIn(out.String()), b.answers...)
			if err := add(r, "MEMORY.md", "- last"); err != nil {
				t.Error(err)
			}
			h.checkAnswers(answers, true)
			if got.Changed == 0 {
				t.Error("nothing was erased")
			}
			if where := h.holds(); len(where) > 0 {
				t.Errorf("still told by %v", where)
			}
			h.tidy()
			h.sound()
			t.Logf("%d changes answered, %d of them a person's commits", len(answers), b.person)
		})
	}
}

// beside is what goes on beside an erase in this process.
type beside struct {
	*home
	r       *Repo
	stop    atomic.Bool
	mu      sync.Mutex
	answers []string
	person  int
}

func (b *beside) answer(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = append(b.answers, id)
}

func (b *beside) write(name string) {
	for i := 0; !b.stop.Load(); i++ {
		id := fmt.Sprintf("%s-%d", name, i)
		answer, err := randomChange(b.r, id)
		switch {
		case err == nil:
			b.answer(answer)
		case !errors.Is(err, ErrBusy):
			b.t.Errorf("%s: %v", id, err)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// commit is a person who writes a line and commits it, again and again.
func (b *beside) commit() {
	for i := 0; !b.stop.Load(); i++ {
		id := fmt.Sprintf("person-%d", i)
		b.appendTo("memory/person.md", "- "+id+"\n")
		if _, err := b.tryGit("commit", "-q", "-m", "add: - "+id, "--", "memory/person.md"); err == nil {
			b.answer("+" + id)
			b.person++
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (b *beside) erase(round int) Rewritten {
	b.t.Helper()
	for range 50 {
		out, err := b.r.Rewrite(context.Background(), erasing())
		if err == nil {
			return out
		}
		if !errors.Is(err, ErrBusy) {
			b.t.Errorf("round %d: %v", round, err)
			return out
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Error("always busy")
	return Rewritten{}
}
