package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"quipu/server"
)

func newBrief() *cli.Command {
	return &cli.Command{
		Name: "brief", Category: "read",
		Usage:       "what the bot last said in each conversation, over two days",
		Description: "As it stands before a turn in a new chat of yours: at most ten lines.",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runBrief(c.Context, envOf(c))
		},
	}
}

func runBrief(ctx context.Context, e *env) error {
	w, turns, err := e.turns(ctx)
	if err != nil {
		return err
	}
	c, who := server.OwnersChat()
	text, discloses, err := turns.Brief(ctx, w.ID(), *c, who)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"brief": text, "discloses": orNone(discloses)})
	}
	if text == "" {
		e.say("%s", e.unlessOff(w.ID(), "nothing was said in other chats and rooms in the last two days"))
		return nil
	}
	return e.write(e.shown(text) + "\n")
}
