package main

import (
	"github.com/urfave/cli/v2"

	"quipu/policy"
)

func newDispute() *cli.Command {
	return &cli.Command{
		Name: "dispute", Category: "write", ArgsUsage: "FACT",
		Usage: "say that a note is not so: it enters no prompt then",
		Description: "FACT is words that stand in one note alone, or PATH:LINE. " +
			"The note stays where it is; it is left out of what loads, of recall and of search. Written again in other words it stays out. What was confirmed often takes more than one dispute. `quipu support` brings it back, or `quipu undo` with the change.",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			args, err := words(c, "FACT")
			if err != nil {
				return err
			}
			return runSignal(c.Context, envOf(c), signalArgs{Fact: args[0], Why: policy.Rebut, DryRun: c.Bool("dry-run")})
		},
	}
}
