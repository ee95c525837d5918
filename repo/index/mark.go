package index

import "unicode/utf8"

// Mark is the place of a word in a text, in bytes.
type Mark struct{ From, To int }

// Marks returns where a text holds one of a hit's words, in order, for showing
// them. A word is marked whole when it is one of them or shares its stem.
func Marks(text string, held []string) []Mark {
	lex := words()
	wanted := map[string]bool{}
	for _, word := range held {
		wanted[word] = true
		for t := range tongues {
			wanted[lex.stem(word, t)] = true
		}
	}
	var marks []Mark
	s := scanner{text: text}
	for {
		sp, ok := s.next()
		if !ok {
			return marks
		}
		raw := text[sp.from:sp.to]
		if sp.kind == dense {
			marks = append(marks, lex.denseMarks(raw, sp.from, wanted)...)
			continue
		}
		word := bare(fold(raw))
		found := wanted[word]
		for t := tongue(0); t < tongues && !found; t++ {
			found = wanted[lex.stem(word, t)]
		}
		if found {
			marks = append(marks, Mark{sp.from, sp.to})
		}
	}
}

// denseMarks marks the pieces of a run. Where folding changes the number of its
// characters, as with half-width kana, the run is marked whole.
func (l *lexicon) denseMarks(raw string, from int, wanted map[string]bool) []Mark {
	var offsets []int
	for i := range raw {
		offsets = append(offsets, from+i)
	}
	offsets = append(offsets, from+len(raw))
	same := utf8.RuneCountInString(fold(raw)) == len(offsets)-1
	var marks []Mark
	for _, p := range l.pieces(raw) {
		if !wanted[p.term] {
			continue
		}
		if !same {
			return []Mark{{from, from + len(raw)}}
		}
		m := Mark{offsets[p.at], offsets[p.at+utf8.RuneCountInString(p.term)]}
		if last := len(marks) - 1; last >= 0 && marks[last].To >= m.From {
			marks[last].To = max(marks[last].To, m.To)
			continue
		}
		marks = append(marks, m)
	}
	return marks
}
