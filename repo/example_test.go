package repo_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// A program keeps what its bot remembers: it opens a home, remembers, corrects, recalls,
// asks who taught what, and takes a change back.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "quipu")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	// The clock is passed in: here every day is the same one.
	now := func() time.Time { return time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC) }
	store, err := repo.OpenHome(filepath.Join(dir, "home"), repo.Options{Now: now})
	if err != nil {
		panic(err)
	}
	defer func() { _ = store.Close() }()
	if err := store.SetConfig("timezone", "UTC"); err != nil {
		panic(err)
	}
	if _, _, err := store.Create(ctx, "scout", "Scout"); err != nil {
		panic(err)
	}
	w, err := store.Open(ctx, "scout")
	if err != nil {
		panic(err)
	}

	// Each change says who makes it and from where. Once it is answered, it is on the disk.
	bot := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn, Source: `chat "Plans"`}
	remember := func(u policy.Update) repo.Receipt {
		u.TextSet, u.Source = true, bot.Source
		r, err := w.Update(ctx, bot, u)
		if err != nil {
			panic(err)
		}
		return r
	}
	remember(policy.Update{Action: policy.Append, Text: "Sara leads the billing project", Topic: "acme"})
	moved := remember(policy.Update{Action: policy.Append, Text: "The office is in Pune"})
	fmt.Println(moved.Entry)

	// What was wrong is struck through, and what is true stands below it.
	later := remember(policy.Update{Action: policy.Supersede, OldText: "office is in Pune", OldTextSet: true, Text: "The office is in Mumbai"})

	// What a message brings up: topics, not what is loaded anyway.
	found, err := w.Recall(ctx, "who leads the billing project", nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(found.Notes[0].Path, found.Notes[0].Text)

	// Undo takes one change back and keeps the others.
	if _, err := w.Undo(ctx, repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaRevert}, string(later.Change), repo.Revert); err != nil {
		panic(err)
	}
	lines, err := w.Blame(ctx, policy.MemoryFile)
	if err != nil {
		panic(err)
	}
	for _, l := range lines {
		if l.Source != "" {
			fmt.Println(l.Text, "<-", l.Who, l.Source)
		}
	}

	// Output:
	// - 2026-11-30 · from chat "Plans" · The office is in Pune
	// memory/acme.md Sara leads the billing project
	// - 2026-11-30 · from chat "Plans" · The office is in Pune <- scout chat "Plans"
}
