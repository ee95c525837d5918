package turns

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The same sentence is said in every place; each scope gives its own places alone.
func TestSearchScope(t *testing.T) {
	k := newKit(t)
	places := []Conversation{
		chat("mine"),
		{ID: "anas", Kind: Direct, StartedBy: "person:ana"},
		{ID: "nobodys", Kind: Direct},
		room("r1a", "r1"), room("r1b", "r1"), room("r2a", "r2"),
		{ID: "roomless", Kind: InRoom, StartedBy: "owner"},
		{ID: "nightly", Kind: Routine, StartedBy: "owner"},
		{ID: "hook", Kind: Webhook, StartedBy: "webhook:1"},
		{ID: "team", Kind: Channel, StartedBy: "owner", Room: &Room{ID: "r1"}},
	}
	for i, c := range places {
		c.Title = c.ID
		id := k.begin(c, at(i), "the secret plan")
		k.end(id, Ending{At: at(i), Tools: []string{"plan"}})
	}
	k.beginOf("other", room("others", "r1"), at(50), "the secret plan") // its keys are the next
	k.beginOf("other", chat("others too"), at(50), "the secret plan")
	if _, err := k.Lapse(t.Context(), "other", at(50).Add(7*time.Hour)); err != nil {
		t.Fatal(err)
	}
	mine := Origin{Direct, "owner"}
	tests := []struct {
		name  string
		scope Scope
		want  string
	}{
		{"none", Scope{}, ""},
		{"empty lists", Scope{From: []Origin{}, Rooms: []string{}, Conversations: []string{}}, ""},
		{"everything", Scope{Everything: true}, "mine anas nobodys r1a r1b r2a roomless nightly hook team"},
		{"everything but", Scope{Everything: true, Except: []string{"mine", "r1a", "unknown"}}, "anas nobodys r1b r2a roomless nightly hook team"},
		{"own chats", Scope{From: []Origin{mine}}, "mine"},
		{"chats of one person", Scope{From: []Origin{{Direct, "person:ana"}}}, "anas"},
		{"a missing fact is no wildcard", Scope{From: []Origin{{Kind: Direct}}}, "nobodys"},
		{"nor is no kind", Scope{From: []Origin{{}}}, ""},
		{"a room", Scope{Rooms: []string{"r1"}}, "r1a r1b team"},
		{"a room without id", Scope{Rooms: []string{""}}, ""},
		{"rooms and own chats", Scope{Rooms: []string{"r1", "r2"}, From: []Origin{mine}}, "mine r1a r1b r2a team"},
		{"owner's routine is not a chat", Scope{From: []Origin{{Routine, "owner"}}}, "nightly"},
		{"a turn in a room is not of its kind alone", Scope{From: []Origin{{Channel, "owner"}, {InRoom, "owner"}}}, "roomless"},
		{"by conversation", Scope{Conversations: []string{"anas", "hook", "unknown"}}, "anas hook"},
		{"excepted after all", Scope{Conversations: []string{"anas", "hook"}, Except: []string{"anas"}}, "hook"},
		{"tokens are no input", Scope{Rooms: []string{`r1" OR "b1`}, Conversations: []string{"c1", `") OR place:("b1`}}, ""},
	}
	for _, tt := range tests {
		for _, words := range []string{"", "secret", "plan"} {
			t.Run(tt.name+"/"+words, func(t *testing.T) {
				hits, err := k.Search(t.Context(), Query{Bot: "scout", Words: words, Scope: tt.scope, Limit: 100})
				if err != nil {
					t.Fatal(err)
				}
				found, deeds := map[string]bool{}, map[string]bool{}
				for _, h := range hits {
					if h.Deed {
						deeds[h.Conversation.ID] = true
					} else {
						found[h.Conversation.ID] = true
					}
				}
				want := map[string]bool{}
				for id := range strings.FieldsSeq(tt.want) {
					want[id] = true
				}
				if diff := cmp.Diff(want, found); diff != "" {
					t.Errorf("conversations (-want +got):\n%s", diff)
				}
				if words == "secret" {
					want = map[string]bool{}
				}
				if diff := cmp.Diff(want, deeds); diff != "" {
					t.Errorf("deeds (-want +got):\n%s", diff)
				}
			})
		}
	}
	if got := k.snippets(Query{Bot: "nobody", Scope: Scope{Everything: true}}); got != nil {
		t.Errorf("a bot that has nothing: %q", got)
	}
}

// A turn's own facts decide, not those that its conversation has at another time.
func TestScopeIsOfTheTurn(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(0), "q", "private words")
	c := room("a", "r1")
	k.say(c, at(1), "q", "room words")
	for _, tt := range []struct {
		scope Scope
		want  string
	}{{Scope{Rooms: []string{"r1"}}, "room words"}, {Scope{From: []Origin{{Direct, "owner"}}}, "private words"}} {
		got := k.snippets(Query{Bot: "scout", Words: "words", Scope: tt.scope})
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
			t.Errorf("scope %+v (-want +got):\n%s", tt.scope, diff)
		}
	}
}

func TestManyRooms(t *testing.T) {
	k := newKit(t)
	k.say(room("a", "r1999"), at(0), "q", "found it")
	var sc Scope
	for i := range 2000 {
		sc.Rooms = append(sc.Rooms, fmt.Sprint("r", i))
		sc.Except = append(sc.Except, fmt.Sprint("x", i))
	}
	if diff := cmp.Diff([]string{"found it"}, k.snippets(Query{Bot: "scout", Words: "found", Scope: sc})); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}
