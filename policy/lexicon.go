package policy

// lexicon finds many words in one pass over a text. It looks at two bytes at a
// time, so a text in which no word starts costs one table look-up a byte.
type lexicon struct {
	first  map[uint16][]int32 // word numbers by their first two bytes
	gate   [1 << 13]byte      // one bit for each pair of bytes that starts a word
	words  []string
	source []hit
}

// hit is what a word stands for: a rule of the kind, and which one.
type hit struct {
	kind hitKind
	n    int
	pos  int // where the word starts, filled in by scan
	end  int
}

type hitKind uint8

const (
	hitLeak    hitKind = iota // a keyword of the gitleaks rule set
	hitShape                  // the prefix of a token
	hitLabel                  // a word that names a credential
	hitPattern                // a word in a pattern
	hitKey                    // a private key may begin
	hitTable                  // a table may begin
)

func newLexicon() *lexicon { return &lexicon{first: map[uint16][]int32{}} }

// add enters a word of two bytes or more, in lower case.
func (l *lexicon) add(word string, h hit) {
	key := uint16(word[0])<<8 | uint16(word[1])
	l.first[key] = append(l.first[key], int32(len(l.words)))
	l.gate[key>>3] |= 1 << (key & 7)
	l.words = append(l.words, word)
	l.source = append(l.source, h)
}

// scan calls found for every word in lower, in the order in which they start.
func (l *lexicon) scan(lower string, found func(hit)) {
	for i := 0; i+1 < len(lower); i++ {
		key := uint16(lower[i])<<8 | uint16(lower[i+1])
		if l.gate[key>>3]&(1<<(key&7)) == 0 {
			continue
		}
		for _, n := range l.first[key] {
			word := l.words[n]
			if len(lower)-i >= len(word) && lower[i:i+len(word)] == word {
				h := l.source[n]
				h.pos, h.end = i, i+len(word)
				found(h)
			}
		}
	}
}

// holdsAny reports whether any word is in lower.
func (l *lexicon) holdsAny(lower string) bool {
	found := false
	l.scan(lower, func(hit) { found = true })
	return found
}
