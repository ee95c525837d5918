package repo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// Tool carries out one command of the memory tool: view reads, every other is one change.
// answer is the tool's own, credentials masked. What a command writes is bound by the same
// rules as an update: redaction, the budget of MEMORY.md, sizes, what must not be learned.
// The error is a *policy.ToolError with ErrInvalid for an answer that is an error; ErrOff,
// ErrRefused, ErrTooLarge, ErrConflict, ErrBusy, ErrState.
func (w *Workspace) Tool(ctx context.Context, m Meta, c policy.ToolCommand) (answer string, r Receipt, err error) {
	if m.Author.Kind != Person && !w.store.Config().MemoryOn(w.id) {
		return "", r, wrapf(ErrOff, "memory is switched off for this bot")
	}
	if !c.Writes() {
		notes, err := w.shownNotes()
		if err != nil {
			return "", r, err
		}
		answer, _, err = c.Run(notes)
		return answer, r, toolFault(err)
	}
	if m.Action == "" {
		m.Action = ActUpdate
	}
	r, err = w.change(ctx, m, func(v *view) (draft, error) {
		notes, err := v.toolNotes()
		if err != nil {
			return draft{}, err
		}
		said, writes, err := c.Run(notes.Files)
		if err != nil {
			return draft{}, toolFault(err)
		}
		if err := v.admitAdded(m, notes, writes); err != nil {
			return draft{}, err
		}
		answer, _ = v.w.store.Redact(said)
		d, err := v.rewritten(ctx, notes, writes)
		if err != nil {
			return draft{}, err
		}
		return d, v.saysOut(&d)
	})
	if err != nil {
		return "", r, err
	}
	return answer, r, nil
}

// toolFault gives an error of the tool the sentinel of this floor.
func toolFault(err error) error {
	if told, ok := errors.AsType[*policy.ToolError](err); ok {
		return fmt.Errorf("%w%w", told, silent{ErrInvalid})
	}
	return err
}

// shownNotes are all memory files but About me as they stand, credentials masked.
func (w *Workspace) shownNotes() (map[string][]byte, error) {
	files, _, err := w.git.ListWork()
	if err != nil {
		return nil, gitError(err)
	}
	return w.shownOf(files, func(kind policy.PathKind) bool { return kind != policy.About }), nil
}

// shownOf are the files of some kinds among those that stand, credentials masked. One that
// went away or cannot be read is left out: doctor lists it as a fault.
func (w *Workspace) shownOf(files []git.WorkFile, want func(policy.PathKind) bool) map[string][]byte {
	notes := map[string][]byte{}
	for _, f := range files {
		if kind, err := policy.CheckPath(f.Path); err != nil || !want(kind) {
			continue
		}
		if text, err := w.readWork(f.Path); err == nil {
			notes[f.Path] = text
		}
	}
	return notes
}

// live reports whether a file holds what is known now: MEMORY.md and the topics do.
func live(kind policy.PathKind) bool { return kind == policy.Memory || kind == policy.Topic }

// toolNotes are all memory files of the view, edits made outside taken in. What wants
// mending first is not among them.
func (v *view) toolNotes() (policy.Notes, error) {
	if err := v.takeIn(); err != nil {
		return policy.Notes{}, err
	}
	n, err := v.everyNote()
	maps.DeleteFunc(n.Files, func(path string, _ []byte) bool {
		kind, err := policy.CheckPath(path)
		_, shut := v.refused[path]
		return err != nil || kind == policy.About || shut
	})
	n.Order = slices.DeleteFunc(n.Order, func(path string) bool { _, ok := n.Files[path]; return !ok })
	return n, err
}

// rewritten makes whole texts the files of a draft, as far as the rules allow them.
func (v *view) rewritten(ctx context.Context, n policy.Notes, writes []policy.Rewrite) (draft, error) {
	never, err := v.never(ctx)
	if err != nil {
		return draft{}, err
	}
	var d draft
	var o policy.Outcome
	for _, one := range writes {
		if one.Gone {
			d.files = append(d.files, fileText{path: one.Path, del: true})
			continue
		}
		text, masked := v.w.store.redactBytes(one.Text)
		d.receipt.Redacted += masked
		if err := v.mayStand(n, one.Path, text, writes, never); err != nil {
			return draft{}, err
		}
		if string(n.Files[one.Path]) != string(text) {
			o.Edits = append(o.Edits, policy.Edit{Path: one.Path, Text: text})
		}
	}
	limits := v.w.limits()
	if o, err = v.settle(o, n, limits, markdown.DateOf(v.at)); err != nil {
		return draft{}, err
	}
	d.receipt.Moved, d.receipt.Truncated, d.receipt.Message = o.Moved, o.Truncated, o.Message(limits)
	return d, d.take(o.Edits)
}

// mayStand refuses a text that no tool may put into a file.
func (v *view) mayStand(n policy.Notes, path string, text []byte, writes []policy.Rewrite, never never) error {
	if !utf8.Valid(text) {
		return wrapf(ErrInvalid, "%s: the text is not valid UTF-8", path)
	}
	if hasMarkers(text) {
		return wrapf(ErrInvalid, "%s would hold conflict markers (<<<<<<<, =======, >>>>>>>)", path)
	}
	if why, shut := v.refused[path]; shut {
		return wrapf(ErrState, "%s: %s", path, why)
	}
	if _, there := n.Files[path]; !there {
		if err := v.w.store.checkFileName(path); err != nil {
			return err
		}
		if err := v.checkTwin(path); err != nil {
			return err
		}
	}
	before := 0
	for file, now := range n.Files {
		if file == path || slices.ContainsFunc(writes, func(r policy.Rewrite) bool { return r.Gone && r.Path == file }) {
			_, blocked := never.without(now)
			before += blocked
		}
	}
	if _, blocked := never.without(text); blocked > before {
		return wrapf(ErrRefused, "the person asked to forget this; it is stored again only when they ask for it")
	}
	return nil
}
