package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newList() *cli.Command {
	return &cli.Command{
		Name: "ls", Category: "read",
		Usage: "list topics and day logs",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runList(c.Context, envOf(c))
		},
	}
}

func runList(ctx context.Context, e *env) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	topics, logs, err := w.List(ctx)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"botId": w.ID(), "topics": orNone(topics), "logs": orNone(logs)})
	}
	if len(topics)+len(logs) == 0 {
		e.say("no topics and no day logs yet; `quipu remember TEXT --topic NAME` makes one")
		return nil
	}
	var rows [][]string
	for _, f := range append(append([]repo.FileInfo{}, topics...), logs...) {
		title := f.Title
		if f.Description != "" {
			title += " — " + f.Description
		}
		rows = append(rows, []string{f.Path, fmt.Sprintf("%d B", f.Bytes), f.ModifiedAt.Local().Format("2006-01-02 15:04"), title})
	}
	return e.page(ctx, table(rows))
}
