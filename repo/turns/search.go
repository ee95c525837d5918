package turns

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	usualHits  = 12
	mostHits   = 100
	snippetLen = 240 // characters of a snippet
	// candidates is how many of the newest messages with all the words are ranked. More
	// of them say that the words tell little, and then the newest are the better ones.
	candidates = 200
	// rankedBytes is how much text one search reads to rank.
	rankedBytes = 1 << 18
)

// Query is a search. With Words, each word that is not a stop word must occur in a
// message; without, every message of the span matches.
type Query struct {
	Bot   string
	Words string
	Since time.Time // inclusive, to the millisecond; zero: from the beginning
	Until time.Time // inclusive; zero: to the end
	Scope Scope
	Limit int // 0 is 12, at most 100
	// Stop reports words that carry no subject, given in lower case; nil: none.
	Stop func(word string) bool
	// Keep says of a message whether it may be found; nil: all. What it refuses is left out
	// before anything is ranked, and takes no place of a hit.
	Keep func(text string) bool
}

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Hit is one message that was found.
type Hit struct {
	Turn         string
	Conversation Conversation
	Speaker      Speaker
	At           time.Time
	// Deed says that the text is not a message but what the bot did in that turn: "used
	// deploy, git · failed". A reader marks it as such.
	Deed    bool
	Snippet string // one line of at most 240 characters, cut ends shown by an ellipsis
	Marks   []Span // the matches in Snippet, in order, apart from each other
	Score   float64
}

// Search finds what was said in the scope. With words the best come first, deeds
// after all messages; the newest 200 messages with all the words are ranked. Without
// words the newest come first.
func (s *Store) Search(ctx context.Context, q Query) (hits []Hit, err error) {
	if q.Limit <= 0 {
		q.Limit = usualHits
	}
	q.Limit = min(q.Limit, mostHits)
	phrases := phrasesOf(q.Words, q.Stop)
	if len(phrases) == 0 && strings.TrimSpace(q.Words) != "" {
		return nil, nil // there are only signs, which occur nowhere
	}
	err = s.view(ctx, func(ctx context.Context, tx *work) error {
		bot, err := botKey(ctx, tx, q.Bot)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		f, ok, err := q.finder(ctx, tx, bot, phrases)
		if err != nil || !ok {
			return err
		}
		if len(phrases) == 0 {
			hits, err = f.newest(ctx, q.Limit)
		} else {
			hits, err = f.best(ctx, q.Limit)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search conversations of %s: %w", q.Bot, err)
	}
	return hits, nil
}

// finder is a search that knows its scope.
type finder struct {
	tx          *work
	phrases     []phrase
	must, not   string // in the language of the full text
	first, last int64  // keys, inclusive
	keep        func(text string) bool
}

// finder reads the scope and the span. ok is false when nothing can be found.
func (q Query) finder(ctx context.Context, tx *work, bot int64, phrases []phrase) (f finder, ok bool, err error) {
	f = finder{tx: tx, phrases: phrases, last: keyAt(lastMilli), keep: q.Keep}
	if f.must, f.not, ok, err = q.Scope.match(ctx, tx, bot); err != nil || !ok {
		return f, false, err
	}
	for _, p := range phrases {
		f.must += " AND words : " + p.match()
	}
	if !q.Since.IsZero() {
		f.first = keyAt(q.Since.UnixMilli())
	}
	if !q.Until.IsZero() {
		if q.Until.UnixMilli() < 0 {
			return f, false, nil
		}
		f.last = keyAt(q.Until.UnixMilli()+1) - 1
	}
	return f, f.first <= f.last, nil
}

// query gives the full text's question; deeds are in it, alone or left out.
func (f finder) query(must, not string) string {
	if must != "" {
		must = f.must + " AND " + must
	} else {
		must = f.must
	}
	switch {
	case not == "":
		not = f.not
	case f.not != "":
		not = not + " OR " + f.not
	}
	if not == "" {
		return must
	}
	return "(" + must + ") NOT (" + not + ")"
}

const newestFirst = `SELECT f.rowid, m.text FROM found f CROSS JOIN message m ON m.key = f.rowid
	WHERE f.found MATCH ? AND f.rowid BETWEEN ? AND ? ORDER BY f.rowid DESC LIMIT ?`

// candidates gives the newest that match, with their texts.
func (f finder) candidates(ctx context.Context, match string, limit int) (found []candidate, err error) {
	most := limit
	if f.keep != nil {
		most = max(limit, candidates)
	}
	rows, err := f.tx.QueryContext(ctx, newestFirst, match, f.first, f.last, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err has told what went wrong
	for len(found) < limit && rows.Next() {
		var c candidate
		if err := rows.Scan(&c.key, &c.text); err != nil {
			return nil, err
		}
		if f.keep == nil || f.keep(c.text) {
			found = append(found, c)
		}
	}
	return found, rows.Err()
}

func (f finder) newest(ctx context.Context, limit int) ([]Hit, error) {
	found, err := f.candidates(ctx, f.query("", ""), limit)
	if err != nil {
		return nil, err
	}
	return f.hits(ctx, found)
}

func (f finder) best(ctx context.Context, limit int) ([]Hit, error) {
	deed := anyPlace(deedToken)
	found, err := f.candidates(ctx, f.query("", deed), candidates)
	if err != nil {
		return nil, err
	}
	found = ranked(found, f.phrases, limit)
	if left := limit - len(found); left > 0 {
		deeds, err := f.candidates(ctx, f.query(deed, ""), candidates)
		if err != nil {
			return nil, err
		}
		found = append(found, ranked(deeds, f.phrases, left)...)
	}
	return f.hits(ctx, found)
}

// hits fills in who said it where.
func (f finder) hits(ctx context.Context, found []candidate) ([]Hit, error) {
	hits := make([]Hit, 0, len(found))
	for _, c := range found {
		h := Hit{At: momentOf(c.key), Score: c.score}
		var turn int64
		err := f.tx.QueryRowContext(ctx, "SELECT turn, deed, by, speaker_id, speaker FROM message WHERE key = ?", c.key).
			Scan(&turn, &h.Deed, &h.Speaker.By, &h.Speaker.ID, &h.Speaker.Name)
		if err != nil {
			return nil, err
		}
		turns, err := read(ctx, f.tx, "WHERE t.key = ?", turn)
		if err != nil {
			return nil, err
		}
		for _, t := range turns {
			h.Turn, h.Conversation = t.ID, t.Conversation
		}
		h.Snippet, h.Marks = snippet(c.text, f.phrases)
		hits = append(hits, h)
	}
	return hits, nil
}
