package git

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
)

// source reads the objects of the history as it was, packed ones by a reader of its
// own. Packs that it once opened stay readable when a person's git removes them.
type source struct {
	r     *Repo
	mu    sync.RWMutex
	packs []*packFile
	open  map[string]bool
	odd   []string // packs whose index has an old form
	cache *packCache
	z     unzipper
	seen  map[Hash]place // where what was read stands
}

// place is where an object stands: in a pack, or loose. The zero place says that it
// can be read, but not be left or copied from there.
type place struct {
	pack  *packFile
	off   int64
	loose bool
}

// sourceCache is how many bytes of objects are kept for the deltas to come.
const sourceCache = 48 << 20

func (r *Repo) openSource() (*source, error) {
	s := &source{r: r, open: map[string]bool{}, seen: map[Hash]place{}, cache: newPackCache(sourceCache)}
	return s, s.refresh()
}

// refresh opens packs that came since.
func (s *source) refresh() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths, err := filepath.Glob(filepath.Join(s.r.dir, "objects", "pack", "*.idx"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if s.open[path] {
			continue
		}
		p, err := openPack(path, s.cache, &s.z)
		if errors.Is(err, fs.ErrNotExist) {
			continue // packed anew this moment
		}
		if errors.Is(err, errIndexForm) { // go-git reads it
			s.odd, s.open[path] = append(s.odd, packName(path)), true
			continue
		}
		if err != nil {
			return err
		}
		s.packs, s.open[path] = append(s.packs, p), true
	}
	return nil
}

func (s *source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.packs {
		_ = p.f.Close() // read only
	}
	s.packs = nil
}

func (s *source) packed(h Hash) (*packFile, int64, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, p := range s.packs {
		if off, ok := p.find(h); ok {
			return p, off, true
		}
	}
	return nil, 0, false
}

func (s *source) saw(h Hash, at place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[h] = at
}

// place gives where an object was read last.
func (s *source) place(h Hash) place {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.seen[h]
}

// object reads one object, and keeps in mind where it stands. The bytes are shared:
// nobody may alter them. ErrNoObject, ErrDamaged.
func (s *source) object(h Hash) (Kind, []byte, error) {
	for again := range 2 {
		if p, off, ok := s.packed(h); ok {
			if kind, raw, err := p.read(off); err == nil {
				s.saw(h, place{pack: p, off: off})
				return kind, raw, nil
			}
			break // another copy of it may be whole
		}
		kind, raw, err := s.r.readLoose(h)
		if err == nil {
			s.saw(h, place{loose: true})
			return kind, raw, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || again > 0 {
			break
		}
		if err := s.refresh(); err != nil {
			return 0, nil, err
		}
	}
	s.saw(h, place{})
	if h == emptyBlob {
		return KindBlob, nil, nil // git knows it without a copy
	}
	kind, raw, err := s.r.Object(h)
	if err == nil && hashObject(kind, raw) != h {
		err = damaged(h)
	}
	return kind, raw, err
}

func (s *source) read(want Kind, h Hash) ([]byte, error) {
	kind, raw, err := s.object(h)
	if err == nil && kind != want {
		err = fmt.Errorf("object %s is a %s, not a %s", h, kind, want)
	}
	if err != nil {
		return nil, errors.Join(ErrDamaged, err)
	}
	return raw, nil
}

// each visits the name of every object there is, reachable or not, some twice.
func (s *source) each(visit func(Hash)) error {
	s.mu.RLock()
	packs := s.packs
	s.mu.RUnlock() // visit may read
	for _, p := range packs {
		p.each(visit)
	}
	files, err := filepath.Glob(filepath.Join(s.r.dir, "objects", "??", "*"))
	for _, f := range files {
		if h, ok := ParseHash(filepath.Base(filepath.Dir(f)) + filepath.Base(f)); ok {
			visit(h)
		}
	}
	return err
}
