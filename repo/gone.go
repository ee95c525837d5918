package repo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/policy"
)

// Gone says where words can still be found in this workspace, as whole words: its files,
// every object and file of its history, and what was said; nil when nowhere. It reads
// everything, progress, which may be nil, is told how far.
func (w *Workspace) Gone(ctx context.Context, words []string, progress func(done, total int)) ([]Finding, error) {
	phrases, err := policy.ParsePhrases(words)
	if len(phrases) == 0 {
		return nil, refused(err)
	}
	x := policy.EraseWords(phrases, nil)
	found, err := w.foundInWork(x)
	if err != nil {
		return nil, err
	}
	authors, err := w.authors(ctx)
	if err != nil {
		return nil, err
	}
	named := slices.ContainsFunc(authors, func(name string) bool { return x.Found([]byte(name)) })
	err = w.git.Everything(ctx, func(where string, raw []byte) error {
		if isOwn(where) || named && strings.HasPrefix(where, "quipu/") { // who did something stays, and what is made from the history has it
			return nil
		}
		if x.Found(raw) || x.Found([]byte(where)) {
			found = append(found, Finding{Level: "error", Where: where, What: "it is in the history"})
		}
		return nil
	}, progress)
	if err != nil {
		return nil, gitError(err)
	}
	n, err := w.stillSaid(ctx, x)
	if n > 0 {
		found = append(found, Finding{Level: "error", Where: "conversations", What: fmt.Sprintf("%d turns tell of it", n)})
	}
	slices.SortFunc(found, func(a, b Finding) int { return strings.Compare(a.Where, b.Where) })
	return found, err
}

// wouldErase counts what an erasure would take out of the history and of what was said.
func (w *Workspace) wouldErase(ctx context.Context, m Meta, x *policy.Erasure, phrases []policy.Phrase) (out Erased, err error) {
	out.DryRun = true
	if out.Notes, out.Listed, err = w.eraseHere(ctx, m, "", x, phrases); err != nil {
		return out, err
	}
	err = w.git.Everything(ctx, func(where string, raw []byte) error {
		if kind, _, isObject := strings.Cut(where, " "); isObject && kind != "tree" {
			out.Objects++
			if x.Found(raw) {
				out.Copies++
			}
		}
		return nil
	}, nil)
	if err != nil {
		return out, gitError(err)
	}
	out.Said, err = w.stillSaid(ctx, x)
	return out, err
}

// isOwn says whether a file of the history's folder is git's or quipu's own text.
func isOwn(where string) bool {
	return strings.HasPrefix(where, "hooks/") || strings.HasPrefix(where, "info/") || where == "description" || where == "config"
}

// authors are the names of those who changed something, and what kinds of change there are.
func (w *Workspace) authors(ctx context.Context) ([]string, error) {
	x, err := w.history(ctx)
	if err != nil {
		return nil, err
	}
	names, err := x.Authors(ctx)
	for _, a := range []Action{ActUpdate, ActForget, ActErase, ActUndo} {
		names = append(names, string(a))
	}
	return names, err
}

func (w *Workspace) foundInWork(x *policy.Erasure) ([]Finding, error) {
	var found []Finding
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	for _, f := range files {
		if policy.OwnFile(f.Path) {
			continue // hashes, and who asked
		}
		text, _, err := w.git.ReadWork(f.Path)
		if err != nil {
			return nil, gitError(err)
		}
		if _, copies := x.File(f.Path, text); copies > 0 || x.Path(f.Path) != f.Path {
			found = append(found, Finding{Level: "error", Where: f.Path, What: "the file holds it"})
		}
	}
	return found, nil
}

func (w *Workspace) stillSaid(ctx context.Context, x *policy.Erasure) (int, error) {
	said, err := w.store.saidIfAny() //nolint:contextcheck // the handle outlives the call
	if said == nil {
		return 0, err
	}
	n, err := said.Holds(ctx, string(w.id), unsaying(x))
	return n, turnError(err)
}
