package git

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
)

// folder is one folder path of the history, with what became of each tree that
// stood there.
type folder struct {
	path   string // "" or with a slash at its end
	dirs   map[string]*folder
	files  map[string]*slot
	trees  map[Hash]*oldTree
	newest chain // of its new trees
}

// slot is one file path of the history, with what became of each text that stood
// there.
type slot struct {
	path, to string        // its path, and the new one
	texts    map[Hash]Hash // old -> new; zero: being worked on
	newest   chain         // of its new texts
}

// oldTree is one tree of a folder. raw is dropped once it has been rewritten.
type oldTree struct {
	raw     []byte
	built   bool
	new     Hash
	renames bool // it holds a file, at any depth, that gets another path
}

func newFolder(path string) *folder {
	return &folder{path: path, dirs: map[string]*folder{}, files: map[string]*slot{}, trees: map[Hash]*oldTree{}}
}

func (d *folder) dir(name []byte) *folder {
	sub := d.dirs[string(name)]
	if sub == nil {
		sub = newFolder(d.path + string(name) + "/")
		d.dirs[string(name)] = sub
	}
	return sub
}

func (w *rewriter) file(d *folder, name []byte) *slot {
	s := d.files[string(name)]
	if s == nil {
		path := d.path + string(name)
		s = &slot{path: path, to: w.Path(path), texts: map[Hash]Hash{}}
		if s.to != path {
			w.renamed = append(w.renamed, s)
		}
		d.files[string(name)] = s
	}
	return s
}

// at finds the slot of a path.
func (w *rewriter) slotAt(path string) *slot {
	d, rest := w.root, []byte(path)
	for {
		name, below, deep := bytes.Cut(rest, []byte("/"))
		if !deep {
			return w.file(d, name)
		}
		d, rest = d.dir(name), below
	}
}

// eachEntry visits the entries of a tree's bytes; id is the offset of the 20 bytes
// of the object's name.
func eachEntry(raw []byte, visit func(mode uint32, name []byte, id int) error) error {
	for i := 0; i < len(raw); {
		sp := bytes.IndexByte(raw[i:], ' ')
		nul := bytes.IndexByte(raw[i:], 0)
		if sp <= 0 || sp > 6 || nul <= sp+1 || i+nul+21 > len(raw) {
			return errBroken
		}
		mode := uint32(0)
		for _, c := range raw[i : i+sp] {
			mode = mode<<3 | uint32(c-'0')&7
		}
		if err := visit(mode, raw[i+sp+1:i+nul], i+nul+1); err != nil {
			return err
		}
		i += nul + 21
	}
	return nil
}

// textJob is one text of one path that is looked at.
type textJob struct {
	slot    *slot
	old     Hash
	new     Hash
	raw     []byte
	changed bool
	err     error
}

// plan reads a tree, and below it what has not been read yet, and lists the texts
// that nobody has looked at.
func (w *rewriter) plan(d *folder, h Hash, jobs *[]*textJob) (*oldTree, error) {
	if t := d.trees[h]; t != nil {
		return t, nil
	}
	raw, err := w.src.read(KindTree, h)
	if err != nil {
		return nil, err
	}
	t := &oldTree{raw: raw}
	err = eachEntry(raw, func(mode uint32, name []byte, id int) error {
		child := Hash(raw[id : id+20])
		switch mode {
		case modeLink:
		case modeDir:
			sub, err := w.plan(d.dir(name), child, jobs)
			if err != nil {
				return err
			}
			t.renames = t.renames || sub.renames
		default:
			s := w.file(d, name)
			t.renames = t.renames || s.to != s.path
			if _, known := s.texts[child]; !known {
				s.texts[child] = Hash{}
				*jobs = append(*jobs, &textJob{slot: s, old: child})
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	d.trees[h] = t
	return t, nil
}

// lookAt gives every text of jobs to Text, on all processors, and writes what comes
// of it.
func (w *rewriter) lookAt(ctx context.Context, jobs []*textJob) error {
	const batch = 128
	workers := min(runtime.GOMAXPROCS(0), 8)
	for some := range slices.Chunk(jobs, batch) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var wg sync.WaitGroup
		for i := range workers {
			wg.Go(func() {
				for _, j := range some[len(some)*i/workers : len(some)*(i+1)/workers] {
					w.look(j)
				}
			})
		}
		wg.Wait()
		for _, j := range some {
			if err := w.settle(j); err != nil {
				return err
			}
		}
	}
	return nil
}

// text gives the new name of one text, now.
func (w *rewriter) text(s *slot, h Hash) (Hash, error) {
	if next, known := s.texts[h]; known {
		return next, nil
	}
	j := &textJob{slot: s, old: h}
	w.look(j)
	return j.new, w.settle(j)
}

func (w *rewriter) look(j *textJob) {
	raw, err := w.src.read(KindBlob, j.old)
	if err != nil {
		j.err = err
		return
	}
	j.new, j.raw = j.old, raw
	if after, changed := w.Text(j.slot.path, raw); changed {
		j.new, j.raw, j.changed = hashObject(KindBlob, after), after, true
	}
	if j.new == j.old {
		j.err = w.fit(KindBlob, j.old, raw)
	}
}

func (w *rewriter) settle(j *textJob) error {
	if j.err != nil {
		return j.err
	}
	if j.changed {
		w.out.Copies++
	}
	j.slot.texts[j.old] = j.new
	raw := j.raw
	j.raw = nil
	if j.new == j.old {
		return w.take(KindBlob, j.old, raw)
	}
	return w.put(KindBlob, j.new, raw, &j.slot.newest)
}

// tree gives the new name of a root tree, which was planned.
func (w *rewriter) tree(h Hash) (Hash, error) {
	t := w.root.trees[h]
	if t.built || !t.renames {
		return w.build(w.root, h)
	}
	flat, err := w.flatten(w.root, h, false)
	if err != nil {
		return Hash{}, err
	}
	flat, err = w.rename(flat)
	if err != nil {
		return Hash{}, err
	}
	t.new, err = w.plant(w.root, flat)
	t.built, t.raw = err == nil, nil
	return t.new, err
}

// build writes a tree in which no path changes: names of objects are put in the
// place of names.
func (w *rewriter) build(d *folder, h Hash) (Hash, error) {
	t := d.trees[h]
	if t.built {
		return t.new, nil
	}
	raw, err := w.treeText(t, h)
	if err != nil {
		return Hash{}, err
	}
	out, altered := raw, false
	err = eachEntry(raw, func(mode uint32, name []byte, id int) error {
		child := Hash(raw[id : id+20])
		next := child
		switch mode {
		case modeLink:
		case modeDir:
			var err error
			if next, err = w.build(d.dirs[string(name)], child); err != nil {
				return err
			}
		default:
			next = d.files[string(name)].texts[child]
		}
		if next != child {
			if !altered {
				out, altered = bytes.Clone(raw), true
			}
			copy(out[id:], next[:])
		}
		return nil
	})
	if err != nil {
		return Hash{}, err
	}
	t.new, t.built, t.raw = h, true, nil
	if !altered {
		return h, w.keep(KindTree, h, raw)
	}
	t.new = hashObject(KindTree, out)
	return t.new, w.put(KindTree, t.new, out, &d.newest)
}

func (w *rewriter) treeText(t *oldTree, h Hash) ([]byte, error) {
	if t.raw != nil {
		return t.raw, nil
	}
	return w.src.read(KindTree, h)
}
