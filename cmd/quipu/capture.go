package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newCapture() *cli.Command {
	return &cli.Command{
		Name: "capture", Category: "care", ArgsUsage: "[FILE]",
		Usage: "read chats and file what is new",
		Description: "With FILE (or - for standard input) it reads lines of JSON, one for each thing that was said: {\"by\":\"owner\",\"text\":\"...\"}, by is owner, " +
			"person, self (the bot) or bot. Without FILE it reads the turns that wait to be read. A model finds what is new (`quipu help upkeep`); without one only what a " +
			"person plainly asked to remember (\"remember: ...\") is filed.",
		Flags: []cli.Flag{dryRunFlag(), &cli.StringFlag{Name: "source", Usage: "where it was said, as `chat \"Plans\"` (default: the file's name)"}},
		Action: func(c *cli.Context) error {
			args, err := words(c, "[FILE]")
			if err != nil {
				return err
			}
			return runCapture(c.Context, envOf(c), captureArgs{File: args[0], Source: c.String("source"), DryRun: c.Bool("dry-run")})
		},
	}
}

// whyNotKept says what a rule of capture means.
var whyNotKept = map[policy.Rule]string{
	policy.RuleForm: "not of the form that was asked for", policy.RuleBlank: "blank", policy.RuleLong: "over 300 characters",
	policy.RuleKind: "of no kind that there is", policy.RuleUnsure: "the model was not sure", policy.RulePast: "it is over",
	policy.RuleMany: "more than eight at once", policy.RuleEcho: "the model repeated its instructions", policy.RuleFrame: "marks of a prompt, or a block of code",
	policy.RuleSecret: "a credential", policy.RuleHostile: "it works against you", policy.RuleHarm: "how to do harm, or hate",
	policy.RuleVoice: "not your own words", policy.RuleQuote: "words that were not said", policy.RuleThin: "its quote says nothing by itself",
	policy.RuleCut: "its quote leaves out a word that turns the meaning", policy.RuleAsked: "a question", policy.RuleTask: "something to do",
	policy.RuleSuppose: "a supposition, or a part that was played", policy.RuleProxy: "what somebody else wants to know", policy.RuleHanded: "a text to work on",
	policy.RulePassing: "true for the moment only", policy.RuleGround: "a number, a path or an address that was not said",
	policy.RuleTopic: "religion, politics, health or the like, which you did not say of yourself", policy.RuleOrder: "a rule for the bot, not in your words",
	policy.RuleNote: "of a note that does not stand", policy.RuleFirm: "a note that only you dispute yourself: health, a rule, or written by hand",
	policy.RuleAgainst: "its quote says the contrary", policy.RuleOut: "disputed",
	"full": "its file is full",
}

type captureArgs struct {
	File, Source string
	DryRun       bool
}

func runCapture(ctx context.Context, e *env, a captureArgs) error {
	var said []repo.Message
	var err error
	if a.File != "" {
		if said, err = e.said(a.File); err != nil {
			return err
		}
	}
	w, up, err := e.upkeep(ctx)
	if err != nil {
		return err
	}
	var r hooks.CaptureReport
	if a.File != "" {
		r, err = up.CaptureSaid(ctx, w.ID(), firstOf(a.Source, fmt.Sprintf("file %q", filepath.Base(a.File))), said, a.DryRun)
	} else if err = e.opened.UpkeepAllowed(w.ID()); err == nil {
		r, err = up.Capture(ctx, w.ID(), hooks.Capturing{DryRun: a.DryRun})
	}
	if err != nil && r.Note == "" {
		return e.notTended(err, w.ID())
	}
	if e.json {
		return errors.Join(e.print(r), err)
	}
	e.say("%s%s", map[bool]string{true: "would be filed: "}[a.DryRun], strings.TrimPrefix(captured(r), map[bool]string{true: "noticed: "}[a.DryRun]))
	if r.Note != "" && err == nil {
		e.say("%s", clean(r.Note))
	}
	for _, why := range slices.Sorted(maps.Keys(r.Refused)) {
		e.say("not kept (%d): %s", r.Refused[why], firstOf(whyNotKept[policy.Rule(why)], clean(why)))
	}
	e.saveHint(r.Changes)
	return err
}

// readSaid reads lines of JSON. A line that is none names itself; nothing is read then.
func readSaid(text string) ([]repo.Message, error) {
	var out []repo.Message
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		said, err := server.ParseSaying([]byte(line))
		if err != nil {
			return nil, usage("a line is {\"by\":\"owner\",\"text\":\"...\"}", "line %d: %v", n, err)
		}
		out = append(out, said)
	}
	return out, nil
}

// said reads the file of a capture; - is standard input.
func (e *env) said(file string) ([]repo.Message, error) {
	if file == "-" {
		text, err := e.input(file)
		if err != nil {
			return nil, err
		}
		return readSaid(text)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(e.Dir, file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, &told{err: repo.ErrNotFound, text: "there is no file " + file}
	}
	text, err := (&env{In: f}).input("-")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	return readSaid(text)
}

// captured says in one line what was filed.
func captured(r hooks.CaptureReport) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(what, n))
		}
	}
	add(r.Added, "%d in MEMORY.md")
	add(r.Filed, "%d in topics")
	add(r.AboutMe, "%d in About me")
	add(r.Organized, "%d filed into topics")
	add(r.Known, "%d known already")
	add(r.Supported, "%d borne out")
	add(r.Disputed, "%d disputed")
	if len(parts) == 0 {
		return "nothing new"
	}
	return "noticed: " + strings.Join(parts, ", ")
}
