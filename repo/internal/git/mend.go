package git

import (
	"bytes"
	"context"
	"errors"
)

// mendFiles puts the work files and index entries of the records' paths in order.
// A text that is in none of the records is a person's edit and stays.
func (m *mending) mendFiles(ctx context.Context, name string) error {
	r := m.r
	unmerged := false
	if err := r.loadIndex(); errors.Is(err, ErrState) {
		unmerged = true // the index is left to the person
	} else if err != nil {
		return err
	}
	versions := m.versions(name)
	for _, v := range versions {
		mend := m.mendFile
		if !r.opt.Tracked(v.path) {
			mend = m.mendBeside
		}
		if err := mend(v); err != nil {
			return err
		}
	}
	if !m.sameBoot {
		if err := m.mendBlank(); err != nil {
			return err
		}
	}
	switch {
	case unmerged || r.index == nil && len(versions) == 0:
		return nil
	case r.index == nil:
		return m.stageByGit(ctx, versions)
	}
	if !m.sameBoot {
		if err := m.mendEntries(); err != nil {
			return err
		}
	}
	return r.writeIndex()
}

// mendBlank gives files that a power cut emptied or filled with zeros, while a person
// edited them, the text of the newest commit again: no one's edit looks like that.
func (m *mending) mendBlank() error {
	r := m.r
	var blank []TreeFile
	err := r.walk(r.head.root, "", func(f TreeFile) {
		if !r.opt.Tracked(f.Path) {
			return
		}
		have, text, err := r.inspect(f.Path, f.Blob)
		if err != nil || have.blob.IsZero() || have.blob == f.Blob {
			return
		}
		if len(bytes.TrimRight(text, "\x00")) == 0 || bytes.HasSuffix(text, []byte{0, 0, 0, 0}) {
			blank = append(blank, TreeFile{Path: f.Path, Blob: f.Blob})
		}
	})
	for _, f := range blank {
		r.note("%s was blank and was written again", f.Path)
		err = errors.Join(err, m.writeWork(f.Path, f.Blob, Hash{}))
	}
	return err
}

// mendEntries takes texts out of the index that a power cut took away: a person's
// staged file, or the entry of a commit that is gone.
func (m *mending) mendEntries() error {
	r := m.r
	for _, path := range r.index.paths() {
		blob, _ := r.index.blob(path)
		if m.has(blob) || r.index.mode(path) == modeLink {
			continue
		}
		want, err := r.find(r.head.root, path)
		if err != nil {
			return err
		}
		if want.IsZero() {
			r.index.remove(path)
		} else {
			r.index.set(path, want, nil)
		}
	}
	return nil
}

func (m *mending) stageByGit(ctx context.Context, versions []version) error {
	var files []TreeFile
	for _, v := range versions {
		want, err := m.r.find(m.r.head.root, v.path)
		if err != nil {
			return err
		}
		mode, err := m.r.modeAt(m.r.head.root, v.path)
		if err != nil {
			return err
		}
		files = append(files, TreeFile{Path: v.path, Blob: want, Mode: mode})
	}
	return m.r.gitIndex(ctx, files)
}

// version is a path with every text that the records knew of it.
type version struct {
	path  string
	blobs map[Hash]bool
}

// versions lists the paths of the records that were not put in place in this boot. A
// person's own commits count after a power cut only: before, their files hold what
// the person wants.
func (m *mending) versions(name string) []version {
	at := map[string]int{}
	var out []version
	for i := range m.records {
		c := &m.records[i]
		if c.branch != name || c.seq <= m.inPlace || c.kind == recordAdopt && m.sameBoot {
			continue
		}
		for _, f := range c.files {
			j, ok := at[f.path]
			if !ok {
				j = len(out)
				at[f.path] = j
				out = append(out, version{f.path, map[Hash]bool{}})
			}
			out[j].blobs[f.old], out[j].blobs[f.new] = true, true
		}
	}
	return out
}

func (m *mending) mendFile(v version) error {
	r := m.r
	want, err := r.find(r.head.root, v.path)
	if err != nil {
		return err
	}
	f, text, err := r.inspect(v.path, Hash{})
	if errors.Is(err, ErrOddFile) {
		return nil // doctor tells of it
	}
	if err != nil {
		return err
	}
	if f.blob != want && (v.blobs[f.blob] || m.spoiled(text, f.blob, v)) {
		if err := m.writeWork(v.path, want, f.blob); err != nil {
			return err
		}
		f.blob = want
	}
	if r.index == nil {
		return nil
	}
	staged, ok := r.index.blob(v.path)
	if ok && !v.blobs[staged] && staged != want {
		return nil // the person staged something else
	}
	if want.IsZero() {
		r.index.remove(v.path)
		return nil
	}
	r.index.set(v.path, want, nil)
	if st, err := r.work.lstat(v.path); err == nil && f.blob == want {
		r.index.set(v.path, want, &st)
	}
	return nil
}

// mendBeside stages a path that a landing brought and that is not tracked.
func (m *mending) mendBeside(v version) error {
	r := m.r
	want, err := r.find(r.head.root, v.path)
	if err != nil || r.index == nil {
		return err
	}
	if want.IsZero() {
		r.index.remove(v.path)
		return nil
	}
	mode, err := r.modeAt(r.head.root, v.path)
	if err == nil {
		r.index.setAside(v.path, want, mode)
	}
	return err
}

// spoiled says whether a work file is what a power cut makes of one: gone, blank,
// or cut short.
func (m *mending) spoiled(text []byte, blob Hash, v version) bool {
	if m.sameBoot {
		return false
	}
	text = bytes.TrimRight(text, "\x00")
	if blob.IsZero() || len(text) == 0 {
		return true
	}
	for h := range v.blobs {
		if whole, err := m.r.Blob(h); err == nil && bytes.HasPrefix(whole, text) {
			return true
		}
	}
	return false
}

func (m *mending) writeWork(path string, want, was Hash) error {
	r := m.r
	if want.IsZero() {
		return r.work.remove(path)
	}
	text, err := r.Blob(want)
	if err != nil {
		return err
	}
	tmp := tempName(path, 0)
	if err := r.work.writeTemp(path, tmp, text); err != nil {
		return err
	}
	if !was.IsZero() {
		if _, err := r.keepReplaced(path, was, 0); err != nil {
			r.log.Warn("a late edit of this file would not be noticed", "path", path, "err", err)
		}
	}
	return r.work.rename(tmp, path)
}
