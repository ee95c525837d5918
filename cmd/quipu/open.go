package main

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

// answerWait is how long a server on this machine has to say that it is there.
const answerWait = 2 * time.Second

func newOpen() *cli.Command {
	return &cli.Command{
		Name: "open", Category: "serve",
		Usage: "print a link that opens the panel in a browser",
		Description: "The link signs one browser in, once, within ten minutes; it stays signed in for two weeks, until it signs out or " +
			"until `quipu token rotate`. A server must be running: `quipu serve`.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show", Usage: "open it with the desktop's browser instead of printing it"},
		},
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runOpen(c.Context, envOf(c), c.Bool("show"))
		},
	}
}

func runOpen(ctx context.Context, e *env, show bool) error {
	s, err := e.Store()
	if err != nil {
		return err
	}
	address := firstOf(s.Serving(), "http://"+s.Config().ListenAddr())
	if _, socket := socketPath(address); socket {
		return &told{text: "the server answers at " + address + ", and a browser opens no socket", hint: "serve on a port, too: `quipu serve --listen 127.0.0.1:0`"}
	}
	if err := answers(ctx, address); err != nil {
		return &told{text: "no server answers at " + address, hint: "`quipu serve` starts one"}
	}
	link, err := signInLink(s, address)
	if err != nil {
		return err
	}
	if show {
		if err := showInBrowser(ctx, link); err != nil {
			return &told{text: "the desktop did not open the link", hint: "`quipu open` prints it"}
		}
		e.say("opened the panel at %s", address)
		return nil
	}
	if e.json {
		return e.print(map[string]any{"link": link})
	}
	return e.write(link + "\n")
}

// signInLink makes a link with a code of its own.
func signInLink(s *repo.Store, address string) (string, error) {
	code, err := s.NewLogin()
	if err != nil {
		return "", err
	}
	return address + "/sign-in?code=" + code, nil
}

// reachable is where a browser on this machine finds a server that listens on addr.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

func answers(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/healthz", http.NoBody)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func showInBrowser(ctx context.Context, link string) error {
	tool := "xdg-open"
	if runtime.GOOS == "darwin" {
		tool = "open"
	}
	return exec.CommandContext(ctx, tool, link).Run()
}
