package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"

	"quipu/repo"
)

func main() { os.Exit(realMain()) }

// realMain runs the command of this process and gives its exit code.
func realMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal ends the work in hand in good order, a second one at once.
	defer context.AfterFunc(ctx, stop)()
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // a folder that was taken away belongs to no bot
	}
	program, err := os.Executable()
	if err != nil {
		program = "" // the hooks of a person's own commits are left out, then
	}
	return run(ctx, &env{
		In:      os.Stdin,
		Out:     os.Stdout,
		Err:     os.Stderr,
		Now:     time.Now,
		Getenv:  os.Getenv,
		Dir:     dir,
		Program: program,
		Open:    repo.OpenHome,
		InTerm:  isatty.IsTerminal(os.Stdin.Fd()),
		OutTerm: isatty.IsTerminal(os.Stdout.Fd()),
		ErrTerm: isatty.IsTerminal(os.Stderr.Fd()),
	}, os.Args)
}
