package repo

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"unicode/utf8"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// Read gives one file's text as it stands in the work tree, credentials masked. A
// missing file is not an error: Exists is false. It writes nothing. ErrInvalid for a
// path outside memory, ErrState where something else than a file stands.
func (w *Workspace) Read(_ context.Context, path string) (Text, error) {
	if _, err := checkPath(path); err != nil {
		return Text{}, err
	}
	b, err := w.readWork(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Text{Path: path, Hash: hashText(nil)}, nil
	}
	if err != nil {
		return Text{}, gitError(err)
	}
	return Text{Path: path, Text: string(b), Hash: hashText(b), Exists: true, Invalid: !utf8.Valid(b)}, nil
}

// readWork reads a work file, credentials masked: an editor, or a person's own
// commit, may have put one there.
func (w *Workspace) readWork(path string) ([]byte, error) {
	b, _, err := w.git.ReadWork(path)
	if err != nil {
		return nil, err
	}
	b, _ = w.masked(b)
	return b, nil
}

// List gives the topics (the archive among them) and the day logs, newest modified
// first, then by path. It reads the head of each topic for its header.
func (w *Workspace) List(_ context.Context) (topics, logs []FileInfo, err error) {
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, nil, gitError(err)
	}
	for _, f := range files {
		kind, err := policy.CheckPath(f.Path)
		info := FileInfo{Path: f.Path, Name: path.Base(f.Path), Bytes: int(f.Size), ModifiedAt: f.Modified}
		switch {
		case err != nil || kind == policy.Memory || kind == policy.About:
		case kind == policy.Log:
			logs = append(logs, info)
		default:
			w.describe(&info)
			topics = append(topics, info)
		}
	}
	slices.SortFunc(topics, newestFirst)
	slices.SortFunc(logs, newestFirst)
	return topics, logs, nil
}

func newestFirst(a, b FileInfo) int {
	if c := b.ModifiedAt.Compare(a.ModifiedAt); c != 0 {
		return c
	}
	if a.Path < b.Path {
		return -1
	}
	return 1
}

func (w *Workspace) describe(info *FileInfo) {
	if h, ok := w.header(info.Path); ok {
		info.Title, info.Description, info.Aliases = h.Title, h.Description, h.Aliases
	}
}

// header reads what a topic says of itself, credentials masked; ok is false for a
// file that went away or that doctor lists as a fault.
func (w *Workspace) header(path string) (h markdown.Header, ok bool) {
	b, _, err := w.git.ReadWork(path)
	if err != nil {
		return h, false
	}
	h = markdown.Parse(path, b).Header()
	if !w.isClean(git.HashBlob(b)) {
		h = w.maskHeader(h)
	}
	return h, true
}
