package index

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// term is one word of the index with the segments that hold it, by slot.
type term struct {
	text string
	refs []ref
}

// ref is the place of a term's posts in a segment.
type ref struct {
	slot     int32
	from, to int32
}

// post says how often a note of a segment holds a term. The note with the number
// len(notes) stands for the file's title, description, aliases and name.
type post struct {
	note int32
	tf   float32
}

// segment is a file made ready for searching; it never changes. What is struck
// through lies in a segment of its own, so that it lends nothing to its neighbours.
type segment struct {
	slot   int32
	file   *File
	struck bool
	notes  []Note
	// terms, and for the i-th term the posts[starts[i]:starts[i+1]], by note.
	terms  []string
	starts []int32
	posts  []post
	// bodyLen and windowLen are the lengths of a note and of it with its neighbours.
	bodyLen, windowLen          []float32
	bodySum, windowSum, fileLen float32
	signs                       []signs
	on                          []civil
	days                        [][]civil
	// authors are lower-cased; author has the place in it of a note's author, -1 for none.
	authors []string
	author  []int16
	tongues [tongues]int
	// heading are the words of the title, aliases and name, folded, for asking by name.
	heading []string
}

// The weights of what stands around a text.
const (
	sectionWeight = 0.5 // a heading above a note, beside the note's own words
	titleWeight   = 1.5 // title, aliases and file name, beside the words of all notes
	aboutWeight   = 1.0 // the description
)

// The note itself and its neighbours at one and at two steps.
var reach = [3]float32{1, .5, .25}

// segments makes the one or two segments of a file.
func (a *analyser) segments(f *File) []*segment {
	var votes ballot
	ballots := make([]ballot, len(f.Notes))
	for i := range f.Notes {
		ballots[i].count(f.Notes[i].Text, a.vote)
		votes.join(&ballots[i])
	}
	live := gatherer{analyser: a, seg: &segment{file: f}, ids: map[string]int32{}, leaning: votes.winner(inEnglish)}
	old := live
	old.seg, old.ids = &segment{file: f, struck: true}, map[string]int32{}
	for i := range f.Notes {
		if f.Notes[i].Struck {
			old.note(&f.Notes[i], &ballots[i])
		} else {
			live.note(&f.Notes[i], &ballots[i])
		}
	}
	made := []*segment{live.sealed()}
	if len(old.seg.notes) > 0 {
		made = append(made, old.sealed())
	}
	return made
}

// gatherer collects the terms of a segment in the order of its notes.
type gatherer struct {
	*analyser
	seg     *segment
	leaning tongue
	ids     map[string]int32
	found   []occurrence
}

type occurrence struct {
	id, note int32
	tf       float32
}

func (g *gatherer) note(n *Note, votes *ballot) {
	s, i := g.seg, len(g.seg.notes)
	t := votes.winner(g.leaning)
	on := dayOf(n.Date)
	var out reading
	g.read(n.Text, t, on, &out)
	for _, m := range out.mentions {
		g.occurs(m.term, i, 1)
	}
	length := float32(len(out.mentions))
	if n.Section != "" {
		length += sectionWeight * float32(g.words(n.Section, t, i, sectionWeight))
	}
	var days []civil
	for _, d := range out.days {
		days = append(days, d.civil())
	}
	s.notes = append(s.notes, *n)
	s.tongues[t]++
	s.bodyLen = append(s.bodyLen, length)
	s.signs = append(s.signs, out.signs)
	s.on = append(s.on, on.civil())
	s.days = append(s.days, days)
	s.author = append(s.author, g.speaker(n.Author))
}

// speaker returns the place of an author among those of the segment.
func (g *gatherer) speaker(author string) int16 {
	if author == "" {
		return -1
	}
	author = fold(author)
	at := slices.Index(g.seg.authors, author)
	if at < 0 {
		at = len(g.seg.authors)
		g.seg.authors = append(g.seg.authors, author)
	}
	return int16(at)
}

// words adds the terms of a text to note i and returns how many there were.
func (g *gatherer) words(text string, t tongue, i int, tf float32) int {
	var out reading
	g.read(text, t, noDay, &out)
	for _, m := range out.mentions {
		g.occurs(m.term, i, tf)
	}
	return len(out.mentions)
}

func (g *gatherer) occurs(text string, note int, tf float32) {
	id, ok := g.ids[text]
	if !ok {
		id = int32(len(g.ids))
		g.ids[text] = id
		g.seg.terms = append(g.seg.terms, text)
	}
	g.found = append(g.found, occurrence{id, int32(note), tf})
}

// heading adds the words by which the file is called, and keeps them. A
// conversation's path is no name that anyone uses.
func (g *gatherer) heading() {
	f, at := g.seg.file, len(g.seg.notes)
	names := append([]string{f.Title}, f.Aliases...)
	if strings.HasSuffix(f.Path, ".md") {
		names = append(names, strings.TrimSuffix(path.Base(f.Path), ".md"))
	}
	seen := map[string]bool{}
	for _, name := range names {
		var out reading
		g.read(name, g.leaning, noDay, &out)
		for _, m := range out.mentions {
			if !seen[m.term] {
				seen[m.term] = true
				g.occurs(m.term, at, titleWeight)
				g.seg.fileLen++
			}
		}
		g.seg.heading = append(g.seg.heading, headingWords(name)...)
	}
	g.seg.fileLen += float32(g.words(f.Description, g.leaning, at, aboutWeight))
	g.seg.heading = append(g.seg.heading, headingWords(f.Description)...)
}

// headingWords returns the folded words of a heading that can be asked for: of
// three letters or more, or a run of a dense script.
func headingWords(text string) []string {
	const shortest = 3
	var found []string
	s := scanner{text: text}
	for {
		sp, ok := s.next()
		if !ok {
			return found
		}
		word := bare(fold(text[sp.from:sp.to]))
		if sp.kind == dense || len(word) >= shortest {
			found = append(found, word)
		}
	}
}

// sealed returns the segment with its posts in order, by term and note, and its
// windows measured.
func (g *gatherer) sealed() *segment {
	g.heading()
	s := g.seg
	slices.SortStableFunc(g.found, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.note, b.note))
	})
	last := int32(-1)
	for _, o := range g.found {
		switch {
		case o.id != last:
			s.starts = append(s.starts, int32(len(s.posts)))
			last = o.id
		case s.posts[len(s.posts)-1].note == o.note:
			s.posts[len(s.posts)-1].tf += o.tf
			continue
		}
		s.posts = append(s.posts, post{o.note, o.tf})
	}
	s.starts = append(s.starts, int32(len(s.posts)))
	s.windowLen = make([]float32, len(s.notes))
	for i := range s.notes {
		for j := max(0, i-2); j <= min(len(s.notes)-1, i+2); j++ {
			s.windowLen[i] += reach[max(i-j, j-i)] * s.bodyLen[j]
		}
		s.bodySum += s.bodyLen[i]
		s.windowSum += s.windowLen[i]
	}
	s.fileLen += s.bodySum
	return s
}
