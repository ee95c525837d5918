package policy

import (
	_ "embed" // the word list
	"strings"
	"sync"
)

// seedWords is the English word list of BIP 39, from which the seed phrases of
// wallets are made.
//
//go:embed bip39.txt
var seedWords string

var seedSet = sync.OnceValue(func() map[string]bool { return wordSet(seedWords) })

const (
	minSeedWords = 12
	maxSeedWord  = 8 // letters
)

// seedPhrases returns the runs of twelve words or more that are all in the word
// list: parted by blanks, commas, dashes or line ends, numbered or not, in any
// case. No sentence is such a run: the list has no articles.
func seedPhrases(f folded) []span {
	if !wordy(f.lower) {
		return nil
	}
	var spans []span
	set := seedSet()
	run, count, gap := span{}, 0, ""
	flush := func() {
		if count >= minSeedWords {
			spans = append(spans, run)
		}
		count = 0
	}
	for at := 0; at < len(f.lower); {
		word := nextWord(f.lower, at)
		switch {
		case word.start == word.end:
			flush()
			return spans
		case !set[f.lower[word.start:word.end]]:
			flush()
		case count > 0 && goesOnAs(f.lower[run.end:word.start], &gap, count):
			run.end = word.end
			count++
		default:
			flush()
			run, count = word, 1
		}
		at = word.end
	}
	flush()
	return spans
}

// wordy reports whether a text is long enough for a seed phrase.
func wordy(s string) bool { return len(s) >= minSeedWords*4 }

// nextWord returns the next run of letters from i on, empty at the end.
func nextWord(s string, i int) span {
	for i < len(s) && !('a' <= s[i] && s[i] <= 'z' || s[i] >= 0x80) {
		i++
	}
	end := i
	for end < len(s) && ('a' <= s[end] && s[end] <= 'z' || s[end] >= 0x80) {
		end++
	}
	return span{start: i, end: end}
}

// goesOnAs reports whether what stands between two words of a phrase is what
// stood between the ones before: blanks, a line end, a comma or a dash, and
// perhaps a number. gap is how the first two words of the run were parted.
func goesOnAs(between string, gap *string, count int) bool {
	const widest = 16
	if len(between) > widest {
		return false
	}
	bare := strings.Trim(strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\r' || r == '\n' || '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, between), ".")
	if count == 1 {
		*gap = bare
	}
	return bare == *gap && strings.Trim(bare, ",;-):*") == ""
}
