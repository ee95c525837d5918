package policy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"quipu/markdown"
)

// A reflection cites its facts where an entry says what it is from, so that whoever reads
// the file sees them, and what it states is the statement alone.
const (
	citing     = "reflection on "
	maxCited   = 3  // facts that are quoted
	citedRunes = 64 // of all of them; a source has 80 characters
)

// Citation is the source of a reflection's entry: the facts that it was drawn from,
// shortened.
func Citation(facts []string) string {
	shown := facts[:min(len(facts), maxCited)]
	more := ""
	if n := len(facts) - len(shown); n > 0 {
		more = fmt.Sprintf(" +%d", n)
	}
	each := (citedRunes-len(more))/max(1, len(shown)) - len(`""; `)
	quoted := make([]string, len(shown))
	for i, fact := range shown {
		fact = strings.Map(func(r rune) rune {
			if r == '"' || r == '·' {
				return '\''
			}
			return r
		}, oneLine(fact))
		if short := clipped(fact, each-1); len([]rune(fact)) > each {
			fact = short + "…"
		}
		quoted[i] = `"` + fact + `"`
	}
	return citing + strings.Join(quoted, "; ") + more
}

// isReflection reports whether an entry is written as a reflection is.
func isReflection(e markdown.Entry) bool { return e.Noticed && strings.HasPrefix(e.Source, citing) }

// inCitation reports whether a part of a text lies in the citation of a reflection.
func inCitation(text []byte, start, end int) bool {
	line := 1 + bytes.LastIndexByte(text[:start], '\n')
	i := bytes.Index(text[line:start], []byte("· from "+citing))
	return i >= 0 && !bytes.Contains(text[line+i+len("·"):end], []byte("·"))
}

// FileReflections adds reflections to the text of their topic. What it cannot hold, or holds
// already, is left out. kept are those that were added, with their text as it is written.
func FileReflections(text []byte, list []Reflected, today markdown.Date) (out []byte, kept []Reflected) {
	out = text
	for _, r := range list {
		e := markdown.NewEntry(r.Text, Citation(r.From), true, today, markdown.Date{})
		raw := e.String()
		if slices.ContainsFunc(markdown.Parse(ReflectionsFile, out).Entries(), func(have markdown.Entry) bool { return have.Identity() == e.Identity() }) {
			continue
		}
		next := markdown.MergeTopic(out, reflectionsTitle, nil, []string{raw})
		units := markdown.Parse(ReflectionsFile, next).Units()
		if len(next) > topicFull || len(units) == 0 || plainRaw(units[len(units)-1]) != raw {
			continue
		}
		r.Text = e.Text
		out, kept = next, append(kept, r)
	}
	return out, kept
}

// The frame in which a bot is given a reflection to ask about. Its tags are escaped in
// everything that stands inside.
const (
	GuessOpen  = "<memory-guess>"
	GuessClose = "</memory-guess>"

	guessLead = "What follows between <memory-guess> and </memory-guess> is a guess of your own, drawn from your notes; nobody said it. " +
		"Ask the person once, in passing, whether it is so, and only where it fits. Say nothing that takes it for true, and do not ask again."
)

// GuessBlock is the part of a prompt that gives a bot one reflection to ask about; "" for
// none.
func GuessBlock(fact string) string {
	if fact = escaped(oneLine(fact)); fact == "" {
		return ""
	}
	return guessLead + "\n" + GuessOpen + "\n" + fact + "\n" + GuessClose + "\n"
}
