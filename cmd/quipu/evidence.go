package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
)

func newEvidence() *cli.Command {
	return &cli.Command{
		Name: "evidence", Category: "read", ArgsUsage: "[FACT]",
		Usage: "how sure a fact is: what speaks for it and against it",
		Description: "FACT is words that stand in one note alone, or PATH:LINE; without it every fact that has evidence is listed, the lowest first. " +
			"A score is support less dispute: support is halved every 30 days, dispute every 180; 1 is confirmed, 2 promoted. " +
			"A disputed fact that is below zero enters no prompt, and after 14 such days its note may leave for the archive.",
		Flags: []cli.Flag{&cli.StringFlag{Name: "at", Usage: "as it stood at this `TIME`"}},
		Action: func(c *cli.Context) error {
			args, err := words(c, "[FACT]")
			if err != nil {
				return err
			}
			return runEvidence(c.Context, envOf(c), args[0], c.String("at"))
		},
		Subcommands: []*cli.Command{{
			Name: "log", ArgsUsage: "[FACT]",
			Usage: "the signals that moved one fact, or any, newest first",
			Flags: []cli.Flag{&cli.IntFlag{Name: "n", Usage: "at most `N` signals", Value: 50}},
			Action: func(c *cli.Context) error {
				args, err := words(c, "[FACT]")
				if err != nil {
					return err
				}
				return runEvidenceLog(c.Context, envOf(c), args[0], c.Int("n"))
			},
		}},
	}
}

func runEvidence(ctx context.Context, e *env, fact, at string) error {
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	then, err := whenFlag(at, e.here(w), true)
	if err != nil {
		return err
	}
	if fact == "" {
		return e.listEvidence(ctx, w, then)
	}
	if fact, err = e.fact(fact); err != nil {
		return err
	}
	x, err := w.Evidence(ctx, fact, then)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(x)
	}
	return e.page(ctx, e.standingOf(x.Stand())+e.grounds(x, e.here(w).Location()))
}

// here is now, where the bot is.
func (e *env) here(w *repo.Workspace) time.Time {
	return e.Now().In(e.opened.Config().LocationOf(w.ID()))
}

func (e *env) listEvidence(ctx context.Context, w *repo.Workspace, at time.Time) error {
	list, err := w.Standings(ctx, at)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"facts": orNone(list)})
	}
	if len(list) == 0 {
		e.say("nothing speaks for a note or against one yet; `quipu support FACT` and `quipu dispute FACT` do")
		return nil
	}
	rows := make([][]string, 0, len(list))
	for _, x := range list {
		score, state := "-", "protected"
		if x.Score != nil {
			score, state = scored(*x.Score), strings.ReplaceAll(string(x.Tier), "_", " ")
		}
		if x.Disputed {
			state = "disputed"
		}
		rows = append(rows, []string{score, state, placeOf(x), x.Fact})
	}
	return e.page(ctx, table(rows))
}

// grounds is what a standing is made of: the quantities, the days below zero, the words
// and the signals.
func (e *env) grounds(x repo.Evidence, zone *time.Location) string {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(clean(fmt.Sprintf(format, args...)) + "\n") }
	switch {
	case x.Restates != "":
		line("says again what was disputed: %s", x.Restates)
	case x.Disputed && x.Dispute == 0:
		line("what it was drawn from is disputed or gone")
	case x.Settled && x.Dispute > 0:
		line("disputed once, and settled by you since")
	}
	if x.Below > 0 {
		line("below zero on %d of %d days", x.Below, policy.ArchiveDays)
	}
	if x.Origin != "" {
		line("%s, from %s", x.Origin, count(x.Sources, "message"))
	}
	for _, s := range x.Said {
		if s.Quote != "" {
			line("%s  %q", s.At.In(zone).Format("2006-01-02"), s.Quote)
		}
	}
	if len(x.Moved) == 0 {
		line("nothing spoke for it or against it yet")
	}
	return b.String() + e.signals(x.Moved, zone, false)
}

func runEvidenceLog(ctx context.Context, e *env, fact string, n int) error {
	if n < 1 {
		return usage("as in `quipu evidence log -n 20`", "-n %d is no number of signals", n)
	}
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	if fact, err = e.fact(fact); err != nil {
		return err
	}
	list, err := w.EvidenceLog(ctx, fact, n)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"signals": orNone(list)})
	}
	if len(list) == 0 {
		e.say("no signals")
		return nil
	}
	return e.page(ctx, e.signals(list, e.here(w).Location(), fact == ""))
}

// signals lays out what moved facts, one a line: when, how, to what, who, in which words.
func (e *env) signals(list []policy.Transition, zone *time.Location, named bool) string {
	rows := make([][]string, 0, len(list))
	for _, t := range list {
		tier := strings.ReplaceAll(string(t.Tier), "_", " ")
		if t.Tier != t.Was {
			tier = strings.ReplaceAll(string(t.Was), "_", " ") + " to " + tier
		}
		row := []string{t.At.In(zone).Format("2006-01-02 15:04"), signalWords(t.Why), scored(t.Score), tier, t.By}
		if named {
			row = append(row, t.Fact)
		}
		if t.Quote != "" {
			row = append(row, fmt.Sprintf("%q", t.Quote))
		}
		rows = append(rows, row)
	}
	return table(rows)
}
