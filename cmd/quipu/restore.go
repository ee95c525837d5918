package main

import (
	"context"

	"github.com/urfave/cli/v2"
)

func newRestore() *cli.Command {
	return &cli.Command{
		Name: "restore", Category: "history", ArgsUsage: "PATH",
		Usage: "put a file back as it was, as one new change",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "at", Usage: "as it was at a `TIME or CHANGE`"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "PATH")
			if err != nil {
				return err
			}
			if c.String("at") == "" {
				return usage("as in `quipu restore "+args[0]+" --at yesterday`", "restore needs --at TIME or CHANGE")
			}
			return runRestore(c.Context, envOf(c), restoreArgs{Path: args[0], At: c.String("at"), DryRun: c.Bool("dry-run")})
		},
	}
}

type restoreArgs struct {
	Path, At string
	DryRun   bool
}

func runRestore(ctx context.Context, e *env, a restoreArgs) error {
	w, _, err := e.fileSpace(ctx, a.Path)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	r, err := w.Restore(ctx, m, a.Path, a.At)
	if err != nil {
		return onFile("restore", a.Path, err)
	}
	if e.json {
		return e.printFile(ctx, w, a.Path, r)
	}
	return e.tell(r, "restored")
}
