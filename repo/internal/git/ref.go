package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrState says that the person's git is in a state in which a commit of ours would do
// harm. The error text says which and what to do.
var ErrState = errors.New("the workspace's git is not ready for a write")

type stateError struct{ text string }

func (e *stateError) Error() string { return e.text }
func (e *stateError) Unwrap() error { return ErrState }

func statef(format string, args ...any) error { return &stateError{fmt.Sprintf(format, args...)} }

const branchPrefix = "refs/heads/"

// branch reads HEAD: the branch that is checked out, as "refs/heads/main".
func (r *Repo) branch() (string, error) {
	b, err := os.ReadFile(filepath.Join(r.dir, "HEAD"))
	if err != nil {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	ref, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: ")
	switch {
	case ok && strings.HasPrefix(ref, branchPrefix) && safeRef(ref):
		return ref, nil
	case ok:
		return "", statef("HEAD points to %s, which is no branch; run `git switch main`", ref)
	}
	if _, plain := ParseHash(strings.TrimSpace(string(b))); plain {
		return "", statef("the workspace looks at an old commit (detached HEAD); run `git switch main` to go back to the notes")
	}
	return "", statef("HEAD is unreadable; run `quipu doctor --fix`")
}

func safeRef(ref string) bool {
	for part := range strings.SplitSeq(ref, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.ContainsAny(ref, "\\ ~^:?*[\x00\x7f") && !strings.Contains(ref, "..")
}

// checkState refuses a write while a merge, rebase or the like is open.
func (r *Repo) checkState() error {
	for _, s := range [...]struct{ file, what, fix string }{
		{"MERGE_HEAD", "a merge is not finished", "run `git merge --abort`, or resolve it and `git commit`"},
		{"rebase-merge", "a rebase is not finished", "run `git rebase --abort` or `git rebase --continue`"},
		{"rebase-apply", "a rebase is not finished", "run `git rebase --abort` or `git am --abort`"},
		{"CHERRY_PICK_HEAD", "a cherry-pick is not finished", "run `git cherry-pick --abort` or `--continue`"},
		{"REVERT_HEAD", "a revert is not finished", "run `git revert --abort` or `--continue`"},
		{"sequencer", "a cherry-pick or revert of several commits is not finished", "run `git cherry-pick --continue` or `--abort` (`git revert` for a revert)"},
	} {
		if _, err := os.Lstat(filepath.Join(r.dir, s.file)); err == nil {
			return statef("%s in the workspace; %s", s.what, s.fix)
		}
	}
	return nil
}

var errBadRef = errors.New("branch is unreadable")

// readRef reads a branch. fs.ErrNotExist: there is none; errBadRef: it is empty or torn.
func (r *Repo) readRef(ref string) (Hash, error) {
	b, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(ref)))
	if err == nil {
		h, ok := ParseHash(strings.TrimSpace(string(b)))
		if !ok {
			return Hash{}, fmt.Errorf("%s: %w", ref, errBadRef)
		}
		return h, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return Hash{}, err
	}
	packed, perr := os.ReadFile(filepath.Join(r.dir, "packed-refs"))
	if perr != nil {
		return Hash{}, err
	}
	for line := range strings.Lines(string(packed)) {
		hex, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if h, ok := ParseHash(hex); ok && name == ref {
			return h, nil
		}
	}
	return Hash{}, err
}

func (r *Repo) writeRef(ref string, h Hash) error {
	tmp := filepath.Join(r.own, "ref.new")
	if err := r.disk.write(tmp, []byte(h.String()+"\n"), 0o600); err != nil {
		return err
	}
	path := filepath.Join(r.dir, filepath.FromSlash(ref))
	err := r.disk.rename(tmp, path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.disk.mkdir(filepath.Dir(path)); err == nil {
			err = r.disk.rename(tmp, path)
		}
	}
	return err
}

// keepLost names a commit that a branch no longer holds, so that nothing of it is
// ever collected.
func (r *Repo) keepLost(h Hash, at time.Time) error {
	if h.IsZero() || !r.has(h) {
		return nil
	}
	dir := filepath.Join(r.dir, "refs", "quipu", "lost")
	old, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range old {
		if b, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil && strings.TrimSpace(string(b)) == h.String() {
			return nil
		}
	}
	name := at.UTC().Format("20060102T150405.000000000")
	r.log.Warn("a branch was rewritten outside; its old end is kept", "ref", "refs/quipu/lost/"+name, "commit", h.String())
	return r.writeRef("refs/quipu/lost/"+name, h)
}

// Lost lists the commits kept under refs/quipu/lost.
func (r *Repo) Lost() ([]Hash, error) {
	dir := filepath.Join(r.dir, "refs", "quipu", "lost")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []Hash
	for _, e := range entries {
		b, rerr := os.ReadFile(filepath.Join(dir, e.Name()))
		if h, ok := ParseHash(strings.TrimSpace(string(b))); ok && rerr == nil {
			out = append(out, h)
		}
	}
	return out, err
}

type reflogLine struct{ old, new Hash }

func (r *Repo) reflogPath(ref string) string {
	return filepath.Join(r.dir, "logs", filepath.FromSlash(ref))
}

func (r *Repo) appendReflog(ref string, old, new Hash, subject string, who Signature) error {
	line := fmt.Appendf(nil, "%s %s ", old, new)
	line = who.append(line)
	line = fmt.Appendf(line, "\tquipu: %s\n", subject)
	return errors.Join(r.disk.append(r.reflogPath(ref), line), r.disk.append(r.reflogPath("HEAD"), line))
}

func parseReflogLine(line []byte) (reflogLine, bool) {
	if len(line) < 83 || line[len(line)-1] != '\n' || bytes.IndexByte(line, 0) >= 0 {
		return reflogLine{}, false
	}
	old, ok1 := ParseHash(string(line[:40]))
	next, ok2 := ParseHash(string(line[41:81]))
	return reflogLine{old, next}, ok1 && ok2
}

func (r *Repo) readReflog(ref string) []reflogLine {
	b, err := os.ReadFile(r.reflogPath(ref))
	if err != nil {
		return nil
	}
	var out []reflogLine
	for line := range bytes.Lines(b) {
		if l, ok := parseReflogLine(line); ok {
			out = append(out, l)
		}
	}
	return out
}

// mendReflog drops torn lines and lines whose commit is missing. Only the newest are
// looked up: there are never more between two checkpoints.
func (r *Repo) mendReflog(name string) error {
	path := r.reflogPath(name)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil //nolint:nilerr // no reflog is nothing to mend
	}
	const newest = 500
	out := make([]byte, 0, len(b))
	left := bytes.Count(b, []byte("\n"))
	for line := range bytes.Lines(b) {
		l, ok := parseReflogLine(line)
		left--
		if ok && left >= newest {
			out = append(out, line...)
			continue
		}
		if !ok || !r.has(l.new) {
			continue
		}
		if l.old.IsZero() || r.has(l.old) {
			out = append(out, line...)
			continue
		}
		out = append(fmt.Appendf(out, "%s", Hash{}), line[40:]...) // what it came from is lost
	}
	if bytes.Equal(out, b) {
		return nil
	}
	return r.disk.replace(r.own, path, out)
}

// contains says whether old is new or an ancestor of it. It gives up, with false,
// after limit commits.
func (r *Repo) contains(new, old Hash, limit int) bool {
	queue, seen := []Hash{new}, map[Hash]bool{}
	for len(queue) > 0 && len(seen) < limit {
		h := queue[0]
		queue = queue[1:]
		if h == old {
			return true
		}
		if seen[h] {
			continue
		}
		seen[h] = true
		if c, err := r.Commit(h); err == nil {
			queue = append(queue, c.Parents...)
		}
	}
	return false
}

// CommitsBefore counts the commits that lie before the newest one of the main line that
// was committed before a time: what a rewriting with that Old lets go of there. It counts
// no further than limit.
func (r *Repo) CommitsBefore(ctx context.Context, at time.Time, limit int) (int, error) {
	h, err := r.Position()
	var c *Commit
	for ; err == nil && !h.IsZero(); h = c.Parents[0] {
		if c, err = r.Commit(h); err != nil || c.Committer.When.Before(at) || len(c.Parents) == 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	if err != nil || c == nil || !c.Committer.When.Before(at) {
		return 0, err
	}
	queue, seen := slices.Clone(c.Parents), map[Hash]bool{}
	for len(queue) > 0 && len(seen) < limit {
		h := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if seen[h] {
			continue
		}
		seen[h] = true
		if c, err = r.Commit(h); err != nil {
			return 0, err
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		queue = append(queue, c.Parents...)
	}
	return len(seen), nil
}
