package policy

import (
	"slices"
	"time"

	"quipu/markdown"
)

// Disputes are the claims that are out at a time. They can only drop a fact, never bring
// one back.
type Disputes struct {
	claims []claim
	of     []*record        // whose claim each is
	ids    map[string]bool  // all wordings of them, and whether a person disputed it themselves
	human  []bool           // of each claim: a person disputed it themselves
	fallen map[string]bool  // facts that are out with what they were drawn from
	byKey  map[string][]int // claims by each of their keywords
	s      *Standings
	now    time.Time
}

// Disputes lists the claims that are disputed at a time.
func (s *Standings) Disputes(now time.Time) *Disputes {
	d := &Disputes{ids: map[string]bool{}, fallen: map[string]bool{}, byKey: map[string][]int{}, s: s, now: now}
	for _, r := range s.list {
		if !r.evidence.Disputed(now) {
			continue
		}
		for _, fact := range r.facts {
			c := s.claims.of(fact)
			d.ids[c.id] = r.byPerson()
			for _, key := range c.keys {
				d.byKey[key] = append(d.byKey[key], len(d.claims))
			}
			d.claims, d.of, d.human = append(d.claims, c), append(d.of, r), append(d.human, r.byPerson())
		}
	}
	return d
}

// Drop puts out a fact that falls with what it was drawn from.
func (d *Disputes) Drop(fact string) { d.fallen[fact] = true }

// Len counts the wordings that are out.
func (d *Disputes) Len() int {
	if d == nil {
		return 0
	}
	return len(d.claims) + len(d.fallen)
}

// Blocks reports whether a fact is out: it is disputed itself, or it says again what is and
// nothing that speaks for it since weighs that up. Pass the fact alone, without date and
// source.
func (d *Disputes) Blocks(fact string) bool { return d.Out(fact, true) }

// Out is Blocks for a note: one that keeps its place is out only when a person disputed
// it themselves. It is an Outside.
func (d *Disputes) Out(fact string, falls bool) bool {
	if d.Len() == 0 {
		return false
	}
	id := markdown.Identity(fact)
	human, disputed := d.ids[id]
	if d.fallen[id] || disputed && (falls || human) {
		return true
	}
	own := d.s.byFact[id]
	if disputed {
		own = nil
	}
	_, _, found := d.like(id, own, falls)
	return found
}

// like finds the disputed claim that a fact with evidence of its own, which may be nil,
// says again, and what the two come to.
func (d *Disputes) like(fact string, own *record, falls bool) (old string, worth float64, found bool) {
	if d.Len() == 0 {
		return "", 0, false
	}
	c := d.s.claims.of(fact)
	for _, key := range c.keys {
		for _, i := range d.byKey[key] {
			if !falls && !d.human[i] || !c.restates(d.claims[i]) {
				continue
			}
			if w := d.of[i].with(own, d.now); w < 0 && (!found || w < worth) {
				old, worth, found = d.claims[i].id, w, true
			}
		}
	}
	return old, worth, found
}

// with is what a disputed claim comes to together with what speaks for another wording of
// it; zero when a person settled that since.
func (r *record) with(own *record, now time.Time) float64 {
	worth := r.evidence.Score(now)
	if own == nil {
		return worth
	}
	support := func(at time.Time) float64 { return max(0, own.evidence.support(at)) }
	if at := own.confirmed(); !at.Before(r.evidence.DisputeAt) && r.evidence.Score(at)+support(at) >= 0 {
		return 0
	}
	return worth + support(now)
}

// Tells reports whether a text of several sentences says again, in one of them, what is
// disputed: what was said in a conversation, a line of a day log.
func (d *Disputes) Tells(text string) bool {
	return d.Len() > 0 && slices.ContainsFunc(sentences(text), d.Blocks)
}
