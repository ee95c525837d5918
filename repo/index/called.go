package index

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Called returns the openings of the files that a message calls by name: a term
// of it is a word of the file's title, description, aliases or name, or differs
// only by a plural s, or, with four letters or more, begins it or is begun by it
// with up to three letters more. In the order of their paths; q.Only, q.Keep,
// q.Today and q.Limit hold as for Search.
func (x *Index) Called(m Message, q Query) []Hit {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var found []Hit
	for _, seg := range x.slots {
		if seg == nil || seg.struck || q.Only != nil && !q.Only(seg.file.Path) {
			continue
		}
		var named []string
		for _, term := range m.Terms {
			if slices.ContainsFunc(seg.heading, func(word string) bool { return calls(term, word) }) {
				named = append(named, term)
			}
		}
		if h, ok := seg.opening(&q); ok && len(named) > 0 {
			h.Named = named
			found = append(found, h)
		}
	}
	slices.SortFunc(found, func(a, b Hit) int { return cmp.Compare(a.Path, b.Path) })
	if q.Limit > 0 && len(found) > q.Limit {
		found = found[:q.Limit]
	}
	return found
}

// calls reports whether a term of a message means a word of a heading.
func calls(term, word string) bool {
	if isDense(firstRune(word)) {
		return strings.Contains(word, term)
	}
	if term == word {
		return true
	}
	const shortest, most = 4, 3
	a, b := singular(term), singular(word)
	if a == b {
		return true
	}
	if utf8.RuneCountInString(a) < shortest {
		return false
	}
	if strings.HasPrefix(b, a) {
		return true
	}
	rest, ok := strings.CutPrefix(a, b)
	return ok && utf8.RuneCountInString(b) >= shortest && utf8.RuneCountInString(rest) <= most
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func singular(word string) string {
	const shortest = 3
	if len(word) > shortest && word[len(word)-1] == 's' && word[len(word)-2] != 's' {
		return word[:len(word)-1]
	}
	return word
}

// opening returns the first notes of a file as one hit, up to the length of a
// passage; false when none may be shown.
func (s *segment) opening(q *Query) (Hit, bool) {
	h := Hit{Path: s.file.Path, Label: s.file.label(), Opening: true}
	room := maxSnippet
	var lines []string
	for i := range s.notes {
		n := &s.notes[i]
		if n.expired(q.Today) || q.Keep != nil && !q.Keep(s.file.Path, *n) {
			continue
		}
		if len(lines) == 0 {
			h.Note = *n
		}
		lines = append(lines, cut(n.Text, room))
		if room -= utf8.RuneCountInString(n.Text); room <= 0 {
			break
		}
	}
	h.Text = strings.Join(lines, "\n")
	return h, len(lines) > 0
}
