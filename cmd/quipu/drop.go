package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

func newDrop() *cli.Command {
	return &cli.Command{
		Name: "drop", Category: "write", ArgsUsage: "OLD",
		Usage:       "take out the one note that holds OLD",
		Description: "Takes the whole note out, with what is indented under it. `quipu undo` brings it back where it stood.",
		Flags:       []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			args, err := words(c, "OLD")
			if err != nil {
				return err
			}
			return runDrop(c.Context, envOf(c), dropArgs{Old: args[0], DryRun: c.Bool("dry-run")})
		},
	}
}

type dropArgs struct {
	Old    string
	DryRun bool
}

func runDrop(ctx context.Context, e *env, a dropArgs) error {
	old, err := e.fact(a.Old)
	if err != nil {
		return err
	}
	u := policy.Update{Action: policy.Remove, OldText: old, OldTextSet: true}
	if !placed.MatchString(old) && strings.TrimSpace(old) != "" {
		w, err := e.botsNotes(ctx)
		if err != nil {
			return err
		}
		if u.OldText, err = wholeNote(ctx, w, old); err != nil {
			return err
		}
	}
	return e.update(ctx, u, a.DryRun)
}

// placed is a selector that names a line, as memory/food.md:3.
var placed = regexp.MustCompile(`^\S.*\.md:\d+$`)

// wholeNote gives text that stands in the notes once and covers the one note that
// holds old: the vault then takes that note out, whatever line it is on by then. What
// is in several notes is a conflict; what is in none is left to the vault to refuse.
func wholeNote(ctx context.Context, w *repo.Workspace, old string) (string, error) {
	texts, err := searched(ctx, w)
	if err != nil {
		return "", err
	}
	var notes, places []string
	for _, t := range texts {
		for _, unit := range markdown.Parse(t.Path, []byte(t.Text)).Units() {
			if unit.Kind == markdown.KindHeader || !policy.StandsIn(unit.Raw, old) {
				continue
			}
			notes = append(notes, string(unit.Raw))
			places = append(places, fmt.Sprintf("%s:%d", t.Path, unit.Line))
		}
	}
	switch len(notes) {
	case 0:
		return old, nil
	case 1:
		return notes[0], nil // the only note that holds old is the only one that holds itself
	}
	return "", &told{
		err:  repo.ErrConflict,
		text: fmt.Sprintf("%q is in %d notes: %s", old, len(notes), strings.Join(places, ", ")),
		hint: "say more of the one you mean, or name its place: `quipu drop " + places[0] + "`",
	}
}

// searched reads MEMORY.md and the topics: the archive is not changed by words.
func searched(ctx context.Context, w *repo.Workspace) ([]repo.Text, error) {
	topics, _, err := w.List(ctx)
	if err != nil {
		return nil, err
	}
	paths := []string{policy.MemoryFile}
	for _, t := range topics {
		if t.Path != policy.ArchiveFile {
			paths = append(paths, t.Path)
		}
	}
	texts := make([]repo.Text, 0, len(paths))
	for _, path := range paths {
		t, err := w.Read(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		texts = append(texts, t)
	}
	return texts, nil
}
