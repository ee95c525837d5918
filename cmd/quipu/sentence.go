package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// sentences is the log of a command line: what the vault has to tell is one plain
// sentence to whoever typed the command, with neither time nor level.
type sentences struct {
	out   io.Writer
	quiet bool // errors alone
	attrs []slog.Attr
}

// Enabled lets warnings and errors through.
func (s *sentences) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelError || level >= slog.LevelWarn && !s.quiet
}

// Handle prints one record in one write, so that lines of several goroutines stay whole.
func (s *sentences) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Message)
	part := ": "
	add := func(a slog.Attr) bool {
		value := a.Value.Resolve().String()
		switch a.Key {
		case "bot": // the person knows whom they named
			return true
		case "err", "why", "what":
			about, _, _ := strings.Cut(r.Message, " ")
			b.WriteString(part + strings.TrimPrefix(value, about+": ")) // the file that both are about is named once
		default:
			b.WriteString(part + a.Key + " " + value)
		}
		part = ", "
		return true
	}
	for _, a := range s.attrs {
		add(a)
	}
	r.Attrs(add)
	_, err := fmt.Fprintf(s.out, "quipu: note: %s\n", clean(b.String()))
	return err
}

// WithAttrs gives a log that adds attrs to each record.
func (s *sentences) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *s
	with.attrs = append(append([]slog.Attr{}, s.attrs...), attrs...)
	return &with
}

// WithGroup leaves groups out: a sentence has none.
func (s *sentences) WithGroup(string) slog.Handler { return s }
