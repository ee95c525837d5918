package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// update runs one change of notes and tells what became of it.
func (e *env) update(ctx context.Context, u policy.Update, dryRun bool) error {
	w, err := e.botsNotes(ctx)
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
	if err := e.tell(r, done); err != nil {
		return err
	}
	e.sayRoom(ctx, w, r)
	return nil
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
	if r.Message != "" {
		e.say("%s", clean(r.Message)) // it tells of what was masked, too
	} else if r.Redacted > 0 {
		e.say("masked %s before it was kept", count(r.Redacted, "credential"))
	}
	e.each("no longer so, taken out", r.Retired)
	e.each("still says otherwise", r.Conflicts)
	for i, entry := range r.Moved {
		if i == fewPaths {
			e.say("  and %d more", len(r.Moved)-i)
			break
		}
		first, _, _ := strings.Cut(entry, "\n")
		e.say("  moved: %s", clean(first))
	}
	e.notes(r)
}

// each says a line of each entry.
func (e *env) each(what string, entries []string) {
	for _, entry := range entries {
		first, _, _ := strings.Cut(entry, "\n")
		e.say("  %s: %s", what, clean(first))
	}
}

// notes says what was repaired, masked or left out by a change.
func (e *env) notes(r repo.Receipt) {
	for _, note := range r.Notes {
		e.say("note: %s", clean(note))
	}
}

// tellFile says what a save of a file did; w is nil where nothing is there yet.
func (e *env) tellFile(ctx context.Context, w *repo.Workspace, path string, r repo.Receipt, done string) error {
	if e.json {
		return e.printFile(ctx, w, path, r)
	}
	if err := e.tell(r, done); err != nil {
		return err
	}
	e.sayRoom(ctx, w, r)
	return nil
}

// sayRoom tells how full MEMORY.md is after a change of it that left little room,
// unless the receipt told.
func (e *env) sayRoom(ctx context.Context, w *repo.Workspace, r repo.Receipt) {
	if r.DryRun || r.Message != "" || e.quiet || !slices.Contains(pathsOf(r.Rows), policy.MemoryFile) {
		return
	}
	t, err := w.Read(ctx, policy.MemoryFile)
	if err != nil {
		return // the change holds all the same
	}
	if g := limitsOf(e.opened).Measure([]byte(t.Text)); g.Colour != policy.ColourOK {
		e.say("note: MEMORY.md is %d%% full (%d of %d lines, %d of %d bytes); %s", g.Percent, g.Lines, g.MaxLines, g.Bytes, g.MaxBytes, g.Sentence())
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// truncated says whether MEMORY.md is over what loads; one that cannot be read does
// not make an error of a change that holds.
func (e *env) truncated(ctx context.Context, w *repo.Workspace) bool {
	index, err := w.Read(ctx, policy.MemoryFile)
	return err == nil && limitsOf(e.opened).Measure([]byte(index.Text)).Truncated
}

// printUpdate prints the answer of POST memory/update.
func (e *env) printUpdate(ctx context.Context, w *repo.Workspace, r repo.Receipt, done string) error {
	done = strings.TrimSpace(done + " " + strings.Join(pathsOf(r.Rows), ", "))
	return e.printAnswer(r, done, e.truncated(ctx, w) || r.Truncated)
}

// printAnswer prints what a change of notes answers; done says what it did.
func (e *env) printAnswer(r repo.Receipt, done string, truncated bool) error {
	switch {
	case r.Known:
		done = "already known"
	case r.Message != "":
		done += ". " + r.Message
	}
	out := map[string]any{"ok": true, "moved": orNone(r.Moved), "message": done, "change": changeOf(r), "truncated": truncated}
	if r.Entry != "" {
		out["entry"] = r.Entry
	}
	if r.Kept != "" {
		out["kept"] = r.Kept
	}
	if r.Known {
		out["known"] = true
	}
	if len(r.Retired) > 0 {
		out["retired"] = r.Retired
	}
	if len(r.Conflicts) > 0 {
		out["conflicts"] = r.Conflicts
	}
	return e.print(withRun(out, r))
}

// printFile prints the answer of the routes that change one file: write, rm, undo,
// redo, restore. w is nil where nothing is there yet.
func (e *env) printFile(ctx context.Context, w *repo.Workspace, path string, r repo.Receipt) error {
	if path == "" {
		path = shownPath(r.Rows)
	}
	out := map[string]any{"ok": true, "path": path, "entry": rowOf(r.Rows, path), "entries": orNone(r.Rows)}
	if w == nil {
		return e.print(withRun(out, r))
	}
	if path != "" {
		if t, err := textAfter(ctx, w, path, r); err == nil { // else the change holds all the same
			out["text"], out["hash"], out["exists"] = t.Text, t.Hash, t.Exists
			if t.Invalid {
				out["utf8"] = false
			}
		}
	}
	if !isAbout(w.ID()) {
		out["overview"] = nil
		if o, err := e.overview(ctx, w); err == nil {
			out["overview"] = o
		}
	}
	if r.Undone != "" {
		out["undone"] = r.Undone
	}
	out["change"] = changeOf(r)
	return e.print(withRun(out, r))
}

// shownPath is the first file of a change that can be shown; "" for none. The list of
// what is not to be learned is a file that nobody is shown.
func shownPath(rows []repo.Row) string {
	for _, r := range rows {
		if _, err := policy.CheckPath(r.Path); err == nil {
			return r.Path
		}
	}
	return ""
}

// textAfter is a file as it stands after a change of it, or, where that cannot be
// read, as the change left it.
func textAfter(ctx context.Context, w *repo.Workspace, path string, r repo.Receipt) (repo.Text, error) {
	t, err := w.Read(ctx, path)
	if err != nil && r.Change != "" {
		return w.At(ctx, path, string(r.Change))
	}
	return t, err
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
func (e *env) overview(ctx context.Context, w *repo.Workspace) (map[string]any, error) {
	t, err := w.Read(ctx, policy.MemoryFile)
	if err != nil {
		return nil, err
	}
	topics, logs, err := w.List(ctx)
	if err != nil {
		return nil, err
	}
	g := limitsOf(e.opened).Measure([]byte(t.Text))
	return map[string]any{
		"botId": w.ID(), "workspacePath": w.Dir(), "text": t.Text, "truncated": g.Truncated,
		"topics": orNone(topics), "logs": orNone(logs), "gauge": gaugeJSON{g, g.Sentence()},
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
