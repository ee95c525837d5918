package hooks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/repo"
)

// fullHome is a bot with a full MEMORY.md and forty topics.
func fullHome(b *testing.B) (*repo.Store, *repo.Workspace) {
	b.Helper()
	store, err := repo.OpenHome(filepath.Join(b.TempDir(), "home"), repo.Options{Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	if _, _, err := store.Create(b.Context(), "scout", ""); err != nil {
		b.Fatal(err)
	}
	ws, err := store.Open(b.Context(), "scout")
	if err != nil {
		b.Fatal(err)
	}
	put := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(ws.Dir(), path)), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(ws.Dir(), path), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	notes := func(n int, of string) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "- 2026-09-%02d · from chat \"Plans\" · Fact number %d of %s, as long as such notes are\n", 1+i%28, i, of)
		}
		return s.String()
	}
	put("MEMORY.md", notes(199, "the memory"))
	for i := range 40 {
		put(fmt.Sprintf("memory/topic-%d.md", i), fmt.Sprintf("---\ntitle: topic %d\n---\n\n", i)+notes(50, fmt.Sprint("topic ", i)))
	}
	if _, err := ws.TakeIn(b.Context(), repo.Author{Kind: repo.Person, Name: "Ada"}); err != nil {
		b.Fatal(err)
	}
	return store, ws
}

// BenchmarkTidy is a tidy-up without a model's time: one note has run out and one is a
// duplicate, in a full MEMORY.md beside forty topics.
func BenchmarkTidy(b *testing.B) {
	store, ws := fullHome(b)
	up := NewUpkeep(store, NewModels(store, time.Now, nil, nil), time.Now, nil)
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}}
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		text, err := ws.Read(b.Context(), "MEMORY.md")
		if err != nil {
			b.Fatal(err)
		}
		more := fmt.Sprintf("- 2026-08-01 · Trip %d · until 2026-08-02\n- 2026-08-01 · Twice %d\n- 2026-08-02 · Twice %d\n", i, i, i)
		if _, err := ws.Save(b.Context(), m, "MEMORY.md", text.Text+more, repo.Expect{Hash: text.Hash}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		r, err := up.Tidy(b.Context(), "scout", false, nil)
		if err != nil || r.Expired != 1 || r.Duplicates != 1 {
			b.Fatal(r, err)
		}
	}
}

// BenchmarkTidyIdle is a tidy-up that finds nothing.
func BenchmarkTidyIdle(b *testing.B) {
	store, _ := fullHome(b)
	up := NewUpkeep(store, NewModels(store, time.Now, nil, nil), time.Now, nil)
	for b.Loop() {
		if _, err := up.Tidy(b.Context(), "scout", false, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCapture files one fact of a chat, without a model's time.
func BenchmarkCapture(b *testing.B) {
	store, _ := fullHome(b)
	up := NewUpkeep(store, NewModels(store, time.Now, nil, nil), time.Now, nil)
	for i := 0; b.Loop(); i++ {
		said := []repo.Message{{Speaker: repo.Speaker{By: repo.ByOwner}, Text: fmt.Sprintf("Remember: kettle%[1]d stands beside saucer%[1]d", i)}}
		if r, err := up.CaptureSaid(b.Context(), "scout", `chat "Plans"`, said, false); err != nil || r.Added != 1 {
			b.Fatal(r, err)
		}
	}
}
