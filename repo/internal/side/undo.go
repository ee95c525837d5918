package side

import (
	"context"
	"encoding/json"
	"slices"
)

// A change is undone when a newer one that names it in Undoes stands itself.
// Read newest first: a change that is undone is passed over and what it undid
// stands again; otherwise what it names is undone.

// Undoable gives the newest change that is not undone, with its files, leaving
// out the actions in skip. A change that reverses another (an undo, a redo, a
// person's git revert) is never it, so that repeated undo walks back and does not
// toggle. ErrNotFound.
func (x *Index) Undoable(ctx context.Context, skip []string) (Change, error) {
	return x.walk(ctx, func(_ context.Context, _ *tables, w walked, undone bool) (bool, error) {
		return !undone && w.undoes == "" && !slices.Contains(skip, w.action), nil
	})
}

// Redoable gives the newest undo that stands, with its files: a change that
// reverses another which is not an undo itself, and of which something is left.
// ErrNotFound.
func (x *Index) Redoable(ctx context.Context) (Change, error) {
	return x.walk(ctx, func(ctx context.Context, t *tables, w walked, undone bool) (bool, error) {
		if undone || w.undoes == "" || w.files == 0 || w.action == "redo" {
			return false, nil
		}
		return t.isUndo(ctx, w)
	})
}

// walked is what a walk needs of a change.
type walked struct {
	pos                int64
	id, undoes, action string
	files              int
}

// walk goes from the newest change back to the first that pick takes. It reads
// only as far as it goes.
func (x *Index) walk(ctx context.Context, pick func(context.Context, *tables, walked, bool) (bool, error)) (c Change, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		undone := map[string]bool{}
		for page, before := 64, int64(1)<<62; ; page *= 2 {
			stretch, err := t.stretch(ctx, before, page)
			if err != nil {
				return err
			}
			for _, w := range stretch {
				taken, err := pick(ctx, t, w, undone[w.id])
				if err != nil {
					return err
				}
				if taken {
					c, err = t.whole(ctx, w.pos)
					return err
				}
				if w.undoes != "" && !undone[w.id] {
					undone[w.undoes] = true
				}
			}
			if len(stretch) < page {
				return ErrNotFound
			}
			before = stretch[len(stretch)-1].pos
		}
	})
	return c, err
}

func (t *tables) stretch(ctx context.Context, before int64, n int) ([]walked, error) {
	var out []walked
	err := t.each(ctx, "SELECT pos, id, undoes, action, files FROM change WHERE pos < ? ORDER BY pos DESC LIMIT ?", []any{before, n},
		func(scan func(...any) error) error {
			var w walked
			err := scan(&w.pos, &w.id, &w.undoes, &w.action, &w.files)
			out = append(out, w)
			return err
		})
	return out, err
}

// isUndo counts how many reversals w stands on: a reversal of an undo is a redo,
// a reversal of that an undo again.
func (t *tables) isUndo(ctx context.Context, w walked) (bool, error) {
	undo := false
	for w.undoes != "" {
		undo = !undo
		var older walked
		found, err := t.one(ctx, "SELECT pos, id, undoes, action FROM change WHERE id = ? AND pos < ? ORDER BY pos LIMIT 1",
			[]any{w.undoes, w.pos}, &older.pos, &older.id, &older.undoes, &older.action)
		if err != nil {
			return false, err
		}
		if !found {
			break
		}
		w = older
	}
	return undo, nil
}

// UndoneBy names, of the changes in ids, those that are undone, each with the
// newest change that undoes it.
func (x *Index) UndoneBy(ctx context.Context, ids ...string) (by map[string]string, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		by, err = t.undoneBy(ctx, ids)
		return err
	})
	return by, err
}

func (t *tables) markUndone(ctx context.Context, changes []Change) error {
	ids := make([]string, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	by, err := t.undoneBy(ctx, ids)
	for i := range changes {
		changes[i].UndoneBy = by[changes[i].ID]
	}
	return err
}

// undoneBy reads what reverses the ids, what reverses those, and so on: few rows
// however long the history is.
func (t *tables) undoneBy(ctx context.Context, ids []string) (map[string]string, error) {
	var all []walked
	seen := map[string]bool{}
	for len(ids) > 0 {
		b, err := json.Marshal(ids)
		if err != nil {
			return nil, err
		}
		ids = nil
		// The id that a reversal names is an older change's: a later one with the same words cannot be meant.
		err = t.each(ctx, `SELECT u.pos, u.id, u.undoes, u.action FROM json_each(?) j CROSS JOIN change u ON u.undoes = j.value AND u.undoes <> ''
			WHERE EXISTS (SELECT 1 FROM change o WHERE o.id = u.undoes AND o.pos < u.pos)`, []any{string(b)},
			func(scan func(...any) error) error {
				var w walked
				err := scan(&w.pos, &w.id, &w.undoes, &w.action)
				if !seen[w.id] {
					seen[w.id] = true
					all, ids = append(all, w), append(ids, w.id)
				}
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b walked) int { return int(b.pos - a.pos) })
	by := map[string]string{}
	for _, w := range all {
		if _, undone := by[w.id]; undone {
			continue
		}
		if _, done := by[w.undoes]; !done {
			by[w.undoes] = w.id
		}
	}
	return by, nil
}
