package repo

import (
	"bytes"
	"fmt"
	"strings"

	"quipu/policy"
	"quipu/repo/internal/git"
)

// takeIn commits what was edited outside, in the given paths or everywhere, as one
// change of whoever edits now: the bot in its turn, else the person.
func (v *view) takeIn(paths ...string) error {
	return v.takeInAs(nil, paths...)
}

// takeInAs is takeIn with the change signed as m says; nil finds that out.
func (v *view) takeInAs(as *Meta, paths ...string) error {
	edits, odd, err := v.tx.Outside(paths...)
	if err != nil {
		return err
	}
	for _, p := range odd {
		v.refuse(p, "no plain file of a fit size (2 MiB, a picture 5) stands there; take away what does")
	}
	var files []fileText
	for _, e := range edits {
		if policy.OwnFile(e.Path) { // appended by transactions only
			v.notes = append(v.notes, e.Path+" was changed outside and has been put back")
			files = append(files, fileText{path: e.Path, text: e.Before, del: e.Created})
			continue
		}
		if !e.Deleted && hasMarkers(e.After) {
			v.refuse(e.Path, "it holds conflict markers (<<<<<<<, =======, >>>>>>>); resolve them and save it")
			continue
		}
		files = append(files, fileText{path: e.Path, text: v.clean(e.Path, e.After), del: e.Deleted})
	}
	if len(files) == 0 {
		return nil
	}
	m := v.editor()
	if as != nil {
		m = *as
	}
	var r Receipt
	if err := v.commit(m, draft{files: files}, &r); err != nil {
		return err
	}
	v.outside = append(v.outside, r.Change)
	v.rows = append(v.rows, r.Rows...)
	return nil
}

// clean masks the credentials in a text that is to be written.
func (v *view) clean(path string, text []byte) []byte {
	out, n := v.w.masked(text)
	if n > 0 {
		v.notes = append(v.notes, fmt.Sprintf("%s: %d credentials were masked; change them where they are used", path, n))
	}
	return out
}

// scrub masks what a text that is written anew still holds of one that quipu did not
// write. A text made from a clean one holds none: what is put in was masked before.
func (v *view) scrub(files []fileText) error {
	for i := range files {
		f := &files[i]
		if f.del || f.path == policy.LedgerFile || v.w.isClean(git.HashBlob(f.text)) {
			continue // each event of the ledger was masked when it was made
		}
		before, had, err := v.tx.File(f.path)
		if err != nil {
			return err
		}
		if !had || !v.w.isClean(git.HashBlob(before)) {
			f.text = v.clean(f.path, f.text)
		}
		v.w.noteClean(git.HashBlob(f.text))
	}
	return nil
}

func (v *view) refuse(path, why string) {
	if _, told := v.refused[path]; told {
		return
	}
	v.refused[path] = why
	v.notes = append(v.notes, path+": "+why)
}

// hasMarkers says whether a text holds an unresolved conflict of git: all three
// marker lines, in their order.
func hasMarkers(text []byte) bool {
	if policy.IsPicture(text) {
		return false
	}
	want := [...]string{"<<<<<<< ", "=======", ">>>>>>> "}
	i := 0
	for line := range bytes.Lines(text) {
		l := strings.TrimRight(string(line), "\r\n")
		if i == 1 && l == want[1] || i != 1 && strings.HasPrefix(l, want[i]) {
			if i++; i == len(want) {
				return true
			}
		}
	}
	return false
}
