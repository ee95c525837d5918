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
	if fi, err := os.Stat(e.path(a.Dir)); err == nil && !fi.IsDir() {
		return usage("`quipu write PATH FILE` puts one file in", "%s is not a folder", a.Dir)
	}
	// A root, so that a link in the folder leads to nothing outside it.
	root, err := os.OpenRoot(e.path(a.Dir))
	if err != nil {
		return fileFault(err, a.Dir)
	}
	defer func() { _ = root.Close() }() // only read
	w, err := e.botsNotes(ctx)
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
	return e.tellImport(got)
}

// tellImport says in one line what came in, and lists only what is not where, or not
// as, it was.
func (e *env) tellImport(got repo.Imported) error {
	in, lines := 0, 0
	var odd [][]string
	for _, f := range got.Files {
		if f.To != "" {
			in, lines = in+1, lines+f.Lines
		}
		if where := whereNow(f); where != "" {
			odd = append(odd, []string{f.Path, "->", where})
		}
	}
	r := got.Receipt
	summary := fmt.Sprintf("%s, %s, %d left out", count(in, "file"), count(lines, "new line"), len(got.Files)-in)
	switch {
	case r.DryRun:
		e.say("would take in %s (dry run, nothing is written)", summary)
	case r.Change == "":
		e.say("nothing to change: all of %s is here already", count(in, "file"))
	default:
		e.say("took in %s (change %s)", summary, r.Change)
	}
	e.asides(r)
	more := len(odd) - fewFiles
	text := table(odd[:min(len(odd), fewFiles)])
	if more > 0 {
		text += fmt.Sprintf("and %d more; --json lists all\n", more)
	}
	return e.write(text)
}

// fewFiles is how many files of an import are listed.
const fewFiles = 10

// whereNow says what became of a file that did not simply keep its place.
func whereNow(f repo.ImportedFile) string {
	switch {
	case f.To == "":
		return "left out: " + f.Why
	case f.Why != "":
		return f.To + " (" + f.Why + ")"
	case f.To != f.Path:
		return f.To
	}
	return ""
}
