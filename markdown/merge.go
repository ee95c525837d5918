package markdown

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Side is one of two versions of the notes that are merged.
type Side struct {
	// Files is the text of each note by its path; a note that is not there is
	// deleted.
	Files map[string][]byte
	// At is the day of the side's last change. It must not be zero.
	At Date
}

// MergeConflict is one place where both sides changed the same note differently.
// Both wordings stay.
type MergeConflict struct {
	Path string
	// Line is the 1-based line in the merged text of the wording that is marked.
	Line int
	// Kept is the wording that stands, Other the marked one as both were on their
	// sides, and Base the one that they grew from, "" if there was none. Of a
	// header they are the lines of one key.
	Kept, Other, Base string

	head bool
}

// Merged is the outcome of Merge.
type Merged struct {
	// Files is the text of every note that there is after the merge.
	Files map[string][]byte
	// Conflicts are in the order of their paths and lines; see Conflicts for what
	// stands open in a file.
	Conflicts []MergeConflict
	// Apart are notes that do not go into one text, as with a fence that would
	// swallow what the other side wrote: the other side's text, by the path under
	// which Files has the later side's. The caller keeps it beside.
	Apart map[string][]byte
}

// Merge joins two versions of the notes that grew from bases, piece by piece; a
// piece is an entry, a hand-written bullet, a paragraph, a heading, a row or a
// block. What one side changed wins over what the other left alone, in whichever
// file the other has it by now: a rewording, a strike, an until, a move. Both
// additions stay, in the order of their dates, and the same one is one. A deleted
// piece that the other side reworded stays. What both reworded differently is kept
// twice, the second with the conflict mark. Headers are merged key by key. Several
// bases count as their union; without one, everything is an addition.
//
// What gone reports is forgotten: no wording of it stays, and where one side took
// such a piece out, the other's rewording in its place goes too. It is asked for the
// fact of an entry and the text of any other piece but headings; nil forgets nothing.
//
// The result is the same bytes whichever side is a. A file that only one side
// changed is that side's, byte for byte, unless something moved into or out of it.
func Merge(bases []map[string][]byte, a, b Side, gone func(text string) bool) Merged {
	if b.before(a) {
		a, b = b, a
	}
	// a is the later side: where nothing else decides, it does.
	bases = slices.SortedFunc(slices.Values(bases), compareFiles)
	out := Merged{Files: map[string][]byte{}, Apart: map[string][]byte{}}
	if gone == nil {
		if files, ok := oneChanged(bases, a, b); ok {
			out.Files = maps.Clone(files)
			return out
		}
		bases, a, b = out.takeSame(bases, a, b)
	}
	m := newMerge(bases, a, b, gone)
	if !m.run(&out) {
		// Some text reads differently in its new place, as behind a fence that
		// never closes. Then no piece goes from file to file.
		m.eachAlone(&out, bases, a, b)
	}
	out.sort()
	return out
}

// oneChanged returns the notes of the side that changed, if the other did not, or
// both alike.
func oneChanged(bases []map[string][]byte, a, b Side) (map[string][]byte, bool) {
	for _, base := range bases {
		switch {
		case maps.EqualFunc(base, b.Files, bytes.Equal):
			return a.Files, true
		case maps.EqualFunc(base, a.Files, bytes.Equal):
			return b.Files, true
		}
	}
	return a.Files, maps.EqualFunc(a.Files, b.Files, bytes.Equal)
}

// before orders the sides, the later one first: by the day, then by the texts.
func (s Side) before(other Side) bool {
	return cmp.Or(other.At.Compare(s.At), compareFiles(s.Files, other.Files)) < 0
}

// compareFiles orders two versions of the notes by the first text that differs.
func compareFiles(a, b map[string][]byte) int {
	paths := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		mine, ok := a[path]
		theirs, also := b[path]
		switch {
		case ok && !also:
			return -1
		case !ok && also:
			return 1
		}
		if c := bytes.Compare(mine, theirs); c != 0 {
			return c
		}
	}
	return 0
}

// takeSame moves the files that are the same everywhere to the result: there is
// nothing to find in them.
func (out *Merged) takeSame(bases []map[string][]byte, a, b Side) ([]map[string][]byte, Side, Side) {
	same := func(path string, text []byte) bool {
		theirs, ok := b.Files[path]
		if !ok || !bytes.Equal(text, theirs) {
			return false
		}
		for _, base := range bases {
			if was, ok := base[path]; !ok || !bytes.Equal(text, was) {
				return false
			}
		}
		return len(bases) > 0
	}
	for path, text := range a.Files {
		if same(path, text) {
			out.Files[path] = text
		}
	}
	rest := func(files map[string][]byte) map[string][]byte {
		left := map[string][]byte{}
		for path, text := range files {
			if _, done := out.Files[path]; !done {
				left[path] = text
			}
		}
		return left
	}
	var olds []map[string][]byte
	for _, base := range bases {
		olds = append(olds, rest(base))
	}
	a.Files, b.Files = rest(a.Files), rest(b.Files)
	return olds, a, b
}

// Locate sets the lines of the conflicts of a file anew, after its text was changed:
// an entry that went to the archive is found there.
func (out *Merged) Locate(path string) {
	open := map[string][]Open{path: Conflicts(out.Files[path]), archivePath: Conflicts(out.Files[archivePath])}
	for i := range out.Conflicts {
		c := &out.Conflicts[i]
		if c.Path != path && c.Path != archivePath {
			continue
		}
		for _, path := range []string{c.Path, archivePath} {
			if at := slices.IndexFunc(open[path], c.is); at >= 0 {
				c.Path, c.Line = path, open[path][at].Line
				break
			}
		}
	}
	out.sort()
}

// sort puts the conflicts in order.
func (out *Merged) sort() {
	slices.SortStableFunc(out.Conflicts, func(x, y MergeConflict) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Other, y.Other))
	})
}

// is reports whether o is the place in a file where c stands.
func (c *MergeConflict) is(o Open) bool {
	if c.head {
		return strings.HasSuffix(o.Other, c.Other)
	}
	p, ok := onePiece(c.Other)
	return ok && strings.HasPrefix(o.Other, firstLine(unmarked(p)))
}

// run merges all files at once. It is false when a file would not read as it was
// planned.
func (m *merge) run(out *Merged) bool {
	m.decide()
	for _, path := range m.paths() {
		if !m.write(path, out) {
			return false
		}
	}
	return true
}

// paths returns the paths that a side has.
func (m *merge) paths() []string {
	paths := slices.Concat(m.sides[0].paths, m.sides[1].paths)
	slices.Sort(paths)
	return slices.Compact(paths)
}

// eachAlone merges file by file, by lines where pieces would not read as planned.
func (m *merge) eachAlone(out *Merged, bases []map[string][]byte, a, b Side) {
	out.Conflicts = nil
	for _, path := range m.paths() {
		delete(out.Files, path)
		one := func(files map[string][]byte) map[string][]byte {
			if text, ok := files[path]; ok {
				return map[string][]byte{path: text}
			}
			return map[string][]byte{}
		}
		var olds []map[string][]byte
		for _, base := range bases {
			olds = append(olds, one(base))
		}
		mine, theirs := Side{one(a.Files), a.At}, Side{one(b.Files), b.At}
		was := len(out.Conflicts)
		if alone := newMerge(olds, mine, theirs, m.gone); alone.run(out) {
			continue
		}
		out.Conflicts = out.Conflicts[:was]
		out.byLines(path, olds, m.without(mine.Files), m.without(theirs.Files))
	}
}

// without returns the notes without what is forgotten.
func (m *merge) without(files map[string][]byte) map[string][]byte {
	if m.gone == nil {
		return files
	}
	left := map[string][]byte{}
	for path, text := range files {
		f := Parse(path, text)
		for i := len(f.units) - 1; i >= 0; i-- {
			if p := f.piece(path, i, i, ""); p.forgotten(m.gone) {
				f = Parse(path, f.RemoveUnit(i))
				i = min(i, len(f.units))
			}
		}
		left[path] = f.text
	}
	return left
}

// byLines merges one file by its lines: nothing is lost, and nothing marked.
func (out *Merged) byLines(path string, bases []map[string][]byte, a, b map[string][]byte) {
	ours, inA := a[path]
	theirs, inB := b[path]
	var base []byte
	for _, files := range bases {
		text, ok := files[path]
		switch {
		case ok && (inB && bytes.Equal(text, theirs)):
			delete(out.Files, path)
			if inA {
				out.Files[path] = ours
			}
			return
		case ok && (inA && bytes.Equal(text, ours)):
			delete(out.Files, path)
			if inB {
				out.Files[path] = theirs
			}
			return
		}
		base = text
	}
	switch {
	case inA && inB:
		out.Files[path] = Union(base, ours, theirs)
		if loses(base, ours, theirs, out.Files[path]) {
			out.Files[path] = ours
			out.Apart[path] = theirs
		}
	case inA:
		out.Files[path] = ours
	default:
		out.Files[path] = theirs
	}
}

// loses reports whether a text lacks a piece that both sides have, or that one of
// them added.
func loses(base, a, b, text []byte) bool {
	ids := func(text []byte) map[string]bool {
		in := map[string]bool{}
		for _, p := range readSheet("", text, facts{}).pieces {
			in[p.id] = true
		}
		return in
	}
	was, inA, inB, now := ids(base), ids(a), ids(b), ids(text)
	for _, side := range []map[string]bool{inA, inB} {
		for id := range side {
			if (!was[id] || inA[id] && inB[id]) && !now[id] {
				return true
			}
		}
	}
	return false
}
