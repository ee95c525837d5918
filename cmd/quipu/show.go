package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newShow() *cli.Command {
	return &cli.Command{
		Name: "show", Category: "read", ArgsUsage: "[PATH]",
		Usage: "print a file, now or as it was",
		Description: "Prints MEMORY.md, or the file at PATH, byte for byte but for credentials, which are masked. " +
			"ABOUT.md is About me, what every bot knows of you.",
		Flags: []cli.Flag{&cli.StringFlag{Name: "at", Usage: "as it was at a `TIME or CHANGE`"}},
		Action: func(c *cli.Context) error {
			args, err := words(c, "[PATH]")
			if err != nil {
				return err
			}
			return runShow(c.Context, envOf(c), showArgs{Path: args[0], At: c.String("at")})
		},
	}
}

type showArgs struct{ Path, At string } // Path "" is the main file

func runShow(ctx context.Context, e *env, a showArgs) error {
	var w *repo.Workspace
	var err error
	if w, a.Path, err = e.fileSpace(ctx, a.Path); err != nil {
		return err
	}
	t, err := textOf(ctx, w, a)
	if err != nil {
		return err
	}
	if e.json && a.At != "" {
		return e.print(struct {
			fileJSON
			At string `json:"at"`
		}{jsonOf(t), a.At})
	}
	if e.json {
		return e.print(jsonOf(t))
	}
	return e.page(ctx, e.shown(t.Text))
}

// fileJSON is a file's text as JSON can carry it, as GET memory/file answers it.
type fileJSON struct {
	repo.Text
	UTF8 *bool `json:"utf8,omitempty"` // false where bytes that are no UTF-8 are shown as U+FFFD, else left out
}

func jsonOf(t repo.Text) fileJSON {
	if t.Invalid {
		return fileJSON{t, new(false)}
	}
	return fileJSON{Text: t}
}

// textOf reads a file that must be there.
func textOf(ctx context.Context, w *repo.Workspace, a showArgs) (t repo.Text, err error) {
	if a.At == "" {
		t, err = w.Read(ctx, a.Path)
	} else {
		t, err = w.At(ctx, a.Path, a.At)
		err = noState(err, a.At)
	}
	if err != nil {
		return t, onFile("show", a.Path, oddFile(w, a.Path, err))
	}
	if !t.Exists && a.At != "" {
		return t, missing(a.Path, "was not there then", "`quipu log "+a.Path+"` tells when it was")
	}
	if !t.Exists {
		return t, missing(a.Path, "is not there", "`quipu ls` lists the files")
	}
	return t, nil
}

func missing(path, what, hint string) error {
	return &told{err: repo.ErrNotFound, text: path + " " + what, hint: hint}
}
