package policy

import (
	"fmt"
	"slices"

	"quipu/markdown"
)

// NoteWeighing is what a new fact means for the notes of all topics.
type NoteWeighing struct {
	Known     string   // the note that says it already, as it stands; "" when it is new
	Retired   []string // notes that it takes the place of, as they stood
	Conflicts []string // notes that speak against it and stay
	Edits     []Edit   // the files without what is retired
}

// WeighNote weighs a new fact against the live entries of MEMORY.md and the topics: see
// Weigh. What must not fall by itself, a note of health or a rule of the person, is never
// retired: it is told as a conflict. Lines without a date are the person's own and are not
// looked at.
func WeighNote(fact string, n Notes) NoteWeighing {
	s := shelfOf(n)
	w := Weigh(fact, s.known)
	var out NoteWeighing
	if w.Verdict == WeighedDuplicate || w.Verdict == WeighedRestated {
		out.Known = s.written[w.Of.Place]
	}
	for _, k := range w.Conflicts {
		out.Conflicts = append(out.Conflicts, s.written[k.Place])
	}
	gone := map[string]bool{}
	for _, k := range w.Retires {
		if !mayFall(k.Fact) {
			out.Conflicts = append(out.Conflicts, s.written[k.Place])
			continue
		}
		out.Retired = append(out.Retired, s.written[k.Place])
		gone[k.Place] = true
	}
	for _, path := range s.order {
		f, changed := s.files[path], false
		for i := range slices.Backward(s.files[path].Units()) {
			if gone[unitPlace(path, i)] {
				f, changed = markdown.Parse(path, f.RemoveUnit(i)), true
			}
		}
		if changed {
			out.Edits = append(out.Edits, Edit{Path: path, Text: f.Bytes()})
		}
	}
	return out
}

// shelf is the live entries of MEMORY.md and the topics, each with its place.
type shelf struct {
	order   []string
	files   map[string]*markdown.File
	known   []Known
	written map[string]string // entries as they stand, by place
}

func shelfOf(n Notes) shelf {
	s := shelf{files: map[string]*markdown.File{}, written: map[string]string{}}
	for _, path := range n.Order {
		if kind, err := CheckPath(path); err != nil || kind != Memory && kind != Topic || slices.Contains(n.Shut, path) {
			continue
		}
		f := markdown.Parse(path, n.Files[path])
		s.order, s.files[path] = append(s.order, path), f
		for i, u := range f.Units() {
			if u.Entry == nil || u.Entry.Struck || !u.Entry.Expired.IsZero() {
				continue
			}
			place := unitPlace(path, i)
			s.known = append(s.known, Known{Fact: u.Entry.Text, Place: place})
			s.written[place] = u.Entry.String()
		}
	}
	return s
}

func unitPlace(path string, unit int) string { return fmt.Sprintf("%s:%d", path, unit) }
