package repo

import (
	"context"
	"errors"
	"time"

	"quipu/markdown"
	"quipu/repo/internal/side"
)

// Version is a file as one of its changes left it.
type Version struct {
	N    int  // which of the file's changes, from 1, oldest first
	Of   int  // how many there are
	Row  Row  // of that change and file
	Text Text // credentials masked; Exists is false after a deletion
}

// Version gives a file as its n-th change left it; 0 is the newest. The history of other
// changes is not read. ErrNotFound for a file without changes, or one that has fewer.
func (w *Workspace) Version(ctx context.Context, path string, n int) (Version, error) {
	if _, err := checkPath(path); err != nil {
		return Version{}, err
	}
	x, err := w.history(ctx)
	if err != nil {
		return Version{}, err
	}
	if n == 0 {
		if n, err = x.Versions(ctx, path); err != nil {
			return Version{}, err
		}
	}
	c, of, err := x.Version(ctx, path, n)
	if errors.Is(err, side.ErrNotFound) {
		return Version{}, wrapf(ErrNotFound, "%s has no such version", path)
	}
	if err != nil {
		return Version{}, err
	}
	rows, err := w.rows(ctx, x, c)
	if err != nil {
		return Version{}, err
	}
	v := Version{N: n, Of: of, Row: w.row(c), Text: Text{Path: path, Hash: hashText(nil)}}
	if len(rows) == 1 {
		v.Row = rows[0]
	}
	blob := c.Files[0].After
	if blob.IsZero() {
		return v, nil
	}
	text, err := w.git.Blob(blob)
	if err != nil {
		return Version{}, gitError(err)
	}
	text, _ = w.masked(text)
	v.Text = Text{Path: path, Text: string(text), Hash: hashText(text), Exists: true}
	return v, nil
}

// VersionOf says which version of a file a change left: its own, or, where it did not
// touch the file, the one before; 0 where there was none yet. ErrNotFound.
func (w *Workspace) VersionOf(ctx context.Context, path, change string) (int, error) {
	x, err := w.history(ctx)
	if err != nil {
		return 0, err
	}
	c, _, err := w.find(ctx, x, change)
	if err != nil {
		return 0, err
	}
	return x.VersionOf(ctx, path, c.Pos)
}

// Day is the changes of one local day, counted, and the nearest days before and after it
// that have any; empty where there is none.
type Day struct {
	DayStat
	Before, After string
}

// Day counts the changes of a day, YYYY-MM-DD, as Stats counts them. ErrInvalid.
func (w *Workspace) Day(ctx context.Context, day string) (Day, error) {
	if _, ok := markdown.ParseDate(day); !ok {
		return Day{}, wrapf(ErrInvalid, "%s is no day: write YYYY-MM-DD", oneLine(day))
	}
	begin, err := time.ParseInLocation(time.DateOnly, day, w.now().Location())
	if err != nil {
		return Day{}, wrapf(ErrInvalid, "%s is no day", oneLine(day))
	}
	x, err := w.history(ctx)
	if err != nil {
		return Day{}, err
	}
	end := statDay(begin, 1)
	d := Day{DayStat: DayStat{Day: dayOf(begin), By: map[AuthorKind]int{}}}
	days, err := w.tallied(ctx, x, []time.Time{begin, end})
	if err != nil {
		return Day{}, err
	}
	if len(days) == 1 {
		d.DayStat = days[0]
	}
	before, after, err := x.Around(ctx, begin, end, kindWords())
	name := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return dayOf(t.In(begin.Location()))
	}
	d.Before, d.After = name(before), name(after)
	return d, err
}
