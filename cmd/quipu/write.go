package main

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newWrite() *cli.Command {
	return &cli.Command{
		Name: "write", Category: "write", ArgsUsage: "PATH [- or FILE]",
		Usage: "put a whole file, hash-checked",
		Description: "Puts the text of standard input (-), or of FILE, at PATH. A file that is there needs --expect with the hash of the text you changed, " +
			"so that nothing written meanwhile is lost, or --force.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "expect", Usage: "the `HASH` (SHA-256, hex) of the text that yours is based on"},
			&cli.BoolFlag{Name: "force", Usage: "write over whatever is there"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "PATH", "[FILE]")
			if err != nil {
				return err
			}
			e := envOf(c)
			if args[1] == "" && e.InTerm {
				return usage("`quipu edit "+args[0]+"` opens it in your editor", "write needs - for standard input, or a file")
			}
			return runWrite(c.Context, e, writeArgs{
				Path: args[0], From: firstOf(args[1], "-"), DryRun: c.Bool("dry-run"),
				Expect: repo.Expect{Hash: hashOf(c), Any: c.Bool("force")},
			})
		},
	}
}

// hashOf is the hash of --expect, however its letters are written.
func hashOf(c *cli.Context) string { return strings.ToLower(c.String("expect")) }

type writeArgs struct {
	Path, From string // From is a file, or "-" for standard input
	Expect     repo.Expect
	DryRun     bool
}

func runWrite(ctx context.Context, e *env, a writeArgs) error {
	text, err := e.fileText(a.From)
	if err != nil {
		return err
	}
	w, path, err := e.fileSpace(ctx, a.Path)
	if err != nil && !beginsAbout(err, path) {
		return err
	}
	saved, r, err := e.save(ctx, w, path, text, a.Expect, a.DryRun)
	if exitOf(err) == exitConflict && w != nil {
		if t, rerr := w.Read(ctx, path); rerr == nil && t.Invalid {
			return notUTF8(path)
		}
	}
	if err != nil {
		return onFile("write", path, oddFile(saved, path, err))
	}
	w = saved
	return e.tellFile(ctx, w, path, r, "wrote")
}

// notUTF8 refuses a save over a file whose bytes are not text as quipu reads it: what
// was shown of it is not what stands there.
func notUTF8(path string) error {
	return &told{
		err: repo.ErrConflict, text: path + " holds bytes that are not UTF-8, which a save would replace",
		hint: "change it with an editor in the workspace folder, or put it into UTF-8 there, as with `iconv -f latin1 -t utf-8`; quipu then takes it in",
	}
}

// fileText reads standard input, or a file of the person's own.
func (e *env) fileText(from string) (string, error) {
	if from == "-" {
		return e.input(from)
	}
	f, err := os.Open(e.path(from))
	if err != nil {
		return "", fileFault(err, from)
	}
	defer func() { _ = f.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err != nil {
		return "", fileFault(err, from)
	}
	if len(text) > maxInput {
		return "", &told{err: repo.ErrTooLarge, text: from + " is over 4 MiB"}
	}
	return string(text), nil
}
