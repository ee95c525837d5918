package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// page prints a long answer: through the person's pager on a terminal, straight
// otherwise. A pager that cannot start is no reason to keep the answer back.
func (e *env) page(ctx context.Context, text string) error {
	program := e.Getenv("PAGER")
	if program == "" {
		program = "less"
	}
	if !e.pager || program == "cat" || text == "" {
		return e.write(text)
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", program)
	cmd.Stdout, cmd.Stderr = e.Out, e.Err
	cmd.Env = os.Environ()
	if e.Getenv("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX")
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return e.write(text)
	}
	if err := cmd.Start(); err != nil {
		return e.write(text)
	}
	_, werr := io.WriteString(in, text)
	_ = in.Close() // a pager that left has closed it
	err = cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 127 {
		return e.write(text) // the shell knows no such pager
	}
	if errors.Is(werr, syscall.EPIPE) {
		return nil // the person left before the end
	}
	return err
}

func (e *env) write(text string) error {
	_, err := io.WriteString(e.Out, text)
	return err
}
