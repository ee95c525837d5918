package index

import (
	"cmp"
	"slices"
)

// hits makes hits of the best notes.
func (s *search) hits(best []ranked) []Hit {
	found := make([]Hit, len(best))
	for i, r := range best {
		seg := s.segs[r.seg]
		h := Hit{Note: seg.notes[r.note], Path: seg.file.Path, Label: seg.file.label(), Score: float64(r.score)}
		v := s.view(r.seg)
		p := s.parts(&v, r.note)
		for j := range p {
			if value := p[j] * weights[j].of(seg.author[r.note] >= 0); value != 0 {
				h.Parts = append(h.Parts, Part{partNames[j], float64(value)})
			}
		}
		slices.SortStableFunc(h.Parts, func(a, b Part) int { return cmp.Compare(b.Value, a.Value) })
		h.Words = s.shared(seg, int32(r.note))
		if before := r.note - 1; seg.answers(r.note) && s.may(seg, before) {
			h.Before = seg.notes[before].Author + ": " + seg.notes[before].Text
			for _, word := range s.shared(seg, int32(before)) {
				h.Words = addNew(h.Words, word)
			}
		}
		h.Named = slices.DeleteFunc(s.shared(seg, int32(len(seg.notes))), func(w string) bool { return slices.Contains(h.Words, w) })
		found[i] = h
	}
	return found
}

// answers reports whether a note is what one person said to a question of another.
func (s *segment) answers(i int) bool {
	return i > 0 && s.author[i] >= 0 && s.author[i-1] >= 0 && s.author[i] != s.author[i-1] && s.signs[i-1].asked > 0 && s.signs[i].asked < 1
}

func (f *File) label() string {
	if f.Label == "" {
		return f.Path
	}
	return f.Label
}

// shared returns the words of the question that a note of a segment holds. A
// run of a dense script is given in its pieces of two characters that do not
// overlap, so that their number is about that of the words. Who is named counts
// in what that person said.
func (s *search) shared(seg *segment, note int32) []string {
	var found []string
	run, next := -1, 0
	for i := range s.ask.words {
		w := &s.ask.words[i]
		if !s.holds(seg, w, note) {
			continue
		}
		if w.run >= 0 {
			if w.run == run && w.at < next {
				continue
			}
			run, next = w.run, w.at+len([]rune(w.text))
		}
		found = append(found, w.text)
	}
	return found
}

// holds reports whether a note holds a word in one of its forms, or one that
// begins alike.
func (s *search) holds(seg *segment, w *askWord, note int32) bool {
	if w.name && len(seg.authors) > 0 {
		return int(note) < len(seg.notes) && s.speaks(seg, w, note)
	}
	for _, form := range w.forms {
		if t := s.x.terms[form]; t != nil && seg.has(t, note) {
			return true
		}
	}
	return slices.ContainsFunc(w.near, func(t *term) bool { return seg.has(t, note) })
}

func (s *search) speaks(seg *segment, w *askWord, note int32) bool {
	at := seg.author[note]
	return at >= 0 && called(seg.authors[at], w.text)
}

// has reports whether a note of the segment holds a term.
func (s *segment) has(t *term, note int32) bool {
	at := t.find(s.slot)
	if at == len(t.refs) || t.refs[at].slot != s.slot {
		return false
	}
	posts := s.posts[t.refs[at].from:t.refs[at].to]
	_, ok := slices.BinarySearchFunc(posts, note, func(p post, note int32) int { return cmp.Compare(p.note, note) })
	return ok
}
