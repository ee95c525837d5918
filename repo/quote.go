package repo

import (
	"context"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/side"
)

// noQuote stands for the quote of an entry that rests on none, where others of the
// same change have one: the n-th quote is that of the n-th entry.
const noQuote = "-"

// quoteTrailers are the lines of a commit message that say in which words its facts
// were said: one, or one for each entry that was noticed.
func (w *Workspace) quoteTrailers(one string, each []string) []trailer {
	if each == nil {
		each = []string{one}
	}
	if !slices.ContainsFunc(each, func(q string) bool { return strings.TrimSpace(q) != "" }) {
		return nil
	}
	out := make([]trailer, len(each))
	for i, q := range each {
		if q = w.clean(q); q == "" {
			q = noQuote
		}
		out[i] = trailer{keyQuote, q}
	}
	return out
}

// shownQuote is the quotes of a change as its row shows them.
func shownQuote(trailers []trailer) string {
	var said []string
	for _, t := range trailers {
		if t.value != noQuote {
			said = append(said, t.value)
		}
	}
	return strings.Join(said, " / ")
}

// shownQuotes is shownQuote for the form in which the index keeps them.
func shownQuotes(lines string) string {
	var trailers []trailer
	for line := range strings.SplitSeq(lines, "\n") {
		trailers = append(trailers, trailer{value: line})
	}
	return shownQuote(trailers)
}

// quotedBy finds the quote of each entry that a change with several taught.
type quotedBy struct {
	w     *Workspace
	x     *side.Index
	known map[string]map[string]string // change -> entry as written -> quote
}

func (q *quotedBy) of(ctx context.Context, c side.Change, entry string) (string, error) {
	if !strings.Contains(c.Quote, "\n") {
		return c.Quote, nil
	}
	if q.known[c.ID] == nil {
		var err error
		if q.known[c.ID], err = q.read(ctx, c); err != nil {
			return "", err
		}
	}
	return q.known[c.ID][entry], nil
}

// read lays a change's quotes beside the entries that it noticed, in write order. A
// change of another form, as history may have been written anew, gives none.
func (q *quotedBy) read(ctx context.Context, c side.Change) (map[string]string, error) {
	out := map[string]string{}
	whole, err := q.x.ByID(ctx, c.ID)
	if err != nil {
		return out, err
	}
	var entries []string
	for _, f := range whole.Files {
		if f.Path == policy.ArchiveFile {
			continue
		}
		before, after, err := q.w.bothSides(f)
		if err != nil {
			return out, err
		}
		entries = append(entries, noticedIn(before, after)...)
	}
	quotes := strings.Split(c.Quote, "\n")
	if len(quotes) != len(entries) {
		return out, nil
	}
	for i, e := range entries {
		if quotes[i] != noQuote {
			out[e] = quotes[i]
		}
	}
	return out, nil
}

// noticedIn are the entries that were noticed and that after has beyond before, in
// their order.
func noticedIn(before, after []byte) []string {
	had := map[string]int{}
	for _, u := range markdown.Parse("", before).Units() {
		had[string(u.Raw)]++
	}
	var out []string
	for _, u := range markdown.Parse("", after).Units() {
		switch {
		case had[string(u.Raw)] > 0:
			had[string(u.Raw)]--
		case u.Entry != nil && u.Entry.Noticed:
			out = append(out, string(u.Raw))
		}
	}
	return out
}
