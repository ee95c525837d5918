package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/repo"
)

func newTidy() *cli.Command {
	return &cli.Command{
		Name: "tidy", Category: "care",
		Usage: "put the notes in order: expiry, duplicates, contradictions, filing",
		Description: "What ran out moves to memory/archive.md, exact duplicates go (the newest stays), detail moves to its topic, and of two notes that cannot both " +
			"be true the older is struck through, a fifth of MEMORY.md at most. Filing and contradictions need a model (`quipu help upkeep`). Each part is one change " +
			"that undo takes back. --dry-run prints the plan, one step a line.",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runTidy(c.Context, envOf(c), c.Bool("dry-run"))
		},
	}
}

func runTidy(ctx context.Context, e *env, dry bool) error {
	w, up, err := e.upkeep(ctx)
	if err != nil {
		return err
	}
	bar := e.bar("tidying")
	r, err := up.Tidy(ctx, w.ID(), dry, func(r repo.Running) { bar.step(r.Done, r.Of) })
	bar.done()
	if err != nil {
		return e.notTended(err, w.ID())
	}
	if e.json {
		return e.print(r)
	}
	for _, s := range r.Plan {
		if err := e.write(planned(s)); err != nil {
			return err
		}
	}
	e.say("%s", tidied(r, dry))
	if r.Note != "" {
		e.say("left out: %s", clean(r.Note))
	}
	e.saveHint(r.Changes)
	return nil
}

// planned is one step of a plan on one line.
func planned(s hooks.Planned) string {
	line := fmt.Sprintf("%-6s  %s:%d  %s", s.What, clean(s.Path), s.Line, clean(firstLine(s.Entry)))
	switch {
	case s.To != "":
		line += "  -> " + clean(s.To)
	case s.Keeps != "":
		line += "  (keeps: " + clean(s.Keeps) + ")"
	}
	return line + "\n"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// tidied says in one line what a tidy-up came to.
func tidied(r hooks.TidyReport, dry bool) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{r.Expired, "%d expired"},
		{r.Duplicates, "%d duplicate"},
		{r.Superseded, "%d struck"},
		{r.Trusted, "%d of these newer, since who said the older is trusted more"},
		{r.Organized, "%d filed"},
		{r.Fallen, "%d fell"},
		{r.Risen, "%d borne out"},
		{r.Ignored, "%d not answered"},
		{r.Moved, "%d moved to make room"},
		{r.Deferred, "%d for the next pass"},
		{r.Skipped, "%d passed over, because they changed meanwhile"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf(p.what, p.n))
		}
	}
	switch {
	case dry && len(r.Plan) == 0, len(parts) == 0:
		return "nothing to tidy"
	case dry:
		return "would be tidied: " + strings.Join(parts, ", ")
	}
	return "tidied: " + strings.Join(parts, ", ")
}

// saveHint names the changes, for undo.
func (e *env) saveHint(changes []repo.ChangeID) {
	for _, id := range changes {
		e.say("change %s", id)
	}
}

// upkeep opens the bot that is meant and the upkeep of its notes.
func (e *env) upkeep(ctx context.Context) (*repo.Workspace, *hooks.Upkeep, error) {
	w, err := e.botsNotes(ctx)
	if err != nil {
		return nil, nil, err
	}
	return w, hooks.NewUpkeep(e.opened, hooks.NewModels(e.opened, e.Now, e.lookup, e.logger()), e.Now, e.logger()), nil
}
