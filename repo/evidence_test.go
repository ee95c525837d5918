package repo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

func (l *lab) signal(why policy.Signal, fact string) Receipt {
	l.t.Helper()
	r, err := l.w.Signal(l.ctx(), ada, []Signalled{{Fact: fact, Why: why}})
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

// prompts is everything of the notes that can enter a prompt about tea.
func (l *lab) prompts() string {
	l.t.Helper()
	loaded, err := l.w.Load(l.ctx())
	if err != nil {
		l.t.Fatal(err)
	}
	out := loaded.Block
	recalled, err := l.w.Recall(l.ctx(), "which kettle brews the green tea best", nil)
	if err != nil {
		l.t.Fatal(err)
	}
	out += recalled.Block
	notes, err := l.w.Notes(l.ctx(), NoteQuery{Text: "green tea kettle", Limit: 100})
	if err != nil {
		l.t.Fatal(err)
	}
	dated, err := l.w.Dated(l.ctx(), NoteQuery{Until: l.clock.now()})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, n := range append(notes, dated...) {
		out += n.Text + "\n"
	}
	return out
}

const disputed = "The user likes green tea"

// TestDisputedStaysOut: a disputed claim that comes again, by whatever way, enters no
// prompt.
func TestDisputedStaysOut(t *testing.T) {
	ways := map[string]func(l *lab){
		"as it stands": func(*lab) {},
		"said again":   func(l *lab) { l.append("Likes green tea.") },
		"in a topic": func(l *lab) {
			l.update(policy.Update{Action: policy.Append, Text: "I like green tea", Topic: "drinks"})
		},
		"by hand": func(l *lab) {
			l.put("MEMORY.md", l.text("MEMORY.md")+"\n* The user likes Green Tea!\n")
			if _, err := l.w.TakeIn(l.ctx(), ada.Author); err != nil {
				l.t.Fatal(err)
			}
		},
		"taken out and put back": func(l *lab) {
			r := l.update(policy.Update{Action: policy.Remove, OldText: disputed})
			if _, err := l.w.Undo(l.ctx(), ada, string(r.Change), Revert); err != nil {
				l.t.Fatal(err)
			}
		},
		"imported": func(l *lab) { l.receive("chatgpt", "list.txt", "- The user likes green tea in the morning\n") },
		"noticed": func(l *lab) {
			got, err := l.w.Notice(l.ctx(), Meta{Author: Author{Kind: Upkeep}, Via: ViaCapture}, func() (Noticing, error) {
				return Noticing{Facts: []policy.Fact{{Text: "The user likes green tea", Topic: "drinks", Quote: "I like green tea"}, {Text: "Likes green tea"}}}, nil
			})
			if err != nil || got.Disputed != 2 || len(got.Notes.Kept) > 0 {
				l.t.Fatalf("%d left out, %d kept, %v", got.Disputed, len(got.Notes.Kept), err)
			}
		},
		"archived": func(l *lab) {
			l.save("memory/archive.md", "- 2026-01-02 · The user likes green tea · moved 2026-02-03\n")
		},
		"in the day log": func(l *lab) {
			if _, err := l.w.LogLine(l.ctx(), ada, "Noted for later: you like green tea"); err != nil {
				l.t.Fatal(err)
			}
		},
		"reopened":     func(l *lab) { l.reopen() },
		"a year later": func(l *lab) { l.clock.set(l.clock.now().AddDate(1, 0, 0)) },
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.append("The copper kettle brews tea best")
			l.append(disputed)
			if !strings.Contains(strings.ToLower(l.prompts()), "green tea") {
				t.Fatal("the fact is not there to begin with")
			}
			l.signal(policy.Rebut, disputed)
			way(l)
			if got := l.prompts(); strings.Contains(strings.ToLower(got), "green tea") || !strings.Contains(got, "copper kettle") {
				t.Errorf("a prompt says:\n%s", got)
			}
			l.signal(policy.Confirm, disputed)
			l.clock.set(l.clock.now().AddDate(0, 0, 100))
			if got := l.prompts(); !strings.Contains(strings.ToLower(got), "green tea") {
				t.Errorf("supported again, and still out:\n%s", got)
			}
			l.sound()
		})
	}
}

// TestHardFilter holds the cases hf01-hf08 of N.E.K.O. on what a search may rank at all: what
// is disputed is not there, what only silence brought below zero is. (hf04, raised too
// often, is the gate's; hf07, what cannot be read, has a test of its own.)
func TestHardFilter(t *testing.T) {
	for name, c := range map[string]struct {
		signals []policy.Signal
		found   bool
	}{
		"hf01 below zero by dispute":   {[]policy.Signal{policy.Rebut, policy.Reinforce}, false},
		"hf02 zero":                    {[]policy.Signal{policy.Rebut, policy.Confirm}, true},
		"hf03 nothing is known":        {nil, true},
		"hf08 below zero by silence":   {[]policy.Signal{policy.Ignore, policy.Ignore}, true},
		"disputed more than borne out": {[]policy.Signal{policy.Confirm, policy.Negate, policy.Keyword}, false},
		"borne out more than disputed": {[]policy.Signal{policy.Confirm, policy.Confirm, policy.Negate}, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.append("The copper kettle stands in the pantry")
			l.put("memory/blank.md", "- 2026-09-10 · \n- kettle\n") // hf06: nothing is no note
			for _, why := range c.signals {
				l.signal(why, "copper kettle")
			}
			notes, err := l.w.Notes(l.ctx(), NoteQuery{Text: "copper kettle pantry"})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, n := range notes {
				found = found || strings.Contains(n.Text, "copper")
				if strings.TrimSpace(n.Text) == "" {
					t.Error("a blank note was found")
				}
			}
			if found != c.found {
				t.Errorf("found %v, want %v", found, c.found)
			}
		})
	}
}

// TestDisputedElsewhere: what was disputed on one machine is out on the other, and what
// comes from there does not bring it back.
func TestDisputedElsewhere(t *testing.T) {
	remote := bareRemote(t)
	a, b := machine(t, "a", remote), machine(t, "b", remote)
	a.append("The copper kettle brews tea best")
	a.append(disputed)
	a.sync()
	b.sync()
	b.append("I like green tea")
	a.signal(policy.Rebut, disputed)
	b.signal(policy.Reinforce, disputed)
	a.sync()
	b.sync()
	a.sync()
	for name, l := range map[string]*lab{"a": a, "b": b} {
		if got := l.prompts(); strings.Contains(got, "green tea") {
			t.Errorf("on %s a prompt says:\n%s", name, got)
		}
		e, err := l.w.Evidence(l.ctx(), disputed, time.Time{})
		if err != nil || !e.Disputed || e.Support != 0.5 || e.Dispute != 1 {
			t.Errorf("on %s: %+v, %v", name, e, err)
		}
	}
}

func TestEvidence(t *testing.T) {
	l := newLab(t)
	l.append("Likes tee")
	first := l.clock.now()
	l.signal(policy.Confirm, "Likes tee")
	l.clock.set(first.Add(48 * time.Hour))
	l.update(policy.Update{Action: policy.Replace, OldText: "Likes tee", Text: "Likes tee."})
	r := l.signal(policy.Rebut, "MEMORY.md:3")
	e, err := l.w.Evidence(l.ctx(), "tee", time.Time{})
	if err != nil || e.Path != "MEMORY.md" || e.Line != 3 || len(e.Moved) != 2 || e.Dispute != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	before, err := l.w.Evidence(l.ctx(), "tee", first.Add(time.Hour))
	if err != nil || before.Dispute != 0 || before.Tier != policy.TierPending && before.Tier != policy.TierConfirmed || before.Disputed {
		t.Errorf("as it was: %+v, %v", before, err)
	}
	if _, err := l.w.Undo(l.ctx(), ada, string(r.Change), Revert); err != nil {
		t.Fatal(err)
	}
	if e, _ := l.w.Evidence(l.ctx(), "tee", time.Time{}); e.Dispute != 0 || e.Support != 1 {
		t.Errorf("undone: %+v", e)
	}
	log, err := l.w.EvidenceLog(l.ctx(), "", 0)
	if err != nil || len(log) != 1 || log[0].By != "person Ada" {
		t.Errorf("%+v, %v", log, err)
	}
	if _, err := l.w.Evidence(l.ctx(), "never heard of", time.Time{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	l.sound()
}

// TestBotsDisputeNothingThatStays: what keeps its place is out only by the person's word.
func TestBotsDisputeNothingThatStays(t *testing.T) {
	l := newLab(t)
	l.append("Is allergic to nuts")
	x := []Signalled{{Fact: "allergic to nuts", Why: policy.Rebut}}
	if _, err := l.w.Signal(l.ctx(), Meta{Author: Author{Kind: Bot, Name: "scout"}}, x); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
	if _, err := l.w.Signal(l.ctx(), ada, x); err != nil {
		t.Error(err)
	}
	if loaded, _ := l.w.Load(l.ctx()); strings.Contains(loaded.Block, "allergic") {
		t.Errorf("loads:\n%s", loaded.Block)
	}
}

// TestForgetTakesEvidence: what is forgotten is gone from the ledger, too, and what else it
// says stays.
func TestForgetTakesEvidence(t *testing.T) {
	l := newLab(t)
	l.append("The dog is called Luna")
	l.append(disputed)
	l.signal(policy.Rebut, "called Luna")
	l.signal(policy.Rebut, disputed)
	l.forget(Forgetting{Words: []string{"luna"}, Erase: true})
	if text := l.text(policy.LedgerFile); strings.Contains(text, "Luna") || !strings.Contains(text, disputed) {
		t.Errorf("the ledger says:\n%s", text)
	}
	if strings.Contains(l.objects(), "Luna") {
		t.Error("an object says it")
	}
	if e, err := l.w.Evidence(l.ctx(), disputed, time.Time{}); err != nil || !e.Disputed {
		t.Errorf("%+v, %v", e, err)
	}
}

// tenThousand is a workspace whose ledger holds 10,000 events of 2,000 facts.
func tenThousand(t testing.TB) *lab {
	l := newLab(t)
	l.append("The copper kettle brews tea best")
	l.signal(policy.Rebut, "copper kettle")
	_, err := l.w.change(l.ctx(), Meta{Author: ada.Author, Action: ActSignal}, func(v *view) (draft, error) {
		var events []policy.Event
		for i := range 9_999 {
			why := []policy.Signal{policy.Confirm, policy.Reinforce, policy.Rebut, policy.Ignore}[i%4]
			events = append(events, policy.Event{
				Kind: why.Kind(), ID: fmt.Sprintf("01JDXK3T9M2Q4R6S8V0W%06d", i), At: v.at.Add(time.Duration(i) * time.Minute), By: "person Ada",
				Fact: fmt.Sprintf("The user keeps %d pots of herb number %d on the shelf", i%977, i%2000), Why: why,
			})
		}
		d := draft{subject: "many"}
		return d, v.record(&d, events)
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// BenchmarkStanding is what a person waits for with 10,000 events: every fact's standing, a
// load, one more signal, and all of it in a process that has read nothing yet.
func BenchmarkStanding(b *testing.B) {
	l := tenThousand(b)
	if _, err := l.w.Standings(l.ctx(), time.Time{}); err != nil {
		b.Fatal(err)
	}
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.w.Load(l.ctx()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.w.Standings(l.ctx(), time.Time{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("signal", func(b *testing.B) {
		for b.Loop() {
			l.signal(policy.Ignore, "copper kettle")
		}
	})
	b.Run("cold load", func(b *testing.B) {
		for b.Loop() {
			l.w.verdicts = verdicts{}
			if _, err := l.w.Load(l.ctx()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
