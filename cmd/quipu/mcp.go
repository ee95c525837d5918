package main

import (
	"context"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"quipu/hooks"
	"quipu/repo"
	"quipu/server"
	"quipu/server/mcp"
)

func newMCP() *cli.Command {
	return &cli.Command{
		Name: "mcp", Category: "serve",
		Usage: "serve a bot's memory to an MCP client over standard input and output",
		Description: "A client of the Model Context Protocol starts it, as Claude Code, Cursor or Codex, with --bot or QUIPU_BOT to say whose memory it is. " +
			"It acts for the bot: what the person did it cannot undo, and no other bot is in its reach. `quipu serve` has the same at /mcp.",
		Action: noArgs(func(c *cli.Context, e *env) error { return runMCP(c.Context, e) }),
	}
}

func runMCP(ctx context.Context, e *env) error {
	if e.InTerm {
		return usage("as in `claude mcp add quipu -- quipu mcp --bot scout`", "an MCP client starts this: it speaks JSON on standard input and output")
	}
	e.door, e.resident = repo.ViaMCP, true
	e.log = e.serverLog()
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	s, err := e.Store()
	if err != nil {
		return err
	}
	m, err := mcp.New(ctx, s, w.ID(), mcp.Options{
		Now: e.Now, Log: e.log, Version: version().Version, Sentence: func(err error) string { return server.Sentence(s, err) },
		Models: hooks.NewModels(s, e.Now, e.lookup, e.log),
	})
	if err != nil {
		return err
	}
	err = m.Run(ctx, mcp.Stdio(e.In, e.Out))
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) { // the client went
		return nil
	}
	return err
}
