package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// maxComplaint is how many bytes of a program's standard error are kept.
	maxComplaint = 4 << 10
	// drain is how long a program's children may hold its output open once it ended.
	drain = time.Second
)

var errTooLong = errors.New("too long")

// command is a program that reads a prompt on its standard input and writes the answer
// on its standard output. It is started without a shell, in a new empty folder, as a
// process group of its own that is ended as a whole.
type command struct {
	words []string
	key   string          // to be kept out of errors; "" for none
	hide  map[string]bool // variables that it is not given: other models' keys
}

func (c *command) Complete(ctx context.Context, p Prompt) (Answer, error) {
	dir, err := os.MkdirTemp("", "quipu-model-")
	if err != nil {
		return Answer{}, quoted("no folder can be made for the command", err.Error())
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system empties its temporary folder in the end
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := &capped{max: maxAnswer, over: func() { stop(errTooLong) }}
	complaint := &capped{max: maxComplaint}
	err = c.run(run, dir, p, out, complaint)
	switch {
	case ctx.Err() != nil:
		return Answer{}, ctx.Err()
	case errors.Is(context.Cause(run), errTooLong):
		return Answer{}, failed("the answer is over 1 MiB")
	case err != nil:
		return Answer{}, c.explain(err, complaint.kept.String())
	}
	return p.whole(Answer{Text: out.kept.String()}, false, false)
}

func (c *command) run(ctx context.Context, dir string, p Prompt, out, complaint *capped) error {
	cmd := exec.CommandContext(ctx, c.words[0], c.words[1:]...) //nolint:gosec // the person's own words, from their configuration
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return c.hide[name]
	})
	cmd.Stdin = strings.NewReader(strings.TrimSpace(p.System + "\n\n" + p.Text))
	cmd.Stdout, cmd.Stderr = out, complaint
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = drain
	if err := cmd.Start(); err != nil {
		return err
	}
	err := cmd.Wait()
	_ = killGroup(cmd) // what it left running; mostly nothing
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // the program ended well, a child of its only held the output
	}
	return err
}

func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func (c *command) explain(err error, complaint string) error {
	name := c.words[0]
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		line, _, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
		return quoted(fmt.Sprintf("%s ended with %s", name, exit), quote(line, c.key))
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return failed(name + " is not installed")
	}
	return quoted(name+" cannot be started", quote(err.Error(), c.key))
}

// capped keeps what is written to it up to max bytes. Once there is more it drops it
// and calls over, which may be nil.
type capped struct {
	kept bytes.Buffer
	max  int
	over func()
}

func (c *capped) Write(data []byte) (int, error) {
	room := min(len(data), c.max-c.kept.Len())
	_, _ = c.kept.Write(data[:room]) // a Buffer never fails
	if room < len(data) && c.over != nil {
		c.over()
		return 0, errTooLong
	}
	return len(data), nil
}
