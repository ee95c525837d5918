package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newEdit() *cli.Command {
	return &cli.Command{
		Name: "edit", Category: "write", ArgsUsage: "[PATH]",
		Usage: "change a file in your editor, hash-checked",
		Description: "Opens a copy of the file in $VISUAL or $EDITOR and saves it when the editor ends. " +
			"When the file changed meanwhile nothing is written, and your copy is kept where the message says.",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			args, err := words(c, "[PATH]")
			if err != nil {
				return err
			}
			return runEdit(c.Context, envOf(c), editArgs{Path: args[0], DryRun: c.Bool("dry-run")})
		},
	}
}

type editArgs struct {
	Path   string // "" is the main file
	DryRun bool
}

func runEdit(ctx context.Context, e *env, a editArgs) (err error) {
	editor, err := e.editor()
	if err != nil {
		return err
	}
	w, path, err := e.fileSpace(ctx, a.Path)
	begins := beginsAbout(err, path)
	if err != nil && !begins {
		return err
	}
	var was repo.Text
	if !begins {
		if was, err = w.Read(ctx, path); err != nil {
			return onFile("edit", path, oddFile(w, path, err))
		}
		if was.Invalid {
			return notUTF8(path)
		}
	}
	d, err := newDraft(path, was.Text)
	if err != nil {
		return fmt.Errorf("make a draft of %s: %w", path, err)
	}
	// A draft goes only when its words are nowhere missing.
	keep := false
	defer func() {
		if !keep {
			err = errors.Join(err, d.remove())
		}
	}()
	failed := e.runEditor(ctx, editor, d.path)
	text, err := d.text()
	if err != nil {
		keep = true
		return fmt.Errorf("read the draft %s: %w", d.path, err)
	}
	changed := text != was.Text
	if failed != nil {
		keep = changed
		return editorFailed(failed, d, changed)
	}
	if !changed {
		e.say("unchanged, nothing is written")
		return e.answerEdit(ctx, w, path, repo.Receipt{DryRun: a.DryRun})
	}
	w, r, err := e.save(ctx, w, path, text, repo.Expect{Hash: was.Hash}, a.DryRun)
	if err != nil {
		keep = true
		return notSaved(err, path, d)
	}
	return e.tellFile(ctx, w, path, r, "wrote")
}

func (e *env) answerEdit(ctx context.Context, w *repo.Workspace, path string, r repo.Receipt) error {
	if !e.json {
		return nil
	}
	return e.printFile(ctx, w, path, r)
}

// editor is the person's editor as a shell command.
func (e *env) editor() (string, error) {
	if name := firstOf(e.Getenv("VISUAL"), e.Getenv("EDITOR")); name != "" {
		return name, nil
	}
	if e.InTerm && e.OutTerm {
		return "vi", nil
	}
	return "", usage("set VISUAL or EDITOR, or use `quipu write PATH -`", "there is no editor to open")
}

func (e *env) runEditor(ctx context.Context, editor, path string) error {
	// The variable may hold arguments too, as `code --wait`: the shell takes it apart, as git has it done.
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$@"`, "editor", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.In, e.Err, e.Err
	if e.OutTerm {
		cmd.Stdout = e.Out
	}
	return cmd.Run()
}

// editorFailed says that nothing is written, and where words of the person are left.
func editorFailed(err error, d *draft, changed bool) error {
	t := &told{text: fmt.Sprintf("the editor ended with a fault (%v), nothing is written", err)}
	if changed {
		t.text += "; your draft is kept in " + d.path
	}
	return t
}

// notSaved keeps the meaning of what stopped the save, and says where the draft is.
func notSaved(err error, path string, d *draft) error {
	return &told{
		err:  err,
		text: fmt.Sprintf("%v; nothing is written, your draft is kept in %s", err, d.path),
		hint: fmt.Sprintf("look at both (`quipu show %s`), then `quipu write %s %s --force`", path, path, d.path),
	}
}
