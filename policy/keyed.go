package policy

import (
	"slices"
	"strings"

	"quipu/markdown"
)

// Keyed is an erasure as keyed hashes: enough to find again, in a text that holds it,
// what is to be erased, and without a word of it. JSON.
type Keyed struct {
	Salt  string   `json:"salt"`            // hexadecimal, of this erasure alone
	Facts bool     `json:"facts,omitempty"` // whole facts, and any of them; else phrases, and all of them
	First []string `json:"first,omitempty"` // of each phrase, its first word; none: each word may be
	N     []int    `json:"n,omitempty"`     // and how many words it has
	H     []string `json:"h"`               // of each phrase or fact, all of it
}

// Keyed gives the erasure under a salt.
func (e *Erasure) Keyed(salt Salt) Keyed {
	k := Keyed{Salt: salt.hex(), Facts: e.facts != nil}
	for fact := range e.facts {
		k.H = append(k.H, salt.hash(usePhrase, []string{fact}))
	}
	slices.Sort(k.H)
	for _, p := range e.phrases {
		k.First = append(k.First, salt.hash(useKeyword, p.words[:1]))
		k.N = append(k.N, len(p.words))
		k.H = append(k.H, salt.hash(usePhrase, p.words))
	}
	return k
}

// Keyed gives what a change of this id put on the list. ok is false when there is no
// such, or its salt is on another clone.
func (n Never) Keyed(id string) (k Keyed, ok bool) {
	at := slices.IndexFunc(n.entries, func(e Event) bool { return e.ID == id })
	if at < 0 {
		return k, false
	}
	salt, ok := n.salts[n.entries[at].Salt]
	return Keyed{Salt: salt.hex(), N: n.entries[at].N, H: n.entries[at].H}, ok
}

// FactsIn gives the facts that the notes of a text state, as EraseFacts takes them.
func FactsIn(text []byte) []string {
	f := markdown.Parse("", text)
	var facts []string
	for _, n := range noteSpans(f) {
		if fact := n.factID(f); fact != "" {
			facts = append(facts, fact)
		}
	}
	return facts
}

// Seeker finds again what a Keyed stands for. It is not safe for concurrent use.
type Seeker struct {
	keyed   Keyed
	salt    Salt
	starts  map[string][]int // word -> the phrases that begin with it
	phrases []Phrase
	facts   map[string]bool
}

// Seek begins a search. ok is false for a Keyed that is not whole.
func (k Keyed) Seek() (s *Seeker, ok bool) {
	salt, ok := parseSalt(k.Salt)
	if !ok || !k.Facts && (len(k.N) != len(k.H) || len(k.First) != len(k.H) && len(k.First) > 0) {
		return nil, false
	}
	return &Seeker{keyed: k, salt: salt, starts: map[string][]int{}, phrases: make([]Phrase, len(k.H)), facts: map[string]bool{}}, true
}

// Look looks into one text.
func (s *Seeker) Look(text string) {
	if s.keyed.Facts {
		s.lookForFacts(text)
		return
	}
	list := tokens(text)
	for at, w := range list {
		starts, known := s.starts[w]
		if !known {
			first := s.salt.hash(useKeyword, []string{w})
			for i, h := range s.keyed.First {
				if h == first {
					starts = append(starts, i)
				}
			}
			if len(s.keyed.First) == 0 {
				for i := range s.keyed.H {
					starts = append(starts, i)
				}
			}
			s.starts[w] = starts
		}
		for _, i := range starts {
			end := at + s.keyed.N[i]
			if s.phrases[i].words == nil && end <= len(list) && s.salt.hash(usePhrase, list[at:end]) == s.keyed.H[i] {
				s.phrases[i] = Phrase{Text: strings.Join(list[at:end], " "), words: slices.Clone(list[at:end])}
			}
		}
	}
}

func (s *Seeker) lookForFacts(text string) {
	f := markdown.Parse("", []byte(text))
	for _, n := range noteSpans(f) {
		fact := n.factID(f)
		if fact != "" && !s.facts[fact] && slices.Contains(s.keyed.H, s.salt.hash(usePhrase, []string{fact})) {
			s.facts[fact] = true
		}
	}
}

// Found gives the erasure, as EraseWords and EraseFacts would have made it; nil when
// the texts do not hold what it takes.
func (s *Seeker) Found(taken func(path string) bool) *Erasure {
	if s.keyed.Facts {
		if len(s.facts) == 0 {
			return nil
		}
		e := &Erasure{facts: s.facts, names: map[string]string{}}
		e.gate = gateOfFacts(e.facts)
		return e
	}
	if slices.ContainsFunc(s.phrases, func(p Phrase) bool { return p.words == nil }) || len(s.phrases) == 0 {
		return nil
	}
	return EraseWords(s.phrases, taken)
}

// Phrases are the words that it erases; nil when it erases facts.
func (e *Erasure) Phrases() []Phrase { return e.phrases }
