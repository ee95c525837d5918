package policy

import (
	"slices"
	"time"

	"quipu/markdown"
)

// Reflection is a fact that was drawn from others.
type Reflection struct {
	Fact  string    `json:"fact"`
	From  []string  `json:"from"` // identities of these
	At    time.Time `json:"at"`
	Shown time.Time `json:"shown,omitzero"` // to the person, first
	// Answered says that something moved it since it was shown.
	Answered bool `json:"answered,omitempty"`
}

// Reflection finds what was drawn from other facts, under any wording that its note had.
func (s *Standings) Reflection(fact string) (Reflection, bool) {
	r := s.byFact[markdown.Identity(fact)]
	if r == nil {
		return Reflection{}, false
	}
	return r.reflection()
}

// Reflections lists what was drawn from other facts, the oldest first.
func (s *Standings) Reflections() []Reflection {
	var out []Reflection
	for _, r := range s.list {
		if x, ok := r.reflection(); ok {
			out = append(out, x)
		}
	}
	return out
}

func (r *record) reflection() (Reflection, bool) {
	if len(r.reflects) == 0 {
		return Reflection{}, false
	}
	x := Reflection{Fact: r.facts[len(r.facts)-1], From: r.reflects[len(r.reflects)-1].From, At: r.reflects[0].At}
	if len(r.shown) > 0 {
		x.Shown = r.shown[0].At
		x.Answered = slices.ContainsFunc(r.signals, func(e Event) bool { return e.Why != Weighed && !e.At.Before(x.Shown) })
	}
	return x, true
}
