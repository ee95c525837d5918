package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

func newBackup() *cli.Command {
	return &cli.Command{
		Name: "backup", Category: "start", ArgsUsage: "FILE",
		Usage: "the whole home in one zip file",
		Description: "Every bot with its history, About me, the settings, what was said, and the tokens as hashes. Others may\n" +
			"go on writing: every change that was answered before is in it. Upkeep pauses. The owner's token, sessions\n" +
			"and the tokens of remotes are left out, and so is what lies in a bot's folder beside its notes.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "with-secrets", Usage: "take what opens something along: keep the file as you keep a key"},
			forceFlag(), dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "FILE")
			if err != nil {
				return err
			}
			return runBackup(c.Context, envOf(c), backupArgs{Path: args[0], Secrets: c.Bool("with-secrets"), Force: c.Bool("force"), DryRun: c.Bool("dry-run")})
		},
	}
}

func newRestoreBackup() *cli.Command {
	return &cli.Command{
		Name: "restore-backup", Category: "start", ArgsUsage: "FILE",
		Usage: "make a home of a backup",
		Description: "The home is --home, and must not be there yet. Every file is held against its hash and every history is\n" +
			"read through before anything is put in place. A backup says what runs, as a home does: restore your own.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "check", Usage: "only hold the file against its hashes"},
			&cli.BoolFlag{Name: "force", Usage: "an empty folder may stand where the home will be"},
			dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			args, err := words(c, "FILE")
			if err != nil {
				return err
			}
			return runRestoreBackup(c.Context, envOf(c), backupArgs{Path: args[0], Force: c.Bool("force"), DryRun: c.Bool("check") || c.Bool("dry-run")})
		},
	}
}

type backupArgs struct {
	Path                   string
	Secrets, Force, DryRun bool
}

// told is a backup as JSON: which files it holds is in its manifest.
type backedUp struct {
	Path   string   `json:"path"`
	Files  int      `json:"files"`
	Bytes  int64    `json:"bytes"` // of the files, before they are packed
	Home   string   `json:"home,omitempty"`
	DryRun bool     `json:"dryRun,omitempty"`
	Left   []string `json:"left"`

	repo.Backup
}

// bars shows one kind of long work after the other.
type bars struct {
	e   *env
	now *bar
}

func (b *bars) step(what string, done, total int) {
	if b.now == nil || b.now.label != what {
		b.done()
		b.now = b.e.bar(what)
	}
	b.now.step(done, total)
}

func (b *bars) done() {
	if b.now != nil {
		b.now.done()
	}
}

func runBackup(ctx context.Context, e *env, a backupArgs) error {
	if a.Path == "-" {
		return usage("name a FILE", "a backup is no text to print")
	}
	path := e.path(a.Path)
	if err := freeFor(path, a.Force); err != nil {
		return err
	}
	s, err := e.Store()
	if err != nil {
		return err
	}
	if within(path, s.Home()) {
		return usage("name a place outside "+s.Home(), "a backup inside the home goes when the home does")
	}
	var m repo.Backup
	shown := &bars{e: e}
	fill := func(out io.Writer) error {
		m, err = s.Backup(ctx, out, repo.BackingUp{Secrets: a.Secrets, Quipu: version().Version, Progress: shown.step})
		return err
	}
	if a.DryRun {
		return e.dryBackup(ctx, s, a)
	}
	err = writeOut(path, a.Force, fill)
	shown.done()
	if err != nil {
		return err
	}
	e.say("backed up %s, %s, to %s", count(len(m.Workspaces), "workspace"), count(len(m.Files), "file"), clean(a.Path))
	return e.tellBackup(m, backedUp{Path: a.Path})
}

// dryBackup says what would be backed up, and writes and pauses nothing.
func (e *env) dryBackup(ctx context.Context, s *repo.Store, a backupArgs) error {
	bots, err := s.Bots(ctx)
	if err != nil {
		return err
	}
	e.say("would back up %s and all that belongs to them to %s (dry run, nothing is written)", count(len(bots), "bot"), clean(a.Path))
	return e.told(map[string]any{"path": a.Path, "bots": orNone(bots), "dryRun": true})
}

func (e *env) tellBackup(m repo.Backup, answer backedUp) error {
	for _, left := range m.Left {
		e.say("not in it: %s", clean(left))
	}
	answer.Files, answer.Left = len(m.Files), orNone(m.Left)
	for _, f := range m.Files {
		answer.Bytes += f.Size
	}
	answer.Backup = m
	return e.told(answer)
}

// within says whether path lies in dir, links resolved as far as there are folders.
func within(path, dir string) bool {
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return false
	}
	home, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(home, folder)
	return err == nil && filepath.IsLocal(rel)
}

func runRestoreBackup(ctx context.Context, e *env, a backupArgs) error {
	f, err := os.Open(e.path(a.Path))
	if err != nil {
		return fileFault(err, a.Path)
	}
	defer f.Close() //nolint:errcheck // only read
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	if !fi.Mode().IsRegular() {
		return usage("name the FILE that `quipu backup` wrote", "%s is no file", a.Path)
	}
	shown := &bars{e: e}
	defer shown.done()
	if a.DryRun {
		m, err := repo.CheckBackup(ctx, f, fi.Size(), shown.step)
		if err != nil {
			return err
		}
		shown.done()
		e.say("%s is whole: %s, %s, of %s", clean(a.Path), count(len(m.Workspaces), "workspace"), count(len(m.Files), "file"), m.At.Format("2006-01-02 15:04 MST"))
		return e.tellBackup(m, backedUp{Path: a.Path, DryRun: true})
	}
	home, err := e.homeDir()
	if err != nil {
		return err
	}
	m, err := repo.RestoreBackup(ctx, home, f, fi.Size(), repo.Restoring{
		Force: a.Force, Progress: shown.step, Store: repo.Options{Now: e.Now, Log: e.logger(), Wait: e.wait},
	})
	if err != nil {
		return err
	}
	shown.done()
	e.say("restored %s to %s, as of %s", count(len(m.Workspaces), "workspace"), home, m.At.Format("2006-01-02 15:04 MST"))
	return e.tellBackup(m, backedUp{Path: a.Path, Home: home})
}
