package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
)

func newDiff() *cli.Command {
	return &cli.Command{
		Name: "diff", Category: "history", ArgsUsage: "[A or A..B] [PATH]",
		Usage: "what differs between two states",
		Description: "A and B are changes, commits, HEAD, HEAD~N or times. Without B it is the files as they are now; " +
			"without A it is what was edited outside since the last change.",
		Action: func(c *cli.Context) error {
			args, err := words(c, "[A..B]", "[PATH]")
			if err != nil {
				return err
			}
			a := diffArgs{Range: args[0], Path: args[1]}
			if _, err := policy.CheckPath(a.Range); err == nil && a.Path == "" {
				a.Range, a.Path = "", a.Range // a note alone: what was edited outside in it
			}
			return runDiff(c.Context, envOf(c), a)
		},
	}
}

type diffArgs struct{ Range, Path string }

func runDiff(ctx context.Context, e *env, a diffArgs) error {
	if err := notePath(a.Path); err != nil {
		return err
	}
	w, _, err := e.fileSpace(ctx, a.Path)
	if err != nil {
		return err
	}
	from, to, _ := strings.Cut(a.Range, "..")
	from = firstOf(from, "HEAD")
	diff, err := w.Diff(ctx, from, to, a.Path)
	if err != nil {
		return noState(err, firstOf(a.Range, from))
	}
	if e.json {
		return e.print(map[string]any{"diff": diff, "from": from, "to": to, "path": a.Path})
	}
	if diff != "" {
		diff = strings.TrimRight(diff, "\n") + "\n"
	}
	return e.page(ctx, e.painted(diff))
}

func newShowChange() *cli.Command {
	return &cli.Command{
		Name: "show-change", Category: "history", ArgsUsage: "CHANGE",
		Usage: "one change in full",
		Action: func(c *cli.Context) error {
			args, err := words(c, "CHANGE")
			if err != nil {
				return err
			}
			return runShowChange(c.Context, envOf(c), args[0])
		},
	}
}

func runShowChange(ctx context.Context, e *env, id string) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	d, err := w.Show(ctx, id)
	if err != nil {
		return noChange(err, id)
	}
	if e.json {
		return e.print(map[string]any{
			"change": d.Row.Change, "diff": diffOf(d.Rows), "message": d.Body, "entries": orNone(d.Rows), "row": d.Row,
		})
	}
	return e.page(ctx, e.details(d))
}

// details lays one change out for reading.
func (e *env) details(d repo.Details) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-8s %s\n", name, clean(value))
		}
	}
	r := d.Row
	fmt.Fprintf(&b, "%-8s %s\n", "change", e.paint(yellow, string(r.Change)))
	line("commit", r.Commit)
	line("date", r.AtTime.Format("2006-01-02 15:04:05 -0700"))
	line("by", who(r))
	line("action", r.Action)
	line("via", r.Via)
	line("source", r.Source)
	line("turn", r.Turn)
	line("quote", r.Quote)
	line("undoes", string(r.Undoes))
	line("undone", string(r.UndoneBy))
	if !r.CanRevert {
		line("no undo", r.Reason)
	}
	fmt.Fprintf(&b, "\n    %s\n", clean(r.Subject))
	if diff := diffOf(d.Rows); diff != "" {
		b.WriteString("\n" + e.painted(diff))
	}
	return b.String()
}

// diffOf puts the diffs of rows together.
func diffOf(rows []repo.Row) string {
	var b strings.Builder
	for _, r := range rows {
		if r.Diff != "" {
			b.WriteString(strings.TrimRight(r.Diff, "\n") + "\n")
		}
	}
	return b.String()
}

// noChange says which change is not there.
func noChange(err error, id string) error {
	if exitOf(err) != exitNotFound {
		return err
	}
	if id == "" {
		return usage("`quipu log --all` lists the changes", "an empty CHANGE names no change")
	}
	hint := "`quipu log --all` lists the changes"
	if len(id) < leastPrefix {
		hint = fmt.Sprintf("give at least %d characters of an id; ", leastPrefix) + hint
	}
	return &told{err: err, text: fmt.Sprintf("there is no change %q", id), hint: hint}
}

// leastPrefix is how many of its first characters name a change.
const leastPrefix = 6
