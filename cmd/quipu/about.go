package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// beginsAbout says whether a file was not opened only because it is ABOUT.md and
// nothing was ever written to About me: a save makes it, a read does not.
func beginsAbout(err error, path string) bool {
	return path == policy.AboutFile && errors.Is(err, repo.ErrNotFound)
}

// save keeps a whole text; w is nil for an About me that begins with it, and comes
// back as what it was saved in.
func (e *env) save(ctx context.Context, w *repo.Workspace, path, text string, x repo.Expect, dryRun bool) (*repo.Workspace, repo.Receipt, error) {
	m, err := e.meta(dryRun)
	if err != nil {
		return w, repo.Receipt{}, err
	}
	if w == nil {
		if dryRun {
			r, err := planAbout(text)
			return nil, r, err
		}
		if w, x, err = e.beginAbout(ctx, x); err != nil {
			return w, repo.Receipt{}, err
		}
	}
	r, err := w.Save(ctx, m, path, text, x)
	return w, r, err
}

// beginAbout makes About me for a first save. What quipu itself puts there at the
// start is not what the save could have been based on, and gives way.
func (e *env) beginAbout(ctx context.Context, x repo.Expect) (*repo.Workspace, repo.Expect, error) {
	if none := emptyHash(); x.Hash != "" && x.Hash != none && !x.Any {
		return nil, x, &repo.StaleError{Path: policy.AboutFile, CurrentHash: none}
	}
	s, err := e.Store()
	if err != nil {
		return nil, x, err
	}
	id, err := e.whose(ctx, s, policy.AboutFile)
	if err != nil {
		return nil, x, err
	}
	w, err := s.MakeMe(ctx, personOf(id))
	if err != nil {
		return nil, x, err
	}
	rows, err := w.Journal(ctx, repo.Query{Path: policy.AboutFile, All: true, Limit: 2})
	if err == nil && len(rows) == 1 && rows[0].Action == string(repo.ActInit) && rows[0].AfterHash != nil {
		x.Hash = *rows[0].AfterHash
	}
	return w, x, err
}

// emptyHash is the hash of no text.
func emptyHash() string {
	sum := sha256.Sum256(nil)
	return hex.EncodeToString(sum[:])
}

// planAbout is the receipt of a first save that is only tried.
func planAbout(text string) (repo.Receipt, error) {
	clean, n := policy.NewRedactor().Redact(text)
	if len(clean) > policy.MaxFileBytes {
		return repo.Receipt{}, repo.ErrTooLarge
	}
	row := repo.Row{Path: policy.AboutFile, Kind: "created"}
	row.Diff, row.Added, row.Removed = markdown.Diff(policy.AboutFile, nil, []byte(clean))
	return repo.Receipt{DryRun: true, Rows: []repo.Row{row}, Redacted: n}, nil
}
