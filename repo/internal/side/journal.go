package side

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"quipu/repo/internal/git"
)

// Filter chooses changes. The zero value is the newest 50.
type Filter struct {
	Path      string    // changes of this file only, and of their files only this one
	Author    string    // a kind ("bot"), or kind and name ("bot scout")
	Action    string    // this one only
	Words     []string  // each must occur in the subject, the source or one file's diff, case folded; other files are left out
	Since     time.Time // inclusive
	Until     time.Time // inclusive
	BeforePos int64     // only changes older than this position; 0: no bound
	Limit     int       // changes; 0 is 50, as a page of the journal has
	Skip      []string  // actions that are left out
}

const pageSize = 50

// Newest gives changes with their files, newest first.
func (x *Index) Newest(ctx context.Context, f Filter) (out []Change, err error) {
	limit := f.Limit
	if limit <= 0 {
		limit = pageSize
	}
	words := foldAll(f.Words)
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		for at := f.BeforePos; len(out) < limit; {
			read := t.page
			if len(words) > 0 {
				read = func(ctx context.Context, f Filter, at int64, limit int) ([]Change, int64, error) {
					return t.search(ctx, f, at, limit, words)
				}
			}
			page, next, err := read(ctx, f, at, limit)
			if err != nil {
				return err
			}
			out = append(out, page[:min(len(page), limit-len(out))]...)
			if at = next; at == 0 {
				break
			}
		}
		return t.markUndone(ctx, out)
	})
	return out, err
}

// page reads a page of changes older than at, with their files; next is where to go
// on, 0 at the end.
func (t *tables) page(ctx context.Context, f Filter, at int64, limit int) (page []Change, next int64, err error) {
	from, args := f.from(at)
	page, err = t.changes(ctx, from+" LIMIT ?", append(args, limit)...)
	if err != nil || len(page) == 0 {
		return nil, 0, err
	}
	if len(page) == limit {
		next = page[limit-1].Pos
	}
	return page, next, t.addFiles(ctx, page, f.Path)
}

// from is the filter as SQL, newest first; words are not part of it.
func (f Filter) from(before int64) (string, []any) {
	conds, args := f.conds()
	source, order := "FROM change c", "c.pos"
	if f.Path != "" {
		// The file's own rows lead, so that only they are read. A file is in a change once.
		source, order = "FROM file f CROSS JOIN change c ON c.pos = f.key >> 24", "f.key"
		conds, args = append(conds, "f.path = (SELECT id FROM path WHERE name = ?)"), append(args, f.Path)
	}
	switch {
	case before > 0 && f.Path != "":
		conds, args = append(conds, "f.key < ?"), append(args, firstKey(before))
	case before > 0:
		conds, args = append(conds, "c.pos < ?"), append(args, before)
	}
	if len(conds) > 0 {
		source += " WHERE " + strings.Join(conds, " AND ")
	}
	return source + " ORDER BY " + order + " DESC", args
}

// conds is what the filter asks of a change itself, as SQL.
func (f Filter) conds() (conds []string, args []any) {
	add := func(cond string, a ...any) {
		conds, args = append(conds, cond), append(args, a...)
	}
	if f.Author != "" {
		kind, name, named := strings.Cut(f.Author, " ")
		add("c.kind = ?", kind)
		if named {
			add("c.name = ?", name)
		}
	}
	if f.Action != "" {
		add("c.action = ?", f.Action)
	}
	if !f.Since.IsZero() {
		add("c.at >= ?", ceilSecond(f.Since))
	}
	if !f.Until.IsZero() {
		add("c.at <= ?", f.Until.Unix())
	}
	for _, a := range f.Skip {
		add("c.action <> ?", a)
	}
	return conds, args
}

// ceilSecond is the first whole second that is not before t: commits carry no parts of one.
func ceilSecond(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

const changeColumns = `SELECT c.pos, c.hash, c.tree, c.parents, c.id, c.at, c.zone, c.kind, c.name, c.author,
	c.source, c.action, c.via, c.undoes, c.turn, c.quote, c.subject, c.outside, c.files `

// changes reads the rows of `change c` that from names, without files.
func (t *tables) changes(ctx context.Context, from string, args ...any) ([]Change, error) {
	var out []Change
	err := t.each(ctx, changeColumns+from, args, func(scan func(...any) error) error {
		var c Change
		var hash, tree, parents []byte
		var at int64
		var zone int
		err := scan(&c.Pos, &hash, &tree, &parents, &c.ID, &at, &zone, &c.AuthorKind, &c.AuthorName, &c.GitAuthor,
			&c.Source, &c.Action, &c.Via, &c.Undoes, &c.Turn, &c.Quote, &c.Subject, &c.Foreign, &c.Touched)
		c.Hash, c.Tree = hashOf(hash), hashOf(tree)
		for p := range slices.Chunk(parents, len(git.Hash{})) {
			c.Parents = append(c.Parents, hashOf(p))
		}
		c.At = time.Unix(at, 0).In(zoneOf(zone))
		out = append(out, c)
		return err
	})
	return out, err
}

func zoneOf(seconds int) *time.Location {
	if seconds == 0 {
		return time.UTC
	}
	return time.FixedZone("", seconds)
}

// addFiles reads the files of changes; with a path only that one's.
func (t *tables) addFiles(ctx context.Context, changes []Change, path string) error {
	at := map[int64]int{}
	var positions []int64
	for i, c := range changes {
		at[c.Pos] = i
		positions = append(positions, c.Pos)
	}
	query := `SELECT f.key, p.name, f.before, f.after, f.before_sum, f.after_sum, f.before_size, f.added, f.removed, f.diff
		FROM json_each(?) j CROSS JOIN file f ON f.key > j.value << 24 AND f.key < (j.value + 1) << 24 JOIN path p ON p.id = f.path`
	args := []any{list(positions)}
	if path != "" {
		query += " WHERE p.name = ?"
		args = append(args, path)
	}
	return t.each(ctx, query+" ORDER BY f.key", args, func(scan func(...any) error) error {
		var f File
		var key int64
		var before, after, beforeSum, afterSum []byte
		err := scan(&key, &f.Path, &before, &after, &beforeSum, &afterSum, &f.BeforeSize, &f.Added, &f.Removed, &f.Diff)
		f.N = int(key & (1<<keyBits - 1))
		f.Before, f.After = hashOf(before), hashOf(after)
		f.BeforeSum, f.AfterSum = hexSum(beforeSum), hexSum(afterSum)
		f.Kind = kindOf(f.Before, f.After)
		c := &changes[at[key>>keyBits]]
		c.Files = append(c.Files, f)
		return err
	})
}

// list is numbers as json_each reads them.
func list(numbers []int64) string {
	b, _ := json.Marshal(numbers) // numbers always can
	return string(b)
}
