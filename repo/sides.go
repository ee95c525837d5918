package repo

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// tree is one side's files, with what is no note of ours apart.
type tree struct {
	head    bool // it is that of the newest commit, which may not be in the object store yet
	tracked map[string]git.Hash
	beside  map[string]git.TreeFile
	odd     []string          // tracked paths where no plain file stands, or one that is too large
	own     map[string][]byte // what counts instead, of files that only transactions write
	modes   []string          // tracked paths of plain files that git takes for programs; a note is none
}

func (l *landing) tree(commit git.Hash) (tree, error) {
	t := tree{tracked: map[string]git.Hash{}, beside: map[string]git.TreeFile{}}
	if commit.IsZero() {
		return t, nil
	}
	files, err := l.filesAt(commit)
	if err != nil {
		return t, gitError(err)
	}
	t.head = commit == l.v.tx.Head()
	for _, f := range files {
		switch {
		case !tracked(f.Path):
			t.beside[f.Path] = f
		case f.Plain():
			t.tracked[f.Path] = f.Blob
			if !f.Usual() {
				t.modes = append(t.modes, f.Path)
			}
		default:
			t.odd = append(t.odd, f.Path)
		}
	}
	return t, nil
}

func (l *landing) filesAt(commit git.Hash) ([]git.TreeFile, error) {
	if commit == l.v.tx.Head() {
		return l.v.tx.AllFiles()
	}
	c, err := l.v.w.git.Commit(commit)
	if err != nil {
		return nil, err
	}
	return l.v.w.git.Files(c.Tree)
}

// fetched is the tree of what came; in it no note is larger than a work file may be.
func (l *landing) fetched(ours tree) (tree, error) {
	t, err := l.tree(l.j.theirs)
	for path, blob := range t.tracked {
		if err != nil {
			break
		}
		if ours.tracked[path] == blob {
			continue
		}
		var text []byte
		if text, err = l.v.w.git.Blob(blob); int64(len(text)) > git.MaxFile(path) {
			t.odd = append(t.odd, path)
			delete(t.tracked, path)
		}
	}
	slices.Sort(t.odd)
	for _, path := range t.odd {
		l.note("%s is no plain file of a fit size at the remote and was not taken over", path)
	}
	if err == nil {
		err = l.putBack(ours, &t)
	}
	return t, gitError(err)
}

// text is that of a tracked file.
func (l *landing) text(of tree, path string) ([]byte, error) {
	if text, is := of.own[path]; is {
		return text, nil
	}
	if of.head {
		text, _, err := l.v.tx.File(path)
		return text, err
	}
	text, err := l.v.w.git.Blob(of.tracked[path])
	return text, gitError(err)
}

// when is the day of a commit.
func (l *landing) when(commit git.Hash) markdown.Date {
	c, err := l.v.w.git.Commit(commit)
	if err != nil {
		return markdown.DateOf(l.v.at)
	}
	return markdown.DateOf(c.Committer.When.In(l.v.at.Location()))
}

// texts reads the files of a tree that differ among some trees, and those that the
// budget needs.
func (l *landing) texts(of tree, differ map[string]bool) (map[string][]byte, error) {
	out := map[string][]byte{}
	for path := range of.tracked {
		if !differ[path] {
			continue
		}
		text, err := l.text(of, path)
		if err != nil {
			return nil, err
		}
		out[path] = l.readable(path, text)
	}
	return out, nil
}

// readable is a text without the lines by which git marks a conflict: they never load.
func (l *landing) readable(path string, text []byte) []byte {
	if !hasMarkers(text) {
		return text
	}
	l.note("%s held conflict markers of git; both sides' lines stay, without them", path)
	return withoutMarkers(text)
}

func (l *landing) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	if !slices.Contains(l.v.notes, n) {
		l.v.notes = append(l.v.notes, n)
	}
}

// differing are the tracked paths that are not the same in all trees.
func differing(trees ...tree) map[string]bool {
	out := map[string]bool{policy.MemoryFile: true, policy.ArchiveFile: true}
	for _, t := range trees {
		for path, blob := range t.tracked {
			for _, o := range trees {
				if o.tracked[path] != blob {
					out[path] = true
				}
			}
		}
	}
	return out
}

// joint is two trees with what they grew from, and what a merge makes of the notes.
type joint struct {
	bases        []tree
	ours, theirs tree
	differ       map[string]bool // the tracked paths that are not the same everywhere
	merged       policy.TreeMerged
}

// sides reads two trees and the bases that they grew from.
func (l *landing) sides(bases []git.Hash, a, b git.Hash) (m joint, err error) {
	for _, h := range bases {
		t, err := l.tree(h)
		if err != nil {
			return m, err
		}
		m.bases = append(m.bases, t)
	}
	if m.ours, err = l.tree(a); err != nil {
		return m, err
	}
	if b == l.j.theirs {
		m.theirs, err = l.fetched(m.ours)
	} else {
		m.theirs, err = l.tree(b)
	}
	if err != nil {
		return m, err
	}
	for _, path := range m.theirs.odd { // as if they had left it alone
		if len(m.bases) > 0 && !m.bases[0].tracked[path].IsZero() {
			m.theirs.tracked[path] = m.bases[0].tracked[path]
		}
	}
	m.differ = differing(append(slices.Clone(m.bases), m.ours, m.theirs)...)
	for _, path := range slices.Concat(m.theirs.odd, m.theirs.modes) { // their tree has something else there
		m.differ[path] = true
	}
	return m, nil
}

// joined merges two trees that grew from bases; of the notes it has those that differ.
func (l *landing) joined(ctx context.Context, bases []git.Hash, a, b git.Hash) (joint, error) {
	m, err := l.sides(bases, a, b)
	if err != nil {
		return m, err
	}
	in := policy.TreeMerge{A: markdown.Side{At: l.when(a)}, B: markdown.Side{At: l.when(b)}, Limits: l.v.w.limits()}
	for _, t := range m.bases {
		texts, err := l.texts(t, m.differ)
		if err != nil {
			return m, err
		}
		in.Bases = append(in.Bases, texts)
	}
	if in.A.Files, err = l.texts(m.ours, m.differ); err != nil {
		return m, err
	}
	if in.B.Files, err = l.texts(m.theirs, m.differ); err != nil {
		return m, err
	}
	if in.Gone, err = l.gone(ctx, in.A.Files[policy.LedgerFile], in.B.Files[policy.LedgerFile]); err != nil {
		return m, err
	}
	m.merged = in.Merge()
	for path := range m.merged.Files {
		m.differ[path] = true
	}
	return m, nil
}

// gone says which texts were forgotten, on either side or for every bot; nil when
// nothing was.
func (l *landing) gone(ctx context.Context, ledgers ...[]byte) (func(text string) bool, error) {
	if !l.v.w.store.Config().NeverLearn() {
		return nil, nil
	}
	list, err := l.v.never(ctx)
	if err != nil {
		return nil, err
	}
	lists := []policy.Never{list.own, list.person}
	if all := bytes.Join(ledgers, []byte("\n")); len(all) > 1 {
		both, _ := policy.ParseLedger(all)
		lists = []policy.Never{both.Never(), list.person}
	}
	if !slices.ContainsFunc(lists, func(n policy.Never) bool { return n.Len() > 0 }) {
		return nil, nil
	}
	return func(text string) bool {
		is := slices.ContainsFunc(lists, func(n policy.Never) bool { return n.Mentions(text, noTime) })
		if is {
			l.note("something that was forgotten was left out; the history that came may still hold it: erase it again to take it out there")
		}
		return is
	}, nil
}

// changedBeside are the paths that are no notes that one tree changed and another, from
// which the result is made, did not; of what both changed one, always the same, wins.
func (l *landing) changedBeside(bases []tree, in, changed tree) []git.TreeFile {
	known := func(path string, f git.TreeFile) bool {
		return slices.ContainsFunc(bases, func(t tree) bool { return t.beside[path] == f })
	}
	paths := maps.Clone(changed.beside)
	maps.Copy(paths, in.beside)
	var out []git.TreeFile
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		a, b := changed.beside[path], in.beside[path]
		switch {
		case a == b, known(path, a):
			continue
		case !known(path, b):
			l.note("%s was changed on both sides; it is no note, and one version was taken", path)
			if a.Blob.String() < b.Blob.String() {
				continue
			}
		}
		if a.Path == "" {
			a = git.TreeFile{Path: path, Mode: b.Mode}
		}
		out = append(out, a)
	}
	return out
}
