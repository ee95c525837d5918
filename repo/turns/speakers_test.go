package turns

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSpeakers: persons with an id that spoke in this room, who spoke last first; the owner,
// bots, other rooms, other bots and what is not ended yet are none of it.
func TestSpeakers(t *testing.T) {
	k := newKit(t)
	person := func(id, name, text string) Message {
		return Message{Speaker: Speaker{By: Person, ID: id, Name: name}, Text: text}
	}
	ops, dev := room("c1", "ops"), room("c2", "dev")
	k.end(k.begin(ops, at(0), "hello"), Ending{At: at(1), Messages: []Message{person("ann", "Ann", "hi"), person("bob", "Bob", "ho"), self("yes")}})
	k.end(k.begin(dev, at(2), "hello"), Ending{At: at(3), Messages: []Message{person("eve", "Eve", "hi")}})
	k.end(k.begin(chat("c3"), at(4), "hello"), Ending{At: at(5), Messages: []Message{person("dan", "Dan", "hi")}})
	if err := k.End(t.Context(), "ranger", k.beginOf("ranger", ops, at(6), "hello"), Ending{At: at(7), Messages: []Message{person("gus", "Gus", "hi")}}); err != nil {
		t.Fatal(err)
	}
	k.end(k.begin(room("c4", "ops"), at(8), "hello"), Ending{At: at(9), Messages: []Message{
		person("ann", "Anna", "again"), person("", "Nobody", "x"), {Speaker: Speaker{By: Bot, ID: "robo"}, Text: "beep"}, owner("me too"),
	}})
	began := Turn{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Bot: "scout", Conversation: ops, Speaker: Speaker{By: Person, ID: "cy", Name: "Cy"}, Message: "who is here", Started: at(10)}
	if _, err := k.Begin(t.Context(), began); err != nil {
		t.Fatal(err)
	}
	want := []Speaker{{By: Person, ID: "ann", Name: "Anna"}, {By: Person, ID: "bob", Name: "Bob"}}
	got, err := k.Speakers(t.Context(), "scout", "ops")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	k.end(began.ID, Ending{At: at(11)})
	want = append([]Speaker{{By: Person, ID: "cy", Name: "Cy"}}, want...)
	got, err = k.Speakers(t.Context(), "scout", "ops")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, none := range [][2]string{{"scout", ""}, {"scout", "o"}, {"nobody", "ops"}} {
		if got, err := k.Speakers(t.Context(), none[0], none[1]); len(got) > 0 || err != nil {
			t.Errorf("%q: %v, %v", none, got, err)
		}
	}
}
