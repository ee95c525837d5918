package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

func newPrefer() *cli.Command {
	return &cli.Command{
		Name: "prefer", Category: "write", ArgsUsage: "TEXT",
		Usage: "add one standing preference to About me, for every bot",
		Description: "One line of at most 300 characters, as a learned line of ABOUT.md. No bot has to be told. " +
			"The line says `learned by you`, and with --bot, by that bot. What it mentions may be learned again, if you had it forgotten.",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			args, err := words(c, "TEXT")
			if err != nil {
				return err
			}
			return runPrefer(c.Context, envOf(c), preferArgs{Text: args[0], DryRun: c.Bool("dry-run")})
		},
	}
}

type preferArgs struct {
	Text   string
	DryRun bool
}

// ownName is who a preference was learned by where no bot is named: the person, who
// reads the line.
const ownName = "you"

func runPrefer(ctx context.Context, e *env, a preferArgs) error {
	text, err := e.fact(a.Text)
	if err != nil {
		return err
	}
	s, err := e.Store()
	if err != nil {
		return err
	}
	bot, person, err := e.learner(ctx, s)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	w, err := s.Me(ctx, person)
	if errors.Is(err, repo.ErrNotFound) {
		if a.DryRun {
			return e.planPrefer(s, bot, text)
		}
		w, err = s.MakeMe(ctx, person)
	}
	if err != nil {
		return err
	}
	r, err := w.Prefer(ctx, m, bot, text)
	if err != nil {
		return err
	}
	if e.json {
		return e.printAnswer(r, "added to About me", false)
	}
	if r.Known {
		e.say("About me says so already, nothing is added")
		return nil
	}
	if !r.DryRun {
		if err := e.write(e.shown(r.Entry) + "\n"); err != nil {
			return err
		}
	}
	return e.tell(r, "added to")
}

// learner is the bot that --bot names and whose About me it is: without one the
// owner's, told by the person themselves.
func (e *env) learner(ctx context.Context, s *repo.Store) (bot, person string, err error) {
	id := repo.ID(e.bot)
	if id == "" || isAbout(id) {
		return ownName, personOf(id), nil
	}
	if _, err := e.openNamed(ctx, s, id); err != nil {
		return "", "", err
	}
	bots, err := s.Bots(ctx)
	for _, b := range bots {
		if b.ID == id {
			return b.Name, "", err
		}
	}
	return string(id), "", err
}

// planPrefer shows the first line of an About me that is not there yet.
func (e *env) planPrefer(s *repo.Store, bot, text string) error {
	text, err := policy.Preference(text)
	if err != nil {
		return err
	}
	clean, n := policy.NewRedactor().Redact(text)
	line := policy.LearnedLine(bot, clean, markdown.DateOf(e.Now().In(s.Config().Location())))
	row := repo.Row{Path: policy.AboutFile, Kind: "created"}
	row.Diff, row.Added, row.Removed = markdown.Diff(policy.AboutFile, nil, []byte(line+"\n"))
	r := repo.Receipt{DryRun: true, Entry: line, Rows: []repo.Row{row}, Redacted: n}
	if e.json {
		return e.printAnswer(r, "added to About me", false)
	}
	return e.tell(r, "added to")
}
