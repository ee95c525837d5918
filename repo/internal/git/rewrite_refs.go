package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// refList is every ref as it stands, and the lines of the stash's reflog, which is
// what holds all stashes but the newest.
type refList struct {
	at    map[string]Hash
	stash [][]byte
}

// droppedRefs are the refs that only repeat another place's or an earlier history.
var droppedRefs = [...]struct{ prefix, one, many string }{
	{"refs/remotes/", "remote-tracking branch", "remote-tracking branches"},
	{"refs/prefetch/", "prefetched branch", "prefetched branches"},
	{"refs/original/", "ref of an earlier rewriting (refs/original)", "refs of an earlier rewriting (refs/original)"},
	{"refs/replace/", "replacement of an object (refs/replace)", "replacements of objects (refs/replace)"},
	{"refs/bisect/", "mark of a bisection (refs/bisect)", "marks of a bisection (refs/bisect)"},
}

func dropped(ref string) (prefix string) {
	for _, d := range droppedRefs {
		if strings.HasPrefix(ref, d.prefix) {
			return d.prefix
		}
	}
	return ""
}

func (r *Repo) listRefs() (*refList, error) {
	refs, err := r.allRefs()
	if err != nil {
		return nil, err
	}
	if err := r.unreadableRef(); err != nil {
		return nil, err
	}
	l := &refList{at: refs}
	if _, there := refs["refs/stash"]; there {
		b, err := os.ReadFile(r.reflogPath("refs/stash"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for line := range bytes.Lines(b) {
			if _, ok := parseReflogLine(line); ok {
				l.stash = append(l.stash, bytes.Clone(line))
			}
		}
	}
	return l, nil
}

// unreadableRef names a ref that an erase would lose what it stands for.
func (r *Repo) unreadableRef() error {
	return filepath.WalkDir(filepath.Join(r.dir, "refs"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, ".lock") {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		text := strings.TrimSpace(string(b))
		if _, ok := ParseHash(text); !ok && !strings.HasPrefix(text, "ref: ") {
			return fmt.Errorf("%s: %w: %w", d.Name(), errBadRef, ErrDamaged)
		}
		return nil
	})
}

func (l *refList) equal(o *refList) bool {
	return maps.Equal(l.at, o.at) && slices.EqualFunc(l.stash, o.stash, bytes.Equal)
}

// starts lists the commits that refs and stashes name: those under refs/notes, or the
// others.
func (w *rewriter) starts(l *refList, notes bool) ([]Hash, error) {
	var out []Hash
	for _, ref := range slices.Sorted(maps.Keys(l.at)) {
		if dropped(ref) != "" || strings.HasPrefix(ref, "refs/notes/") != notes {
			continue
		}
		h, err := w.tipCommit(l.at[ref])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref, err)
		}
		if !h.IsZero() {
			out = append(out, h)
		}
	}
	if notes {
		return out, nil
	}
	for _, line := range l.stash {
		entry, _ := parseReflogLine(line)
		if h, err := w.tipCommit(entry.new); err == nil && !h.IsZero() { // a lost stash stays lost
			out = append(out, h)
		}
	}
	return out, nil
}

// tipCommit gives the commit that a ref names, by way of tags or not; zero when it
// names something else.
func (w *rewriter) tipCommit(h Hash) (Hash, error) {
	for {
		if w.commits[h] != nil {
			return h, nil
		}
		kind, raw, err := w.src.object(h)
		switch {
		case err != nil:
			return Hash{}, errors.Join(ErrDamaged, err)
		case kind == KindCommit:
			return h, nil
		case kind != KindTag:
			return Hash{}, nil
		}
		head, _ := cutMessage(raw)
		if h, err = tagTarget(h, head); err != nil {
			return Hash{}, err
		}
	}
}

// refMove is a ref with its old and new value; a zero new one drops it.
type refMove struct {
	ref      string
	old, new Hash
}

// moves gives every ref its new value; the commits are done. Unchanged ones are
// listed, too.
func (w *rewriter) moves(l *refList) ([]refMove, error) {
	var out []refMove
	count := map[string]int{}
	for _, ref := range slices.Sorted(maps.Keys(l.at)) {
		m := refMove{ref: ref, old: l.at[ref]}
		if prefix := dropped(ref); prefix != "" {
			count[prefix]++
		} else {
			var err error
			if m.new, err = w.follow(m.old); err != nil {
				return nil, fmt.Errorf("%s: %w", ref, err)
			}
		}
		out = append(out, m)
	}
	for _, d := range droppedRefs {
		switch n := count[d.prefix]; {
		case n == 1:
			w.out.note("1 %s was dropped", d.one)
		case n > 1:
			w.out.note("%d %s were dropped", n, d.many)
		}
	}
	return out, nil
}

func (o *Rewritten) note(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}

// stashLog is the new reflog of the stash.
func (w *rewriter) stashLog(l *refList) []byte {
	var out []byte
	last := Hash{}
	for _, line := range l.stash {
		entry, _ := parseReflogLine(line)
		c := w.commits[entry.new]
		if c == nil {
			w.out.note("a line of the stash that names a lost commit was dropped")
			continue
		}
		head, text, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"))
		next := w.Message(Message{Text: string(text), Commit: entry.new, Tag: true}) // `git stash list` shows it: no id
		next = strings.NewReplacer("\n", " ", "\r", " ").Replace(next)
		out = fmt.Appendf(out, "%s %s%s\t%s\n", last, c.new, head[81:], next)
		last = c.new
	}
	return out
}

// lockRefs takes the locks of the refs that a rewriting writes, but for the branch
// that is checked out, whose lock is held. It gives the locks.
func (r *Repo) lockRefs(ctx context.Context, moves []refMove, branch string) (held []string, err error) {
	deadline := time.Now().Add(r.opt.Wait)
	paths := []string{filepath.Join(r.dir, "packed-refs"), r.refPath("refs/stash"), r.refPath("refs/notes/commits")}
	for _, m := range moves {
		if m.ref != branch && m.old != m.new {
			paths = append(paths, r.refPath(m.ref))
		}
	}
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		if err := r.takeGitLock(ctx, p, deadline); err != nil {
			return held, err
		}
		held = append(held, p+".lock")
	}
	return held, nil
}

func (r *Repo) dropLocks(held []string) error {
	var errs []error
	for _, lock := range held {
		errs = append(errs, r.dropLock(lock))
	}
	return errors.Join(errs...)
}

// moveRefs gives refs their new values: packed ones, then loose ones. A ref that
// somebody moved since stays.
func (r *Repo) moveRefs(moves []refMove) error {
	if err := r.movePacked(moves); err != nil {
		return err
	}
	for _, m := range moves {
		if m.old == m.new {
			continue
		}
		b, err := os.ReadFile(r.refPath(m.ref))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if h, ok := ParseHash(strings.TrimSpace(string(b))); ok && h != m.old {
			continue
		}
		if m.new.IsZero() {
			err = r.disk.remove(r.refPath(m.ref))
		} else {
			err = r.writeRef(m.ref, m.new)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.ref, err)
		}
	}
	for _, d := range droppedRefs { // empty folders, and names for refs such as origin/HEAD
		if err := r.removeTree(filepath.Join(r.dir, filepath.FromSlash(d.prefix))); err != nil {
			return err
		}
	}
	return nil
}

// movePacked rewrites packed-refs. What its tags name in the end is left out: git
// finds that itself.
func (r *Repo) movePacked(moves []refMove) error {
	path := filepath.Join(r.dir, "packed-refs")
	old, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	at := map[string]refMove{}
	for _, m := range moves {
		at[m.ref] = m
	}
	lines := map[string]Hash{}
	for line := range bytes.Lines(old) {
		hex, ref, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		h, ok := ParseHash(hex)
		if !ok {
			continue
		}
		if m, known := at[ref]; known && m.old == h {
			h = m.new
		}
		if !h.IsZero() && dropped(ref) == "" {
			lines[ref] = h
		}
	}
	out := []byte("# pack-refs with: sorted \n")
	for _, ref := range slices.Sorted(maps.Keys(lines)) {
		out = fmt.Appendf(out, "%s %s\n", lines[ref], ref)
	}
	tmp := filepath.Join(r.own, "packed-refs.new") // synced: a torn one would lose refs that no marker can give back
	if err := r.disk.writeSynced(tmp, out); err != nil {
		return err
	}
	return r.disk.rename(tmp, path)
}
