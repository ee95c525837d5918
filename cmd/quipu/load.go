package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newLoad() *cli.Command {
	return &cli.Command{
		Name: "load", Category: "read",
		Usage: "print exactly what enters the bot's prompt",
		Description: "MEMORY.md without expired notes, cut by lines and then by bytes, with a note when it was cut; then the index of topics. " +
			"With --room or --member what a turn there gets: the notes of that layer, too. " +
			"--json adds the gauge and what did not load.",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runLoad(c.Context, envOf(c))
		},
	}
}

func runLoad(ctx context.Context, e *env) error {
	w, turns, err := e.turns(ctx)
	if err != nil {
		return err
	}
	c, who := e.asks()
	if c == nil {
		c = &repo.Conversation{} // the bot's own notes alone
	}
	l, err := turns.Load(ctx, w.ID(), *c, who)
	if err != nil {
		return err
	}
	if e.json {
		answer := map[string]any{
			"block": l.Block, "gauge": gaugeJSON{l.Gauge, l.Gauge.Sentence()}, "topics": orNone(l.Topics), "topicsMore": l.TopicsMore,
			"expired": l.Expired, "disputed": l.Disputed, "truncated": l.Truncated, "unloaded": orNone(l.Unloaded), "directives": orNone(l.Directives),
		}
		if len(l.Layers) > 0 {
			answer["layers"] = l.Layers
		}
		return e.print(answer)
	}
	if l.Block == "" {
		e.say("nothing loads yet; `quipu remember TEXT` adds a note")
	}
	if l.Truncated {
		e.say("note: %s", l.Gauge.Sentence())
	}
	if l.Expired > 0 {
		e.say("note: %s", expired(l.Expired))
	}
	if l.Disputed > 0 {
		e.say("note: %s", left(l.Disputed))
	}
	return e.page(ctx, e.shown(l.Block))
}
