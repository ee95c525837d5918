package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"
)

func newRetain() *cli.Command {
	return &cli.Command{
		Name: "retain", Category: "care",
		Usage: "let history go that is older than a number of days",
		Description: "What is older becomes one commit with the notes as they were then; the notes themselves stay as they are. Who taught an older line, and when, " +
			"is not known any more, and older versions cannot be restored. Every later change keeps its id and can be undone. There is no undo. " +
			"With the setting memory.historyDays the server does this by itself, at most once a week.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "days", Usage: "keep the history of the last `N` days (default: the setting memory.historyDays)"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runRetain(c.Context, envOf(c), c.Int("days"), c.IsSet("days"), c.Bool("dry-run"))
		},
	}
}

func runRetain(ctx context.Context, e *env, days int, given, dry bool) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	if !given {
		days = e.opened.Config().Memory.HistoryDays
	}
	if days < 1 {
		return usage("as in `quipu retain --days 365`", "say how many days of history are kept, 1 at least")
	}
	m, err := e.meta(dry)
	if err != nil {
		return err
	}
	bar := e.bar("letting go")
	got, err := w.Retain(ctx, m, days, bar.step)
	bar.done()
	if err != nil {
		return err
	}
	if e.json {
		return e.print(got)
	}
	before := got.Before.Format(time.DateOnly)
	switch {
	case got.Dropped == 0:
		e.say("no history is older than %s", before)
	case dry:
		e.say("would let go of %s from before %s (dry run, nothing is written)", count(got.Dropped, "commit"), before)
	default:
		e.say("let go of %s from before %s; the history begins with the notes as they were then", count(got.Dropped, "commit"), before)
		e.asides(got.Receipt)
		for _, where := range got.Unreached {
			e.say("out of reach: %s", where)
		}
	}
	return nil
}
