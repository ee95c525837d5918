package side

import (
	"context"
	"encoding/json"
	"time"

	"quipu/markdown"
)

// Tally is how many changes one kind of author made in one span.
type Tally struct {
	Span    int // the number of the span, from 0
	Kind    string
	Changes int
}

// Tallies counts the changes that a journal lists when it is asked for nothing else, by
// kind of author, in each span from one bound to before the next. What counts nothing is
// left out.
func (x *Index) Tallies(ctx context.Context, bounds []time.Time, kinds []string) (out []Tally, err error) {
	const query = `
		WITH span AS MATERIALIZED (SELECT key AS i, value AS lo, lead(value) OVER (ORDER BY key) AS hi FROM json_each(?)),
		kind AS (SELECT key AS k, value AS name FROM json_each(?)),
		tally AS (SELECT span.i, kind.k, kind.name, (SELECT count(*) FROM change WHERE kind = kind.name AND at >= span.lo AND at < span.hi AND ` + shown + `) AS n FROM span, kind)
		SELECT i, name, n FROM tally WHERE n > 0 ORDER BY i, k`
	names, err := json.Marshal(kinds)
	if err != nil {
		return nil, err
	}
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		return t.each(ctx, query, []any{seconds(bounds), string(names)}, func(scan func(...any) error) error {
			var one Tally
			err := scan(&one.Span, &one.Kind, &one.Changes)
			out = append(out, one)
			return err
		})
	})
	return out, err
}

// seconds are moments as json_each reads them, each the first whole second not before it.
func seconds(moments []time.Time) string {
	out := make([]int64, len(moments))
	for i, m := range moments {
		out[i] = ceilSecond(m)
	}
	return list(out)
}

// Size is how large a file was.
type Size struct{ Bytes, Lines int }

// Sizes gives the size of a file before each moment: after the newest change of the
// first-parent line that is older. nil before the file's first change there.
func (x *Index) Sizes(ctx context.Context, path string, moments []time.Time) (out []*Size, err error) {
	const query = `
		WITH head AS (SELECT j.key AS i,
			(SELECT c.pos FROM change c WHERE c.at < j.value AND c.main ORDER BY c.at DESC, c.pos DESC LIMIT 1) AS pos FROM json_each(?) j)
		SELECT head.i, f.after_size, f.after_lines FROM head CROSS JOIN file f ON f.key = (
			SELECT g.key FROM file g CROSS JOIN change m ON m.pos = g.key >> 24
			WHERE g.path = (SELECT id FROM path WHERE name = ?) AND g.key < (head.pos + 1) << 24 AND m.main ORDER BY g.key DESC LIMIT 1)`
	out = make([]*Size, len(moments))
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		return t.each(ctx, query, []any{seconds(moments), path}, func(scan func(...any) error) error {
			var i int
			s := &Size{}
			err := scan(&i, &s.Bytes, &s.Lines)
			out[i] = s
			return err
		})
	})
	return out, err
}

// First is the time of the oldest change of the first-parent line, zero without any.
func (x *Index) First(ctx context.Context) (at time.Time, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		var unix int64
		found, err := t.one(ctx, "SELECT at FROM change WHERE main ORDER BY at LIMIT 1", nil, &unix)
		if found {
			at = time.Unix(unix, 0)
		}
		return err
	})
	return at, err
}

// Teacher is by whom and how a number of units were first taught.
type Teacher struct {
	Kind, Via, Action, Source string
	Units                     int
}

// Teachers counts the units of files by the changes that first taught them, as Taught
// finds those; unknown are those that no change wrote. units are by path.
func (x *Index) Teachers(ctx context.Context, units map[string][]markdown.Unit) (out []Teacher, unknown int, err error) {
	const query = `
		WITH asked AS MATERIALIZED (SELECT j.value ->> 0 AS sum, j.value ->> 1 AS path FROM json_each(?) j),
		last AS (SELECT coalesce(
			(SELECT max(u.key) FROM unit u WHERE u.sum = asked.sum AND u.path = asked.path AND u.op < 3),
			(SELECT max(u.key) FROM unit u WHERE u.sum = asked.sum AND u.op < 3)) AS key FROM asked),
		first AS MATERIALIZED (SELECT u.root >> 24 AS pos, count(*) AS n FROM last CROSS JOIN unit u ON u.key = last.key GROUP BY 1)
		SELECT c.kind, c.via, c.action, c.source, sum(first.n) FROM first CROSS JOIN change c ON c.pos = first.pos GROUP BY 1, 2, 3, 4`
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		asked, err := t.sums(ctx, units)
		if err != nil {
			return err
		}
		unknown = len(asked)
		text, err := json.Marshal(asked)
		if err != nil {
			return err
		}
		return t.each(ctx, query, []any{string(text)}, func(scan func(...any) error) error {
			var one Teacher
			err := scan(&one.Kind, &one.Via, &one.Action, &one.Source, &one.Units)
			out = append(out, one)
			unknown -= one.Units
			return err
		})
	})
	return out, unknown, err
}

// sums are the units' texts as numbers, each with the number of its path; 0 is a path that
// no change has.
func (t *tables) sums(ctx context.Context, units map[string][]markdown.Unit) (out [][2]int64, err error) {
	known := map[string]int64{}
	err = t.each(ctx, "SELECT id, name FROM path", nil, func(scan func(...any) error) error {
		var id int64
		var name string
		err := scan(&id, &name)
		known[name] = id
		return err
	})
	for path, list := range units {
		for _, u := range list {
			out = append(out, [2]int64{sumUnit(u.Raw), known[path]})
		}
	}
	return out, err
}

// Around gives the times of the newest change before a span and of the oldest from its
// end on, of those that Tallies counts; zero where there is none.
func (x *Index) Around(ctx context.Context, begin, end time.Time, kinds []string) (before, after time.Time, err error) {
	const query = `
		SELECT max((SELECT max(at) FROM change WHERE kind = k.value AND at < ? AND ` + shown + `)),
			min((SELECT min(at) FROM change WHERE kind = k.value AND at >= ? AND ` + shown + `)) FROM json_each(?) k`
	names, err := json.Marshal(kinds)
	if err != nil {
		return before, after, err
	}
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		var newest, oldest *int64
		_, err := t.one(ctx, query, []any{ceilSecond(begin), ceilSecond(end), string(names)}, &newest, &oldest)
		if newest != nil {
			before = time.Unix(*newest, 0)
		}
		if oldest != nil {
			after = time.Unix(*oldest, 0)
		}
		return err
	})
	return before, after, err
}
