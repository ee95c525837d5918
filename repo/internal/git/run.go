package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

const gitTime = 2 * time.Minute

// runGit runs the person's git on this repository with every setting that could
// run something else, or change what is written, switched off.
func (r *Repo) runGit(ctx context.Context, in io.Reader, args ...string) error {
	var out bytes.Buffer
	return r.runGitTo(ctx, in, &out, &out, args...)
}

// runGitTo is runGit with what git writes; said holds its complaint.
func (r *Repo) runGitTo(ctx context.Context, in io.Reader, out io.Writer, said *bytes.Buffer, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	args = append([]string{
		"--git-dir=" + r.dir, "--work-tree=" + r.opt.Work,
		"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0",
		"-c", "core.autocrlf=false", "-c", "commit.gpgSign=false", "-c", "maintenance.auto=false",
	}, args...)
	cmd := exec.CommandContext(ctx, "git", args...) //nolint:gosec // a fixed program and our own arguments
	cmd.Dir = r.opt.Work
	cmd.Stdin = in
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = out, said
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("git is not installed")
		}
		return fmt.Errorf("git %s: %w: %s", args[len(args)-1], err, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}
