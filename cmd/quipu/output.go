package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"quipu/repo"
)

// maxInput bounds what `-` reads, in bytes: far over any note, far under the memory
// of a small machine.
const maxInput = 4 << 20

// say prints words for the person, unless they asked for quiet.
func (e *env) say(format string, args ...any) {
	if e.quiet || e.json {
		return
	}
	fmt.Fprintf(e.Err, format+"\n", args...)
}

// print writes the answer as one JSON value.
func (e *env) print(v any) error {
	enc := json.NewEncoder(e.Out)
	enc.SetEscapeHTML(false)
	if e.OutTerm {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(v)
}

// report tells the person, or the script, what went wrong.
func (e *env) report(err error) {
	if err == nil || err == errFound { //nolint:errorlint // bare, it says no more than the answer did
		return
	}
	m, hint := meaningOf(err), hintOf(err)
	if e.json {
		enc := json.NewEncoder(e.Err)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(map[string]any{"error": e.jsonError(err, m.code, hint)}) // nowhere left to tell it
		return
	}
	fmt.Fprintf(e.Err, "quipu: %s\n", clean(err.Error()))
	if conflict, ok := errors.AsType[*repo.ConflictError](err); ok {
		e.clashes(conflict)
	}
	if hint != "" && !e.quiet {
		fmt.Fprintf(e.Err, "hint: %s\n", hint)
	}
}

func (e *env) jsonError(err error, code, hint string) map[string]any {
	out := map[string]any{"code": code, "message": err.Error(), "hint": hint}
	if stale, ok := errors.AsType[*repo.StaleError](err); ok {
		out["currentHash"], out["current"] = stale.CurrentHash, stale.Current
	}
	if conflict, ok := errors.AsType[*repo.ConflictError](err); ok && len(conflict.Clashes) > 0 {
		out["clashes"] = conflict.Clashes
	}
	return out
}

// clashes shows what stands in the way of an undo, place by place.
func (e *env) clashes(c *repo.ConflictError) {
	for _, at := range c.Clashes {
		fmt.Fprintf(e.Err, "  %s:%d\n", clean(at.Path), at.Line)
		for _, side := range []struct{ label, text string }{{"is now  ", at.Have}, {"was     ", at.Was}, {"would be", at.Want}} {
			if side.text == "" {
				side.text = "(nothing)"
			}
			fmt.Fprintf(e.Err, "    %s  %s\n", side.label, clean(side.text))
		}
	}
}

// input gives an argument, or what standard input holds when it is `-`.
func (e *env) input(arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	text, err := io.ReadAll(io.LimitReader(e.In, maxInput+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if len(text) > maxInput {
		return "", &told{err: repo.ErrTooLarge, text: "standard input is over 4 MiB"}
	}
	return string(text), nil
}

// fact is input for one note: the newline that ends a line of input is not part of it.
func (e *env) fact(arg string) (string, error) {
	text, err := e.input(arg)
	if arg == "-" {
		text = strings.TrimRight(text, "\r\n")
	}
	return text, err
}

// clean makes a text one line that does nothing to a terminal: notes and names may
// hold whatever someone put there.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		return harmless(r)
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// shown is a text of several lines for the person: as it is in a pipe, without what
// a terminal would obey on a terminal.
func (e *env) shown(s string) string {
	if !e.OutTerm {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if r == '\r' {
			return -1
		}
		return harmless(r)
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// harmless replaces control characters and those that turn the direction of text.
func harmless(r rune) rune {
	if unicode.IsControl(r) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
		return '\uFFFD'
	}
	return r
}

// The colours of an answer on a terminal.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
	faint  = "2"
)

func (e *env) paint(colour, s string) string {
	if !e.color || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// painted colours a unified diff line by line.
func (e *env) painted(diff string) string {
	diff = e.shown(diff)
	if !e.color {
		return diff
	}
	var b strings.Builder
	for l := range strings.Lines(diff) {
		text := strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "---"), strings.HasPrefix(l, "+++"):
			b.WriteString(e.paint(faint, text))
		case strings.HasPrefix(l, "@@"):
			b.WriteString(e.paint(cyan, text))
		case strings.HasPrefix(l, "+"):
			b.WriteString(e.paint(green, text))
		case strings.HasPrefix(l, "-"):
			b.WriteString(e.paint(red, text))
		default:
			b.WriteString(text)
		}
		b.WriteString(l[len(text):])
	}
	return b.String()
}

// fewPaths is how many files, or notes, a line for reading names.
const fewPaths = 3

// listed names the files of some rows on one line.
func listed(rows []repo.Row) string { return clean(few(pathsOf(rows))) }

// few names the first of a list and how many more there are.
func few(list []string) string {
	if len(list) <= fewPaths {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:fewPaths], ", "), len(list)-fewPaths)
}

// pathsOf names the files of some rows, each once, in their order.
func pathsOf(rows []repo.Row) []string {
	var paths []string
	seen := map[string]bool{}
	for _, r := range rows {
		if r.Path != "" && !seen[r.Path] {
			seen[r.Path] = true
			paths = append(paths, r.Path)
		}
	}
	return paths
}
