package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

// completing is the last argument of a call that a shell makes to complete a line.
const completing = "--complete-words"

// complete prints the words that may follow what was typed, one a line: flags after
// a dash, bots after --bot, else verbs, and after a verb that takes a note the notes.
// What cannot be told it leaves out: a shell has no use for errors.
func (e *env) complete(ctx context.Context, app *cli.App, typed []string) {
	l := &line{flags: app.Flags}
	begun, wanted := "", ""
	for i := 0; i < len(typed); i++ {
		word := typed[i]
		if len(word) == 0 || word[0] != '-' {
			_ = l.word(app.Commands, word) // a word that is no verb yet completes to nothing
			continue
		}
		name := strings.TrimLeft(word, "-")
		f, _ := l.find(name)
		last := i == len(typed)-1
		switch {
		case last && f != nil && takesValue(f):
			wanted = name
		case last:
			begun = word
		case f != nil && takesValue(f):
			e.noteFlag(name, typed[i+1])
			i++
		}
	}
	switch {
	case wanted == "bot":
		e.completeBots(ctx)
	case wanted != "":
	case begun != "":
		e.completeFlags(l, begun)
	default:
		e.completeWords(ctx, app, l)
	}
}

// noteFlag keeps what the line says about whose notes it means.
func (e *env) noteFlag(name, value string) {
	switch name {
	case "home":
		e.home = value
	case "bot":
		e.bot = value
	case "room":
		e.room = value
	case "member":
		e.member = value
	}
}

func (e *env) completeFlags(l *line, begun string) {
	flags := l.flags
	if len(l.path) > 0 {
		flags = append(append([]cli.Flag{}, l.path[len(l.path)-1].Flags...), flags...)
	}
	for _, f := range flags {
		name := f.Names()[0]
		dashed := "--" + name
		if len(name) == 1 {
			dashed = "-" + name
		}
		if strings.HasPrefix(dashed, begun) {
			fmt.Fprintln(e.Out, dashed)
		}
	}
}

func (e *env) completeWords(ctx context.Context, app *cli.App, l *line) {
	verbs := app.Commands
	if len(l.path) > 0 {
		verbs = l.path[len(l.path)-1].Subcommands
	}
	for _, v := range verbs {
		if !v.Hidden {
			fmt.Fprintf(e.Out, "%s:%s\n", v.Name, v.Usage)
		}
	}
	if len(l.path) > 0 && len(l.words) == 0 && strings.Contains(l.path[len(l.path)-1].ArgsUsage, "PATH") {
		e.completePaths(ctx)
	}
}

// quietStore opens the home that the environment and the line name.
func (e *env) quietStore() (*repo.Store, error) {
	e.quiet = true
	e.home = firstOf(e.home, e.Getenv("QUIPU_HOME"))
	e.bot = firstOf(e.bot, e.Getenv("QUIPU_BOT"))
	return e.Store()
}

func (e *env) completeBots(ctx context.Context) {
	s, err := e.quietStore()
	if err != nil {
		return
	}
	bots, err := s.Bots(ctx)
	if err != nil {
		return
	}
	for _, b := range bots {
		fmt.Fprintln(e.Out, b.ID)
	}
}

func (e *env) completePaths(ctx context.Context) {
	if _, err := e.quietStore(); err != nil {
		return
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return
	}
	topics, logs, err := w.List(ctx)
	if err != nil {
		return
	}
	fmt.Fprintln(e.Out, "MEMORY.md")
	for _, f := range append(topics, logs...) {
		fmt.Fprintln(e.Out, f.Path)
	}
}
