package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newImport() *cli.Command {
	return &cli.Command{
		Name: "import", Category: "start",
		Usage: "take notes from elsewhere in",
		Subcommands: []*cli.Command{{
			Name: "folder", ArgsUsage: "DIR",
			Usage:       "a folder of markdown notes, as one change",
			Description: "Nothing of their text is dropped and dates stay. The answer says where each file went.",
			Flags:       []cli.Flag{dryRunFlag()},
			Action: func(c *cli.Context) error {
				args, err := words(c, "DIR")
				if err != nil {
					return err
				}
				return runImport(c.Context, envOf(c), importArgs{Dir: args[0], DryRun: c.Bool("dry-run")})
			},
		}},
		Action: groupOnly,
	}
}

// groupOnly is the action of a verb that only holds others.
func groupOnly(c *cli.Context) error {
	names := make([]string, 0, len(c.Command.Subcommands))
	for _, sub := range c.Command.Subcommands {
		names = append(names, sub.Name)
	}
	return usage("see `quipu help "+c.Command.Name+"`", "%s needs one of %v", c.Command.Name, names)
}

type importArgs struct {
	Dir    string
	DryRun bool
}

func runImport(ctx context.Context, e *env, a importArgs) error {
	// A root, so that a link in the folder leads to nothing outside it.
	root, err := os.OpenRoot(e.path(a.Dir))
	if err != nil {
		return fileFault(err, a.Dir)
	}
	defer func() { _ = root.Close() }() // only read
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	m.Via = repo.ViaImport
	got, err := w.ImportFolder(ctx, m, root.FS(), filepath.Base(root.Name()))
	if err != nil {
		return fmt.Errorf("import %s: %w", a.Dir, err)
	}
	if e.json {
		got.Files = orNone(got.Files)
		return e.print(got)
	}
	rows := make([][]string, 0, len(got.Files))
	for _, f := range got.Files {
		to := f.To
		if to == "" {
			to = "left out: " + f.Why
		} else if f.Why != "" {
			to += " (" + f.Why + ")"
		}
		rows = append(rows, []string{f.Path, "->", to, count(f.Lines, "line")})
	}
	if err := e.write(table(rows)); err != nil {
		return err
	}
	r := got.Receipt
	if r.DryRun {
		e.say("would take in %s (dry run, nothing is written)", count(len(pathsOf(r.Rows)), "file"))
		e.asides(r)
		return nil
	}
	return e.tell(r, "took in")
}
