package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
)

func newStatus() *cli.Command {
	return &cli.Command{
		Name: "status", Category: "read",
		Usage: "how full MEMORY.md is, the last change, what was edited outside",
		Action: func(c *cli.Context) error {
			if _, err := words(c); err != nil {
				return err
			}
			return runStatus(c.Context, envOf(c))
		},
	}
}

func runStatus(ctx context.Context, e *env) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	s, err := w.Status(ctx)
	if err != nil {
		return err
	}
	index, err := w.Read(ctx, policy.MemoryFile)
	if err != nil {
		return err
	}
	g := policy.Measure([]byte(index.Text))
	if e.json {
		s.Outside, s.Findings = orNone(s.Outside), orNone(s.Findings)
		return e.print(struct {
			repo.Status
			Gauge policy.Gauge `json:"gauge"`
		}{s, g})
	}
	return e.write(e.glance(s, g))
}

// glance lays a status out for reading.
func (e *env) glance(s repo.Status, g policy.Gauge) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, clean(fmt.Sprintf(format, args...)))
	}
	if s.Name == string(s.BotID) {
		s.Name = "" // the default
	}
	line("bot", "%s", strings.TrimSpace(string(s.BotID)+" "+s.Name))
	line("path", "%s", s.Path)
	line("history", "%s, branch %s, %s", s.History, s.Branch, count(s.Changes, "change"))
	line("gauge", "%d of %d lines, %d of %d bytes (%d%%)", g.Lines, g.MaxLines, g.Bytes, g.MaxBytes, g.Percent)
	line("files", "%s, %s", count(s.Topics, "topic"), count(s.Logs, "day log"))
	if r := s.Last; r != nil {
		line("last", "%s  %s  %s  %s", r.AtTime.Format("2006-01-02 15:04"), e.shortID(r.Change), who(*r), r.Subject)
	}
	if len(s.Outside) > 0 {
		line("outside", "edited and not taken in yet: %s", strings.Join(s.Outside, ", "))
	}
	if !s.Ready {
		fmt.Fprintf(&b, "%-10s %s\n", "ready", e.paint(red, "no: "+clean(s.Reason)))
	}
	b.WriteString(e.findings(s.Findings))
	return b.String()
}
