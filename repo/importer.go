package repo

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/internal/git"
)

// Imported is what an import took in: the receipt, and for each source file where
// its text went.
type Imported struct {
	Receipt
	Files []ImportedFile `json:"files"`
}

// ImportedFile is one source file: Path where it was, To where its text is now
// (empty: left out, Why says why), Lines how many lines of it are new there.
type ImportedFile struct {
	Path  string `json:"path"`
	To    string `json:"to,omitempty"`
	Lines int    `json:"lines"`
	Why   string `json:"why,omitempty"`
}

// ImportFolder takes the markdown notes under src in as one change. A file that
// lies where a workspace has it keeps its path, another becomes a topic named after
// its own; two of one name get a number. Where a file is there already, what it does
// not hold is added to it, so that a second import of the same folder changes nothing. Bytes stay as they are
// but for credentials; dates stay. Folders of tools (hidden ones, node_modules) are
// left out and listed. ErrTooLarge: a note would grow beyond what a memory file may
// hold; then nothing is taken in.
func (w *Workspace) ImportFolder(ctx context.Context, m Meta, src fs.FS, label string) (Imported, error) {
	found, err := readNotes(src)
	if err != nil {
		return Imported{}, fmt.Errorf("read %s: %w", label, err)
	}
	m.Action, m.Author = ActImport, Author{Kind: Import}
	if m.Source == "" {
		m.Source = "folder " + label
	}
	var files []ImportedFile
	r, err := w.change(ctx, m, func(v *view) (draft, error) {
		never, err := v.never(ctx)
		if err != nil {
			return draft{}, err
		}
		im := importing{v: v, never: never, at: map[string]int{}}
		files = slices.Clone(found.files)
		if err := im.look(files); err != nil {
			return draft{}, err
		}
		for i, text := range found.texts {
			if text == nil {
				continue
			}
			if err := im.add(&files[i], text); err != nil {
				return draft{}, err
			}
		}
		return draft{subject: im.subject(label), files: im.files, receipt: Receipt{Redacted: im.redacted}}, nil
	})
	return Imported{Receipt: r, Files: files}, err
}

// notesFound are the source files; texts is nil where one is left out.
type notesFound struct {
	files []ImportedFile
	texts [][]byte
}

func readNotes(src fs.FS) (notesFound, error) {
	var n notesFound
	err := fs.WalkDir(src, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p == ".":
			return nil
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			n.skip(p+"/", "a folder of tools, not of notes")
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			n.skip(p, "not a plain file")
		case !isNote(d.Name()):
			n.skip(p, "not markdown")
		default:
			return n.read(src, p, d)
		}
		return nil
	})
	return n, err
}

func isNote(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return (ext == ".md" || ext == ".markdown") && !strings.HasPrefix(name, ".")
}

func (n *notesFound) skip(p, why string) {
	n.files = append(n.files, ImportedFile{Path: p, Why: why})
	n.texts = append(n.texts, nil)
}

func (n *notesFound) read(src fs.FS, p string, d fs.DirEntry) error {
	fi, err := d.Info()
	if err != nil {
		return err
	}
	if fi.Size() > git.MaxWorkFile {
		return wrapf(ErrTooLarge, "%s: %d bytes; a memory file holds at most %d", p, fi.Size(), policy.MaxFileBytes)
	}
	text, err := fs.ReadFile(src, p)
	if err != nil {
		return err
	}
	if text == nil {
		text = []byte{}
	}
	n.files = append(n.files, ImportedFile{Path: p})
	n.texts = append(n.texts, text)
	return nil
}

// importing collects what an import writes.
type importing struct {
	never    never
	lines    int // new ones
	v        *view
	files    []fileText
	at       map[string]int    // path -> its place in files
	standing map[string]string // the files that are there or will be, by nameKey
	taken    map[string]bool   // what source files are called here, by nameKey
	redacted int
}

// add finds a place for one source file's text.
func (im *importing) add(f *ImportedFile, text []byte) error {
	to, err := im.place(f.Path)
	if err != nil {
		return err
	}
	f.To = to
	if hasMarkers(text) {
		return wrapf(ErrInvalid, "%s holds conflict markers (<<<<<<<, =======, >>>>>>>); resolve them and import again", f.Path)
	}
	text, n := im.v.w.store.redactBytes(text)
	im.redacted += n
	text, left := im.never.without(text)
	if left > 0 {
		f.Why = fmt.Sprintf("%d notes left out: the person asked to forget them", left)
	}
	now, has, err := im.text(to)
	if err != nil {
		return err
	}
	next := text
	if has && (to != policy.MemoryFile || string(now) != policy.Seed) {
		if next = addMissing(to, now, text); bytes.Equal(next, now) {
			return nil
		}
	}
	if err := checkSize(to, len(next)); err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	_, f.Lines, _ = markdown.Diff(to, now, next)
	im.lines += f.Lines
	if i, ok := im.at[to]; ok {
		im.files[i].text = next
		return nil
	}
	im.at[to] = len(im.files)
	im.files = append(im.files, fileText{path: to, text: next})
	return nil
}

// text is a file as this import leaves it so far.
func (im *importing) text(p string) ([]byte, bool, error) {
	if i, ok := im.at[p]; ok {
		return im.files[i].text, true, nil
	}
	return im.v.file(p)
}

// look learns which files there are, and keeps the paths that source files have
// already from those that need one.
func (im *importing) look(sources []ImportedFile) error {
	im.standing, im.taken = map[string]string{}, map[string]bool{}
	files, err := im.v.tx.Files()
	for _, f := range files {
		im.standing[nameKey(f.Path)] = f.Path
	}
	for _, f := range sources {
		if _, err := policy.CheckPath(f.Path); err == nil && f.Why == "" {
			im.taken[nameKey(f.Path)] = true
		}
	}
	return err
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
// header goes on top where there is none; else its lines are kept as any other.
func addMissing(p string, now, more []byte) []byte {
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
	held := holding{facts: map[string]bool{}, struck: map[string]bool{}, lines: map[string]bool{}}
	for _, u := range f.Units() {
		held.note(u)
	}
	var add []string
	for _, u := range m.Units() {
		if !held.has(u) {
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

func (h holding) note(u markdown.Unit) {
	h.lines[string(u.Raw)] = true
	if u.Entry == nil {
		return
	}
	id := markdown.Identity(u.Entry.Text)
	h.facts[id] = true
	h.struck[id] = h.struck[id] || u.Entry.Struck
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
	return fmt.Sprintf("%d notes, %d new lines from %s", len(im.files), im.lines, label)
}
