package hooks

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// says has the owner say something, and gives what the turn begins with.
func (b *bench) says(who repo.Speaker, message string) Opened {
	b.t.Helper()
	o, err := b.turns.Start(b.t.Context(), "scout", Opening{Conversation: plans, Speaker: who, Message: message})
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}

func (b *bench) gate(draft string) Gated {
	b.t.Helper()
	got, err := b.turns.Gate(b.t.Context(), "scout", draft)
	if err != nil {
		b.t.Fatal(err)
	}
	return got
}

// TestSayingSetsADirective: the owner's own words set one, in this very turn; nobody else's,
// and nothing that the host put into the message.
func TestSayingSetsADirective(t *testing.T) {
	for name, c := range map[string]struct {
		who     repo.Speaker
		message string
		want    string
	}{
		"the owner":    {owner, "please stop talking about football", "football"},
		"in Spanish":   {owner, "no menciones a mi ex jamás", "mi ex"},
		"a guest":      {repo.Speaker{By: repo.ByPerson, ID: "bob", Name: "Bob"}, "please stop talking about football", ""},
		"another bot":  {repo.Speaker{By: repo.ByBot, ID: "b2"}, "please stop talking about football", ""},
		"nobody":       {repo.Speaker{}, "please stop talking about football", ""},
		"a recalled":   {owner, repo.RecallOpen + "\nplease stop talking about football\n" + repo.RecallClose + "\nhello", ""},
		"a quotation":  {owner, `he wrote "stop talking about football" to me`, ""},
		"a credential": {owner, "don't mention ghp_" + strings.Repeat("a1B2", 9), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			o := b.says(c.who, c.message)
			if c.want == "" {
				if len(o.Directives) > 0 || strings.Contains(o.Load.Block, "bring these up") {
					t.Errorf("%+v set, loads %q", o.Directives, o.Load.Block)
				}
				return
			}
			if len(o.Directives) != 1 || !strings.Contains(o.Directives[0].Term, c.want) || !strings.Contains(o.Load.Block, "- "+o.Directives[0].Term) {
				t.Errorf("%+v set, loads %q", o.Directives, o.Load.Block)
			}
			if by := o.Directives[0].By; by != "person Ada" {
				t.Errorf("by %q", by)
			}
		})
	}
}

// TestSayingAtTheEnd: what the owner said in the middle of a turn counts as well, once.
func TestSayingAtTheEnd(t *testing.T) {
	b := newBench(t)
	o := b.says(owner, "hello")
	_, err := b.turns.End(t.Context(), "scout", o.Turn, Closing{Messages: []repo.Message{
		{Speaker: owner, Text: "hello"}, {Speaker: repo.Speaker{By: repo.BySelf}, Text: "stop talking about tax"}, {Speaker: owner, Text: "stop talking about work"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := b.ws().Directives(t.Context())
	if err != nil || len(list) != 1 || list[0].Term != "work" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestGate says pass or drop, and which directive; the log counts and never names.
func TestGate(t *testing.T) {
	b := newBench(t)
	b.says(owner, "don't mention my ex again")
	ws := b.ws()
	if _, err := ws.Update(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, policy.Update{Action: policy.Append, Text: "The person likes green tea", TextSet: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.Signal(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, []repo.Signalled{{Fact: "green tea", Why: policy.Rebut}}); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	b.turns = NewTurns(b.store, b.now, slog.New(slog.NewTextHandler(&log, nil)))
	for draft, pass := range map[string]bool{
		"Good morning, Ada!":                                        true,
		"Here are some examples for you.":                           true,
		"Your ex has moved to Berlin.":                              false,
		"Remember: the person likes green tea. Shall I order some?": false,
		"this is it": true,
		"":           true,
	} {
		if got := b.gate(draft); got.Pass != pass {
			t.Errorf("%q: %+v", draft, got)
		}
	}
	if got := b.gate("Your ex called"); len(got.Directives) != 1 || got.Directives[0].Term != "my ex" {
		t.Errorf("%+v", got)
	}
	for _, word := range []string{"ex", "Berlin", "green"} {
		if strings.Contains(" "+log.String(), " "+word) {
			t.Errorf("the log says %q:\n%s", word, log.String())
		}
	}
	if !strings.Contains(log.String(), "directives=1") {
		t.Errorf("the log counts nothing:\n%s", log.String())
	}
}

// TestMentionLimit: what was raised three times in five hours by the bot itself is quiet for
// five, and what it was asked about is not counted.
func TestMentionLimit(t *testing.T) {
	b := newBench(t)
	b.says(owner, "hello")
	note := policy.Update{Action: policy.Append, Text: "Marathon training with Kofi starts in April", TextSet: true}
	if _, err := b.ws().Update(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}}, note); err != nil {
		t.Fatal(err)
	}
	routine := repo.Conversation{ID: "r1", Kind: "routine"}
	draft := "How is the marathon training with Kofi in April going?"
	for i := range 3 {
		if got := b.gate(draft); !got.Pass {
			t.Fatalf("after %d mentions: %+v", i, got)
		}
		b.end(b.says(owner, "how is my marathon training with Kofi in April?").Turn, "Your marathon training with Kofi starts in April.")
		b.end(b.start(routine, repo.Speaker{}).Turn, "Do not forget: marathon training with Kofi starts in April!")
		b.at = b.at.Add(time.Hour)
	}
	if got := b.gate(draft); got.Pass || len(got.Quiet) != 1 || got.Quiet[0].Path != "MEMORY.md" {
		t.Errorf("after three: %+v", got)
	}
	if got := b.gate("Shall I water the plants?"); !got.Pass {
		t.Errorf("another subject: %+v", got)
	}
	b.at = b.at.Add(policy.QuietTime)
	if got := b.gate(draft); !got.Pass || got.Repeats == nil || len(got.Repeats.Words) == 0 {
		t.Errorf("five hours later: %+v", got)
	}
}
