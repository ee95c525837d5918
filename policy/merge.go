package policy

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quipu/markdown"
)

// TreeMerge is what two machines' trees are merged from: the texts of tracked
// files by path. A file that is the same everywhere may be left out, but for
// MEMORY.md and the archive, which the budget needs.
type TreeMerge struct {
	Bases []map[string][]byte // what both grew from; none when they have nothing in common
	A, B  markdown.Side
	// Gone reports that a text is forgotten, and so stays out whoever has it; nil
	// forgets nothing.
	Gone   func(text string) bool
	Limits Limits
}

// TreeMerged is the tree after a merge.
type TreeMerged struct {
	// Merged has the text of every file that there is, and the conflicts that were
	// left for the person. A path without a text is deleted. Apart stays empty.
	markdown.Merged
	// Seconds names the files that were made to keep the other side's version of
	// one that cannot be merged: the new path by the path of the file.
	Seconds map[string]string
	// Moved are the entries that went to the archive to make room, as they stood.
	Moved     []string
	Truncated bool // MEMORY.md is over a limit and stays so
}

// Merge merges two trees: notes entry by entry, also across files; day logs by
// lines in the order of time; the ledger by union, without what tells of what was forgotten; the epoch to the greater one. Of
// any other file, and of notes that are no text, the changed version wins over the
// unchanged one, and two changed versions are both kept. A file that one side
// deleted and the other changed stays, and the ledger and the epoch always do. Then MEMORY.md is brought within the limits,
// if the merge made it, with the later side's date as today. The result is the same
// bytes whichever side is A.
func (t TreeMerge) Merge() TreeMerged {
	if c := cmp.Or(t.B.At.Compare(t.A.At), compareTrees(t.A.Files, t.B.Files)); c > 0 {
		t.A, t.B = t.B, t.A
	}
	t.oneName()
	out := TreeMerged{Merged: markdown.Merged{Files: map[string][]byte{}}, Seconds: map[string]string{}}
	groups := t.groups()
	out.notes(t, groups[""])
	delete(groups, "")
	for _, name := range sortedKeys(groups) {
		switch kind, err := CheckPath(name); {
		case name == LedgerFile:
			out.whole(t, name, func(a, b []byte) []byte { return mergeLedger(t.baseTexts(name), a, b) })
			out.Files[name] = ledgerWithout(out.Files[name], t.Gone)
		case name == EpochFile:
			out.whole(t, name, mergeEpoch)
		case name == SettingsFile:
			out.whole(t, name, func(a, _ []byte) []byte { return a }) // the later one's
		case err == nil && kind == Log && t.readable(name):
			out.notes(t, groups[name])
		default:
			out.whole(t, name, nil)
		}
	}
	out.lift(t.Gone)
	out.pictures(t)
	if out.fit(t) {
		out.Locate(MemoryFile)
	}
	return out
}

// groups returns the paths that are merged together: under "" the notes, among which
// entries move, and every other path alone.
func (t TreeMerge) groups() map[string][]string {
	groups := map[string][]string{}
	for _, name := range t.paths() {
		kind, err := CheckPath(name)
		if err == nil && kind != Log && t.readable(name) {
			groups[""] = append(groups[""], name)
			continue
		}
		groups[name] = []string{name}
	}
	return groups
}

// paths returns all paths that a side has.
func (t TreeMerge) paths() []string {
	return slices.Compact(slices.Sorted(slices.Values(append(sortedKeys(t.A.Files), sortedKeys(t.B.Files)...))))
}

// readable reports whether a file is text in every version.
func (t TreeMerge) readable(name string) bool {
	for _, files := range append(slices.Clone(t.Bases), t.A.Files, t.B.Files) {
		if !plainText(files[name]) {
			return false
		}
	}
	return true
}

func plainText(text []byte) bool { return utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 }

// oneName gives topics of the two sides whose names a Mac takes for one the same
// name: the new one where one side renamed it.
func (t *TreeMerge) oneName() {
	known := map[string]string{}
	for name := range t.A.Files {
		if isTopic(name) {
			known[foldName(name)] = name
		}
	}
	for _, name := range sortedKeys(t.B.Files) {
		other := known[foldName(name)]
		if other == "" || has(t.B.Files, other) || has(t.A.Files, name) {
			continue
		}
		from, to := max(name, other), min(name, other)
		switch wasOther, wasName := t.inBase(other), t.inBase(name); {
		case wasOther && wasName:
			continue
		case wasOther:
			from, to = other, name
		case wasName:
			from, to = name, other
		}
		t.A.Files, t.B.Files = renamed(t.A.Files, from, to), renamed(t.B.Files, from, to)
		t.Bases = slices.Clone(t.Bases)
		for i, base := range t.Bases {
			t.Bases[i] = renamed(base, from, to)
		}
	}
}

func (t *TreeMerge) inBase(name string) bool {
	return slices.ContainsFunc(t.Bases, func(base map[string][]byte) bool { return has(base, name) })
}

func has(files map[string][]byte, name string) bool {
	_, found := files[name]
	return found
}

func renamed(files map[string][]byte, from, to string) map[string][]byte {
	if !has(files, from) {
		return files
	}
	out := map[string][]byte{}
	for name, text := range files {
		if name == from {
			name = to
		}
		out[name] = text
	}
	return out
}

// notes merges files whose entries are told apart.
func (out *TreeMerged) notes(t TreeMerge, names []string) {
	only := func(files map[string][]byte) map[string][]byte {
		few := map[string][]byte{}
		for name, text := range files {
			if _, found := slices.BinarySearch(names, name); found {
				few[name] = text
			}
		}
		return few
	}
	var bases []map[string][]byte
	for _, base := range t.Bases {
		few := map[string][]byte{}
		for name, text := range base {
			// A note that both sides have deleted is still where an entry came from.
			_, found := slices.BinarySearch(names, name)
			if found || len(names) > 0 && isNote(names[0]) && isNote(name) && !has(t.A.Files, name) && !has(t.B.Files, name) && t.readable(name) {
				few[name] = text
			}
		}
		bases = append(bases, few)
	}
	m := markdown.Merge(bases, markdown.Side{Files: only(t.A.Files), At: t.A.At}, markdown.Side{Files: only(t.B.Files), At: t.B.At}, t.Gone)
	maps.Copy(out.Files, m.Files)
	out.Conflicts = append(out.Conflicts, m.Conflicts...)
	for name, other := range m.Apart {
		out.beside(name, other)
	}
}

func isNote(name string) bool {
	kind, err := CheckPath(name)
	return err == nil && kind != Log
}

// whole merges a file that is not told apart: by join where both sides changed it,
// or, without one, by keeping both.
func (out *TreeMerged) whole(t TreeMerge, name string, join func(a, b []byte) []byte) {
	a, inA := t.A.Files[name]
	b, inB := t.B.Files[name]
	switch {
	case inA && inB:
		out.Files[name] = out.pick(t, name, a, b, join)
	case inA && (join != nil || !t.unchanged(name, a)):
		out.Files[name] = a
	case inB && (join != nil || !t.unchanged(name, b)):
		out.Files[name] = b
	}
}

// pick returns what becomes of a file that both sides have.
func (out *TreeMerged) pick(t TreeMerge, name string, a, b []byte, join func(a, b []byte) []byte) []byte {
	switch {
	case bytes.Equal(a, b) || t.unchanged(name, b):
		return a
	case t.unchanged(name, a):
		return b
	case join != nil:
		return join(a, b)
	case isNote(name) && !plainText(a) && plainText(b): // what loads is text if it can be
		a, b = b, a
	}
	out.beside(name, b)
	return a
}

// unchanged reports whether a base has a file with this text.
func (t *TreeMerge) unchanged(name string, text []byte) bool {
	return slices.ContainsFunc(t.Bases, func(base map[string][]byte) bool {
		was, ok := base[name]
		return ok && bytes.Equal(was, text)
	})
}

func (t *TreeMerge) baseTexts(name string) [][]byte {
	var list [][]byte
	for _, base := range t.Bases {
		if text, ok := base[name]; ok {
			list = append(list, text)
		}
	}
	return list
}

// beside keeps another version of a file under a name of its own.
func (out *TreeMerged) beside(name string, text []byte) {
	second := secondName(name, text)
	out.Files[second] = text
	out.Seconds[name] = second
}

// secondName returns the name for another version of a file, which depends on the
// two alone: memory/images/cat-1a2b3c4d5e6f.png.
func secondName(name string, text []byte) string {
	sum := sha256.Sum256(text)
	dir, file := path.Split(name)
	switch dir {
	case "":
		dir = topicDir
	case logDir:
		dir, file = topicDir, "log-"+file
	}
	ext := path.Ext(file)
	return dir + strings.TrimSuffix(file, ext) + "-" + hex.EncodeToString(sum[:6]) + ext
}

// lift takes the aliases that are forgotten out of the headers.
func (out *TreeMerged) lift(gone func(string) bool) {
	if gone == nil {
		return
	}
	for name, text := range out.Files {
		if !isNote(name) || !bytes.Contains(text, []byte("aliases")) {
			continue
		}
		h := markdown.Parse(name, text).Header()
		if left := slices.DeleteFunc(slices.Clone(h.Aliases), gone); len(left) < len(h.Aliases) {
			out.Files[name] = markdown.SetAliases(text, left)
		}
	}
}

// fit applies the budget to a MEMORY.md that is no side's own, and reports whether
// entries moved.
func (out *TreeMerged) fit(t TreeMerge) bool {
	text, ok := out.Files[MemoryFile]
	if !ok || bytes.Equal(text, t.A.Files[MemoryFile]) || bytes.Equal(text, t.B.Files[MemoryFile]) {
		return false
	}
	o := Outcome{Edits: []Edit{{Path: MemoryFile, Text: text}}}
	notes := Notes{Files: map[string][]byte{ArchiveFile: out.Files[ArchiveFile]}}
	o, err := Settle(o, notes, t.Limits, t.A.At)
	out.Moved, out.Truncated = o.Moved, o.Truncated || err != nil
	for _, e := range o.Edits {
		out.Files[e.Path] = e.Text
	}
	return len(o.Moved) > 0
}

// compareTrees orders two trees by the first file that differs.
func compareTrees(a, b map[string][]byte) int {
	names := slices.Sorted(slices.Values(append(sortedKeys(a), sortedKeys(b)...)))
	for _, name := range slices.Compact(names) {
		mine, inA := a[name]
		theirs, inB := b[name]
		switch {
		case inA && !inB:
			return -1
		case inB && !inA:
			return 1
		}
		if c := bytes.Compare(mine, theirs); c != 0 {
			return c
		}
	}
	return 0
}

// mergeEpoch returns the greater of two numbers; what is no number is less than any.
func mergeEpoch(a, b []byte) []byte {
	number := func(text []byte) int64 {
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	if number(b) > number(a) {
		return b
	}
	return a
}
