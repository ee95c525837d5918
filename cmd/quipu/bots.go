package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newBots() *cli.Command {
	return &cli.Command{
		Name: "bots", Category: "start",
		Usage: "list the bots",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "layers", Usage: "list instead what they keep of single rooms and members"}},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			if c.Bool("layers") {
				return runBotsLayers(c.Context, envOf(c))
			}
			return runBots(c.Context, envOf(c))
		},
		Subcommands: []*cli.Command{{
			Name: "remove", ArgsUsage: "ID", Usage: "take a bot away for good, with its history and all that was said to it",
			Description: "There is no undo: copy the home first when in doubt. Without --confirm it only says what would go. About me stays.",
			Flags:       []cli.Flag{dryRunFlag(), &cli.BoolFlag{Name: "confirm", Usage: "do it"}},
			Action: func(c *cli.Context) error {
				args, err := words(c, "ID")
				if err != nil {
					return err
				}
				return runBotsRemove(c.Context, envOf(c), repo.ID(args[0]), c.Bool("confirm") && !c.Bool("dry-run"))
			},
		}},
	}
}

func runBotsRemove(ctx context.Context, e *env, id repo.ID, confirm bool) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	if !confirm {
		w, err := s.Open(ctx, id)
		if err != nil {
			return err
		}
		st, err := w.Status(ctx)
		if err != nil {
			return err
		}
		return &told{
			err:  repo.ErrRefused,
			text: fmt.Sprintf("this would take %s away for good: %s, %s, and all that was said to it", id, counted(st.Changes, "change", "changes"), counted(st.Topics, "topic", "topics")),
			hint: fmt.Sprintf("`quipu bots remove %s --confirm` does it; `cp -a %s` keeps a copy", id, s.Home()),
		}
	}
	gone, err := s.Remove(ctx, id)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(gone)
	}
	e.say("removed %s with %s", id, counted(gone.Turns, "turn", "turns"))
	return nil
}

func runBots(ctx context.Context, e *env) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	bots, err := s.Bots(ctx)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"bots": orNone(bots)})
	}
	if len(bots) == 0 {
		e.say("there is no bot in %s yet; make one with `quipu init NAME`", s.Home())
		return nil
	}
	rows := make([][]string, 0, len(bots))
	for _, b := range bots {
		rows = append(rows, []string{string(b.ID), b.Name, b.Path})
	}
	return e.write(table(rows))
}

func runBotsLayers(ctx context.Context, e *env) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	bots, err := s.Bots(ctx)
	if err != nil {
		return err
	}
	var list []repo.LayerListing
	for _, b := range bots {
		layers, err := s.Layers(b.ID)
		if err != nil {
			return err
		}
		list = append(list, layers...)
	}
	if e.json {
		return e.print(map[string]any{"layers": orNone(list)})
	}
	if len(list) == 0 {
		e.say("no bot keeps anything of a single room or member")
		return nil
	}
	rows := make([][]string, 0, len(list))
	for _, l := range list {
		rows = append(rows, []string{string(l.Bot), string(l.Kind), l.Of, l.Path})
	}
	return e.write(table(rows))
}

// table sets rows in columns.
func table(rows [][]string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i := range row {
			row[i] = clean(row[i])
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // a Builder takes everything
	var out strings.Builder
	for l := range strings.Lines(b.String()) {
		out.WriteString(strings.TrimRight(l, " \n") + "\n")
	}
	return out.String()
}
