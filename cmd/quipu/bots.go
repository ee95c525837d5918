package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

func newBots() *cli.Command {
	return &cli.Command{
		Name: "bots", Category: "start",
		Usage: "list the bots",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runBots(c.Context, envOf(c))
		},
	}
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
