package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// restoreObjects makes every object of the records again that is not there whole.
func (m *mending) restoreObjects() error {
	have := map[Hash][]byte{}
	n := 0
	for i := range m.records {
		for j := range m.records[i].objects {
			o := &m.records[i].objects[j]
			if err := m.rebuild(o, have); err != nil {
				m.damaged = true
				m.r.note("record %d cannot be made again: %v", m.records[i].seq, err)
				continue
			}
			if m.r.has(o.hash) {
				continue
			}
			n++
			if err := m.r.writeLoose(o, true); err != nil {
				return err
			}
		}
	}
	if n > 0 && !m.sameBoot {
		m.r.note("%d objects were written again from the record", n)
	}
	return nil
}

func (m *mending) rebuild(o *object, have map[Hash][]byte) error {
	base, ok := have[o.base]
	if !ok && !o.base.IsZero() {
		var err error
		if _, base, err = m.r.Object(o.base); err != nil {
			return err
		}
	}
	if err := o.restore(base); err != nil {
		return err
	}
	have[o.hash] = o.raw
	return nil
}

// sweepLoose moves loose objects away that were written since the checkpoint and
// do not hold what their name says: a later write of the same content would find
// "it exists", ours and git's alike. With them go the commits and trees that name
// what is lost: git takes them for damage even where no branch holds them.
func (m *mending) sweepLoose() error {
	files, err := filepath.Glob(filepath.Join(m.r.dir, "objects", "??", "*"))
	if err != nil {
		return err
	}
	needs := map[Hash][]Hash{}
	for _, p := range files {
		fi, err := os.Lstat(p)
		if err != nil || !m.fresh(fi) {
			continue
		}
		h, ok := ParseHash(filepath.Base(filepath.Dir(p)) + filepath.Base(p))
		if !ok {
			continue
		}
		kind, raw, err := m.r.readLoose(h)
		if err == nil {
			needs[h], err = m.names(kind, h, raw)
		}
		if err == nil {
			continue
		}
		delete(needs, h)
		if err := m.drop(h, "is broken"); err != nil {
			return err
		}
	}
	return m.dropUnfinished(needs)
}

// dropUnfinished drops objects until none is left that needs a missing one.
func (m *mending) dropUnfinished(needs map[Hash][]Hash) error {
	there := map[Hash]bool{}
	exists := func(h Hash) bool {
		if _, loose := needs[h]; loose {
			return true
		}
		ok, known := there[h]
		if !known {
			ok = m.r.has(h)
			there[h] = ok
		}
		return ok
	}
	for again := true; again; {
		again = false
		for h, names := range needs {
			if !slices.ContainsFunc(names, func(n Hash) bool { return !exists(n) }) {
				continue
			}
			again = true
			delete(needs, h)
			if err := m.drop(h, "names what is lost"); err != nil {
				return err
			}
			there[h] = m.r.has(h)
		}
	}
	return nil
}

// names lists what an object needs to be of use; the ends of a shallow clone need
// no parents.
func (m *mending) names(kind Kind, h Hash, raw []byte) ([]Hash, error) {
	switch kind {
	case KindCommit:
		c, err := parseCommit(h, raw)
		if err != nil {
			return nil, err
		}
		if shallow, err := os.ReadFile(filepath.Join(m.r.dir, "shallow")); err == nil && bytes.Contains(shallow, []byte(h.String())) {
			return []Hash{c.Tree}, nil
		}
		return append(c.Parents, c.Tree), nil
	case KindTree:
		n, err := parseTree(h, raw)
		if err != nil {
			return nil, err
		}
		var out []Hash
		for i, e := range n.entries {
			if e.mode != modeLink {
				out = append(out, n.child(i))
			}
		}
		return out, nil
	default:
		return nil, nil
	}
}

func (m *mending) drop(h Hash, why string) error {
	m.r.note("object %s %s and was moved to quipu/bad", h, why)
	return m.setAside(m.r.loosePath(h), h.String())
}

// setAside moves a file that cannot be trusted to quipu/bad.
func (m *mending) setAside(path, name string) error {
	bad := filepath.Join(m.r.own, "bad")
	return errors.Join(m.r.disk.mkdir(bad), m.r.disk.rename(path, filepath.Join(bad, name)))
}

// sweepLost removes names of kept commits that did not survive: git takes a broken
// ref for damage of the whole history.
func (m *mending) sweepLost() error {
	files, err := filepath.Glob(filepath.Join(m.r.dir, "refs", "quipu", "lost", "*"))
	if err != nil {
		return err
	}
	for _, p := range files {
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if h, ok := ParseHash(strings.TrimSpace(string(b))); ok && m.r.has(h) {
			continue
		}
		if err := m.r.disk.remove(p); err != nil {
			return err
		}
	}
	return nil
}

// sweepLate ends the watch over replaced files: no program of an earlier boot has
// one open. A line that was added late is still taken in; what else differs is what
// a power cut makes of a file, and is set aside.
func (m *mending) sweepLate() error {
	entries, err := os.ReadDir(m.r.wasDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(m.r.wasDir(), e.Name())
		f, _, ok := parseLate(e.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		base, berr := m.r.Blob(f.blob)
		switch {
		case ok && HashBlob(text) == f.blob:
			err = m.r.disk.remove(path)
		case !ok || berr != nil || len(text) <= len(base) || !bytes.HasPrefix(text, base) || bytes.IndexByte(text, 0) >= 0:
			err = m.setAside(path, e.Name())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
