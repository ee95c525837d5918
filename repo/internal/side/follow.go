package side

import (
	"context"

	"quipu/markdown"
	"quipu/repo/internal/git"
)

// What a change did to a unit.
const (
	DidAdd    = "added"
	DidChange = "changed"
	DidMove   = "moved"
	DidRemove = "removed"
	DidReturn = "returned" // put back as it once stood
)

// Passage is one change that wrote a unit, or took it out for a while.
type Passage struct {
	Change Change // with the file alone in which the unit stood
	Did    string
	Path   string
	From   string // of what was moved: where it stood before, when in another file

	key, sum int64
}

// In finds the unit in the text that its passage is about: the file as the change left
// it, or found it where the unit was taken out.
func (p Passage) In(text []byte) (raw string, ok bool) {
	for _, u := range markdown.Parse(p.Path, text).Units() {
		if u.Kind != markdown.KindBlank && sumUnit(u.Raw) == p.sum {
			return string(u.Raw), true
		}
	}
	return "", false
}

// Blob is that text in the repository.
func (p Passage) Blob() git.Hash {
	switch {
	case len(p.Change.Files) == 0:
		return git.Hash{}
	case p.Did == DidRemove:
		return p.Change.Files[0].Before
	}
	return p.Change.Files[0].After
}

// mostPassages bounds how far back a unit is followed.
const mostPassages = 1000

// Followed gives the changes by which a unit of a file came to be what it is, oldest
// first, from file to file; none when no change wrote exactly this.
func (x *Index) Followed(ctx context.Context, path string, raw []byte) (out []Passage, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		if out, err = t.chain(ctx, path, sumUnit(raw)); err != nil {
			return err
		}
		if out, err = t.addRemovals(ctx, out); err != nil {
			return err
		}
		for i := range out {
			if err := t.fillPassage(ctx, &out[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// chain goes back link by link, as root does when a link is put in.
func (t *tables) chain(ctx context.Context, path string, sum int64) (out []Passage, err error) {
	const query = `
		WITH RECURSIVE chain(key, n) AS (
			SELECT coalesce(
				(SELECT max(u.key) FROM unit u WHERE u.sum = ?1 AND u.path = (SELECT id FROM path WHERE name = ?2) AND u.op < 3),
				(SELECT max(u.key) FROM unit u WHERE u.sum = ?1 AND u.op < 3)), 1
			UNION ALL
			SELECT coalesce(
				(SELECT max(b.key) FROM unit b WHERE b.sum = coalesce(u.pred, u.sum) AND b.path = coalesce(u.src, u.path) AND b.op < 3 AND b.key < u.key >> 24 << 24),
				(SELECT max(b.key) FROM unit b WHERE b.sum = coalesce(u.pred, u.sum) AND b.op < 3 AND b.key < u.key >> 24 << 24)), n + 1
			FROM chain CROSS JOIN unit u ON u.key = chain.key WHERE u.root <> u.key AND n < ?3)
		SELECT u.key, u.op, u.sum, u.pred IS NULL AND u.root <> u.key, p.name, coalesce(s.name, '')
		FROM chain CROSS JOIN unit u ON u.key = chain.key JOIN path p ON p.id = u.path LEFT JOIN path s ON s.id = u.src
		ORDER BY u.key`
	err = t.each(ctx, query, []any{sum, path, mostPassages}, func(scan func(...any) error) error {
		var p Passage
		var op int
		var again bool
		err := scan(&p.key, &op, &p.sum, &again, &p.Path, &p.From)
		p.Did = [...]string{opAdded: DidAdd, opChanged: DidChange, opMoved: DidMove}[op]
		if again {
			p.Did = DidReturn
		}
		out = append(out, p)
		return err
	})
	return out, err
}

// addRemovals puts before each return the change that had taken the unit out.
func (t *tables) addRemovals(ctx context.Context, list []Passage) (out []Passage, err error) {
	for i, p := range list {
		if p.Did == DidReturn && i > 0 {
			r := Passage{Did: DidRemove, Path: list[i-1].Path, sum: list[i-1].sum}
			// Only the rows between the two are looked at.
			const query = "SELECT max(key) FROM unit WHERE key > ? AND key < ? AND op = 3 AND sum = ? AND path = (SELECT id FROM path WHERE name = ?) HAVING max(key) IS NOT NULL"
			found, err := t.one(ctx, query, []any{list[i-1].key, p.key, r.sum, r.Path}, &r.key)
			if err != nil {
				return nil, err
			}
			if found && r.key>>keyBits < p.key>>keyBits {
				out = append(out, r)
			}
		}
		out = append(out, p)
	}
	return out, nil
}

func (t *tables) fillPassage(ctx context.Context, p *Passage) error {
	page, err := t.changes(ctx, "FROM change c WHERE c.pos = ?", p.key>>keyBits)
	if err != nil || len(page) == 0 {
		return err
	}
	if err := t.addFiles(ctx, page, p.Path); err != nil {
		return err
	}
	err = t.markUndone(ctx, page)
	p.Change = page[0]
	return err
}
