package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newStats() *cli.Command {
	return &cli.Command{
		Name: "stats", Category: "read",
		Usage:       "the memory over time: changes a month, how full it was, where its notes came from",
		Description: "A change counts once, and only if quipu log lists it. Notes that are struck through are not counted. --json has each day and each size; the panel draws them.",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runStats(c.Context, envOf(c))
		},
	}
}

func runStats(ctx context.Context, e *env) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	s, err := w.Stats(ctx)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(s)
	}
	return e.page(ctx, statsText(s))
}

// statsText lays stats out by month; the panel has the picture.
func statsText(s repo.Stats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s to %s\n", count(s.Changes, "change"), s.Since, s.Until)
	b.WriteString(table(statMonths(s)))
	if len(s.Facts) > 0 {
		fmt.Fprintf(&b, "\n%s by where they came from\n", count(s.Entries, "note"))
		var rows [][]string
		for _, f := range s.Facts {
			rows = append(rows, []string{"  " + statOrigins[f.From], fmt.Sprint(f.Entries)})
		}
		b.WriteString(table(rows))
	}
	return b.String()
}

// statMonths are the months with changes: how many, by whom, and how large MEMORY.md was at the end of each.
func statMonths(s repo.Stats) (rows [][]string) {
	const yearMonth = len("2006-01")
	month, all, by := "", 0, map[repo.AuthorKind]int{}
	flush := func() {
		if all == 0 {
			return
		}
		var who []string
		for _, k := range repo.AuthorKinds() {
			if by[k] > 0 {
				who = append(who, fmt.Sprintf("%s %d", k, by[k]))
			}
		}
		full := ""
		for _, size := range slices.Backward(s.Sizes) {
			if size.Day[:yearMonth] <= month {
				full = fmt.Sprintf("%d of %d lines, %d of %d bytes", size.Lines, s.MaxLines, size.Bytes, s.MaxBytes)
				break
			}
		}
		rows = append(rows, []string{"  " + month, fmt.Sprint(all), strings.Join(who, ", "), full})
		all, by = 0, map[repo.AuthorKind]int{}
	}
	for _, d := range s.Days {
		if m := d.Day[:yearMonth]; m != month {
			flush()
			month = m
		}
		all += d.Changes
		for k, n := range d.By {
			by[k] += n
		}
	}
	flush()
	return rows
}

// statOrigins says where notes came from.
var statOrigins = map[repo.Origin]string{
	repo.FromChat: "from chats", repo.FromRoom: "from rooms", repo.FromCapture: "noticed after a chat", repo.FromPanel: "in the panel",
	repo.FromCLI: "on the command line", repo.FromAPI: "over the API", repo.FromOutside: "edited outside quipu", repo.FromImport: "imported",
	repo.FromUpkeep: "by memory upkeep", repo.FromSync: "from another machine", repo.FromBot: "by the bot, no place said",
}
