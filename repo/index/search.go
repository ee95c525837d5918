package index

import (
	"cmp"
	"math"
	"slices"
)

// search is the working space of one search; it is used again by the next.
type search struct {
	x   *Index
	q   *Query
	ask *ask

	// order has 1 + the number of a touched segment by its slot, 0 for others.
	order []int32
	segs  []*segment
	base  []int // where a touched segment's notes begin in the slices below
	// One number a note, the heading behind the last: of the word at hand, and summed up.
	tf, top, body, window, kin, near []float32
	file                             []float32 // one number a segment
	called                           []bool    // whether a touched segment's heading holds a word
	held                             []int32   // touched segments that hold the word at hand
	seen                             []int     // notes that have something in top

	allowed            []bool
	notes, files       float64
	avgBody, avgWindow float32
	avgFile            float32
	// authors and tongues are those of what may be searched.
	authors map[string]int
	tongues [tongues]int
	// What scores are divided by, with and without the names of authors.
	saidIDF, keptIDF float32
}

func (x *Index) borrow(q *Query) *search {
	s, _ := x.pool.Get().(*search)
	if s == nil {
		s = &search{}
	}
	s.x, s.q = x, q
	s.order = zeroed(s.order, len(x.slots))
	s.allowed = slices.Grow(s.allowed[:0], len(x.slots))[:len(x.slots)]
	s.measure()
	return s
}

func zeroed(list []int32, n int) []int32 {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// measure decides what may be searched, and counts only that.
func (s *search) measure() {
	s.notes, s.files = 0, 0
	var body, window, file float64 // all lengths are multiples of an eighth: the sums are exact in any order
	for i, seg := range s.x.slots {
		s.allowed[i] = seg != nil && (!seg.struck || s.q.Struck) && (s.q.Only == nil || s.q.Only(seg.file.Path))
		if !s.allowed[i] {
			continue
		}
		s.files++
		s.notes += float64(len(seg.notes))
		file += float64(seg.fileLen)
		body += float64(seg.bodySum)
		window += float64(seg.windowSum)
	}
	s.avgBody = float32(max(1, body/max(1, s.notes)))
	s.avgWindow = float32(max(1, window/max(1, s.notes)))
	s.avgFile = float32(max(1, file/max(1, s.files)))
	s.saidIDF, s.keptIDF = 0, 0
	s.authors, s.tongues = s.x.authors, s.x.tongues
	if s.q.Only == nil {
		return
	}
	s.authors, s.tongues = map[string]int{}, [tongues]int{}
	for i, seg := range s.x.slots {
		if s.allowed[i] {
			seg.count(s.authors, &s.tongues, 1)
		}
	}
}

func (s *search) release() {
	x := s.x
	clear(s.segs)
	s.x, s.q, s.ask, s.authors = nil, nil, nil, nil
	s.segs, s.base, s.file, s.held, s.called = s.segs[:0], s.base[:0], s.file[:0], s.held[:0], s.called[:0]
	s.tf, s.top, s.body, s.window, s.kin, s.near = s.tf[:0], s.top[:0], s.body[:0], s.window[:0], s.kin[:0], s.near[:0]
	x.pool.Put(s)
}

// touch returns the number of a segment among those that hold a word.
func (s *search) touch(slot int32) int {
	if n := s.order[slot]; n > 0 {
		return int(n) - 1
	}
	seg := s.x.slots[slot]
	s.segs = append(s.segs, seg)
	s.base = append(s.base, len(s.tf))
	s.file = append(s.file, 0)
	s.called = append(s.called, false)
	size := len(seg.notes) + 1
	for _, list := range []*[]float32{&s.tf, &s.top, &s.body, &s.window, &s.kin, &s.near} {
		old := len(*list)
		*list = slices.Grow(*list, size)[:old+size]
		clear((*list)[old:])
	}
	s.order[slot] = int32(len(s.segs))
	return len(s.segs) - 1
}

// touchDated brings in the files with a note of the time that is asked about:
// "what did we do on 25 May" shares no word with what was done.
func (s *search) touchDated() {
	for slot, seg := range s.x.slots {
		if s.allowed[slot] && s.order[slot] == 0 && seg.tellsOf(&s.ask.when) {
			s.touch(int32(slot))
		}
	}
}

// tellsOf reports whether a note of the segment was written at a time or names it.
func (s *segment) tellsOf(when *dated) bool {
	for i := range s.notes {
		if when.near(s.on[i], false) > 0 {
			return true
		}
		for _, d := range s.days[i] {
			if when.near(d, true) > 0 {
				return true
			}
		}
	}
	return false
}

func idf(total, holding float64) float32 {
	return float32(math.Log(1 + (total-holding+.5)/(holding+.5)))
}

// word adds what one word of the question gives to each note, window and file.
// Its forms count as one word.
func (s *search) word(w *askWord) {
	s.held = s.held[:0]
	notes, files := 0.0, 0.0
	for _, form := range w.forms {
		t := s.x.terms[form]
		if t == nil {
			continue
		}
		for _, r := range t.refs {
			if s.asks(w, r.slot) {
				notes += s.collect(r)
			}
		}
	}
	slices.Sort(s.held)
	s.held = slices.Compact(s.held)
	files = float64(len(s.held))
	s.weigh(w, notes, files)
	if files == 0 {
		return
	}
	noteIDF, fileIDF := idf(s.notes, notes)*w.weight, idf(s.files, files)*w.weight
	for _, n := range s.held {
		s.spread(int(n), noteIDF, fileIDF)
	}
}

// weigh adds the word to what scores are divided by. A word that no note holds
// counts as a fairly common one there, and its relatives as fairly rare ones.
func (s *search) weigh(w *askWord, notes, files float64) {
	const unknown, strange = 2, 4
	weight := float32(unknown)
	w.idf = strange
	if files > 0 {
		w.idf = idf(s.notes, notes)
		weight = w.idf
	}
	s.keptIDF += weight * w.weight
	if !w.name {
		s.saidIDF += weight * w.weight
	}
}

// collect notes down the posts of a ref and returns how many notes are new.
func (s *search) collect(r ref) float64 {
	n := s.touch(r.slot)
	s.held = append(s.held, int32(n))
	seg, tf := s.segs[n], s.tf[s.base[n]:]
	fresh := 0.0
	for _, p := range seg.posts[r.from:r.to] {
		if tf[p.note] == 0 && int(p.note) < len(seg.notes) {
			fresh++
		}
		tf[p.note] += p.tf
	}
	return fresh
}

// spread turns the counts of one word in a segment into scores, and clears them.
func (s *search) spread(n int, noteIDF, fileIDF float32) {
	seg, base := s.segs[n], s.base[n]
	size := len(seg.notes)
	tf := s.tf[base : base+size+1]
	inFile := tf[size]
	s.called[n] = s.called[n] || inFile > 0
	for i, own := range tf[:size] {
		around := own
		if i > 0 {
			around += reach[1] * tf[i-1]
		}
		if i > 1 {
			around += reach[2] * tf[i-2]
		}
		if i+1 < size {
			around += reach[1] * tf[i+1]
		}
		if i+2 < size {
			around += reach[2] * tf[i+2]
		}
		if around == 0 {
			continue
		}
		inFile += own
		if own > 0 {
			s.body[base+i] += noteIDF * saturate(own, seg.bodyLen[i]/s.avgBody)
		}
		s.window[base+i] += noteIDF * saturate(around, seg.windowLen[i]/s.avgWindow)
	}
	s.file[n] += fileIDF * saturate(inFile, seg.fileLen/s.avgFile)
	clear(tf)
}

// widest adds to out, for each note, the best of several terms that are not the
// word itself but stand for it. None counts more than the word would.
func (s *search) widest(out *[]float32, w *askWord, terms []*term) {
	s.seen = s.seen[:0]
	for _, t := range terms {
		value := min(idf(s.notes, s.holding(t)), w.idf) * w.weight
		for _, r := range t.refs {
			if s.asks(w, r.slot) {
				s.raise(r, value)
			}
		}
	}
	for _, at := range s.seen {
		(*out)[at] += s.top[at]
		s.top[at] = 0
	}
}

// holding returns how many notes that may be searched hold a term.
func (s *search) holding(t *term) float64 {
	n := 0
	for _, r := range t.refs {
		if s.allowed[r.slot] {
			n += s.x.slots[r.slot].holding(r)
		}
	}
	return float64(n)
}

// raise lets the posts of a ref lift what their notes have of the word at hand.
func (s *search) raise(r ref, value float32) {
	n := s.touch(r.slot)
	seg, base := s.segs[n], s.base[n]
	for _, p := range seg.posts[r.from:r.to] {
		if int(p.note) == len(seg.notes) {
			break
		}
		at := base + int(p.note)
		if s.top[at] == 0 {
			s.seen = append(s.seen, at)
		}
		s.top[at] = max(s.top[at], value*saturate(p.tf, seg.bodyLen[p.note]/s.avgBody))
	}
}

// asks reports whether a word is looked for in a segment: an author's name is
// not, where authors speak.
func (s *search) asks(w *askWord, slot int32) bool {
	return s.allowed[slot] && (!w.name || len(s.x.slots[slot].authors) == 0)
}

// ranked is a note on its way to a hit.
type ranked struct {
	seg, note int
	score     float32
}

// best returns the notes with the highest scores, in order.
func (s *search) best() []ranked {
	limit := s.q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	var top []ranked
	for n, seg := range s.segs {
		v := s.view(n)
		for i := range seg.notes {
			p := s.parts(&v, i)
			if !s.found(n, i, &p) {
				continue
			}
			r := ranked{n, i, score(&p, seg.author[i] >= 0)}
			if len(top) == limit && s.compare(r, top[limit-1]) >= 0 || !s.may(seg, i) {
				continue
			}
			at, _ := slices.BinarySearchFunc(top, r, s.compare)
			if len(top) == limit {
				top = top[:limit-1]
			}
			top = slices.Insert(top, at, r)
		}
	}
	return top
}

// found reports whether a note of a touched segment may be a hit at all: it holds
// a word of the question or the time that is asked about, or its file is called by
// a word. What was said beside a note that holds one is a hit too: answers seldom
// repeat the question.
func (s *search) found(n, i int, p *[parts]float32) bool {
	return s.segs[n].author[i] >= 0 || s.called[n] || p[byBody] > 0 || p[byNear] > 0 || p[byKin] > 0 || p[byDate] > 0 || p[byDay] > 0
}

// may reports whether the query lets a note be found.
func (s *search) may(seg *segment, i int) bool {
	n := &seg.notes[i]
	return !n.expired(s.q.Today) && (s.q.Keep == nil || s.q.Keep(seg.file.Path, *n))
}

// compare orders notes as Search returns them.
func (s *search) compare(a, b ranked) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	segA, segB := s.segs[a.seg], s.segs[b.seg]
	return cmp.Or(
		cmp.Compare(segB.on[b.note].day, segA.on[a.note].day),
		cmp.Compare(segA.file.Path, segB.file.Path),
		cmp.Compare(segA.notes[a.note].Line, segB.notes[b.note].Line),
		cmp.Compare(a.note, b.note),
	)
}
