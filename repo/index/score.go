package index

import "slices"

// part is one thing that speaks for a note; the score is their weighted sum.
type part int

const (
	byBody     part = iota // the question's words in the note, BM25
	byWindow               // ... in the note and its neighbours
	byFile                 // ... in the whole file, its title and aliases too
	byKin                  // near-equal words in the note
	byNear                 // words that begin alike
	byAnswer               // the question's words in a question that stands before it
	bySpeaker              // the person named is its author; less when others are named behind
	bySelf                 // ... and speaks of "I" or "we"
	byQuestion             // share of the note that asks
	byCapitals             // names inside sentences
	byTime                 // a time, when one is asked for
	byPlace                // a place, when one is asked for
	byCount                // a number, when one is asked for
	byDate                 // written at the time that is asked about
	byDay                  // tells of the time that is asked about
	parts
)

// partNames are how the parts are called where a hit is explained.
var partNames = [parts]string{
	"words", "neighbours", "file", "related words", "beginnings", "answers", "speaker", "speaker of self", "asks", "names",
	"time", "place", "number", "written then", "tells of then",
}

// weight is what a part counts: said in a conversation, and in a file of notes,
// where nobody speaks.
type weight struct{ said, kept float32 }

// weights is the whole of what was tuned. The left column was fitted on
// conversations, the right one set by hand on topic notes; see doc.go.
var weights = [parts]weight{
	byBody:     {0.5, 4},
	byWindow:   {5.9, 2},
	byFile:     {6.3, 5},
	byKin:      {1.3, 1.3},
	byNear:     {2.7, 1.9},
	byAnswer:   {3.3, 0},
	bySpeaker:  {1.9, 0},
	bySelf:     {0.7, 0},
	byQuestion: {-1.7, 0},
	byCapitals: {1.1, 0},
	byTime:     {2.1, 1},
	byPlace:    {1.9, 1},
	byCount:    {1.5, 1},
	byDate:     {5.1, 4.6},
	byDay:      {1.5, 4.6},
}

// firstOfTwo is for the first of several people named: more often than not the
// one whose words are looked for.
const firstOfTwo = 0.7

// The constants of BM25.
const (
	bmK = 0.9
	bmB = 0.7
)

// saturate returns the BM25 weight of a term that occurs tf times in a text whose
// length is ratio times the average.
func saturate(tf, ratio float32) float32 {
	return tf * (bmK + 1) / (tf + bmK*(1-bmB+bmB*ratio))
}

// view is a touched segment while its notes are scored.
type view struct {
	*segment
	number, base int
	// norm makes the scores of short and long questions comparable.
	norm float32
	// named is the place among the authors of the one that the question names, -2 for none.
	named int16
}

func (s *search) view(n int) view {
	const least = 3
	v := view{s.segs[n], n, s.base[n], 1 / max(least, s.keptIDF), -2}
	if len(v.authors) > 0 {
		v.norm = 1 / max(least, s.saidIDF)
	}
	if len(s.ask.named) > 0 {
		if at := slices.Index(v.authors, s.ask.named[0]); at >= 0 {
			v.named = int16(at)
		}
	}
	return v
}

// parts returns what speaks for note i of a touched segment.
func (s *search) parts(v *view, i int) [parts]float32 {
	at := v.base + i
	out := [parts]float32{
		byBody:   s.body[at] * v.norm,
		byWindow: s.window[at] * v.norm,
		byFile:   s.file[v.number] * v.norm,
		byKin:    s.kin[at] * v.norm,
		byNear:   s.near[at] * v.norm,
	}
	sign := &v.signs[i]
	out[byQuestion] = sign.asked
	out[byCapitals] = float32(sign.capitals) / 3
	if i > 0 {
		out[byAnswer] = s.body[at-1] * v.signs[i-1].asked * v.norm
	}
	if v.author[i] == v.named {
		out[bySpeaker] = firstOfTwo
		if len(s.ask.named) == 1 {
			out[bySpeaker] = 1
			out[bySelf] = one(sign.self)
		}
	}
	out[byTime] = one(s.ask.time && sign.time)
	out[byPlace] = one(s.ask.place && sign.place)
	out[byCount] = one(s.ask.count && sign.number)
	if s.ask.when.known {
		out[byDate] = s.ask.when.near(v.on[i], false)
		for _, d := range v.days[i] {
			out[byDay] = max(out[byDay], s.ask.when.near(d, true))
		}
	}
	return out
}

func one(yes bool) float32 {
	if yes {
		return 1
	}
	return 0
}

// of returns the column for a note with or without an author.
func (w weight) of(said bool) float32 {
	if said {
		return w.said
	}
	return w.kept
}

// score returns the weighted sum for a note with or without an author.
func score(p *[parts]float32, said bool) float32 {
	var sum float32
	if said {
		for i := range p {
			sum += p[i] * weights[i].said
		}
		return sum
	}
	for i := range p {
		sum += p[i] * weights[i].kept
	}
	return sum
}
