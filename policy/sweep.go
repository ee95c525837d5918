package policy

import (
	"slices"

	"quipu/markdown"
)

// Swept is what can be tidied without asking anybody.
type Swept struct {
	Steps      []Step
	Expired    int
	Duplicates int
	// Live is how many entries of each file hold, duplicates among them.
	Live map[string]int
}

// Sweep plans what needs no judgement: entries whose last day has passed go to the
// archive, whole, and of entries with exactly the same fact the newest stays, of one
// day the lower one. Hand-written lines are nobody's to tidy. The archive and day logs
// are not looked at.
func Sweep(n Notes, today markdown.Date) Swept {
	out := Swept{Live: map[string]int{}}
	for _, path := range sortedKeys(n.Files) {
		if path != MemoryFile && !isTopic(path) {
			continue
		}
		f := markdown.Parse(path, n.Files[path])
		var live []markdown.Unit
		for _, u := range f.Units() {
			switch {
			case u.Entry == nil:
			case expired(*u.Entry, today):
				out.Expired++
				out.Steps = append(out.Steps, Step{Op: OpArchive, Path: path, Line: u.Line, Raw: plainRaw(u)})
			case holdsOn(*u.Entry, today):
				live = append(live, u)
			}
		}
		out.Live[path] = len(live)
		drops := duplicates(path, live)
		out.Duplicates += len(drops)
		out.Steps = append(out.Steps, drops...)
	}
	return out
}

// duplicates plans to drop each entry that a later one, by date and then by line,
// repeats.
func duplicates(path string, live []markdown.Unit) []Step {
	newest := slices.Clone(live)
	slices.SortStableFunc(newest, func(a, b markdown.Unit) int { return a.Entry.Date.Compare(b.Entry.Date) })
	byFact := map[string][]markdown.Unit{}
	for _, u := range newest {
		id := u.Entry.Identity()
		byFact[id] = append(byFact[id], u)
	}
	var steps []Step
	for _, u := range live {
		for _, other := range slices.Backward(byFact[u.Entry.Identity()]) {
			if other.Line == u.Line {
				break // nothing newer says the same
			}
			if sameFact(*u.Entry, *other.Entry) {
				steps = append(steps, Step{Op: OpDrop, Path: path, Line: u.Line, Raw: plainRaw(u), Twin: plainRaw(other)})
				break
			}
		}
	}
	return steps
}
