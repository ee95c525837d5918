package policy

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
)

// words are the texts of an event in which somebody's words stand.
func (e Event) words() []string {
	return slices.Concat([]string{e.Fact, e.To, e.Quote, e.Term, e.Slug, e.Abstract, e.Text}, e.From)
}

// Tells reports whether the event holds words of notes or of people.
func (e Event) Tells() bool { return strings.Join(e.words(), "") != "" }

// holds reports whether one of the texts of an event is gone.
func (e Event) holds(gone func(string) bool) bool { return slices.ContainsFunc(e.words(), gone) }

// eachEvent returns a ledger without the lines whose event is gone, and how many they
// were. Lines that are no event stay. A reflection of which only a fact is gone keeps its
// event, with nothing in the place of the facts: it falls with them and does not come to be
// a fact of its own.
func eachEvent(text []byte, gone func(Event) bool) ([]byte, int) {
	kept := make([]byte, 0, len(text))
	n := 0
	for line := range bytes.Lines(text) {
		var e Event
		if json.Unmarshal(bytes.TrimSpace(line), &e) == nil && e.Tells() && gone(e) {
			n++
			if e = e.uprooted(); e.Kind == EventReflect && !gone(e) {
				kept = Ledger{text: kept}.Append(e)
			}
			continue
		}
		kept = append(kept, line...)
	}
	if n == 0 {
		return text, 0
	}
	return kept, n
}

// uprooted is the event of a reflection without the facts that it was drawn from: what is
// no fact is never stated.
func (e Event) uprooted() Event {
	e.From = []string{""}
	return e
}

// Ledger returns a ledger without the events that tell what is erased, and how many they
// were: those of the fact, and the quotes and directives that hold the words.
func (e *Erasure) Ledger(text []byte) ([]byte, int) {
	if e.facts == nil && !e.gate.may(string(text)) {
		return text, 0
	}
	return eachEvent(text, func(x Event) bool {
		if e.facts == nil {
			return e.mentions(strings.Join(x.words(), "\n"))
		}
		return slices.ContainsFunc(append([]string{x.Fact, x.To}, x.From...), func(fact string) bool { return e.facts[markdown.Identity(fact)] })
	})
}

// Without returns the text of the ledger without what an erasure takes out of it, with
// events added, and whether that changes it.
func (l Ledger) Without(x *Erasure, events ...Event) (text []byte, changed bool) {
	left, n := x.Ledger(l.text)
	return Ledger{text: left}.Append(events...), n+len(events) > 0
}

// ledgerWithout returns a ledger without the events of what is forgotten.
func ledgerWithout(text []byte, gone func(string) bool) []byte {
	if gone != nil {
		text, _ = eachEvent(text, func(e Event) bool { return e.holds(gone) })
	}
	return text
}

// UndoLedger takes back what a change did to the ledger, in the ledger as it is now: the
// events of standing that it added are voided by new ones, the progress of a pass stays,
// others that it added go, and what it took out comes back. newID gives the id of each new event.
func UndoLedger(before, after, now []byte, at time.Time, by string, newID func() (string, error)) ([]byte, error) {
	was, is := lineSet(ledgerLines(before)), lineSet(ledgerLines(after))
	stands, had := lineSet(ledgerLines(now)), eventIDs(before)
	var out []byte
	var voids []Event
	for _, l := range ledgerLines(now) {
		var e Event
		added := is[l.text] && !was[l.text]
		switch err := json.Unmarshal([]byte(l.text), &e); {
		case added && err == nil && e.voidable() && !had[e.Kind+e.ID]:
			id, err := newID()
			if err != nil {
				return nil, err
			}
			voids = append(voids, Event{Kind: EventVoid, ID: id, At: at, By: by, Of: e.ID})
		case added && err == nil && e.Kind == EventProgress: // what was read is not read again
		case added:
			continue
		}
		out = append(append(out, l.text...), '\n')
	}
	for _, l := range ledgerLines(before) {
		if !is[l.text] && !stands[l.text] {
			out = append(append(out, l.text...), '\n')
		}
	}
	return Ledger{text: out}.Append(voids...), nil
}

// voidable reports whether an event is undone by another one that voids it.
func (e Event) voidable() bool {
	return e.ID != "" && e.Kind != EventNever && e.Kind != EventLift && e.Kind != EventProgress
}

// eventIDs are the events of a ledger: one that was only written anew is no new one.
func eventIDs(text []byte) map[string]bool {
	ids := map[string]bool{}
	for _, l := range ledgerLines(text) {
		var e Event
		if json.Unmarshal([]byte(l.text), &e) == nil && e.ID != "" {
			ids[e.Kind+e.ID] = true
		}
	}
	return ids
}

// LedgerTells reports whether a ledger holds an event of what is forgotten.
func LedgerTells(text []byte, gone func(string) bool) bool {
	_, n := eachEvent(text, func(e Event) bool { return e.holds(gone) })
	return n > 0
}
