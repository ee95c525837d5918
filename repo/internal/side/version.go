package side

import (
	"context"
	"fmt"
)

// Versions is how many changes touched a file.
func (x *Index) Versions(ctx context.Context, path string) (n int, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		n, err = t.versions(ctx, path)
		return err
	})
	return n, err
}

func (t *tables) versions(ctx context.Context, path string) (n int, err error) {
	_, err = t.one(ctx, "SELECT count(*) FROM file WHERE path = (SELECT id FROM path WHERE name = ?)", []any{path}, &n)
	return n, err
}

// Version gives the n-th change of a file, from 1 in the order of the history, with that
// file alone, and how many there are. ErrNotFound. The rest of the history is not read.
func (x *Index) Version(ctx context.Context, path string, n int) (c Change, of int, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		if of, err = t.versions(ctx, path); err != nil {
			return err
		}
		if n < 1 || n > of {
			return fmt.Errorf("version %d of %d: %w", n, of, ErrNotFound)
		}
		order, skip := "ASC", n-1
		if n > of/2 {
			order, skip = "DESC", of-n
		}
		var key int64
		if _, err := t.one(ctx, "SELECT key FROM file WHERE path = (SELECT id FROM path WHERE name = ?) ORDER BY key "+order+" LIMIT 1 OFFSET ?", []any{path, skip}, &key); err != nil {
			return err
		}
		page, err := t.changes(ctx, "FROM change c WHERE c.pos = ?", key>>keyBits)
		if err != nil {
			return err
		}
		if err := t.addFiles(ctx, page, path); err != nil {
			return err
		}
		err = t.markUndone(ctx, page)
		c = page[0]
		return err
	})
	return c, of, err
}

// VersionOf says which change of a file the one at pos is, or, where it did not touch the
// file, which was the last before it; 0 before the first.
func (x *Index) VersionOf(ctx context.Context, path string, pos int64) (n int, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		_, err := t.one(ctx, "SELECT count(*) FROM file WHERE path = (SELECT id FROM path WHERE name = ?) AND key < ?", []any{path, firstKey(pos + 1)}, &n)
		return err
	})
	return n, err
}
