package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func newGate() *cli.Command {
	return &cli.Command{
		Name: "gate", Category: "read", ArgsUsage: "DRAFT",
		Usage: "may the bot say this unasked?",
		Description: "Holds a draft against the directives, against what was raised unprompted more than twice in five hours, and against what you disputed. " +
			"Prints pass or drop, and why. Exit status 9 when it is to be dropped. Nothing of the draft is kept.",
		Action: func(c *cli.Context) error {
			args, err := words(c, "DRAFT")
			if err != nil {
				return err
			}
			return runGate(c.Context, envOf(c), args[0])
		},
	}
}

func runGate(ctx context.Context, e *env, draft string) error {
	draft, err := e.input(draft)
	if err != nil {
		return err
	}
	w, turns, err := e.turns(ctx)
	if err != nil {
		return err
	}
	got, err := turns.Gate(ctx, w.ID(), draft)
	if err != nil {
		return err
	}
	if e.json {
		if err := e.print(got); err != nil {
			return err
		}
	} else {
		var why []string
		for _, d := range got.Directives {
			why = append(why, "you asked not to hear of "+d.Told())
		}
		for _, q := range got.Quiet {
			why = append(why, fmt.Sprintf("%s was raised too often of late, quiet until %s", q.Name, q.Until.In(w.Now().Location()).Format("15:04")))
		}
		if got.Disputed {
			why = append(why, "it says what you disputed")
		}
		text := "pass\n"
		if !got.Pass {
			text = "drop · " + strings.Join(why, " · ") + "\n"
		}
		if err := e.write(e.shown(text)); err != nil {
			return err
		}
		if r := got.Repeats; r != nil {
			e.say("it raises again what was said on %s (%s)", r.At.In(w.Now().Location()).Format("2006-01-02 15:04"), strings.Join(r.Words, ", "))
		}
	}
	if !got.Pass {
		return errFound
	}
	return nil
}
