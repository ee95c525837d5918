package git

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// State says whether a write would be accepted now: nil, or ErrState or ErrBusy
// with the sentence that Update would give. It takes no lock and changes nothing,
// so the answer can be old by the time it is read.
func (r *Repo) State() error {
	if err := r.checkState(); err != nil {
		return err
	}
	branch, err := r.branch()
	if err != nil {
		return err
	}
	if _, err := r.readRef(branch); errors.Is(err, fs.ErrNotExist) && r.tips.at(branch).IsZero() {
		if err := r.mayStartOn(branch, r.historyOnDisk()); err != nil {
			return err
		}
	} else if err != nil && !errors.Is(err, errBadRef) && !errors.Is(err, fs.ErrNotExist) { // those are mended by the next write
		return err
	}
	b, err := os.ReadFile(r.indexPath())
	if err == nil {
		if _, err := parseIndex(b); errors.Is(err, errUnmerged) {
			return errConflicts()
		}
	}
	for _, path := range [...]string{r.indexPath(), r.refPath(branch)} {
		if isForeign(path + ".lock") {
			return heldByGit(path + ".lock")
		}
	}
	return nil
}

// scanner remembers what Scan read of the history and the index, so that a look at
// an unchanged workspace costs the facts of its files and nothing else.
type scanner struct {
	mu      sync.Mutex
	head    Hash
	files   map[string]Hash // tracked files at head; nil: not read
	index   *index          // nil: not read, or of a form that cannot be used
	indexAt stat
}

// Scan lists the tracked paths whose work files differ from the newest commit, and
// the odd ones, where no regular file of a fit size stands. Both are sorted. It
// takes no lock and changes nothing; edits that were written late to a replaced
// file count. A change of quipu's own that is under way is waited for, briefly.
func (r *Repo) Scan() (edited, odd []string, err error) {
	const tries, gap = 10, 5 * time.Millisecond
	r.scan.mu.Lock()
	defer r.scan.mu.Unlock()
	for range tries {
		busy := isOurs(r.indexPath() + ".lock")
		_, before, err := r.Head()
		if err != nil {
			return nil, nil, err
		}
		edited, odd, err = r.scanOnce(before)
		if err != nil && !errors.Is(err, ErrNoObject) {
			return nil, nil, err
		}
		_, after, herr := r.Head()
		if err == nil && (len(edited) == 0 || !busy && herr == nil && after == before && !isOurs(r.indexPath()+".lock")) {
			return edited, odd, nil
		}
		time.Sleep(gap)
	}
	return edited, odd, err
}

func (r *Repo) scanOnce(head Hash) (edited, odd []string, err error) {
	if err := r.scan.refresh(r, head); err != nil {
		return nil, nil, err
	}
	diff := map[string]bool{}
	found := map[string]bool{}
	var failed error
	visit := func(p string, st stat) {
		found[p] = true
		want := r.scan.files[p]
		f, _, err := r.work.inspect(p, want, st, r.scan.index, r.scan.indexAt)
		switch {
		case errors.Is(err, ErrOddFile):
			odd = append(odd, p)
		case err != nil:
			failed = errors.Join(failed, err)
		case f.blob != want:
			diff[p] = true
		}
	}
	strange := func(p string) {
		found[p] = true
		odd = append(odd, p)
	}
	if err := r.work.list(r.opt.Tracked, visit, strange); err != nil {
		return nil, nil, err
	}
	for p := range r.scan.files {
		if !found[p] && !under(p, odd) {
			diff[p] = true
		}
	}
	for _, p := range r.lateEdits() {
		diff[p] = true
	}
	slices.Sort(odd)
	return slices.Sorted(maps.Keys(diff)), slices.Compact(odd), failed
}

// under says whether a path lies in a folder in whose place something odd stands.
func under(p string, odd []string) bool {
	return slices.ContainsFunc(odd, func(dir string) bool { return strings.HasPrefix(p, dir+"/") })
}

// lateEdits lists the paths whose replaced files something was written to.
func (r *Repo) lateEdits() []string {
	entries, err := os.ReadDir(r.wasDir())
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		f, _, ok := parseLate(e.Name())
		if !ok {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(r.wasDir(), e.Name())); err == nil && HashBlob(b) != f.blob {
			out = append(out, f.path)
		}
	}
	return out
}

// refresh reads the tree and the index again where they changed.
func (s *scanner) refresh(r *Repo, head Hash) error {
	if s.files == nil || s.head != head {
		files, err := r.trackedAt(head)
		if err != nil {
			return err
		}
		s.head, s.files = head, files
	}
	st, err := lstat(r.indexPath())
	if err != nil {
		s.index, s.indexAt = nil, stat{}
		return nil //nolint:nilerr // without an index every file is compared by content
	}
	if s.index != nil && s.indexAt.sameContent(st) {
		return nil
	}
	s.index, s.indexAt = nil, stat{}
	if b, err := os.ReadFile(r.indexPath()); err == nil {
		if x, err := parseIndex(b); err == nil {
			s.index, s.indexAt = x, st
		}
	}
	return nil
}

func (r *Repo) trackedAt(head Hash) (map[string]Hash, error) {
	files := map[string]Hash{}
	if head.IsZero() {
		return files, nil
	}
	c, err := r.Commit(head)
	if err != nil {
		return nil, err
	}
	root, err := r.readTree(c.Tree)
	if err != nil {
		return nil, err
	}
	err = r.walk(root, "", func(f TreeFile) {
		if r.opt.Tracked(f.Path) {
			files[f.Path] = f.Blob
		}
	})
	return files, err
}
