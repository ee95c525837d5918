package repo

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/internal/side"
)

// notUndone are the actions that an undo without an id passes over.
var notUndone = append(slices.Clone(quiet), string(ActInit), string(ActHistory))

// Undo reverses a change; id "" is the newest one that is not undone (init, log,
// signal, sync, merge and erase are passed over, what an import brought of another history, and a change of which nothing is left). With Revert the whole change is reversed
// by entries and what came later stays; with Restore each file, or with a row's id
// that one, is put back to its text before. Undo of an undo is a redo.
// ErrNotFound, ErrConflict (ConflictError), ErrNoUndo.
func (w *Workspace) Undo(ctx context.Context, m Meta, id string, mode Mode) (Receipt, error) {
	w.finishFirst(ctx)
	if id == "" {
		return w.undoNewest(ctx, m, mode)
	}
	x, err := w.history(ctx)
	if err != nil {
		return Receipt{}, err
	}
	c, n, err := w.find(ctx, x, id)
	if err != nil {
		return Receipt{}, err
	}
	return w.reverseBoth(ctx, m, c, n, mode)
}

// undoNewest walks back to the first change that leaves something to undo: what a
// restore went over is gone already.
func (w *Workspace) undoNewest(ctx context.Context, m Meta, mode Mode) (Receipt, error) {
	if _, err := w.TakeIn(ctx, w.person()); err != nil {
		return Receipt{}, err
	}
	x, err := w.history(ctx)
	if err != nil {
		return Receipt{}, err
	}
	c, err := x.Undoable(ctx, notUndone)
	for ; err == nil; c, err = olderUndoable(ctx, x, c.Pos) {
		if len(c.Files) == 0 && c.Action != string(ActImport) {
			continue // a commit of a person's that touched no note
		}
		r, uerr := w.reverseBoth(ctx, m, c, 0, mode)
		var conflict *ConflictError
		if !errors.As(uerr, &conflict) || conflict.Reason != nothingLeft {
			return r, uerr
		}
	}
	if errors.Is(err, side.ErrNotFound) {
		err = wrapf(ErrNotFound, "there is nothing to undo")
	}
	return Receipt{}, err
}

// olderUndoable is the newest change before a position that is not undone.
func olderUndoable(ctx context.Context, x *side.Index, before int64) (side.Change, error) {
	for {
		changes, err := x.Newest(ctx, side.Filter{BeforePos: before, Skip: notUndone})
		if err != nil || len(changes) == 0 {
			if err == nil {
				err = side.ErrNotFound
			}
			return side.Change{}, err
		}
		for _, c := range changes {
			if c.UndoneBy == "" && c.Undoes == "" {
				return c, nil
			}
			before = c.Pos
		}
	}
}

// Redo reverses the newest undo that is not itself reversed. ErrNotFound when there
// is none.
func (w *Workspace) Redo(ctx context.Context, m Meta) (Receipt, error) {
	w.finishFirst(ctx)
	x, err := w.history(ctx)
	if err != nil {
		return Receipt{}, err
	}
	c, err := x.Redoable(ctx)
	if errors.Is(err, side.ErrNotFound) {
		return Receipt{}, wrapf(ErrNotFound, "there is nothing to redo")
	}
	if err != nil {
		return Receipt{}, err
	}
	return w.reverseBoth(ctx, m, c, 0, Revert)
}

// reverseBoth reverses a change, and its other half when it spans About me, too:
// both have one id, and so have their reversals.
func (w *Workspace) reverseBoth(ctx context.Context, m Meta, c side.Change, n int, mode Mode) (Receipt, error) {
	r, err := w.reverse(ctx, m, c, n, mode, "")
	if err != nil || m.DryRun || w.id == meID || c.Foreign {
		return r, err
	}
	me, err := w.store.Me(ctx, "")
	if errors.Is(err, ErrNotFound) {
		return r, nil
	}
	if err == nil {
		err = me.reverseHalf(ctx, m, c.ID, mode, r.Change)
	}
	if err != nil {
		r.Notes = append(r.Notes, "the part of it in About me stays: "+err.Error())
	}
	return r, nil
}

// reverseHalf reverses this workspace's half of a change, where it has one.
func (w *Workspace) reverseHalf(ctx context.Context, m Meta, change string, mode Mode, id ChangeID) error {
	x, err := w.history(ctx)
	if err != nil {
		return err
	}
	c, err := x.ByID(ctx, change)
	if errors.Is(err, side.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.reverse(ctx, m, c, 0, mode, id)
	return err
}

// reversible gives a change with all that it brought along, and refuses what no undo can
// reverse.
func (w *Workspace) reversible(c side.Change, mode Mode) (side.Change, error) {
	c, err := w.withHistory(c)
	if err != nil {
		return c, err
	}
	return c, reversible(c, mode)
}

func reversible(c side.Change, mode Mode) error {
	switch {
	case isBase(c):
		return wrapf(ErrNoUndo, "the history begins there: what came before was let go")
	case c.Action == string(ActErase):
		return wrapf(ErrNoUndo, "what was erased is gone for good")
	case len(c.Files) == 0 && strings.HasSuffix(c.Subject, policy.ErasedSubject):
		return wrapf(ErrNoUndo, "what that change brought in or took out was erased for good")
	case len(c.Files) == 0:
		return wrapf(ErrNoUndo, "that change touched no memory file")
	case c.UndoneBy != "" && mode != Restore:
		return &ConflictError{Change: ChangeID(c.ID), Reason: "it is undone already, by change " + c.UndoneBy}
	}
	return nil
}

// reverse reverses a change in this workspace alone; id "" is a new one.
func (w *Workspace) reverse(ctx context.Context, m Meta, c side.Change, n int, mode Mode, id ChangeID) (Receipt, error) {
	c, err := w.reversible(c, mode)
	if err != nil {
		return Receipt{}, err
	}
	files := c.Files
	if mode == Restore && n > 0 {
		files = slices.DeleteFunc(slices.Clone(files), func(f side.File) bool { return f.N != n })
	}
	undone := ChangeID(c.ID)
	if len(files) < len(c.Files) {
		undone = ChangeID(rowID(undone, n-1, c.Touched))
	}
	m.Action, m.Via = ActUndo, ViaRevert
	subject := strings.TrimPrefix(c.Subject, "redo: ")
	if was, ok := strings.CutPrefix(c.Subject, "undo: "); ok && c.Action == string(ActUndo) {
		m.Action, subject = ActRedo, was
	}
	return w.change(ctx, m, func(v *view) (draft, error) {
		d := draft{id: id, subject: subject, undoes: ChangeID(c.ID), receipt: Receipt{Undone: undone}}
		r := reversal{v: v, by: m.Author.String(), change: c, exact: len(files) == len(c.Files) && c.UndoneBy == ""}
		for _, f := range files {
			if err := r.file(f, mode); err != nil {
				return d, err
			}
		}
		if mode == Restore && !r.exact { // it goes over later changes, or leaves some of this one: a change of its own
			d.action, d.undoes, d.subject = ActRestore, "", "what stood before "+c.Subject
		}
		d.files = r.files
		if err := r.verdict(&d); err != nil {
			return d, err
		}
		if forgetting(c) {
			if onlyOwn(d.files) {
				d.receipt.Notes = append(d.receipt.Notes, "what it took out was erased for good: this is about the list of what no bot learns alone")
			}
			return d, nil
		}
		return d, v.leaveForgotten(ctx, &d)
	})
}

// reversal collects what reversing one change writes.
type reversal struct {
	v       *view
	by      string // who undoes it
	change  side.Change
	files   []fileText
	clashes []Clash
	exact   bool // a restore puts back the change, all of it and nothing else
}

func (r *reversal) file(f side.File, mode Mode) error {
	before, after, err := r.v.w.bothSides(f)
	if err != nil {
		return err
	}
	cur, has, err := r.v.file(f.Path)
	if err != nil {
		return err
	}
	if mode == Restore {
		r.exact = r.exact && has == !f.After.IsZero() && (!has || git.HashBlob(cur) == f.After)
		return r.restore(f.Path, before, !f.Before.IsZero(), cur, has)
	}
	switch {
	case f.Path == policy.LedgerFile:
		return r.ledger(before, after, cur)
	case policy.PictureName(f.Path) != "":
		return r.picture(f, before, after, cur, has)
	}
	return r.entries(f, before, after, cur, has)
}

// entries reverses what the change did to a file of notes, entry by entry.
func (r *reversal) entries(f side.File, before, after, cur []byte, has bool) error {
	p := markdown.Patch(after, before, cur)
	for _, c := range p.Conflicts {
		r.clashes = append(r.clashes, Clash{Path: f.Path, Line: c.Line, Have: c.Have, Want: c.Want, Was: c.Base})
	}
	for _, g := range p.Gone {
		if err := r.lookElsewhere(f, g); err != nil {
			return err
		}
	}
	text, _ := r.v.w.store.redactBytes(p.Text)
	if !has && len(text) == 0 && !f.After.IsZero() {
		return nil // it is gone since, and there is nothing to put back
	}
	r.put(f.Path, text, cur, has, f.Before.IsZero() && len(bytes.TrimSpace(text)) == 0)
	return nil
}

// ledger takes back what the change did to the ledger, which is only added to.
func (r *reversal) ledger(before, after, cur []byte) error {
	text, err := policy.UndoLedger(before, after, cur, r.v.at, r.by, func() (string, error) {
		id, err := r.v.w.store.change(r.v.at)
		return string(id), err
	})
	if err == nil && !bytes.Equal(text, cur) {
		r.files = append(r.files, fileText{path: policy.LedgerFile, text: text})
	}
	return err
}

// onlyOwn says whether no note is among the files.
func onlyOwn(files []fileText) bool {
	return !slices.ContainsFunc(files, func(f fileText) bool { return !policy.OwnFile(f.path) })
}

// put writes a file's new text; one that the change had made goes with its text,
// but MEMORY.md is emptied, for the bot expects it to exist.
func (r *reversal) put(path string, text, cur []byte, has, empty bool) {
	if empty && path != policy.MemoryFile && path != policy.AboutFile {
		if has {
			r.files = append(r.files, fileText{path: path, del: true})
		}
		return
	}
	if has && bytes.Equal(text, cur) {
		return
	}
	r.files = append(r.files, fileText{path: path, text: text})
}

func (r *reversal) restore(path string, before []byte, had bool, cur []byte, has bool) error {
	if ok, _ := canRevert(path, int64(len(before))); !ok {
		return wrapf(ErrNoUndo, "%s: the earlier text is too large to put back", path)
	}
	if _, n := r.v.w.masked(before); n > 0 {
		return wrapf(ErrNoUndo, "%s: %s", path, heldCredential)
	}
	r.put(path, before, cur, has, !had)
	return nil
}

// lookElsewhere finds out whether an entry that the change had put in was moved to
// another file since: then taking it out there is not this undo's to do.
func (r *reversal) lookElsewhere(f side.File, raw string) error {
	parsed := markdown.Parse(f.Path, []byte(raw+"\n")).Entries()
	if len(parsed) == 0 || parsed[0].Text == "" {
		return nil
	}
	id := markdown.Identity(parsed[0].Text)
	files, err := r.v.tx.Files()
	if err != nil {
		return err
	}
	for _, other := range files {
		kind, err := policy.CheckPath(other.Path)
		if err != nil || kind == policy.Log || r.touches(other.Path, other.Blob) {
			continue
		}
		text, _, err := r.v.tx.File(other.Path)
		if err != nil {
			return err
		}
		for _, e := range markdown.Parse(other.Path, text).Entries() {
			if markdown.Identity(e.Text) == id && (other.Path != f.Path || e.Date == parsed[0].Date) {
				r.clashes = append(r.clashes, Clash{Path: other.Path, Line: e.Line, Have: e.String(), Was: raw})
				return nil
			}
		}
	}
	return nil
}

// touches says whether a file is as the change itself left it: an entry in it then
// is the change's own, moved there by it, and is dealt with as such.
func (r *reversal) touches(path string, blob git.Hash) bool {
	return slices.ContainsFunc(r.change.Files, func(f side.File) bool { return f.Path == path && f.After == blob })
}

const nothingLeft = "nothing is left of that change: its notes were changed or taken out since"

func (r *reversal) verdict(d *draft) error {
	if len(r.clashes) > 0 {
		for i := range r.clashes {
			c := &r.clashes[i]
			for _, s := range []*string{&c.Have, &c.Want, &c.Was} {
				*s, _ = r.v.w.store.redact.Redact(*s)
			}
		}
		return &ConflictError{Change: ChangeID(r.change.ID), Clashes: r.clashes}
	}
	if len(d.files) == 0 {
		return &ConflictError{Change: ChangeID(r.change.ID), Reason: nothingLeft}
	}
	for _, f := range d.files {
		if int64(len(f.text)) > git.MaxFile(f.path) {
			return wrapf(ErrNoUndo, "%s would grow beyond what is kept of a file", f.path)
		}
	}
	return nil
}
