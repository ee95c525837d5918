package repo

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
)

// state finds the commit that a person means: HEAD, a change, a commit, or a time.
// ErrNotFound, ErrInvalid.
func (w *Workspace) state(ctx context.Context, s string) (git.Hash, error) {
	if s == "" {
		s = "HEAD"
	}
	if h, ok, err := w.revision(s); ok {
		return h, err
	}
	x, err := w.history(ctx)
	if err != nil {
		return git.Hash{}, err
	}
	if t, ok := policy.Moment(s, w.now(), true); ok {
		c, err := x.AtTime(ctx, t)
		if errors.Is(err, side.ErrNotFound) {
			return git.Hash{}, wrapf(ErrNotFound, "this memory begins after %s", oneLine(s))
		}
		return c.Hash, err
	}
	if aboutDay.MatchString(s) {
		return git.Hash{}, wrapf(ErrInvalid, "%s is no day or time: write YYYY-MM-DD, or 2006-01-02T15:04:05Z", oneLine(s))
	}
	c, _, err := w.find(ctx, x, s)
	return c.Hash, err
}

var revision = regexp.MustCompile(`^HEAD((?:\^|~[0-9]{0,6})*)$`)

// revision reads HEAD, HEAD^ and HEAD~3 as git does, by first parents; ok is false
// for anything else. ErrNotFound when the history does not go so far back.
func (w *Workspace) revision(s string) (h git.Hash, ok bool, err error) {
	m := revision.FindStringSubmatch(s)
	if m == nil {
		return h, false, nil
	}
	back := strings.Count(m[1], "^")
	for n := range strings.SplitSeq(strings.ReplaceAll(m[1], "^", ""), "~") {
		k, err := strconv.Atoi(n)
		switch {
		case err == nil:
			back += k
		case m[1] != "" && n == "" && strings.HasSuffix(m[1], "~"):
			back++
		}
	}
	if h, err = w.git.Position(); err != nil {
		return h, true, gitError(err)
	}
	for ; back > 0; back-- {
		c, err := w.git.Commit(h)
		if err != nil {
			return h, true, gitError(err)
		}
		if len(c.Parents) == 0 {
			return h, true, wrapf(ErrNotFound, "the history does not go back to %s", s)
		}
		h = c.Parents[0]
	}
	return h, true, nil
}

var aboutDay = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}`)

// Diff gives the unified diff between two states; to "" is the work files now, path
// "" is every file. A state is a change id, a commit, HEAD, or a time (RFC 3339,
// YYYY-MM-DD, 24h, 3d, yesterday).
func (w *Workspace) Diff(ctx context.Context, from, to, path string) (string, error) {
	if path != "" {
		if _, err := checkPath(path); err != nil {
			return "", err
		}
	}
	a, err := w.textsAt(ctx, from, path)
	if err != nil {
		return "", err
	}
	b, err := w.textsNow(path)
	if to != "" {
		b, err = w.textsAt(ctx, to, path)
	}
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, p := range pathsOf(a, b) {
		text, _, _ := markdown.Diff(p, a[p], b[p])
		if text != "" {
			out.WriteString(text + "\n")
		}
	}
	clean, _ := w.store.redact.Redact(out.String())
	return clean, nil
}

func pathsOf(maps ...map[string][]byte) []string {
	set := map[string]bool{}
	for _, m := range maps {
		for p := range m {
			set[p] = true
		}
	}
	out := make([]string, 0, len(set))
	for p := range set {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

func (w *Workspace) textsAt(ctx context.Context, state, path string) (map[string][]byte, error) {
	h, err := w.state(ctx, state)
	if err != nil {
		return nil, err
	}
	blobs, err := w.git.BlobsAt(h)
	if err != nil {
		return nil, gitError(err)
	}
	out := map[string][]byte{}
	for p, blob := range blobs {
		if !tracked(p) || policy.OwnFile(p) || path != "" && p != path {
			continue
		}
		if out[p], err = w.git.Blob(blob); err != nil {
			return nil, gitError(err)
		}
	}
	return out, nil
}

func (w *Workspace) textsNow(path string) (map[string][]byte, error) {
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		if policy.OwnFile(f.Path) || path != "" && f.Path != path {
			continue
		}
		if b, err := w.readWork(f.Path); err == nil {
			out[f.Path] = b
		}
	}
	return out, nil
}

// At gives a file as it was at a state (see Diff), credentials masked. ErrNotFound
// for an unknown state; a file that was not there then has Exists false.
func (w *Workspace) At(ctx context.Context, path, state string) (Text, error) {
	if _, err := checkPath(path); err != nil {
		return Text{}, err
	}
	h, err := w.state(ctx, state)
	if err != nil {
		return Text{}, err
	}
	blob, err := w.git.FileAt(h, path)
	if err != nil {
		return Text{}, gitError(err)
	}
	if blob.IsZero() {
		return Text{Path: path, Hash: hashText(nil)}, nil
	}
	b, err := w.git.Blob(blob)
	if err != nil {
		return Text{}, gitError(err)
	}
	b, _ = w.store.redactBytes(b)
	return Text{Path: path, Text: string(b), Hash: hashText(b), Exists: true}, nil
}
