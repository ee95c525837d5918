package policy

import (
	"slices"
	"time"

	"quipu/markdown"
)

// Falling is what evidence says of notes at a time, for the steps that move them by it.
type Falling struct {
	Stands   *Standings
	Disputes *Disputes
	Now      time.Time
	Zone     *time.Location // by which days are counted
}

// Leaves reports whether a note leaves the files that load: what it was drawn from is out,
// or its score has been below zero for 14 days and still is.
func (x Falling) Leaves(fact string) bool {
	if x.Disputes.Fell(fact) {
		return true
	}
	r := x.Stands.byFact[markdown.Identity(fact)]
	return r != nil && r.evidence.Score(x.Now) < 0 && r.below(true, x.Now, x.Zone) >= ArchiveDays
}

// Rises reports whether a reflection is sure enough to load in every conversation.
func (x Falling) Rises(fact string) bool {
	id := markdown.Identity(fact)
	r := x.Stands.byFact[id]
	return r != nil && len(r.reflects) > 0 && TierOf(r.evidence.Score(x.Now)) == TierPromoted && !x.Disputes.Blocks(id)
}

// SweepFallen plans what evidence alone decides: entries that fell go to the archive, and
// reflections that a person bore out go to MEMORY.md. What never falls stays, and so does
// what another step, going, moves already.
func SweepFallen(n Notes, x Falling, today markdown.Date, going []Step) []Step {
	var steps []Step
	for _, path := range sortedKeys(n.Files) {
		if path != MemoryFile && !isTopic(path) {
			continue
		}
		f := markdown.Parse(path, n.Files[path])
		for _, u := range f.Units() {
			if u.Entry == nil || !holdsOn(*u.Entry, today) || slices.ContainsFunc(going, func(s Step) bool { return s.Path == path && s.Line == u.Line }) {
				continue
			}
			switch fact := u.Entry.Identity(); {
			case mayFall(u.Entry.Text) && x.Leaves(fact):
				steps = append(steps, Step{Op: OpFall, Path: path, Line: u.Line, Raw: plainRaw(u)})
			case path == ReflectionsFile && x.Rises(fact):
				steps = append(steps, Step{Op: OpRise, Path: path, Line: u.Line, Raw: plainRaw(u), To: MemoryFile})
			}
		}
	}
	return steps
}

// mayFall reports whether an entry that states a fact may fall with its evidence; see Outside.
func mayFall(fact string) bool { return !IsHealth(fact) && !IsRule(fact) }

// DropFallen puts out every reflection whose facts do not all stand: one that no note
// states any more, or that is out itself. live are the identities of what the notes state.
func (d *Disputes) DropFallen(live map[string]bool) {
	list := d.s.Reflections()
	for again := true; again; { // of a reflection that others were drawn from, by whatever hand
		again = false
		for _, r := range list {
			if d.Fell(r.Fact) || !slices.ContainsFunc(r.From, func(f string) bool { return !live[d.s.Newest(f, live)] || d.Blocks(f) }) {
				continue
			}
			d.Drop(r.Fact)
			again = true
		}
	}
}

// unproven says why evidence does not move an entry, "" when it does.
func (c *carrier) unproven(s Step, e markdown.Entry) string {
	moves := false
	switch {
	case c.evidence == nil, e.Struck:
	case s.Op == OpFall:
		moves = mayFall(e.Text) && c.evidence.Leaves(e.Identity())
	default:
		moves = s.Path == ReflectionsFile && c.evidence.Rises(e.Identity())
	}
	if !moves {
		return "its evidence does not say so any more"
	}
	return ""
}

// rise adds an entry to MEMORY.md, unless that says it already. It says why when it cannot.
func (c *carrier) rise(s Step) string {
	if slices.Contains(c.shut, MemoryFile) {
		return "MEMORY.md wants mending first"
	}
	text := c.texts[MemoryFile]
	if IsSeed(text) {
		text = []byte(MemoryHead)
	}
	f := markdown.Parse(MemoryFile, text)
	e := markdown.Parse("", []byte(s.Raw)).Entries()[0]
	for _, have := range f.Entries() {
		if holdsOn(have, c.today) && sameFact(have, e) {
			return ""
		}
	}
	next := f.Append(s.Raw)
	units := markdown.Parse(MemoryFile, next).Units()
	switch {
	case len(next) > MaxFileBytes:
		return "MEMORY.md has no room for it"
	case len(units) == 0 || plainRaw(units[len(units)-1]) != s.Raw:
		return "MEMORY.md ends in the middle of a block"
	}
	c.texts[MemoryFile], c.risen = next, s.Raw
	return ""
}

// lineOf is the line on which an entry of a text begins, 0 for none.
func lineOf(text []byte, raw string) int {
	if raw == "" {
		return 0
	}
	for _, u := range slices.Backward(markdown.Parse(MemoryFile, text).Units()) {
		if plainRaw(u) == raw {
			return u.Line
		}
	}
	return 0
}
