package repo

import (
	"cmp"
	"slices"

	"quipu/markdown"
	"quipu/policy"
)

// Judged is one time that the owner bore out or corrected what an account had taught.
type Judged struct {
	policy.TrustEvent
	Fact string // its identity: the event goes with it
}

// Moved is what became of bearings.
type Moved struct {
	Supported, Denied int
	Left              map[policy.Rule]int // that were left out, by why
}

func (m *Moved) leave(why policy.Rule) {
	if m.Left == nil {
		m.Left = map[policy.Rule]int{}
	}
	m.Left[why]++
}

// TrustOf tells how far who taught a fact was trusted then, nil when that is not known.
func (w *Workspace) TrustOf() (func(fact string) *float64, error) {
	s, err := w.standings()
	if err != nil {
		return nil, err
	}
	return s.TrustIn, nil
}

// TeachersOf tells which accounts said a fact.
func (w *Workspace) TeachersOf() (func(fact string) []policy.Account, error) {
	s, err := w.standings()
	if err != nil {
		return nil, err
	}
	return s.Teachers, nil
}

// Adjustments sums up how the owner's words bore out or corrected what an account said.
func (w *Workspace) Adjustments(a policy.Account) (float64, error) {
	s, err := w.standings()
	if err != nil {
		return 0, err
	}
	return policy.SumTrust(s.TrustEvents(a)), nil
}

// moved are the events of what the owner's words do to notes that stand under the lock. A
// note is moved once, by a denial before support. What this very change files or says
// again is borne out by that alone, and what is disputed gets no support by the way: it
// comes back when a person says so themselves. Only they dispute what never falls.
func (v *view) moved(m Meta, n policy.Notes, filed policy.Filed, list []policy.Bearing, out *policy.Disputes) (events []policy.Event, got Moved, err error) {
	if len(list) == 0 {
		return nil, got, nil
	}
	l, stands, err := v.standings()
	if err != nil {
		return nil, got, err
	}
	falls := fallingIn(n)
	done := map[string]bool{}
	for _, f := range slices.Concat(filed.Kept, filed.Known) {
		done[markdown.Identity(f.Text)] = true
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b policy.Bearing) int { return cmp.Compare(a.Why.Kind(), b.Why.Kind()) }) // dispute, support
	for _, b := range list {
		kind := b.Why.Kind()
		falling, there := falls[b.Fact]
		switch {
		case !there:
			got.leave(policy.RuleNote)
			continue
		case done[b.Fact] || saidIn(stands, b) || v.countedIn(l, b):
			continue
		}
		if rule := barred(kind, b, falling, out); rule != "" {
			got.leave(rule)
			continue
		}
		done[b.Fact] = true
		id, err := v.bearingID(b)
		if err != nil {
			return nil, got, err
		}
		got.count(kind)
		events = append(events, policy.Event{
			Kind: kind, ID: id, At: v.at, By: m.Author.String(), Fact: v.w.clean(b.Fact), Why: b.Why, Quote: v.w.clean(b.Quote), Turn: b.Turn,
		})
	}
	return events, got, nil
}

// fallingIn tells of each fact that stands whether all its notes may fall.
func fallingIn(n policy.Notes) map[string]bool {
	falls := map[string]bool{}
	for _, s := range policy.Stated(n) {
		was, there := falls[s.Fact]
		falls[s.Fact] = s.Falls && (was || !there)
	}
	return falls
}

// barred is the rule against moving a fact that way, "" for none.
func barred(kind string, b policy.Bearing, falling bool, out *policy.Disputes) policy.Rule {
	switch {
	case kind == policy.EventDispute && !falling:
		return policy.RuleFirm
	case kind == policy.EventSupport && out.Out(b.Fact, falling):
		return policy.RuleOut
	}
	return ""
}

func (m *Moved) count(kind string) {
	if kind == policy.EventSupport {
		m.Supported++
	} else {
		m.Denied++
	}
}

// bearingID is the id of a bearing's event: as of a signal, a turn moves a fact once,
// whoever tells of it.
func (v *view) bearingID(b policy.Bearing) (string, error) {
	if b.Turn != "" {
		return onceOf(b.Turn, b.Why.Kind(), v.w.clean(b.Fact)), nil
	}
	id, err := v.w.store.change(v.at)
	return string(id), err
}

// countedIn reports whether the ledger has the event of that turn, undone or not.
func (v *view) countedIn(l policy.Ledger, b policy.Bearing) bool {
	return b.Turn != "" && l.Holds(b.Why.Kind(), onceOf(b.Turn, b.Why.Kind(), v.w.clean(b.Fact)))
}

// saidIn reports whether the same turn moved the fact so already: it is read again.
func saidIn(s *policy.Standings, b policy.Bearing) bool {
	return b.Turn != "" && slices.ContainsFunc(s.Transitions(b.Fact), func(t policy.Transition) bool { return t.Turn == b.Turn && t.Why == b.Why })
}

// judged are the events of trust that the ledger does not have yet.
func (v *view) judged(m Meta, list []Judged) ([]policy.Event, error) {
	l, err := v.ledger()
	if err != nil {
		return nil, err
	}
	var events []policy.Event
	for _, j := range list {
		known := l.Holds(policy.EventTrust, j.ID) || slices.ContainsFunc(events, func(e policy.Event) bool { return e.ID == j.ID })
		if !known {
			events = append(events, policy.Event{
				Kind: policy.EventTrust, ID: j.ID, At: v.at, By: m.Author.String(), Fact: v.w.clean(j.Fact), Speaker: v.w.clean(string(j.Account)), What: string(j.Kind),
			})
		}
	}
	return events, nil
}
