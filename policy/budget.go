package policy

import (
	"cmp"
	"slices"
	"strings"

	"quipu/markdown"
)

// Fitted is MEMORY.md after entries made room.
type Fitted struct {
	Memory []byte   // the text that is left
	Moved  []string // the entries that leave, as they stood, in the order of the file
	// Archive is what goes to the end of the archive, in the order of the file: the
	// same entries, with ` · moved <today>` at the end of the first line, and LF.
	Archive   []string
	Truncated bool // the text is over a limit and stays so
	Line      int  // where the entry that was kept begins now
}

// Fit moves entries out of f until it is within the limits, and as few as that
// takes: struck ones first, then expired ones, then the oldest; of one day, the
// upper one. An entry goes whole. Hand-written lines, notes of health and safety
// and the entry that begins on line keep never move (keep 0: none was written).
// If all that may move would not be enough, none does.
func (l Limits) Fit(f *markdown.File, keep int, today markdown.Date) Fitted {
	l = l.set()
	text := f.Bytes()
	lines, bytes := countLines(text), len(text)
	fitted := Fitted{Memory: text, Truncated: l.over(lines, bytes), Line: keep}
	if !fitted.Truncated {
		return fitted
	}
	starts := unitStarts(f)
	var leaving []int
	for _, i := range candidates(f, keep, today) {
		if IsHealth(f.Units()[i].Entry.Text) {
			continue
		}
		leaving = append(leaving, i)
		lines -= unitLines(f.Units()[i])
		bytes -= starts[i+1] - starts[i]
		if !l.over(lines, bytes) {
			break
		}
	}
	if len(leaving) == 0 || l.over(lines, bytes) {
		return fitted
	}
	slices.Sort(leaving)
	out, ok := without(f, leaving, starts, today)
	if !ok {
		return fitted
	}
	out.Line = keep
	for _, i := range leaving {
		if u := f.Units()[i]; u.Line < keep {
			out.Line -= unitLines(u)
		}
	}
	return out
}

// candidates returns the units that may move, in the order in which they go.
func candidates(f *markdown.File, keep int, today markdown.Date) []int {
	units := f.Units()
	var list []int
	for i, u := range units {
		if u.Entry != nil && u.Line != keep {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := units[a].Entry, units[b].Entry
		return cmp.Or(moveRank(*x, today)-moveRank(*y, today), x.Date.Compare(y.Date))
	})
	return list
}

func moveRank(e markdown.Entry, today markdown.Date) int {
	switch {
	case e.Struck:
		return 0
	case expired(e, today):
		return 1
	}
	return 2
}

// expired reports whether a live entry has passed its last day.
func expired(e markdown.Entry, today markdown.Date) bool {
	return !e.Struck && !e.Until.IsZero() && e.Until.Before(today)
}

func unitLines(u markdown.Unit) int { return 1 + strings.Count(string(u.Raw), "\n") }

// without takes the leaving units out of f. It is false when what stays would
// read differently without its neighbour, as a line behind a fence that never
// closes may.
func without(f *markdown.File, leaving, starts []int, today markdown.Date) (Fitted, bool) {
	text, units := f.Bytes(), f.Units()
	out := Fitted{Memory: make([]byte, 0, len(text))}
	var stay []markdown.Unit
	at := 0
	for i, u := range units {
		if _, found := slices.BinarySearch(leaving, i); !found {
			stay = append(stay, u)
			continue
		}
		out.Memory = append(out.Memory, text[at:starts[i]]...)
		at = starts[i+1]
		raw := strings.ReplaceAll(string(u.Raw), "\r\n", "\n")
		out.Moved = append(out.Moved, raw)
		out.Archive = append(out.Archive, moved(raw, *u.Entry, today))
	}
	out.Memory = append(out.Memory, text[at:]...)
	return out, sameUnits(stay, markdown.Parse(f.Path(), out.Memory).Units())
}

// moved marks the first line of an entry that goes to the archive. A mark from
// an earlier move gives way.
func moved(raw string, e markdown.Entry, today markdown.Date) string {
	if !e.Moved.IsZero() {
		line, owned, more := strings.Cut(raw, "\n")
		old := dot + "moved " + e.Moved.String()
		if i := strings.LastIndex(line, old); i >= 0 {
			line = line[:i] + line[i+len(old):]
		}
		if raw = line; more {
			raw += "\n" + owned
		}
	}
	return marked(raw, "moved", today)
}

func sameUnits(a, b []markdown.Unit) bool {
	return slices.EqualFunc(a, b, func(x, y markdown.Unit) bool {
		return x.Kind == y.Kind && string(x.Raw) == string(y.Raw)
	})
}
