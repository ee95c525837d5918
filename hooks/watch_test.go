package hooks

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"quipu/repo"
)

// A workspace that is used is watched; what is edited in it is taken in once it
// rests, and nothing is after the end.
func TestWatchTakesEditsIn(t *testing.T) {
	store, err := repo.OpenHome(filepath.Join(t.TempDir(), "home"), repo.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if _, _, err := store.Create(t.Context(), "scout", ""); err != nil {
		t.Fatal(err)
	}
	ws, err := store.Open(t.Context(), "scout")
	if err != nil {
		t.Fatal(err)
	}
	by := func() repo.Author { return repo.Author{Kind: repo.Person, Name: "Ada"} }
	w, err := NewWatch(store, by, 100*time.Millisecond, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	w.Use(ws)
	wait(t, "the folder is watched", func() bool { return len(w.Folders()) > 0 })

	outside := func() []repo.Row {
		rows, err := ws.Journal(t.Context(), repo.Query{Action: repo.ActOutside})
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	write(t, ws, "MEMORY.md", "# Memory\n- by hand\n")
	wait(t, "the edit is taken in", func() bool { return len(outside()) == 1 })
	if got := outside()[0]; got.Path != "MEMORY.md" || got.Who != "Ada" || got.Via != "disk" {
		t.Errorf("row %+v", got)
	}
	write(t, ws, "memory/food.md", "- tea\n") // a folder that comes later
	wait(t, "the new folder is watched", func() bool { return len(outside()) == 2 })

	me, err := store.MakeMe(t.Context(), "") // About me is no bot, and watched as one
	if err != nil {
		t.Fatal(err)
	}
	w.Use(me)
	wait(t, "About me is watched", func() bool { return len(w.Folders()) > 2 })
	write(t, me, "ABOUT.md", "# About me\n- likes tea\n")
	wait(t, "an edit of About me is taken in", func() bool {
		rows, err := me.Journal(t.Context(), repo.Query{Action: repo.ActOutside})
		return err == nil && len(rows) == 1
	})

	stop()
	running.Wait()
	write(t, ws, "MEMORY.md", "# Memory\n- after the end\n")
	time.Sleep(400 * time.Millisecond)
	if n := len(outside()); n != 2 {
		t.Errorf("%d changes after the end, want 2", n)
	}
}

func write(t *testing.T, ws *repo.Workspace, name, text string) {
	t.Helper()
	path := filepath.Join(ws.Dir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatalf("waited too long until %s", what)
}
