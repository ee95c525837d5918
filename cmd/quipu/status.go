package main

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"quipu/policy"
	"quipu/repo"
)

func newStatus() *cli.Command {
	return &cli.Command{
		Name: "status", Category: "read",
		Usage: "how full MEMORY.md is, the last change, what was edited outside, how it stands to its remote",
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
	if isAbout(w.ID()) {
		return e.statusAbout(ctx, w, s)
	}
	l, err := e.loadedOf(ctx, w)
	if err != nil {
		return err
	}
	out, err := w.OutOfPrompts(ctx)
	if err != nil {
		return err
	}
	s.Outside, s.Findings = orNone(s.Outside), orNone(s.Findings)
	if e.json {
		return e.print(struct {
			repo.Status
			Gauge    gaugeJSON `json:"gauge"`
			Expired  int       `json:"expired"`
			Unloaded []string  `json:"unloaded"`
			Disputed int       `json:"disputed"`
		}{s, gaugeJSON{l.Gauge, l.Gauge.Sentence()}, l.Expired, orNone(l.Unloaded), out})
	}
	return e.write(e.glance(s, e.gaugeLines(l)+disputed(out)))
}

// disputed is the line on how many notes are disputed, "" for none.
func disputed(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%-10s 1 note, out of every prompt; `quipu evidence` lists it\n", "disputed")
	}
	return fmt.Sprintf("%-10s %d notes, out of every prompt; `quipu evidence` lists them\n", "disputed", n)
}

// statusAbout is the status of About me, which has a size and no budget of its own.
func (e *env) statusAbout(ctx context.Context, w *repo.Workspace, s repo.Status) error {
	t, err := w.Read(ctx, policy.AboutFile)
	if err != nil {
		return err
	}
	s.Outside, s.Findings = orNone(s.Outside), orNone(s.Findings)
	if e.json {
		return e.print(struct {
			repo.Status
			Characters    int `json:"characters"`
			MaxCharacters int `json:"maxCharacters"`
		}{s, utf8.RuneCountInString(t.Text), policy.MaxAboutRunes})
	}
	return e.write(e.glance(s, fmt.Sprintf("%-10s %s\n", "About me", aboutLine(t.Text))))
}

// glance lays a status out for reading, with the gauge among it.
func (e *env) glance(s repo.Status, gauge string) string {
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
	b.WriteString(gauge)
	if s.Topics+s.Logs > 0 {
		line("files", "%s, %s", count(s.Topics, "topic"), count(s.Logs, "day log"))
	}
	if r := s.Last; r != nil {
		line("last", "%s  %s  %s  %s", r.AtTime.Format("2006-01-02 15:04"), e.shortID(r.Change), who(*r), r.Subject)
	}
	if len(s.Outside) > 0 {
		line("outside", "edited and not taken in yet: %s", strings.Join(s.Outside, ", "))
	}
	if r := s.Remote; r != nil {
		line("remote", "%s: %s", r.URL, strings.Join(standing(*r), "; "))
	}
	if !s.Ready {
		fmt.Fprintf(&b, "%-10s %s\n", "ready", e.paint(red, "no: "+clean(s.Reason)))
	}
	b.WriteString(e.findings(s.Findings))
	return b.String()
}
