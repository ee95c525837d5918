package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

// newHook is what git calls, through the scripts that quipu puts into a git
// directory: it is nobody's to type.
func newHook() *cli.Command {
	return &cli.Command{
		Name: "hook", Category: "help", ArgsUsage: "NAME [ARGS]", Hidden: true,
		Usage: "answer a hook of git's in a workspace",
		Action: func(c *cli.Context) error {
			return runHook(c.Context, envOf(c), c.Args().First(), c.Args().Tail())
		},
	}
}

// runHook answers a hook. Only a credential stops a commit: whatever else goes wrong
// is a line on standard error, since a person's git must work without quipu.
func runHook(ctx context.Context, e *env, name string, args []string) error {
	var err error
	switch name {
	case "pre-commit":
		var leaks []repo.Leak
		if leaks, err = e.staged(ctx); err == nil && len(leaks) > 0 {
			return e.refuseCommit(leaks)
		}
	case "prepare-commit-msg":
		err = e.signMessage(ctx, args)
	default:
		err = fmt.Errorf("there is no hook %q", name)
	}
	if err != nil {
		fmt.Fprintf(e.Err, "quipu: %s hook: %s; the commit goes on\n", clean(name), clean(err.Error()))
	}
	return nil
}

func (e *env) staged(ctx context.Context) ([]repo.Leak, error) {
	w, err := e.hooked(ctx)
	if err != nil {
		return nil, err
	}
	index := e.Getenv("GIT_INDEX_FILE")
	if index != "" && !filepath.IsAbs(index) {
		index = filepath.Join(e.Dir, index) // git names it as seen from here
	}
	return w.CheckStaged(ctx, index)
}

// refuseCommit names each place and ends so that git commits nothing.
func (e *env) refuseCommit(leaks []repo.Leak) error {
	for _, l := range leaks {
		fmt.Fprintf(e.Err, "%s:%d\n", clean(l.Path), l.Line)
	}
	return &told{
		text: leaky(leaks) + ", and nothing is committed",
		hint: "take them out and `git add` again; `git commit --no-verify` commits them all the same",
	}
}

func (e *env) signMessage(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("git named no message")
	}
	w, err := e.hooked(ctx)
	if err != nil {
		return err
	}
	file := args[0]
	if !filepath.IsAbs(file) {
		file = filepath.Join(e.Dir, file)
	}
	return w.SignMessage(ctx, file)
}

// hookWait keeps a commit from being held up by another program's lock: git itself
// holds the one of the index just now.
const hookWait = 80 * time.Millisecond

// hooked opens the workspace that git commits in: the one that the current folder
// lies in, else the one whose git directory GIT_DIR is. The home is the one around
// it, whatever the environment says.
func (e *env) hooked(ctx context.Context) (*repo.Workspace, error) {
	home, id := workspaceOf(e.Dir)
	if id == "" {
		home, id = workspaceOfGit(e.Getenv("GIT_DIR"))
	}
	if id == "" {
		return nil, fmt.Errorf("%s is no workspace of quipu's", e.Dir)
	}
	e.home, e.wait = home, hookWait
	s, err := e.Store()
	if err != nil {
		return nil, err
	}
	return openID(ctx, s, id)
}

// workspaceOfGit is the home and the workspace of a git directory HOME/history/ID.git,
// or of one inside it, as a linked worktree has.
func workspaceOfGit(dir string) (home string, id repo.ID) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		parent := filepath.Dir(at)
		if name, ok := strings.CutSuffix(filepath.Base(at), ".git"); ok && name != "" && filepath.Base(parent) == "history" {
			return filepath.Dir(parent), repo.ID(name)
		}
		if parent == at {
			return "", ""
		}
	}
}
