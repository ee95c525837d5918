package side

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

// step is what a change did to one unit of a file.
type step struct {
	path  int64
	op    int
	sum   int64
	pred  *int64 // the sum of what it came from
	src   *int64 // the path of that, when another
	text  string
	entry bool
	was   string // changed only: the text it came from
	ident string // what stays the same when the unit moves; "" for what cannot
	old   string // changed only: that of what it came from
}

// sumUnit is a unit's text as a number: eight bytes of its SHA-256, whatever its line ends.
func sumUnit(raw []byte) int64 {
	if bytes.IndexByte(raw, '\r') >= 0 {
		raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	}
	sum := sha256.Sum256(raw)
	return int64(binary.BigEndian.Uint64(sum[:])) //nolint:gosec // all 64 bits, as SQLite keeps them
}

// stepsOf lists what a change did to the units of one file. Only notes have any.
func stepsOf(path string, before, after text) []step {
	if !strings.HasSuffix(strings.ToLower(path), ".md") || !after.plain {
		return nil
	}
	var old []byte
	if before.plain {
		old = before.raw
	}
	var out []step
	for _, p := range markdown.Pairs(old, after.raw) {
		out = appendStep(out, visible(p.Before), visible(p.After))
	}
	return out
}

func appendStep(out []step, before, after *markdown.Unit) []step {
	switch {
	case before == nil && after == nil:
		return out
	case before == nil:
		return append(out, unitStep(opAdded, after))
	case after == nil:
		return append(out, unitStep(opRemoved, before))
	}
	s, pred := unitStep(opChanged, after), sumUnit(before.Raw)
	if s.sum == pred {
		return out
	}
	s.pred, s.old, s.was = &pred, ident(before), string(before.Raw)
	return append(out, s)
}

func visible(u *markdown.Unit) *markdown.Unit {
	if u == nil || u.Kind == markdown.KindBlank {
		return nil
	}
	return u
}

func unitStep(op int, u *markdown.Unit) step {
	return step{op: op, sum: sumUnit(u.Raw), text: string(u.Raw), entry: u.Kind == markdown.KindEntry, ident: ident(u)}
}

// ident is by what a unit is known again in another file: an entry by its fact,
// whatever its marks, a hand-written line by its words. A header's lines belong
// to their file.
func ident(u *markdown.Unit) string {
	switch {
	case u.Entry != nil:
		return "entry " + markdown.Identity(u.Entry.Text)
	case u.Kind == markdown.KindHeader:
		return ""
	}
	return "line " + string(bytes.TrimSpace(u.Raw))
}

// matchMoves turns what was taken out in one place and put in at another into
// moves. Where a unit was seen as changed into a neighbour only because both
// stood in one hunk, and one of them has its like elsewhere, the pair is parted.
func matchMoves(steps []step) []step {
	steps = partPairs(steps)
	gone := map[string][]int{}
	for i, s := range steps {
		if s.op == opRemoved && s.ident != "" {
			gone[s.ident] = append(gone[s.ident], i)
		}
	}
	if len(gone) == 0 {
		return steps
	}
	moved := map[int]bool{}
	for i := range steps {
		s := &steps[i]
		from := gone[s.ident]
		if s.op != opAdded || len(from) == 0 {
			continue
		}
		source := steps[from[0]]
		gone[s.ident], moved[from[0]] = from[1:], true
		s.op, s.pred = opMoved, &source.sum
		if source.path != s.path {
			s.src = &source.path
		}
	}
	kept := steps[:0]
	for i, s := range steps {
		if !moved[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// partPairs makes two steps of a change whose two sides are different facts, when
// one of the sides was also put in or taken out elsewhere.
func partPairs(steps []step) []step {
	in, out := map[string]bool{}, map[string]bool{}
	for _, s := range steps {
		switch s.op {
		case opAdded:
			in[s.ident] = true
		case opRemoved:
			out[s.ident] = true
		}
	}
	parted := make([]step, 0, len(steps))
	for _, s := range steps {
		if s.op != opChanged || s.ident == s.old || (!known(in, s.old) && !known(out, s.ident)) {
			parted = append(parted, s)
			continue
		}
		parted = append(parted, step{path: s.path, op: opRemoved, sum: *s.pred, text: s.was, ident: s.old})
		s.op, s.pred = opAdded, nil
		parted = append(parted, s)
	}
	return parted
}

func known(set map[string]bool, ident string) bool { return ident != "" && set[ident] }

// addSteps makes the unit rows of the change at pos.
func (t *tables) addSteps(ctx context.Context, pos int64, steps []step) error {
	for i, s := range steps[:min(len(steps), 1<<keyBits-1)] {
		key := firstKey(pos) + int64(i) + 1
		var root *int64
		var text *string
		if s.op != opRemoved {
			r, err := t.root(ctx, s, firstKey(pos))
			if err != nil {
				return err
			}
			if r == 0 {
				r, text = key, firstWords(s)
			}
			root = &r
		}
		if err := t.exec(ctx, "INSERT INTO unit VALUES (?, ?, ?, ?, ?, ?, ?, ?)", key, s.path, s.op, s.sum, s.pred, s.src, root, text); err != nil {
			return err
		}
	}
	return nil
}

// root follows a unit back by one link to where its chain begins; 0 when it
// begins here. A unit that is put back as it once stood goes on with its chain.
func (t *tables) root(ctx context.Context, s step, before int64) (root int64, err error) {
	sum, path := s.sum, s.path
	if s.pred != nil {
		sum = *s.pred
	}
	if s.src != nil {
		path = *s.src
	}
	found, err := t.one(ctx, "SELECT root FROM unit WHERE sum = ? AND path = ? AND op < 3 AND key < ? ORDER BY key DESC LIMIT 1", []any{sum, path, before}, &root)
	if err != nil || found || !s.entry {
		return root, err
	}
	// An entry carries its day and its source: the same bytes elsewhere are the same note.
	_, err = t.one(ctx, "SELECT root FROM unit WHERE sum = ? AND op < 3 AND key < ? ORDER BY key DESC LIMIT 1", []any{sum, before}, &root)
	return root, err
}

// maxWords is how much of a unit's first text is kept: well above an entry's cap.
const maxWords = 4096

func firstWords(s step) *string {
	words := s.text
	if len(words) > maxWords {
		cut := maxWords
		for cut > 0 && !utf8.RuneStart(words[cut]) {
			cut--
		}
		words = words[:cut] + "…"
	}
	words = strings.ToValidUTF8(words, "\uFFFD")
	return &words
}
