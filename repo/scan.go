package repo

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"quipu/repo/internal/git"
)

// Leak is a place where a credential stands. It never says which.
type Leak struct {
	Where  string `json:"where"` // work, staged, history
	Path   string `json:"path"`
	Line   int    `json:"line"`             // 1-based
	Commit string `json:"commit,omitempty"` // the first commit found that holds it
	Count  int    `json:"count"`            // credentials in the file, from this line on
}

// ScanSecrets looks for credentials in the work files and in every file of every
// commit that a branch, a tag or another ref reaches; progress (may be nil) is told
// done and total. Texts that quipu wrote were masked before; what is found was
// brought by a person's own git, or by another program.
func (w *Workspace) ScanSecrets(ctx context.Context, progress func(done, total int)) ([]Leak, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	leaks := []Leak{}
	for _, f := range files {
		text, _, err := w.git.ReadWork(f.Path)
		if err != nil {
			continue // it went away while we looked
		}
		if l, ok := w.leak(text); ok {
			l.Where, l.Path = "work", f.Path
			leaks = append(leaks, l)
		}
	}
	err = w.git.EachFile(ctx, func(commit git.Hash, f git.TreeFile) error {
		text, err := w.git.Blob(f.Blob)
		if err != nil {
			return nil //nolint:nilerr // verify tells of broken objects
		}
		if l, ok := w.leak(text); ok {
			l.Where, l.Path, l.Commit = "history", f.Path, commit.String()
			leaks = append(leaks, l)
		}
		return nil
	}, progress)
	return leaks, gitError(err)
}

// leak says whether a text holds a credential, and on which line the first stands.
func (w *Workspace) leak(text []byte) (Leak, bool) {
	out, n := w.masked(text)
	if n == 0 {
		return Leak{}, false
	}
	return Leak{Line: firstDifference(text, out), Count: n}, true
}

// firstDifference is the 1-based line in which two texts begin to differ.
func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	return 1 + bytes.Count(a[:i], []byte("\n"))
}

// CheckStaged looks for credentials in what a person's `git commit` is about to
// commit: the memory files of indexFile that differ from the newest commit. A
// relative indexFile is in the git directory.
func (w *Workspace) CheckStaged(_ context.Context, indexFile string) ([]Leak, error) {
	if indexFile == "" {
		indexFile = "index"
	}
	if !filepath.IsAbs(indexFile) {
		indexFile = filepath.Join(w.git.Dir(), indexFile)
	}
	staged, err := w.git.Staged(indexFile)
	if err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	var leaks []Leak
	for _, f := range staged {
		text, err := w.git.Blob(f.Blob)
		if err != nil {
			continue // git would not commit what it cannot read
		}
		if l, ok := w.leak(text); ok {
			l.Where, l.Path = "staged", f.Path
			leaks = append(leaks, l)
		}
	}
	return leaks, nil
}
