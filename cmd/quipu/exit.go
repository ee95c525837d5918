package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// The exit codes, relied on by scripts.
const (
	exitOK       = 0
	exitFailure  = 1
	exitUsage    = 2
	exitNotFound = 3
	exitConflict = 4 // also stale
	exitRefused  = 5 // by policy
	exitBusy     = 6
	exitAuth     = 7
	exitRemote   = 8
	exitFound    = 9 // a check found something
)

// meaning is what an error is to a person and to a script.
type meaning struct {
	exit int
	code string // the word in JSON, the same as in HTTP answers
	hint string // one line, when the error carries none of its own
}

// meanings maps the sentinels of the lower floors, the first that fits.
var meanings = []struct {
	is error
	meaning
}{
	{errUsage, meaning{exitUsage, "usage", "`quipu help` lists the verbs"}},
	{errFound, meaning{exitFound, "found", ""}},
	{repo.ErrNotFound, meaning{exitNotFound, "not_found", ""}},
	{repo.ErrStale, meaning{exitConflict, "conflict", "read it again with `quipu show`, then write on top of that"}},
	{repo.ErrNeedHash, meaning{exitConflict, "revision_needed", "add --expect HASH (from `quipu show PATH --json`), or --force"}},
	{repo.ErrConflict, meaning{exitConflict, "conflict", ""}},
	{repo.ErrState, meaning{exitConflict, "state", "`quipu doctor` says what to do"}},
	{repo.ErrNoUndo, meaning{exitRefused, "no_undo", ""}},
	{repo.ErrTooLarge, meaning{exitRefused, "too-large", "split it into topics: `quipu remember TEXT --topic NAME`"}},
	{repo.ErrForbidden, meaning{exitRefused, "forbidden", ""}},
	{repo.ErrOff, meaning{exitRefused, "off", "switch it on with `quipu config set bots.ID.memoryEnabled true`"}},
	{repo.ErrRefused, meaning{exitRefused, "refused", ""}},
	{repo.ErrRemote, meaning{exitRemote, "remote", ""}},
	{repo.ErrBusy, meaning{exitBusy, "busy", "another program is writing: try again"}},
	{repo.ErrInvalid, meaning{exitUsage, "invalid", ""}},
	{repo.ErrDamaged, meaning{exitFailure, "damaged", "`quipu doctor --fix` mends what can be mended"}},
	{context.Canceled, meaning{exitFailure, "interrupted", ""}},
	{fs.ErrPermission, meaning{exitFailure, "failure", "the files belong to another user, or are write-protected"}},
}

var (
	errUsage = errors.New("usage")
	errFound = errors.New("found")
)

// meaningOf looks an error up; what is not in the table is a failure.
func meaningOf(err error) meaning {
	if err == nil {
		return meaning{exit: exitOK}
	}
	if _, ok := errors.AsType[*policy.PathError](err); ok {
		return meaning{exitUsage, "path", "a note is MEMORY.md, memory/NAME.md or memory/log/DATE.md"}
	}
	if refusal, ok := errors.AsType[*policy.Refusal](err); ok {
		return refused(refusal)
	}
	for _, m := range meanings {
		if errors.Is(err, m.is) {
			return m.meaning
		}
	}
	return meaning{exit: exitFailure, code: "failure"}
}

// refused is what an update that changes nothing means, by its code.
func refused(r *policy.Refusal) meaning {
	switch r.Code {
	case policy.Conflict:
		return meaning{exitConflict, "conflict", "say more of the one note you mean, or name its place: PATH:LINE"}
	case policy.NotFound:
		return meaning{exitNotFound, "not_found", ""}
	case policy.Refused:
		hint := ""
		if r.Rule != "" {
			hint = "`quipu rules` lists the rules in force and where each comes from"
		}
		return meaning{exitRefused, "refused", hint}
	default:
		return meaning{exitUsage, "invalid", ""}
	}
}

func exitOf(err error) int { return meaningOf(err).exit }

// told is an error with words of its own for the person, and a hint.
type told struct {
	err  error // what it means; nil is a failure
	text string
	hint string
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.err }

// usage is a mistake in how the command was written.
func usage(hint, format string, args ...any) error {
	return &told{err: errUsage, text: fmt.Sprintf(format, args...), hint: hint}
}

// hinted adds the next step to an error.
func hinted(err error, hint string) error { return &told{err: err, text: err.Error(), hint: hint} }

// found ends a check that found n things: they are printed already.
func found(n int) error {
	text := fmt.Sprintf("%d things want a look", n)
	if n == 1 {
		text = "1 thing wants a look"
	}
	return &told{err: errFound, text: text}
}

func hintOf(err error) string {
	for inner := err; inner != nil; {
		t, ok := errors.AsType[*told](inner)
		if !ok {
			break
		}
		if t.hint != "" {
			return t.hint
		}
		inner = t.err
	}
	if errors.Is(err, repo.ErrState) && strings.Contains(err.Error(), "`") {
		return "" // the sentence names the command that ends the state
	}
	return meaningOf(err).hint
}
