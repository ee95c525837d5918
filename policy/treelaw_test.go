package policy

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestTreeLaw: the same events in any order, twice over, and merged from two clones come to
// the same areas; slugs are unique, and naming what has no name changes none of them.
func TestTreeLaw(t *testing.T) {
	facts := []string{"Likes tea", "likes tea!", "Lives in Lyon", "Anna is a nurse"}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, f := range facts {
			text += ottoLine("2026-09-01", f, true)
		}
		n := Notes{Files: map[string][]byte{AreaAbout.Path(): []byte(text)}}
		var events []Event
		for i := range rapid.IntRange(0, 20).Draw(t, "n") {
			e := Event{ID: fmt.Sprintf("%03d", i), At: atNoon.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "at")) * time.Minute), Fact: rapid.SampledFrom(facts).Draw(t, "fact")}
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				e.Kind, e.Slug = EventName, rapid.SampledFrom([]string{"tea", "anna", "tea-2"}).Draw(t, "slug")
			case 1:
				e.Kind, e.Abstract = EventName, rapid.SampledFrom([]string{"Tea", "Anna"}).Draw(t, "abstract")
			case 2:
				e.Kind, e.Area, e.Text, e.From = EventOverview, AreaAbout, "o"+e.ID, facts
			case 3:
				e.Kind, e.Of = EventVoid, fmt.Sprintf("%03d", rapid.IntRange(0, 20).Draw(t, "of"))
			default:
				e.Kind, e.Turn, e.Origin = EventSaid, rapid.SampledFrom([]string{"m1", "m2"}).Draw(t, "turn"), ByInferring
			}
			events = append(events, e)
		}
		read := func(text []byte) Tree {
			l, problems := ParseLedger(text)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			return TreeOf(TreeInput{Notes: n, Stands: l.Standings(time.Time{}), Today: ottoDay})
		}
		shown := func(tree Tree) string {
			out := tree.Overviews[AreaAbout] + "\n"
			for _, e := range tree.Entries {
				out += fmt.Sprintf("%s %s %s %d\n", e.Address(), e.Abstract, e.Status, e.Evidence())
			}
			return out
		}
		tree := read(Ledger{}.Append(events...))
		cut := rapid.IntRange(0, len(events)).Draw(t, "cut")
		for name, text := range map[string][]byte{
			"in another order": Ledger{}.Append(rapid.Permutation(events).Draw(t, "order")...),
			"twice":            Ledger{}.Append(append(events, events...)...),
			"merged":           mergeLedger(nil, Ledger{}.Append(events[:cut]...), Ledger{}.Append(events[cut:]...)),
		} {
			if diff := cmp.Diff(shown(tree), shown(read(text))); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
		}
		seen := map[string]bool{}
		for _, e := range tree.Entries {
			if seen[e.Address()] || !ValidSlug(e.Slug) {
				t.Fatalf("%s twice or no slug", e.Address())
			}
			seen[e.Address()] = true
		}
		named := tree.Unnamed()
		for i := range named {
			named[i].ID, named[i].At = fmt.Sprint("n", i), atNoon.Add(time.Hour)
		}
		for i, e := range read(Ledger{}.Append(append(events, named...)...)).Entries {
			if e.Slug != tree.Entries[i].Slug {
				t.Fatalf("%s is called %s", tree.Entries[i].Address(), e.Slug)
			}
		}
	})
}
