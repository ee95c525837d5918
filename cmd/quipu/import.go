package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
	"quipu/repo/exchange"
)

func newImport() *cli.Command {
	return &cli.Command{
		Name: "import", Category: "start", ArgsUsage: "[FORMAT] PATH",
		Usage: "take the memory of another system in",
		Description: "All of it is one change, which `quipu undo` takes back. Dates stay, credentials are masked, what is stated here already is not taken in again, and the answer says " +
			"where everything went and what was left out. PATH is a file, a folder, a zip of one, or - for standard input. Without FORMAT quipu looks what PATH is like.\n\nFORMAT is one of:\n" +
			formatList(),
		Flags: []cli.Flag{dryRunFlag(), &cli.StringFlag{Name: "journal", Usage: "of openmausbot: its journal `FILE`, where it does not lie beside the workspaces"}},
		Action: func(c *cli.Context) error {
			args, err := words(c, "PATH", "[FORMAT]")
			if err != nil {
				return err
			}
			a := importArgs{Path: args[0], Journal: c.String("journal"), DryRun: c.Bool("dry-run")}
			if args[1] != "" {
				a.Format, a.Path = args[0], args[1]
			}
			return runImport(c.Context, envOf(c), a)
		},
	}
}

func formatList() string {
	var rows [][]string
	for _, f := range exchange.Formats() {
		rows = append(rows, []string{"  " + f.Name, f.Usage})
	}
	return table(rows)
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
	Format, Path, Journal string
	DryRun                bool
}

func runImport(ctx context.Context, e *env, a importArgs) error {
	if err := knownFormat(e, a); err != nil {
		return err
	}
	s, done, err := e.source(a)
	if err != nil {
		return err
	}
	defer done()
	if a.Format == "" {
		if a.Format = exchange.Detect(s); a.Format == "" {
			return usage("name the format: `quipu import FORMAT PATH`, see `quipu help import`", "%s could be of several formats", a.Path)
		}
		e.say("looks like %s", a.Format)
	}
	b, err := exchange.Read(a.Format, s)
	if err != nil {
		return importFault(err, a.Path)
	}
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(a.DryRun)
	if err != nil {
		return err
	}
	m.Via = repo.ViaImport
	bar := e.bar("importing")
	got, err := w.Import(ctx, m, b, s.Name, bar.step)
	bar.done()
	if err != nil {
		return fmt.Errorf("import %s: %w", a.Path, err)
	}
	if e.json {
		got.Files = orNone(got.Files)
		return e.print(got)
	}
	return e.tellImport(got)
}

// knownFormat refuses a format that there is not, and a format without a path.
func knownFormat(e *env, a importArgs) error {
	const hint = "`quipu help import` lists the formats"
	if a.Format == "" {
		if _, is := exchange.Named(a.Path); is {
			if _, err := os.Stat(e.path(a.Path)); err != nil {
				return usage("as in `quipu import "+a.Path+" PATH`", "import %s needs PATH", a.Path)
			}
		}
		return nil
	}
	if _, is := exchange.Named(a.Format); !is {
		return usage(hint, "there is no format %q", clean(a.Format))
	}
	if a.Journal != "" && a.Format != "openmausbot" {
		return usage(hint, "%s has no journal that is read", a.Format)
	}
	return nil
}

// importFault says what is wrong with what was to be taken in.
func importFault(err error, name string) error {
	switch {
	case errors.Is(err, exchange.ErrTooLarge):
		return &told{err: repo.ErrTooLarge, text: clean(err.Error()), hint: "take it in in parts"}
	case errors.Is(err, exchange.ErrInput):
		return &told{err: repo.ErrInvalid, text: clean(err.Error()), hint: "nothing was taken in; `quipu help import` lists the formats"}
	}
	return fileFault(err, name)
}

// source opens what the person named. A folder is opened as a root, so that a link in it
// leads to nothing outside of it.
func (e *env) source(a importArgs) (s exchange.Source, done func(), err error) {
	done = func() {}
	if a.Path == "-" {
		s.Name = "standard input"
		if s.Text, err = exchange.ReadAll(s.Name, e.In); err != nil {
			err = importFault(err, a.Path)
		}
		return s, done, err
	}
	path := e.path(a.Path)
	fi, err := os.Stat(path)
	if err != nil {
		return s, done, fileFault(err, a.Path)
	}
	s.Name = filepath.Base(path)
	if !fi.IsDir() {
		s.Text, err = readImport(path, a.Path)
		return s, done, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return s, done, fileFault(err, a.Path)
	}
	done = func() { _ = root.Close() } // only read
	s.Dir = root.FS()
	if a.Format == "openmausbot" || a.Format == "" {
		s.Journal, err = e.rowsBeside(path, a.Journal)
	}
	return s, done, err
}

func readImport(path, name string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileFault(err, name)
	}
	defer func() { _ = f.Close() }() // only read
	text, err := exchange.ReadAll(name, f)
	if err != nil {
		return nil, importFault(err, name)
	}
	return text, nil
}

// rowsBeside is the journal of a workspace …/workspaces/BOT, which is
// …/memory-journal/BOT.ndjson; nil where there is none.
func (e *env) rowsBeside(workspace, named string) ([]byte, error) {
	if named != "" {
		return readImport(e.path(named), named)
	}
	home := filepath.Dir(filepath.Dir(workspace))
	path := filepath.Join(home, "memory-journal", filepath.Base(workspace)+".ndjson")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return readImport(path, path)
}

// tellImport says in one line what came in, and lists what is not where, or not as, it
// was.
func (e *env) tellImport(got repo.Imported) error {
	in, lines, left := 0, 0, 0
	var odd [][]string
	for _, f := range got.Files {
		if f.To != "" {
			in, lines = in+1, lines+f.Lines
		} else {
			left++
		}
		if where := whereNow(f); where != "" {
			odd = append(odd, []string{clean(f.Path), "->", clean(where)})
		}
	}
	e.sayImported(got, in, lines, left)
	more := len(odd) - fewFiles
	text := table(odd[:min(len(odd), fewFiles)])
	if more > 0 {
		text += fmt.Sprintf("and %d more; --json lists all\n", more)
	}
	return e.write(text)
}

func (e *env) sayImported(got repo.Imported, in, lines, left int) {
	r := got.Receipt
	parts := []string{count(in, "file"), count(lines, "new line")}
	if got.Facts+got.Known > 0 {
		parts = []string{count(got.Facts, "new fact"), fmt.Sprintf("%d known already", got.Known), count(lines, "new line")}
	}
	if got.History > 0 {
		parts = append(parts, count(got.History, "change")+" of its history")
	}
	summary := strings.Join(append(parts, fmt.Sprintf("%d left out", left)), ", ")
	switch {
	case r.DryRun:
		e.say("would take in %s (dry run, nothing is written)", summary)
	case r.Change == "" && got.Known > 0:
		e.say("nothing to change: all of %s is here already", count(got.Known, "fact"))
	case r.Change == "":
		e.say("nothing to change: all of %s is here already", count(in, "file"))
	default:
		e.say("took in %s (change %s)", summary, r.Change)
	}
	e.asides(r)
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
