package policy

import (
	"cmp"
	"slices"
	"strings"

	"quipu/markdown"
)

// LeaveReason says why an entry left its area.
type LeaveReason string

// The reasons.
const (
	LeftReplaced LeaveReason = "replaced" // a newer wording stands in its place
	LeftMerged   LeaveReason = "merged"   // another entry says the same
	LeftExpired  LeaveReason = "expired"  // its last day has passed
	LeftStale    LeaveReason = "stale"    // nobody said it again for 60 days
	LeftWrong    LeaveReason = "wrong"    // the owner said that it is not so
	LeftForNewer LeaveReason = "outdated" // a newer entry of equal or surer origin
)

const (
	// LapseDays are the days after which an inferred entry lapses that one message alone
	// bears out and nobody said again.
	LapseDays = 60
	// MaxLetGo is how many entries that were let go the archive keeps.
	MaxLetGo = 40
)

// Repaired is what repair would do without asking anybody.
type Repaired struct {
	Steps []Step       // entries that are let go
	Trim  []LetGoEntry // entries of the archive that are more than it keeps, once these have gone
}

// Repair plans what needs no model: entries past their last day, inferred entries of one
// message that nobody said again for 60 days, and of entries that say the same but for case,
// accents and punctuation all but the stronger. Stronger is stated before observed before
// tentative; among equals what was written by hand, then more messages, then the older, then
// the first as they stand. Two with different last days are no duplicates. What a
// person wrote by hand always stays; health, safety and the person's rules do not lapse.
func (t Tree) Repair() Repaired {
	best, over := map[string]int{}, make([]LeaveReason, len(t.Entries))
	for i, e := range t.Entries {
		over[i] = t.over(e)
		key := e.sameKey()
		if over[i] != "" || key == "" {
			continue
		}
		if j, there := best[key]; !there || stronger(e, t.Entries[j]) {
			best[key] = i
		}
	}
	var out Repaired
	for i, e := range t.Entries {
		s := Step{Op: OpLetGo, Path: e.File, Line: e.Line, Raw: e.Raw, Why: over[i]}
		if j, there := best[e.sameKey()]; there && j != i && s.Why == "" && !e.Hand {
			s.Why, s.Twin = LeftMerged, t.Entries[j].Raw
		}
		if s.Why != "" {
			out.Steps = append(out.Steps, s)
		}
	}
	out.Trim = t.trim(len(out.Steps))
	return out
}

// over says why an entry is over by itself, "" when it is not.
func (t Tree) over(e AreaEntry) LeaveReason {
	switch {
	case e.Hand:
	case !e.Until.IsZero() && e.Until.Before(t.today):
		return LeftExpired
	case t.lapsed(e):
		return LeftStale
	}
	return ""
}

// lapsed reports whether nobody said an entry again that rests on one message.
func (t Tree) lapsed(e AreaEntry) bool {
	return e.Origin == ByInferring && e.Status == StatusTentative && e.Falls && !e.said.IsZero() && !t.today.Before(e.said.AddDays(LapseDays))
}

// trim are the entries of the archive that are too many when more are coming.
func (t Tree) trim(coming int) []LetGoEntry {
	keep := max(0, MaxLetGo-coming)
	if len(t.LetGo) <= keep {
		return nil
	}
	return slices.Clone(t.LetGo[keep:])
}

// sameKey is what entries have in common that say the same but for case, accents and
// punctuation; "" for nothing. In a block of code every sign counts.
func (e AreaEntry) sameKey() string {
	key := plainKey(e.Text)
	if strings.Contains(e.Text, "\n") {
		key = e.Text
	}
	if key == "" {
		return ""
	}
	return key + "\x00" + e.Until.String()
}

// plainKey are the words of a text without case, accents and punctuation.
func plainKey(text string) string { return strings.Join(plainTokens(text), " ") }

// stronger reports whether of two entries that say the same the first is the one that stays.
func stronger(a, b AreaEntry) bool {
	by := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	return cmp.Or(a.Status.rank()-b.Status.rank(), by(a.Hand)-by(b.Hand), a.Evidence()-b.Evidence(), b.born.Compare(a.born)) > 0
}

// keeps says why an entry is not let go, "" when nothing speaks against it. What repair
// decides must be decided again; what a model proposed must be of an entry that may go, for
// one that stands.
func (t *Tree) keeps(s Step) string {
	const changed = "the areas do not say so any more"
	if t == nil {
		return changed
	}
	i := slices.IndexFunc(t.Entries, func(e AreaEntry) bool { return e.File == s.Path && e.Raw == s.Raw })
	if i < 0 || t.Entries[i].Hand {
		return changed
	}
	if !t.leavesBy(s, t.Entries[i]) {
		return changed
	}
	return ""
}

// leavesBy reports whether the reason of a step holds for an entry.
func (t *Tree) leavesBy(s Step, e AreaEntry) bool {
	stands := func(holds func(AreaEntry) bool) bool {
		return slices.ContainsFunc(t.Entries, func(x AreaEntry) bool { return x.Raw == s.Twin && x.Address() != e.Address() && holds(x) })
	}
	switch s.Why {
	case LeftExpired, LeftStale:
		return t.over(e) == s.Why
	case LeftWrong:
		return e.Origin == ByInferring && e.Falls
	case LeftReplaced:
		return true
	case LeftMerged:
		return stands(func(x AreaEntry) bool { return x.Status.rank() >= e.Status.rank() })
	case LeftForNewer:
		return stands(func(x AreaEntry) bool { return outdates(x, e) })
	}
	return false
}

// outdates reports whether an entry may stand for an older one: it is newer, and of equal or
// surer origin.
func outdates(fresh, old AreaEntry) bool {
	return fresh.Said.After(old.Said) && originRank(fresh.Origin) >= originRank(old.Origin)
}

// letGo is an entry as the archive keeps it.
func letGo(s Step, today markdown.Date) string {
	if s.Why == LeftExpired {
		return marked(s.Raw, "expired", today)
	}
	return moved(s.Raw, markdown.Parse("", []byte(s.Raw)).Entries()[0], today)
}

// LeftEvents are the events that tell of the steps which were taken: where each entry stood.
// They have no id and no time.
func (t Tree) LeftEvents(done []Step) []Event {
	var list []Event
	for _, s := range done {
		for _, e := range t.Entries {
			if s.Op == OpLetGo && e.File == s.Path && e.Raw == s.Raw {
				list = append(list, Event{Kind: EventLeft, Fact: e.Fact, Area: e.Area, Slug: e.Slug, What: string(s.Why)})
				break
			}
		}
	}
	return list
}

// TrimArchive returns the text of the archive without entries that it keeps no more, each
// once and as it stood. Lines that were written by hand stay.
func TrimArchive(archive []byte, trim []LetGoEntry) []byte {
	if len(trim) == 0 {
		return archive
	}
	f := markdown.Parse(ArchiveFile, archive)
	left := map[string]int{}
	for _, e := range trim {
		left[e.Raw]++
	}
	starts := unitStarts(f)
	out := slices.Clone(archive[:starts[0]])
	for i, u := range f.Units() {
		if raw := plainRaw(u); u.Entry != nil && left[raw] > 0 {
			left[raw]--
			continue
		}
		out = append(out, archive[starts[i]:starts[i+1]]...)
	}
	return out
}
