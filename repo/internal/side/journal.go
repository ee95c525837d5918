package side

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

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
			page, next, err := t.page(ctx, f, at, limit, words)
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

// page reads a stretch of changes older than at and keeps those that the words
// allow; next is where to go on, 0 at the end.
func (t *tables) page(ctx context.Context, f Filter, at int64, limit int, words []string) (page []Change, next int64, err error) {
	const stretch = 500 // how many changes are searched for words at a time
	if len(words) > 0 {
		limit = stretch
	}
	from, args := f.from(at)
	page, err = t.changes(ctx, from+" LIMIT ?", append(args, limit)...)
	if err != nil || len(page) == 0 {
		return nil, 0, err
	}
	if len(page) == limit {
		next = page[limit-1].Pos
	}
	if err := t.addFiles(ctx, page, f.Path); err != nil {
		return nil, 0, err
	}
	if len(words) > 0 {
		page = matching(page, words)
	}
	return page, next, nil
}

// from is the filter as SQL, newest first; words are not part of it.
func (f Filter) from(before int64) (string, []any) {
	source, order := "FROM change c", "c.pos"
	var conds []string
	var args []any
	add := func(cond string, a ...any) {
		conds, args = append(conds, cond), append(args, a...)
	}
	if f.Path != "" {
		// The file's own rows lead, so that only they are read. A file is in a change once.
		source, order = "FROM file f CROSS JOIN change c ON c.pos = f.key >> 24", "f.key"
		add("f.path = (SELECT id FROM path WHERE name = ?)", f.Path)
	}
	switch {
	case before > 0 && f.Path != "":
		add("f.key < ?", firstKey(before))
	case before > 0:
		add("c.pos < ?", before)
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
	if len(conds) > 0 {
		source += " WHERE " + strings.Join(conds, " AND ")
	}
	return source + " ORDER BY " + order + " DESC", args
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

// matching keeps the changes in which all words occur.
func matching(page []Change, words []string) []Change {
	kept := page[:0]
	for _, c := range page {
		if keepMatching(&c, words) {
			kept = append(kept, c)
		}
	}
	return kept
}

// keepMatching says whether every word occurs in a change, and leaves it the
// files in which those do that its subject and source lack.
func keepMatching(c *Change, words []string) bool {
	said := fold(c.Subject + "\n" + c.Source)
	missing := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(said, w) })
	if len(missing) == 0 {
		return true
	}
	c.Files = slices.DeleteFunc(c.Files, func(f File) bool {
		diff := fold(f.Diff)
		return slices.ContainsFunc(missing, func(w string) bool { return !strings.Contains(diff, w) })
	})
	return len(c.Files) > 0
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
