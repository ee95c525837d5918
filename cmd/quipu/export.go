package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
	"quipu/repo/exchange"
)

func newExport() *cli.Command {
	export := &cli.Command{
		Name: "export", Category: "start",
		Usage: "give the notes out, to keep or for another system",
		Description: "Without PATH, or with -, one file goes to standard output. Credentials are masked. What a form cannot\n" +
			"carry is listed on standard error.",
		Action: groupOnly,
	}
	for _, f := range exchange.OutFormats() {
		export.Subcommands = append(export.Subcommands, exportAs(f))
	}
	export.Subcommands = append(export.Subcommands, &cli.Command{
		Name: "bundle", ArgsUsage: "[FILE]",
		Usage: "the notes with their history, as a git bundle",
		Description: "`git clone FILE` takes it. It holds the branches and tags; it is made by git, and not made while a\n" +
			"credential stands in the history.",
		Flags: []cli.Flag{forceFlag(), dryRunFlag()},
		Action: func(c *cli.Context) error {
			args, err := words(c, "[FILE]")
			if err != nil {
				return err
			}
			return runBundle(c.Context, envOf(c), exportArgs{Path: args[0], Force: c.Bool("force"), DryRun: c.Bool("dry-run")})
		},
	})
	return export
}

func forceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace what is there"}
}

func exportAs(f exchange.OutFormat) *cli.Command {
	what, flags := "[FILE]", []cli.Flag{forceFlag(), dryRunFlag()}
	if f.Folder {
		what = "FOLDER"
	}
	if f.Other {
		flags = append(flags, &cli.BoolFlag{Name: "all", Usage: "take day logs and the archive along"})
	}
	return &cli.Command{
		Name: f.Name, ArgsUsage: what, Usage: f.Usage, Description: f.About, Flags: flags,
		Action: func(c *cli.Context) error {
			args, err := words(c, what)
			if err != nil {
				return err
			}
			return runExport(c.Context, envOf(c), f, exportArgs{Path: args[0], Force: c.Bool("force"), DryRun: c.Bool("dry-run"), All: c.Bool("all")})
		},
	}
}

type exportArgs struct {
	Path               string // "" and - are standard output
	Force, DryRun, All bool
}

func (a exportArgs) toOut() bool { return a.Path == "" || a.Path == "-" }

// exported is an export as JSON.
type exported struct {
	Format string       `json:"format"`
	Path   string       `json:"path"`
	Files  []exportFile `json:"files"`
	Left   []string     `json:"left"`
	DryRun bool         `json:"dryRun,omitempty"`
}

type exportFile struct {
	Path  string `json:"path"`
	Bytes int    `json:"bytes"`
}

func runExport(ctx context.Context, e *env, f exchange.OutFormat, a exportArgs) error {
	if f.Folder && a.toOut() {
		return usage("name a folder that is not there yet", "%s is several files: they need a FOLDER", f.Name)
	}
	if err := e.mayExport(f.Name == "zip", f.Folder, a); err != nil {
		return err
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	if err := e.takeInFirst(ctx, w, a.DryRun); err != nil {
		return err
	}
	sp, err := w.Outgoing(ctx, f.Taught)
	if err != nil {
		return err
	}
	got, err := f.Write(sp, exchange.OutOptions{All: a.All})
	if err != nil {
		return err
	}
	if !a.DryRun {
		if err := e.put(f.Folder, got.Files, a); err != nil {
			return err
		}
	}
	return e.tellExport(f.Name, got, a)
}

// takeInFirst takes in what was edited outside; a dry run only says that it would.
func (e *env) takeInFirst(ctx context.Context, w *repo.Workspace, dry bool) error {
	if !dry {
		return e.takeIn(ctx, w)
	}
	status, err := w.Status(ctx)
	if err == nil && len(status.Outside) > 0 {
		e.say("note: what was edited outside is not counted here; it would be taken in first: %s", clean(strings.Join(status.Outside, ", ")))
	}
	return err
}

// mayExport looks at where an export is to go before anything is read.
func (e *env) mayExport(binary, folder bool, a exportArgs) error {
	switch {
	case a.toOut() && binary && e.OutTerm && !a.DryRun:
		return usage("name a FILE, or send it on with >", "a terminal cannot show that")
	case a.toOut():
		return nil
	case folder:
		return checkOutFolder(e.path(a.Path), a.Force)
	}
	return freeFor(e.path(a.Path), a.Force)
}

func (e *env) put(folder bool, files []exchange.OutFile, a exportArgs) error {
	if !folder {
		write := func(out io.Writer) error { _, err := out.Write(files[0].Text); return err }
		if a.toOut() {
			return write(e.Out)
		}
		return writeOut(e.path(a.Path), a.Force, write)
	}
	texts := make([]outText, 0, len(files))
	for _, f := range files {
		texts = append(texts, outText{f.Path, f.Text})
	}
	return writeFolder(filepath.Clean(e.path(a.Path)), a.Force, texts)
}

// tellExport says what went where, and what did not come along.
func (e *env) tellExport(format string, got exchange.Out, a exportArgs) error {
	answer := exported{Format: format, Path: a.Path, Files: []exportFile{}, Left: orNone(got.Left), DryRun: a.DryRun}
	size := 0
	for _, f := range got.Files {
		size += len(f.Text)
		answer.Files = append(answer.Files, exportFile{f.Path, len(f.Text)})
	}
	what := count(len(got.Files), "file") + ", " + count(size, "byte")
	switch {
	case a.DryRun:
		e.say("would write %s (dry run, nothing is written)", what)
	case !a.toOut():
		e.say("wrote %s to %s", what, clean(a.Path))
	}
	for _, left := range got.Left {
		e.say("not in it: %s", clean(left))
	}
	if e.json && (a.DryRun || !a.toOut()) {
		return e.print(answer)
	}
	return nil
}

func runBundle(ctx context.Context, e *env, a exportArgs) error {
	if err := e.mayExport(true, false, a); err != nil {
		return err
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	if err := e.takeInFirst(ctx, w, a.DryRun); err != nil {
		return err
	}
	var got repo.Bundled
	bar := e.bar("commits")
	write := func(out io.Writer) error {
		got, err = w.Bundle(ctx, out, bar.step)
		return err
	}
	switch {
	case a.DryRun:
		err = write(nil)
	case a.toOut():
		err = write(e.Out)
	default:
		err = writeOut(e.path(a.Path), a.Force, write)
	}
	bar.done()
	if err != nil {
		return err
	}
	switch {
	case a.DryRun:
		e.say("would bundle %s at %.12s (dry run, nothing is written)", clean(got.Branch), got.Commit)
	case !a.toOut():
		e.say("bundled %s at %.12s into %s; `git clone` takes it", clean(got.Branch), got.Commit, clean(a.Path))
	}
	for _, left := range got.Left {
		e.say("not in it: %s", clean(left))
	}
	if e.json && (a.DryRun || !a.toOut()) {
		return e.print(got)
	}
	return nil
}
