package hooks

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// sharer is one machine that shares a bot.
type sharer struct {
	store *repo.Store
	ws    *repo.Workspace
	share *Sharing
	at    time.Time
}

func newSharer(t *testing.T, remote string, minutes int) *sharer {
	t.Helper()
	m := &sharer{at: time.Date(2026, 9, 25, 14, 0, 0, 0, time.UTC)}
	now := func() time.Time { return m.at }
	store, err := repo.OpenHome(filepath.Join(t.TempDir(), "home"), repo.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if _, _, err := store.Create(t.Context(), "scout", ""); err != nil {
		t.Fatal(err)
	}
	if m.ws, err = store.Open(t.Context(), "scout"); err != nil {
		t.Fatal(err)
	}
	if err := m.ws.SetRemote(repo.Remote{URL: remote}, nil); err != nil {
		t.Fatal(err)
	}
	if err := store.SetConfig("sync.intervalMinutes", minutes); err != nil {
		t.Fatal(err)
	}
	m.store, m.share = store, NewSharing(store, now, nil)
	return m
}

// look is one look, and the end of what it started.
func (m *sharer) look(t *testing.T) (synced bool) {
	t.Helper()
	before := m.ws.SyncState().Tried
	m.at = m.at.Add(time.Second)
	m.share.look(t.Context())
	m.share.under.Wait()
	return m.ws.SyncState().Tried != before
}

func (m *sharer) remember(t *testing.T, fact string) {
	t.Helper()
	_, err := m.ws.Update(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaCLI}, policy.Update{Action: policy.Append, Text: fact, TextSet: true})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSharing(t *testing.T) {
	remote := filepath.Join(t.TempDir(), "remote.git")
	if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", "--bare", "-b", "main", remote).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	m, other := newSharer(t, remote, 10), newSharer(t, remote, 10)
	if !m.look(t) || m.look(t) {
		t.Error("not once at the start")
	}
	m.remember(t, "Likes tea")
	if m.look(t) {
		t.Error("a change is not given its rest")
	}
	if !m.look(t) || m.look(t) {
		t.Error("a change that rests is not synced once")
	}
	if !other.look(t) {
		t.Error("the other did not start")
	}
	if x, err := other.ws.Read(t.Context(), policy.MemoryFile); err != nil || !strings.Contains(x.Text, "Likes tea") {
		t.Errorf("the other has %q, %v", x.Text, err)
	}
	m.at = m.at.Add(11 * time.Minute)
	if !m.look(t) {
		t.Error("not synced after its minutes")
	}
	// A remote that fails is asked less and less often, and again when it is back.
	if err := os.Rename(remote, remote+".away"); err != nil {
		t.Fatal(err)
	}
	m.at = m.at.Add(11 * time.Minute)
	if !m.look(t) || m.ws.SyncState().Fault == "" {
		t.Errorf("a fault is not told: %+v", m.ws.SyncState())
	}
	var waits []time.Duration
	for range 3 {
		since := m.at
		for !m.look(t) {
			m.at = m.at.Add(10 * time.Second)
		}
		waits = append(waits, m.at.Sub(since).Round(time.Minute))
	}
	if waits[0] != time.Minute || waits[1] != 2*time.Minute || waits[2] != 4*time.Minute {
		t.Errorf("tried again after %v", waits)
	}
	if err := os.Rename(remote+".away", remote); err != nil {
		t.Fatal(err)
	}
	m.at = m.at.Add(time.Hour)
	if !m.look(t) || m.ws.SyncState().Fault != "" {
		t.Errorf("not synced again: %+v", m.ws.SyncState())
	}
	// Switched off it rests, and it ends when it is told to.
	if err := m.store.SetConfig("sync.intervalMinutes", 0); err != nil {
		t.Fatal(err)
	}
	m.at = m.at.Add(time.Hour)
	if m.look(t) {
		t.Error("synced although it is switched off")
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { m.share.Run(ctx); close(done) }()
	cancel()
	<-done
}
