package turns

import (
	"cmp"
	"slices"
)

// candidate is a message that holds all the words.
type candidate struct {
	key   int64
	text  string
	score float64
}

// The weights of a rank. k1 and byLength are those of BM25, which also the recall of notes
// uses; the weight of each word is the same, because every candidate has all of them.
const (
	k1        = 0.9
	byLength  = 0.4
	near      = 0.3 // all words beside each other; less the more stands between them
	inflected = 0.6 // a word that goes on, against the word itself
)

// ranked gives the best candidates, best first and newest first among equals. They
// come in newest first. Those beyond rankedBytes are not read and rank behind.
func ranked(found []candidate, phrases []phrase, limit int) []candidate {
	sizes, read := 0, 0
	texts := make([][]word, len(found))
	for i, c := range found {
		if read += len(c.text); read > rankedBytes && i > 0 {
			break
		}
		texts[i] = wordsOf(c.text)
		sizes += len(texts[i])
	}
	mean := float64(sizes)/float64(max(len(found), 1)) + 1
	for i := range found {
		found[i].score = score(texts[i], phrases, mean)
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return found[:min(len(found), limit)]
}

// score rates one text of a corpus whose texts have mean words.
func score(words []word, phrases []phrase, mean float64) float64 {
	if len(words) == 0 {
		return 0
	}
	total := 0.0
	long := 1 - byLength + byLength*float64(len(words))/mean
	for _, p := range phrases {
		often := 0.0
		for i := range words {
			switch stands, whole := p.at(words, i); {
			case whole:
				often++
			case stands:
				often += inflected
			}
		}
		total += often * (k1 + 1) / (often + k1*long)
	}
	if from, to := closest(words, phrases); to > from && len(phrases) > 1 {
		total += near * float64(len(phrases)*len(phrases)) / float64(to-from)
	}
	return total / float64(len(phrases))
}

// closest gives the shortest stretch of words, from inclusive and to exclusive, that
// holds every phrase that occurs at all; nothing when none does.
func closest(words []word, phrases []phrase) (from, to int) {
	type place struct{ at, end, phrase int }
	var places []place
	occurs := 0
	for n, p := range phrases {
		before := len(places)
		for i := range words {
			if ok, _ := p.at(words, i); ok {
				places = append(places, place{i, i + len(p.words), n})
			}
		}
		if len(places) > before {
			occurs++
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.phrase, b.phrase)) })
	held, count, left := make([]int, len(phrases)), 0, 0
	for _, p := range places {
		if held[p.phrase]++; held[p.phrase] == 1 {
			count++
		}
		for count == occurs {
			first := places[left]
			if to == 0 || p.end-first.at < to-from {
				from, to = first.at, p.end
			}
			if held[first.phrase]--; held[first.phrase] == 0 {
				count--
			}
			left++
		}
	}
	return from, to
}
