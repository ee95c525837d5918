package git

import "errors"

// restage puts another text into an entry, which keeps its mode and flags. Its file
// facts go, which makes git look at the content.
func (x *index) restage(path string, blob Hash) {
	e := x.raw[x.at[path]:]
	clear(e[:24])
	clear(e[28:40])
	copy(e[40:60], blob[:])
}

// setMode sets the kind of file of an entry.
func (x *index) setMode(path string, mode uint32) {
	x.raw[x.at[path]+26], x.raw[x.at[path]+27] = byte(mode>>8), byte(mode)
}

// newIndex makes the index's bytes for the new history: what is staged stays staged,
// without what is erased. changed says whether an entry had to be altered.
func (w *rewriter) newIndex(head Hash) (b []byte, changed bool, err error) {
	r := w.r
	if r.index == nil {
		b, err := w.indexOf(head)
		return b, true, err
	}
	for _, path := range r.index.paths() {
		mode := r.index.mode(path)
		if mode == modeLink {
			continue
		}
		old, _ := r.index.blob(path)
		s := w.slotAt(path)
		next, err := w.text(s, old)
		if errors.Is(err, ErrNoObject) {
			continue // git, too, can do nothing with such an entry
		}
		if err != nil {
			return nil, false, err
		}
		if next != old {
			r.index.restage(path, next)
			changed = true
		}
		if s.to != path {
			r.index.remove(path)
			if _, there := r.index.blob(s.to); !there && s.to != "" {
				r.index.set(s.to, next, nil)
				r.index.setMode(s.to, mode)
			}
			changed = true
		}
	}
	if r.indexStat != (stat{}) {
		r.smudgeYoung()
	}
	return r.index.encode(), changed, nil
}

// indexOf makes an index of the newest commit, in place of one that has a form which
// only git can write.
func (w *rewriter) indexOf(head Hash) ([]byte, error) {
	w.out.note("the index had a form that only git can write; it was made anew from the newest commit, and nothing is staged any more")
	x := emptyIndex()
	if c := w.commits[head]; c != nil {
		files, err := w.newFiles(c.tree)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			x.set(f.path, f.id, nil)
			x.setMode(f.path, f.mode)
		}
	}
	return x.encode(), nil
}
