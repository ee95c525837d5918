package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Related says what a statement does to an earlier one.
type Related string

// How two statements are related.
const (
	Unrelated    Related = ""             // nothing that the words alone tell
	Confirmation Related = "confirmation" // the same again
	Correction   Related = "correction"   // the same, with a "not" more or less
)

// Relation compares two statements word by word, without a model. They confirm each
// other when they are equal but for case, white space and the marks at their end. One
// corrects the other when a single negation makes the difference: a verb's own, as in
// "is not", "doesn't", "will never", "nicht", "ne … pas", "не" or 不喜欢 for 喜欢. It
// is the same in both directions. Everything else is unrelated, and so is whatever asks,
// quotes, or negates inside a clause of its own: an account is better not judged than
// judged for what it did not say. So is "no longer": what was true then is no mistake.
func Relation(old, fresh string) Related {
	a, b := statedForm(old), statedForm(fresh)
	switch {
	case a == "" || b == "" || strings.HasSuffix(a, "?") || strings.HasSuffix(b, "?"):
		return Unrelated
	case a == b:
		return Confirmation
	case len(a) > maxRelatedBytes || len(b) > maxRelatedBytes || strings.ContainsAny(a, quoteMarks) || strings.ContainsAny(b, quoteMarks):
		return Unrelated
	case (takesBack(a, b) || takesBack(b, a)) && !IsQuestion(a) && !IsQuestion(b):
		return Correction
	}
	return Unrelated
}

const (
	maxRelatedBytes = 4 * MaxEntryRunes
	quoteMarks      = "\"“”„«»「」『』《》〈〉"
)

// statedForm returns a statement as it compares: case and white space folded, without
// the marks at its end.
func statedForm(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '’':
			return '\''
		case r == '？' || r == '؟':
			return '?'
		case unicode.Is(hidden, r):
			return -1
		}
		return r
	}, cases.Fold().String(norm.NFC.String(text)))
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), ".!。！．…~ ")
}

// takesBack reports whether one statement is another without one of its negations.
func takesBack(with, without string) bool {
	if eastern(with) {
		return takesBackEast(with, without)
	}
	a, b := spelledOut(tokens(with)), spelledOut(tokens(without))
	if len(a) > len(b)+maxNegation || len(b) > len(a)+1 {
		return false
	}
	same := func(w []string) bool { return slices.Equal(w, b) }
	return slices.ContainsFunc(englishTakenBack(a), same) || slices.ContainsFunc(frenchTakenBack(a), same) ||
		slices.ContainsFunc(denials(), func(d denial) bool { return slices.ContainsFunc(d.takenBack(with, a), same) })
}

const maxNegation = 2 // words of the longest negation

// replaced returns the words with those from i to j replaced.
func replaced(w []string, i, j int, by ...string) []string {
	return slices.Concat(w[:i], by, w[j:])
}

// spelledOut writes English contractions out: "isn't" as "is not", "I'm" as "I am".
func spelledOut(w []string) []string {
	out := make([]string, 0, len(w)+2)
	for i := 0; i < len(w); i++ {
		full, n := contracted(w[i:])
		switch {
		case n > 0:
			out = append(out, full, "not")
			i += n - 1
		case i > 0 && clitic(w[i]) != "":
			out = append(out, clitic(w[i]))
		default:
			out = append(out, w[i])
		}
	}
	return out
}

// contracted returns the auxiliary of the "isn't", "isnt" or "cannot" that the words
// begin with, and how many of them that is.
func contracted(w []string) (auxiliary string, n int) {
	if w[0] == "cannot" {
		return "can", 1
	}
	stem, n := strings.TrimSuffix(w[0], "t"), 1
	if stem == w[0] {
		if len(w) < 2 || w[1] != "t" {
			return "", 0
		}
		n = 2
	}
	switch stem {
	case "isn", "aren", "wasn", "weren", "haven", "hasn", "hadn", "couldn", "mustn", "shouldn", "wouldn", "doesn", "didn", "don":
		return strings.TrimSuffix(stem, "n"), n
	case "can":
		return stem, n
	case "won":
		return "will", n
	}
	return "", 0
}

// clitic returns what the end of "I'm" and its like stands for; "'s" stays, it has
// several meanings.
func clitic(word string) string {
	switch word {
	case "m":
		return "am"
	case "re":
		return "are"
	case "ve":
		return "have"
	case "ll":
		return "will"
	}
	return ""
}

// englishTakenBack returns the statement without each of its negations in turn. A
// negation stands behind an auxiliary: in "likes the never button" there is none.
func englishTakenBack(w []string) [][]string {
	var list [][]string
	for i := 1; i < len(w); i++ {
		if englishClauses(w[i-1]) && (i > 1 || w[0] != "that") {
			break
		}
		if !englishNegation(w, i) {
			continue
		}
		list = append(list, replaced(w, i, i+1))
		switch w[i-1] {
		case "s":
			list = append(list, replaced(w, i-1, i+1, "is"))
		case "do", "does", "did":
			if i+1 < len(w) && w[i] != "no" {
				for _, form := range inflected(w[i-1], w[i+1]) {
					list = append(list, replaced(w, i-1, i+2, form))
				}
			}
		}
		if w[i] == "no" {
			list = append(list, replaced(w, i, i+1, "a"), replaced(w, i, i+1, "an"))
		}
	}
	return list
}

// englishNegation reports whether word i denies what the auxiliary before it says.
func englishNegation(w []string, i int) bool {
	switch w[i] {
	case "not", "never", "no":
	default:
		return false
	}
	if i > 1 && (w[i-2] == "a" || w[i-2] == "an" || w[i-2] == "the") { // "a do not disturb sign"
		return false
	}
	if i+1 < len(w) {
		switch w[i+1] {
		case "only", "just", "merely", "simply", "longer", "more", "doubt", "matter":
			return false
		}
	}
	switch w[i-1] {
	case "am", "is", "are", "was", "were", "be", "been", "do", "does", "did", "have", "has", "had", "can", "could", "may", "might", "must", "shall", "should", "will", "would":
		return true
	case "s": // "Alice's not smart", and no possessive
		return w[i] == "not"
	}
	return false
}

// englishClauses reports whether a word opens a clause: a negation in "dogs that are
// not loud" denies nothing of the whole.
func englishClauses(word string) bool {
	switch word {
	case "that", "which", "who", "whom", "whose", "what", "whether", "if", "when", "where", "why", "how", "because", "although", "though", "unless", "until", "while", "since":
		return true
	}
	return false
}

// inflected returns the forms that a verb has when do, does or did goes from before it.
func inflected(auxiliary, verb string) []string {
	last, size := utf8.DecodeLastRuneInString(verb)
	stem := verb[:len(verb)-size]
	afterVowel := stem == "" || strings.ContainsAny(stem[len(stem)-1:], "aeiou")
	switch auxiliary {
	case "do":
		return []string{verb}
	case "does":
		switch {
		case verb == "have":
			return []string{"has"}
		case last == 'y' && !afterVowel:
			return []string{stem + "ies"}
		case strings.ContainsRune("sxzo", last) || strings.HasSuffix(verb, "ch") || strings.HasSuffix(verb, "sh"):
			return []string{verb + "es"}
		}
		return []string{verb + "s"}
	}
	switch {
	case verb == "have":
		return []string{"had"}
	case last == 'e':
		return []string{verb + "d"}
	case last == 'y' && !afterVowel:
		return []string{stem + "ied"}
	}
	return []string{verb + "ed", verb + string(last) + "ed"}
}

// frenchTakenBack is the same for "ne … pas" and "ne … jamais".
func frenchTakenBack(w []string) [][]string {
	var list [][]string
	for i := range w {
		if frenchClauses(w[i]) {
			break
		}
		if w[i] != "ne" && w[i] != "n" {
			continue
		}
		for j := i + 2; j < min(len(w), i+5); j++ {
			if w[j] != "pas" && w[j] != "jamais" || j+1 < len(w) && (w[j+1] == "seulement" || w[j+1] == "uniquement" || w[j+1] == "que") {
				continue
			}
			list = append(list, frenchAffirmed(w, i, j)...)
			break
		}
	}
	return list
}

// frenchAffirmed takes the two words of a negation out, and gives "je", "ce" and "de"
// the form they have without.
func frenchAffirmed(w []string, i, j int) [][]string {
	head := slices.Clone(w[:i])
	switch {
	case i == 0 || w[i] != "n":
	case w[i-1] == "je":
		head[i-1] = "j"
	case w[i-1] == "ce":
		head[i-1] = "c"
	}
	plain := slices.Concat(head, w[i+1:j], w[j+1:])
	list := [][]string{plain}
	if at := j - 1; j+1 < len(w) && (w[j+1] == "de" || w[j+1] == "d") {
		for _, article := range []string{"un", "une", "des", "du"} {
			list = append(list, replaced(plain, at, at+1, article))
		}
	}
	return list
}

func frenchClauses(word string) bool {
	switch word {
	case "que", "qu", "qui", "si", "quand", "où", "dont", "parce", "lorsque", "lorsqu", "pourquoi", "comment":
		return true
	}
	return false
}
