package main

import (
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newRemote() *cli.Command {
	return &cli.Command{
		Name: "remote", Category: "share",
		Usage:  "the git remote by which machines share a memory",
		Action: groupOnly,
		Subcommands: []*cli.Command{
			{
				Name: "set", ArgsUsage: "URL", Usage: "set it: https, ssh, user@host:path, or a folder",
				Description: "A token for https is read from standard input with --token-stdin and kept in a file that only you can read; QUIPU_REMOTE_TOKEN wins over it. " +
					"Without one the credential helpers and keys of your own git are used.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "branch", Usage: "the `BRANCH` there (default: ours, or the one that it opens with)"},
					&cli.StringFlag{Name: "user", Usage: "who signs in: `NAME`, where the address does not say"},
					&cli.StringFlag{Name: "key", Usage: "an ssh private key: `FILE` (default: your agent and your own)"},
					&cli.StringFlag{Name: "known-hosts", Usage: "the ssh hosts that are known: `FILE`, used alone"},
					&cli.StringFlag{Name: "ca", Usage: "certificates that https trusts: `FILE`"},
					&cli.BoolFlag{Name: "token-stdin", Usage: "read the token from standard input; an empty one forgets it"},
					dryRunFlag(),
				},
				Action: func(c *cli.Context) error {
					args, err := words(c, "URL")
					if err != nil {
						return err
					}
					r := repo.Remote{URL: args[0], Branch: c.String("branch"), User: c.String("user"), Key: c.String("key"), KnownHosts: c.String("known-hosts"), CA: c.String("ca")}
					return runRemoteSet(c.Context, envOf(c), r, c.Bool("token-stdin"), c.Bool("dry-run"))
				},
			},
			{Name: "show", Usage: "what is set, and how both sides stand", Action: noArgs(func(c *cli.Context, e *env) error { return runRemoteShow(c.Context, e) })},
			{Name: "test", Usage: "ask the remote what it holds; changes nothing", Action: noArgs(func(c *cli.Context, e *env) error { return runRemoteTest(c.Context, e) })},
			{
				Name: "remove", Usage: "forget it, and its token; the remote itself stays as it is", Flags: []cli.Flag{dryRunFlag()},
				Action: noArgs(func(c *cli.Context, e *env) error { return runRemoteRemove(c.Context, e, c.Bool("dry-run")) }),
			},
		},
	}
}

func runRemoteSet(ctx context.Context, e *env, r repo.Remote, fromIn, dry bool) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	var token *string
	if fromIn {
		b, err := io.ReadAll(io.LimitReader(e.In, 64<<10))
		if err != nil {
			return err
		}
		token = new(strings.TrimSpace(string(b)))
	}
	if err := wholePaths(&r.Key, &r.KnownHosts, &r.CA); err != nil {
		return err
	}
	if !strings.Contains(r.URL, ":") { // a folder, as a person names one
		if err := wholePaths(&r.URL); err != nil {
			return err
		}
	}
	if dry {
		if err := repo.CheckRemote(r); err != nil {
			return err
		}
		e.say("would set %s (dry run, nothing is written)", clean(r.URL))
		return nil
	}
	if err := w.SetRemote(r, token); err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"remote": r, "token": w.HasToken()})
	}
	e.say("set %s; `quipu sync` brings both sides together", clean(r.URL))
	return nil
}

// wholePaths makes paths whole: they are read later, from wherever that is.
func wholePaths(paths ...*string) error {
	for _, p := range paths {
		if *p == "" {
			continue
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	return nil
}

func runRemoteShow(ctx context.Context, e *env) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	r, ok, err := w.Remote()
	if err != nil {
		return err
	}
	if !ok {
		return noRemote(&told{err: repo.ErrNotFound, text: "no remote is set"})
	}
	s := w.SyncState()
	if e.json {
		return e.print(struct {
			repo.Remote
			Token bool           `json:"token"`
			State repo.SyncState `json:"state"`
		}{r, w.HasToken(), s})
	}
	return e.write(clean(r.URL) + "\n" + standing(s))
}

// standing says how both sides stand, as they were seen last.
func standing(s repo.SyncState) string {
	var lines []string
	switch {
	case s.Tried.IsZero():
		lines = append(lines, "never synced")
	case s.Fault != "":
		lines = append(lines, "last tried "+s.Tried.Format(time.RFC3339)+": "+clean(s.Fault))
	}
	if !s.Success.IsZero() {
		lines = append(lines, "last synced "+s.Success.Format(time.RFC3339)+" with branch "+clean(s.Branch))
	}
	if s.Ahead+s.Behind > 0 {
		lines = append(lines, count(s.Ahead, "change")+" not pushed, "+count(s.Behind, "change")+" not pulled")
	}
	if s.Holds {
		lines = append(lines, "it still holds what was erased here")
	}
	return strings.Join(lines, "\n") + "\n"
}

func runRemoteTest(ctx context.Context, e *env) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	got, err := w.TestRemote(ctx)
	if err != nil {
		return noRemote(err)
	}
	if e.json {
		return e.print(got)
	}
	if got.Empty {
		e.say("it answers, and is empty")
		return nil
	}
	e.say("it answers: %s, and opens with %s", counted(len(got.Branches), "branch", "branches"), clean(firstOf(got.Head, "none")))
	return nil
}

func runRemoteRemove(ctx context.Context, e *env, dry bool) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	if dry {
		if _, ok, err := w.Remote(); err != nil || !ok {
			return noRemote(&told{err: repo.ErrNotFound, text: "no remote is set"})
		}
		e.say("would forget the remote (dry run, nothing is written)")
		return nil
	}
	ok, err := w.DropRemote()
	if err == nil && !ok {
		return noRemote(&told{err: repo.ErrNotFound, text: "no remote is set"})
	}
	if err != nil {
		return err
	}
	if e.json {
		return e.print(map[string]any{"ok": true})
	}
	e.say("the remote is forgotten; it stays as it is")
	return nil
}

// cutPlace takes PATH:LINE apart.
func cutPlace(place string) (path string, line int, ok bool) {
	i := strings.LastIndexByte(place, ':')
	if i <= 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(place[i+1:])
	return place[:i], line, err == nil && line > 0
}
