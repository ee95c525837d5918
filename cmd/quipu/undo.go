package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newUndo() *cli.Command {
	return &cli.Command{
		Name: "undo", Category: "history", ArgsUsage: "[CHANGE]",
		Usage: "reverse a change, keeping what came after",
		Description: "CHANGE is an id from `quipu log`, enough of its first letters to be unique, a commit, HEAD or HEAD~N. Without CHANGE it is the newest one that is not undone: repeated, it walks back. " +
			"What a note became meanwhile is never overwritten; --mode restore puts the whole file back as it was before, so that later changes of it go, too.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "mode", Usage: "`HOW`: revert (note by note) or restore (the whole file)", Value: string(repo.Revert)},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "[CHANGE]")
			if err != nil {
				return err
			}
			if c.Args().Present() && args[0] == "" {
				return usage("leave CHANGE out to undo the newest", "an empty CHANGE names no change")
			}
			return runUndo(c.Context, envOf(c), undoArgs{ID: args[0], Mode: repo.Mode(c.String("mode")), DryRun: c.Bool("dry-run")})
		},
	}
}

type undoArgs struct {
	ID     string // "" is the newest that is not undone
	Mode   repo.Mode
	DryRun bool
}

func runUndo(ctx context.Context, e *env, a undoArgs) error {
	if a.Mode != repo.Revert && a.Mode != repo.Restore {
		return usage("write --mode revert or --mode restore", "%q is no way to undo", string(a.Mode))
	}
	return e.reverse(ctx, a.DryRun, "undid", "puts it back", func(w *repo.Workspace, m repo.Meta) (repo.Receipt, error) {
		r, err := w.Undo(ctx, m, a.ID, a.Mode)
		switch {
		case a.ID != "" && exitOf(err) == exitNotFound:
			err = noChange(err, a.ID)
		case exitOf(err) == exitNotFound:
			err = hinted(err, "`quipu log` lists the changes")
		default:
			err = inTheWay(ctx, w, err)
		}
		return r, err
	})
}

// inTheWay offers what can be done where an undo cannot: of a change that is undone
// already the undo of that, else the whole file as it was.
func inTheWay(ctx context.Context, w *repo.Workspace, err error) error {
	var clash *repo.ConflictError
	if !errors.As(err, &clash) || clash.Change == "" {
		return err
	}
	if d, ferr := w.Show(ctx, string(clash.Change)); ferr == nil && d.Row.UndoneBy != "" {
		return hinted(err, "`"+undoLine(w, d.Row.UndoneBy)+"` puts it back")
	}
	return hinted(err, "`"+undoLine(w, clash.Change)+" --mode restore` puts the whole file back to the text before it; what came later in that file goes with it")
}

// undoLine is the command that undoes one change, whatever is undone in between.
func undoLine(w *repo.Workspace, change repo.ChangeID) string {
	return "quipu undo " + string(change) + flagsOf(w.ID())
}

func newRedo() *cli.Command {
	return &cli.Command{
		Name: "redo", Category: "history",
		Usage: "reverse the newest undo",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runRedo(c.Context, envOf(c), c.Bool("dry-run"))
		},
	}
}

func runRedo(ctx context.Context, e *env, dryRun bool) error {
	return e.reverse(ctx, dryRun, "put back", "takes it out again", func(w *repo.Workspace, m repo.Meta) (repo.Receipt, error) {
		r, err := w.Redo(ctx, m)
		return r, inTheWay(ctx, w, err)
	})
}

// reverse runs an undo or a redo and says which change it was about; next is what the
// undo of it does.
func (e *env) reverse(ctx context.Context, dryRun bool, done, next string, fn func(*repo.Workspace, repo.Meta) (repo.Receipt, error)) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(dryRun)
	if err != nil {
		return err
	}
	if !dryRun {
		if err := e.takeIn(ctx, w); err != nil {
			return err
		}
	}
	r, err := fn(w, m)
	if err != nil {
		return err
	}
	if e.json {
		return e.printFile(ctx, w, "", r)
	}
	e.sayUndone(ctx, w, r, done)
	if err := e.tell(r, "changed"); err != nil || dryRun {
		return err
	}
	if r.Change != "" {
		e.say("hint: `%s` %s", undoLine(w, r.Change), next)
	}
	return nil
}

// sayUndone names the change that was reversed, with what it was about.
func (e *env) sayUndone(ctx context.Context, w *repo.Workspace, r repo.Receipt, done string) {
	if r.Undone == "" {
		return
	}
	if r.DryRun {
		done = "would reverse"
	}
	d, err := w.Show(ctx, string(r.Undone))
	if err != nil {
		e.say("%s %s", done, r.Undone) // the undo holds all the same
		return
	}
	e.say("%s %s: %s", done, r.Undone, clean(d.Row.Subject))
}
