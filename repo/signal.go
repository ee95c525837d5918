package repo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"quipu/policy"
)

// Signalled is one signal that moves a fact.
type Signalled struct {
	Fact  string // selector; see Workspace.Evidence
	Why   policy.Signal
	Quote string // the person's words, when it rests on some
}

// Signal moves the standing of facts, as one change of the ledger alone. In a turn a fact is
// moved once in each direction: the answer to a second time is Known, and a first one that
// was undone stays undone. ErrRefused for a dispute of what never falls that no person makes
// themselves.
func (w *Workspace) Signal(ctx context.Context, m Meta, list []Signalled) (Receipt, error) {
	m.Action = ActSignal
	return w.change(ctx, m, func(v *view) (draft, error) {
		if err := v.takeIn(); err != nil {
			return draft{}, err
		}
		n, err := v.everyNote()
		if err != nil {
			return draft{}, err
		}
		ledger, stands, err := v.standings()
		if err != nil {
			return draft{}, err
		}
		var events []policy.Event
		for _, x := range list {
			e, err := v.signalled(n, stands, m, x)
			if err != nil {
				return draft{}, err
			}
			if !ledger.Holds(e.Kind, e.ID) {
				events = append(events, e)
			}
		}
		if len(events) == 0 {
			return draft{receipt: Receipt{Known: len(list) > 0}}, nil
		}
		d := draft{subject: signalSubject(events)}
		return d, v.record(&d, events)
	})
}

func (v *view) signalled(n policy.Notes, stands *policy.Standings, m Meta, x Signalled) (policy.Event, error) {
	kind := x.Why.Kind()
	if kind == "" {
		return policy.Event{}, wrapf(ErrInvalid, "%.20q is no signal", string(x.Why))
	}
	note, err := stating(n, stands, x.Fact)
	if err != nil {
		return policy.Event{}, err
	}
	if !note.Falls && kind == policy.EventDispute && m.Author.Kind != Person {
		return policy.Event{}, wrapf(ErrRefused, "only the person disputes a note of health or safety, a rule, or a line written by hand")
	}
	e := policy.Event{
		Kind: kind, At: v.at, By: m.Author.String(), Fact: v.w.clean(note.Fact), Why: x.Why, Quote: v.w.clean(x.Quote), Turn: m.Turn,
	}
	if m.Turn != "" {
		e.ID = onceOf(m.Turn, kind, e.Fact)
		return e, nil
	}
	id, err := v.w.store.change(v.at)
	e.ID = string(id)
	return e, err
}

// onceOf is the id of an event of which there is one a turn.
func onceOf(turn, kind, fact string) string {
	sum := sha256.Sum256([]byte(turn + "\x00" + kind + "\x00" + fact))
	return hex.EncodeToString(sum[:12])
}

// record adds to a draft that events go to the end of the ledger.
func (v *view) record(d *draft, events []policy.Event) error {
	if len(events) == 0 {
		return nil
	}
	l, err := v.ledger()
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(d.files, func(f fileText) bool { return f.path == policy.LedgerFile }); i >= 0 {
		l, _ = policy.ParseLedger(d.files[i].text)
		d.files[i].text = l.Append(events...)
		return nil
	}
	d.files = append(d.files, fileText{path: policy.LedgerFile, text: l.Append(events...)})
	sortFiles(d.files)
	return nil
}

// signalSubject is the fact that was moved and how, or how many.
func signalSubject(events []policy.Event) string {
	did := map[string]string{policy.EventSupport: "borne out", policy.EventDispute: "disputed", policy.EventIgnore: "not taken up"}
	moved := slices.DeleteFunc(slices.Clone(events), func(e policy.Event) bool { return did[e.Kind] == "" })
	switch {
	case len(moved) == 1:
		return did[moved[0].Kind] + ": " + moved[0].Fact
	case len(moved) == 0 && len(events) > 0:
		return "how far who said it is trusted"
	}
	return fmt.Sprintf("%d facts", len(moved))
}
