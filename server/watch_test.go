package server

import (
	"net/http"
	"os"
	"testing"
	"time"

	"quipu/repo"
)

// actions are those of scout's newest changes; asking here takes nothing in.
func (h *harness) actions() []repo.Row {
	h.t.Helper()
	ws, err := h.store.Open(h.t.Context(), "scout")
	must(h.t, err)
	rows, err := ws.Journal(h.t.Context(), repo.Query{Action: repo.ActOutside})
	must(h.t, err)
	return rows
}

func (h *harness) waitForOutside(n int) []repo.Row {
	h.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if rows := h.actions(); len(rows) >= n {
			return rows
		}
	}
	h.t.Fatalf("got %d changes from outside, want %d\n%s", len(h.actions()), n, h.log)
	return nil
}

func TestEditsMadeOutsideAreTakenIn(t *testing.T) {
	h := newHarness(t)
	h.server.quiet = 100 * time.Millisecond
	addr, stop := h.serving()
	h.ask(addr, scout+"/memory")
	waitForWatch(t, h)

	h.edit("MEMORY.md", "# Memory\n- by hand\n")
	rows := h.waitForOutside(1)
	if rows[0].Path != "MEMORY.md" || rows[0].Actor != "person" || rows[0].Via != "disk" {
		t.Errorf("row %+v", rows[0])
	}
	// A folder that comes later is watched too, and one that goes and comes back.
	must(t, os.RemoveAll(h.file("memory")))
	time.Sleep(50 * time.Millisecond)
	must(t, os.MkdirAll(h.file("memory"), 0o700))
	time.Sleep(300 * time.Millisecond)
	h.edit("memory/food.md", "- tea\n")
	h.waitForOutside(2)
	must(t, stop())

	h.edit("memory/late.md", "- too late\n")
	time.Sleep(300 * time.Millisecond)
	if rows := h.actions(); len(rows) != 2 {
		t.Errorf("%d changes after the end, want 2", len(rows))
	}
}

// waitForWatch waits until scout's folder is watched: the request that names it only
// leaves a message.
func waitForWatch(t *testing.T, h *harness) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		h.server.mu.Lock()
		w := h.server.watch
		h.server.mu.Unlock()
		if w != nil && len(w.Folders()) > 0 {
			return
		}
	}
	t.Fatal("nothing is watched")
}

// TestOneRestOneChange: while somebody types, nothing is taken in.
func TestOneRestOneChange(t *testing.T) {
	h := newHarness(t)
	h.server.quiet = 400 * time.Millisecond
	addr, _ := h.serving()
	h.ask(addr, scout+"/memory")
	waitForWatch(t, h)
	text := "# Memory\n"
	for range 5 {
		text += "- more\n"
		h.edit("MEMORY.md", text)
		time.Sleep(50 * time.Millisecond)
	}
	h.waitForOutside(1)
	if rows := h.actions(); len(rows) != 1 {
		t.Errorf("got %d changes, want 1", len(rows))
	}
}

// TestOtherFilesOfTheFolder are the bot's own: node_modules may change all day.
func TestOtherFilesOfTheFolder(t *testing.T) {
	h := newHarness(t)
	h.server.quiet = 50 * time.Millisecond
	addr, _ := h.serving()
	h.ask(addr, scout+"/memory")
	waitForWatch(t, h)
	h.edit("notes.txt", "x")
	h.edit("build/out.md", "x")
	time.Sleep(300 * time.Millisecond)
	if rows := h.actions(); len(rows) != 0 {
		t.Errorf("got %v", rows)
	}
}

// TestReadsTakeNothingIn: only the journal does.
func TestReadsTakeNothingIn(t *testing.T) {
	h := newHarness(t)
	h.edit("memory/food.md", "- tea\n")
	for _, target := range []string{"/memory", "/memory/file?path=memory/food.md", "/memory/diff", "/memory/blame", "/memory/at?at=1h"} {
		h.do(http.MethodGet, scout+target, nil)
	}
	if rows := h.actions(); len(rows) != 0 {
		t.Errorf("a read took in %v", rows)
	}
	h.do(http.MethodGet, scout+"/memory/journal", nil).expect(t, 200, "")
	if rows := h.actions(); len(rows) != 1 {
		t.Errorf("the journal took in %d changes, want 1", len(rows))
	}
}
