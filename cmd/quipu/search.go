package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/server"
)

func newSearch() *cli.Command {
	return &cli.Command{
		Name: "search", Category: "read", ArgsUsage: "[WORDS]",
		Usage: "look through notes, day logs and conversations",
		Description: "By words, by time, or by both. Edits made outside are taken in first. You see all that was said to the bot; " +
			"with --room or --member what is found there.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "since", Usage: "from this `TIME` on"},
			&cli.StringFlag{Name: "until", Usage: "up to this `TIME`, a day to its end"},
			&cli.StringFlag{Name: "scope", Usage: "look through `WHAT`: all, notes, conversations", Value: "all"},
			&cli.IntFlag{Name: "n", Usage: "at most `N` of the notes and of what was said", Value: 12},
		},
		Action: func(c *cli.Context) error {
			return runSearch(c.Context, envOf(c), searchArgs{
				Words: strings.Join(c.Args().Slice(), " "), Since: c.String("since"), Until: c.String("until"), Scope: c.String("scope"), N: c.Int("n"),
			})
		},
	}
}

type searchArgs struct {
	Words, Since, Until, Scope string
	N                          int
}

func runSearch(ctx context.Context, e *env, a searchArgs) error {
	if !slices.Contains([]string{"all", "notes", "conversations"}, a.Scope) {
		return usage("write --scope all, notes or conversations", "%q is no scope", a.Scope)
	}
	if a.N < 1 {
		return usage("as in `quipu search -n 20 WORDS`", "-n %d is no number of hits", a.N)
	}
	text, err := e.input(a.Words)
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" && a.Since == "" && a.Until == "" {
		return usage("as in `quipu search WORDS`, or `quipu search --since yesterday`", "search needs words or a time")
	}
	w, turns, err := e.turns(ctx)
	if err != nil {
		return err
	}
	q := hooks.Search{Words: text, Scope: a.Scope, Limit: a.N}
	q.Conversation, q.Speaker = e.asks()
	now := e.Now().In(e.opened.Config().LocationOf(w.ID()))
	if q.Since, err = whenFlag(a.Since, now, false); err != nil {
		return err
	}
	if q.Until, err = whenFlag(a.Until, now, true); err != nil {
		return err
	}
	if err := e.takeIn(ctx, w); err != nil {
		return err
	}
	found, err := turns.Search(ctx, w.ID(), q)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(server.AnswerSearch(found))
	}
	if len(found.Hits) == 0 {
		e.say("nothing found")
		return nil
	}
	return e.page(ctx, e.hits(found.Hits))
}

// hits lays out what was found, two lines each: where and when, and the words there.
func (e *env) hits(list []hooks.Found) string {
	var b strings.Builder
	for _, h := range list {
		at := h.Label
		if h.Path != "" {
			at = h.Path
			if h.Line > 0 {
				at += fmt.Sprintf(":%d", h.Line)
			}
			if h.Layer != "" {
				at = h.Layer + " · " + at
			}
		}
		day := h.Date
		if day == "" {
			day = "undated"
		}
		fmt.Fprintf(&b, "%s  %s  %s\n    %s\n", e.paint(faint, clean(day)), clean(h.Kind), e.paint(cyan, clean(at)), clean(h.Snippet))
	}
	return b.String()
}
