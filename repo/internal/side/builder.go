package side

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
	"quipu/repo/internal/git"
)

// builder makes the rows of commits, one after the other.
type builder struct {
	repo  *git.Repo
	log   *slog.Logger
	texts textCache
	pos   int64    // the newest change's position
	tree  git.Hash // and its tree,
	hash  git.Hash // and its name
	block block    // the signatures of the block that pos is in
}

// begin sets the position that the next commit follows.
func (b *builder) begin(pos int64) { b.pos, b.hash, b.tree, b.block = pos, git.Hash{}, git.Hash{}, nil }

// add makes the rows of one commit whose parents have theirs.
func (b *builder) add(ctx context.Context, t *tables, c *git.Commit, main bool) error {
	b.pos++
	deltas, err := b.deltas(ctx, t, c)
	if err != nil {
		return err
	}
	sign := newSignature()
	if err := t.addChange(ctx, b.pos, main, c, len(deltas), sign); err != nil {
		return err
	}
	var steps []step
	others, err := b.otherParents(ctx, t, c)
	if err != nil {
		return err
	}
	for i, d := range deltas {
		before, after, err := b.pair(d)
		if err != nil {
			return err
		}
		id, err := t.pathID(ctx, d.Path)
		if err != nil {
			return err
		}
		if err := t.addFile(ctx, firstKey(b.pos)+int64(i)+1, id, d, before, after, sign); err != nil {
			return err
		}
		made := stepsOf(d.Path, before, after)
		if made, err = b.ownSteps(made, d.Path, others); err != nil {
			return err
		}
		for i := range made {
			made[i].path = id
		}
		steps = append(steps, made...)
	}
	b.hash, b.tree = c.Hash, c.Tree
	if err := b.block.add(ctx, t, b.pos, sign); err != nil {
		return err
	}
	return t.addSteps(ctx, b.pos, matchMoves(steps))
}

// deltas are the memory files that differ from the first parent's.
func (b *builder) deltas(ctx context.Context, t *tables, c *git.Commit) ([]git.Delta, error) {
	base, err := b.treeOf(ctx, t, firstParent(c))
	if err != nil {
		return nil, err
	}
	return b.compare(base, c)
}

// compare lists the memory files that differ between a tree and a commit's; none
// when a tree is missing or damaged.
func (b *builder) compare(base git.Hash, c *git.Commit) ([]git.Delta, error) {
	all, err := b.repo.Changes(base, c.Tree)
	if err != nil {
		if !lost(err) {
			return nil, err
		}
		b.log.Warn("index leaves out the files of a commit", "commit", c.Hash.String(), "why", err)
		return nil, nil
	}
	kept := all[:0]
	for _, d := range all {
		if isMemory(d.Path) {
			kept = append(kept, d)
		}
	}
	return kept, nil
}

func isMemory(path string) bool {
	return path == "MEMORY.md" || path == "ABOUT.md" || strings.HasPrefix(path, "memory/")
}

// treeOf is a commit's tree; zero, the empty one, for a commit that is not there.
func (b *builder) treeOf(ctx context.Context, t *tables, h git.Hash) (git.Hash, error) {
	if h == b.hash {
		return b.tree, nil // zero for none, as b begins
	}
	var tree []byte
	_, err := t.one(ctx, "SELECT tree FROM change WHERE hash = ?", []any{h[:]}, &tree)
	return hashOf(tree), err
}

// sideTree is what another parent of a merge has: by path its blob, where that is
// not the merge's.
type sideTree map[string]git.Hash

func (b *builder) otherParents(ctx context.Context, t *tables, c *git.Commit) ([]sideTree, error) {
	var out []sideTree
	for _, h := range c.Parents[min(1, len(c.Parents)):] {
		tree, err := b.treeOf(ctx, t, h)
		if err != nil {
			return nil, err
		}
		if tree.IsZero() {
			continue
		}
		deltas, err := b.compare(tree, c)
		if err != nil {
			return nil, err
		}
		had := sideTree{}
		for _, d := range deltas {
			had[d.Path] = d.Before
		}
		out = append(out, had)
	}
	return out, nil
}

// ownSteps leaves out what a merge took unchanged from another parent: those
// units were written there, not here.
func (b *builder) ownSteps(steps []step, path string, others []sideTree) ([]step, error) {
	for _, had := range others {
		blob, differs := had[path]
		if !differs {
			return nil, nil
		}
		t, err := b.text(blob)
		if err != nil {
			return nil, err
		}
		there := map[int64]bool{}
		if t.plain {
			for _, u := range markdown.Parse(path, t.raw).Units() {
				there[sumUnit(u.Raw)] = true
			}
		}
		kept := steps[:0]
		for _, s := range steps {
			if there[s.sum] == (s.op == opRemoved) {
				kept = append(kept, s)
			}
		}
		steps = kept
	}
	return steps, nil
}

const (
	maxPlain  = 1 << 20 // a larger file has no diff and no units
	maxCached = 8 << 20 // bytes of texts kept between two commits
)

// text is one version of a file.
type text struct {
	raw   []byte
	sum   []byte // SHA-256, nil when the text is not there
	plain bool   // small enough and no binary file
}

// textCache holds the newest texts: the version before a change is most often
// the version after an earlier one.
type textCache struct {
	texts map[git.Hash]text
	size  int
}

func (b *builder) pair(d git.Delta) (before, after text, err error) {
	if before, err = b.text(d.Before); err == nil {
		after, err = b.text(d.After)
	}
	return before, after, err
}

// text reads a blob; no text for the zero Hash and for one that is not there (a
// gitlink, a damaged object).
func (b *builder) text(h git.Hash) (text, error) {
	if h.IsZero() {
		return text{plain: true}, nil
	}
	if t, ok := b.texts.texts[h]; ok {
		return t, nil
	}
	raw, err := b.repo.Blob(h)
	if err != nil {
		if lost(err) {
			return text{}, nil
		}
		return text{}, err
	}
	sum := sha256.Sum256(raw)
	t := text{raw: raw, sum: sum[:], plain: isPlain(raw)}
	if b.texts.texts == nil || b.texts.size > maxCached {
		b.texts = textCache{texts: map[git.Hash]text{}}
	}
	b.texts.size += len(raw)
	b.texts.texts[h] = t
	return t, nil
}

// isPlain says whether units and a diff make sense. A note may hold a NUL or
// bytes that are no UTF-8; a file with both is a picture or another encoding.
func isPlain(raw []byte) bool {
	return len(raw) <= maxPlain && (bytes.IndexByte(raw, 0) < 0 || utf8.Valid(raw))
}

// diff is the change as a person reads it, or one line that says why there is none.
func diff(path string, before, after text, d git.Delta) (shown string, added, removed int) {
	switch {
	case before.plain && after.plain:
		shown, added, removed = markdown.Diff(path, before.raw, after.raw)
		return strings.ToValidUTF8(shown, "\uFFFD"), added, removed
	case !d.Before.IsZero() && before.sum == nil, !d.After.IsZero() && after.sum == nil:
		return "(no diff: the text is not in this repository)", 0, 0
	case max(len(before.raw), len(after.raw)) > maxPlain:
		return fmt.Sprintf("(no diff: too large, %d bytes before, %d after)", len(before.raw), len(after.raw)), 0, 0
	}
	return fmt.Sprintf("(no diff: binary, %d bytes before, %d after)", len(before.raw), len(after.raw)), 0, 0
}

func (t *tables) addFile(ctx context.Context, key, path int64, d git.Delta, before, after text, sign *signature) error {
	shown, added, removed := diff(d.Path, before, after, d)
	sign.note(shown)
	return t.exec(ctx, "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		key, path, raw(d.Before), raw(d.After), before.sum, after.sum, len(before.raw), len(after.raw), lines(after.raw), added, removed, shown)
}

// lines counts as the budget of a file does: one final line end begins no other line.
func lines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// addChange makes the change's row. Of several with one id the oldest keeps it,
// and what a change undoes is named by the id under which it is known here.
func (t *tables) addChange(ctx context.Context, pos int64, main bool, c *git.Commit, files int, sign *signature) error {
	ch := ofCommit(c)
	sign.note(said(ch))
	if hash := c.Hash.String(); ch.ID != hash {
		taken, err := t.one(ctx, "SELECT 1 FROM change WHERE id = ?", []any{ch.ID}, new(int))
		if err != nil {
			return err
		}
		if taken {
			ch.ID = hash
		}
	}
	if h, ok := git.ParseHash(ch.Undoes); ok {
		if _, err := t.one(ctx, "SELECT id FROM change WHERE hash = ?", []any{h[:]}, &ch.Undoes); err != nil {
			return err
		}
	}
	var parents []byte
	for _, p := range c.Parents {
		parents = append(parents, p[:]...)
	}
	_, zone := ch.At.Zone()
	return t.exec(ctx, "INSERT INTO change VALUES (?, ?, ?, ?, coalesce(?, x''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		pos, main, c.Hash[:], c.Tree[:], parents, ch.ID, ch.At.Unix(), zone, ch.AuthorKind, ch.AuthorName, ch.GitAuthor,
		ch.Source, ch.Action, ch.Via, ch.Undoes, ch.Turn, ch.Quote, ch.Subject, ch.Foreign, files)
}

// pathID gives a path's number, in the order in which paths first appear.
func (t *tables) pathID(ctx context.Context, path string) (id int64, err error) {
	found, err := t.one(ctx, "SELECT id FROM path WHERE name = ?", []any{path}, &id)
	if err != nil || found {
		return id, err
	}
	_, err = t.one(ctx, "INSERT INTO path (name) VALUES (?) RETURNING id", []any{path}, &id)
	return id, err
}
