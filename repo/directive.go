package repo

import (
	"context"
	"slices"
	"time"

	"quipu/policy"
)

// Wish is what is not to be mentioned from now on.
type Wish struct {
	Kind  policy.DirectiveKind // "" is a topic
	Term  string
	Until time.Time // zero: until it is lifted
}

// Wished is what became of wishes.
type Wished struct {
	Receipt
	Set  []policy.Directive // those that are new
	Full int                // for which there was no room: see policy.MaxDirectives
}

// Directives lists what is not to be mentioned now.
func (w *Workspace) Directives(context.Context) ([]policy.Directive, error) {
	s, err := w.standings()
	if err != nil {
		return nil, err
	}
	return s.Directives(w.now()), nil
}

// SetDirectives adds what is not to be mentioned, as one change; what is set already, to the
// same end, is passed over. instead names a directive that they take the place of, "" is
// none. ErrInvalid for a term that says nothing, ErrNotFound for an unknown instead,
// ErrRefused when there is no room for any.
func (w *Workspace) SetDirectives(ctx context.Context, m Meta, instead string, wishes ...Wish) (Wished, error) {
	var out Wished
	m.Action = ActDirective
	r, err := w.change(ctx, m, func(v *view) (draft, error) {
		out = Wished{}
		_, l, err := v.standings()
		if err != nil {
			return draft{}, err
		}
		var events []policy.Event
		active := l.Directives(v.at)
		if instead != "" {
			if active, events, err = v.lifted(m, l, active, instead); err != nil {
				return draft{}, err
			}
		}
		for _, wish := range wishes {
			e, d, known, err := v.wished(m, active, wish)
			if err != nil {
				return draft{}, err
			}
			if known {
				continue
			}
			if len(active) >= policy.MaxDirectives {
				out.Full++
				continue
			}
			active, events, out.Set = append(active, d), append(events, e), append(out.Set, d)
		}
		if out.Full > 0 && len(events) == 0 {
			return draft{}, wrapf(ErrRefused, "%d directives are set, and no more fit: lift one first", policy.MaxDirectives)
		}
		d := draft{subject: directiveSubject(out.Set)}
		return d, v.record(&d, events)
	})
	out.Receipt = r
	return out, err
}

// wished is the event of one wish; known is one that is set already to the same end.
func (v *view) wished(m Meta, active []policy.Directive, wish Wish) (e policy.Event, d policy.Directive, known bool, err error) {
	if wish.Kind == "" {
		wish.Kind = policy.DirectiveTopic
	}
	term, _ := v.w.store.redact.Redact(wish.Term)
	if term, err = policy.CheckTerm(wish.Kind, term); err != nil {
		return e, d, false, refused(err)
	}
	if !wish.Until.IsZero() && !wish.Until.After(v.at) {
		return e, d, false, wrapf(ErrInvalid, "a directive ends in the future")
	}
	for _, a := range active {
		if a.Kind == wish.Kind && policy.SameTerm(a.Term, term) && (a.Until.IsZero() || a.Until.Equal(wish.Until)) {
			return e, a, true, nil
		}
	}
	id, err := v.w.store.change(v.at)
	d = policy.Directive{ID: string(id), Kind: wish.Kind, Term: term, At: v.at, Until: wish.Until, By: m.Author.String()}
	return policy.Event{
		Kind: policy.EventDirective, ID: d.ID, At: d.At, By: d.By, What: string(d.Kind), Term: d.Term, Until: d.Until, Turn: m.Turn,
	}, d, false, err
}

// LiftDirective ends a directive, which is named by its id or its term. ErrNotFound when
// there is none.
func (w *Workspace) LiftDirective(ctx context.Context, m Meta, name string) (Receipt, error) {
	m.Action = ActDirective
	return w.change(ctx, m, func(v *view) (draft, error) {
		_, l, err := v.standings()
		if err != nil {
			return draft{}, err
		}
		_, events, err := v.lifted(m, l, l.Directives(v.at), name)
		if err != nil {
			return draft{}, err
		}
		d := draft{subject: "may be mentioned again: " + name}
		if slices.ContainsFunc(l.Directives(v.at), func(a policy.Directive) bool { return a.ID == name }) {
			d.subject = "one may be mentioned again"
		}
		return d, v.record(&d, events)
	})
}

// lifted gives the directives that are left without the one that is named, and the events
// that lift it.
func (v *view) lifted(m Meta, l *policy.Standings, active []policy.Directive, name string) ([]policy.Directive, []policy.Event, error) {
	i := slices.IndexFunc(active, func(d policy.Directive) bool { return d.ID == name })
	if i < 0 {
		i = slices.IndexFunc(active, func(d policy.Directive) bool { return policy.SameTerm(d.Term, name) })
	}
	if i < 0 {
		return nil, nil, wrapf(ErrNotFound, "no such directive")
	}
	events, err := l.Lift(active[i], m.Author.String(), v.at, func() (string, error) {
		id, err := v.w.store.change(v.at)
		return string(id), err
	})
	return slices.Delete(slices.Clone(active), i, i+1), events, err
}

// directiveSubject is the term that is not to be mentioned, or how many.
func directiveSubject(set []policy.Directive) string {
	switch len(set) {
	case 0:
		return "changed"
	case 1:
		return "do not mention: " + set[0].Term
	}
	return "do not mention: " + countOf(len(set), "subject")
}
