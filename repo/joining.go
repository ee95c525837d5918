package repo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// takeErased adds to our list of dropped commits what the remote lists.
func (j *joining) takeErased(ctx context.Context) error {
	if j.erased.IsZero() {
		return nil
	}
	mine, err := j.w.git.RefAt(erasedRef)
	if err != nil || mine == j.erased {
		return gitError(err)
	}
	rel, err := j.w.git.Relate(ctx, mine, j.erased)
	if err != nil || len(rel.Theirs) == 0 {
		return gitError(err)
	}
	return gitError(j.w.git.JoinAside(ctx, erasedRef, j.erased, "both\n"))
}

// dropped are the ids that erasures dropped, anywhere.
func (w *Workspace) dropped() (map[git.Hash]bool, error) {
	files, err := w.git.Aside(erasedRef)
	if err != nil {
		return nil, gitError(err)
	}
	out := map[git.Hash]bool{}
	for _, text := range files {
		for line := range strings.Lines(string(text)) {
			if h, ok := git.ParseHash(strings.TrimSpace(line)); ok {
				out[h] = true
			}
		}
	}
	return out, nil
}

// landTries is how often a landing is planned again when notes change meanwhile.
const landTries = 5

// land puts what the remote has into our history.
func (j *joining) land(ctx context.Context) error {
	if err := j.readDropped(); err != nil {
		return err
	}
	if err := j.tellRewritten(ctx); err != nil {
		return err
	}
	for try := 1; ; try++ {
		planned := true
		r, err := j.w.transact(ctx, j.m, func(v *view, out *Receipt) error {
			j.old, j.gone, j.erasures = false, nil, nil
			if err := v.takeIn(); err != nil {
				return err
			}
			for path, why := range v.refused {
				return wrapf(ErrState, "%s: %s", path, why)
			}
			rel, err := v.tx.Relate(ctx, j.theirs)
			if err != nil {
				return gitError(err)
			}
			l := &landing{j: j, v: v, rel: rel, out: out}
			planned, err = l.put(ctx)
			return err
		})
		if err != nil {
			return err
		}
		r.Notes = append(j.out.Notes, r.Notes...)
		j.out.Receipt = r
		switch {
		case planned:
			return nil
		case try == landTries:
			return wrapf(ErrBusy, "the notes keep changing; try again")
		}
	}
}

// put plans and does it; planned is false when what is written beside it must be in the
// object store first.
func (l *landing) put(ctx context.Context) (planned bool, err error) {
	rel, pending := l.rel, len(l.v.tx.Pending())
	if len(rel.Theirs) == 0 && !l.j.hasDropped(rel.Ours) {
		return true, nil
	}
	if l.j.hasDropped(rel.Bases) { // both go on from what an erasure dropped: neither is the new history
		return true, l.join(ctx)
	}
	ours, err := l.side(rel.Ours[pending:])
	if err != nil {
		return true, err
	}
	theirs, err := l.side(rel.Theirs)
	if err != nil {
		return true, err
	}
	mine, yours := l.j.hasDropped(rel.Ours), l.j.hasDropped(rel.Theirs)
	both := ours.erasedBeside(theirs) && theirs.erasedBeside(ours)
	switch {
	case pending > 0 && (mine || yours || len(theirs.erased) > 0):
		return false, nil
	case both, mine:
		return true, l.adopt(ctx, ours, theirs, both)
	case yours: // the remote goes on with what an erasure here dropped
		l.j.holds, l.j.old = true, true
		if err := l.v.w.noteLetting(nil); err != nil {
			return true, err
		}
		return true, l.replay(ctx, theirs, ours.covers(theirs))
	}
	return true, l.join(ctx)
}

// readDropped is asked again before each use: an erasure may have ended meanwhile.
func (j *joining) readDropped() (err error) {
	j.dropped, err = j.w.dropped()
	return err
}

func (j *joining) hasDropped(list []git.Hash) bool {
	return slices.ContainsFunc(list, func(h git.Hash) bool { return j.dropped[h] })
}

// join makes one history of both, between which no erasure stands.
func (l *landing) join(ctx context.Context) error {
	j, rel := l.j, l.rel
	switch {
	case len(rel.Theirs) == 0:
		return nil
	case j.o.PushOnly:
		return wrapf(ErrConflict, "the remote has %s that are not here; `quipu sync` takes them in first", countOf(len(rel.Theirs), "change"))
	case len(rel.Bases) == 0 && !l.v.tx.Head().IsZero():
		return l.unrelated(ctx)
	case len(rel.Ours) == 0:
		return l.forward(ctx)
	}
	return l.merge(ctx)
}

// tellRewritten says so when the remote no longer has what it had at the last sync. Ours
// has it, and merges it with what is there now.
func (j *joining) tellRewritten(ctx context.Context) error {
	s := j.w.SyncState()
	last, ok := git.ParseHash(s.Head)
	if !ok || s.Branch != j.out.Branch || j.dropped[last] || last == j.theirs || !j.w.git.Has(last) {
		return nil
	}
	rel, err := j.w.git.Relate(ctx, last, j.theirs)
	if err == nil && len(rel.Ours) > 0 && !j.hasDropped(rel.Ours) {
		j.out.Notes = append(j.out.Notes, fmt.Sprintf("the remote's %s was rewritten by somebody: %s that it had stay here, and go there again (`quipu erase` takes something out for good)", j.out.Branch, countOf(len(rel.Ours), "change")))
	}
	return gitError(err)
}

// landing is what the remote has on its way into our history, under the locks.
type landing struct {
	j   *joining
	v   *view
	rel git.Relation
	out *Receipt
}

// files are the tracked files in which a result differs from a tree, credentials masked.
func (l *landing) files(from tree, result policy.TreeMerged, differ map[string]bool) []git.File {
	var out []git.File
	for _, path := range slices.Sorted(maps.Keys(differ)) {
		text, stays := result.Files[path]
		switch blob, had := from.tracked[path]; {
		case stays:
			if text = l.v.clean(path, text); !had || git.HashBlob(text) != blob || slices.Contains(from.odd, path) || slices.Contains(from.modes, path) {
				out = append(out, git.File{Path: path, Text: text})
			}
		case had || slices.Contains(from.odd, path):
			out = append(out, git.File{Path: path, Delete: true})
		}
	}
	return out
}

// merge joins both sides in one commit with two parents.
func (l *landing) merge(ctx context.Context) error {
	v, j := l.v, l.j
	m, err := l.joined(ctx, l.rel.Bases, v.tx.Head(), j.theirs)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(m.merged.Seconds)) {
		l.note("%s was changed on both sides in ways that do not go together; the other version is %s", path, m.merged.Seconds[path])
	}
	n := len(l.rel.Theirs)
	j.out.Pulled, j.out.Merged = j.out.Pulled+n, true
	l.out.Moved, l.out.Truncated = m.merged.Moved, m.merged.Truncated
	land := git.Landing{With: j.theirs, Files: l.files(m.theirs, m.merged, m.differ), Other: l.changedBeside(m.bases, m.theirs, m.ours)}
	return l.commit(land, fmt.Sprintf("%s of %s", countOf(n, "change"), j.out.Branch), true)
}

// forward goes on with theirs, which holds ours; what must not come in is taken out in a
// commit on top.
func (l *landing) forward(ctx context.Context) error {
	v, j := l.v, l.j
	ours, err := l.tree(v.tx.Head())
	if err != nil {
		return err
	}
	theirs, err := l.fetched(ours)
	if err != nil {
		return err
	}
	differ := differing(ours, theirs)
	for _, path := range theirs.modes {
		differ[path] = true
	}
	result := policy.TreeMerged{Merged: markdown.Merged{}}
	if result.Files, err = l.texts(theirs, differ); err != nil {
		return err
	}
	for _, path := range theirs.odd {
		differ[path] = true
		if _, had := ours.tracked[path]; had {
			if result.Files[path], err = l.text(ours, path); err != nil {
				return err
			}
		}
	}
	gone, err := l.gone(ctx, result.Files[policy.LedgerFile])
	if err != nil {
		return err
	}
	if tellsForgotten(result.Files, gone) {
		m, err := l.joined(ctx, []git.Hash{v.tx.Head()}, v.tx.Head(), j.theirs)
		if err != nil {
			return err
		}
		theirs, result, differ = m.theirs, m.merged, m.differ
	}
	j.out.Pulled += len(l.rel.Theirs)
	return l.commit(git.Landing{With: j.theirs, Files: l.files(theirs, result, differ)}, "what must not come in was taken out", false)
}

// commit lands a history; a merge, and one that is altered, is a change of its own.
func (l *landing) commit(land git.Landing, subject string, merge bool) error {
	v, j := l.v, l.j
	who := v.w.signature(Author{Kind: Sync}, v.at)
	switch {
	case merge:
		land.Merge = &who
	case len(land.Files)+len(land.Other) > 0:
		land.Top = &who
	}
	id, err := v.w.store.change(v.at)
	if err != nil {
		return err
	}
	land.Message = message(ActMerge, subject, []trailer{
		{keyAuthor, Author{Kind: Sync}.String()}, {keyAction, string(ActMerge)}, {keyVia, string(ViaSync)}, {keyChange, string(id)},
	})
	hash, err := v.tx.Land(land)
	if err != nil {
		return gitError(err)
	}
	l.out.Commit = hash.String()
	if land.Merge != nil || land.Top != nil {
		l.out.Change = id
	}
	j.out.Conflicts, err = v.conflicts()
	return err
}

// unrelated meets a history that has nothing in common with ours.
func (l *landing) unrelated(ctx context.Context) error {
	v, j := l.v, l.j
	adopts, err := l.adopts(v.tx.Head())
	switch {
	case err != nil:
		return err
	case adopts && j.o.Unrelated == UnrelatedAdopt:
		if err := v.tx.KeepLost(v.tx.Head()); err != nil {
			return gitError(err)
		}
		l.note("the history that was here before is kept under refs/quipu/lost")
		return l.forward(ctx)
	case adopts:
		return l.forward(ctx)
	case j.o.Unrelated == UnrelatedJoin:
		return l.merge(ctx)
	}
	return ErrUnrelated
}

// adopts says whether theirs takes the place of ours: because the person says so, or
// because nothing was ever kept here and theirs is a memory of the same kind.
func (l *landing) adopts(head git.Hash) (bool, error) {
	if l.j.o.Unrelated != "" {
		return l.j.o.Unrelated == UnrelatedAdopt, nil
	}
	fresh, err := l.fresh(head)
	if err != nil || !fresh {
		return false, err
	}
	theirs, err := l.tree(l.j.theirs)
	for path := range theirs.tracked {
		if (path == policy.AboutFile) == (l.v.w.id == meID) {
			return true, err
		}
	}
	return false, err
}

// fresh says whether nothing was ever kept here but the seed.
func (l *landing) fresh(head git.Hash) (bool, error) {
	if len(l.rel.Ours) != 1 {
		return false, nil
	}
	t, err := l.tree(head)
	if err != nil || len(t.tracked) != 1 {
		return false, err
	}
	return t.tracked[policy.MemoryFile] == git.HashBlob([]byte(policy.Seed)) || t.tracked[policy.AboutFile] == git.HashBlob([]byte(aboutSeed)), nil
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
