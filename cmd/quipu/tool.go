package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

func newTool() *cli.Command {
	return &cli.Command{
		Name: "tool", Category: "write", ArgsUsage: "COMMAND",
		Usage: "run one command of the memory tool, for a bot's harness",
		Description: `COMMAND is the JSON object of a call of memory_20250818, as {"command":"view","path":"/memories"}. ` +
			"It acts for the bot: the notes lie under /memories, each command that writes is one change, and what is printed is the tool's answer, word for word. " +
			"An answer that is an error goes to standard error, with exit status 2.",
		Flags: []cli.Flag{dryRunFlag()},
		Action: func(c *cli.Context) error {
			args, err := words(c, "COMMAND")
			if err != nil {
				return err
			}
			return runTool(c.Context, envOf(c), toolArgs{Command: args[0], DryRun: c.Bool("dry-run")})
		},
	}
}

type toolArgs struct {
	Command string
	DryRun  bool
}

func runTool(ctx context.Context, e *env, a toolArgs) error {
	text, err := e.input(a.Command)
	if err != nil {
		return err
	}
	c, err := policy.ParseTool([]byte(text))
	if err != nil {
		return toolFault(err)
	}
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: string(w.ID())}, Via: repo.ViaCLI, Source: "tool", DryRun: a.DryRun}
	answer, r, err := w.Tool(ctx, m, c)
	if err != nil {
		return toolFault(err)
	}
	if !e.json {
		return e.write(e.shown(answer) + "\n")
	}
	out := server.ToolAnswer{Result: answer, Moved: append([]string{}, r.Moved...), Truncated: r.Truncated}
	if r.Change != "" {
		out.Change = &r.Change
	}
	return e.print(out)
}

// toolFault tells an error of the tool in its own words, which a harness hands on.
func toolFault(err error) error {
	if said, ok := errors.AsType[*policy.ToolError](err); ok {
		return &told{err: repo.ErrInvalid, text: said.Text}
	}
	return err
}
