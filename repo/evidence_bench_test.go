package repo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

// evidenceLab is a bot with a thousand notes and so many events of their evidence.
func evidenceLab(b *testing.B, events int) *lab {
	b.Helper()
	const topics, each = 25, 40
	l := newLab(b)
	var facts []string
	for i := range topics {
		var text strings.Builder
		for n := range each {
			fact := fmt.Sprintf("The person of city %d works on subject %d of project %d", n, i*each+n, i)
			facts = append(facts, fact)
			fmt.Fprintf(&text, "- 2026-01-%02d · %s\n", n%28+1, fact)
		}
		l.put(fmt.Sprintf("memory/topic-%d.md", i), text.String())
	}
	whys := []policy.Signal{policy.Reinforce, policy.Confirm, policy.Reinforce, policy.Ignore, policy.Negate}
	var list []policy.Event
	for i := range events {
		why := whys[(i+i/len(facts))%len(whys)]
		list = append(list, policy.Event{
			Kind: why.Kind(), ID: fmt.Sprint("e", i), At: noon.Add(time.Duration(i-events) * time.Hour / 4), By: "bot scout", Fact: facts[i%len(facts)], Why: why,
			Quote: "it is as it was said",
		})
	}
	if _, err := l.w.TakeIn(b.Context(), ada.Author); err != nil {
		b.Fatal(err)
	}
	_, err := l.w.change(b.Context(), ada, func(v *view) (draft, error) {
		d := draft{subject: "evidence"}
		return d, v.record(&d, list)
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := l.w.git.Checkpoint(b.Context()); err != nil {
		b.Fatal(err)
	}
	return l
}

// BenchmarkStanding10k lists how a thousand notes stand by ten thousand events: with the
// ledger read, as a server has it, and with the home opened first.
func BenchmarkStanding10k(b *testing.B) {
	l := evidenceLab(b, 10_000)
	list := func(b *testing.B) {
		if list, err := l.w.Standings(b.Context(), time.Time{}); err != nil || len(list) != 1000 {
			b.Fatal(len(list), err)
		}
	}
	list(b)
	b.Run("warm", func(b *testing.B) {
		for b.Loop() {
			list(b)
		}
	})
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.w.Evidence(b.Context(), "memory/topic-3.md:5", time.Time{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			l.reopen()
			list(b)
		}
	})
}
