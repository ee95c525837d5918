package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"quipu/policy"
)

func newRemember() *cli.Command {
	return &cli.Command{
		Name: "remember", Category: "write", ArgsUsage: "TEXT",
		Usage:       "add a note",
		Description: "Adds a dated note to MEMORY.md, or to a topic with --topic. A note that stands there already is quoted and not added twice.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "until", Usage: "the last `DAY` on which it holds, YYYY-MM-DD"},
			&cli.StringFlag{Name: "topic", Usage: "the topic to add it to: a `NAME` or memory/NAME.md"},
			&cli.StringFlag{Name: "source", Usage: "where you have it from: `WORDS`"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "TEXT")
			if err != nil {
				return err
			}
			if c.IsSet("topic") && c.String("topic") == "" {
				return usage("as in --topic food", "--topic needs a name")
			}
			return runRemember(c.Context, envOf(c), rememberArgs{
				Text: args[0], Until: c.String("until"), Topic: c.String("topic"),
				Source: c.String("source"), DryRun: c.Bool("dry-run"),
			})
		},
	}
}

type rememberArgs struct {
	Text, Until, Topic, Source string
	DryRun                     bool
}

func runRemember(ctx context.Context, e *env, a rememberArgs) error {
	text, err := e.fact(a.Text)
	if err != nil {
		return err
	}
	u := policy.Update{Action: policy.Append, Text: text, TextSet: true, Source: a.Source, Until: a.Until}
	if a.Topic != "" {
		if u.Topic, err = policy.TopicFile(a.Topic); err != nil {
			return fmt.Errorf("topic %s: %w", a.Topic, err)
		}
	}
	if err := e.beginLayer(ctx, a.DryRun); err != nil {
		return err
	}
	return e.update(ctx, u, a.DryRun)
}
