package repo

import (
	"strings"
	"testing"

	"quipu/policy"
)

// The two wordings of a conflict are told by what they say: neither a note that a later
// merge puts between them, nor the one above when the first wording went, is taken for it.
func TestConflictWordings(t *testing.T) {
	remote := bareRemote(t)
	a, b, c := machine(t, "a", remote), machine(t, "b", remote), machine(t, "c", remote)
	a.append("Luna is the cat")
	a.append("The bakery opens at six")
	for _, l := range []*lab{a, b, c} {
		l.sync()
	}
	reword := func(l *lab, hour string) {
		l.update(policy.Update{Action: policy.Replace, OldText: "The bakery opens at six", OldTextSet: true, Text: "The bakery opens at " + hour, TextSet: true})
	}
	reword(a, "seven")
	reword(b, "eight")
	c.append("Passport number is in the blue folder")
	for _, l := range []*lab{a, b, c} {
		l.sync()
	}
	open, err := c.w.Conflicts()
	if err != nil || len(open) != 1 || !strings.Contains(open[0].Kept, "bakery opens") {
		t.Fatalf("%+v, %v", open, err)
	}
	a.sync()
	for _, l := range []*lab{a, c} { // a: the first wording was taken out before
		open, err := l.w.Conflicts()
		if err != nil || len(open) != 1 {
			t.Fatalf("%+v, %v", open, err)
		}
		if l == a {
			l.update(policy.Update{Action: policy.Remove, OldText: open[0].Kept, OldTextSet: true})
			if open, err = l.w.Conflicts(); err != nil || len(open) != 1 || open[0].Kept != "" {
				t.Fatalf("its first wording is %+v, %v", open, err)
			}
			_, err := l.w.Resolve(l.ctx(), ada, open[0].Path, open[0].Line, KeepFirst)
			l.refuses(err, ErrConflict)
		}
		r, err := l.w.Resolve(l.ctx(), ada, open[0].Path, open[0].Line, KeepSecond)
		if err != nil || (len(r.Notes) > 0) != (l == a) {
			t.Errorf("%+v, %v", r, err)
		}
		text := l.text("MEMORY.md")
		if strings.Count(text, "bakery") != 1 || strings.Contains(text, "conflict") || !strings.Contains(text, "Luna") || !strings.Contains(text, "Passport") {
			t.Errorf("left: %q", text)
		}
	}
}
