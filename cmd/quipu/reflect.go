package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newReflect() *cli.Command {
	return &cli.Command{
		Name: "reflect", Category: "care",
		Usage: "ask the model what several facts say together",
		Description: "What it draws is a guess: it goes to memory/reflections.md with the facts that it rests on, and the bot asks you about it once. " +
			"It is refused when it rests on one fact, brings numbers of its own, sets a rule, or says again what is noted or disputed. " +
			"`quipu serve` does this at night, when five facts are new. --dry-run asks and writes nothing.",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runReflect(c.Context, envOf(c), c.Bool("dry-run"))
		},
	}
}

func newReflections() *cli.Command {
	return &cli.Command{
		Name: "reflections", Category: "read",
		Usage: "what was drawn from several facts, and how sure it is",
		Description: "A reflection begins with little support, by how much its facts matter. Your yes adds one, your no puts it out, silence for a day takes a little. " +
			"From two on the nightly tidy-up moves it to MEMORY.md. It is out as long as a fact that it rests on is out, and goes to the archive then, " +
			"as it does after 14 days below zero.",
		Action: noArgs(runReflections),
		Subcommands: []*cli.Command{{
			Name: "answer", Usage: "say whether FACT is so", ArgsUsage: "FACT yes|no", Flags: []cli.Flag{dryRunFlag()},
			Description: "FACT is the reflection's text, a part of it that no other note has, or PATH:LINE.",
			Action: func(c *cli.Context) error {
				args, err := words(c, "FACT", "yes|no")
				if err != nil {
					return err
				}
				return runAnswer(c.Context, envOf(c), args[0], args[1], c.Bool("dry-run"))
			},
		}},
	}
}

func runReflect(ctx context.Context, e *env, dry bool) error {
	w, up, err := e.upkeep(ctx)
	if err != nil {
		return err
	}
	r, err := up.Reflect(ctx, w.ID(), hooks.Reflecting{DryRun: dry})
	if err != nil {
		return e.notTended(err, w.ID())
	}
	if e.json {
		return e.print(r)
	}
	for _, d := range r.Drawn {
		if err := e.write(e.shown(d.Fact) + "\n" + e.cited(d.From)); err != nil {
			return err
		}
	}
	e.say("%s", reflected(r, dry))
	if r.Note != "" {
		e.say("left out: %s", clean(r.Note))
	}
	e.saveHint(r.Changes)
	return nil
}

// cited are the facts that a reflection rests on, a line each.
func (e *env) cited(facts []string) string {
	var b strings.Builder
	for _, f := range facts {
		if f != "" { // forgotten
			b.WriteString("  from: " + e.shown(f) + "\n")
		}
	}
	return b.String()
}

// whyNotDrawn says what a rule of reflections means, where it means something else than in
// capture.
var whyNotDrawn = map[policy.Rule]string{
	policy.RuleFew: "rests on fewer than two facts", policy.RuleMany: "more than three at once", policy.RuleKnown: "is noted already",
	policy.RuleDisputed: "is disputed", policy.RuleQuiet: "you asked not to mention it", policy.RuleOrder: "a rule for the bot",
	policy.RuleTopic: "religion, politics, health or the like",
}

// reflected says in one line what a pass came to.
func reflected(r hooks.ReflectReport, dry bool) string {
	text := "nothing was drawn"
	if n := len(r.Drawn); n > 0 {
		text = map[bool]string{true: "would draw ", false: "drew "}[dry] + counted(n, "reflection", "reflections")
	}
	for _, rule := range slices.Sorted(maps.Keys(r.Refused)) {
		why := firstOf(whyNotDrawn[policy.Rule(rule)], whyNotKept[policy.Rule(rule)], clean(rule))
		text += fmt.Sprintf("; %d refused: %s", r.Refused[rule], why)
	}
	if r.Skipped > 0 {
		text += fmt.Sprintf("; %d passed over, because their facts changed meanwhile", r.Skipped)
	}
	return text
}

func runReflections(c *cli.Context, e *env) error {
	w, err := e.botsNotes(c.Context)
	if err != nil {
		return err
	}
	list, err := w.Guesses(c.Context)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(server.ReflectionsAnswer{Reflections: list})
	}
	if len(list) == 0 {
		e.say("nothing was drawn from the facts so far; `quipu reflect` asks the model")
	}
	for _, g := range list {
		line := fmt.Sprintf("%s  %s:%d\n  %s\n", e.shown(g.Fact), clean(g.Path), g.Line, stands(g, w.Now()))
		if err := e.write(line + e.cited(g.From)); err != nil {
			return err
		}
	}
	return nil
}

// stands says how a reflection stands.
func stands(g repo.Guess, now time.Time) string {
	var parts []string
	switch {
	case g.Fell:
		parts = append(parts, "out: a fact that it rests on does not stand")
	case g.Disputed:
		parts = append(parts, "out: disputed")
	default:
		parts = append(parts, string(g.Tier))
	}
	if g.Score != nil {
		parts = append(parts, fmt.Sprintf("score %.2f", *g.Score))
	}
	switch {
	case g.Shown.IsZero():
		parts = append(parts, "not asked yet")
	case g.Answered:
		parts = append(parts, "asked "+g.Shown.In(now.Location()).Format(time.DateOnly))
	default:
		parts = append(parts, "asked "+g.Shown.In(now.Location()).Format(time.DateOnly)+", no answer")
	}
	return strings.Join(parts, ", ")
}

func runAnswer(ctx context.Context, e *env, fact, answer string, dry bool) error {
	if answer != "yes" && answer != "no" {
		return usage("say yes or no", "%q is no answer", answer)
	}
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(dry)
	if err != nil {
		return err
	}
	r, err := w.Answer(ctx, m, fact, answer == "yes")
	if err != nil {
		return hinted(err, "`quipu reflections` lists them")
	}
	if e.json {
		return e.printAnswer(r, "answered", false)
	}
	switch {
	case dry:
		e.say("would keep your %s (dry run, nothing is written)", answer)
	case answer == "yes":
		e.say("kept: it is so")
	default:
		e.say("kept: it is not so, and enters no prompt")
	}
	return nil
}
