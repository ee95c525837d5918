package turns

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// follow reads all that is new to a reader and gives the ids, and whether it had to forget.
func (k *kit) follow(bot string, m *Mark) (seen []string, reset bool) {
	k.Helper()
	for {
		p, err := k.Follow(k.Context(), bot, *m)
		if err != nil {
			k.Fatal(err)
		}
		*m = p.Next
		if p.Reset {
			seen, reset = nil, true
		}
		if len(p.Turns) == 0 {
			return seen, reset
		}
		seen = append(seen, ids(p.Turns)...)
	}
}

func TestFollow(t *testing.T) {
	k := newKit(t)
	var m, none Mark
	expect := func(what string, wantReset bool, want ...string) {
		t.Helper()
		got, reset := k.follow("scout", &m)
		if diff := cmp.Diff(want, got); diff != "" || reset != wantReset {
			t.Errorf("%s: reset %v (-want +got):\n%s", what, reset, diff)
		}
	}
	expect("no bot yet", false)
	a := k.say(chat("a"), at(0), "q", "one")
	open := k.begin(chat("b"), at(1), "two")
	expect("open turns are not there", false, a)
	expect("nothing new", false)
	c := k.say(chat("c"), at(2), "q", "three")
	k.end(open, Ending{At: at(3), Messages: []Message{self("done")}})
	expect("in the order in which they ended", false, c, open)
	lapsed := k.begin(chat("c"), at(4), "x")
	d := k.say(chat("c"), at(5), "q", "four")
	expect("lapsed", false, lapsed, d)
	k.end(lapsed, Ending{At: at(6), Messages: []Message{self("late")}})
	expect("and ended late", false, lapsed)
	if _, err := k.DeleteConversation(t.Context(), "scout", "a"); err != nil {
		t.Fatal(err)
	}
	expect("after a deletion everything again", true, c, open, d, lapsed)
	if err := k.RenameBot(t.Context(), "scout", "ranger"); err != nil {
		t.Fatal(err)
	}
	if got, reset := k.follow("ranger", &m); got != nil || reset {
		t.Errorf("a new name is nothing new: %v, reset %v", got, reset)
	}
	if _, err := k.DeleteBot(t.Context(), "ranger"); err != nil {
		t.Fatal(err)
	}
	if got, reset := k.follow("ranger", &m); got != nil || !reset {
		t.Errorf("a deleted bot: %v, reset %v", got, reset)
	}
	e := k.say(chat("a"), at(7), "q", "five")
	m = none
	expect("a new bot", false, e)
}

func TestFollowPages(t *testing.T) {
	k := newKit(t)
	corpus(t, k, 2*(2*pageSize+3), 1)
	var m Mark
	seen, _ := k.follow("scout", &m)
	if len(seen) != 2*pageSize+3 || seen[0] != "T0" || seen[len(seen)-1] != fmt.Sprint("T", 2*pageSize+2) {
		t.Errorf("%d turns, %s to %s", len(seen), seen[0], seen[len(seen)-1])
	}
	batches, err := k.Waiting(t.Context(), "scout")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, b := range batches {
		n += len(b.Turns)
	}
	if n != pageSize {
		t.Errorf("%d wait, want the first %d", n, pageSize)
	}
}

func TestWaiting(t *testing.T) {
	k := newKit(t)
	a1 := k.say(chat("a"), at(0), "q", "1")
	b1 := k.say(room("b", "r1"), at(1), "q", "2")
	a2 := k.say(chat("a"), at(2), "q", "3")
	k.begin(chat("c"), at(3), "open turns do not wait")
	k.beginOf("other", chat("a"), at(3), "nor another bot's")
	waiting := func() map[string][]string {
		t.Helper()
		batches, err := k.Waiting(t.Context(), "scout")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]string{}
		for _, b := range batches {
			got[b.Conversation.ID+" "+string(b.Conversation.Kind)] = ids(b.Turns)
		}
		return got
	}
	if diff := cmp.Diff(map[string][]string{"a direct": {a1, a2}, "b room": {b1}}, waiting()); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	if _, err := k.Rewind(t.Context(), "scout", "a", a1); err != nil {
		t.Fatal(err)
	}
	marked, err := k.MarkRead(t.Context(), "scout", a1, a2, "nope")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{a1}, marked); diff != "" {
		t.Errorf("what was rewound is not marked (-want +got):\n%s", diff)
	}
	if marked, err := k.MarkRead(t.Context(), "other", b1); err != nil || marked != nil {
		t.Errorf("another bot marks %v, %v", marked, err)
	}
	if marked, err := k.MarkRead(t.Context(), "scout", a1); err != nil || marked != nil {
		t.Errorf("twice: %v, %v", marked, err)
	}
	if diff := cmp.Diff(map[string][]string{"b room": {b1}}, waiting()); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

func TestNewest(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(0), "q", "a old")
	k.say(room("b", "r1"), at(1), "q", "b new")
	a := k.say(chat("a"), at(2), "q", "a new")
	k.say(chat("here"), at(3), "q", "not listed")
	id := k.begin(chat("silent"), at(4), "q")
	k.end(id, Ending{At: at(4), Tools: []string{"git"}})
	k.say(chat("past"), at(-1), "q", "too old")
	id = k.beginOf("other", chat("a"), at(5), "q")
	if err := k.End(t.Context(), "other", id, Ending{At: at(5), Messages: []Message{self("another bot")}}); err != nil {
		t.Fatal(err)
	}
	said, err := k.Newest(t.Context(), "scout", at(0), "here")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range said {
		got = append(got, s.Conversation.ID+": "+s.Text)
	}
	if diff := cmp.Diff([]string{"a: a new", "b: b new"}, got); diff != "" {
		t.Fatalf("said (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Said{Turn: a, Conversation: chat("a"), At: at(2), Text: "a new"}, said[0]); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
	if said, err = k.Newest(t.Context(), "scout", at(2).Add(time.Millisecond), "here"); err != nil || said != nil {
		t.Errorf("a millisecond later: %v, %v", said, err)
	}
}

func TestTell(t *testing.T) {
	k := newKit(t)
	for _, id := range []string{"a", "b"} {
		k.say(chat(id), at(0), "q", "x")
	}
	steps := []struct {
		room  string
		chats []string
		want  []string
	}{
		{"r1", []string{"a", "nope"}, []string{"a"}},
		{"r1", []string{"a", "b"}, []string{"b"}},
		{"r1", []string{"a", "b"}, nil},
		{"r2", []string{"b"}, []string{"b"}},
	}
	for _, s := range steps {
		got, err := k.Tell(t.Context(), "scout", s.room, s.chats...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.want, got); diff != "" {
			t.Errorf("%s of %v (-want +got):\n%s", s.room, s.chats, diff)
		}
	}
	if _, err := k.DeleteConversation(t.Context(), "scout", "a"); err != nil {
		t.Fatal(err)
	}
	k.say(chat("a"), at(1), "q", "x")
	if got, err := k.Tell(t.Context(), "scout", "r1", "a", "b"); err != nil || !cmp.Equal(got, []string{"a"}) {
		t.Errorf("a deleted chat's namesake is new: %v, %v", got, err)
	}
}

func TestConversations(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(0), "q", "x")
	k.say(room("b", "r1"), at(1), "q", "x")
	k.begin(chat("a"), at(2), "open turns count")
	k.beginOf("other", chat("c"), at(3), "q")
	got, err := k.Conversations(t.Context(), "scout")
	if err != nil {
		t.Fatal(err)
	}
	want := []Summary{{Conversation: chat("a"), Turns: 2, Last: at(2)}, {Conversation: room("b", "r1"), Turns: 1, Last: at(1)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	if got, err := k.Conversations(t.Context(), "nobody"); err != nil || got != nil {
		t.Errorf("nobody's: %v, %v", got, err)
	}
}

// The queue names, over all bots, the chats that wait; a turn waits until it is read or
// deleted.
func TestQueue(t *testing.T) {
	k := newKit(t)
	a := k.say(chat("a"), at(0), "q", "one")
	b := k.say(chat("a"), at(2), "q", "two")
	c := k.say(chat("c"), at(1), "q", "three")
	k.begin(chat("d"), at(3), "open turns do not wait")
	k.beginOf("ranger", chat("a"), at(4), "nor do these")
	expect := func(what string, want ...Queued) {
		t.Helper()
		got, err := k.Queue(t.Context())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
		}
	}
	expect("both chats, the longest quiet first", Queued{"scout", "c", 1, at(1)}, Queued{"scout", "a", 2, at(2)})
	waiting, err := k.StillWaiting(t.Context(), "scout", a, b, c, "T99")
	if diff := cmp.Diff([]string{a, b, c}, waiting); err != nil || diff != "" {
		t.Errorf("still waiting: %v %s", err, diff)
	}
	if waiting, err = k.StillWaiting(t.Context(), "ranger", a, b, c); err != nil || waiting != nil {
		t.Errorf("another bot's: %v, %v", waiting, err)
	}
	if _, err := k.MarkRead(t.Context(), "scout", a); err != nil {
		t.Fatal(err)
	}
	if _, err := k.DeleteConversation(t.Context(), "scout", "c"); err != nil {
		t.Fatal(err)
	}
	expect("one read, one deleted", Queued{"scout", "a", 1, at(2)})
	if waiting, err = k.StillWaiting(t.Context(), "scout", a, b, c); err != nil || len(waiting) != 1 || waiting[0] != b {
		t.Errorf("still waiting: %v, %v", waiting, err)
	}
}
