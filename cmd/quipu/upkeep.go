package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/hooks/model"
	"quipu/repo"
)

// usualPause is how long a pause lasts that nobody ends.
const usualPause = time.Hour

func newUpkeep() *cli.Command {
	return &cli.Command{
		Name: "upkeep", Category: "care",
		Usage: "how the notes are kept in shape by themselves, and by which model",
		Description: "While `quipu serve` runs, a chat that went quiet is read for what is new, and once a night the notes are tidied. The steps that need judgement ask a " +
			"model: name one in config.json under models, for example {\"models\":{\"local\":{\"kind\":\"openai\",\"baseURL\":\"http://127.0.0.1:11434/v1\",\"model\":\"llama3.2\"}},\"model\":\"local\"}; " +
			"kind is openai, anthropic or exec, and keyEnv names the variable that holds the key. Without a model the other steps run.",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runUpkeep(c.Context, envOf(c))
		},
		Subcommands: []*cli.Command{
			{
				Name: "pause", Usage: "stop upkeep of every bot for a while, as for a backup",
				Flags: []cli.Flag{dryRunFlag(), &cli.StringFlag{Name: "for", Value: "1h", Usage: "how long, as `30m` or 12h; it then goes on by itself"}},
				Action: func(c *cli.Context) error {
					if _, err := words(c); err != nil {
						return err
					}
					return runPause(envOf(c), c.String("for"), c.Bool("dry-run"))
				},
			},
			{
				Name: "resume", Usage: "end a pause", Flags: []cli.Flag{dryRunFlag()},
				Action: func(c *cli.Context) error {
					if _, err := words(c); err != nil {
						return err
					}
					return runResume(envOf(c), c.Bool("dry-run"))
				},
			},
			{
				Name: "usage", Usage: "what models were asked for, and what it took",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "since", Usage: "from this `TIME` on (default: the first of the month)"},
					&cli.BoolFlag{Name: "csv", Usage: "each call, as CSV"},
				},
				Action: func(c *cli.Context) error {
					if _, err := words(c); err != nil {
						return err
					}
					return runUsage(envOf(c), c.String("since"), c.Bool("csv"))
				},
			},
		},
	}
}

func runUpkeep(ctx context.Context, e *env) error {
	w, up, err := e.upkeep(ctx)
	if err != nil {
		return err
	}
	s, err := up.Status(ctx, w.ID())
	if err != nil {
		return err
	}
	if e.json {
		return e.print(s)
	}
	return e.write(e.upkeepLines(s))
}

// notTended says how upkeep that is off or paused is switched on again.
func (e *env) notTended(err error, bot repo.ID) error {
	if !errors.Is(err, repo.ErrOff) {
		return err
	}
	hint := "`quipu upkeep resume` ends the pause"
	switch c := e.opened.Config(); {
	case !c.MemoryOn(bot):
		hint = fmt.Sprintf("switch it on with `quipu config set bots.%s.memoryEnabled true`", bot)
	case !c.UpkeepOn(bot):
		hint = fmt.Sprintf("switch it on with `quipu config set bots.%s.memoryUpkeep true`", bot)
	}
	return &told{err: err, text: err.Error(), hint: hint}
}

func (e *env) upkeepLines(s hooks.UpkeepStatus) string {
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", key, fmt.Sprintf(format, args...))
	}
	line("upkeep", "%s", map[bool]string{true: "on", false: "off"}[s.Enabled])
	switch {
	case s.Helper:
		line("model", "%s (the helper)", clean(s.Engine))
	case s.ModelSteps:
		line("model", "%s", clean(s.Engine))
	default:
		line("model", "none: only expiry, exact duplicates and the budget are kept")
	}
	if s.Reason != "" {
		line("because", "%s", clean(s.Reason))
	}
	if r := s.Running; r != nil {
		line("running", "%s: %s (%d of %d)", r.Job, clean(r.Step), r.Done, r.Of)
	}
	for _, note := range s.Notes {
		line("note", "%s", clean(note))
	}
	line("waiting", "%s", counted(s.Waiting, "turn", "turns"))
	line("last tidy", "%s", e.reported(s.LastTidy, func(raw json.RawMessage) (int64, string) {
		var r hooks.TidyReport
		_ = json.Unmarshal(raw, &r) // what is not there is zero
		return r.At, beside(tidied(r, false), r.Note)
	}))
	line("last capture", "%s", e.reported(s.LastCapture, func(raw json.RawMessage) (int64, string) {
		var r hooks.CaptureReport
		_ = json.Unmarshal(raw, &r)
		return r.At, beside(captured(r), r.Note)
	}))
	return b.String()
}

func (e *env) reported(raw json.RawMessage, read func(json.RawMessage) (int64, string)) string {
	if len(raw) == 0 {
		return "never"
	}
	at, text := read(raw)
	return time.UnixMilli(at).In(e.Now().Location()).Format("2006-01-02 15:04") + "  " + text
}

// beside joins what was done with what was left out, and why.
func beside(did, left string) string {
	if left == "" {
		return did
	}
	return did + " (" + clean(left) + ")"
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func runPause(e *env, length string, dry bool) error {
	d := usualPause
	if length != "" {
		var err error
		if d, err = time.ParseDuration(length); err != nil || d <= 0 {
			return usage("write 30m, 2h or the like", "%q is no length of time", length)
		}
	}
	s, err := e.Store()
	if err != nil {
		return err
	}
	until := e.Now().Add(d)
	if dry {
		e.say("upkeep would be paused until %s", until.Format("2006-01-02 15:04"))
		return nil
	}
	if err := s.PauseUpkeep(until); err != nil {
		return err
	}
	e.say("upkeep is paused until %s; `quipu upkeep resume` ends that", until.Format("2006-01-02 15:04"))
	return e.told(map[string]any{"ok": true, "pausedUntil": until.UTC().Format(time.RFC3339)})
}

func runResume(e *env, dry bool) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	if dry {
		e.say("upkeep would go on")
		return nil
	}
	if err := s.PauseUpkeep(time.Time{}); err != nil {
		return err
	}
	e.say("upkeep goes on")
	return e.told(map[string]any{"ok": true})
}

// told prints an answer where JSON was asked for.
func (e *env) told(answer any) error {
	if !e.json {
		return nil
	}
	return e.print(answer)
}

func runUsage(e *env, since string, csv bool) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	now := e.Now().In(s.Config().Location())
	from := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	if since != "" {
		if from, err = when(since, now, false); err != nil {
			return err
		}
	}
	uses, err := hooks.NewModels(s, e.Now, e.lookup, e.logger()).Usage(from, e.Now())
	if err != nil {
		return err
	}
	switch {
	case csv:
		var b strings.Builder
		if err := model.WriteCSV(&b, uses); err != nil {
			return err
		}
		return e.write(b.String())
	case e.json:
		return e.print(map[string]any{"uses": append([]model.Use{}, uses...)})
	}
	return e.write(summed(uses))
}

// summed is what was used, by engine and job.
func summed(uses []model.Use) string {
	if len(uses) == 0 {
		return "no model was asked\n"
	}
	type sum struct {
		calls, failed, in, out int
		cost                   float64
	}
	sums := map[string]*sum{}
	var order []string
	for _, u := range uses {
		key := fmt.Sprintf("%s  %s  %s", u.Engine, u.Job, u.Bot)
		if sums[key] == nil {
			sums[key] = &sum{}
			order = append(order, key)
		}
		s := sums[key]
		s.calls, s.in, s.out = s.calls+1, s.in+u.In, s.out+u.Out
		if !u.OK {
			s.failed++
		}
		if u.Cost != nil {
			s.cost += *u.Cost
		}
	}
	var b strings.Builder
	for _, key := range order {
		s := sums[key]
		fmt.Fprintf(&b, "%s  %s, %d failed, %d tokens in, %d out", clean(key), counted(s.calls, "call", "calls"), s.failed, s.in, s.out)
		if s.cost > 0 {
			fmt.Fprintf(&b, ", cost %.4f", s.cost)
		}
		b.WriteString("\n")
	}
	return b.String()
}
