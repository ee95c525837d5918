package repo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/side"
)

// Gone says where words can still be found in this workspace, as whole words: its files,
// every object and file of its history, and what was said; nil when nowhere. A warning
// names what quipu does not keep and the person has to change: the names of refs, settings
// and hooks of git, other files of the workspace's folder. It reads everything, progress,
// which may be nil, is told how far.
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
	own, err := w.ownWords(ctx)
	if err != nil {
		return nil, err
	}
	g := goneScan{x: x, named: x.Found([]byte(own)) || byChance(phrases), found: found, refs: map[string]bool{}}
	if err := w.git.Everything(ctx, g.see, progress); err != nil {
		return nil, gitError(err)
	}
	for _, path := range w.besideNotes(ctx, x) {
		g.add("warning", path, notKept)
	}
	found = g.found
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

// byChance reports whether phrases are so short that a file that is no text may well hold
// them without telling anything, or are days, by which the day logs are called.
func byChance(phrases []policy.Phrase) bool {
	return !slices.ContainsFunc(phrases, func(p policy.Phrase) bool {
		_, day := markdown.ParseDate(p.Text)
		return len(p.Text) > 3 && !day
	})
}

// ownWords are the words that what is made from the history has whatever the notes say:
// who changed something, what kinds of change there are, what quipu calls things.
func (w *Workspace) ownWords(ctx context.Context) (string, error) {
	x, err := w.history(ctx)
	if err != nil {
		return "", err
	}
	names, err := x.Authors(ctx)
	for _, a := range Actions() {
		names = append(names, string(a))
	}
	for _, k := range AuthorKinds() {
		names = append(names, string(k))
	}
	for _, v := range []Via{ViaUI, ViaCLI, ViaAPI, ViaMCP, ViaTurn, ViaDisk, ViaRevert} {
		names = append(names, string(v))
	}
	names = append(names, keyAuthor, keySource, keyAction, keyVia, keyChange, keyUndoes, keyTurn, keyQuote, keyFiles, keyPart, policy.ErasedSubject, side.Schema,
		policy.MemoryFile, policy.AboutFile, policy.ArchiveFile, policy.LedgerFile, policy.EpochFile, "memory log md archive ledger", "refs heads main HEAD",
		"commit tree blob tag parent author committer quipu git rewrite id pack SQLite format", "copies in commits notes note", "erased epoch", baseSubject, retainedSubject)
	return strings.Join(names, " "), err
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
		if policy.PictureName(f.Path) != "" && x.Path(f.Path) == f.Path {
			continue
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
