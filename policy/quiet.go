package policy

import (
	"slices"
	"time"
)

// The limit of mentions (N.E.K.O., memory-evidence RFC): more than two unprompted
// mentions within five hours make a theme quiet for five hours.
const (
	MentionLimit  = 2
	MentionWindow = 5 * time.Hour
	QuietTime     = 5 * time.Hour
)

// QuietTheme is a theme that the bot leaves alone, up to a moment and in it.
type QuietTheme struct {
	Theme
	Until time.Time
}

// Quiet returns the themes that are quiet at a moment, in the order of themes. Only
// what nobody had asked for counts, and of one message no more than one mention of a
// theme. Mentions that are five hours apart are still within five hours. The mention
// that makes more than two starts the quiet, which holds from then for five hours,
// the last moment included; mentions meanwhile do not count and do not extend it,
// and after it the count starts anew. The order of said does not matter, and what is
// said after now does not count.
func Quiet(themes []Theme, said []Said, now time.Time) []QuietTheme {
	said = slices.DeleteFunc(slices.Clone(said), func(s Said) bool { return !s.Unprompted || s.At.After(now) })
	slices.SortStableFunc(said, func(a, b Said) int { return a.At.Compare(b.At) })
	texts := make([]string, len(said))
	for i, s := range said {
		texts[i] = s.Text
	}
	r := newReading(texts)
	var quiet []QuietTheme
	for i := range themes {
		mentions := r.of(&themes[i])
		if until, ok := quietUntil(mentions, said); ok && !now.After(until) {
			quiet = append(quiet, QuietTheme{themes[i], until})
		}
	}
	return quiet
}

// quietUntil returns the end of the last quiet that mentions, in order of time, began.
func quietUntil(mentions []int, said []Said) (until time.Time, ok bool) {
	first := 0 // the oldest mention that counts
	for k, i := range mentions {
		at := said[i].At
		if ok && !at.After(until) {
			first = k + 1
			continue
		}
		for at.Sub(said[mentions[first]].At) > MentionWindow {
			first++
		}
		if k-first+1 > MentionLimit {
			until, ok = at.Add(QuietTime), true
			first = k + 1
		}
	}
	return until, ok
}

// Unquiet returns the quiet themes that a draft raises, in their order.
func Unquiet(draft string, quiet []QuietTheme) []QuietTheme {
	r := newReading([]string{draft})
	var raised []QuietTheme
	for i := range quiet {
		if len(r.of(&quiet[i].Theme)) > 0 {
			raised = append(raised, quiet[i])
		}
	}
	return raised
}
