package git

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// flatFile is one file of a tree, or a folder that is taken as it is.
type flatFile struct {
	path string // with a slash at its end: a folder
	from *slot
	mode uint32
	id   Hash
}

// flatten lists a planned tree with its new texts under the old paths. A folder in
// which nothing gets another path, and that gets nothing, is left whole unless all is
// set.
func (w *rewriter) flatten(d *folder, h Hash, all bool) ([]flatFile, error) {
	t := d.trees[h]
	raw, err := w.treeText(t, h)
	if err != nil {
		return nil, err
	}
	var out []flatFile
	err = eachEntry(raw, func(mode uint32, name []byte, id int) error {
		child := Hash(raw[id : id+20])
		switch mode {
		case modeLink:
			out = append(out, flatFile{path: d.path + string(name), mode: mode, id: child})
		case modeDir:
			sub := d.dirs[string(name)]
			if all || sub.trees[child].renames || w.receives(sub) {
				below, err := w.flatten(sub, child, all)
				out = append(out, below...)
				return err
			}
			id, err := w.build(sub, child)
			out = append(out, flatFile{path: sub.path, mode: mode, id: id})
			return err
		default:
			s := d.files[string(name)]
			out = append(out, flatFile{path: s.path, from: s, mode: mode, id: s.texts[child]})
		}
		return nil
	})
	return out, err
}

func (w *rewriter) receives(d *folder) bool {
	return slices.ContainsFunc(w.renamed, func(s *slot) bool { return strings.HasPrefix(s.to, d.path) })
}

var errPath = errors.New("a new path is not a path of the workspace")

// rename gives files their new paths. Where another file has that path, a number
// tells them apart.
func (w *rewriter) rename(files []flatFile) ([]flatFile, error) {
	files = slices.DeleteFunc(files, func(f flatFile) bool { return f.from != nil && f.from.to == "" })
	taken := map[string]bool{} // true: a file, or a folder that is taken as it is
	for _, f := range files {
		if f.from == nil || f.from.to == f.path {
			take(taken, strings.TrimSuffix(f.path, "/"))
		}
	}
	for i, f := range files {
		if f.from == nil || f.from.to == f.path {
			continue
		}
		to, ext := f.from.to, path.Ext(f.from.to)
		if !fitPath(to, taken) {
			return nil, errPath
		}
		for n := 2; ; n++ {
			if _, there := taken[to]; !there {
				break
			}
			to = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(f.from.to, ext), n, ext)
		}
		take(taken, to)
		files[i].path = to
	}
	return files, nil
}

// fitPath says whether a file may get the path, but for one that has it.
func fitPath(to string, taken map[string]bool) bool {
	if to == "" || strings.ContainsRune(to, 0) {
		return false
	}
	for part := range strings.SplitSeq(to, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	for dir := path.Dir(to); dir != "."; dir = path.Dir(dir) {
		if taken[dir] {
			return false
		}
	}
	return true
}

// take marks a path, and the folders that it lies in.
func take(taken map[string]bool, p string) {
	taken[p] = true
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		taken[dir] = taken[dir] || false
	}
}

// plant writes the trees that hold the given files.
func (w *rewriter) plant(d *folder, files []flatFile) (Hash, error) {
	entries := map[string]flatFile{}
	below := map[string][]flatFile{}
	for _, f := range files {
		rest := strings.TrimPrefix(f.path, d.path)
		name, more, deep := strings.Cut(rest, "/")
		if deep && more != "" {
			below[name] = append(below[name], f)
			continue
		}
		entries[sortKey(name, f.mode)] = flatFile{path: name, mode: f.mode, id: f.id}
	}
	for name, some := range below {
		id, err := w.plant(d.dir([]byte(name)), some)
		if err != nil {
			return Hash{}, err
		}
		entries[sortKey(name, modeDir)] = flatFile{path: name, mode: modeDir, id: id}
	}
	var raw []byte
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		e := entries[key]
		raw = append(fmt.Appendf(raw, "%o %s\x00", e.mode, e.path), e.id[:]...)
	}
	h := hashObject(KindTree, raw)
	return h, w.put(KindTree, h, raw, &d.newest)
}

// newFiles lists a planned root tree as it becomes.
func (w *rewriter) newFiles(h Hash) ([]flatFile, error) {
	flat, err := w.flatten(w.root, h, true)
	if err != nil {
		return nil, err
	}
	return w.rename(flat)
}

// noteFile is one note: its place in the tree and its new text.
type noteFile struct {
	flatFile
	text []byte
}

// notesTree gives the new name of a tree of notes: their names are those of commits,
// cut into folders as git likes it, and follow the commits.
func (w *rewriter) notesTree(h Hash) (Hash, error) {
	if t := w.notes.trees[h]; t != nil {
		return t.new, nil
	}
	var notes []noteFile
	if err := w.noteFiles(w.notes, h, &notes); err != nil {
		return Hash{}, err
	}
	at := map[string]int{}
	var files []flatFile
	var texts [][]byte
	for _, n := range notes {
		i, twice := at[n.path]
		if twice { // two commits became one
			if !bytes.Equal(texts[i], n.text) {
				texts[i] = slices.Concat(texts[i], []byte("\n"), n.text)
			}
			continue
		}
		at[n.path] = len(files)
		files, texts = append(files, n.flatFile), append(texts, n.text)
	}
	for i := range files {
		if files[i].id.IsZero() {
			files[i].id = hashObject(KindBlob, texts[i])
			if err := w.put(KindBlob, files[i].id, texts[i], nil); err != nil {
				return Hash{}, err
			}
		}
	}
	id, err := w.plant(w.notes, files)
	w.notes.trees[h] = &oldTree{new: id, built: true}
	return id, err
}

func (w *rewriter) noteFiles(d *folder, h Hash, out *[]noteFile) error {
	raw, err := w.src.read(KindTree, h)
	if err != nil {
		return err
	}
	return eachEntry(raw, func(mode uint32, name []byte, id int) error {
		child := Hash(raw[id : id+20])
		p := d.path + string(name)
		if mode == modeDir {
			return w.noteFiles(d.dir(name), child, out)
		}
		n := noteFile{flatFile: flatFile{path: p, mode: mode, id: child}}
		about, is := ParseHash(strings.ReplaceAll(p, "/", ""))
		var err error
		switch {
		case is && w.went(about):
			return nil
		case mode == modeLink:
		case !is:
			n.id, err = w.text(w.slotAt(p), child)
		default:
			n.path, n.id = w.notePath(p, about), Hash{}
			n.text, err = w.noteText(about, child)
		}
		*out = append(*out, n)
		return err
	})
}

// went says whether a commit is one that goes.
func (w *rewriter) went(h Hash) bool {
	next, changed := w.out.New[h]
	return changed && next.IsZero()
}

// notePath is where the note of a commit stands when that has a new name.
func (w *rewriter) notePath(p string, about Hash) string {
	next, changed := w.out.New[about]
	if !changed {
		return p
	}
	hex := next.String()
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i], hex = hex[:len(part)], hex[len(part):]
	}
	return strings.Join(parts, "/")
}

// note is one text of the notes of a commit.
type note struct{ about, blob Hash }

func (w *rewriter) noteText(about, blob Hash) ([]byte, error) {
	key := note{about, blob}
	if text, done := w.noted[key]; done {
		return text, nil
	}
	raw, err := w.src.read(KindBlob, blob)
	if err != nil {
		return nil, err
	}
	text := w.Message(Message{Text: string(raw), Commit: about})
	if text != string(raw) {
		w.out.Copies++
	}
	w.noted[key] = []byte(text)
	return w.noted[key], nil
}
