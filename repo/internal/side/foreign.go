package side

import (
	"context"

	"quipu/repo/internal/git"
)

// ForeignBefore names, of the texts that the files of changes had before, those that
// quipu did not write: a person's own commit brought them, or the change that did is
// not the one before in the order of the history. The changes need their files.
func (x *Index) ForeignBefore(ctx context.Context, changes ...Change) (blobs map[git.Hash]bool, err error) {
	blobs = map[git.Hash]bool{}
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		var any bool
		if _, err := t.one(ctx, "SELECT EXISTS (SELECT 1 FROM change WHERE outside)", nil, &any); err != nil || !any {
			return err
		}
		for _, c := range changes {
			for _, f := range c.Files {
				if f.Before.IsZero() || blobs[f.Before] {
					continue
				}
				foreign, err := t.foreignBefore(ctx, c.Pos, f)
				if err != nil {
					return err
				}
				if foreign {
					blobs[f.Before] = true
				}
			}
		}
		return nil
	})
	return blobs, err
}

func (t *tables) foreignBefore(ctx context.Context, pos int64, f File) (bool, error) {
	const query = `SELECT f.after, c.outside FROM file f CROSS JOIN change c ON c.pos = f.key >> 24
		WHERE f.path = (SELECT id FROM path WHERE name = ?) AND f.key < ? ORDER BY f.key DESC LIMIT 1`
	var after []byte
	var outside bool
	found, err := t.one(ctx, query, []any{f.Path, firstKey(pos)}, &after, &outside)
	return !found || outside || hashOf(after) != f.Before, err
}
