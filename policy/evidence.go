package policy

import (
	"cmp"
	"math"
	"time"

	"quipu/markdown"
)

// What the two sides of evidence are worth, by N.E.K.O. (memory/evidence.py and
// memory-evidence-rfc.md): agreement and disagreement are separate quantities, each
// with a clock of its own, so that "long confirmed, lately disputed" can be told.
const (
	SupportHalfLife = 30 * oneDay
	DisputeHalfLife = 180 * oneDay

	confirmDelta   = 1.0
	disputeDelta   = 1.0
	reinforceDelta = 0.5
	reinforceBonus = 0.5 // from the third time on, for ever
	bonusAfter     = 2
	ignoreDelta    = -0.2 // of support: silence is no dispute

	promotedFrom  = 2.0
	confirmedFrom = 1.0
	candidateTo   = -2.0

	// ArchiveDays are the days below zero after which a fact leaves the notes that load.
	ArchiveDays = 14

	oneDay = 24 * time.Hour
)

// Signal is what moved a fact's evidence.
type Signal string

// The signals. Those of support first, then those of dispute.
const (
	Confirm   Signal = "confirm"   // a person said that it is so
	Reinforce Signal = "reinforce" // a person said it again, by the way
	Weighed   Signal = "weighed"   // a reflection begins with what its facts weigh
	Rebut     Signal = "rebut"     // a person said that it is not so
	Keyword   Signal = "keyword"   // the same, told by its words alone
	Negate    Signal = "negate"    // a person said something that it cannot be true beside
	Ignore    Signal = "ignore"    // it was brought up, and nobody answered
)

// Kind is the kind of event that a signal makes, "" for what is no signal.
func (s Signal) Kind() string {
	switch s {
	case Confirm, Reinforce, Weighed:
		return EventSupport
	case Rebut, Keyword, Negate:
		return EventDispute
	case Ignore:
		return EventIgnore
	}
	return ""
}

// Tier is what a score comes to. It is told on reading and never kept.
type Tier string

// The tiers.
const (
	TierPromoted  Tier = "promoted"          // 2 and above
	TierConfirmed Tier = "confirmed"         // 1 and above
	TierPending   Tier = "pending"           // between
	TierLeaving   Tier = "archive_candidate" // -2 and below
)

// Evidence is what speaks for a fact and what against it, each as it was worth at its
// last signal. A time that is zero or lies ahead wears nothing off.
type Evidence struct {
	Support    float64   `json:"support"`
	SupportAt  time.Time `json:"supportAt,omitzero"`
	Dispute    float64   `json:"dispute"`
	DisputeAt  time.Time `json:"disputeAt,omitzero"`
	Reinforced int       `json:"reinforced"` // how often it was said again; never reset
	Protected  bool      `json:"protected"`  // it never falls
	// Settled says that a person confirmed it after the last dispute, and so much that it
	// weighed that up then: it is not out again only because support wears off sooner.
	Settled bool `json:"settled,omitempty"`
}

// worn is what a quantity is worth some time after its last signal.
func worn(amount float64, at, now time.Time, half time.Duration) float64 {
	age := now.Sub(at)
	if at.IsZero() || now.IsZero() || age <= 0 {
		return amount
	}
	return amount * math.Exp2(-float64(age)/float64(half))
}

func (e Evidence) support(now time.Time) float64 {
	return worn(e.Support, e.SupportAt, now, SupportHalfLife)
}

func (e Evidence) dispute(now time.Time) float64 {
	return worn(e.Dispute, e.DisputeAt, now, DisputeHalfLife)
}

// Score is support less dispute at a time; infinite for what is protected.
func (e Evidence) Score(now time.Time) float64 {
	if e.Protected {
		return math.Inf(1)
	}
	return e.support(now) - e.dispute(now)
}

// TierOf gives the tier of a score.
func TierOf(score float64) Tier {
	switch {
	case score >= promotedFrom:
		return TierPromoted
	case score >= confirmedFrom:
		return TierConfirmed
	case score <= candidateTo:
		return TierLeaving
	}
	return TierPending
}

// Disputed reports whether a fact is out: somebody disputed it, what speaks for it does not
// weigh that up, and no person settled it since. What only silence brought below zero is not disputed.
func (e Evidence) Disputed(now time.Time) bool {
	return e.Dispute > 0 && !e.Settled && e.Score(now) < 0
}

// With is the evidence after a signal: its side is worn down to the time of it, and moved.
func (e Evidence) With(s Signal, at time.Time) Evidence {
	support := func(delta float64) { e.Support, e.SupportAt = e.support(at)+delta, later(e.SupportAt, at) }
	switch s {
	case Confirm:
		support(confirmDelta)
	case Reinforce:
		e.Reinforced++
		delta := reinforceDelta
		if e.Reinforced > bonusAfter {
			delta += reinforceBonus
		}
		support(delta)
	case Ignore:
		support(ignoreDelta)
	case Rebut, Keyword, Negate:
		e.Dispute, e.DisputeAt = e.dispute(at)+disputeDelta, later(e.DisputeAt, at)
	case Weighed: // see after
	}
	return e
}

// after is the evidence after an event of the ledger.
func (e Evidence) after(x Event) Evidence {
	if x.Why != Weighed {
		e = e.With(cmp.Or(x.Why, Ignore), x.At)
		e.Settled = x.Kind != EventDispute && (e.Settled || x.Why == Confirm && x.byPerson() && e.Score(x.At) >= 0)
		return e
	}
	e.Support, e.SupportAt = e.support(x.At)+SeedSupport(x.Weight), later(e.SupportAt, x.At)
	return e
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// SeedSupport is the support with which a reflection begins, by the greatest importance
// of the facts that it was drawn from, 1 to 10: never enough to be confirmed.
func SeedSupport(importance int) float64 {
	switch {
	case importance >= 10:
		return 0.8
	case importance == 9:
		return 0.6
	case importance == 8:
		return 0.4
	case importance == 7:
		return 0.2
	}
	return 0
}

// SubZero counts the days on which a score was below zero, at most one a calendar day.
// A day is never counted back.
type SubZero struct {
	Days int
	Last markdown.Date // that was counted last
}

// Count counts a day of the evidence, and reports whether it did.
func (z SubZero) Count(e Evidence, now time.Time) (SubZero, bool) {
	today := markdown.DateOf(now)
	if e.Score(now) >= 0 || z.Last == today {
		return z, false
	}
	return SubZero{Days: z.Days + 1, Last: today}, true
}

// Archives reports whether it was below zero for long enough to leave.
func (z SubZero) Archives() bool { return z.Days >= ArchiveDays }
