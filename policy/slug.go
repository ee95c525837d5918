package policy

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSlugWords = 6
	maxSlugRunes = 48
)

// SlugOf makes the name of an entry in its area from its words: as they compare, with a
// dash between two, at most six and 48 characters, "note" when there are none. They stay in
// their order and keep their accents, so that what is forgotten by words is found in a slug
// too.
func SlugOf(text string) string {
	var b strings.Builder
	words, east := 0, false
	list := slugWords(text)
	for i, w := range list {
		r, _ := utf8.DecodeRuneInString(w)
		alone := single(r)
		if !alone && words == maxSlugWords {
			break
		}
		next := w
		if b.Len() > 0 && (!alone || !east) {
			next = "-" + w
		}
		if utf8.RuneCountInString(b.String()+next) > maxSlugRunes {
			if i == 0 {
				b.WriteString(string([]rune(w)[:maxSlugRunes]))
			}
			break
		}
		b.WriteString(next)
		if east = alone; !alone {
			words++
		}
	}
	if b.Len() == 0 {
		return "note"
	}
	return b.String()
}

// ValidSlug reports whether a text may be the name of an entry: letters and digits as they
// compare, and dashes between them, at most 64 characters.
func ValidSlug(slug string) bool {
	const most = 64
	if slug == "" || utf8.RuneCountInString(slug) > most || foldText(slug) != slug || slug[0] == '-' || slug[len(slug)-1] == '-' {
		return false
	}
	return !strings.ContainsFunc(slug, func(r rune) bool { return r != '-' && !isWordRune(r) && !unicode.IsMark(r) })
}

// slugWords are the words of a text in letters and digits, from the first that carries a
// subject on.
func slugWords(text string) []string {
	var list []string
	for _, w := range tokens(text) {
		list = append(list, strings.FieldsFunc(w, func(r rune) bool { return !isWordRune(r) && !unicode.IsMark(r) })...)
	}
	for i, w := range list {
		if !vocabulary().stop[w] {
			return list[i:]
		}
	}
	return list
}

// freeSlug is a slug that is not taken: the one wanted, or that with the next number.
func freeSlug(want string, taken map[string]bool) string {
	slug := want
	for n := 2; taken[slug]; n++ {
		slug = want + "-" + strconv.Itoa(n)
	}
	taken[slug] = true
	return slug
}
