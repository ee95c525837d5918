package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// write makes a transaction's records durable and then puts them in place. Whatever
// needs room on the disk is written before anything that can be seen changes; when
// that fails the records are taken back and the old state stands.
func (r *Repo) write(ctx context.Context, t *Tx) error {
	if t.records[len(t.records)-1].kind == recordAdopt {
		return nil // nothing of ours to build on it
	}
	if r.wal.used() > 0.9 {
		if err := r.checkpoint(t.start.branch, r.tips.at(t.start.branch)); err != nil {
			return err
		}
	}
	if err := r.sameHead(t.start.branch); err != nil {
		return err
	}
	if err := r.wal.add(t.records); err != nil {
		if errors.Is(err, errRecordStays) {
			r.broken = true
			return mayFinish(err)
		}
		return fmt.Errorf("nothing was changed: %w", err)
	}
	p := &placing{r: r, t: t}
	err := p.prepare()
	if err == nil {
		err = p.publish()
	}
	if err != nil {
		return r.takeBack(t, p, err)
	}
	r.head = t.end
	r.tips.set(t.start.branch, t.end.hash)
	p.finish(ctx)
	return nil
}

// takeBack undoes what was published and voids the records. When that fails, too,
// the next holder of the locks finishes the change from its record.
func (r *Repo) takeBack(t *Tx, p *placing, cause error) error {
	n := 0
	for _, c := range t.records {
		if c.kind == recordChange {
			n++
		}
	}
	err := p.rollback()
	if err == nil {
		err = r.wal.void(n)
	}
	r.index, r.indexStat = nil, stat{}
	if err != nil {
		r.broken = true
		return mayFinish(errors.Join(cause, err))
	}
	return fmt.Errorf("nothing was changed: %w", cause)
}

func mayFinish(cause error) error {
	return fmt.Errorf("the change may yet be finished at the next start: %w", cause)
}

// sameHead says whether the branch of the transaction is still the one that is
// checked out: `git switch` lets go of the index before it moves HEAD.
func (r *Repo) sameHead(branch string) error {
	now, err := r.branch()
	if err != nil {
		return err
	}
	if now != branch {
		return &busyError{"another branch was checked out meanwhile; try again"}
	}
	return nil
}

// placing puts durable records in place.
type placing struct {
	r     *Repo
	t     *Tx
	order []string          // paths that are written, see rank
	temps map[string]string // path -> its new text's temporary file
	kept  map[string]string // path -> second name of the file that it replaced
	done  []func() error    // takes back what was published, newest last
}

// prepare writes loose objects and the new texts' temporary files.
func (p *placing) prepare() error {
	r := p.r
	for _, c := range p.t.records {
		if c.kind != recordChange {
			continue
		}
		for i := range c.objects {
			if err := r.writeLoose(&c.objects[i], false); err != nil {
				return err
			}
		}
	}
	p.order = slices.SortedFunc(maps.Keys(p.t.texts), func(a, b string) int {
		d := []Delta{{Path: a}, {Path: b}}
		sortDeltas(d)
		return cmp.Or(p.rank(a)-p.rank(b), map[bool]int{true: -1, false: 1}[d[0].Path == a])
	})
	p.temps, p.kept = map[string]string{}, map[string]string{}
	for i, path := range p.order {
		s := p.t.texts[path]
		if s.blob.IsZero() || s.blob == p.t.seen[path].blob {
			continue
		}
		p.temps[path] = tempName(path, i)
		if err := r.work.writeTemp(path, p.temps[path], s.text); err != nil {
			return err
		}
	}
	return nil
}

// rank puts files that grow before those that shrink, and deletions last: what moves
// from one file to another is in both for a moment, and never in none, whichever way it
// goes.
func (p *placing) rank(path string) int {
	switch s := p.t.texts[path]; {
	case s.blob.IsZero():
		return 2
	case int64(len(s.text)) < p.t.seen[path].st.size:
		return 1
	}
	return 0
}

// publish makes the change visible: work files, index, branch, in this order, so
// that a person's commit after a crash can carry the change on but never reverse it.
func (p *placing) publish() error {
	for i, path := range p.order {
		if err := p.publishFile(path, i); err != nil {
			return err
		}
	}
	if err := p.publishIndex(); err != nil {
		return err
	}
	return p.r.writeRef(p.t.start.branch, p.t.end.hash)
}

func (p *placing) publishFile(path string, n int) error {
	r, s, was := p.r, p.t.texts[path], p.t.seen[path]
	if s.blob == was.blob {
		return nil
	}
	if !was.blob.IsZero() {
		name, err := r.keepReplaced(path, was.blob, n)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			// the file went away since we looked: there is nothing to keep
		case err != nil:
			r.log.Warn("a late edit of this file would not be noticed", "path", path, "err", err)
		default:
			p.kept[path] = name
		}
	}
	var err error
	if s.blob.IsZero() {
		err = r.work.remove(path)
	} else {
		err = r.work.rename(p.temps[path], path)
	}
	if err != nil {
		return err
	}
	delete(p.temps, path)
	p.done = append(p.done, func() error { return p.putBack(path, was) })
	return nil
}

// putBack gives a path its replaced file back.
func (p *placing) putBack(path string, was workFile) error {
	if was.blob.IsZero() {
		return p.r.work.remove(path)
	}
	name, ok := p.kept[path]
	if !ok {
		text, err := p.r.Blob(was.blob)
		if err != nil {
			return fmt.Errorf("%s: no copy of the replaced file: %w", path, err)
		}
		tmp := tempName(path, 0)
		if err := p.r.work.writeTemp(path, tmp, text); err != nil {
			return err
		}
		return p.r.work.rename(tmp, path)
	}
	delete(p.kept, path)
	return p.r.disk.rename(name, p.r.work.abs(path))
}

func (p *placing) publishIndex() error {
	r := p.r
	if r.index == nil {
		return nil // git writes it, in finish
	}
	old, err := os.ReadFile(r.indexPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, path := range p.order {
		s := p.t.texts[path]
		if s.blob.IsZero() {
			r.index.remove(path)
			continue
		}
		st, err := r.work.lstat(path)
		if err != nil {
			r.index.set(path, s.blob, nil) // gone again: git will see that
			continue
		}
		r.index.set(path, s.blob, &st)
	}
	if err := p.publishBeside(); err != nil {
		return err
	}
	if err := r.writeIndex(); err != nil {
		return err
	}
	p.done = append(p.done, func() error {
		if old == nil {
			return r.disk.remove(r.indexPath())
		}
		return r.disk.replace(r.own, r.indexPath(), old)
	})
	return nil
}

// writeIndex puts the index in place. git trusts an entry that is older than its
// index, in whole seconds, so an entry as young as the index that is replaced,
// which git has so far compared by content, must be compared here or be marked.
func (r *Repo) writeIndex() error {
	r.smudgeYoung()
	if err := r.disk.replace(r.own, r.indexPath(), r.index.encode()); err != nil {
		return err
	}
	st, err := lstat(r.indexPath())
	r.indexStat = st
	return err
}

func (r *Repo) smudgeYoung() {
	const most = 64
	n := 0
	for path := range r.index.at {
		entry, _ := r.index.entryStat(path)
		if entry.size == 0 || entry.mtime < r.indexStat.mtime || r.indexStat.mtime == 0 {
			continue
		}
		if n++; n <= most {
			if text, _, err := r.work.read(path); err == nil {
				if blob, _ := r.index.blob(path); blob == HashBlob(text) {
					continue
				}
			}
		}
		r.index.smudge(path)
	}
}

// finish does what may fail without harm: the change is in place.
func (p *placing) finish(ctx context.Context) {
	r := p.r
	for _, c := range p.t.records {
		if err := r.appendReflog(c.branch, c.old, c.new, c.subject, r.signature()); err != nil {
			r.log.Warn("reflog not written", "err", err)
		}
	}
	r.settleLate(p.t.takenLate())
	if r.index == nil {
		if err := p.stageByGit(ctx); err != nil {
			r.log.Warn("index not updated; the next change tries again", "err", err)
			r.broken = true
			return
		}
	}
	r.setApplied()
}

// stageByGit is publishIndex by git itself.
func (p *placing) stageByGit(ctx context.Context) error {
	var files []TreeFile
	for _, path := range p.order {
		files = append(files, TreeFile{Path: path, Blob: p.t.texts[path].blob, Mode: modeFile})
	}
	for _, d := range p.t.beside {
		mode, err := p.r.modeAt(p.t.end.root, d.Path)
		if err != nil {
			return err
		}
		files = append(files, TreeFile{Path: d.Path, Blob: d.After, Mode: mode})
	}
	return p.r.gitIndex(ctx, files)
}

func (r *Repo) signature() Signature {
	s := r.opt.Committer
	s.When = r.opt.Now()
	return s
}

// rollback gives back, newest first, what was published, and removes what waited.
func (p *placing) rollback() error {
	var errs []error
	for _, undo := range slices.Backward(p.done) {
		errs = append(errs, undo())
	}
	for _, tmp := range p.temps {
		_ = p.r.work.remove(tmp) // swept at the next start otherwise
	}
	for _, name := range []string{"object.new", "index.new", "ref.new"} {
		_ = os.Remove(filepath.Join(p.r.own, name))
	}
	return errors.Join(errs...)
}

// gitIndex lets git itself stage what was committed in an index of a form that we
// do not write. Its lock is given up for that; the branch's is still held.
func (r *Repo) gitIndex(ctx context.Context, files []TreeFile) error {
	if err := r.disk.remove(r.indexPath() + ".lock"); err != nil {
		return err
	}
	var in strings.Builder
	for _, f := range files {
		if f.Blob.IsZero() {
			fmt.Fprintf(&in, "0 %s\t%s\x00", f.Blob, f.Path)
		} else {
			fmt.Fprintf(&in, "%o %s\t%s\x00", f.Mode, f.Blob, f.Path)
		}
	}
	return r.runGit(ctx, strings.NewReader(in.String()), "update-index", "-z", "--index-info")
}
