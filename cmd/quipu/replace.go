package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"quipu/policy"
)

func newReplace() *cli.Command {
	return &cli.Command{
		Name: "replace", Category: "write", ArgsUsage: "OLD NEW",
		Usage:       "change words of the one note that holds them",
		Description: "Puts NEW in the place of OLD, which must stand in exactly one note of MEMORY.md or of the topics. The note keeps its date and source, and is marked as updated.",
		Flags:       []cli.Flag{dryRunFlag()},
		Action:      twoTexts(policy.Replace),
	}
}

func newSupersede() *cli.Command {
	return &cli.Command{
		Name: "supersede", Category: "write", ArgsUsage: "OLD NEW",
		Usage:       "strike the one note that holds OLD and add NEW",
		Description: "What was true stays readable, struck through, and the new note follows.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "until", Usage: "the last `DAY` on which NEW holds, YYYY-MM-DD"},
			&cli.StringFlag{Name: "source", Usage: "where you have NEW from: `WORDS`"},
			dryRunFlag(),
		},
		Action: twoTexts(policy.Supersede),
	}
}

// twoTexts is the action of a verb with OLD and NEW.
func twoTexts(action policy.Action) cli.ActionFunc {
	return func(c *cli.Context) error {
		args, err := words(c, "OLD", "NEW")
		if err != nil {
			return err
		}
		return runReplace(c.Context, envOf(c), replaceArgs{
			Action: action, Old: args[0], New: args[1],
			Until: c.String("until"), Source: c.String("source"), DryRun: c.Bool("dry-run"),
		})
	}
}

type replaceArgs struct {
	Action                  policy.Action
	Old, New, Until, Source string
	DryRun                  bool
}

func runReplace(ctx context.Context, e *env, a replaceArgs) error {
	text, err := e.fact(a.New)
	if err != nil {
		return err
	}
	return e.update(ctx, policy.Update{
		Action: a.Action, OldText: a.Old, OldTextSet: true, Text: text, TextSet: true,
		Until: a.Until, Source: a.Source,
	}, a.DryRun)
}
