package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quipu/policy"
)

// TestSyncChild is no test: it is the process that TestSyncKilled kills. It changes and
// syncs a home without end, and says what was acknowledged.
func TestSyncChild(t *testing.T) {
	home := os.Getenv("QUIPU_SYNC_CHILD")
	if home == "" {
		t.Skip("it is run by TestSyncKilled")
	}
	s, err := OpenHome(home, Options{Now: time.Now, Wait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Open(t.Context(), "scout")
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		fact := fmt.Sprintf("Fact%s%dx", os.Getenv("QUIPU_SYNC_NAME"), n)
		u := policy.Update{Action: policy.Append, Text: fact + " is known", TextSet: true, Topic: []string{"", "pets"}[n%2]}
		if _, err := w.Update(t.Context(), scout, u); err != nil {
			fmt.Println("fault", strings.ReplaceAll(err.Error(), "\n", " "))
			continue
		}
		fmt.Println("ack", fact)
		if _, err := w.Sync(t.Context(), ada, Syncing{}); err != nil {
			fmt.Println("fault", strings.ReplaceAll(err.Error(), "\n", " "))
		}
	}
}

// killed runs the child for a time and kills it; it gives what was acknowledged.
func killed(t *testing.T, home, name string, after time.Duration) (acks, faults []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSyncChild$") //nolint:gosec // this program
	cmd.Env = append(os.Environ(), "QUIPU_SYNC_CHILD="+home, "QUIPU_SYNC_NAME="+name, "GIT_CONFIG_NOSYSTEM=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer timer.Stop()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch kind, rest, _ := strings.Cut(lines.Text(), " "); kind {
		case "ack":
			acks = append(acks, rest)
		case "fault":
			faults = append(faults, rest)
		}
	}
	_ = cmd.Wait() // it was killed
	return acks, faults
}

// Two processes that are killed at any moment of their syncs lose nothing that was
// acknowledged, and the next sync goes on.
func TestSyncKilled(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.sync()
	b.sync()
	rng := rand.New(rand.NewPCG(3, 9)) //nolint:gosec // a test's
	var facts []string
	for round := range 4 {
		for _, l := range []*lab{a, b} {
			if err := l.store.Close(); err != nil {
				t.Fatal(err)
			}
		}
		got := make([][2][]string, 2)
		var both sync.WaitGroup
		for i, l := range []*lab{a, b} {
			after := time.Duration(400+rng.IntN(900)) * time.Millisecond
			both.Go(func() { got[i][0], got[i][1] = killed(t, l.home, fmt.Sprintf("%c%dn", 'a'+i, round), after) })
		}
		both.Wait()
		for i, l := range []*lab{a, b} {
			facts = append(facts, got[i][0]...)
			for _, fault := range got[i][1] {
				if !strings.Contains(fault, "busy") && !strings.Contains(fault, "try again") {
					t.Errorf("a fault of %d: %s", i, fault)
				}
			}
			l.open()
			l.use("scout")
		}
	}
	for _, l := range []*lab{a, b, a, b} {
		l.sync()
	}
	if len(facts) < 4 {
		t.Errorf("only %d were acknowledged", len(facts))
	}
	for _, l := range []*lab{a, b} {
		notes := l.git("grep", "-h", "", "HEAD", "--", "*.md")
		for _, fact := range facts {
			if n := strings.Count(notes, fact+" "); n != 1 {
				t.Errorf("%s stands %d times", fact, n)
			}
		}
	}
	sameHeads(t, a, b)
	t.Logf("%d acknowledged changes", len(facts))
}

// Processes that sync one workspace at once, and writers beside them, lose no word.
func TestSyncBesideWriters(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.sync()
	b.sync()
	again, err := OpenHome(a.home, Options{Now: a.clock.now, Wait: 20 * time.Second}) // another process on a's home
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close() //nolint:errcheck // a test's
	w2, err := again.Open(t.Context(), "scout")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	var all sync.WaitGroup
	var mu sync.Mutex
	var facts []string
	syncs := 0
	for i, w := range []*Workspace{a.w, w2, b.w} {
		for k := range 2 {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					fact := fmt.Sprintf("Fact%d%dn%dx", i, k, n)
					u := policy.Update{Action: policy.Append, Text: fact + " is known", TextSet: true, Topic: []string{"", "pets", "food"}[n%3]}
					if _, err := w.Update(t.Context(), scout, u); err == nil { //nolint:contextcheck // it goes on when the time is up
						mu.Lock()
						facts = append(facts, fact)
						mu.Unlock()
					} else if !errors.Is(err, ErrBusy) {
						t.Error(err)
					}
					time.Sleep(20 * time.Millisecond)
				}
			})
		}
		all.Go(func() {
			for ctx.Err() == nil {
				_, err := w.Sync(t.Context(), ada, Syncing{}) //nolint:contextcheck // it goes on when the time is up
				if err != nil && !errors.Is(err, ErrBusy) {
					t.Errorf("machine %d: %v", i, err)
				}
				mu.Lock()
				syncs++
				mu.Unlock()
			}
		})
	}
	all.Go(func() { // and the person's editor
		for n := 0; ctx.Err() == nil; n++ {
			fact := fmt.Sprintf("Facteditor%dx", n)
			b.put("memory/hand-"+fact+".md", "- "+fact+" is by hand\n")
			mu.Lock()
			facts = append(facts, fact)
			mu.Unlock()
			time.Sleep(100 * time.Millisecond)
		}
	})
	all.Wait()
	for _, l := range []*lab{a, b, a, b} {
		l.sync()
	}
	for _, l := range []*lab{a, b} {
		notes := l.git("grep", "-h", "", "HEAD", "--", "*.md")
		for _, fact := range facts {
			if n := strings.Count(notes, fact+" "); n != 1 {
				t.Errorf("%s stands %d times", fact, n)
			}
		}
	}
	if syncs < 3 {
		t.Errorf("%d syncs came to an end", syncs)
	}
	sameHeads(t, a, b)
	t.Logf("%d facts, %d syncs", len(facts), syncs)
}

// An erasure between the fetch and the push of another machine: its push is refused, and
// it takes the new history over with its own changes.
func TestSyncEraseMeanwhile(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("The secret lover is " + lover)
	a.append("Likes tea")
	a.sync()
	b.sync()
	b.append("Lives in Goa")
	if _, err := a.w.Erase(a.ctx(), ada, Erasing{Words: []string{lover}}); err != nil {
		t.Fatal(err)
	}
	// The remote's own hook holds b's push until a has pushed the new history.
	bare := filepath.Join(filepath.Dir(remote), "gate")
	hook := fmt.Sprintf("#!/bin/sh\nread old new ref\n[ -e %[1]s.done ] && exit 0\n[ -e %[1]s.a ] && exit 0\ntouch %[1]s.b\nfor i in $(seq 200); do [ -e %[1]s.go ] && exit 0; sleep 0.05; done\n", bare)
	if err := os.WriteFile(filepath.Join(remote, "hooks", "pre-receive"), []byte(hook), 0o700); err != nil { //nolint:gosec // a hook must run
		t.Fatal(err)
	}
	var out Synced
	var failed error
	done := make(chan struct{})
	go func() { defer close(done); out, failed = b.w.Sync(b.ctx(), ada, Syncing{}) }()
	for range 200 {
		if _, err := os.Lstat(bare + ".b"); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	touch := func(name string) {
		if err := os.WriteFile(bare+name, nil, 0o600); err != nil {
			t.Error(err)
		}
	}
	touch(".a")
	a.sync()
	touch(".go")
	<-done
	if failed != nil || out.Replayed != 1 {
		t.Errorf("%+v, %v", out, failed)
	}
	a.sync()
	for _, l := range []*lab{a, b} {
		l.holds([]string{"Likes tea", "Lives in Goa"}, lover)
		if hits := stillIn(t, l); len(hits) > 0 {
			t.Errorf("it is still in %v", hits)
		}
	}
	sameHeads(t, a, b)
}

// A remote that goes away at some step leaves the notes and their history as they were,
// and the next sync goes on.
func TestSyncRemoteVanishes(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.sync()
	b.sync()
	var facts []string
	for n, hook := range []string{"kill -9 $PPID", "rm -rf ../gone && mv \"$PWD\" ../gone", "exit 1"} {
		facts = append(facts, fmt.Sprintf("Fact%dx of a", n), fmt.Sprintf("Fact%dx of b", n))
		a.append(facts[2*n])
		a.sync()
		b.append(facts[2*n+1])
		file := filepath.Join(remote, "hooks", "pre-receive")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+hook+"\n"), 0o700); err != nil { //nolint:gosec // a hook must run
			t.Fatal(err)
		}
		if _, err := b.w.Sync(b.ctx(), ada, Syncing{}); err == nil {
			t.Errorf("%s: nothing failed", hook)
		}
		if s := b.w.SyncState(); s.Fault == "" || s.Ahead == 0 {
			t.Errorf("%s: state %+v", hook, s)
		}
		b.sound()
		if _, err := os.Lstat(remote); err != nil {
			if err := os.Rename(filepath.Join(filepath.Dir(remote), "gone"), remote); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		b.sync()
		a.sync()
		for _, l := range []*lab{a, b} {
			l.holds(facts)
		}
	}
	sameHeads(t, a, b)
}
