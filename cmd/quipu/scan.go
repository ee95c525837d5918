package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newScan() *cli.Command {
	return &cli.Command{
		Name: "scan", Category: "check",
		Usage: "look for credentials in the files and in all of history",
		Description: "What quipu writes is masked before; what is found was brought by your own git, or by another program. " +
			"Prints where each stands and never what it is. Exit status 9 when something was found.",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runScan(c.Context, envOf(c))
		},
	}
}

func runScan(ctx context.Context, e *env) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	bar := e.bar("scan")
	leaks, err := w.ScanSecrets(ctx, bar.step)
	bar.done()
	if err != nil {
		return err
	}
	unguarded := w.Unguarded()
	if e.json {
		out := map[string]any{"ok": len(leaks) == 0, "leaks": orNone(leaks)}
		if unguarded != "" {
			out["unguarded"] = unguarded
		}
		if err := e.print(out); err != nil {
			return err
		}
	} else if err := e.write(e.leaks(leaks)); err != nil {
		return err
	}
	if unguarded != "" {
		e.say("note: your own commits are not checked: %s", clean(unguarded))
	}
	if len(leaks) == 0 {
		e.say("no credential was found")
		return nil
	}
	return &told{err: errFound, text: leaky(leaks), hint: "whoever can read the history has them: replace each where it is used"}
}

// leaks lists places, one a line: where, in which file and line, and in which commit.
func (e *env) leaks(list []repo.Leak) string {
	var b strings.Builder
	for _, l := range list {
		at := fmt.Sprintf("%s:%d", l.Path, l.Line)
		if l.Commit != "" {
			at += " in commit " + l.Commit
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", e.paint(red, fmt.Sprintf("%-7s", l.Where)), clean(at), count(l.Count, "credential"))
	}
	return b.String()
}

// leaky says how many credentials were found.
func leaky(list []repo.Leak) string {
	return fmt.Sprintf("credentials stand in %s", count(len(list), "place"))
}
