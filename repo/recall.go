package repo

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/index"
	"quipu/repo/internal/git"
)

// Note is what a search of the notes finds, and why.
type Note = index.Hit

// The marks of the block that recall puts before a message.
const (
	RecallOpen  = index.BlockOpen
	RecallClose = index.BlockClose
)

// finder is the in-memory index of a workspace's notes, with the text of each file
// that it was made from.
type finder struct {
	mu    sync.Mutex
	x     *index.Index
	blobs map[string]git.Hash
	mark  string // of what was out then
}

// NoteQuery asks for notes.
type NoteQuery struct {
	Text  string
	Limit int                    // 0 is 10
	Kinds func(path string) bool // which files are searched at all; nil is all
	Since time.Time              // of dated notes: the first day; zero is any
	Until time.Time              // the last day; zero is any
}

// Notes finds the notes that answer a question, best first. It reads what the newest
// commit holds, so a changed note is found as soon as its change was answered.
// ErrOff when memory is switched off for this bot.
func (w *Workspace) Notes(_ context.Context, q NoteQuery) ([]Note, error) {
	if !w.store.Config().MemoryOn(w.id) {
		return nil, wrapf(ErrOff, "memory is switched off for this bot")
	}
	if err := w.refreshNotes(); err != nil {
		return nil, err
	}
	ask := index.Query{Text: q.Text, Today: markdown.DateOf(w.now()), Limit: q.Limit, Only: q.Kinds}
	if !q.Since.IsZero() || !q.Until.IsZero() {
		ask.Keep = q.within()
	}
	return w.trustedHits(w.finder.x.Search(ask))
}

// within says of a note whether it was written in the span; one without a date was not.
func (q NoteQuery) within() func(path string, n index.Note) bool {
	since, until := dayOr(q.Since), dayOr(q.Until)
	return func(_ string, n index.Note) bool {
		return !n.Date.IsZero() && !n.Date.Before(since) && (until.IsZero() || !until.Before(n.Date))
	}
}

func dayOr(t time.Time) markdown.Date {
	if t.IsZero() {
		return markdown.Date{}
	}
	return markdown.DateOf(t)
}

// refreshNotes brings the index up to the newest commit, file by file.
func (w *Workspace) refreshNotes() error {
	head, err := w.git.Position()
	if err != nil {
		return gitError(err)
	}
	blobs, err := w.git.BlobsAt(head)
	if err != nil {
		return gitError(err)
	}
	disputes, mark, err := w.out()
	if err != nil {
		return err
	}
	f := &w.finder
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.x == nil {
		f.x, f.blobs = index.New(), map[string]git.Hash{}
	}
	for path := range f.blobs {
		if _, there := blobs[path]; !there {
			f.x.Remove(path)
			delete(f.blobs, path)
		}
	}
	for path, blob := range blobs {
		if kind, err := policy.CheckPath(path); err != nil || kind == policy.About || f.blobs[path] == blob && f.mark == mark {
			continue
		}
		text, err := w.git.Blob(blob)
		if err != nil {
			return gitError(err)
		}
		text, _ = w.masked(text)
		f.x.Replace(index.Read(path, standingOf(path, text, disputes)))
		f.blobs[path] = blob
	}
	f.mark = mark
	return nil
}

// standingOf is a text without the notes that are out. They are taken out before anything
// is indexed: what is disputed is never ranked, lends its neighbours nothing, and cannot be
// talked back into relevance.
func standingOf(path string, text []byte, d *policy.Disputes) []byte {
	if d.Len() == 0 {
		return text
	}
	out := policy.Outside(d.Out)
	if kind, _ := policy.CheckPath(path); kind == policy.Log {
		out = func(fact string, _ bool) bool { return d.Tells(fact) }
	}
	return policy.Blank(path, text, out)
}

// BenchRecall measures recall on conversations in LoCoMo's form; now is the clock that
// searches are timed with.
func BenchRecall(r io.Reader, now func() time.Time) (index.Figures, error) {
	return index.Bench(r, now)
}

// Dated gives the notes and log lines of a span of days, newest first: a search
// without words. The same switch holds as for Notes.
func (w *Workspace) Dated(_ context.Context, q NoteQuery) ([]Note, error) {
	if !w.store.Config().MemoryOn(w.id) {
		return nil, wrapf(ErrOff, "memory is switched off for this bot")
	}
	head, err := w.git.Position()
	if err != nil {
		return nil, gitError(err)
	}
	blobs, err := w.git.BlobsAt(head)
	if err != nil {
		return nil, gitError(err)
	}
	disputes, _, err := w.out()
	if err != nil {
		return nil, err
	}
	within := q.within()
	var out []Note
	for path, blob := range blobs {
		if kind, err := policy.CheckPath(path); err != nil || kind == policy.About || q.Kinds != nil && !q.Kinds(path) {
			continue
		}
		text, err := w.git.Blob(blob)
		if err != nil {
			return nil, gitError(err)
		}
		text, _ = w.masked(text)
		for _, n := range index.Read(path, standingOf(path, text, disputes)).Notes {
			if !n.Struck && within(path, n) {
				out = append(out, Note{Note: n, Path: path, Label: path})
			}
		}
	}
	slices.SortFunc(out, func(a, b Note) int {
		return cmp.Or(b.Date.Compare(a.Date), cmp.Compare(a.Path, b.Path), cmp.Compare(b.Line, a.Line))
	})
	if q.Limit > 0 {
		out = out[:min(q.Limit, len(out))]
	}
	return out, nil
}

// TaughtBy gives the change that wrote the note on a line of a file, "" when it is not
// known.
func (w *Workspace) TaughtBy(ctx context.Context, path string, line int) (string, error) {
	lines, err := w.Blame(ctx, path)
	if err != nil {
		return "", err
	}
	for _, b := range slices.Backward(lines) {
		if b.Line <= line {
			return string(b.Change), nil
		}
	}
	return "", nil
}
