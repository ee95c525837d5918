package main

import (
	"context"
	"errors"
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

// toShare opens the workspace that is meant. An About me that is not there yet is made:
// it may be at the remote.
func (e *env) toShare(ctx context.Context, dry bool) (*repo.Workspace, error) {
	s, id, err := e.meant(ctx)
	if err != nil {
		return nil, err
	}
	w, err := openID(ctx, s, id)
	if isAbout(id) && errors.Is(err, repo.ErrNotFound) && !dry {
		return s.MakeMe(ctx, personOf(id))
	}
	if err != nil {
		return e.openNamed(ctx, s, id) // says what is not there
	}
	return w, nil
}

func runRemoteSet(ctx context.Context, e *env, r repo.Remote, fromIn, dry bool) error {
	w, err := e.toShare(ctx, dry)
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
	got, err := w.Shared(ctx)
	if err != nil {
		return err
	}
	if e.json {
		return e.print(got)
	}
	e.say("set %s; `quipu sync` brings both sides together", clean(r.URL))
	for _, n := range got.Notices {
		e.say("note: %s", clean(n))
	}
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
	got, err := w.Shared(ctx)
	if err != nil {
		return noRemote(err)
	}
	if e.json {
		return e.print(got)
	}
	return e.write(clean(got.URL) + "\n" + strings.Join(append(standing(got.State), got.Notices...), "\n") + "\n")
}

// standing says how both sides stand, as they were seen last, in one line each.
func standing(s repo.SyncState) []string {
	var lines []string
	switch {
	case s.InSync:
		lines = append(lines, "in sync")
	case s.Tried.IsZero():
		lines = append(lines, "never synced")
	case s.Fault != "":
		lines = append(lines, "last tried "+s.Tried.Format(time.RFC3339)+": "+clean(s.Fault))
	}
	if !s.Success.IsZero() {
		lines = append(lines, "last synced "+s.Success.Format(time.RFC3339)+" with branch "+clean(s.Branch))
	}
	switch {
	case s.Ahead+s.Behind > 0:
		lines = append(lines, count(s.Ahead, "change")+" not pushed, "+count(s.Behind, "change")+" not pulled")
	case !s.InSync && s.Fault == "" && !s.Holds:
		lines = append(lines, "edits made outside are not pushed")
	}
	if s.Holds {
		lines = append(lines, "it still holds what was erased here")
	}
	return lines
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
