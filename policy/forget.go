package policy

import (
	"bytes"
	"slices"
	"strings"

	"quipu/markdown"
)

// Phrase is a run of whole words, as they compare. Two phrases that read the
// same are the same: é composed and decomposed, capitals and small letters.
type Phrase struct {
	Text  string   // as it was given
	words []string // as it compares
}

// In reports whether the phrase stands in a text as whole words in this order.
// "IST" is not in "dentist", "C" not in "C++", "10" not in "-10". A phrase in a
// script without blanks is found anywhere.
func (p Phrase) In(text string) bool { return holdsRun(tokens(text), p.words) }

// ParsePhrases reads what is to be forgotten: each argument is one phrase, and
// blank ones are passed over. When no word is left, or only words that carry no
// subject, the error is a *Refusal with Refused; in the second case the phrases
// come with it, for a caller to whom the person has confirmed.
func ParsePhrases(args []string) ([]Phrase, error) {
	var list []Phrase
	subject := false
	for _, arg := range args {
		words := tokens(arg)
		if len(words) == 0 {
			continue
		}
		list = append(list, Phrase{Text: strings.TrimSpace(arg), words: words})
		subject = subject || slices.ContainsFunc(words, func(w string) bool { return !vocabulary().stop[w] })
	}
	switch {
	case len(list) == 0:
		return nil, refuse(Refused, "say which words the notes to forget mention")
	case !subject:
		return list, refuse(Refused, "these words name no subject: say what is to be forgotten, or confirm")
	}
	return list, nil
}

// allIn reports whether every phrase stands among the words.
func allIn(phrases []Phrase, list []string) bool {
	for _, p := range phrases {
		if !holdsRun(list, p.words) {
			return false
		}
	}
	return len(phrases) > 0
}

// Removal is one note that a forget takes out.
type Removal struct {
	Path string
	Line int    // 1-based line on which it begins
	Raw  string // all of it, with LF
}

// ForgetPlan is what a forget would take out of the living files.
type ForgetPlan struct {
	Edits   []Edit // the archive first, then MEMORY.md, topics by name, ABOUT.md
	Removed []Removal
	Live    int // notes that hold today in all files but the archive, before the forget
	// Left names the places, PATH:LINE, where the words stay: headings and headers
	// are kept.
	Left []string
}

// Forget returns the plan that takes out of files every note that mentions all
// phrases. A note is an entry with what it owns, judged by its fact, never by its
// date, source or marks; else a hand-written bullet, a row of a table, a fenced block,
// a comment, a footnote, or a paragraph with the line that is drawn under it. What is
// indented under an entry, a bullet or a footnote belongs to it, after a blank line,
// too: elsewhere a blank line ends an entry, but what is forgotten leaves no paragraph
// behind. Headings, underlined ones and those of tables among them, and headers stay,
// but for aliases that mention the phrases. All files that are given are searched.
func Forget(files map[string][]byte, phrases []Phrase, today markdown.Date) ForgetPlan {
	var plan ForgetPlan
	for _, path := range forgetOrder(files) {
		if strings.HasSuffix(path, ".md") {
			plan.file(path, files[path], phrases, today)
		}
	}
	return plan
}

// forgetOrder returns the paths in the order in which they are written.
func forgetOrder(files map[string][]byte) []string {
	rank := func(path string) string {
		switch path {
		case ArchiveFile:
			return "0"
		case MemoryFile:
			return "1"
		case AboutFile:
			return "3"
		}
		return "2" + path
	}
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
	return paths
}

// The guard of a forget.
const (
	guardNotes  = 20 // more notes than that need a confirmation
	guardFew    = 5  // and more than that, when they are
	guardShares = 5  // more than one in so many of the live ones
)

// Guard returns a *Refusal with Refused when the plan takes out so much that the
// person should be asked: more than 20 notes, or more than 5 that are more than
// a fifth of the live ones.
func (p ForgetPlan) Guard() error {
	n := len(p.Removed)
	if n > guardNotes || n > guardFew && n*guardShares > p.Live {
		return refuse(Refused, "this would forget %d notes, and %d hold today: look at it with a dry run, then confirm", n, p.Live)
	}
	return nil
}

func (p *ForgetPlan) file(path string, text []byte, phrases []Phrase, today markdown.Date) {
	if narrowed, w, ok := narrow(text); ok {
		edits := len(p.Edits)
		p.file(path, narrowed, phrases, today)
		for i := range p.Edits[edits:] {
			p.Edits[edits+i].Text = w.text(p.Edits[edits+i].Text)
		}
		return
	}
	f := markdown.Parse(path, text)
	starts := unitStarts(f)
	var gone []noteSpan
	at := 0
	for _, n := range noteSpans(f) {
		first := f.Units()[n.from]
		hit := allIn(phrases, tokens(n.says(f)))
		if !n.kept && path != ArchiveFile && n.live(f, today) {
			p.Live++
		}
		switch {
		case !hit || n.from < at: // or it goes with the one above
		case n.kept:
			p.Left = append(p.Left, placeName(path, first.Line))
		default:
			p.Removed = append(p.Removed, Removal{Path: path, Line: first.Line, Raw: n.raw(text[starts[n.from]:starts[n.to]])})
			gone = append(gone, n)
			at = n.to
		}
	}
	after := p.aliases(path, withoutNotes(f, gone), phrases)
	if !bytes.Equal(after, text) {
		p.Edits = append(p.Edits, Edit{Path: path, Text: after})
	}
}

// aliases takes the aliases that mention the phrases out of a header.
func (p *ForgetPlan) aliases(path string, text []byte, phrases []Phrase) []byte {
	h := markdown.Parse(path, text).Header()
	left := slices.DeleteFunc(slices.Clone(h.Aliases), func(alias string) bool { return allIn(phrases, tokens(alias)) })
	if !h.Present || len(left) == len(h.Aliases) {
		return text
	}
	next := markdown.SetAliases(text, left)
	if after := markdown.Parse(path, next).Header(); slices.ContainsFunc(after.Aliases, func(alias string) bool { return allIn(phrases, tokens(alias)) }) {
		return text // it stands among the tags as well: the header stays and is named
	}
	p.Left = slices.DeleteFunc(p.Left, func(place string) bool { return headerHolds(place, path, next, phrases) })
	return next
}

// headerHolds reports whether a place lies in the header of path and that header
// mentions the phrases no more.
func headerHolds(place, path string, text []byte, phrases []Phrase) bool {
	h := markdown.Parse(path, text).Header()
	return strings.HasPrefix(place, path+":") && !allIn(phrases, tokens(string(text[h.Start:h.End])))
}
