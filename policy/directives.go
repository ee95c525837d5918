package policy

import (
	"slices"
	"strconv"
	"time"
)

// Directives lists the directives that nobody lifted and that have not ended, in
// the order in which they were set. The same term set on two clones is one.
func (s *Standings) Directives(now time.Time) []Directive {
	var out []Directive
	for _, e := range s.directives {
		d := Directive{ID: e.ID, Kind: DirectiveKind(e.What), Term: e.Term, At: e.At, Until: e.Until, By: e.By}
		if s.lifted[e.ID] || !d.Active(now) {
			continue
		}
		if i := slices.IndexFunc(out, d.same); i >= 0 {
			if out[i].Until = later(out[i].Until, d.Until); d.Until.IsZero() {
				out[i].Until = time.Time{}
			}
			continue
		}
		out = append(out, d)
	}
	return out
}

// same reports whether two directives forbid the same.
func (d Directive) same(other Directive) bool {
	return d.Kind == other.Kind && SameTerm(d.Term, other.Term)
}

// Lift returns the events that lift a directive, under each id that it was set by.
func (s *Standings) Lift(d Directive, by string, at time.Time, newID func() (string, error)) ([]Event, error) {
	var events []Event
	for _, e := range s.directives {
		if s.lifted[e.ID] || !d.same(Directive{Kind: DirectiveKind(e.What), Term: e.Term}) {
			continue
		}
		id, err := newID()
		if err != nil {
			return nil, err
		}
		events = append(events, Event{Kind: EventLifted, ID: id, At: at, By: by, Of: e.ID})
	}
	return events, nil
}

// Told is a directive as the bot reads it in its prompt.
func (d Directive) Told() string {
	if d.Kind == DirectiveCall {
		return "calling them " + strconv.Quote(d.Term)
	}
	return d.Term
}
