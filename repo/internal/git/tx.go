package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Tx is the view that a change works on: the newest commit, what was committed in
// this transaction on top of it, and the work files.
type Tx struct {
	r       *Repo
	start   tip
	end     tip
	records []*record
	texts   map[string]staged   // what this transaction writes, by path
	seen    map[string]workFile // work files looked at
	found   map[string]openEdit // those that were edited outside
	taken   map[string]bool     // edits that a commit of this transaction holds
	told    map[string]bool     // edits that the running change was told of
	due     []lateFile          // late edits that wait to be taken in
	beside  []Delta             // paths that are not tracked, as a landing leaves them
}

// openEdit is an outside edit with the late edits that are joined in it.
type openEdit struct {
	edit Edit
	late []lateFile
}

type staged struct {
	text []byte
	blob Hash // zero: the file goes
}

// workFile is a work file as it was found: the zero blob is no file.
type workFile struct {
	blob Hash
	st   stat
}

// File is a text to be written, or taken out.
type File struct {
	Path   string
	Text   []byte
	Delete bool
}

// NewCommit is one change to be committed.
type NewCommit struct {
	Author  Signature
	Message string
	Parents []Hash // beyond the current end, for a merge
	Files   []File
	Other   []TreeFile // paths that are not tracked; a zero Blob takes one out
}

// Head is the newest commit, those of this transaction counted.
func (t *Tx) Head() Hash { return t.end.hash }

// Branch is the branch that is checked out, without refs/heads/.
func (t *Tx) Branch() string { return strings.TrimPrefix(t.start.branch, branchPrefix) }

// File gives a file's text at Head; ok is false when there is none. ErrDamaged.
func (t *Tx) File(path string) (text []byte, ok bool, err error) {
	if s, has := t.texts[path]; has {
		return s.text, !s.blob.IsZero(), nil
	}
	h, err := t.r.find(t.end.root, path)
	if err != nil || h.IsZero() {
		return nil, false, err
	}
	if text, err = t.r.Blob(h); err != nil {
		return nil, false, errors.Join(ErrDamaged, err)
	}
	return text, true, nil
}

// Files lists every tracked file at Head.
func (t *Tx) Files() ([]TreeFile, error) {
	var out []TreeFile
	err := t.r.walk(t.end.root, "", func(f TreeFile) {
		if t.r.opt.Tracked(f.Path) {
			out = append(out, f)
		}
	})
	return out, err
}

// attempt runs one change; when it fails, what it had committed is taken back. The
// next change of the batch is told of the same outside edits.
func (t *Tx) attempt(fn func(*Tx) error) error {
	end, n, beside := t.end, len(t.records), len(t.beside)
	texts, taken := maps.Clone(t.texts), maps.Clone(t.taken)
	t.told = map[string]bool{}
	err := shielded(fn, t)
	if err != nil {
		t.end, t.records, t.beside = end, t.records[:n], t.beside[:beside]
		t.texts, t.taken = texts, taken
	}
	return err
}

// shielded runs fn and makes an error of a panic: the locks are held for others,
// too, so it must not end here.
func shielded(fn func(*Tx) error, t *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the change panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(t)
}

// Commit adds one commit with the given files on top of Head. A file that was
// edited outside must be taken in first: its edit is part of a commit that holds
// the whole path. ErrOddFile, ErrState.
func (t *Tx) Commit(c NewCommit) (Hash, error) {
	rec := &record{kind: recordChange, branch: t.start.branch, old: t.end.hash, subject: firstLine(c.Message)}
	root := t.end.root
	for _, f := range c.Files {
		next, err := t.stage(rec, root, f)
		if err != nil {
			return Hash{}, fmt.Errorf("%s: %w", f.Path, err)
		}
		root = next
	}
	root, err := t.otherFiles(rec, root, c.Other)
	if err != nil {
		return Hash{}, err
	}
	if len(c.Files)+len(c.Other) > 1 {
		objects, err := t.r.dropPassing(rec.objects, t.end.root, root)
		if err != nil {
			return Hash{}, err
		}
		rec.objects = objects
	}
	commit := &Commit{Tree: root.hash, Author: c.Author, Committer: t.r.opt.Committer, Message: c.Message}
	commit.Committer.When = c.Author.When
	if root.hash.IsZero() {
		o := newObject(KindTree, nil)
		rec.objects = append(rec.objects, o)
		commit.Tree = o.hash
	}
	if !t.end.hash.IsZero() {
		commit.Parents = append(commit.Parents, t.end.hash)
	}
	commit.Parents = append(commit.Parents, c.Parents...)
	o := newObject(KindCommit, encodeCommit(commit))
	rec.objects = append(rec.objects, o)
	rec.new = o.hash
	for i, f := range c.Files {
		t.texts[f.Path] = staged{text: f.Text, blob: rec.files[i].new}
		t.taken[f.Path] = true
	}
	t.end = tip{branch: t.start.branch, hash: o.hash, root: root}
	t.records = append(t.records, rec)
	return o.hash, nil
}

// stage adds one file to the record and gives the tree that holds it.
func (t *Tx) stage(rec *record, root *node, f File) (*node, error) {
	if !t.told[f.Path] {
		if _, edited, err := t.look(f.Path); err != nil {
			return nil, err
		} else if edited {
			return nil, statef("the file was edited outside and could not be taken in")
		}
	}
	old, err := t.r.find(root, f.Path)
	if err != nil {
		return nil, err
	}
	if f.Delete {
		rec.files = append(rec.files, fileChange{f.Path, old, Hash{}})
		return t.r.put(root, f.Path, Hash{}, &rec.objects)
	}
	blob := newObject(KindBlob, f.Text)
	if before, _, err := t.File(f.Path); err == nil && !old.IsZero() && HashBlob(before) == old {
		blob.deltaAgainst(old, before)
	}
	rec.files = append(rec.files, fileChange{f.Path, old, blob.hash})
	rec.objects = append(rec.objects, blob)
	return t.r.put(root, f.Path, blob.hash, &rec.objects)
}

// Edit is a work file that is not what Head says.
type Edit struct {
	Path          string
	Before, After []byte
	Deleted       bool // the work file is gone
	Created       bool // Head has no such file
}

// Outside finds what was edited outside: in the given paths, or, when there are
// none, in every file. odd lists paths where no regular file of a fit size stands.
func (t *Tx) Outside(paths ...string) (edits []Edit, odd []string, err error) {
	var facts map[string]stat
	if len(paths) == 0 {
		if paths, odd, facts, err = t.everyPath(); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range paths {
		e, edited, err := t.lookAt(p, facts)
		switch {
		case errors.Is(err, ErrOddFile):
			odd = append(odd, p)
		case err != nil:
			return nil, nil, err
		case edited:
			edits = append(edits, e)
		}
	}
	slices.Sort(odd)
	return edits, slices.Compact(odd), nil
}

// everyPath lists the tracked paths of Head and of the work tree, with the facts of
// the files that are there.
func (t *Tx) everyPath() (paths, odd []string, facts map[string]stat, err error) {
	all := map[string]bool{}
	facts = map[string]stat{}
	visit := func(p string, st stat) { all[p], facts[p] = true, st }
	if err := t.r.work.list(t.r.opt.Tracked, visit, func(p string) { odd = append(odd, p) }); err != nil {
		return nil, nil, nil, err
	}
	files, err := t.Files()
	if err != nil {
		return nil, nil, nil, err
	}
	for _, f := range files {
		all[f.Path] = true
	}
	for _, f := range t.due {
		all[f.path] = true
	}
	return slices.Sorted(maps.Keys(all)), odd, facts, nil
}

func (t *Tx) look(path string) (Edit, bool, error) { return t.lookAt(path, nil) }

// lookAt compares a work file with Head, once a transaction, and joins late edits
// of the file that it replaced. The file's facts are asked for where they are not
// given.
func (t *Tx) lookAt(path string, facts map[string]stat) (Edit, bool, error) {
	head, err := t.r.find(t.end.root, path)
	if err != nil {
		return Edit{}, false, err
	}
	if _, done := t.seen[path]; done {
		e, edited := t.found[path]
		edited = edited && !t.taken[path]
		t.told[path] = t.told[path] || edited
		return e.edit, edited, nil
	}
	st, known := facts[path]
	f, text, err := workFile{}, []byte(nil), error(nil)
	if known {
		f, text, err = t.r.work.inspect(path, head, st, t.r.index, t.r.indexStat)
	} else {
		f, text, err = t.r.inspect(path, head)
	}
	if err != nil {
		return Edit{}, false, err
	}
	joined, late, err := t.joinLate(path, f.blob, text)
	if err != nil {
		return Edit{}, false, err
	}
	if joined == nil && f.blob == head {
		t.seen[path] = f
		return Edit{}, false, nil
	}
	e := Edit{Path: path, After: text, Deleted: f.blob.IsZero() && joined == nil, Created: head.IsZero()}
	if joined != nil {
		e.After = joined
	}
	if e.Before, err = t.r.Blob(head); err != nil {
		return Edit{}, false, errors.Join(ErrDamaged, err)
	}
	t.seen[path], t.found[path], t.told[path] = f, openEdit{e, late}, true
	return e, true, nil
}

// takenLate lists the late edits that the transaction's commits hold.
func (t *Tx) takenLate() []lateFile {
	var out []lateFile
	for path := range t.taken {
		out = append(out, t.found[path].late...)
	}
	return out
}

// inspect finds out which text a work file holds. The text itself is read only
// when it is not want, or when its facts do not prove that it is.
func (r *Repo) inspect(path string, want Hash) (workFile, []byte, error) {
	st, err := r.work.lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return workFile{}, nil, nil
	}
	if err != nil {
		return workFile{}, nil, err
	}
	return r.work.inspect(path, want, st, r.index, r.indexStat)
}

// inspect is Repo.inspect for a file whose facts st are known, against an index (nil
// for none) that was itself written at the time of at.
func (w *workTree) inspect(path string, want Hash, st stat, x *index, at stat) (workFile, []byte, error) {
	if x != nil {
		entry, ok := x.entryStat(path)
		if blob, _ := x.blob(path); ok && blob == want && st.staged(entry) && !st.racy(at) {
			return workFile{blob: want, st: st}, nil, nil
		}
	}
	text, st, err := w.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return workFile{}, nil, nil
	}
	if err != nil {
		return workFile{}, nil, err
	}
	return workFile{blob: HashBlob(text), st: st}, text, nil
}

// finish makes the transaction's commits durable and puts them in place.
func (t *Tx) finish(ctx context.Context) error {
	if len(t.records) == 0 {
		return nil
	}
	return t.r.write(ctx, t)
}

// Now is the repository's clock.
func (t *Tx) Now() time.Time { return t.r.opt.Now() }

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
