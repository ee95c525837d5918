package index

import "math/bits"

// ballot counts for each language how many words speak for it.
type ballot [tongues]float64

// add lets a folded word vote: a stop word speaks for the languages that have it,
// and the fewer they are the louder.
func (b *ballot) add(mask uint16) {
	if mask == 0 {
		return
	}
	vote := 1 / float64(bits.OnesCount16(mask))
	for t := range tongues {
		if mask&(1<<t) != 0 {
			b[t] += vote
		}
	}
}

// join adds the votes of another ballot.
func (b *ballot) join(other *ballot) {
	for t := range b {
		b[t] += other[t]
	}
}

// winner returns the language with the most votes. One that nothing speaks for
// loses to leaning, the language that the text is expected to be in.
func (b *ballot) winner(leaning tongue) tongue {
	const lead = 0.6 // less than one word of its own, more than one that two languages share
	best, most := leaning, b[leaning]+lead
	for t := range tongues {
		if b[t] > most {
			best, most = t, b[t]
		}
	}
	return best
}

// count adds the votes of the words of a text. Dense scripts have no vote.
func (b *ballot) count(text string, vote func(word string) uint16) {
	s := scanner{text: text}
	for {
		sp, ok := s.next()
		if !ok {
			return
		}
		if sp.kind == plain {
			b.add(vote(text[sp.from:sp.to]))
		}
	}
}

// detect adds the votes of the words of text to b.
func (l *lexicon) detect(text string, b *ballot) { b.count(text, l.vote) }

// vote is the languages in which a word is a stop word, a bit each.
func (l *lexicon) vote(word string) uint16 { return l.stops[bare(fold(word))] }
