package policy

import (
	"crypto/sha256"
	_ "embed" // the word list
	"math/big"
	"strings"
	"sync"
)

// seedWords is the English word list of BIP 39 (MIT), from which the seed
// phrases of wallets are made.
//
//go:embed bip39.txt
var seedWords string

// seedNumbers gives each word of the list its number.
var seedNumbers = sync.OnceValue(func() map[string]int {
	numbers := map[string]int{}
	for i, w := range strings.Fields(seedWords) {
		numbers[w] = i
	}
	return numbers
})

const (
	minSeedWords = 12
	minSeedWord  = 3 // letters
	maxSeedWord  = 8 // letters
)

// seedRun is a run of words of the list, as it is read.
type seedRun struct {
	span
	words  []int  // their numbers
	gap    string // how the first two were parted, without blanks and numbers
	lines  bool   // a line ended between two of them
	labels []int  // the numbers that stand before the words, as in "1. able 2. about"
}

// seedPhrases returns the runs of words that can be a wallet's: as many as such a
// phrase has, all in the word list, parted by blanks, commas, dashes or line ends,
// numbered or not, in any case. A list of notes that happens to use such words is
// none: see seedRun.isPhrase.
func seedPhrases(f folded) []span {
	if !wordy(f.lower) {
		return nil
	}
	var spans []span
	numbers := seedNumbers()
	var run seedRun
	flush := func() {
		if run.isPhrase() {
			spans = append(spans, run.span)
		}
		run = seedRun{}
	}
	for at := 0; at < len(f.lower); {
		word := nextWord(f.lower, at)
		if word.start == word.end {
			break
		}
		number, listed := numbers[f.lower[word.start:word.end]]
		listed = listed && word.end-word.start >= minSeedWord && word.end-word.start <= maxSeedWord
		if !listed || len(run.words) > 0 && !run.goesOn(f.lower[run.end:word.start]) {
			flush()
		}
		if listed {
			if len(run.words) == 0 {
				run.start = word.start
				run.labels = append(run.labels, numberBefore(f.lower[:word.start]))
			}
			run.end = word.end
			run.words = append(run.words, number)
		}
		at = word.end
	}
	flush()
	return spans
}

// goesOn reports whether what stands between two words of a phrase is what stood
// between the ones before: blanks, a line end, a comma or a dash, and perhaps a
// number, which it notes.
func (r *seedRun) goesOn(between string) bool {
	const widest = 16
	if len(between) > widest {
		return false
	}
	bare := strings.Trim(strings.Map(func(c rune) rune {
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' || '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, between), ".")
	if len(r.words) == 1 {
		r.gap = bare
	}
	if bare != r.gap || strings.Trim(bare, ",;-):*") != "" {
		return false
	}
	r.lines = r.lines || strings.Contains(between, "\n")
	r.labels = append(r.labels, numberBefore(between))
	return true
}

// numberBefore is the number that a text ends with, but for a point, a bracket and
// blanks; 0 for none.
func numberBefore(s string) int {
	s = strings.TrimRight(s, " \t.):")
	n, place := 0, 1
	for i := len(s) - 1; i >= 0 && '0' <= s[i] && s[i] <= '9' && place < 1000; i-- {
		n += int(s[i]-'0') * place
		place *= 10
	}
	return n
}

// isPhrase reports whether a run is a wallet's phrase. Words that repeat are a list
// of something else; a list with bullets, or a word a line, must also have the
// phrase's own check, as must anything that is not all different.
func (r *seedRun) isPhrase() bool {
	n := len(r.words)
	if n < minSeedWords || n > 24 || n%3 != 0 {
		return false
	}
	distinct := map[int]bool{}
	counted := true
	for i, w := range r.words {
		distinct[w] = true
		counted = counted && r.labels[i] == i+1
	}
	switch {
	case len(distinct) < n-3:
		return false
	case counted, !r.lines && len(distinct) >= n-1:
		return true
	case r.lines && strings.ContainsAny(r.gap, "-*"):
		return false
	}
	return seedCheck(r.words)
}

// seedCheck reports whether the last bits of a phrase are the hash of the others,
// as BIP 39 has it.
func seedCheck(words []int) bool {
	bits := new(big.Int)
	for _, w := range words {
		bits.Or(bits.Lsh(bits, 11), big.NewInt(int64(w)))
	}
	check := uint(len(words) / 3)
	entropy := new(big.Int).Rsh(bits, check)
	sum := sha256.Sum256(entropy.FillBytes(make([]byte, len(words)*11/33*4)))
	given := new(big.Int).And(bits, big.NewInt(1<<check-1)).Int64()
	return given == int64(sum[0]>>(8-check))
}

// wordy reports whether a text is long enough for a seed phrase.
func wordy(s string) bool { return len(s) >= minSeedWords*4 }

// nextWord returns the next run of letters from i on, empty at the end.
func nextWord(s string, i int) span {
	for i < len(s) && !smallLetter(s[i]) {
		i++
	}
	end := i
	for end < len(s) && smallLetter(s[end]) {
		end++
	}
	return span{start: i, end: end}
}

// smallLetter reports whether a byte belongs to a word in lower case.
func smallLetter(c byte) bool { return 'a' <= c && c <= 'z' || c >= 0x80 }
