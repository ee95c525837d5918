package policy

// IsYearly reports whether a text speaks of a day that comes again each year: a
// birthday, an anniversary, a name day, a holiday. Such a fact has no last day.
// "Until Christmas" and "before my birthday" speak of an end and are none.
func IsYearly(text string) bool {
	w := wordsOf(text)
	v := idiom()
	for i := 0; i < len(w); i++ {
		n := v.yearly.span(w[i:])
		if n == 0 {
			continue
		}
		r := []rune(w[i])[0]
		ended := false
		if single(r) { // the languages that say "until" behind the word
			ended = i+n < len(w) && v.ends.span(w[i+n:]) > 0
		} else {
			ended = endsBefore(w[:i])
		}
		if !ended {
			return true
		}
		i += n - 1
	}
	return false
}

// endsBefore reports whether words end with "until", an article and a possessive
// word behind it or not.
func endsBefore(w []string) bool {
	const longest = 3
	for range 3 {
		for n := 1; n <= longest && n <= len(w); n++ {
			if v := idiom(); v.ends.span(w[len(w)-n:]) == n {
				return true
			}
		}
		if len(w) == 0 || !vocabulary().stop[w[len(w)-1]] {
			return false
		}
		w = w[:len(w)-1]
	}
	return false
}
