package turns

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func bob(id, name string) Speaker { return Speaker{By: Person, ID: id, Name: name} }

// The host's word on a speaker is kept as it was given, with the turn and with each
// message; none is not 0.
func TestSpeakerIsKept(t *testing.T) {
	k := newKit(t)
	half, nought := 0.5, 0.0
	first := Speaker{By: Person, ID: "qq:1", Name: "Bob", Tier: "trusted", Trust: &half}
	_, err := k.Begin(t.Context(), Turn{ID: "A", Bot: "scout", Conversation: chat("a"), Speaker: first, Message: "hello", Started: at(0)})
	if err != nil {
		t.Fatal(err)
	}
	other := Message{Speaker: Speaker{By: Person, ID: "qq:2", Tier: "none", Trust: &nought}, Text: "I am here"}
	k.end("A", Ending{At: at(1), Messages: []Message{other, self("welcome")}})
	got, err := k.Get(t.Context(), "scout", "A")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, got.Speaker); diff != "" {
		t.Errorf("the turn's speaker (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Message{{Speaker: first, Text: "hello"}, other, self("welcome")}, got.Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestSpeakerIsChecked(t *testing.T) {
	k := newKit(t)
	nan, high := math.NaN(), 1.01
	for name, s := range map[string]Speaker{
		"no tier that there is": {By: Person, Tier: "owner"}, "another case": {By: Person, Tier: "Admin"},
		"no number": {By: Person, Trust: &nan}, "over 1": {By: Person, Trust: &high},
	} {
		_, err := k.Begin(t.Context(), Turn{ID: "A", Bot: "scout", Conversation: chat("a"), Speaker: s, Message: "x", Started: at(0)})
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		id := k.begin(chat("b"), at(0), "x")
		if err := k.End(t.Context(), "scout", id, Ending{At: at(1), Messages: []Message{{Speaker: s, Text: "x"}}}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s, of a message: %v", name, err)
		}
	}
}

// A message is by the one who began its turn only where nothing says otherwise: a name
// does not give anybody the account of another.
func TestSpeakerOf(t *testing.T) {
	half := 0.5
	first := Speaker{By: Person, ID: "qq:1", Name: "Bob", Tier: "admin"}
	for _, tt := range []struct {
		name string
		turn Speaker
		says Speaker
		want Speaker
	}{
		{"nothing told", first, Speaker{By: Person}, first},
		{"the same name", first, bob("", "Bob"), first},
		{"the same id", first, bob("qq:1", "Bobby"), Speaker{By: Person, ID: "qq:1", Name: "Bobby", Tier: "admin"}},
		{"another name", first, bob("", "Eve"), bob("", "Eve")},
		{"another id, the same name", first, bob("qq:2", "Bob"), bob("qq:2", "Bob")},
		{"the bot", first, Speaker{By: Self}, Speaker{By: Self}},
		{"a tier of its own", first, Speaker{By: Person, ID: "qq:1", Tier: "none"}, Speaker{By: Person, ID: "qq:1", Name: "Bob", Tier: "none"}},
		{"a word of its own", first, Speaker{By: Person, Trust: &half}, Speaker{By: Person, ID: "qq:1", Name: "Bob", Trust: &half}},
		{"the owner by another name", Speaker{By: Owner, ID: "qq:9", Name: "Ada"}, Speaker{By: Owner, Name: "Mum"}, Speaker{By: Owner, ID: "qq:9", Name: "Mum"}},
		{"the owner in a person's turn", first, Speaker{By: Owner}, Speaker{By: Owner}},
	} {
		if diff := cmp.Diff(tt.want, Turn{Speaker: tt.turn}.SpeakerOf(Message{Speaker: tt.says})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestSpoke(t *testing.T) {
	k := newKit(t)
	begin := func(bot, id string, s Speaker, messages ...Message) {
		t.Helper()
		_, err := k.Begin(t.Context(), Turn{ID: id, Bot: bot, Conversation: chat(id), Speaker: s, Message: "first", Started: at(0)})
		if err == nil {
			err = k.End(t.Context(), bot, id, Ending{At: at(1), Messages: messages, Tools: []string{"shell"}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	begin("scout", "A", bob("qq:1", "Bob"))
	begin("scout", "B", bob("qq:1", "Bob"), Message{Speaker: bob("", "Bob"), Text: "2"}, Message{Speaker: bob("", "Eve"), Text: "not his"}, self("3"))
	begin("scout", "C", Speaker{By: Owner, ID: "qq:9"}, Message{Speaker: Speaker{By: Owner}, Text: "1"}, Message{Speaker: bob("qq:1", ""), Text: "3"})
	begin("other", "D", bob("qq:1", "Bob"))
	for id, want := range map[string]Spoke{"qq:1": {Messages: 3}, "qq:9": {Messages: 1, Owner: true}, "qq:2": {}, "": {}} {
		if got, err := k.Spoke(t.Context(), "scout", id); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", id, got, err, want)
		}
	}
	if got, err := k.Spoke(t.Context(), "nobody", "qq:1"); err != nil || got != (Spoke{}) {
		t.Errorf("a bot that nothing was said to: %+v, %v", got, err)
	}
	if _, err := k.DeletePerson(t.Context(), "scout", "qq:1"); err != nil {
		t.Fatal(err)
	}
	if got, err := k.Spoke(t.Context(), "scout", "qq:1"); err != nil || got.Messages != 0 {
		t.Errorf("taken away: %+v, %v", got, err)
	}
}
