package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newRules() *cli.Command {
	return &cli.Command{
		Name: "rules", Category: "read",
		Usage: "what may be kept: the switches in force",
		Description: "Lists each switch with its value, where that comes from, and what the switch refuses. A preset sets many at once: `quipu config set rules.preset kotoba`, " +
			"or bots.BOT.rules.preset for one bot; rules.SWITCH sets one beside it. Presets: " + strings.Join(policy.Presets(), ", ") + ".",
		Action: noArgs(runRules),
		Subcommands: []*cli.Command{{
			Name: "try", Usage: "what would become of TEXT, and why; nothing is written", ArgsUsage: "TEXT",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "topic", Usage: "the topic it would go to"},
				&cli.StringFlag{Name: "said", Usage: "the message of yours that it rests on"},
				&cli.StringFlag{Name: "quote", Usage: "the words of it that the bot would quote"},
				&cli.BoolFlag{Name: "asked", Usage: "as if you asked for it yourself"},
			},
			Action: func(c *cli.Context) error {
				args, err := words(c, "TEXT")
				if err != nil {
					return err
				}
				t := server.Trial{Text: args[0], Topic: c.String("topic"), Said: c.String("said"), Quote: c.String("quote"), Asked: c.Bool("asked")}
				return runRulesTry(c.Context, envOf(c), t)
			},
		}},
	}
}

func runRules(c *cli.Context, e *env) error {
	w, err := e.botsNotes(c.Context)
	if err != nil {
		return err
	}
	rules := server.AnswerRules(w.Rules())
	if e.json {
		return e.print(rules)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "preset  %s\n", rules.Preset)
	for _, s := range rules.Switches {
		fmt.Fprintf(&b, "%-20s %-8s %-18s %s\n", s.Name, valueWords(s.Value), s.From, s.Refuses)
	}
	return e.write(e.shown(b.String()))
}

// valueWords is a switch's value for a person.
func valueWords(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "on"
		}
		return "off"
	case []string:
		if len(v) == 0 {
			return "any"
		}
		return strings.Join(v, ",")
	case int:
		if v == 0 {
			return "off"
		}
	}
	return fmt.Sprint(v)
}

func runRulesTry(ctx context.Context, e *env, t server.Trial) error {
	text, err := e.input(t.Text)
	if err != nil {
		return err
	}
	t.Text = text
	w, err := e.botsNotes(ctx)
	if err != nil {
		return err
	}
	who, err := e.person()
	if err != nil {
		return err
	}
	got, err := t.Run(ctx, w, who, repo.ViaCLI)
	if err != nil {
		return err
	}
	if err := e.tellTried(got); err != nil || got.Passes {
		return err
	}
	return errFound
}

func (e *env) tellTried(got repo.Tried) error {
	if e.json {
		return e.print(got)
	}
	var b strings.Builder
	switch {
	case got.Known:
		fmt.Fprintf(&b, "known already: %s\n", got.Entry)
	case got.Passes:
		fmt.Fprintf(&b, "kept as: %s\n", got.Entry)
	default:
		b.WriteString("refused\n")
	}
	for _, entry := range got.Retired {
		fmt.Fprintf(&b, "would be taken out: %s\n", entry)
	}
	for _, entry := range got.Against {
		fmt.Fprintf(&b, "still says otherwise: %s\n", entry)
	}
	for _, f := range got.Findings {
		fmt.Fprintf(&b, "%s: %s\n", f.Name(), f.Reason)
	}
	if got.Reason != "" {
		fmt.Fprintf(&b, "%s\n", got.Reason)
	}
	if got.Redacted > 0 {
		fmt.Fprintf(&b, "masked: %d\n", got.Redacted)
	}
	return e.write(e.shown(b.String()))
}
