package policy

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
