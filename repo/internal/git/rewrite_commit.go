package git

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

var (
	emptyBlob = hashObject(KindBlob, nil)
	emptyTree = hashObject(KindTree, nil)
)

// oldCommit is one commit of the history as it was. raw is dropped once it has been
// rewritten.
type oldCommit struct {
	hash, tree Hash
	parents    []Hash
	raw        []byte
	notes      bool // only refs/notes holds it: its tree is one of notes
	late       bool // its own date makes it old
	fate       fate
	done       bool
	new        Hash
	newTree    Hash
}

// collect reads the commits that starts reach and that are not known yet, parents
// before children.
func (w *rewriter) collect(ctx context.Context, starts []Hash, notes bool) ([]*oldCommit, error) {
	type visit struct {
		c    *oldCommit
		next int // of its parents
	}
	var order []*oldCommit
	var stack []visit
	push := func(h Hash) error {
		if w.commits[h] != nil {
			return nil
		}
		c, err := w.readCommit(h)
		if err != nil {
			return err
		}
		c.notes = notes
		w.commits[h] = c
		stack = append(stack, visit{c: c})
		return ctx.Err()
	}
	for _, h := range starts {
		if err := push(h); err != nil {
			return nil, err
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.c.parents) {
				order = append(order, top.c)
				w.order = append(w.order, top.c)
				stack = stack[:len(stack)-1]
				continue
			}
			top.next++
			if err := push(top.c.parents[top.next-1]); err != nil {
				return nil, err
			}
		}
	}
	return order, nil
}

func (w *rewriter) readCommit(h Hash) (*oldCommit, error) {
	raw, err := w.src.read(KindCommit, h)
	if err != nil {
		return nil, err
	}
	c := &oldCommit{hash: h, raw: raw}
	head, _ := cutMessage(raw)
	for line := range bytes.Lines(head) {
		key, value, _ := strings.Cut(string(bytes.TrimSuffix(line, []byte("\n"))), " ")
		id, ok := ParseHash(value)
		switch {
		case key == "tree" && ok:
			c.tree = id
		case key == "parent" && ok:
			c.parents = append(c.parents, id)
		}
		c.late = c.late || w.longAgo(key, value)
	}
	if c.tree.IsZero() {
		return nil, fmt.Errorf("commit %s: %w", h, ErrDamaged)
	}
	return c, nil
}

// reachable counts the known commits that starts reach.
func (w *rewriter) reachable(starts []Hash) int {
	seen := map[Hash]bool{}
	queue := slices.Clone(starts)
	for len(queue) > 0 {
		h := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if c := w.commits[h]; c != nil && !seen[h] {
			seen[h] = true
			queue = append(queue, c.parents...)
		}
	}
	return len(seen)
}

// commitChunk is how many commits are planned at once: their trees are held.
const commitChunk = 64

// commitAll rewrites commits, parents before children.
func (w *rewriter) commitAll(ctx context.Context, order []*oldCommit) error {
	for some := range slices.Chunk(order, commitChunk) {
		var jobs []*textJob
		for _, c := range some {
			if c.notes {
				continue
			}
			if _, err := w.plan(w.root, c.tree, &jobs); err != nil {
				return err
			}
		}
		if err := w.lookAt(ctx, jobs); err != nil {
			return err
		}
		for _, c := range some {
			if err := w.commit(c); err != nil {
				return err
			}
		}
		if w.Progress != nil {
			w.Progress(w.out.Commits, len(w.commits)-w.out.Dropped)
		}
	}
	return nil
}

// commit writes one commit, its tree and its texts being known.
func (w *rewriter) commit(c *oldCommit) (err error) {
	if c.notes {
		c.newTree, err = w.notesTree(c.tree)
	} else {
		c.newTree, err = w.tree(c.tree)
	}
	if err != nil {
		return err
	}
	head, text := cutMessage(c.raw)
	m := Message{Text: string(text), Commit: c.hash, Emptied: w.emptied(c), Base: c.fate == base}
	m.Moved = c.newTree != c.tree || slices.ContainsFunc(c.parents, func(p Hash) bool { return m.Base || w.commits[p].new != p })
	next := w.Message(m)
	raw := c.raw
	if m.Moved || next != m.Text || w.Found(head) {
		raw = w.newCommit(c, head, next)
	}
	c.new, c.done, c.raw = hashObject(KindCommit, raw), true, nil
	w.out.Commits++
	if c.new != c.hash {
		w.out.New[c.hash] = c.new
		w.out.Changed++
		if m.Emptied {
			w.out.Emptied++
		}
		if next != m.Text {
			w.out.Copies++
		}
	}
	if c.new == c.hash {
		return w.keep(KindCommit, c.hash, raw)
	}
	return w.put(KindCommit, c.new, raw, nil)
}

// emptied says whether a commit changes nothing any more, and once did.
func (w *rewriter) emptied(c *oldCommit) bool {
	was, is := emptyTree, emptyTree
	if len(c.parents) > 0 && c.fate != base {
		p := w.commits[c.parents[0]]
		was, is = p.tree, p.newTree
	}
	return c.newTree == is && c.tree != was
}

// cutMessage cuts a commit or tag into its header, with the line break that ends it,
// and its message.
func cutMessage(raw []byte) (head, text []byte) {
	if i := bytes.Index(raw, []byte("\n\n")); i >= 0 {
		return raw[:i+1], raw[i+2:]
	}
	return raw, nil
}

// newCommit makes a commit's bytes: those of the old one but for tree, parents and
// message. What signs the old bytes, or repeats a merged tag, goes.
func (w *rewriter) newCommit(c *oldCommit, head []byte, text string) []byte {
	out := make([]byte, 0, len(c.raw))
	n, size := 0, 0
	for line := range unsigned(head) {
		size += len(line)
		switch key, _, _ := bytes.Cut(line, []byte(" ")); string(key) {
		case "tree":
			out = fmt.Appendf(out, "tree %s\n", c.newTree)
		case "parent":
			if c.fate == base {
				continue
			}
			out = fmt.Appendf(out, "parent %s\n", w.commits[c.parents[n]].new)
			n++
		default:
			out = append(out, line...)
		}
	}
	w.signed = w.signed || size < len(head)
	return append(append(out, '\n'), text...)
}

// unsigned gives a header's lines but for those that sign the old bytes, or repeat
// a merged tag. A line that begins with a space goes on with the one before.
func unsigned(head []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		dropping := false
		for line := range bytes.Lines(head) {
			key, _, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
			switch string(key) {
			case "":
			case "gpgsig", "gpgsig-sha256", "mergetag":
				dropping = true
			default:
				dropping = false
			}
			if !dropping && !yield(line) {
				return
			}
		}
	}
}

// follow gives the new name of an object that a ref or tag names.
func (w *rewriter) follow(h Hash) (Hash, error) {
	if c := w.commits[h]; c != nil {
		return c.new, nil
	}
	if next, done := w.tags[h]; done {
		return next, nil
	}
	kind, raw, err := w.src.object(h)
	if err != nil {
		return Hash{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	switch kind {
	case KindTag:
		next, err := w.tag(h, raw)
		w.tags[h] = next
		return next, err
	case KindTree:
		return h, w.keepTree(h, raw)
	default:
		return h, w.keep(kind, h, raw)
	}
}

// keepTree takes a tree over that no commit holds, as it is.
func (w *rewriter) keepTree(h Hash, raw []byte) error {
	if w.has(h) {
		return nil
	}
	err := eachEntry(raw, func(mode uint32, _ []byte, id int) error {
		child := Hash(raw[id : id+20])
		if mode == modeLink || w.has(child) {
			return nil
		}
		kind, below, err := w.src.object(child)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if kind == KindTree {
			return w.keepTree(child, below)
		}
		return w.keep(kind, child, below)
	})
	if err != nil {
		return err
	}
	return w.keep(KindTree, h, raw)
}

func (w *rewriter) tag(h Hash, raw []byte) (Hash, error) {
	head, text := cutMessage(raw)
	target, err := tagTarget(h, head)
	if err != nil {
		return Hash{}, err
	}
	to, err := w.follow(target)
	if err != nil {
		return Hash{}, err
	}
	body, signed := cutSignature(text)
	message := w.Message(Message{Text: string(body), Commit: target, Tag: true, Moved: to != target})
	if message == string(body) && to == target && !w.Found(raw) {
		return h, w.keep(KindTag, h, raw)
	}
	if message != string(body) {
		w.out.Copies++
	}
	w.signed = w.signed || signed
	out := fmt.Appendf(nil, "object %s\n", to)
	for line := range unsigned(head) {
		if !bytes.HasPrefix(line, []byte("object ")) {
			out = append(out, line...)
		}
	}
	out = append(append(out, '\n'), message...)
	next := hashObject(KindTag, out)
	return next, w.put(KindTag, next, out, nil)
}

func tagTarget(h Hash, head []byte) (Hash, error) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	hex, _ := strings.CutPrefix(string(line), "object ")
	if target, ok := ParseHash(hex); ok {
		return target, nil
	}
	return Hash{}, fmt.Errorf("tag %s: %w", h, ErrDamaged)
}

// cutSignature takes the signature off the end of a tag's message.
func cutSignature(text []byte) (body []byte, signed bool) {
	for _, mark := range []string{"-----BEGIN PGP SIGNATURE-----", "-----BEGIN PGP MESSAGE-----", "-----BEGIN SSH SIGNATURE-----", "-----BEGIN SIGNED MESSAGE-----"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return nil, true
		}
		if i := bytes.Index(text, []byte("\n"+mark)); i >= 0 {
			return text[:i+1], true
		}
	}
	return text, false
}
