package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newRemove() *cli.Command {
	return &cli.Command{
		Name: "rm", Category: "write", ArgsUsage: "PATH",
		Usage:       "take out a topic or a day log",
		Description: "The file goes from the workspace; history keeps it, and `quipu undo` brings it back.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "expect", Usage: "only while the file has this `HASH` (SHA-256, hex)"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "PATH")
			if err != nil {
				return err
			}
			return runRemove(c.Context, envOf(c), removeArgs{Path: args[0], Expect: hashOf(c), DryRun: c.Bool("dry-run")})
		},
	}
}

type removeArgs struct {
	Path, Expect string
	DryRun       bool
}

func runRemove(ctx context.Context, e *env, a removeArgs) error {
	w, _, err := e.fileSpace(ctx, a.Path)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	r, err := w.Delete(ctx, m, a.Path, repo.Expect{Hash: a.Expect, Any: a.Expect == ""})
	if err != nil {
		return onFile("rm", a.Path, err)
	}
	if r.Change == "" && len(r.Rows) == 0 {
		return missing(a.Path, "is not there", "`quipu ls` lists the files")
	}
	if e.json {
		return e.printFile(ctx, w, a.Path, r)
	}
	return e.tell(r, "took out")
}
