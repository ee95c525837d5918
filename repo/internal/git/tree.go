package git

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

const (
	modeFile = 0o100644
	modeDir  = 0o040000
	modeLink = 0o160000 // a commit of another repository
)

// node is one tree object with the subtrees that were read so far. Nodes are
// never altered: a change makes new ones along its path.
type node struct {
	hash    Hash
	raw     []byte
	entries []treeEntry
}

type treeEntry struct {
	name string
	mode uint32
	at   int // offset of the entry in raw
	id   int // offset of its 20 hash bytes in raw
	sub  *node
}

func (n *node) child(i int) Hash {
	var h Hash
	copy(h[:], n.raw[n.entries[i].id:])
	return h
}

func parseTree(h Hash, raw []byte) (*node, error) {
	n := &node{hash: h, raw: raw}
	for i := 0; i < len(raw); {
		sp := bytes.IndexByte(raw[i:], ' ')
		nul := bytes.IndexByte(raw[i:], 0)
		if sp <= 0 || sp > 6 || nul <= sp+1 || i+nul+21 > len(raw) {
			return nil, fmt.Errorf("tree %s: %w", h, errBroken)
		}
		e := treeEntry{name: string(raw[i+sp+1 : i+nul]), at: i, id: i + nul + 1}
		for _, c := range raw[i : i+sp] {
			if c < '0' || c > '7' {
				return nil, fmt.Errorf("tree %s: %w", h, errBroken)
			}
			e.mode = e.mode<<3 | uint32(c-'0')
		}
		if !n.follows(e) {
			return nil, fmt.Errorf("tree %s is not in order: %w", h, errBroken)
		}
		n.entries = append(n.entries, e)
		i += nul + 21
	}
	return n, nil
}

// follows says whether e may stand behind the last entry: searches and splices
// rely on git's order.
func (n *node) follows(e treeEntry) bool {
	if strings.Contains(e.name, "/") {
		return false
	}
	if len(n.entries) == 0 {
		return true
	}
	last := n.entries[len(n.entries)-1]
	return sortKey(last.name, last.mode) < sortKey(e.name, e.mode)
}

func (r *Repo) readTree(h Hash) (*node, error) {
	if h.IsZero() {
		return &node{}, nil
	}
	raw, err := r.object(KindTree, h)
	if err != nil {
		return nil, err
	}
	return parseTree(h, raw)
}

func (r *Repo) subtree(n *node, i int) (*node, error) {
	if n.entries[i].sub != nil {
		return n.entries[i].sub, nil
	}
	sub, err := r.readTree(n.child(i))
	if err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	n.entries[i].sub = sub
	return sub, nil
}

// sortKey is how git orders tree entries: a folder as if its name ended in "/".
func sortKey(name string, mode uint32) string {
	if mode == modeDir {
		return name + "/"
	}
	return name
}

func (n *node) search(name string, mode uint32) (i int, found bool) {
	key := sortKey(name, mode)
	i = sort.Search(len(n.entries), func(i int) bool {
		return sortKey(n.entries[i].name, n.entries[i].mode) >= key
	})
	return i, i < len(n.entries) && n.entries[i].name == name && (n.entries[i].mode == modeDir) == (mode == modeDir)
}

// find gives the blob at path; the zero Hash when there is none.
func (r *Repo) find(n *node, path string) (Hash, error) {
	for {
		dir, rest, deep := strings.Cut(path, "/")
		if !deep {
			if i, ok := n.search(path, modeFile); ok {
				return n.child(i), nil
			}
			return Hash{}, nil
		}
		i, ok := n.search(dir, modeDir)
		if !ok {
			return Hash{}, nil
		}
		sub, err := r.subtree(n, i)
		if err != nil {
			return Hash{}, err
		}
		n, path = sub, rest
	}
}

// modeAt gives the mode of the file at path; 0 when there is none.
func (r *Repo) modeAt(n *node, path string) (uint32, error) {
	for {
		dir, rest, deep := strings.Cut(path, "/")
		if !deep {
			if i, ok := n.search(path, modeFile); ok {
				return n.entries[i].mode, nil
			}
			return 0, nil
		}
		i, ok := n.search(dir, modeDir)
		if !ok {
			return 0, nil
		}
		sub, err := r.subtree(n, i)
		if err != nil {
			return 0, err
		}
		n, path = sub, rest
	}
}

// put gives the tree with blob at path (the zero Hash takes the path out) and
// appends the new tree objects to made. A folder that becomes empty goes.
func (r *Repo) put(n *node, path string, blob Hash, made *[]object) (*node, error) {
	return r.putMode(n, path, modeFile, blob, made)
}

// putMode is put for a file of any kind.
func (r *Repo) putMode(n *node, path string, mode uint32, blob Hash, made *[]object) (*node, error) {
	dir, rest, deep := strings.Cut(path, "/")
	if !deep {
		return n.splice(path, mode, blob, nil, made)
	}
	sub := &node{}
	if i, ok := n.search(dir, modeDir); ok {
		var err error
		if sub, err = r.subtree(n, i); err != nil {
			return nil, err
		}
	}
	sub, err := r.putMode(sub, rest, mode, blob, made)
	if err != nil {
		return nil, err
	}
	if len(sub.entries) == 0 {
		return n.splice(dir, modeDir, Hash{}, nil, made)
	}
	return n.splice(dir, modeDir, sub.hash, sub, made)
}

// splice sets, adds or (zero id) removes one entry by patching the tree's bytes. A
// file takes a folder's place and a folder a file's.
func (n *node) splice(name string, mode uint32, id Hash, sub *node, made *[]object) (*node, error) {
	other := uint32(modeDir)
	if mode == modeDir {
		other = modeFile
	}
	if !id.IsZero() {
		if _, clash := n.search(name, other); clash {
			var err error
			if n, err = n.splice(name, other, Hash{}, nil, made); err != nil {
				return nil, err
			}
		}
	}
	i, found := n.search(name, mode)
	from, to := len(n.raw), len(n.raw)
	if i < len(n.entries) {
		from = n.entries[i].at
		to = from
	}
	if found {
		to = n.entries[i].id + len(id)
	}
	var middle []byte
	if !id.IsZero() {
		middle = append(fmt.Appendf(nil, "%o %s\x00", mode, name), id[:]...)
	}
	raw := slices.Concat(n.raw[:from], middle, n.raw[to:])
	o := newObject(KindTree, raw)
	if !n.hash.IsZero() && len(raw) > 256 {
		o.base, o.prefix, o.suffix, o.middle = n.hash, from, len(n.raw)-to, middle
	}
	next, err := parseTree(o.hash, raw)
	if err != nil {
		return nil, err
	}
	next.adoptSubtrees(n)
	if j, ok := next.search(name, mode); ok {
		next.entries[j].sub = sub
	}
	*made = append(*made, o)
	return next, nil
}

// adoptSubtrees takes over what old had already read.
func (n *node) adoptSubtrees(old *node) {
	for i := range old.entries {
		if sub := old.entries[i].sub; sub != nil {
			if j, ok := n.search(old.entries[i].name, modeDir); ok && n.child(j) == sub.hash {
				n.entries[j].sub = sub
			}
		}
	}
}

// TreeFile is one file of a tree.
type TreeFile struct {
	Path string
	Blob Hash
	Mode uint32
}

// Files lists every file of a tree in git's order. Gitlinks and symbolic links
// are listed with their modes.
func (r *Repo) Files(tree Hash) ([]TreeFile, error) {
	n, err := r.readTree(tree)
	if err != nil {
		return nil, err
	}
	var out []TreeFile
	err = r.walk(n, "", func(f TreeFile) { out = append(out, f) })
	return out, err
}

func (r *Repo) walk(n *node, prefix string, visit func(TreeFile)) error {
	for i, e := range n.entries {
		if e.mode != modeDir {
			visit(TreeFile{Path: prefix + e.name, Blob: n.child(i), Mode: e.mode})
			continue
		}
		sub, err := r.subtree(n, i)
		if err != nil {
			return err
		}
		if err := r.walk(sub, prefix+e.name+"/", visit); err != nil {
			return err
		}
	}
	return nil
}

// Delta is how one file differs between two trees; the zero Hash is no file.
type Delta struct {
	Path          string
	Before, After Hash
}

const archivePath = "memory/archive.md"

// Changes compares two trees (the zero Hash is the empty tree). The archive comes
// first, as it is written first, then by path.
func (r *Repo) Changes(before, after Hash) ([]Delta, error) {
	if before == after {
		return nil, nil
	}
	a, err := r.readTree(before)
	if err != nil {
		return nil, err
	}
	b, err := r.readTree(after)
	if err != nil {
		return nil, err
	}
	var out []Delta
	if err := r.compare(a, b, "", &out); err != nil {
		return nil, err
	}
	sortDeltas(out)
	return out, nil
}

func sortDeltas(d []Delta) {
	slices.SortFunc(d, func(x, y Delta) int {
		if (x.Path == archivePath) != (y.Path == archivePath) {
			if x.Path == archivePath {
				return -1
			}
			return 1
		}
		return strings.Compare(x.Path, y.Path)
	})
}

func (r *Repo) compare(a, b *node, prefix string, out *[]Delta) error {
	i, j := 0, 0
	for i < len(a.entries) || j < len(b.entries) {
		order := entryOrder(a, i, b, j)
		var err error
		switch {
		case order == 0 && a.child(i) == b.child(j):
			i, j = i+1, j+1
			continue
		case order == 0 && a.entries[i].mode == modeDir:
			err = r.compareSubtrees(a, i, b, j, prefix, out)
			i, j = i+1, j+1
		case order == 0:
			*out = append(*out, Delta{prefix + a.entries[i].name, a.child(i), b.child(j)})
			i, j = i+1, j+1
		case order < 0:
			err = r.compareAll(a, i, prefix, func(f TreeFile) { *out = append(*out, Delta{Path: f.Path, Before: f.Blob}) })
			i++
		default:
			err = r.compareAll(b, j, prefix, func(f TreeFile) { *out = append(*out, Delta{Path: f.Path, After: f.Blob}) })
			j++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func entryOrder(a *node, i int, b *node, j int) int {
	switch {
	case i >= len(a.entries):
		return 1
	case j >= len(b.entries):
		return -1
	}
	x, y := a.entries[i], b.entries[j]
	return strings.Compare(sortKey(x.name, x.mode), sortKey(y.name, y.mode))
}

func (r *Repo) compareSubtrees(a *node, i int, b *node, j int, prefix string, out *[]Delta) error {
	x, errX := r.subtree(a, i)
	y, errY := r.subtree(b, j)
	if err := errors.Join(errX, errY); err != nil {
		return err
	}
	return r.compare(x, y, prefix+a.entries[i].name+"/", out)
}

func (r *Repo) compareAll(n *node, i int, prefix string, visit func(TreeFile)) error {
	e := n.entries[i]
	if e.mode != modeDir {
		visit(TreeFile{Path: prefix + e.name, Blob: n.child(i), Mode: e.mode})
		return nil
	}
	sub, err := r.subtree(n, i)
	if err != nil {
		return err
	}
	return r.walk(sub, prefix+e.name+"/", visit)
}
