package policy

// Status is how sure an entry of an area is. It is told on reading and never kept.
type Status string

// The statuses. The surer one is the stronger.
const (
	StatusArchived  Status = "archived"  // replaced, merged, expired or stale
	StatusTentative Status = "tentative" // inferred from one message of the owner
	StatusObserved  Status = "observed"  // inferred from several, or the style of their mails
	StatusStated    Status = "stated"    // saved on their word, or written, rewritten or confirmed by them
)

const observedFrom = 2 // messages that an inferred entry rests on

// StatusOf tells the status of a live entry from how it came to be known and from how many
// messages. settled says that the person wrote it, rewrote it or confirmed it.
func StatusOf(o Origin, messages int, settled bool) Status {
	switch {
	case settled || o == ByStating:
		return StatusStated
	case o == ByMail || messages >= observedFrom:
		return StatusObserved
	}
	return StatusTentative
}

// Label is what the person reads for a status.
func (s Status) Label() string {
	switch s {
	case StatusTentative:
		return "Mentioned once"
	case StatusObserved:
		return "Learned"
	case StatusStated:
		return "Confirmed"
	case StatusArchived:
		return "Let go"
	}
	return string(s)
}

// InIndex reports whether entries of a status are in the index that a prompt holds.
func (s Status) InIndex() bool { return s == StatusObserved || s == StatusStated }

// rank is greater for the stronger status.
func (s Status) rank() int {
	switch s {
	case StatusTentative:
		return 1
	case StatusObserved:
		return 2
	case StatusStated:
		return 3
	case StatusArchived:
	}
	return 0
}

// originRank is greater for the surer origin.
func originRank(o Origin) int {
	switch o {
	case ByStating:
		return 3
	case ByMail:
		return 2
	case ByInferring:
		return 1
	}
	return 0
}
