package repo

import (
	"os"
	"testing"
	"time"
)

// Of the machines that share a memory one has a lease, until its time has come.
func TestLease(t *testing.T) {
	remote := bareRemote(t)
	rawGit(t, remote, "config", "receive.denyNonFastForwards", "true")
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	end := noon.Add(time.Hour)
	take := func(l *lab, until time.Time, want bool) {
		t.Helper()
		if ok, err := l.w.TakeLease(l.ctx(), "tidy", until); err != nil || ok != want {
			t.Errorf("taken: %v, %v; want %v", ok, err, want)
		}
	}
	take(a, end, true)
	take(a, end, true)
	take(b, end, false)
	a.sync() // leases are no part of the notes
	b.clock.at = end.Add(time.Minute)
	take(b, end.Add(time.Hour), true)
	take(a, end.Add(time.Hour), false)
	a.sound()
	b.sound()
	alone := newLab(t)
	take(alone, end, true)
	if err := os.RemoveAll(remote); err != nil {
		t.Fatal(err)
	}
	_, err := a.w.TakeLease(a.ctx(), "tidy", end)
	a.refuses(err, ErrRemote)
}
