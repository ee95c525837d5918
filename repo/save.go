package repo

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"quipu/policy"
)

// Expect is what a Save or Delete was based on.
type Expect struct {
	Hash string // SHA-256, hex, of the text read before; of "" for a file that did not exist
	Any  bool   // overwrite whatever is there: only for the old whole-file PUT and `--force`
}

// checkPath refuses a path that no memory file may have. ErrInvalid, and the
// policy's own error in the chain.
func checkPath(path string) (policy.PathKind, error) {
	k, err := policy.CheckPath(path)
	if err != nil {
		return k, fmt.Errorf("%w%w", err, silent{ErrInvalid})
	}
	return k, nil
}

// checkFileName refuses a new file whose name is a credential: a name cannot be masked, and
// it stands in the history and in every list. ErrRefused.
func (s *Store) checkFileName(path string) error {
	if _, n := s.redact.Redact(path); n > 0 {
		return wrapf(ErrRefused, "the name of this file looks like a credential; name it otherwise")
	}
	return nil
}

// Save puts a whole text. Without a hash only a file that does not exist is
// written, else ErrNeedHash. Credentials in it are masked. Unchanged text makes no
// commit: Receipt.Change is empty. ErrStale (StaleError), ErrTooLarge, ErrInvalid,
// ErrForbidden (a day log), ErrConflict (a name that differs only in case).
func (w *Workspace) Save(ctx context.Context, m Meta, path, text string, e Expect) (Receipt, error) {
	kind, err := checkPath(path)
	if err != nil {
		return Receipt{}, err
	}
	if kind == policy.Log {
		return Receipt{}, wrapf(ErrForbidden, "day logs are the bot's own record; they can be deleted, not changed")
	}
	if !utf8.ValidString(text) {
		return Receipt{}, wrapf(ErrInvalid, "%s: the text is not valid UTF-8", path)
	}
	if m.Action == "" {
		m.Action = ActEdit
	}
	clean, n := w.store.redactBytes([]byte(text))
	if err := checkSize(path, len(clean)); err != nil {
		return Receipt{}, err
	}
	return w.change(ctx, m, func(v *view) (draft, error) {
		d := draft{receipt: Receipt{Redacted: n}}
		now, ok, err := v.expected(path, e)
		if err != nil || ok && string(now) == string(clean) {
			return d, err
		}
		if !ok {
			if err := v.checkTwin(path); err != nil {
				return d, err
			}
			if err := w.store.checkFileName(path); err != nil {
				return d, err
			}
		}
		if !utf8.Valid(now) {
			return d, wrapf(ErrConflict, "%s holds bytes that are not UTF-8, which a save would replace; change it with an editor of the workspace folder", path)
		}
		d.files = []fileText{{path: path, text: clean}}
		return d, v.saysOut(&d)
	})
}

// expected gives a file's text when it is the one that the caller based its change on.
func (v *view) expected(path string, e Expect) (text []byte, ok bool, err error) {
	text, ok, err = v.file(path)
	shown, _ := v.w.masked(text) // what a caller was given to read
	switch {
	case err != nil || e.Any:
		return text, ok, err
	case e.Hash == "" && !ok:
		return text, ok, nil
	case e.Hash == "":
		return nil, false, wrapf(ErrNeedHash, "%s exists: say which text the change is based on", path)
	case strings.EqualFold(e.Hash, hashText(shown)):
		return text, ok, nil
	}
	return nil, false, &StaleError{Path: path, Current: string(shown), CurrentHash: hashText(shown)}
}

// checkTwin refuses a new file that a case-blind system would take for another.
func (v *view) checkTwin(path string) error {
	files, err := v.tx.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Path != path && policy.SameName(f.Path, path) {
			return wrapf(ErrConflict, "%s exists already, and names that differ only in case are one on many systems", f.Path)
		}
	}
	return nil
}

// Delete takes a topic, the archive or a day log out. ErrForbidden for MEMORY.md and
// ABOUT.md. A missing file is not an error: Receipt.Change is empty. ErrStale when a
// hash is given and differs.
func (w *Workspace) Delete(ctx context.Context, m Meta, path string, e Expect) (Receipt, error) {
	kind, err := checkPath(path)
	if err != nil {
		return Receipt{}, err
	}
	if kind == policy.Memory || kind == policy.About {
		return Receipt{}, wrapf(ErrForbidden, "%s cannot be deleted; it can be emptied", path)
	}
	if m.Action == "" {
		m.Action = ActDelete
	}
	return w.change(ctx, m, func(v *view) (draft, error) {
		e.Any = e.Any || e.Hash == ""
		_, ok, err := v.expected(path, e)
		if err != nil || !ok {
			return draft{}, err
		}
		return draft{subject: path, files: []fileText{{path: path, del: true}}}, nil
	})
}

// TakeIn commits what was edited outside since the last change, as by's, or as the
// bot's while a turn of it is open; nil when there is nothing.
func (w *Workspace) TakeIn(ctx context.Context, by Author) ([]Receipt, error) {
	edited, _, err := w.git.Scan()
	if err != nil {
		return nil, gitError(err)
	}
	if len(edited) == 0 {
		return nil, nil
	}
	var out Receipt
	r, err := w.change(ctx, Meta{Author: by, Action: ActOutside, Via: ViaDisk}, func(v *view) (draft, error) {
		m := v.editor()
		if m.Author.Kind == Person {
			m.Author = by
		}
		if err := v.takeInAs(&m); err != nil {
			return draft{}, err
		}
		out.Rows = v.rows
		return draft{}, nil
	})
	if err != nil || len(r.Outside) == 0 {
		return nil, err
	}
	out.Change, out.Commit, out.Notes = r.Outside[0], out.Rows[0].Commit, r.Notes
	return []Receipt{out}, nil
}
