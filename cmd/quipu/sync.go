package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newSync() *cli.Command {
	return &cli.Command{
		Name: "sync", Category: "share",
		Usage: "bring the notes and the remote together",
		Description: "Takes in what was edited outside, fetches what the remote has, merges it note by note, and pushes what the remote has not. Both additions stay; of a " +
			"note that both sides changed differently both wordings stay, the second marked, for you to choose (`quipu conflicts`). Nothing is pushed by force, but after an " +
			"erasure. A clone that still has what was erased takes the remote's history over and makes its own changes again on it.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "pull-only", Usage: "take in what the remote has, and push nothing"},
			&cli.BoolFlag{Name: "push-only", Usage: "push, and refuse where the remote has changes that are not here"},
			&cli.StringFlag{Name: "unrelated", Usage: "when the remote has another history: join (both) or adopt (the remote's; this one is kept aside): `HOW`"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runSync(c.Context, envOf(c), repo.Syncing{PullOnly: c.Bool("pull-only"), PushOnly: c.Bool("push-only"), Unrelated: c.String("unrelated")}, c.Bool("dry-run"))
		},
	}
}

func runSync(ctx context.Context, e *env, o repo.Syncing, dry bool) error {
	switch {
	case o.PullOnly && o.PushOnly:
		return usage("`quipu sync` does both", "--pull-only and --push-only exclude each other")
	case o.Unrelated != "" && o.Unrelated != repo.UnrelatedJoin && o.Unrelated != repo.UnrelatedAdopt:
		return usage("see `quipu help sync`", "--unrelated is join or adopt")
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(dry)
	if err != nil {
		return err
	}
	got, err := w.Sync(ctx, m, o)
	if err != nil {
		return noRemote(err)
	}
	if e.json {
		return e.print(got)
	}
	e.tellSynced(got)
	return nil
}

// noRemote says how a remote is set where there is none.
func noRemote(err error) error {
	if exitOf(err) == exitNotFound {
		return hinted(err, "`quipu remote set URL` sets one: an empty repository at your host, or a folder made by `git init --bare -b main FOLDER`")
	}
	return err
}

func (e *env) tellSynced(got repo.Synced) {
	if got.DryRun {
		e.say("would pull %s and push %s (dry run, nothing is written)", count(got.Pulled, "change"), count(got.Pushed, "change"))
		return
	}
	var parts []string
	if got.Pulled > 0 {
		parts = append(parts, "pulled "+count(got.Pulled, "change"))
	}
	if got.Merged {
		parts = append(parts, "merged")
	}
	if got.Replayed > 0 {
		parts = append(parts, "made "+count(got.Replayed, "change")+" again")
	}
	if got.Pushed > 0 {
		parts = append(parts, "pushed "+count(got.Pushed, "change"))
	}
	switch {
	case got.Ahead > 0:
		parts = append(parts, count(got.Ahead, "change")+" not pushed")
	case got.Behind > 0:
		parts = append(parts, count(got.Behind, "change")+" not pulled")
	default:
		parts = append(parts, "in sync with "+got.Branch)
	}
	e.say("%s", clean(strings.Join(parts, ", ")))
	e.asides(got.Receipt)
	if n := len(got.Conflicts); n > 0 {
		e.say("note: %s in both wordings; `quipu conflicts` lists them", count(n, "note"))
	}
	if got.Change != "" {
		e.say("hint: `quipu undo %s` takes the merge back", got.Change)
	}
}

func newConflicts() *cli.Command {
	return &cli.Command{
		Name: "conflicts", Category: "share",
		Usage:       "list the notes that two machines changed differently",
		Description: "Both wordings stand, one below the other; the second has the mark `conflict` with the day of the merge.",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runConflicts(c.Context, envOf(c))
		},
		Subcommands: []*cli.Command{{
			Name: "resolve", ArgsUsage: "PATH:LINE",
			Usage: "end one: keep the first wording, the second, or both",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "keep", Usage: "`WHICH`: first, second (the marked one) or both"},
				dryRunFlag(),
			},
			Action: func(c *cli.Context) error {
				args, err := words(c, "PATH:LINE")
				if err != nil {
					return err
				}
				if c.String("keep") == "" {
					return usage("as in `quipu conflicts resolve "+clean(args[0])+" --keep first`", "say which wording stays: --keep first, second or both")
				}
				return runResolve(c.Context, envOf(c), args[0], c.String("keep"), c.Bool("dry-run"))
			},
		}},
	}
}

func runConflicts(ctx context.Context, e *env) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	list, err := w.Conflicts()
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"conflicts": list})
	}
	for _, c := range list {
		kept := c.Kept
		if kept == "" {
			kept = "(gone)"
		}
		text := fmt.Sprintf("%s  since %s\n  first   %s\n  second  %s\n", e.paint(cyan, clean(fmt.Sprintf("%s:%d", c.Path, c.Line))), c.Since, clean(firstLine(kept)), clean(firstLine(c.Other)))
		if err := e.write(text); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		e.say("no conflict is open")
		return nil
	}
	e.say("hint: `quipu conflicts resolve %s:%d --keep first` ends one", clean(list[0].Path), list[0].Line)
	return nil
}

func runResolve(ctx context.Context, e *env, place, keep string, dry bool) error {
	path, line, ok := cutPlace(place)
	if !ok {
		return usage("as in `quipu conflicts resolve MEMORY.md:12 --keep first`", "%q is no PATH:LINE", place)
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(dry)
	if err != nil {
		return err
	}
	r, err := w.Resolve(ctx, m, path, line, keep)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(r)
	}
	if dry {
		e.say("would keep %s (dry run, nothing is written)", keep)
		return nil
	}
	e.say("kept %s", keep)
	e.asides(r)
	e.saveHint([]repo.ChangeID{r.Change})
	return nil
}
