package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newErase() *cli.Command {
	return &cli.Command{
		Name: "erase", Category: "write", ArgsUsage: "[WORDS...]",
		Usage: "take words, or one note, out of the notes and out of their whole history",
		Description: "Every note that mentions all of the words goes from every commit, branch, tag, stash and reflog, from day logs, headings, file names and commit " +
			"messages, and from what was said to the bot; with --entry one note alone, with --change the entries that a change brought in. Dates, authors and the ids of changes stay, and every other " +
			"change can still be undone. There is no undo. What other clones, backups or a model's provider hold is out of reach.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "entry", Usage: "erase the one note `WHICH`, by PATH:LINE or by text that occurs once, instead of words"},
			&cli.StringFlag{Name: "change", Usage: "erase what the change `ID` brought in, instead of words"},
			&cli.BoolFlag{Name: "confirm", Usage: "more than 20 notes, or more than a fifth of them; and words that carry no subject"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			return runErase(c.Context, envOf(c), repo.Erasing{Words: c.Args().Slice(), Entry: c.String("entry"), Change: c.String("change"), Confirm: c.Bool("confirm")}, c.Bool("dry-run"))
		},
	}
}

func runErase(ctx context.Context, e *env, a repo.Erasing, dry bool) error {
	if len(a.Words) == 0 && a.Entry == "" && a.Change == "" {
		return usage("see `quipu help erase`", "erase needs WORDS, or --entry WHICH, or --change ID")
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(dry)
	if err != nil {
		return err
	}
	bar := e.bar("erasing")
	a.Progress = bar.step
	got, err := w.Erase(ctx, m, a)
	bar.done()
	if exitOf(err) == exitRefused && len(a.Words) > 0 {
		again := "quipu erase " + quoted(a.Words)
		return hinted(err, "`"+again+" --dry-run` counts what would go, `"+again+" --confirm` takes it out")
	}
	if err != nil {
		return err
	}
	got.Unreached = orNone(got.Unreached)
	if e.json {
		return e.print(got)
	}
	if dry {
		e.say("would erase %s from the files, %s in the history, and what %s of conversations say (dry run, nothing is written)", count(got.Notes, "place"), counted(got.Copies, "text", "texts"), count(got.Said, "turn"))
		return nil
	}
	e.tellErased(got)
	return nil
}

// tellErased says what went, in counts, and where copies may still be.
func (e *env) tellErased(got repo.Erased) {
	if got.Notes+got.Copies+got.Said == 0 {
		e.say("neither the files nor their history nor what was said hold it (%s were read)", count(got.Objects, "object"))
	} else {
		e.say("erased %s from the files, %s from %s of the history, %s from what was said", count(got.Notes, "place"), counted(got.Copies, "copy", "copies"), count(got.Changed, "commit"), count(got.Said, "message"))
		e.say("%s of the history were read back: it is in none", count(got.Objects, "object"))
	}
	if got.Listed {
		e.say(onTheList)
	}
	for _, note := range got.Receipt.Notes {
		e.say("note: %s", clean(note))
	}
	for _, where := range got.Unreached {
		e.say("out of reach: %s", where)
	}
}
