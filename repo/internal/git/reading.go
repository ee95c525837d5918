package git

import (
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
