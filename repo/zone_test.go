package repo

import (
	"strings"
	"testing"
)

// Machines that share a bot count its days in one time zone: the newest that a person set.
func TestSyncZone(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	zone := func(l *lab) string { return l.store.Config().LocationOf("scout").String() }
	set := func(l *lab, name string) {
		t.Helper()
		if err := l.store.SetBot("scout", map[string]any{"timezone": name}); err != nil {
			t.Fatal(err)
		}
	}
	set(a, "Asia/Tokyo")
	a.sync()
	if got := b.sync(); zone(b) != "Asia/Tokyo" || !strings.Contains(strings.Join(got.Notes, "\n"), "Asia/Tokyo") {
		t.Errorf("the other counts in %s, told %q", zone(b), got.Notes)
	}
	set(b, "America/Lima")
	b.sync()
	a.sync()
	b.sync()
	if zone(a) != "America/Lima" || zone(b) != "America/Lima" {
		t.Errorf("zones %s and %s", zone(a), zone(b))
	}
	if got := a.sync(); got.Pulled+got.Pushed != 0 {
		t.Errorf("no rest: %+v", got)
	}
	// Both set one at once: they agree in the end.
	set(a, "Europe/Rome")
	set(b, "Europe/Oslo")
	for range 3 {
		a.sync()
		b.sync()
	}
	if zone(a) != zone(b) {
		t.Errorf("zones %s and %s", zone(a), zone(b))
	}
	a.sound()
	b.sound()
}
