package policy

import (
	"time"
)

// addArea takes in an event of the areas of a memory.
func (s *Standings) addArea(e Event) {
	switch e.Kind {
	case EventName:
		r := s.record(e.Fact)
		r.names = append(r.names, e)
	case EventOverview:
		s.overviews[e.Area] = e
	case EventLeft:
		s.left[e.Fact] = e
	case EventProgress:
		s.progress[e.What] = append(s.progress[e.What], e)
	}
}

// origin is the surest way in which a fact came to be known.
func (r *record) origin() Origin {
	var o Origin
	if r != nil {
		for _, e := range r.said {
			o = surer(o, e.Origin)
		}
	}
	return o
}

// settled reports whether the person confirmed a fact or put it in words of their own.
func (r *record) settled() bool {
	if r == nil {
		return false
	}
	for _, e := range r.renamed {
		if e.byPerson() {
			return true
		}
	}
	return !r.confirmed().IsZero()
}

// slug is what a fact is called in its area and since when; "" for nothing. The last name
// that was given holds.
func (r *record) slug() (slug string, at Event) {
	if r != nil {
		for _, e := range r.names {
			if e.Slug != "" && e.Slug != slug {
				slug, at = e.Slug, e
			}
		}
	}
	return slug, at
}

// abstract is what was kept of a fact, shortly. That of another wording is no abstract of
// this one.
func (r *record) abstract(fact string) string {
	text := ""
	if r != nil {
		for _, e := range r.names {
			if e.Abstract != "" && e.Fact == fact {
				text = e.Abstract
			}
		}
	}
	return text
}

// lastSaid is when somebody said a fact last; zero for never.
func (r *record) lastSaid() time.Time {
	var at time.Time
	if r == nil {
		return at
	}
	for _, e := range r.said {
		at = later(at, e.At)
	}
	for _, e := range r.signals {
		if e.Kind == EventSupport && e.Why != Weighed {
			at = later(at, e.At)
		}
	}
	return at
}

// changed is when something of a fact changed last that its area's overview may tell.
func (r *record) changed() time.Time {
	at := r.lastSaid()
	if r == nil {
		return at
	}
	for _, e := range r.renamed {
		at = later(at, e.At)
	}
	for _, e := range r.names {
		at = later(at, e.At)
	}
	for _, e := range r.signals {
		if e.Kind == EventDispute {
			at = later(at, e.At)
		}
	}
	return at
}

// Masked returns the event with a mask on the words that the areas add to it: the slug, the
// abstract and the text of an overview. A slug that the mask would change is dropped, and a
// name of which nothing is left is no event any more: ok is false.
func (e Event) Masked(mask func(string) string) (masked Event, ok bool) {
	if e.Slug != "" && mask(e.Slug) != e.Slug {
		e.Slug = ""
	}
	e.Abstract, e.Text = mask(e.Abstract), mask(e.Text)
	whole := eventNeeds[e.Kind]
	return e, whole != nil && whole(e)
}
