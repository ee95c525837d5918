package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// arrival is what a fetch brought: its packs, and what their objects name.
type arrival struct {
	q     *quarantine
	ours  *source
	packs []*packFile
	count int
}

func (q *quarantine) arrival() (*arrival, error) {
	ours, err := q.r.openSource()
	if err != nil {
		return nil, err
	}
	a := &arrival{q: q, ours: ours}
	paths, err := filepath.Glob(filepath.Join(q.packDir(), "*.idx"))
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	cache, z := newPackCache(sourceCache), &unzipper{}
	for _, path := range paths {
		p, err := openPack(path, cache, z)
		if err != nil {
			return nil, errors.Join(err, a.close())
		}
		a.packs = append(a.packs, p)
		a.count += len(p.offs)
	}
	return a, nil
}

func (a *arrival) close() error {
	a.ours.close()
	var errs []error
	for _, p := range a.packs {
		errs = append(errs, p.f.Close())
	}
	return errors.Join(errs...)
}

// find looks for an object among those that came.
func (a *arrival) find(h Hash) (*packFile, int64, bool) {
	for _, p := range a.packs {
		if off, ok := p.find(h); ok {
			return p, off, true
		}
	}
	return nil, 0, false
}

// there says whether an object came or was there before.
func (a *arrival) there(h Hash) bool {
	if _, _, ok := a.find(h); ok {
		return true
	}
	if _, _, ok := a.ours.packed(h); ok {
		return true
	}
	_, err := os.Lstat(a.q.r.loosePath(h))
	return err == nil || h == emptyBlob || h == emptyTree || a.q.r.has(h)
}

func (a *arrival) kind(h Hash) (Kind, error) {
	if p, off, ok := a.find(h); ok {
		kind, _, err := p.read(off)
		return kind, err
	}
	kind, _, err := a.ours.object(h)
	return kind, err
}

// prepare checks what came, and makes it ready to be moved into the object store.
func (q *quarantine) prepare(ctx context.Context, moves map[string]Hash) (_ *intake, err error) {
	a, err := q.arrival()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	for _, h := range moves {
		if !a.there(h) {
			return nil, fmt.Errorf("object %s did not come: %w", h, errBroken)
		}
	}
	for _, h := range q.branches {
		if kind, err := a.kind(h); err != nil || kind != KindCommit {
			return nil, errors.Join(fmt.Errorf("a branch names %s, which is no commit: %w", h, errBroken), err)
		}
	}
	if !q.checked {
		if err := a.check(ctx); err != nil {
			return nil, err
		}
	}
	if a.count > fewObjects {
		return a.keepPacks()
	}
	return a.loosen()
}

// check looks at the form of each object, and whether all that it names is there.
func (a *arrival) check(ctx context.Context) error {
	for _, p := range a.packs {
		for i, off := range p.offs {
			if err := ctx.Err(); err != nil {
				return err
			}
			h := Hash(p.names[i*20 : i*20+20])
			kind, raw, err := p.read(off)
			if err != nil {
				return err
			}
			named, err := checkObject(kind, h, raw)
			if err != nil {
				return err
			}
			for _, n := range named {
				if !a.there(n) {
					return fmt.Errorf("%s %s names %s, which did not come: %w", kind, h, n, errBroken)
				}
			}
		}
	}
	return nil
}

// keepPacks makes the packs, synced, ready to be moved. The index goes last: by it a
// pack is found.
func (a *arrival) keepPacks() (*intake, error) {
	out := &intake{r: a.q.r}
	var files []string
	for _, p := range a.packs {
		to := filepath.Join(a.q.r.packDir(), filepath.Base(p.name))
		for _, ending := range []string{".pack", ".idx"} {
			if err := os.Chmod(p.name+ending, 0o400); err != nil {
				return nil, err
			}
			out.moves = append(out.moves, [2]string{p.name + ending, to + ending})
			files = append(files, p.name+ending)
		}
	}
	return out, a.q.r.disk.syncPaths(files)
}

// loosen makes the objects, synced, ready to be moved one by one, what is named before
// what names it: few small packs a day would be many in a year.
func (a *arrival) loosen() (*intake, error) {
	out := &intake{r: a.q.r}
	done := map[Hash]bool{}
	var files []string
	var write func(h Hash) error
	write = func(h Hash) error {
		p, off, ok := a.find(h)
		if !ok || done[h] {
			return nil
		}
		done[h] = true
		kind, raw, err := p.read(off)
		if err != nil {
			return err
		}
		named, err := checkObject(kind, h, raw)
		if err != nil && !a.q.checked {
			return err
		}
		for _, n := range named {
			if err := write(n); err != nil {
				return err
			}
		}
		z, err := a.q.r.deflate.deflate(kind, raw)
		if err != nil {
			return err
		}
		from := filepath.Join(a.q.dir, h.String())
		out.moves = append(out.moves, [2]string{from, a.q.r.loosePath(h)})
		files = append(files, from)
		return a.q.r.disk.write(from, z, 0o400)
	}
	for _, p := range a.packs {
		for i := range p.offs {
			if err := write(Hash(p.names[i*20 : i*20+20])); err != nil {
				return nil, err
			}
		}
	}
	return out, a.q.r.disk.syncPaths(files)
}

// checkObject checks the form of an object that came from a remote, as `git fsck` does
// where it finds an error, and lists what it names. Commits of other repositories, which
// a tree may name, are not listed.
func checkObject(k Kind, h Hash, raw []byte) ([]Hash, error) {
	switch k {
	case KindCommit:
		return checkCommitForm(h, raw)
	case KindTree:
		return checkTreeForm(h, raw)
	case KindTag:
		head, _, _ := bytes.Cut(raw, []byte("\n\n"))
		target, err := tagTarget(h, head)
		if err != nil {
			return nil, fmt.Errorf("tag %s: %w", h, errBroken)
		}
		return []Hash{target}, nil
	}
	return nil, nil
}

func checkCommitForm(h Hash, raw []byte) ([]Hash, error) {
	head, _, _ := bytes.Cut(raw, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	bad := func(what string) ([]Hash, error) { return nil, fmt.Errorf("commit %s: bad %s: %w", h, what, errBroken) }
	take := func(key string) (string, bool) {
		if len(lines) == 0 {
			return "", false
		}
		value, ok := strings.CutPrefix(lines[0], key+" ")
		if ok {
			lines = lines[1:]
		}
		return value, ok
	}
	value, _ := take("tree")
	tree, ok := ParseHash(value)
	if !ok {
		return bad("tree")
	}
	named := []Hash{tree}
	for value, ok := take("parent"); ok; value, ok = take("parent") {
		parent, whole := ParseHash(value)
		if !whole {
			return bad("parent")
		}
		named = append(named, parent)
	}
	for _, key := range [...]string{"author", "committer"} {
		value, ok := take(key)
		mail := strings.IndexByte(value, '<')
		end := strings.IndexByte(value, '>')
		if !ok || mail < 0 || end < mail || strings.Count(value, "<") != 1 || strings.Count(value, ">") != 1 ||
			len(strings.Fields(value[end+1:])) != 2 || strings.ContainsRune(value, 0) {
			return bad(key)
		}
	}
	return named, nil
}

func checkTreeForm(h Hash, raw []byte) ([]Hash, error) {
	n, err := parseTree(h, raw)
	if err != nil {
		return nil, err
	}
	var named []Hash
	seen := make(map[string]bool, len(n.entries))
	for i, e := range n.entries {
		switch e.mode {
		case modeFile, 0o100755, 0o100664, 0o120000, modeDir:
			named = append(named, n.child(i))
		case modeLink:
		default:
			return nil, fmt.Errorf("tree %s: %q has the mode %o: %w", h, clean(e.name), e.mode, errBroken)
		}
		if seen[e.name] || e.name == "." || e.name == ".." || dotGit(e.name) || n.child(i).IsZero() {
			return nil, fmt.Errorf("tree %s: the name %q is not allowed: %w", h, clean(e.name), errBroken)
		}
		seen[e.name] = true
	}
	return named, nil
}

// dotGit says whether some file system takes a name for .git: macOS drops certain
// characters, Windows final dots and spaces and what stands behind a colon.
func dotGit(name string) bool {
	name = strings.Map(func(c rune) rune {
		switch {
		case c >= 0x200c && c <= 0x200f, c >= 0x202a && c <= 0x202e, c >= 0x206a && c <= 0x206f, c == 0xfeff:
			return -1
		}
		return c
	}, name)
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}
