package main

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	tests := []struct {
		name  string
		quiet bool
		log   func(*slog.Logger)
		want  string
	}{
		{"a warning", false, func(l *slog.Logger) { l.Warn("a lock was left") }, "quipu: note: a lock was left\n"},
		{"with its cause", false, func(l *slog.Logger) { l.Warn("a lock was left", "err", errors.New("no space")) }, "quipu: note: a lock was left: no space\n"},
		{
			"the cause names the same file", false,
			func(l *slog.Logger) { l.Warn("config.json is not used", "err", errors.New("config.json: line 2")) },
			"quipu: note: config.json is not used: line 2\n",
		},
		{
			"more than one fact", false,
			func(l *slog.Logger) {
				l.With("bot", "scout").Warn("stays", "path", "memory/x.md", "err", errors.New("busy"))
			},
			"quipu: note: stays: path memory/x.md, busy\n",
		},
		{"one line, harmless", false, func(l *slog.Logger) { l.Warn("odd", "path", "a\n\x1b[31mb") }, "quipu: note: odd: path a \uFFFD[31mb\n"},
		{"not for everyday", false, func(l *slog.Logger) { l.Info("index made") }, ""},
		{"quiet", true, func(l *slog.Logger) { l.Warn("a lock was left") }, ""},
		{"quiet tells errors", true, func(l *slog.Logger) { l.Error("damaged") }, "quipu: note: damaged\n"},
		{"groups are left out", false, func(l *slog.Logger) { l.WithGroup("g").Warn("odd", "n", 3) }, "quipu: note: odd: n 3\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			tt.log(slog.New(&sentences{out: &out, quiet: tt.quiet}))
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestQuoted(t *testing.T) {
	tests := []struct {
		name  string
		words []string
		want  string
	}{
		{"plain words", []string{"Luna", "caf\u00e9"}, "Luna caf\u00e9"},
		{"a phrase", []string{"the dog", "Luna"}, "'the dog' Luna"},
		{"an apostrophe", []string{"it's"}, `'it'\''s'`},
		{"what a shell obeys", []string{"$(rm)", "a;b", ""}, `'$(rm)' 'a;b' ''`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, quoted(tt.words)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
