package index

import "quipu/markdown"

// Query is a search.
type Query struct {
	// Text is the question: any text, in any language.
	Text string
	// Today is the day on which it is asked; zero when unknown. Notes whose last
	// day has passed are left out, and "yesterday" is told from it.
	Today markdown.Date
	// Limit is the greatest number of hits; 0 stands for 10.
	Limit int
	// Struck asks for notes that are struck through too.
	Struck bool
	// Only says which files may be searched at all; nil stands for all. What is
	// refused is as good as not there: it is not ranked and not counted. Only and
	// Keep must not call the index.
	Only func(path string) bool
	// Keep says of a note whether it may be found; nil stands for all. It is asked
	// before the best are chosen, so what is refused takes no place of a hit and is
	// quoted nowhere; it still stands beside its neighbours. A note that must lend
	// them nothing either is given to Replace as struck.
	Keep func(path string, n Note) bool
}

// Hit is a note that was found, and why.
type Hit struct {
	Note
	// Path is its file; Label is how that is called.
	Path, Label string
	// Score is comparable within one search only.
	Score float64
	// Words are the question's words that the note holds, Named those that only
	// the file's title, aliases or name hold; folded.
	Words, Named []string
	// Parts is what the score is made of.
	Parts []Part
	// Before is the question that stands before the note in a conversation, with
	// its author, when the note answers it; its words count among Words.
	Before string
	// Opening says that the text is the beginning of the file.
	Opening bool
}

// Part is what one feature gave to a score.
type Part struct {
	Name  string
	Value float64
}

const defaultLimit = 10

// Search returns the notes that answer a question best, the best first; equal
// ones by date, newest first, then by path and line. A hit shares a word with the
// question or stands beside a note that does.
func (x *Index) Search(q Query) []Hit {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.borrow(&q)
	defer s.release()
	s.ask = s.read(q.Text, dayOf(q.Today))
	for i := range s.ask.words {
		s.word(&s.ask.words[i])
	}
	for i := range s.ask.words {
		w := &s.ask.words[i]
		s.widest(&s.near, w, w.near)
		s.widest(&s.kin, w, w.kin)
	}
	if s.ask.when.known {
		s.touchDated()
	}
	return s.hits(s.best())
}
