package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/exchange"
	"quipu/repo/internal/git"
)

// Outgoing reads the notes as they go out: as the newest commit has them, so that files
// that change together are read together, and credentials masked. With taught each note
// says where it comes from.
func (w *Workspace) Outgoing(ctx context.Context, taught bool) (exchange.OutSpace, error) {
	sp := exchange.OutSpace{Bot: string(w.id), Person: w.store.Config().PersonName(), Today: markdown.DateOf(w.now())}
	if b, ok := w.store.Config().Bots[w.id]; ok {
		sp.Name = b.Name
	}
	head, err := w.git.Position()
	if err != nil || head.IsZero() {
		return sp, gitError(err)
	}
	commit, err := w.git.Commit(head)
	if err != nil {
		return sp, gitError(err)
	}
	sp.At = commit.Committer.When
	files, err := w.git.Files(commit.Tree)
	if err != nil {
		return sp, gitError(err)
	}
	for _, f := range files {
		switch {
		case !tracked(f.Path) || !f.Plain(): // a link or a folder of another history holds no notes
		case policy.OwnFile(f.Path):
			sp.Own = append(sp.Own, f.Path)
		case policy.PictureName(f.Path) != "":
			text, err := w.git.Blob(f.Blob)
			if err != nil {
				return sp, gitError(err)
			}
			sp.Pictures = append(sp.Pictures, exchange.OutFile{Path: f.Path, Text: text})
		default:
			n, err := w.outgoing(ctx, f.Path, f.Blob, taught)
			if err != nil {
				return sp, fmt.Errorf("%s: %w", f.Path, err)
			}
			sp.Notes = append(sp.Notes, n)
		}
	}
	slices.Sort(sp.Own)
	slices.SortFunc(sp.Pictures, func(a, b exchange.OutFile) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(sp.Notes, func(a, b exchange.OutNote) int {
		return cmp.Or(cmp.Compare(outOrder(a.Kind), outOrder(b.Kind)), strings.Compare(a.Path, b.Path))
	})
	return sp, nil
}

// outOrder puts the main file first and what is kept for the record last.
func outOrder(k policy.PathKind) int {
	switch k {
	case policy.Memory, policy.About:
		return 0
	case policy.Topic:
		return 1
	default:
		return 2
	}
}

func (w *Workspace) outgoing(ctx context.Context, path string, blob git.Hash, taught bool) (exchange.OutNote, error) {
	text, err := w.git.Blob(blob)
	if err != nil {
		return exchange.OutNote{}, gitError(err)
	}
	kind, err := policy.CheckPath(path)
	if err != nil { // a name that a person chose
		kind = policy.Topic
		if strings.HasPrefix(path, policy.LogDir) {
			kind = policy.Log
		}
	}
	n := exchange.OutNote{Path: path, Kind: kind}
	rows, err := w.Journal(ctx, Query{Path: path, Limit: 1, All: true})
	if err != nil {
		return n, err
	}
	if len(rows) > 0 {
		n.Changed = time.UnixMilli(rows[0].At)
	}
	if taught {
		origins, err := w.taught(ctx, path, text, 0, 0)
		if err != nil {
			return n, err
		}
		n.Taught = make(map[int]exchange.OutOrigin, len(origins))
		for _, b := range origins {
			n.Taught[b.Line] = exchange.OutOrigin{
				Change: string(b.Change), Action: b.Action, First: string(b.First), At: b.At, FirstAt: b.FirstAt,
				Actor: b.Actor, Who: b.Who, Source: b.Source, Words: b.Words, Quote: b.Quote,
			}
		}
	}
	n.Text, _ = w.masked(text)
	return n, nil
}

// Bundled is a history that left as a git bundle.
type Bundled struct {
	Branch string   `json:"branch"`
	Commit string   `json:"commit"`
	Left   []string `json:"left"` // refs that stay here
}

// Bundle writes the branches and tags, with all that they reach, to out as `git clone`
// takes them; nil for out only looks whether that can be done. What quipu keeps for itself
// (refs/quipu), stashes, git's notes and what was fetched stay here, and an erasure that is
// not at its end is finished before. progress (may be nil) is told how many commits were
// looked through. ErrRefused: a credential stands in the history. ErrNotFound: there is
// nothing in it yet. ErrState: git is not installed.
func (w *Workspace) Bundle(ctx context.Context, out io.Writer, progress func(done, total int)) (Bundled, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if err := w.git.CanBundle(); err != nil {
		return Bundled{}, gitError(err)
	}
	if out != nil {
		if err := errors.Join(w.FinishForgets(ctx), w.FinishErasures(ctx, nil)); err != nil {
			return Bundled{}, err
		}
		if list, err := w.erasures(); err != nil || len(list) > 0 {
			return Bundled{}, cmp.Or(err, wrapf(ErrBusy, "an erasure is under way: what it takes out must not leave; try again when it is done"))
		}
	}
	names, err := w.git.RefNames()
	if err != nil {
		return Bundled{}, gitError(err)
	}
	branch, head, err := w.git.Head()
	switch {
	case err != nil:
		return Bundled{}, gitError(err)
	case head.IsZero():
		return Bundled{}, wrapf(ErrNotFound, "the history is empty: there is nothing to bundle")
	}
	if err := w.leaves(ctx, progress); err != nil {
		return Bundled{}, err
	}
	left := slices.DeleteFunc(names, git.InBundle)
	if out == nil {
		return Bundled{Branch: branch, Commit: head.String(), Left: left}, nil
	}
	return Bundled{Branch: branch, Commit: head.String(), Left: left}, gitError(w.git.Bundle(ctx, out))
}

// leaves holds that no credential leaves in a history: a commit goes as it is or not at
// all.
func (w *Workspace) leaves(ctx context.Context, progress func(done, total int)) error {
	const hint = "stands in the history, which leaves as it is or not at all; `quipu scan` says where, and `quipu erase` takes it out"
	err := w.git.EachFile(ctx, func(_ git.Hash, f git.TreeFile) error {
		text, err := w.git.Blob(f.Blob)
		if err != nil {
			return err
		}
		if _, n := w.masked(text); n > 0 {
			return wrapf(ErrRefused, "a credential %s", hint)
		}
		return nil
	}, progress)
	if err != nil {
		return gitError(err)
	}
	return gitError(w.git.EachMessage(ctx, func(c *git.Commit) error {
		if c.Committer.Email == git.CommitterEmail {
			return nil // masked before it was written
		}
		if _, n := w.masked([]byte(c.Message)); n > 0 {
			return wrapf(ErrRefused, "a credential in a commit message %s", hint)
		}
		return nil
	}))
}
