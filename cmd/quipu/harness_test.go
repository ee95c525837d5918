package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"quipu/repo"
)

// noon is the moment of every test that has a clock.
var noon = time.Date(2026, 9, 10, 12, 0, 0, 0, time.UTC)

// harness runs command lines in this process, in a home of its own.
type harness struct {
	env      *env
	out, err bytes.Buffer
	vars     map[string]string
}

// newHarness makes one; t may be nil when no home is needed.
func newHarness(t *testing.T) *harness {
	h := &harness{vars: map[string]string{}}
	h.env = &env{
		In: strings.NewReader(""), Out: &h.out, Err: &h.err,
		Now:    func() time.Time { return noon },
		Getenv: func(k string) string { return h.vars[k] },
		Open:   repo.OpenHome,
	}
	if t != nil {
		h.env.Dir = t.TempDir()
		h.vars["QUIPU_HOME"] = t.TempDir()
	}
	return h
}

// run runs one line and gives its exit code and what it printed.
func (h *harness) run(t *testing.T, args ...string) (exit int, out, words string) {
	t.Helper()
	h.out.Reset()
	h.err.Reset()
	exit = run(t.Context(), h.env, append([]string{"quipu"}, args...))
	return exit, h.out.String(), h.err.String()
}

func hasFlag(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}
