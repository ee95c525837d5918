package index

import "strings"

// cue says what part a word plays in telling when, where and how many. The
// words are English: in another language these parts of the score stay silent.
type cue uint16

const (
	cueTime   cue = 1 << iota // tells a time by itself: yesterday, monday
	cueUnit                   // a stretch of time: week, summer
	cueNear                   // last, next, this
	cueAgo                    // ago
	cueNumber                 // a number
	cueSelf                   // I, my, we
	cuePlace                  // a preposition of place
	cueThe                    // an article or pronoun before a name
	cueMonth                  // a month
	cueDay                    // a day of the week
)

// cueLists holds the words of each cue.
var cueLists = map[cue]string{
	cueTime: `yesterday today tonight tomorrow recently since january february march april june july august september october november
 december monday tuesday wednesday thursday friday saturday sunday`,
	cueUnit:   "day days week weeks weekend weekends month months year years night morning summer winter spring fall autumn",
	cueNear:   "last next this",
	cueAgo:    "ago",
	cueNumber: "one two three four five six seven eight nine ten once twice dozen couple several few hundred thousand first second third",
	cueSelf:   "i my me we our mine i'm i've i'd i’m i’ve i’d we're we've",
	cuePlace:  "in at to from near around visited visit",
	cueThe:    "the a my our",
	cueMonth: `january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct
 nov dec`,
	cueDay: "monday tuesday wednesday thursday friday saturday sunday",
}

func cueTable() map[string]cue {
	table := map[string]cue{}
	for c, list := range cueLists {
		for word := range strings.FieldsSeq(list) {
			table[word] |= c
		}
	}
	return table
}

// cueOfDigits returns the cue of a word that begins with a digit: a number, and
// a time if it is a year.
func cueOfDigits(word string) cue {
	if len(word) == 4 && (word[:2] == "19" || word[:2] == "20") {
		return cueNumber | cueTime
	}
	for i := range len(word) {
		if !isDigit(word[i]) {
			return 0
		}
	}
	return cueNumber
}

// signs are what the words of one note tell about it besides their meaning.
type signs struct {
	time, number, place, self bool
	// capitals counts words with a capital inside a sentence, at most 3.
	capitals int
	// asked is the share of the terms that stand in a question.
	asked float32
}
