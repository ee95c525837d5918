package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"syscall"

	"github.com/urfave/cli/v2"

	"quipu/repo"
	"quipu/server"
)

func newServe() *cli.Command {
	return &cli.Command{
		Name: "serve", Category: "serve",
		Usage: "answer the HTTP API and show the panel until interrupted",
		Description: "Prints its address on standard output once it answers, and on standard error how to talk to it. " +
			"Every request needs a token: `quipu token show`.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "listen", Usage: "`ADDR` as host:port; port 0 takes a free one (default: the setting listen, else " + repo.DefaultListen + ")"},
			&cli.StringFlag{Name: "first-bot", Usage: "make a bot called `ID` when there is none"},
			&cli.BoolFlag{Name: "allow-remote", Usage: "listen beyond this machine; put TLS before it"},
		},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runServe(c.Context, envOf(c), serveArgs{
				Listen: c.String("listen"), FirstBot: repo.ID(c.String("first-bot")), Remote: c.Bool("allow-remote"),
			})
		},
	}
}

type serveArgs struct {
	Listen   string
	FirstBot repo.ID
	Remote   bool
}

func runServe(ctx context.Context, e *env, a serveArgs) error {
	e.door, e.resident = repo.ViaAPI, true
	e.log = e.serverLog() // what a server tells is read later, so it has its time
	s, err := e.Store()
	if err != nil {
		return err
	}
	addr := firstOf(a.Listen, s.Config().ListenAddr())
	if err := checkListen(addr, a.Remote); err != nil {
		return err
	}
	// The address first: a server that cannot answer leaves nothing behind.
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return notListening(err, addr)
	}
	defer func() { _ = ln.Close() }() // Serve closes it too
	if err := e.firstBot(ctx, s, a.FirstBot); err != nil {
		return err
	}
	if _, err := s.OwnerToken(); err != nil {
		return err
	}
	if err := e.greet(ctx, s, ln.Addr()); err != nil {
		return err
	}
	err = server.New(s, server.Options{Now: e.Now, Log: e.log, Getenv: e.lookup}).Serve(ctx, ln)
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		e.say("stopped")
		return nil
	}
	return err
}

// checkListen keeps the notes on this machine unless the person says otherwise.
func checkListen(addr string, remote bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return usage("as in --listen "+repo.DefaultListen, "%q is no address to listen on", addr)
	}
	ip := net.ParseIP(host)
	if remote || host == "localhost" || (ip != nil && ip.IsLoopback()) {
		return nil
	}
	return usage("add --allow-remote if that is meant, and name the hosts in the setting allowedHosts",
		"%s answers beyond this machine", addr)
}

func notListening(err error, addr string) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return &told{text: addr + " is taken by another program", hint: "choose another with --listen HOST:PORT, or --listen 127.0.0.1:0 for a free one"}
	}
	return &told{text: fmt.Sprintf("listen on %s: %v", addr, err), hint: "choose another with --listen HOST:PORT"}
}

// firstBot makes a bot in a home that has none.
func (e *env) firstBot(ctx context.Context, s *repo.Store, id repo.ID) error {
	bots, err := s.Bots(ctx)
	if err != nil || len(bots) > 0 || id == "" {
		return err
	}
	if _, _, err := s.Create(ctx, id, ""); err != nil {
		return badID(err, id)
	}
	e.say("made the first bot, %s", id)
	return nil
}

// greet says how to talk to the server.
func (e *env) greet(ctx context.Context, s *repo.Store, addr net.Addr) error {
	url, panel := "http://"+addr.String(), reachable(addr)
	if err := s.SetServing(panel); err != nil {
		return err
	}
	link, err := signInLink(s, panel)
	if err != nil {
		return err
	}
	token := filepath.Join(s.Home(), "token")
	bots, err := s.Bots(ctx)
	if err != nil {
		return err
	}
	path := "/api/bots"
	if len(bots) > 0 {
		path += "/" + string(bots[0].ID) + "/memory"
	}
	e.say("quipu serves %s; the token is in %s", s.Home(), token)
	e.say("try: curl -H \"Authorization: Bearer $(cat '%s')\" %s%s", token, url, path)
	e.say("the panel, once and within ten minutes: %s (`quipu open` makes another link)", link)
	e.say("end it with Ctrl-C")
	if e.json {
		return e.print(map[string]any{"url": url, "home": s.Home(), "tokenFile": token})
	}
	return e.write(url + "\n")
}

// serverLog is one line a request on standard error, as JSON lines for a script.
func (e *env) serverLog() *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if e.quiet {
		o.Level = slog.LevelWarn
	}
	if e.json {
		return slog.New(slog.NewJSONHandler(e.Err, o))
	}
	return slog.New(slog.NewTextHandler(e.Err, o))
}
