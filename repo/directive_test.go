package repo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

func (l *lab) wish(terms ...string) Wished {
	l.t.Helper()
	var list []Wish
	for _, term := range terms {
		list = append(list, Wish{Term: term})
	}
	out, err := l.w.SetDirectives(l.ctx(), ada, "", list...)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

func (l *lab) terms() []string {
	l.t.Helper()
	list, err := l.w.Directives(l.ctx())
	if err != nil {
		l.t.Fatal(err)
	}
	out := []string{}
	for _, d := range list {
		out = append(out, d.Term)
	}
	return out
}

// TestDirectiveHolds: a directive is in force after whatever else happens to the workspace,
// and stands in what loads.
func TestDirectiveHolds(t *testing.T) {
	remote := bareRemote(t)
	for name, happens := range map[string]func(l *lab) *lab{
		"nothing":   func(l *lab) *lab { return l },
		"a restart": func(l *lab) *lab { l.reopen(); return l },
		"a century": func(l *lab) *lab { l.clock.set(l.clock.now().AddDate(100, 0, 0)); return l },
		"an import": func(l *lab) *lab { l.receive("chatgpt", "list.txt", "- Ada has a dog\n"); return l },
		"an erase of others": func(l *lab) *lab {
			l.append("Luna barks")
			l.forget(Forgetting{Words: []string{"luna"}, Erase: true})
			return l
		},
		"an undo of others": func(l *lab) *lab {
			r := l.append("Luna barks")
			if _, err := l.w.Undo(l.ctx(), ada, string(r.Change), Revert); err != nil {
				l.t.Fatal(err)
			}
			return l
		},
		"a sync": func(l *lab) *lab {
			if err := l.w.SetRemote(Remote{URL: remote}, nil); err != nil {
				l.t.Fatal(err)
			}
			l.sync()
			other := machine(l.t, "other", remote)
			other.sync()
			return other
		},
		"said once more": func(l *lab) *lab { l.wish("My EX"); return l },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.wish("my ex")
			l = happens(l)
			loaded, err := l.w.Load(l.ctx())
			if got := l.terms(); !slices.Equal(got, []string{"my ex"}) || err != nil || !strings.Contains(loaded.Block, "- my ex\n") {
				t.Errorf("%q, %v, loads:\n%s", got, err, loaded.Block)
			}
			l.sound()
		})
	}
}

func TestDirectiveEnds(t *testing.T) {
	l := newLab(t)
	until := l.clock.now().AddDate(0, 0, 3)
	if _, err := l.w.SetDirectives(l.ctx(), ada, "", Wish{Term: "tax", Until: until}); err != nil {
		t.Fatal(err)
	}
	if got := l.terms(); len(got) != 1 {
		t.Error(got)
	}
	l.clock.set(until)
	if got := l.terms(); len(got) != 0 {
		t.Errorf("after its end: %q", got)
	}
	if out := l.wish("tax"); len(out.Set) != 1 || out.Change == "" {
		t.Errorf("set again: %+v", out)
	}
	r, err := l.w.LiftDirective(l.ctx(), ada, "TAX")
	if err != nil || len(l.terms()) != 0 {
		t.Errorf("%v, %q", err, l.terms())
	}
	if _, err := l.w.LiftDirective(l.ctx(), ada, "tax"); !errors.Is(err, ErrNotFound) {
		t.Errorf("lifted twice: %v", err)
	}
	if _, err := l.w.Undo(l.ctx(), ada, string(r.Change), Revert); err != nil || len(l.terms()) != 1 {
		t.Errorf("undone: %v, %q", err, l.terms())
	}
}

// TestDirectivesFit: when as many are set as fit, the person is told, and nothing makes room.
func TestDirectivesFit(t *testing.T) {
	l := newLab(t)
	var terms []string
	for i := range policy.MaxDirectives - 1 {
		terms = append(terms, fmt.Sprintf("subject %d", i))
	}
	l.wish(terms...)
	if out := l.wish("the last", "one too many"); len(out.Set) != 1 || out.Full != 1 {
		t.Errorf("%d set, %d without room", len(out.Set), out.Full)
	}
	if _, err := l.w.SetDirectives(l.ctx(), ada, "", Wish{Term: "no room"}); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
	if _, err := l.w.SetDirectives(l.ctx(), ada, "the last", Wish{Term: "in its place"}); err != nil {
		t.Error(err)
	}
	if got := l.terms(); len(got) != policy.MaxDirectives || slices.Contains(got, "the last") || !slices.Contains(got, "in its place") {
		t.Error(got)
	}
}

// TestDirectiveOfTwoClones: the same term that was set on two machines is one, and lifted
// as one.
func TestDirectiveOfTwoClones(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.sync()
	b.sync()
	a.wish("my ex")
	b.clock.set(b.clock.now().Add(time.Second))
	b.wish("My ex", "politics")
	a.sync()
	b.sync()
	a.sync()
	for _, l := range []*lab{a, b} {
		if got := l.terms(); len(got) != 2 {
			t.Errorf("%q", got)
		}
	}
	if _, err := b.w.LiftDirective(b.ctx(), ada, "my ex"); err != nil {
		t.Fatal(err)
	}
	b.sync()
	a.sync()
	if got := a.terms(); !slices.Equal(got, []string{"politics"}) {
		t.Errorf("%q", got)
	}
}

// TestDirectiveKeepsOutOfCapture: what is noticed about a subject under a directive is not
// filed, and a credential in a term reaches no object.
func TestDirectiveKeepsOutOfCapture(t *testing.T) {
	l := newLab(t)
	l.wish("football")
	got, err := l.w.Notice(l.ctx(), Meta{Author: Author{Kind: Upkeep}, Via: ViaCapture}, func() (Noticing, error) {
		return Noticing{Facts: []policy.Fact{{Text: "The person plays football on Sundays"}, {Text: "Has a season ticket", Topic: "football"}, {Text: "The person likes tea"}}}, nil
	})
	if err != nil || got.Hushed != 2 || len(got.Notes.Kept) != 1 {
		t.Errorf("%d left out, kept %v, %v", got.Hushed, got.Notes.Kept, err)
	}
	if _, err := l.w.SetDirectives(l.ctx(), ada, "", Wish{Term: secret}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a credential: %v", err)
	}
	if strings.Contains(l.objects(), secret) {
		t.Error("a credential was kept")
	}
}
