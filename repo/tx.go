package repo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// view is what a change works on, under the locks: the newest commit with outside
// edits taken in.
type view struct {
	w       *Workspace
	tx      *git.Tx
	at      time.Time
	outside []ChangeID
	rows    []Row
	notes   []string
	refused map[string]string // path -> why its outside edit was not taken in
	editor  func() Meta       // who edits from outside now
}

// fileText is one file that a change writes; del takes it out.
type fileText struct {
	path string
	text []byte
	del  bool
}

// draft is what a change came to. Without files and without always there is
// nothing to commit.
type draft struct {
	subject string
	files   []fileText
	action  Action   // instead of the one in Meta
	id      ChangeID // of a change that spans two workspaces; "" is a new one
	undoes  ChangeID
	part    ChangeID // the import that brought this change along
	quotes  []string // instead of the one in Meta: of each entry that was noticed, in write order
	erased  string   // of an erasure: the files it was in
	always  bool
	receipt Receipt // what the verb adds to the answer
}

// errDryRun ends a transaction that was only to be looked at.
var errDryRun = errors.New("dry run")

// change is the one door of every write: it runs fn on a consistent view and makes
// its draft one commit. See design/vault.md, "The transaction".
func (w *Workspace) change(ctx context.Context, m Meta, fn func(*view) (draft, error)) (Receipt, error) {
	return w.transact(ctx, m, func(v *view, out *Receipt) error {
		d, err := fn(v)
		if err != nil {
			return err
		}
		*out = d.receipt
		if len(d.files) > 0 || d.always {
			return v.commit(m, d, out)
		}
		return nil
	})
}

// transact runs fn on a consistent view; what it commits is made durable and put in
// place when it ends well.
func (w *Workspace) transact(ctx context.Context, m Meta, fn func(v *view, out *Receipt) error) (Receipt, error) {
	var out Receipt
	if err := w.pointBack(); err != nil {
		return Receipt{}, gitError(err)
	}
	if !m.DryRun {
		w.finishFirst(ctx)
	}
	w.mu.Lock()
	scan := !w.scanned
	w.mu.Unlock()
	err := w.git.Update(ctx, func(tx *git.Tx) error {
		v := &view{w: w, tx: tx, at: w.now(), refused: map[string]string{}, editor: func() Meta { return w.editor(ctx) }}
		if scan && m.Action != ActOutside {
			if err := v.takeIn(); err != nil {
				return err
			}
		}
		out = Receipt{}
		if err := fn(v, &out); err != nil {
			return err
		}
		out.Outside, out.Notes = v.outside, append(out.Notes, v.notes...)
		if m.DryRun {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		return out.planned(), nil
	}
	if err != nil {
		return Receipt{}, gitError(err)
	}
	w.mu.Lock()
	w.scanned = true
	w.mu.Unlock()
	out.Notes = append(out.Notes, w.tell()...)
	if out.Change != "" || len(out.Outside) > 0 {
		w.noteChange(ctx)
	}
	return out, nil
}

// planned is the receipt of a change that was not made: what it names is not there.
func (r Receipt) planned() Receipt {
	r.DryRun, r.Change, r.Commit, r.Outside = true, "", "", nil
	for i := range r.Rows {
		r.Rows[i].ID, r.Rows[i].Change, r.Rows[i].Commit = "", "", ""
	}
	return r
}

// file gives a file's text at the view, its outside edit taken in first. A file
// whose outside edit could not be taken in is ErrState.
func (v *view) file(path string) (text []byte, ok bool, err error) {
	if err := v.takeIn(path); err != nil {
		return nil, false, err
	}
	if why, is := v.refused[path]; is {
		return nil, false, wrapf(ErrState, "%s: %s", path, why)
	}
	return v.tx.File(path)
}

// commit makes a draft one commit and fills in what the receipt says of it.
func (v *view) commit(m Meta, d draft, out *Receipt) error {
	if d.action != "" {
		m.Action = d.action
	}
	if err := v.complete(m, &d); err != nil {
		return err
	}
	id, err := d.id, error(nil)
	if id == "" {
		if id, err = v.w.store.change(v.at); err != nil {
			return err
		}
	}
	if err := v.scrub(d.files); err != nil {
		return err
	}
	rows, err := v.rowsOf(d.files)
	if err != nil {
		return err
	}
	if d.subject == "" {
		d.subject = v.describe(d.files, rows)
	}
	d.subject = v.w.clean(d.subject)
	m.Author.Name, m.Source, m.Turn = v.w.clean(m.Author.Name), v.w.clean(m.Source), v.w.clean(m.Turn)
	quotes := v.w.quoteTrailers(m.Quote, d.quotes)
	who := v.w.signature(m.Author, v.at)
	files := make([]git.File, len(d.files))
	for i, f := range d.files {
		files[i] = git.File{Path: f.path, Text: f.text, Delete: f.del}
	}
	hash, err := v.tx.Commit(git.NewCommit{
		Author: who, Files: files,
		Message: message(m.Action, d.subject, slices.Concat([]trailer{
			{keyAuthor, m.Author.String()},
			{keySource, m.Source},
			{keyAction, string(m.Action)},
			{keyVia, string(m.Via)},
			{keyUndoes, string(d.undoes)},
			{keyTurn, m.Turn},
			{keyFiles, d.erased},
			{keyPart, string(d.part)},
		}, quotes, []trailer{{keyChange, string(id)}})),
	})
	if err != nil {
		return err
	}
	out.Change, out.Commit, out.Rows = id, hash.String(), rows
	for i := range rows {
		row := &rows[i]
		row.ID = rowID(id, i, len(rows))
		row.Change, row.Commit = id, out.Commit
		row.At, row.AtTime, row.BotID = v.at.UnixMilli(), v.at, v.w.id
		row.Actor, row.Who, row.Via = string(m.Author.Kind), m.Author.Name, string(m.Via)
		row.Source, row.Action = m.Source, string(m.Action)
		row.Subject = firstLineOf(message(m.Action, d.subject, nil))
		row.Undoes, row.Turn, row.Quote = d.undoes, m.Turn, shownQuote(quotes)
	}
	out.Rows = withoutLedger(rows)
	return nil
}

// complete adds to a draft what follows from it.
func (v *view) complete(m Meta, d *draft) error {
	if err := v.pictures(m, d); err != nil {
		return err
	}
	sortFiles(d.files)
	return v.reworded(m, d)
}

// sortFiles puts files in the order in which the journal numbers them: the archive, then
// by path.
func sortFiles(files []fileText) {
	rank := func(f fileText) int {
		if f.path == policy.ArchiveFile {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(files, func(a, b fileText) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a.path, b.path)) })
}

// withoutLedger takes the ledger out of what a person is shown: it holds keys and
// hashes. A change of nothing else keeps its row, without a diff.
func withoutLedger(rows []Row) []Row {
	for i := range rows {
		if !policy.OwnFile(rows[i].Path) {
			continue
		}
		if rows[i].Diff = ""; len(rows) > 1 {
			return slices.Delete(rows, i, i+1)
		}
	}
	return rows
}

// clean makes a text fit for a commit message: no credential, one line.
func (w *Workspace) clean(s string) string {
	if s == "" {
		return ""
	}
	out, _ := w.store.redact.Redact(oneLine(s))
	return out
}

func rowID(id ChangeID, i, n int) string {
	if n == 1 {
		return string(id)
	}
	return fmt.Sprintf("%s.%d", id, i+1)
}

// signature is who git names as the author of a change.
func (w *Workspace) signature(a Author, at time.Time) git.Signature {
	c := w.store.Config()
	switch a.Kind {
	case Bot:
		return git.Signature{Name: a.Name, Email: a.Name + "@bots.invalid", When: at}
	case Person:
		if a.Name == "" || a.Name == c.PersonName() {
			return git.Signature{Name: c.PersonName(), Email: c.PersonEmail(), When: at}
		}
		return git.Signature{Name: a.Name, Email: "person@localhost", When: at}
	}
	return git.Signature{Name: "quipu", Email: "quipu@localhost", When: at}
}

// rowsOf says what writing the files does to what stands in the view.
func (v *view) rowsOf(files []fileText) ([]Row, error) {
	rows := make([]Row, len(files))
	for i, f := range files {
		before, had, err := v.tx.File(f.path)
		if err != nil {
			return nil, err
		}
		row := &rows[i]
		row.Path = f.path
		row.Kind = kindOf(had, !f.del)
		row.CanRevert = true
		row.BeforeHash, row.AfterHash = sumOf(before, had), sumOf(f.text, !f.del)
		if f.path == policy.LedgerFile { // it is told in the subject: see withoutLedger
			continue
		}
		row.Diff, row.Added, row.Removed = markdown.Diff(f.path, before, f.text)
		row.CanRevert, row.Reason = canRevert(f.path, int64(len(before)))
		if _, n := v.w.masked(before); n > 0 {
			row.Diff, _ = v.w.store.redact.Redact(row.Diff)
			row.CanRevert, row.Reason = false, heldCredential
		}
	}
	return rows, nil
}

const maxPutBack = 512 << 10 // bytes of an earlier text that can be put back whole

func canRevert(path string, size int64) (ok bool, why string) {
	if size > maxPutBack && policy.PictureName(path) == "" {
		return false, "the earlier text is too large to put back"
	}
	return true, ""
}

func kindOf(had, has bool) string {
	switch {
	case !had:
		return "created"
	case !has:
		return "deleted"
	}
	return "edited"
}

func sumOf(text []byte, ok bool) *string {
	if !ok {
		return nil
	}
	s := hashText(text)
	return &s
}

// hashText is what the API calls a hash: SHA-256, hex, of the bytes.
func hashText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// describe makes a subject for a change that has none: the line it added, or counts.
func (v *view) describe(files []fileText, rows []Row) string {
	if len(files) == 1 && !files[0].del && policy.PictureName(files[0].path) == "" {
		before, _, err := v.tx.File(files[0].path)
		if pairs := markdown.Pairs(before, files[0].text); err == nil && len(pairs) == 1 && pairs[0].After != nil {
			u := pairs[0].After
			if u.Entry != nil {
				return u.Entry.Text
			}
			if s := strings.TrimLeft(string(u.Raw), "-*# "); strings.TrimSpace(s) != "" {
				return s
			}
		}
	}
	return counts(rows)
}

func counts(rows []Row) string {
	added, removed := 0, 0
	for _, r := range rows {
		added, removed = added+r.Added, removed+r.Removed
	}
	what := fmt.Sprintf("%d files", len(rows))
	if len(rows) == 1 {
		what = rows[0].Path
		if rows[0].Kind == "deleted" {
			return what + " (deleted)"
		}
	}
	return fmt.Sprintf("%s (+%d -%d)", what, added, removed)
}

func firstLineOf(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// union joins two versions and loses no line.
func union(base, ours, theirs []byte) []byte { return markdown.Union(base, ours, theirs) }

// checkSize refuses a text that no memory file may have.
func checkSize(path string, n int) error {
	if n > policy.MaxFileBytes {
		return wrapf(ErrTooLarge, "%s: %d bytes; a memory file holds at most %d", path, n, policy.MaxFileBytes)
	}
	return nil
}
