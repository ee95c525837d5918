package side

import (
	"context"

	"quipu/markdown"
)

// Origin says who taught one unit of a file.
type Origin struct {
	Line  int    // 1-based, where the unit begins
	Raw   string // as it stands, without its final line end
	Known bool   // false: no change wrote exactly this; the rest is empty
	Last  Change // the newest change that wrote it so; without files
	First Change // the change that first taught it, before edits and moves; without files
	// FirstText is the unit as First wrote it, at most 4 KB of it.
	FirstText string
}

// Taught says for each entry and each line that is not blank of a file's text
// who wrote it: in this path if any change did, else in another. The text need
// not be a version that the history has.
func (x *Index) Taught(ctx context.Context, path string, text []byte) (out []Origin, err error) {
	return x.TaughtFrom(ctx, path, text, 0, 0)
}

// TaughtFrom is Taught for what begins at a line or after it, at most so many units; 0 is
// all of them.
func (x *Index) TaughtFrom(ctx context.Context, path string, text []byte, line, most int) (out []Origin, err error) {
	var sums []int64
	for _, u := range markdown.Parse(path, text).Units() {
		if most > 0 && len(out) == most {
			break
		}
		if u.Kind != markdown.KindBlank && u.Line >= line {
			out = append(out, Origin{Line: u.Line, Raw: string(u.Raw)})
			sums = append(sums, sumUnit(u.Raw))
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		positions, err := t.origins(ctx, path, sums, out)
		if err != nil {
			return err
		}
		return t.fillChanges(ctx, positions, out)
	})
	return out, err
}

// origins finds the rows that wrote the units, and gives their positions.
func (t *tables) origins(ctx context.Context, path string, sums []int64, out []Origin) (positions []int64, err error) {
	seen := map[int64]bool{}
	const query = `
		WITH last AS (
			SELECT j.key AS i, coalesce(
				(SELECT max(u.key) FROM unit u WHERE u.sum = j.value AND u.path = (SELECT id FROM path WHERE name = ?) AND u.op < 3),
				(SELECT max(u.key) FROM unit u WHERE u.sum = j.value AND u.op < 3)) AS key
			FROM json_each(?) j)
		SELECT last.i, u.key, r.key, coalesce(r.text, '') FROM last CROSS JOIN unit u ON u.key = last.key CROSS JOIN unit r ON r.key = u.root`
	err = t.each(ctx, query, []any{path, list(sums)}, func(scan func(...any) error) error {
		var i int
		var last, first int64
		var words string
		err := scan(&i, &last, &first, &words)
		if err != nil {
			return err
		}
		o := &out[i]
		o.Known, o.FirstText = true, words
		o.Last.Pos, o.First.Pos = last>>keyBits, first>>keyBits
		for _, pos := range []int64{o.Last.Pos, o.First.Pos} {
			if !seen[pos] {
				seen[pos] = true
				positions = append(positions, pos)
			}
		}
		return nil
	})
	return positions, err
}

// fillChanges puts the changes at positions where their positions stand.
func (t *tables) fillChanges(ctx context.Context, positions []int64, out []Origin) error {
	changes, err := t.changes(ctx, "FROM change c WHERE c.pos IN (SELECT value FROM json_each(?))", list(positions))
	if err != nil {
		return err
	}
	if err := t.markUndone(ctx, changes); err != nil {
		return err
	}
	at := map[int64]Change{}
	for _, c := range changes {
		at[c.Pos] = c
	}
	for i := range out {
		out[i].Last, out[i].First = at[out[i].Last.Pos], at[out[i].First.Pos]
	}
	return nil
}
