package index

import (
	"cmp"
	"slices"
	"sync"
)

// Index holds files made ready for searching. Any number of searches may run
// while files are replaced: a search sees a file as it was or as it is, whole.
type Index struct {
	// write serializes Replace and Remove; it guards words.
	write sync.Mutex
	words *analyser

	// mu guards everything below.
	mu    sync.RWMutex
	files map[string][]*segment
	// slots has the segments by number, nil where one was taken out; free lists
	// those places.
	slots []*segment
	free  []int32
	terms map[string]*term
	// heads has the terms that begin with the same four characters.
	heads map[string][]*term
	// authors counts the segments in which an author speaks, by folded name.
	authors map[string]int
	tongues [tongues]int

	pool sync.Pool
}

// New returns an empty index.
func New() *Index {
	return &Index{
		words:   newAnalyser(),
		files:   map[string][]*segment{},
		terms:   map[string]*term{},
		heads:   map[string][]*term{},
		authors: map[string]int{},
	}
}

// Replace puts a file into the index, in the place of what was there under its
// path. When it returns, every search finds the new notes and none of the old
// ones. A file without notes is still found by its title and aliases. The index
// keeps f's slices, which must not be changed afterwards.
func (x *Index) Replace(f File) {
	x.write.Lock()
	defer x.write.Unlock()
	made := x.words.segments(&f)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.unlink(f.Path)
	for _, s := range made {
		x.link(s)
	}
	x.files[f.Path] = made
}

// Remove takes the file at path out; without one it does nothing.
func (x *Index) Remove(path string) {
	x.write.Lock()
	defer x.write.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.unlink(path)
}

// Len returns the number of notes, those struck through included.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	n := 0
	for _, s := range x.slots {
		if s != nil {
			n += len(s.notes)
		}
	}
	return n
}

func (x *Index) link(s *segment) {
	if last := len(x.free) - 1; last >= 0 {
		s.slot = x.free[last]
		x.free = x.free[:last]
		x.slots[s.slot] = s
	} else {
		s.slot = int32(len(x.slots))
		x.slots = append(x.slots, s)
	}
	for i, text := range s.terms {
		t := x.terms[text]
		if t == nil {
			t = &term{text: text}
			x.terms[text] = t
			if h := head(text); h != "" {
				x.heads[h] = append(x.heads[h], t)
			}
		}
		r := ref{s.slot, s.starts[i], s.starts[i+1]}
		t.refs = slices.Insert(t.refs, t.find(s.slot), r)
	}
	s.count(x.authors, &x.tongues, 1)
}

// unlink takes the segments of a path out. It is nothing without one.
func (x *Index) unlink(path string) {
	for _, s := range x.files[path] {
		for _, text := range s.terms {
			t := x.terms[text]
			at := t.find(s.slot)
			t.refs = slices.Delete(t.refs, at, at+1)
			if len(t.refs) == 0 {
				x.drop(t)
			}
		}
		s.count(x.authors, &x.tongues, -1)
		x.slots[s.slot] = nil
		x.free = append(x.free, s.slot)
	}
	delete(x.files, path)
}

// count adds n times the segment's authors and languages.
func (s *segment) count(authors map[string]int, languages *[tongues]int, n int) {
	for _, author := range s.authors {
		authors[author] += n
		if authors[author] == 0 {
			delete(authors, author)
		}
	}
	for t := range s.tongues {
		languages[t] += n * s.tongues[t]
	}
}

// drop forgets a term that no segment holds any more.
func (x *Index) drop(t *term) {
	delete(x.terms, t.text)
	h := head(t.text)
	if h == "" {
		return
	}
	at := slices.Index(x.heads[h], t)
	x.heads[h] = slices.Delete(x.heads[h], at, at+1)
	if len(x.heads[h]) == 0 {
		delete(x.heads, h)
	}
}

// find returns where the ref of a slot stands among the term's, or belongs.
func (t *term) find(slot int32) int {
	at, _ := slices.BinarySearchFunc(t.refs, slot, func(r ref, slot int32) int { return cmp.Compare(r.slot, slot) })
	return at
}

// holding returns how many notes a ref names; the heading is none.
func (s *segment) holding(r ref) int {
	n := int(r.to - r.from)
	if s.posts[r.to-1].note == int32(len(s.notes)) {
		n--
	}
	return n
}
