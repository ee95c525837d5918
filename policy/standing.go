package policy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
)

// Origin is how a fact came to be known.
type Origin string

// The origins, the surest first.
const (
	ByStating   Origin = "stated"   // a person said to keep it, or wrote it
	ByMail      Origin = "email"    // it was found in what they wrote elsewhere
	ByInferring Origin = "inferred" // it was noticed in what they said
)

// Standings is what a ledger says of each fact. It is computed from the events alone,
// in whatever order and however often they stand there: two clones that have the same
// events have the same standings.
type Standings struct {
	byFact map[string]*record
	list   []*record // by their first event
	trust  map[string][]Event
	claims *claims

	directives []Event
	lifted     map[string]bool // ids of directives
	ground     map[string]bool // facts that reflections were drawn from

	overviews map[Area]Event     // the last of each area
	left      map[string]Event   // by the fact, its last
	progress  map[string][]Event // by the pass
}

// record is one fact, under each wording that its note had.
type record struct {
	facts    []string
	signals  []Event // in the order of time
	said     []Event // likewise
	shown    []Event
	reflects []Event
	renamed  []Event // likewise
	names    []Event // likewise
	evidence Evidence
}

// Standings gives what the ledger says of each fact; up to a time, when that is not zero.
func (l Ledger) Standings(until time.Time) *Standings {
	events := l.standing(until)
	s := &Standings{
		byFact: map[string]*record{}, trust: map[string][]Event{}, claims: l.claims, lifted: map[string]bool{}, ground: map[string]bool{},
		overviews: map[Area]Event{}, left: map[string]Event{}, progress: map[string][]Event{},
	}
	for _, e := range events {
		if e.Kind == EventRename {
			s.join(e.Fact, e.To)
		}
	}
	for _, e := range events {
		s.add(e)
	}
	for _, r := range s.list {
		for _, e := range r.signals {
			r.evidence = r.evidence.after(e)
		}
	}
	return s
}

// standing are the events that stand: each once, none that was undone, in one order.
func (l Ledger) standing(until time.Time) []Event {
	byID := map[string]bool{}
	var list []Event
	for _, e := range l.events {
		if e.Kind == EventSalt || e.Kind == EventNever || e.Kind == EventLift || byID[e.Kind+e.ID] || !until.IsZero() && e.At.After(until) {
			continue
		}
		byID[e.Kind+e.ID] = true
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b Event) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Fact, b.Fact))
	})
	void := voided(list)
	return slices.DeleteFunc(list, func(e Event) bool { return e.Kind == EventVoid || void[e.ID] })
}

// voided are the ids of events that were undone, and whose undoing was not.
func voided(list []Event) map[string]bool {
	of := map[string][]string{}
	for _, e := range list {
		if e.Kind == EventVoid && e.ID != e.Of {
			of[e.Of] = append(of[e.Of], e.ID)
		}
	}
	if len(of) == 0 {
		return nil
	}
	known, open := map[string]bool{}, map[string]bool{}
	var is func(id string) bool
	is = func(id string) bool {
		if v, ok := known[id]; ok || open[id] { // a ring of voids voids nothing
			return v
		}
		open[id] = true
		v := slices.ContainsFunc(of[id], func(by string) bool { return !is(by) })
		known[id] = v
		return v
	}
	for id := range of {
		is(id)
	}
	return known
}

func (s *Standings) record(fact string) *record {
	r := s.byFact[fact]
	if r == nil {
		r = &record{facts: []string{fact}}
		s.byFact[fact] = r
		s.list = append(s.list, r)
	}
	return r
}

// join makes two wordings one fact.
func (s *Standings) join(a, b string) {
	x, y := s.record(a), s.record(b)
	if x == y {
		return
	}
	x.facts = append(x.facts, y.facts...)
	for _, f := range y.facts {
		s.byFact[f] = x
	}
	s.list = slices.DeleteFunc(s.list, func(r *record) bool { return r == y })
}

func (s *Standings) add(e Event) {
	switch e.Kind {
	case EventSupport, EventDispute, EventIgnore:
		r := s.record(e.Fact)
		r.signals = append(r.signals, e)
	case EventSaid:
		r := s.record(e.Fact)
		r.said = append(r.said, e)
	case EventShown:
		r := s.record(e.Fact)
		r.shown = append(r.shown, e)
	case EventReflect:
		r := s.record(e.Fact)
		r.reflects = append(r.reflects, e)
		for _, f := range e.From {
			s.ground[f] = true
		}
	case EventRename:
		r := s.record(e.Fact)
		r.renamed = append(r.renamed, e)
	case EventName, EventOverview, EventLeft, EventProgress:
		s.addArea(e)
	case EventDirective:
		s.directives = append(s.directives, e)
	case EventLifted:
		s.lifted[e.Of] = true
	case EventTrust:
		s.trust[e.Speaker] = append(s.trust[e.Speaker], e)
	}
}

// Standing is how a fact stands at a time. JSON.
type Standing struct {
	Fact string `json:"fact"`
	Evidence
	Score    *float64 `json:"score"` // null when it is protected: no dispute counts
	Tier     Tier     `json:"tier"`
	Disputed bool     `json:"disputed"`           // it enters no prompt
	Restates string   `json:"restates,omitempty"` // the disputed fact that it says again
	Origin   Origin   `json:"origin,omitempty"`
	Sources  int      `json:"sources"` // messages that it rests on
	Speaker  string   `json:"speaker,omitempty"`
	Trust    *float64 `json:"trust,omitempty"`
	Below    int      `json:"daysBelowZero"` // of ArchiveDays
	From     []string `json:"from,omitempty"`
}

// Of tells how one fact stands; see Disputes.Of.
func (s *Standings) Of(fact string, falls bool, now time.Time, days *time.Location) Standing {
	return s.Disputes(now).Of(fact, falls, days)
}

func surer(a, b Origin) Origin {
	rank := func(o Origin) int { return slices.Index([]Origin{"", ByInferring, ByMail, ByStating}, o) }
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// sources counts the messages that a fact rests on.
func (r *record) sources() int {
	seen := map[string]bool{}
	for _, e := range r.said {
		seen[cmp.Or(e.Turn, e.ID)] = true
	}
	return len(seen)
}

// byPerson reports whether a person disputed it in so many words, and not through a bot.
func (r *record) byPerson() bool {
	return r != nil && slices.ContainsFunc(r.signals, func(e Event) bool {
		return e.Kind == EventDispute && e.byPerson()
	})
}

// byPerson reports whether a person made the event themselves: on the command line, in the
// panel, or by asking for it in so many words.
func (e Event) byPerson() bool { return e.By == "person" || strings.HasPrefix(e.By, "person ") }

// confirmed is when a person confirmed the fact last; zero for never.
func (r *record) confirmed() time.Time {
	for _, e := range slices.Backward(r.signals) {
		if e.Why == Confirm && e.byPerson() {
			return e.At
		}
	}
	return time.Time{}
}

// below counts the days on which the fact's score was below zero for a while, up to
// ArchiveDays. Between two signals a score crosses zero at most once and downwards, so
// the ends of each stretch tell.
func (r *record) below(falls bool, now time.Time, days *time.Location) int {
	if !falls && !r.byPerson() || !slices.ContainsFunc(r.signals, Event.lowers) {
		return 0
	}
	var z SubZero
	var e Evidence
	at := r.signals[0].At.In(days)
	next := 0
	for !at.After(now) && z.Days < ArchiveDays {
		if next < len(r.signals) && !r.signals[next].At.After(at) {
			e = e.after(r.signals[next])
			next++
		}
		z, _ = z.Count(e, at)
		end := now
		if next < len(r.signals) && r.signals[next].At.Before(now) {
			end = r.signals[next].At
		}
		if end.After(at) && e.Score(at) >= 0 && e.Score(end) >= 0 {
			at = end.In(days) // nor was it below zero between
			continue
		}
		at = r.after(at, next, now)
	}
	return z.Days
}

// lowers reports whether a signal takes a score down.
func (e Event) lowers() bool { return e.Kind != EventSupport }

// after is the next time at which the days below zero are looked at: the next signal, the
// last moment of a day, the first of the next one, now.
func (r *record) after(at time.Time, next int, now time.Time) time.Time {
	midnight := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, at.Location())
	t := midnight
	if eve := midnight.Add(-time.Nanosecond); eve.After(at) {
		t = eve
	}
	if next < len(r.signals) && r.signals[next].At.Before(t) {
		t = r.signals[next].At.In(at.Location())
	}
	if t.After(now) && at.Before(now) {
		return now.In(at.Location())
	}
	return t
}

// Transition is one event that moved a fact, and what it came to. JSON.
type Transition struct {
	Event
	Score float64 `json:"score"`
	Tier  Tier    `json:"tier"`
	Was   Tier    `json:"was"`
}

// Transitions lists what moved one fact, or, with "", every fact, the oldest first.
func (s *Standings) Transitions(fact string) []Transition {
	list := s.list
	if fact != "" {
		r := s.byFact[markdown.Identity(fact)]
		if r == nil {
			return nil
		}
		list = []*record{r}
	}
	var out []Transition
	for _, r := range list {
		var e Evidence
		for _, x := range r.signals {
			was := TierOf(e.Score(x.At))
			e = e.after(x)
			score := e.Score(x.At)
			out = append(out, Transition{Event: x, Score: score, Tier: TierOf(score), Was: was})
		}
	}
	slices.SortStableFunc(out, func(a, b Transition) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return out
}

// Facts lists every fact that has a standing, by its newest wording.
func (s *Standings) Facts() []string {
	out := make([]string, 0, len(s.list))
	for _, r := range s.list {
		out = append(out, r.facts[len(r.facts)-1])
	}
	return out
}

// Len counts the facts of which the ledger tells.
func (s *Standings) Len() int { return len(s.list) }

// Knows reports whether the ledger tells of a fact.
func (s *Standings) Knows(fact string) bool { return s.byFact[fact] != nil }

// Grounds reports whether a reflection was drawn from a fact.
func (s *Standings) Grounds(fact string) bool { return s.ground[fact] }

// Said lists the words that a fact rests on, the oldest first.
func (s *Standings) Said(fact string) []Event {
	if r := s.byFact[fact]; r != nil {
		return slices.Clone(r.said)
	}
	return nil
}

// Newest is the wording of a fact that is live among those that its note had.
func (s *Standings) Newest(fact string, live map[string]bool) string {
	if r := s.byFact[fact]; r != nil {
		for _, f := range slices.Backward(r.facts) {
			if live[f] {
				return f
			}
		}
	}
	return fact
}
