package main

import (
	"context"
	"fmt"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// update runs one change of notes and tells what became of it.
func (e *env) update(ctx context.Context, u policy.Update, dryRun bool) error {
	w, err := e.workspace(ctx)
	if err != nil {
		return err
	}
	m, err := e.meta(dryRun)
	if err != nil {
		return err
	}
	m.Source = u.Source
	r, err := w.Update(ctx, m, u)
	if err != nil {
		return err
	}
	done := map[policy.Action]string{
		policy.Append: "remembered in", policy.Replace: "replaced in",
		policy.Supersede: "superseded in", policy.Remove: "dropped from",
	}[u.Action]
	if e.json {
		return e.printUpdate(ctx, w, r, done)
	}
	if r.Known {
		done = "already known"
	}
	// The dry run shows the entry in its diff.
	if !r.DryRun && r.Entry != "" {
		if err := e.write(e.shown(strings.TrimRight(r.Entry, "\n")) + "\n"); err != nil {
			return err
		}
	}
	return e.tell(r, done)
}

// tell says what a write did: words for the person, and for a dry run the diff.
func (e *env) tell(r repo.Receipt, done string) error {
	paths := listed(r.Rows)
	switch {
	case r.Known:
		e.say("already known, nothing is added")
	case r.DryRun && len(r.Rows) == 0, !r.DryRun && r.Change == "":
		e.say("nothing to change")
	case r.DryRun:
		e.say("would change %s (dry run, nothing is written)", paths)
	default:
		e.say("%s (change %s)", strings.TrimSpace(done+" "+paths), r.Change)
	}
	e.asides(r)
	if !r.DryRun {
		return nil
	}
	return e.write(e.painted(diffOf(r.Rows)))
}

// asides says what happened beside the change that was asked for.
func (e *env) asides(r repo.Receipt) {
	if n := len(r.Outside); n > 0 {
		e.say("took in %s made outside first", count(n, "edit"))
	}
	if r.Redacted > 0 {
		e.say("masked %s before it was kept", count(r.Redacted, "credential"))
	}
	if n := len(r.Moved); n > 0 {
		e.say("moved %s to the archive to make room", count(n, "older note"))
	}
	for _, note := range r.Notes {
		e.say("note: %s", clean(note))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// printUpdate prints the answer of POST memory/update.
func (e *env) printUpdate(ctx context.Context, w *repo.Workspace, r repo.Receipt, done string) error {
	index, err := w.Read(ctx, policy.MemoryFile)
	if err != nil {
		return err
	}
	message := strings.TrimSpace(done + " " + strings.Join(pathsOf(r.Rows), ", "))
	if r.Known {
		message = "already known"
	}
	out := map[string]any{
		"ok": true, "moved": orNone(r.Moved), "message": message, "change": changeOf(r),
		"truncated": policy.Measure([]byte(index.Text)).Truncated,
	}
	if r.Entry != "" {
		out["entry"] = r.Entry
	}
	if len(r.Removed) > 0 {
		out["removed"] = r.Removed
	}
	if r.Known {
		out["known"] = true
	}
	return e.print(withRun(out, r))
}

// printFile prints the answer of the routes that change one file: write, rm, undo,
// redo, restore.
func (e *env) printFile(ctx context.Context, w *repo.Workspace, path string, r repo.Receipt) error {
	if path == "" && len(r.Rows) > 0 {
		path = r.Rows[0].Path
	}
	out := map[string]any{"ok": true, "path": path, "entry": rowOf(r.Rows, path), "entries": orNone(r.Rows)}
	if path != "" {
		t, err := w.Read(ctx, path)
		if err != nil {
			return err
		}
		out["text"], out["hash"], out["exists"] = t.Text, t.Hash, t.Exists
	}
	var err error
	if out["overview"], err = overview(ctx, w); err != nil {
		return err
	}
	if r.Undone != "" {
		out["undone"] = r.Undone
	}
	out["change"] = changeOf(r)
	return e.print(withRun(out, r))
}

// withRun adds what every write may have to say.
func withRun(out map[string]any, r repo.Receipt) map[string]any {
	if r.DryRun {
		out["dryRun"], out["entries"] = true, orNone(r.Rows)
	}
	if r.Redacted > 0 {
		out["redacted"] = r.Redacted
	}
	if len(r.Outside) > 0 {
		out["outside"] = r.Outside
	}
	if len(r.Notes) > 0 {
		out["notes"] = r.Notes
	}
	return out
}

// overview is the answer of GET memory.
func overview(ctx context.Context, w *repo.Workspace) (map[string]any, error) {
	t, err := w.Read(ctx, policy.MemoryFile)
	if err != nil {
		return nil, err
	}
	topics, logs, err := w.List(ctx)
	if err != nil {
		return nil, err
	}
	g := policy.Measure([]byte(t.Text))
	return map[string]any{
		"botId": w.ID(), "workspacePath": w.Dir(), "text": t.Text, "truncated": g.Truncated,
		"topics": orNone(topics), "logs": orNone(logs),
		"index": map[string]any{
			"lines": g.Lines, "bytes": g.Bytes, "maxLines": g.MaxLines, "maxBytes": g.MaxBytes,
			"loadedLines": g.LoadedLines, "loadedBytes": g.LoadedBytes, "truncated": g.Truncated, "hash": t.Hash,
		},
	}, nil
}

// changeOf is null in JSON where nothing was written.
func changeOf(r repo.Receipt) any {
	if r.Change == "" {
		return nil
	}
	return r.Change
}

// rowOf is the row of one file, else the first; null in JSON where there is none.
func rowOf(rows []repo.Row, path string) any {
	for _, r := range rows {
		if r.Path == path {
			return r
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
}

// orNone makes no list an empty one: in JSON `[]`, never null.
func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
