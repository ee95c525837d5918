package repo

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

func (l *lab) score(fact string) float64 {
	l.t.Helper()
	e, err := l.w.Evidence(l.ctx(), fact, time.Time{})
	if err != nil || e.Score == nil {
		l.t.Fatalf("%+v, %v", e, err)
	}
	return *e.Score
}

// TestSignalOnceATurn: what is said in one turn counts once a fact and direction, and stays
// undone when a person undid it.
func TestSignalOnceATurn(t *testing.T) {
	l := newLab(t)
	l.append("Likes tea")
	l.append("Lives in Oslo")
	bot := Meta{Author: Author{Kind: Bot, Name: "scout"}, Via: ViaTurn, Turn: "t1"}
	say := func(m Meta, list ...Signalled) Receipt {
		t.Helper()
		r, err := l.w.Signal(l.ctx(), m, list)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ignored := Signalled{Fact: "tea", Why: policy.Ignore}
	first := say(bot, ignored, Signalled{Fact: "Oslo", Why: policy.Reinforce, Quote: "in Oslo"})
	if first.Change == "" || len(first.Rows) != 1 || first.Rows[0].Action != string(ActSignal) {
		t.Errorf("two signals: %+v", first)
	}
	if again := say(bot, ignored); again.Change != "" || !again.Known {
		t.Errorf("a second time: %+v", again)
	}
	if got := l.score("tea"); got > -0.19 || got < -0.21 {
		t.Errorf("the score is %v, want -0.2", got)
	}
	if other := say(bot, Signalled{Fact: "tea", Why: policy.Negate}); other.Change == "" {
		t.Error("the other direction is not counted")
	}
	bot.Turn = "t2"
	second := say(bot, ignored)
	if second.Change == "" {
		t.Error("another turn is not counted")
	}
	if _, err := l.w.Undo(l.ctx(), ada, string(second.Change), Revert); err != nil {
		t.Fatal(err)
	}
	if again := say(bot, ignored); again.Change != "" {
		t.Error("what was undone is counted again")
	}
	l.sound()
}

// TestStandingsFollow: the list is as new as the ledger, the files and the clock.
func TestStandingsFollow(t *testing.T) {
	l := newLab(t)
	l.append("The copper kettle brews tea best")
	l.append(disputed)
	list := func() (facts []string) {
		t.Helper()
		all, err := l.w.Standings(l.ctx(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			state := "in"
			if s.Disputed {
				state = "out"
			}
			facts = append(facts, state+" "+s.Path+" "+s.Fact)
		}
		return facts
	}
	hold := func(what string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, list()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	hold("nothing said")
	l.signal(policy.Rebut, disputed)
	hold("disputed", "out MEMORY.md The user likes green tea")
	hold("asked twice", "out MEMORY.md The user likes green tea")
	l.append("Likes green tea")
	hold("said again", "out MEMORY.md Likes green tea", "out MEMORY.md The user likes green tea")
	l.put("MEMORY.md", "# Memory\n")
	hold("gone by hand", "out  The user likes green tea")
	l.signal(policy.Confirm, disputed)
	hold("supported", "in  The user likes green tea")
	e, err := l.w.Evidence(l.ctx(), disputed, time.Time{})
	if err != nil || !e.Settled {
		t.Errorf("%+v, %v", e, err)
	}
	if before, err := l.w.Standings(l.ctx(), l.clock.now().Add(-time.Hour)); err != nil || len(before) != 0 {
		t.Errorf("an hour ago: %+v, %v", before, err)
	}
}

// TestAnswersSayDisputed: whatever writes down what is disputed says so, and nothing else
// does.
func TestAnswersSayDisputed(t *testing.T) {
	ways := map[string]func(l *lab) (Receipt, error){
		"append": func(l *lab) (Receipt, error) {
			return l.w.Update(l.ctx(), ada, policy.Update{Action: policy.Append, Text: "Likes green tea", TextSet: true})
		},
		"append what stands there": func(l *lab) (Receipt, error) {
			return l.w.Update(l.ctx(), ada, policy.Update{Action: policy.Append, Text: disputed, TextSet: true})
		},
		"replace": func(l *lab) (Receipt, error) {
			return l.w.Update(l.ctx(), ada, policy.Update{Action: policy.Replace, OldText: "copper kettle brews tea best", OldTextSet: true, Text: "I like green tea", TextSet: true})
		},
		"save": func(l *lab) (Receipt, error) {
			return l.w.Save(l.ctx(), ada, "memory/drinks.md", "# Drinks\n- likes green tea\n", Expect{})
		},
		"the memory tool": func(l *lab) (Receipt, error) {
			_, r, err := l.w.Tool(l.ctx(), ada, policy.ToolCommand{Command: "create", Path: new("/memories/drinks.md"), FileText: new("- likes green tea\n")})
			return r, err
		},
	}
	const says = "disputed on 2026-"
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.append("The copper kettle brews tea best")
			l.append(disputed)
			l.signal(policy.Rebut, disputed)
			if r := l.update(policy.Update{Action: policy.Append, Text: "Lives in Oslo", TextSet: true}); strings.Contains(r.Message, says) {
				t.Errorf("of another fact: %q", r.Message)
			}
			if r, err := way(l); err != nil || !strings.Contains(r.Message, says) {
				t.Errorf("%q, %v", r.Message, err)
			}
			if n, err := l.w.OutOfPrompts(l.ctx()); err != nil || n < 1 {
				t.Errorf("%d out, %v", n, err)
			}
			l.signal(policy.Confirm, disputed)
			l.clock.set(l.clock.now().Add(time.Hour))
			if n, err := l.w.OutOfPrompts(l.ctx()); err != nil || n > 1 {
				t.Errorf("supported: %d out, %v", n, err)
			}
		})
	}
}
