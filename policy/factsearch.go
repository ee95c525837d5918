package policy

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// TopicFact is a fact with the topic in which it lies.
type TopicFact struct {
	Topic, Fact string
}

// The bounds of reading facts by words.
const (
	MaxFactHits     = 12 // facts that a search gives
	MaxRelatedFacts = 4  // facts of other topics beside the ones of a topic that is read
)

// generalTopic is where a fact lies that names no topic.
const generalTopic = "general"

// PlainTopic is the name of the topic that free words mean: small letters and digits of
// ASCII, all else one dash, "general" for nothing. It holds no dot and no slash, so it is
// never a path: "../../etc/evil" is etc-evil.
func PlainTopic(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	slug := strings.Join(words, "-")
	slug = strings.TrimRight(slug[:min(len(slug), maxTopicLetter)], "-")
	if slug == "" {
		return generalTopic
	}
	return slug
}

// RecallStem is the form in which a word is looked up: accents folded, the first ending of
// ing, ed, es and s taken off that leaves three letters, and then one last a, e or o of a
// word of four. So "vive" finds "vivo" and "moved" finds "moving". It is for reading only:
// what is written is compared by whole words.
func RecallStem(word string) string {
	const shortest, vowelFrom = 3, 4 // letters
	w := unaccented(foldText(word))
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if stem, ok := strings.CutSuffix(w, ending); ok && len(stem) >= shortest {
			w = stem
			break
		}
	}
	if len(w) >= vowelFrom && strings.ContainsRune("aeo", rune(w[len(w)-1])) {
		w = w[:len(w)-1]
	}
	return w
}

// RecallKeys are the stems by which a text is looked up, sorted, each once: the stop words
// and single letters are dropped. A script without blanks gives pairs of characters.
func RecallKeys(text string) []string {
	var keys []string
	words := tokens(text)
	for i, w := range words {
		plain := unaccented(w)
		r := []rune(plain)
		switch {
		case len(r) > 0 && single(r[0]):
			if i+1 < len(words) && single([]rune(words[i+1])[0]) {
				keys = append(keys, plain+unaccented(words[i+1]))
			}
		case len(r) < 2, factStops[plain], !strings.ContainsFunc(plain, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		default:
			keys = append(keys, RecallStem(plain))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// SearchFacts returns the facts that share a key with a query, at most 12: first the ones
// that hold the greatest share of its keys; an equal share leaves their order.
func SearchFacts(query string, list []TopicFact) []TopicFact {
	return searchFacts(query, list, MaxFactHits)
}

func searchFacts(query string, list []TopicFact, limit int) []TopicFact {
	type found struct {
		fact TopicFact
		hits int
	}
	keys := RecallKeys(query)
	var hits []found
	for _, f := range list {
		if n := sharedWords(keys, RecallKeys(f.Fact)); n > 0 {
			hits = append(hits, found{f, n})
		}
	}
	slices.SortStableFunc(hits, func(a, b found) int { return cmp.Compare(b.hits, a.hits) })
	var out []TopicFact
	for _, h := range hits[:min(limit, len(hits))] {
		out = append(out, h.fact)
	}
	return out
}

// ReadTopic returns the facts of a topic, in their order, and up to four facts of other
// topics that a search for the topic's name finds: what is asked for may lie under another
// name. A topic that does not exist has none of its own, and is searched for alone, with up
// to 12 hits.
func ReadTopic(name string, list []TopicFact) (own, related []TopicFact) {
	topic := PlainTopic(name)
	var others []TopicFact
	for _, f := range list {
		if PlainTopic(f.Topic) == topic {
			own = append(own, f)
		} else {
			others = append(others, f)
		}
	}
	if len(own) == 0 {
		return nil, searchFacts(name, others, MaxFactHits)
	}
	return own, searchFacts(name, others, MaxRelatedFacts)
}
