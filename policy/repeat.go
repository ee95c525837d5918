package policy

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Said is one message of a bot.
type Said struct {
	Text       string
	At         time.Time
	Unprompted bool // nobody had asked
}

// Repeat is an earlier message that a draft repeats.
type Repeat struct {
	Index int      // of the message, in the list that was given
	Near  float64  // 0 to 1: the part of the draft's weight that the message has
	Words []string // what they share, the heaviest first, at most ten, as the draft has it
}

const (
	// RepeatCorpus is how many of the newest messages say how common a word is. They
	// are counted and never timed, so that what is common stays known when the bot
	// was silent for weeks (N.E.K.O., anti_repeat).
	RepeatCorpus = 200
	// RepeatWindow is how many of the newest messages a draft is held against.
	RepeatWindow = 30
	// RepeatNear is how near a draft must come to a message to be its repetition. It is
	// the middle between the farthest rephrasing (0.57) and the nearest follow-up with
	// news (0.27) of the hand set in repeat_test.go, in five languages.
	RepeatNear = 0.42

	sharedTerms = 2  // fewer say nothing: two questions may both name the bank
	repeatWords = 10 // that are told
)

// The constants of BM25. A message lasts long when it tells of many things, and it
// still tells of each: the length counts little, and no more than lengthMost times
// the average.
const (
	saidK      = 1.2
	saidB      = 0.3
	lengthMost = 4
	// fewest is for how many messages a word's rarity is reckoned at least: in two
	// messages on one subject its words are not habits yet.
	fewest = 30
)

// Repeats reports whether a draft raises a topic again that one of the bot's newest
// messages raised, in whatever words, and which message comes nearest (of equals the
// newest). A draft and a message are compared by the words that carry a subject, cut
// to their stems by the rules of the draft's language; a word that the bot uses in
// every message weighs little. Near is the BM25 score of the draft against the
// message, by that of the draft against itself. The order of earlier does not matter.
func Repeats(draft string, earlier []Said) (Repeat, bool) {
	words := saidWords(draft)
	c := newCorpus(words, earlier)
	if len(c.own) < sharedTerms || len(c.said) == 0 {
		return Repeat{}, false
	}
	best := Repeat{Near: -1}
	var shared []int
	for i := range c.said[:min(len(c.said), RepeatWindow)] {
		if near, common := c.near(i); near > best.Near {
			best.Index, best.Near, shared = c.said[i].index, near, common
		}
	}
	if best.Near < RepeatNear {
		return Repeat{}, false
	}
	best.Words = c.told(shared, words)
	return best, true
}

// corpus is what a bot said, the newest first, seen from a draft.
type corpus struct {
	own     []term // of the draft
	length  int    // what all of its words weigh, repeated ones too
	said    []saidTerms
	holds   []int   // in how many messages each term of the draft stands
	average float64 // what the words of a message weigh
}

type saidTerms struct {
	index  int
	length int
	has    []bool // the terms of the draft
}

func newCorpus(draft []string, earlier []Said) *corpus {
	order := newest(earlier)
	texts := make([][]string, len(order))
	var recent []string
	for k, i := range order {
		texts[k] = saidWords(earlier[i].Text)
		if k < RepeatWindow {
			recent = append(recent, texts[k]...)
		}
	}
	s := newStems(tongueIn(draft, tongueIn(recent, inEnglish)))
	c := &corpus{own: s.terms(draft, false)}
	s.each(draft, false, func(t term) { c.length += t.weight })
	number := make(map[string]int, len(c.own))
	for n, t := range c.own {
		number[t.key] = n
	}
	c.holds = make([]int, len(c.own))
	for k, i := range order {
		m := saidTerms{index: i, has: make([]bool, len(c.own))}
		s.each(texts[k], false, func(t term) {
			m.length += t.weight
			if n, ok := number[t.key]; ok && !m.has[n] {
				m.has[n] = true
				c.holds[n]++
			}
		})
		c.average += float64(m.length) / float64(len(order))
		c.said = append(c.said, m)
	}
	return c
}

// newest returns the places of the newest messages, the newest first, however they
// were given.
func newest(earlier []Said) []int {
	order := make([]int, len(earlier))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(earlier[b].At.Compare(earlier[a].At), cmp.Compare(earlier[b].Text, earlier[a].Text))
	})
	return order[:min(len(order), RepeatCorpus)]
}

// rarity is the inverse document frequency of a term of the draft among all messages
// but one, which has it or not: that a topic was raised there does not make it common.
func (c *corpus) rarity(n int, has bool) float64 {
	holds := float64(c.holds[n])
	if has {
		holds--
	}
	of := float64(max(len(c.said)-1, fewest))
	return math.Log(1 + (of-holds+0.5)/(holds+0.5))
}

// near returns how near the draft comes to a message, and the terms that both have.
func (c *corpus) near(i int) (near float64, shared []int) {
	said := c.said[i]
	var all, both float64
	for n, t := range c.own {
		worth := float64(t.weight) * c.rarity(n, said.has[n])
		all += worth
		if said.has[n] {
			both += worth
			shared = append(shared, n)
		}
	}
	if len(shared) < sharedTerms {
		return 0, nil
	}
	return min(1, both*c.saturated(said.length)/(all*c.saturated(c.length))), shared
}

// saturated is the BM25 weight of a term that stands once in a text of some length.
func (c *corpus) saturated(length int) float64 {
	long := lengthMost * 1.0
	if c.average > 0 {
		long = min(long, float64(length)/c.average)
	}
	return (saidK + 1) / (1 + saidK*(1-saidB+saidB*long))
}

// told returns what the draft and the message share as the draft has it, the heaviest
// first. Characters that stand side by side are told as one.
func (c *corpus) told(shared []int, words []string) []string {
	worth := make([]float64, len(words))
	joined := make([]bool, len(words)) // to the character before
	for _, n := range shared {
		t := c.own[n]
		worth[t.from] += float64(t.weight) * c.rarity(n, true)
		if t.length == 2 {
			joined[t.from+1] = true
		}
	}
	type run struct {
		text  string
		worth float64
	}
	var runs []run
	for i, w := range words {
		switch {
		case joined[i]:
			last := &runs[len(runs)-1]
			last.text += w
			last.worth += worth[i]
		case worth[i] > 0:
			runs = append(runs, run{w, worth[i]})
		}
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(b.worth, a.worth) })
	var list []string
	for _, r := range runs[:min(len(runs), repeatWords)] {
		list = append(list, r.text)
	}
	return list
}
