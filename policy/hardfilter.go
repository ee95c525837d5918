package policy

import (
	"math"
	"strings"
)

// Recallable is what of a stored row decides whether anything may rank it.
type Recallable struct {
	Text        string
	Score       *float64 // its standing; nil when nothing disputes it, see Judged
	Disputation float64  // how much was ever said against it, before any decay
	Suppressed  bool     // it was mentioned too often of late
	Protected   bool     // it is loaded every turn, so nobody need find it
	Ended       bool     // it came to its end: taken back, denied, or promoted to another place
}

// Judged returns the row with its standing as of now. Only a row that was disputed has
// one: a row that sank because nobody took it up is not disputed, and stays. A
// standing that the row has already can only fall.
func (r Recallable) Judged(score float64) Recallable {
	if r.Disputation > 0 {
		if r.Score != nil {
			score = min(score, *r.Score)
		}
		r.Score = &score
	}
	return r
}

// Ranks reports whether the row may be ranked. It stands before every ranking and only
// ever leaves rows out. Dropped are rows with a standing below zero, suppressed,
// protected and ended ones, those without text, and those whose numbers are none.
func (r Recallable) Ranks() bool {
	if r.Suppressed || r.Protected || r.Ended || strings.TrimSpace(r.Text) == "" || math.IsNaN(r.Disputation) {
		return false
	}
	return r.Score == nil || *r.Score >= 0 // NaN is not
}
