package git

import (
	"context"
	"maps"
	"os"
	"slices"
	"time"
)

// ReadWork gives a work file's text and the time of its last change. It takes no
// lock and follows no link. fs.ErrNotExist, ErrOddFile.
func (r *Repo) ReadWork(path string) ([]byte, time.Time, error) {
	text, st, err := r.work.read(path)
	return text, time.Unix(st.mtime, st.mnsec), err
}

// WorkFile is one tracked file of the work tree in a listing.
type WorkFile struct {
	Path     string
	Size     int64 // bytes
	Modified time.Time
}

// ListWork lists the tracked files of the work tree; odd are the paths where no
// regular file of a fit size stands. It takes no lock.
func (r *Repo) ListWork() (files []WorkFile, odd []string, err error) {
	err = r.work.list(r.opt.Tracked, func(path string, st stat) {
		files = append(files, WorkFile{Path: path, Size: st.size, Modified: time.Unix(st.mtime, st.mnsec)})
	}, func(path string) { odd = append(odd, path) })
	return files, odd, err
}

// FileAt gives the blob of a file at a commit; zero when it had none there, and for
// the zero commit.
func (r *Repo) FileAt(commit Hash, path string) (Hash, error) {
	if commit.IsZero() {
		return Hash{}, nil
	}
	c, err := r.Commit(commit)
	if err != nil {
		return Hash{}, err
	}
	root, err := r.readTree(c.Tree)
	if err != nil {
		return Hash{}, err
	}
	return r.find(root, path)
}

// BlobsAt gives every file of a commit; none for the zero commit.
func (r *Repo) BlobsAt(commit Hash) (map[string]Hash, error) {
	if commit.IsZero() {
		return nil, nil
	}
	c, err := r.Commit(commit)
	if err != nil {
		return nil, err
	}
	files, err := r.Files(c.Tree)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Hash, len(files))
	for _, f := range files {
		out[f.Path] = f.Blob
	}
	return out, nil
}

// Staged lists the tracked files that an index file would commit and that differ from
// the newest commit.
func (r *Repo) Staged(indexFile string) ([]TreeFile, error) {
	b, err := os.ReadFile(indexFile)
	if err != nil {
		return nil, err
	}
	x, err := parseIndex(b)
	if err != nil {
		return nil, err
	}
	_, head, err := r.Head()
	if err != nil {
		head = Hash{}
	}
	committed, err := r.BlobsAt(head)
	if err != nil {
		return nil, err
	}
	var out []TreeFile
	for _, path := range x.paths() {
		if blob, ok := x.blob(path); ok && r.opt.Tracked(path) && committed[path] != blob {
			out = append(out, TreeFile{Path: path, Blob: blob, Mode: modeFile})
		}
	}
	return out, nil
}

// EachFile visits every version of every tracked file that any ref reaches, once,
// with a commit that holds it. progress is told how many commits are done.
func (r *Repo) EachFile(ctx context.Context, visit func(commit Hash, f TreeFile) error, progress func(done, total int)) error {
	blobs := map[Hash]bool{}
	return r.eachTree(ctx, func(h, tree Hash) error { return r.newFiles(h, tree, blobs, visit) }, progress)
}

// EachPath visits every tracked path that any ref reaches with every text that it had,
// once each.
func (r *Repo) EachPath(ctx context.Context, visit func(f TreeFile) error) error {
	seen := map[TreeFile]bool{}
	return r.eachTree(ctx, func(_, tree Hash) error {
		files, err := r.Files(tree)
		if err != nil {
			return nil //nolint:nilerr // a broken tree, which CheckAll tells of
		}
		for _, f := range files {
			if seen[f] || !r.opt.Tracked(f.Path) {
				continue
			}
			seen[f] = true
			if err := visit(f); err != nil {
				return err
			}
		}
		return nil
	}, func(int, int) {})
}

// eachTree visits the tree of every commit that any ref reaches, once.
func (r *Repo) eachTree(ctx context.Context, visit func(commit, tree Hash) error, progress func(done, total int)) error {
	starts, err := r.allRefs()
	if err != nil {
		return err
	}
	trees := map[Hash]bool{}
	queue := slices.Collect(maps.Values(starts))
	return r.eachCommit(ctx, queue, progress, func(h Hash, c *Commit, _ error) error {
		if c == nil || trees[c.Tree] {
			return nil // a tag, or a broken object, which CheckAll tells of, or a tree that was seen
		}
		trees[c.Tree] = true
		return visit(h, c.Tree)
	})
}

func (r *Repo) newFiles(commit, tree Hash, blobs map[Hash]bool, visit func(Hash, TreeFile) error) error {
	files, err := r.Files(tree)
	if err != nil {
		return nil //nolint:nilerr // a broken tree, which CheckAll tells of
	}
	for _, f := range files {
		if blobs[f.Blob] || !r.opt.Tracked(f.Path) {
			continue
		}
		blobs[f.Blob] = true
		if err := visit(commit, f); err != nil {
			return err
		}
	}
	return nil
}
