package policy

import (
	"hash/maphash"
	"maps"
	"strings"
	"sync"
	"unicode"
)

// lineGate is a cheap first look at a text: whether it may say what is erased. The
// versions of a file share nearly all of their lines, and of each line it remembers
// which of the words stand in it. It never says no to a text that does.
type lineGate struct {
	bits  map[string]uint64 // word -> its bit
	need  uint64            // the bits that a text must have
	any   bool              // one of them is enough
	words func(line string) []string

	seed maphash.Seed
	mu   sync.RWMutex
	seen map[uint64]uint64 // hash of a line -> the bits of its words
}

const (
	gateWords = 64
	gateLines = 1 << 20 // of more, it begins anew
)

// gateOfPhrases opens for a text in whose lines every word of the phrases stands.
func gateOfPhrases(phrases []Phrase) *lineGate {
	g := &lineGate{bits: map[string]uint64{}, words: tokens, seed: maphash.MakeSeed(), seen: map[uint64]uint64{}}
	for _, p := range phrases {
		for _, w := range p.words {
			if _, have := g.bits[w]; !have && len(g.bits) < gateWords {
				g.bits[w] = 1 << len(g.bits)
				g.need |= g.bits[w]
			}
		}
	}
	return g
}

// gateOfFacts opens for a text in which the longest word of a fact stands.
func gateOfFacts(facts map[string]bool) *lineGate {
	g := &lineGate{bits: map[string]uint64{}, any: true, words: letterRuns, seed: maphash.MakeSeed(), seen: map[uint64]uint64{}}
	for fact := range facts {
		longest := ""
		for _, w := range letterRuns(fact) {
			if len(w) > len(longest) {
				longest = w
			}
		}
		bit := uint64(1) << (len(g.bits) % gateWords)
		g.bits[longest] |= bit
		g.need |= bit
		if longest == "" {
			g.need = 0 // a fact of signs alone: every text is looked at
			break
		}
	}
	return g
}

// letterRuns are the letters and digits of a text between all that is neither.
func letterRuns(text string) []string {
	return strings.FieldsFunc(foldText(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// may reports whether a text may say it.
func (g *lineGate) may(text string) bool {
	if g.need == 0 {
		return true
	}
	var got uint64
	var fresh map[uint64]uint64
	g.mu.RLock()
	for line := range strings.Lines(text) {
		h := maphash.String(g.seed, line)
		bits, known := g.seen[h]
		if !known {
			bits, known = fresh[h]
		}
		if !known {
			for _, w := range g.words(line) {
				bits |= g.bits[w]
			}
			if fresh == nil {
				fresh = map[uint64]uint64{}
			}
			fresh[h] = bits
		}
		got |= bits
	}
	g.mu.RUnlock()
	g.keep(fresh)
	return got == g.need || g.any && got != 0
}

func (g *lineGate) keep(fresh map[uint64]uint64) {
	if len(fresh) == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.seen)+len(fresh) > gateLines {
		g.seen = map[uint64]uint64{}
	}
	maps.Copy(g.seen, fresh)
}
