package side

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// search reads changes older than at in which all words occur, about as many as limit;
// next is where to go on, 0 at the end.
func (t *tables) search(ctx context.Context, f Filter, at int64, limit int, words []string) (page []Change, next int64, err error) {
	const portion = 128 // candidates that are read at a time: of a common word most hold it
	var bits []uint16
	for _, w := range words {
		bits = append(bits, grams(w)...)
	}
	may, next, err := t.candidates(ctx, at, bits)
	if err != nil {
		return nil, 0, err
	}
	for part := range slices.Chunk(may, portion) {
		found, err := t.matching(ctx, f, part, words)
		if err != nil {
			return nil, 0, err
		}
		if page = append(page, found...); len(page) >= limit {
			return page, part[len(part)-1], nil
		}
	}
	return page, next, nil
}

// match is a change that the filter lets through and what is searched of it.
type match struct {
	pos     int64
	missing []string       // words that its subject and source lack
	files   map[int64]bool // the files whose diffs have all of those
}

// matching reads those of the changes at positions that the filter and the words allow.
func (t *tables) matching(ctx context.Context, f Filter, positions []int64, words []string) ([]Change, error) {
	hits, err := t.hits(ctx, f, positions, words)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	kept := map[int64]match{}
	var at []int64
	for _, h := range hits {
		if len(h.missing) == 0 || len(h.files) > 0 {
			kept[h.pos] = h
			at = append(at, h.pos)
		}
	}
	page, err := t.changes(ctx, "FROM change c WHERE c.pos IN (SELECT value FROM json_each(?)) ORDER BY c.pos DESC", list(at))
	if err != nil {
		return nil, err
	}
	if err := t.addFiles(ctx, page, f.Path); err != nil {
		return nil, err
	}
	for i := range page {
		c := &page[i]
		if h := kept[c.Pos]; len(h.missing) > 0 {
			c.Files = slices.DeleteFunc(c.Files, func(file File) bool { return !h.files[firstKey(c.Pos)+int64(file.N)] })
		}
	}
	return page, nil
}

// hits looks the words up in the changes that the filter allows, without reading more of
// them than that needs.
func (t *tables) hits(ctx context.Context, f Filter, positions []int64, words []string) ([]match, error) {
	conds, args := f.conds()
	query := `SELECT c.pos, c.subject, c.source, coalesce(f.key, 0), coalesce(f.diff, '') FROM json_each(?) j CROSS JOIN change c ON c.pos = j.value
		LEFT JOIN file f ON f.key > c.pos << 24 AND f.key < (c.pos + 1) << 24`
	if f.Path != "" {
		conds, args = append(conds, "f.path = (SELECT id FROM path WHERE name = ?)"), append(args, f.Path)
	}
	if len(conds) > 0 {
		query += " WHERE " + strings.Join(conds, " AND ")
	}
	var out []match
	err := t.each(ctx, query, append([]any{list(positions)}, args...), func(scan func(...any) error) error {
		var c Change
		var key int64
		var diff string
		err := scan(&c.Pos, &c.Subject, &c.Source, &key, &diff)
		if len(out) == 0 || out[len(out)-1].pos != c.Pos {
			out = append(out, match{pos: c.Pos, missing: lacking(fold(said(c)), words), files: map[int64]bool{}})
		}
		if h := &out[len(out)-1]; len(h.missing) > 0 && len(lacking(fold(touched(diff)), h.missing)) == 0 {
			h.files[key] = true
		}
		return err
	})
	return out, err
}

// touched is a difference without the lines that stand around what changed.
func touched(diff string) string {
	var out strings.Builder
	for line := range strings.Lines(diff) {
		if line[0] != ' ' && line[0] != '@' {
			out.WriteString(line)
		}
	}
	return out.String()
}

// lacking are the words that a text does not hold.
func lacking(text string, words []string) []string {
	var out []string
	for _, w := range words {
		if !strings.Contains(text, w) {
			out = append(out, w)
		}
	}
	return out
}

func foldAll(words []string) []string {
	var out []string
	for _, w := range words {
		if w = fold(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// fold makes texts that differ only in case or in how accents are written equal.
// It is run over every diff that a search passes, so it takes the cheap way where
// one will do; what lower case leaves apart is put together by hand.
func fold(s string) string {
	if !norm.NFC.IsNormalString(s) {
		s = norm.NFC.String(s)
	}
	s = strings.ToLower(s)
	for _, same := range [][2]string{{"ß", "ss"}, {"ς", "σ"}, {"ſ", "s"}} {
		if strings.Contains(s, same[0]) {
			s = strings.ReplaceAll(s, same[0], same[1])
		}
	}
	return s
}
