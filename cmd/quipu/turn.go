package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newTurn() *cli.Command {
	return &cli.Command{
		Name: "turn", Category: "serve",
		Usage:       "begin and end a turn of a bot, for scripts",
		Description: "Both read one JSON object on standard input and print one, as POST turns and POST turns/ID/end do.",
		Action:      groupOnly,
		Subcommands: []*cli.Command{
			{
				Name: "start", Usage: "begin a turn: what the bot is given before it",
				Description: "Reads {conversation:{id,kind,...}, speaker:{id,name,owner}, message} and prints {turn,block,brief,recall,outside,discloses}. " +
					"The bot that --bot names is made when it is not there.",
				Action: func(c *cli.Context) error {
					if _, err := words(c); err != nil {
						return err
					}
					return runTurnStart(c.Context, envOf(c))
				},
			},
			{
				Name: "end", ArgsUsage: "TURN", Usage: "end a turn: what the bot changed is kept",
				Description: "Reads {messages:[{by,text}], tools:[], failed} and prints {changes,log}.",
				Action: func(c *cli.Context) error {
					args, err := words(c, "TURN")
					if err != nil {
						return err
					}
					return runTurnEnd(c.Context, envOf(c), args[0])
				},
			},
		},
	}
}

func runTurnStart(ctx context.Context, e *env) error {
	text, err := e.input("-")
	if err != nil {
		return err
	}
	o, err := server.ParseOpening([]byte(text))
	if err != nil {
		return badTurn(err)
	}
	s, id, err := e.meant(ctx)
	if err != nil {
		return err
	}
	if isAbout(id) || policy.CheckID(string(id)) != nil {
		return usage("name a bot with --bot ID", "only a bot has turns")
	}
	opened, err := hooks.NewTurns(s, e.Now, e.logger()).Start(ctx, id, o)
	if err != nil {
		return err
	}
	return e.print(server.AnswerTurn(opened))
}

func runTurnEnd(ctx context.Context, e *env, turn string) error {
	text, err := e.input("-")
	if err != nil {
		return err
	}
	c, err := server.ParseClosing([]byte(text))
	if err != nil {
		return badTurn(err)
	}
	w, turns, err := e.turns(ctx)
	if err != nil {
		return err
	}
	closed, err := turns.End(ctx, w.ID(), turn, c)
	switch {
	case errors.Is(err, repo.ErrNotFound):
		return &told{err: err, text: "no such turn", hint: "`quipu turn start` prints a turn's id"}
	case errors.Is(err, repo.ErrConflict):
		return &told{err: err, text: "this turn has ended"}
	case err != nil:
		return err
	}
	return e.print(server.AnswerEnd(closed))
}

func badTurn(err error) error {
	return usage("`quipu help turn` shows the form; `quipu openapi` has all of it", "%v", err)
}
