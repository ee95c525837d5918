package policy

import (
	"cmp"
	"strings"
	"time"
)

// ReadMark is how far messages were read: up to the one of this time and id.
type ReadMark struct {
	At time.Time `json:"at,omitzero"`
	ID string    `json:"id,omitempty"`
}

// Compare orders marks by time, then by id.
func (m ReadMark) Compare(other ReadMark) int {
	return cmp.Or(m.At.Compare(other.At), strings.Compare(m.ID, other.ID))
}

// Progress is how far a pass over messages has come. It moves in the same write as what the
// pass changes, so that a batch counts once. The zero Progress has read nothing.
type Progress struct {
	After ReadMark `json:"after"`
	// Through is the end of a batch that failed: it is read again as it was. Zero for none.
	Through  ReadMark `json:"through,omitzero"`
	Failures int      `json:"failures,omitempty"`
}

// maxFailures is how often a batch is tried: at first, and on the next two ticks.
const maxFailures = 3

// Done is the progress after a batch that was read up to a mark.
func (p Progress) Done(through ReadMark) Progress {
	if through.Compare(p.After) < 0 {
		through = p.After
	}
	return Progress{After: through}
}

// Failed is the progress after a batch that could not be read up to a mark: it is tried
// again on the next two ticks, then it is skipped.
func (p Progress) Failed(through ReadMark) (next Progress, skipped bool) {
	if p.Failures+1 >= maxFailures {
		return p.Done(through), true
	}
	return Progress{After: p.After, Through: through, Failures: p.Failures + 1}, false
}

// Event is what the ledger keeps of a progress; without id and time.
func (p Progress) Event(pass string) Event {
	return Event{Kind: EventProgress, What: pass, Mark: &p}
}

// PassReflect is the pass over what the owner wrote.
const PassReflect = "reflect"

// consolidating is the pass over one area.
func consolidating(a Area) string { return "consolidate " + string(a) }

// Progress is how far a pass has come: of two clones the one that read on further, and of
// one mark the last.
func (s *Standings) Progress(pass string) Progress {
	var p Progress
	for _, e := range s.progress[pass] {
		if e.Mark.After.Compare(p.After) >= 0 {
			p = *e.Mark
		}
	}
	return p
}
