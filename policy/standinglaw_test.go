package policy

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

// TestLikeLaw: the disputed claim that a fact says again is found among few as it is among
// all.
func TestLikeLaw(t *testing.T) {
	words := []string{"tea", "green", "likes", "Oslo", "lives", "in", "the", "user", "not", "strong"}
	text := rapid.Custom(func(t *rapid.T) string {
		out := ""
		for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, "words") {
			out += w + " "
		}
		return markdown.Identity(out)
	})
	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)
		for i := range events {
			if events[i].Fact != "" {
				events[i].Fact = text.Draw(t, "fact")
			}
		}
		l, _ := ParseLedger(Ledger{}.Append(events...))
		d := l.Standings(time.Time{}).Disputes(atNoon.AddDate(1, 0, 0))
		fact, falls := text.Draw(t, "asked"), rapid.Bool().Draw(t, "falls")
		own := d.s.byFact[fact]
		type found struct {
			Worth float64
			Found bool
		}
		var want, got found
		c := claimOf(fact, nil)
		for i, old := range d.claims {
			if (falls || d.human[i]) && len(c.keys) > 0 && c.restates(old) {
				if w := d.of[i].with(own, d.now); w < 0 && w <= want.Worth {
					want = found{w, true}
				}
			}
		}
		_, got.Worth, got.Found = d.like(fact, own, falls)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q of %d claims (-want +got):\n%s", fact, len(d.claims), diff)
		}
	})
}

// TestBelowLaw: the days below zero are those that one counts who looks every hour.
func TestBelowLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, _ := ParseLedger(Ledger{}.Append(drawEvents(t)...))
		now := atNoon.AddDate(0, 0, 400)
		for _, r := range l.Standings(time.Time{}).list {
			if len(r.signals) == 0 {
				continue
			}
			var z SubZero
			var e Evidence
			next := 0
			for at := r.signals[0].At; !at.After(now) && z.Days < ArchiveDays; at = at.Add(time.Hour) {
				for ; next < len(r.signals) && !r.signals[next].At.After(at); next++ {
					e = e.after(r.signals[next])
				}
				z, _ = z.Count(e, at)
			}
			// A score that falls below zero in the last hour of a day counts there, and an hour's step misses it; a
			// signal that undoes another in the same hour likewise.
			if got := r.below(true, now, time.UTC); got < z.Days || got > z.Days+len(r.signals)+1 {
				t.Fatalf("%s: %d days, want %d", r.facts[0], got, z.Days)
			}
		}
	})
}
