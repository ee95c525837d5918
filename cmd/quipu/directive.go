package main

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newDirective() *cli.Command {
	ends := &cli.StringFlag{Name: "for", Usage: "until then: 24h, 3d, 2w, tomorrow, YYYY-MM-DD; without it until you lift it", Value: ""}
	call := &cli.BoolFlag{Name: "call", Usage: "you are not to be called by TERM"}
	return &cli.Command{
		Name: "directive", Category: "write",
		Usage: "what the bot must not bring up",
		Description: "A directive stands in every prompt, keeps its subject out of what is noticed in chats, and `quipu gate` holds drafts against it. " +
			"Saying \"stop mentioning X\" to the bot sets one, in eleven languages. At most 60 hold; none ends by itself unless you say when.",
		Action: groupOnly,
		Subcommands: []*cli.Command{
			{
				Name: "add", Usage: "do not mention TERM from now on", ArgsUsage: "TERM", Flags: []cli.Flag{ends, call, dryRunFlag()},
				Action: func(c *cli.Context) error {
					args, err := words(c, "TERM")
					if err != nil {
						return err
					}
					return runDirectiveAdd(c.Context, envOf(c), directiveArgs{Term: args[0], For: c.String("for"), Call: c.Bool("call"), DryRun: c.Bool("dry-run")})
				},
			},
			{Name: "list", Usage: "list them", Action: noArgs(runDirectiveList)},
			{
				Name: "edit", Usage: "put TERM in the place of OLD, which is a term or an id", ArgsUsage: "OLD TERM", Flags: []cli.Flag{ends, call, dryRunFlag()},
				Action: func(c *cli.Context) error {
					args, err := words(c, "OLD", "TERM")
					if err != nil {
						return err
					}
					return runDirectiveAdd(c.Context, envOf(c), directiveArgs{Old: args[0], Term: args[1], For: c.String("for"), Call: c.Bool("call"), DryRun: c.Bool("dry-run")})
				},
			},
			{
				Name: "lift", Usage: "TERM, or the directive with this id, may be mentioned again", ArgsUsage: "TERM", Flags: []cli.Flag{dryRunFlag()},
				Action: func(c *cli.Context) error {
					args, err := words(c, "TERM")
					if err != nil {
						return err
					}
					return runDirectiveLift(c.Context, envOf(c), args[0], c.Bool("dry-run"))
				},
			},
		},
	}
}

type directiveArgs struct {
	Old, Term, For string
	Call, DryRun   bool
}

func runDirectiveAdd(ctx context.Context, e *env, a directiveArgs) error {
	term, err := e.input(a.Term)
	if err != nil {
		return err
	}
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	wish := repo.Wish{Term: term}
	if a.Call {
		wish.Kind = policy.DirectiveCall
	}
	if a.For != "" {
		var ok bool
		if wish.Until, ok = policy.Ahead(a.For, w.Now()); !ok {
			return usage("write 24h, 3d, 2w, tomorrow or YYYY-MM-DD", "%q is no time to come", a.For)
		}
	}
	got, err := w.SetDirectives(ctx, m, a.Old, wish)
	if err != nil {
		return hinted(err, "`quipu directive list` shows those that are set")
	}
	switch {
	case len(got.Set) == 0:
		e.say("that is set already")
	case a.DryRun:
		e.say("would set it (dry run, nothing is written)")
	case policy.Nameless(got.Set[0].Term):
		e.say("set; it names nothing by itself, so it stands in the prompt and holds no draft back")
	default:
		e.say("set; `quipu directive lift %s` ends it", quoted([]string{got.Set[0].Term}))
	}
	if e.json {
		list, err := w.Directives(ctx)
		if err != nil {
			return err
		}
		return e.print(server.AnswerDirectives(list))
	}
	return nil
}

func runDirectiveList(c *cli.Context, e *env) error {
	w, err := e.botsNotes(c.Context)
	if err != nil {
		return err
	}
	list, err := w.Directives(c.Context)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(server.AnswerDirectives(list))
	}
	if len(list) == 0 {
		e.say("nothing is set: the bot may mention anything")
	}
	rows := make([][]string, 0, len(list))
	for _, d := range list {
		ends := "until you lift it"
		if !d.Until.IsZero() {
			ends = "until " + d.Until.In(w.Now().Location()).Format("2006-01-02 15:04")
		}
		rows = append(rows, []string{e.shown(d.Told()), "since " + d.At.In(w.Now().Location()).Format(time.DateOnly), ends, d.ID})
	}
	return e.write(table(rows))
}

func runDirectiveLift(ctx context.Context, e *env, name string, dryRun bool) error {
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(dryRun)
	if err != nil {
		return err
	}
	if _, err := w.LiftDirective(ctx, m, name); err != nil {
		return hinted(err, "`quipu directive list` shows those that are set")
	}
	if dryRun {
		e.say("would lift it (dry run, nothing is written)")
	} else {
		e.say("lifted; `quipu undo CHANGE` of it sets it again")
	}
	if e.json {
		list, err := w.Directives(ctx)
		if err != nil {
			return err
		}
		return e.print(server.AnswerDirectives(list))
	}
	return nil
}
