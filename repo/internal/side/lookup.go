package side

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/repo/internal/git"
)

// minPrefix is how many characters of an id name a change at least.
const minPrefix = 6

// ByID gives one change with its files: by its id, its full hash, or a prefix of
// either that has 6 characters or more and names only it, in any case. An id in
// full wins over a prefix. ErrNotFound, ErrAmbiguous.
func (x *Index) ByID(ctx context.Context, id string) (c Change, err error) {
	id = strings.TrimSpace(id)
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		pos, err := t.find(ctx, id)
		if err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		c, err = t.whole(ctx, pos)
		return err
	})
	return c, err
}

func (t *tables) find(ctx context.Context, id string) (pos int64, err error) {
	if full, _ := canonicalID(id); full != "" {
		found, err := t.one(ctx, "SELECT pos FROM change WHERE id = ? ORDER BY pos LIMIT 1", []any{full}, &pos)
		if err != nil || found {
			return pos, err
		}
	}
	if h, ok := git.ParseHash(strings.ToLower(id)); ok {
		found, err := t.one(ctx, "SELECT pos FROM change WHERE hash = ?", []any{h[:]}, &pos)
		if err != nil || found {
			return pos, err
		}
	}
	if len(id) < minPrefix || len(id) > hexLen || !alphanumeric(id) {
		return 0, ErrNotFound
	}
	return t.findPrefix(ctx, id)
}

// findPrefix looks among ULIDs, among the hashes that are ids, and among all hashes.
func (t *tables) findPrefix(ctx context.Context, id string) (int64, error) {
	const between = "SELECT pos FROM change WHERE id >= ? AND id < ? LIMIT 2"
	upper, lower := strings.ToUpper(id), strings.ToLower(id)
	const above = "\x7f" // greater than every character of an id
	hits := map[int64]bool{}
	note := func(scan func(...any) error) error {
		var pos int64
		err := scan(&pos)
		hits[pos] = true
		return err
	}
	err := t.each(ctx, between, []any{upper, upper + above}, note)
	if err == nil && isHex(id) {
		err = t.each(ctx, between, []any{lower, lower + above}, note)
	}
	if err == nil && isHex(id) {
		lo, _ := git.ParseHash(lower + strings.Repeat("0", hexLen-len(id)))
		hi, _ := git.ParseHash(lower + strings.Repeat("f", hexLen-len(id)))
		err = t.each(ctx, "SELECT pos FROM change WHERE hash >= ? AND hash <= ? LIMIT 2", []any{lo[:], hi[:]}, note)
	}
	if err != nil {
		return 0, err
	}
	switch len(hits) {
	case 0:
		return 0, ErrNotFound
	case 1:
		for pos := range hits {
			return pos, nil
		}
	}
	return 0, ErrAmbiguous
}

// whole reads the change at pos with its files and whether it is undone.
func (t *tables) whole(ctx context.Context, pos int64) (Change, error) {
	page, err := t.changes(ctx, "FROM change c WHERE c.pos = ?", pos)
	if err != nil {
		return Change{}, err
	}
	if len(page) == 0 {
		return Change{}, ErrNotFound
	}
	if err := t.addFiles(ctx, page, ""); err != nil {
		return Change{}, err
	}
	err = t.markUndone(ctx, page)
	return page[0], err
}

// AtTime gives the last change at or before t, with its files: of those on the
// first-parent line, whose trees were the state of this workspace, the newest
// whose author's time is not after t. ErrNotFound when the history begins later.
func (x *Index) AtTime(ctx context.Context, at time.Time) (c Change, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		var pos int64
		if _, err := t.one(ctx, "SELECT coalesce(max(pos), 0) FROM change WHERE main AND at <= ?", []any{at.Unix()}, &pos); err != nil {
			return err
		}
		if pos == 0 {
			return fmt.Errorf("at %s: %w", at.Format(time.RFC3339), ErrNotFound)
		}
		var err error
		c, err = t.whole(ctx, pos)
		return err
	})
	return c, err
}

// Logged gives the changes by which turns got their line of the day log, with files.
func (x *Index) Logged(ctx context.Context, turns []string) (out []Change, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		for part := range slices.Chunk(turns, 200) {
			args := make([]any, len(part))
			for i, id := range part {
				args[i] = id
			}
			page, err := t.changes(ctx, "FROM change c WHERE c.action = 'log' AND c.turn IN (?"+strings.Repeat(", ?", len(part)-1)+")", args...)
			if err != nil {
				return err
			}
			if err := t.addFiles(ctx, page, ""); err != nil {
				return err
			}
			out = append(out, page...)
		}
		return nil
	})
	return out, err
}

// Authors are the names of those who made a change.
func (x *Index) Authors(ctx context.Context) (names []string, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		rows, err := t.conn.QueryContext(ctx, "SELECT DISTINCT name FROM change")
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // Err has told what went wrong
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			names = append(names, name)
		}
		return rows.Err()
	})
	return names, err
}
