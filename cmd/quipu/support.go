package main

import (
	"github.com/urfave/cli/v2"

	"quipu/policy"
)

func newSupport() *cli.Command {
	return &cli.Command{
		Name: "support", Category: "write", ArgsUsage: "FACT",
		Usage: "say that a note is so",
		Description: "FACT is words that stand in one note alone, or PATH:LINE. " +
			"It weighs up a dispute, and the note enters the prompt again; support is halved every 30 days, dispute every 180.",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			args, err := words(c, "FACT")
			if err != nil {
				return err
			}
			return runSignal(c.Context, envOf(c), signalArgs{Fact: args[0], Why: policy.Confirm, DryRun: c.Bool("dry-run")})
		},
	}
}
