package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/exchange"
)

// Imported is what an import took in: the receipt, and for each source where its text
// went.
type Imported struct {
	Receipt
	Format  string         `json:"format"`
	Files   []ImportedFile `json:"files"`
	Facts   int            `json:"facts"`             // facts that are new here, each an entry of its own
	Known   int            `json:"known"`             // facts that are stated here already
	History int            `json:"history,omitempty"` // changes of a journal that came in as commits
}

// ImportedFile is one source, or a part of one: Path where it was, To where its text is now
// (empty: left out, Why says why), Lines how many lines of it are new there.
type ImportedFile struct {
	Path  string `json:"path"`
	To    string `json:"to,omitempty"`
	Lines int    `json:"lines"`
	Why   string `json:"why,omitempty"`
}

// ImportFolder takes the markdown notes under src in as one change. A file that
// lies where a workspace has it keeps its path, another becomes a topic named after
// its own; two of one name get a number. Folders of tools (hidden ones, node_modules) are
// left out and listed. See Import.
func (w *Workspace) ImportFolder(ctx context.Context, m Meta, src fs.FS, label string) (Imported, error) {
	b, err := exchange.Read("folder", exchange.Source{Name: label, Dir: src})
	if err != nil {
		return Imported{}, fmt.Errorf("read %s: %w", label, importError(err))
	}
	return w.Import(ctx, m, b, label, nil)
}

// Import takes in what a reader found, as one change. A page keeps its bytes, but for
// credentials; where its file is there already, what that does not hold is added to it. A
// fact becomes an entry of its own day that says which import it is from. What is stated
// here already is not taken in again, so that a second import of the same changes
// nothing. MEMORY.md is kept within its budget. step, if not nil, is told how far it is.
// ErrTooLarge: a note would grow beyond what a memory file may hold; then nothing is
// taken in.
func (w *Workspace) Import(ctx context.Context, m Meta, b exchange.Batch, label string, step func(done, total int)) (Imported, error) {
	m.Action, m.Author = ActImport, Author{Kind: Import}
	if m.Source == "" {
		m.Source = b.Format + " " + label
	}
	past, err := w.pastOf(ctx, b.Versions)
	if err != nil {
		return Imported{}, err
	}
	im := &importing{batch: b, step: step, past: past}
	r, err := w.transact(ctx, m, func(v *view, out *Receipt) error {
		if err := im.begin(ctx, v); err != nil {
			return err
		}
		if err := im.take(m); err != nil {
			return err
		}
		d := draft{id: im.id, files: im.files, always: im.rows > 0, receipt: im.receipt}
		d.subject = im.subject(label)
		*out = d.receipt
		if len(d.files) == 0 && !d.always {
			return nil
		}
		return v.commit(m, d, out)
	})
	return Imported{Receipt: r, Format: b.Format, Files: im.answer(), Facts: im.facts, Known: im.knownFacts, History: im.rows}, err
}

// importError gives an error of a reader the meaning it has here.
func importError(err error) error {
	switch {
	case errors.Is(err, exchange.ErrTooLarge):
		return wrapf(ErrTooLarge, "%s", err)
	case errors.Is(err, exchange.ErrInput):
		return wrapf(ErrInvalid, "%s", err)
	}
	return err
}

// importing collects what an import writes.
type importing struct {
	v     *view
	batch exchange.Batch
	step  func(done, total int)
	past  map[string]bool // files that were here once, see pastOf
	id    ChangeID        // of the change that this becomes

	never    never
	known    holding // what was stated here before
	files    []fileText
	at       map[string]int    // path -> its place in files
	standing map[string]string // the files that are there or will be, by nameKey
	taken    map[string]bool   // what source files are called here, by nameKey

	sources    []ImportedFile // of pages, in their order
	shelved    []ImportedFile // of facts: from where to where
	left       []ImportedFile
	lines      int // new ones
	facts      int // new ones
	knownFacts int
	rows       int // of history
	receipt    Receipt
}

// begin starts over: a transaction that lost a race runs again.
func (im *importing) begin(ctx context.Context, v *view) error {
	never, err := v.never(ctx)
	if err != nil {
		return err
	}
	id, err := v.w.store.change(v.at)
	if err != nil {
		return err
	}
	*im = importing{v: v, batch: im.batch, step: im.step, past: im.past, id: id, never: never, at: map[string]int{}, known: emptyHolding()}
	for _, l := range im.batch.Left {
		im.leave(l.From, l.Why)
	}
	return im.look()
}

func (im *importing) leave(from, why string) {
	im.left = append(im.left, ImportedFile{Path: from, Why: why})
}

// take takes in the history, the pages, the facts, in this order: a fact that a page
// states is not stated twice.
func (im *importing) take(m Meta) error {
	if err := im.history(m); err != nil {
		return err
	}
	var facts []exchange.Note
	for i, n := range im.batch.Notes {
		if !n.Page {
			facts = append(facts, n)
			continue
		}
		f := ImportedFile{Path: n.From}
		if err := im.add(&f, n.Path, []byte(n.Text)); err != nil {
			return err
		}
		im.sources = append(im.sources, f)
		im.told(i+1, len(im.batch.Notes))
	}
	if err := im.shelve(facts); err != nil {
		return err
	}
	im.told(len(im.batch.Notes), len(im.batch.Notes))
	return im.settle()
}

func (im *importing) told(done, total int) {
	if im.step != nil {
		im.step(done, total)
	}
}

// answer lists where everything went: pages, facts, what was left out.
func (im *importing) answer() []ImportedFile { return slices.Concat(im.sources, im.shelved, im.left) }

// add finds a place for one page; p is where it lay.
func (im *importing) add(f *ImportedFile, p string, text []byte) error {
	to, err := im.place(p)
	if err != nil {
		return err
	}
	f.To = to
	if hasMarkers(text) {
		return wrapf(ErrInvalid, "%s holds conflict markers (<<<<<<<, =======, >>>>>>>); resolve them and import again", f.Path)
	}
	text, n := im.v.w.store.redactBytes(text)
	im.receipt.Redacted += n
	text, left := im.never.without(text)
	if left > 0 {
		f.Why = fmt.Sprintf("%d notes left out: the person asked to forget them", left)
	}
	now, has, err := im.text(to)
	if err != nil {
		return err
	}
	next := text
	if has && !im.isSeed(to, now) {
		if next = addMissing(to, now, text, im.known); bytes.Equal(next, now) {
			return nil
		}
	}
	f.Lines, err = im.put(to, now, next)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}

func (im *importing) isSeed(p string, text []byte) bool {
	return p == policy.MemoryFile && string(text) == policy.Seed
}

// put makes next a file's text, and counts the lines that are new in it.
func (im *importing) put(to string, now, next []byte) (added int, err error) {
	if err := checkSize(to, len(next)); err != nil {
		return 0, err
	}
	_, added, _ = markdown.Diff(to, now, next)
	im.lines += added
	if i, ok := im.at[to]; ok {
		im.files[i].text = next
		return added, nil
	}
	im.at[to] = len(im.files)
	im.files = append(im.files, fileText{path: to, text: next})
	return added, nil
}

// text is a file as this import leaves it so far.
func (im *importing) text(p string) ([]byte, bool, error) {
	if i, ok := im.at[p]; ok {
		return im.files[i].text, true, nil
	}
	return im.v.file(p)
}

// look learns which files there are and what they state, and keeps the paths that pages
// have already from those that need one.
func (im *importing) look() error {
	im.standing, im.taken = map[string]string{}, map[string]bool{}
	files, err := im.v.tx.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		im.standing[nameKey(f.Path)] = f.Path
		if policy.OpaqueFile(f.Path) {
			continue
		}
		text, _, err := im.v.file(f.Path)
		if errors.Is(err, ErrState) {
			continue // it is told when the import wants to write it
		}
		if err != nil {
			return err
		}
		im.known.states(f.Path, text)
	}
	for _, n := range im.batch.Notes {
		if _, err := policy.CheckPath(n.Path); err == nil && n.Page {
			im.taken[nameKey(n.Path)] = true
		}
	}
	return nil
}

// nameKey is the same for names that a file system may take for one, see
// policy.SameName.
func nameKey(p string) string { return norm.NFC.String(cases.Fold().String(norm.NFC.String(p))) }

// place is where a source file's text belongs: its own path where that is one of a
// workspace's, else a topic named after it, numbered when another file has the name.
func (im *importing) place(p string) (string, error) {
	to := p
	if _, err := policy.CheckPath(p); err != nil {
		name := strings.TrimPrefix(strings.TrimSuffix(p, path.Ext(p)), "memory/")
		if to, err = policy.TopicFile(strings.ReplaceAll(name, "/", " ")); err != nil {
			to, err = policy.TopicFile("imported " + strings.ReplaceAll(name, "/", " "))
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w%w", p, err, silent{ErrInvalid})
		}
		stem := strings.TrimSuffix(to, ".md")
		for n := 2; im.taken[nameKey(to)]; n++ {
			to = fmt.Sprintf("%s-%d.md", stem, n)
		}
		im.taken[nameKey(to)] = true
	}
	key := nameKey(to)
	if have, ok := im.standing[key]; ok {
		return have, nil
	}
	im.standing[key] = to
	return to, nil
}

// addMissing adds to a text the units of another that it does not hold: an entry
// whose fact it states already, and a line that stands in it, are not added again. A
// header goes on top where there is none; else its lines are kept as any other. known
// are facts that are stated elsewhere.
func addMissing(p string, now, more []byte, known holding) []byte {
	f, m := markdown.Parse(p, now), markdown.Parse(p, more)
	if h := m.Header(); h.Present && !f.Header().Present {
		rest, mark := bytes.CutPrefix(now, []byte("\ufeff"))
		head := more[h.Start:h.End]
		if mark {
			head = slices.Concat([]byte("\ufeff"), head)
		}
		now = slices.Concat(head, []byte(f.EOL()), rest)
		f = markdown.Parse(p, now)
	}
	held := emptyHolding()
	for _, u := range f.Units() {
		held.note(u)
	}
	var add []string
	for _, u := range m.Units() {
		if !held.has(u) && (u.Entry == nil || !known.has(u)) {
			held.note(u)
			add = append(add, string(u.Raw))
		}
	}
	if add == nil {
		return now
	}
	return f.Append(strings.Join(add, f.EOL()))
}

// holding is what a text states already. A fact that was struck here is not taken in
// as one that holds.
type holding struct{ facts, struck, lines map[string]bool }

func emptyHolding() holding {
	return holding{facts: map[string]bool{}, struck: map[string]bool{}, lines: map[string]bool{}}
}

func (h holding) note(u markdown.Unit) {
	h.lines[string(u.Raw)] = true
	if u.Entry != nil {
		h.fact(*u.Entry)
	}
}

// states takes in what a file states: its entries, and hand-written lines by what they say.
func (h holding) states(p string, text []byte) {
	for _, u := range markdown.Parse(p, text).Units() {
		switch {
		case u.Entry != nil:
			h.fact(*u.Entry)
		case u.Kind == markdown.KindLine:
			h.lines[markdown.Identity(string(u.Raw))] = true
		}
	}
}

func (h holding) fact(e markdown.Entry) {
	id := markdown.Identity(e.Text)
	h.facts[id] = true
	h.struck[id] = h.struck[id] || e.Struck
}

func (h holding) has(u markdown.Unit) bool {
	switch {
	case u.Kind == markdown.KindBlank || h.lines[string(u.Raw)]:
		return true
	case u.Kind == markdown.KindHeader:
		return strings.TrimSpace(string(u.Raw)) == "---"
	case u.Entry == nil:
		return false
	case u.Entry.Struck:
		return h.struck[markdown.Identity(u.Entry.Text)]
	}
	return h.facts[markdown.Identity(u.Entry.Text)]
}

func (im *importing) subject(label string) string {
	var parts []string
	if len(im.files) > 0 {
		parts = append(parts, fmt.Sprintf("%d notes, %d new lines", len(im.files), im.lines))
	}
	if im.rows > 0 {
		parts = append(parts, fmt.Sprintf("%d changes of its history", im.rows))
	}
	return strings.Join(parts, ", ") + " from " + label
}
