package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errUnfinished says that an erase went past the point from which it is finished,
// by the next holder of the locks, and not taken back.
var errUnfinished = errors.New("the erase may yet be finished at the next start")

// swap lets the new history take the old one's place; all locks are held.
type swap struct {
	r     *Repo
	w     *rewriter
	head  tip
	refs  *refList
	moves []refMove
	held  []string // locks of refs
	index []byte   // nil: as it is
}

// replaceHistory is the second half of a round, under the locks; sure says that there
// is something to do. again says that refs or packs of the old history came while it
// ran.
func (r *Repo) replaceHistory(ctx context.Context, w **rewriter, sure bool) (again bool, err error) {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-r.turn }()
	if err := r.acquire(ctx); err != nil {
		return false, err
	}
	defer r.unlock()
	defer func() { r.index, r.indexStat = nil, stat{} }() // it was altered in memory
	s := &swap{r: r, w: *w}
	defer func() {
		*w = s.w
		if lerr := r.dropLocks(s.held); lerr != nil {
			s.w.stays = true // a sweep of it finds them
			r.log.Warn("locks of refs were left; the next start removes them", "err", lerr)
		}
	}()
	if err := s.begin(); err != nil {
		return false, err
	}
	if err := s.settle(ctx); err != nil {
		return false, err
	}
	if none, err := s.nothing(); err != nil || none && !sure {
		s.w.out.Notes, s.w.out.Objects = nil, s.w.objects()
		return false, err
	}
	mark, err := s.complete()
	if err != nil {
		s.w.stays = errors.Is(err, errUnfinished)
		r.broken = r.broken || s.w.stays
		return false, err
	}
	// From here on a cancelled context changes nothing: it is finished, now or later.
	left, err := r.finishRewrite(mark)
	if err != nil {
		s.w.stays, r.broken = true, true
		return false, fmt.Errorf("%w: %w", errUnfinished, err)
	}
	s.w.replaced = true
	s.w.report(left)
	return left > 0, nil
}

// begin reads the view of the repository as a change does, and empties the record
// file, whose records name the old history.
func (s *swap) begin() error {
	r := s.r
	t, err := r.begin()
	if err != nil {
		return err
	}
	s.head = t.start
	if err := r.mayRewrite(); err != nil {
		return err
	}
	late, err := r.dueLate(true)
	if err != nil {
		return err
	}
	if len(late) > 0 {
		return &busyError{"an edit of a note that was replaced a moment ago is not taken in yet; try again"}
	}
	return nil
}

// settle follows what was committed since the first half, until the refs stand still
// under their locks.
func (s *swap) settle(ctx context.Context) error {
	const most = 5
	r := s.r
	for n := range most {
		refs, err := r.listRefs()
		if err != nil {
			return err
		}
		if n > 0 || s.gone(refs) {
			if err := s.afresh(); err != nil {
				return err
			}
		}
		if err := s.follow(ctx, refs); err != nil {
			return err
		}
		if s.moves, err = s.w.moves(refs); err != nil {
			return err
		}
		if s.held, err = r.lockRefs(ctx, s.moves, s.head.branch); err != nil {
			return err
		}
		now, err := r.listRefs()
		if err != nil {
			return err
		}
		if s.refs = now; now.equal(refs) {
			return s.sameBranch()
		}
		if err := r.dropLocks(s.held); err != nil {
			return err
		}
		s.held = nil
	}
	return &busyError{"another git program keeps making branches or tags; try again"}
}

// follow rewrites what came since, or everything anew where that is not enough.
func (s *swap) follow(ctx context.Context, refs *refList) error {
	err := s.w.followCommits(ctx, refs)
	if !errors.Is(err, errFate) {
		return err
	}
	if err := s.afresh(); err != nil {
		return err
	}
	return s.w.followCommits(ctx, refs)
}

// gone says whether a commit that was rewritten is no longer reachable: the new pack
// would hold what nobody can reach.
func (s *swap) gone(refs *refList) bool {
	var starts []Hash
	for _, notes := range []bool{false, true} {
		some, err := s.w.starts(refs, notes)
		if err != nil {
			return true
		}
		starts = append(starts, some...)
	}
	return s.w.reachable(starts) < len(s.w.commits)
}

// afresh begins the round again, under the locks.
func (s *swap) afresh() error {
	what := s.w.Rewriting
	s.w.close()
	w, err := s.r.newRewriter(what)
	if err != nil {
		return err
	}
	s.w = w
	return nil
}

// sameBranch says whether the branch still is what the view was made of.
func (s *swap) sameBranch() error {
	if err := s.r.sameHead(s.head.branch); err != nil {
		return err
	}
	if s.refs.at[s.head.branch] != s.head.hash {
		return &busyError{"the branch was moved meanwhile; try again"}
	}
	return nil
}

// nothing says whether there is nothing to erase: no commit changes, and nothing that
// lies about holds it.
func (s *swap) nothing() (bool, error) {
	if s.w.Anyway {
		return false, nil
	}
	old, err := os.ReadFile(s.r.indexPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	foreign := s.r.index == nil
	index, changed, err := s.w.newIndex(s.head.hash)
	if err != nil {
		return false, err
	}
	s.index = index
	if changed && !foreign || len(s.w.out.New) > 0 || s.w.Found(old) {
		return false, nil
	}
	for _, m := range s.moves {
		if m.old != m.new && dropped(m.ref) == "" {
			return false, nil
		}
	}
	found, err := s.w.liesAbout()
	return !found, err
}

// liesAbout says whether an object that no ref reaches, or a file that git or quipu
// left, holds what is erased.
func (w *rewriter) liesAbout() (bool, error) {
	found := false
	seen := map[Hash]bool{}
	var failed error
	err := w.src.each(func(h Hash) {
		if found || failed != nil || seen[h] || w.has(h) {
			return
		}
		seen[h] = true
		kind, raw, err := w.src.object(h)
		if errors.Is(err, errBroken) || errors.Is(err, ErrNoObject) {
			return // nobody can read it; packed by another git this moment
		}
		failed = err
		found = err == nil && !w.clean(kind, raw)
	})
	if err := errors.Join(err, failed); err != nil || found {
		return found, err
	}
	for _, name := range leftFiles {
		if found, err := w.filesHold(name); err != nil || found {
			return found, err
		}
	}
	return w.filesHold(filepath.Join("quipu", "wal"))
}

// filesHold looks into the files of a glob, and those below, in the git directory.
func (w *rewriter) filesHold(glob string) (found bool, err error) {
	paths, err := filepath.Glob(filepath.Join(w.r.dir, glob))
	for _, path := range paths {
		err = errors.Join(err, filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !d.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(p)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			found = found || err == nil && (w.Found(b) || w.Found([]byte(d.Name())))
			return err
		}))
	}
	return found, err
}

// complete makes the new history durable: the pack with what is new of it, the index and the stash's reflog
// beside it, and the marker that names all of it.
func (s *swap) complete() (*rewriteMark, error) {
	r, w := s.r, s.w
	m := &rewriteMark{id: strings.ReplaceAll(w.ID, "\n", " "), head: refMove{ref: s.head.branch, old: s.head.hash}, moves: s.moves, change: w.out.New}
	for _, f := range s.moves {
		if f.ref == s.head.branch {
			m.head.new = f.new
		}
		if f.old != f.new {
			w.out.Refs++
		}
	}
	if err := w.arrange(m); err != nil {
		return nil, err
	}
	if err := w.scan(); err != nil {
		return nil, err
	}
	if len(w.pack.entries) > 0 {
		name, err := w.pack.finish()
		if err != nil {
			return nil, err
		}
		m.pack = name
	}
	for name, b := range map[string][]byte{"index": s.index, "stash": w.stashLog(s.refs)} {
		if w.Found(b) {
			return nil, fmt.Errorf("the new %s would still hold it", name)
		}
		if len(b) > 0 {
			if err := r.disk.writeSynced(filepath.Join(r.rewriteDir(), name), b); err != nil {
				return nil, err
			}
		}
	}
	// Everything that the records put in place is synced, and no record counts, before
	// the history that they belong to may go.
	if err := r.checkpoint(s.head.branch, s.head.hash); err != nil {
		return nil, err
	}
	return m, r.writeMark(m)
}

// report adds to the outcome what the swap did.
func (w *rewriter) report(left int) {
	w.out.Objects = w.objects()
	if w.signed {
		w.out.note("signatures of rewritten commits and tags were dropped: they no longer hold")
	}
	if left > 0 {
		w.out.note("%d branches, tags or packs of the old history came meanwhile and are seen to in another round", left)
	}
	names, err := w.remains()
	if err != nil {
		w.out.note("the git directory could not be looked through: %v", err)
	}
	w.out.Notes = append(w.out.Notes, names...)
}

// remains names the files of the git directory, objects and quipu's own aside, that
// still hold what is erased: settings, hooks, whatever a program put there.
func (w *rewriter) remains() (out []string, err error) {
	const most = 16 << 20
	dir := w.r.dir
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel == "objects" || rel == "quipu" || rel == "refs" {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > most || rel == "packed-refs" {
			return nil //nolint:nilerr // it went away: a lock
		}
		b, err := os.ReadFile(p)
		if err == nil && w.Found(b) && !w.Found([]byte(rel)) {
			out = append(out, fmt.Sprintf("%s in the git directory still holds it", filepath.ToSlash(rel)))
		}
		return nil
	})
	return out, err
}
