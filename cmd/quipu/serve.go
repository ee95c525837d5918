package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
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
			&cli.StringFlag{Name: "listen", Usage: "`ADDR` as host:port; port 0 takes a free one; or unix:PATH, a socket that only you reach (default: the setting listen, else " + repo.DefaultListen + ")"},
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
	ln, err := e.listen(ctx, addr)
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
	err = server.New(s, server.Options{Now: e.Now, Log: e.log, Getenv: e.lookup, Version: version().Version}).Serve(ctx, ln)
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		e.say("stopped")
		return nil
	}
	return err
}

// socketPath is the path of an address that is a socket file.
func socketPath(addr string) (path string, socket bool) { return strings.CutPrefix(addr, "unix:") }

// listen listens on a port, or on a socket file, whose path may be of the current folder.
func (e *env) listen(ctx context.Context, addr string) (net.Listener, error) {
	path, socket := socketPath(addr)
	if !socket {
		return new(net.ListenConfig).Listen(ctx, "tcp", addr)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	return server.ListenUnix(ctx, path)
}

// checkListen keeps the notes on this machine unless the person says otherwise.
func checkListen(addr string, remote bool) error {
	path, socket := socketPath(addr)
	if socket && path != "" {
		return nil
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil || socket {
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
		return &told{text: addr + " is taken by another program", hint: "choose another with --listen, or --listen 127.0.0.1:0 for a free one"}
	}
	if _, socket := socketPath(addr); socket {
		return &told{text: fmt.Sprintf("listen on %s: %v", addr, err), hint: "a socket lies in a folder of your own: `mkdir -m 700 DIR`, then --listen unix:DIR/quipu.sock"}
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
	url, base, panel, curl := "http://"+addr.String(), "http://"+addr.String(), reachable(addr), "curl"
	if addr.Network() == "unix" {
		url, base, panel = "unix:"+addr.String(), "http://localhost", "unix:"+addr.String()
		curl = fmt.Sprintf("curl --unix-socket '%s'", addr)
	}
	if err := s.SetServing(panel); err != nil {
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
	e.say("try: %s -H \"Authorization: Bearer $(cat '%s')\" %s%s", curl, token, base, path)
	if addr.Network() == "unix" {
		e.say("a browser opens no socket: for the panel, serve on a port")
	} else if err := e.sayLink(s, panel); err != nil {
		return err
	}
	e.say("end it with Ctrl-C")
	if e.json {
		return e.print(map[string]any{"url": url, "home": s.Home(), "tokenFile": token})
	}
	return e.write(url + "\n")
}

// sayLink prints a link that opens the panel.
func (e *env) sayLink(s *repo.Store, panel string) error {
	link, err := signInLink(s, panel)
	if err != nil {
		return err
	}
	e.say("the panel, once and within ten minutes: %s (`quipu open` makes another link)", link)
	return nil
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
