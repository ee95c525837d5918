package main

import (
	"time"

	"github.com/urfave/cli/v2"
)

func newSession() *cli.Command {
	return &cli.Command{
		Name: "session", Category: "serve",
		Usage:  "the browsers that are signed in to the panel",
		Action: groupOnly,
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list the sessions, when each began and when it ends",
				Action: noArgs(runSessionList),
			},
			{
				Name: "end", Usage: "sign a browser out, or all of them", ArgsUsage: "[ID]",
				Flags: []cli.Flag{&cli.BoolFlag{Name: "all", Usage: "end every session, and the links that nobody followed yet"}, dryRunFlag()},
				Action: func(c *cli.Context) error {
					args, err := words(c, "[ID]")
					if err != nil {
						return err
					}
					return runSessionEnd(envOf(c), args[0], c.Bool("all"), c.Bool("dry-run"))
				},
			},
		},
	}
}

func runSessionList(_ *cli.Context, e *env) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	list, err := s.ListSessions()
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"sessions": orNone(list)})
	}
	if len(list) == 0 {
		e.say("no browser is signed in")
	}
	rows := make([][]string, 0, len(list))
	for _, one := range list {
		rows = append(rows, []string{one.ID, "began " + one.Began.Format(time.RFC3339), "ends " + one.Until.Format(time.RFC3339)})
	}
	return e.write(table(rows))
}

func runSessionEnd(e *env, id string, all, dryRun bool) error {
	if all == (id != "") {
		return usage("`quipu session list` lists them", "session end needs an ID, or --all")
	}
	s, err := e.Store()
	if err != nil {
		return err
	}
	if dryRun {
		e.say("would sign out %s (dry run, nothing is written)", firstOf(clean(id), "every browser"))
		return nil
	}
	n := 1
	if all {
		n, err = s.DropSessions("")
	} else {
		err = s.DropSession(id)
	}
	if err != nil {
		return hinted(err, "`quipu session list` lists them")
	}
	e.say("%s signed out", count(n, "browser"))
	if e.json {
		return e.print(map[string]any{"ok": true, "ended": n})
	}
	return nil
}
