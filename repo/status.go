package repo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Status is the workspace at a glance. It writes nothing to memory.
func (w *Workspace) Status(ctx context.Context) (Status, error) {
	s := Status{
		BotID: w.id, Name: w.store.bot(w.store.Config(), w.id).Name, Path: w.dir, History: w.git.Dir(),
		Outside: []string{}, Findings: []Finding{}, Ready: true,
	}
	s.Branch, _, _ = w.git.Head() // State says what is wrong with it
	if err := w.git.State(); err != nil {
		s.Ready, s.Reason = false, gitError(err).Error()
	}
	s.Findings = append(s.Findings, w.pendingErasures()...)
	edited, odd, err := w.git.Scan()
	if err == nil {
		s.Outside = append(s.Outside, edited...)
	}
	for _, p := range odd {
		s.Findings = append(s.Findings, oddFinding(p))
	}
	if s.Remote, err = w.Standing(ctx); err != nil {
		s.Findings = append(s.Findings, Finding{Level: "warning", Where: "remote", What: err.Error(), Fix: "quipu remote set URL"})
	}
	topics, logs, err := w.List(ctx)
	if err != nil {
		return s, err
	}
	s.Topics, s.Logs = len(topics), len(logs)
	x, err := w.history(ctx)
	if err != nil {
		s.Findings = append(s.Findings, Finding{Level: "warning", Where: "history", What: err.Error(), Fix: "quipu verify"})
		return s, nil //nolint:nilerr // the fault is one of the findings
	}
	if s.Changes, err = x.Count(ctx); err != nil {
		return s, err
	}
	rows, err := w.Journal(ctx, Query{Limit: 1})
	if err == nil && len(rows) > 0 {
		s.Last = &rows[0]
	}
	return s, err
}

func oddFinding(path string) Finding {
	return Finding{
		Level: "error", Where: path, What: "no plain file of a fit size (2 MiB, a picture 5) stands there, so it is neither read nor kept",
		Fix: "mv -- " + shellQuote(path) + " " + shellQuote(path+".aside"),
	}
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// ownFile reads a small file of the git directory, "" when there is none.
func (w *Workspace) ownFile(name string) string {
	b, err := os.ReadFile(filepath.Join(w.git.Dir(), filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(b)
}
