package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
)

func newInit() *cli.Command {
	return &cli.Command{
		Name: "init", Category: "start", ArgsUsage: "BOT",
		Usage:       "make a bot's memory",
		Description: "Makes the workspace of a bot. A bot that is there stays as it is. With --from it is taken over from a git remote, and shared with it from then on.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "what the bot is called: `NAME`"},
			&cli.StringFlag{Name: "from", Usage: "take it over from the git remote `URL`; more of it is set by `quipu remote set`"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "BOT")
			if err != nil {
				return err
			}
			return runInit(c.Context, envOf(c), initArgs{ID: repo.ID(args[0]), Name: c.String("name"), From: c.String("from"), DryRun: c.Bool("dry-run")})
		},
	}
}

type initArgs struct {
	ID     repo.ID
	Name   string
	From   string // a remote's address; "" for none
	DryRun bool
}

func runInit(ctx context.Context, e *env, a initArgs) error {
	if err := policy.CheckID(string(a.ID)); err != nil {
		return badID(err, a.ID)
	}
	s, err := e.Store()
	if err != nil {
		return err
	}
	if a.DryRun {
		return e.planInit(ctx, s, a)
	}
	if a.From != "" {
		if err := repo.CheckRemote(repo.Remote{URL: a.From}); err != nil {
			return err
		}
	}
	b, made, err := s.Create(ctx, a.ID, a.Name)
	if err != nil {
		return badID(err, a.ID)
	}
	if a.From != "" {
		return e.takeOver(ctx, s, b, a.From, made)
	}
	if e.json {
		return e.print(b)
	}
	if made {
		e.say("made %s; add to it with `quipu remember TEXT`", b.ID)
		e.sayUnnamed(s)
	} else {
		e.say("%s was there already", b.ID)
	}
	return e.write(b.Path + "\n")
}

// takeOver shares a bot with a remote. Where that fails a bot that was made for it goes.
func (e *env) takeOver(ctx context.Context, s *repo.Store, b repo.Listing, from string, made bool) error {
	w, err := s.Open(ctx, b.ID)
	if err != nil {
		return err
	}
	if _, set, err := w.Remote(); err != nil || set {
		if err == nil {
			err = &told{err: repo.ErrConflict, text: string(b.ID) + " has a remote already", hint: "`quipu remote show` says which, `quipu remote set URL` sets another"}
		}
		return err
	}
	m, err := e.meta(false)
	if err != nil {
		return err
	}
	if err := w.SetRemote(repo.Remote{URL: from}, nil); err != nil {
		return err
	}
	got, err := w.Sync(ctx, m, repo.Syncing{})
	if err != nil {
		_, derr := w.DropRemote()
		if made && derr == nil {
			_, derr = s.Remove(ctx, b.ID)
		}
		return errors.Join(err, derr)
	}
	if e.json {
		return e.print(b)
	}
	e.tellSynced(got)
	return e.write(b.Path + "\n")
}

// sayUnnamed tells how a person says who they are, while the name that signs their
// changes is the machine's guess.
func (e *env) sayUnnamed(s *repo.Store) {
	c := s.Config()
	if c.Person.Name == "" {
		e.say("hint: your changes are signed %q; `quipu config set person.name \"Your Name\"` sets another name", clean(c.PersonName()))
	}
}

// planInit says what init would do.
func (e *env) planInit(ctx context.Context, s *repo.Store, a initArgs) error {
	w, err := s.Open(ctx, a.ID)
	switch {
	case errors.Is(err, repo.ErrNotFound):
		e.say("would make %s in %s (dry run, nothing is written)", a.ID, s.Home())
	case err != nil:
		return err
	default:
		e.say("%s is there already: %s", a.ID, w.Dir())
	}
	if e.json {
		return e.print(map[string]any{"id": a.ID, "name": a.Name, "dryRun": true})
	}
	return nil
}

// badID says what a bot's id looks like when it is the id that is wrong.
func badID(err error, id repo.ID) error {
	var path *policy.PathError
	if !errors.As(err, &path) {
		return err
	}
	if id == "" {
		return usage("as in `quipu init scout`", "an empty id names no bot")
	}
	return &told{
		err:  repo.ErrInvalid,
		text: "no bot can be called " + string(id) + ": " + path.Rule,
		hint: "an id is 1 to 64 letters, digits, - and _, as in scout",
	}
}
