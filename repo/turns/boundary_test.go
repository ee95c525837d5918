package turns

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTurnIsKeptWhole(t *testing.T) {
	k := newKit(t)
	started := time.Date(2026, 11, 2, 23, 59, 30, 123_456_789, time.FixedZone("", 13*3600+45*60))
	begun := Turn{
		ID: "01T", Bot: "scout", Started: started, Message: "Deploy it, please\x00 — now",
		Conversation: Conversation{ID: "c1", Kind: InRoom, Title: "Deploy", StartedBy: "person:p1", Room: &Room{ID: "r1", Name: "Ops", Members: []string{"owner", "p1"}, Narrower: true}},
		Speaker:      Speaker{By: Person, ID: "p1", Name: "Ana"},
	}
	if _, err := k.Begin(t.Context(), begun); err != nil {
		t.Fatal(err)
	}
	want := begun
	want.Started = started.UTC().Truncate(time.Millisecond)
	if diff := cmp.Diff(want, k.get("01T")); diff != "" {
		t.Errorf("open turn (-want +got):\n%s", diff)
	}
	e := Ending{
		At: started.Add(time.Minute), Tools: []string{"git", "deploy"}, Failed: true, Changes: []string{"01C"},
		Messages: []Message{
			{Speaker: Speaker{By: Person, ID: "p1", Name: "Ana"}, Text: "Deploy it, please\x00 — now"},
			{Speaker: Speaker{By: Bot, ID: "b2", Name: "Helper"}, Text: "ready"},
			{Speaker: Speaker{By: Self}, Text: " \n"},
			{Speaker: Speaker{By: Self}, Text: "It did not work: \xff"},
		},
	}
	k.end("01T", e)
	want.Ended, want.Tools, want.Failed, want.Changes = want.Started.Add(time.Minute), e.Tools, true, e.Changes
	want.Messages = []Message{e.Messages[0], e.Messages[1], {Speaker: Speaker{By: Self}, Text: "It did not work: \uFFFD"}}
	if diff := cmp.Diff(want, k.get("01T")); diff != "" {
		t.Errorf("ended turn (-want +got):\n%s", diff)
	}
}

func TestOpeningWordsAreKept(t *testing.T) {
	ana := Speaker{By: Person, ID: "p1", Name: "Ana"}
	opening := Message{Speaker: ana, Text: "what is new?"}
	tests := []struct {
		name    string
		speaker Speaker
		posted  []Message
		want    []Message
	}{
		{"posted", ana, []Message{opening, self("nothing")}, []Message{opening, self("nothing")}},
		{"posted in other words", ana, []Message{{ana, "what's new?"}, self("nothing")}, []Message{{ana, "what's new?"}, self("nothing")}},
		{"only the answer is posted", ana, []Message{self("nothing")}, []Message{opening, self("nothing")}},
		{"only others are posted", ana, []Message{{Speaker{By: Bot, ID: "b2"}, "hm"}, self("nothing")}, []Message{opening, {Speaker{By: Bot, ID: "b2"}, "hm"}, self("nothing")}},
		{"nothing is posted", ana, nil, []Message{opening}},
		{"nobody spoke", Speaker{}, []Message{self("nothing")}, []Message{{Speaker{}, "what is new?"}, self("nothing")}},
		{"its own prompt is not what it said", Speaker{By: Self}, []Message{self("nothing")}, []Message{self("nothing")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKit(t)
			if _, err := k.Begin(t.Context(), Turn{ID: "T", Bot: "scout", Conversation: chat("a"), Speaker: tt.speaker, Message: opening.Text, Started: noon}); err != nil {
				t.Fatal(err)
			}
			k.end("T", Ending{At: at(1), Messages: tt.posted})
			if diff := cmp.Diff(tt.want, k.get("T").Messages); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOpenTurns(t *testing.T) {
	k := newKit(t)
	a := k.begin(chat("a"), at(0), "one")
	b := k.begin(chat("b"), at(10), "two")
	other := k.beginOf("other", chat("a"), at(11), "three")
	open := func(now time.Time) []string {
		t.Helper()
		turns, err := k.OpenTurns(t.Context(), "scout", now)
		if err != nil {
			t.Fatal(err)
		}
		return ids(turns)
	}
	if diff := cmp.Diff([]string{a, b}, open(at(12))); diff != "" {
		t.Errorf("two conversations (-want +got):\n%s", diff)
	}
	lapsed, err := k.Begin(t.Context(), Turn{ID: "next", Bot: "scout", Conversation: chat("a"), Speaker: Speaker{By: Owner}, Message: "again", Started: at(20)})
	if err != nil {
		t.Fatal(err)
	}
	want := []Turn{{
		ID: a, Bot: "scout", Conversation: chat("a"), Speaker: Speaker{By: Owner}, Message: "one", Started: at(0), Ended: at(20), Lapsed: true,
		Messages: []Message{owner("one")},
	}}
	if diff := cmp.Diff(want, lapsed); diff != "" {
		t.Errorf("ended by the conversation's next turn (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{b, "next"}, open(at(21))); diff != "" {
		t.Errorf("after the next turn (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{b, "next"}, open(at(10).Add(6*time.Hour-time.Millisecond))); diff != "" {
		t.Errorf("just before six hours (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"next"}, open(at(10).Add(6*time.Hour))); diff != "" {
		t.Errorf("at six hours (-want +got):\n%s", diff)
	}
	if _, err := k.Get(t.Context(), "other", other); err != nil {
		t.Errorf("another bot's turn in the same conversation: %v", err)
	}
}

func TestLapse(t *testing.T) {
	k := newKit(t)
	a := k.begin(chat("a"), at(0), "one")
	k.begin(chat("b"), at(30), "two")
	lapsed, err := k.Lapse(t.Context(), "scout", at(0).Add(6*time.Hour+time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{a}, ids(lapsed)); diff != "" {
		t.Fatalf("lapsed (-want +got):\n%s", diff)
	}
	if got, want := lapsed[0].Ended, at(0).Add(6*time.Hour); got != want {
		t.Errorf("ended at %v, want %v", got, want)
	}
	if lapsed, err = k.Lapse(t.Context(), "scout", at(0).Add(6*time.Hour+time.Minute)); err != nil || lapsed != nil {
		t.Errorf("second time: %v, %v", ids(lapsed), err)
	}
	if diff := cmp.Diff([]string{"one"}, k.find("one")); diff != "" {
		t.Errorf("what a lapsed turn began with is found (-want +got):\n%s", diff)
	}
}

// A turn in another conversation ends what is due, and nothing that is not.
func TestBeginLapses(t *testing.T) {
	k := newKit(t)
	due := k.begin(chat("a"), at(0), "one")
	fresh := k.begin(chat("b"), at(0).Add(time.Millisecond), "two")
	lapsed, err := k.Begin(t.Context(), Turn{ID: "next", Bot: "scout", Conversation: chat("c"), Started: at(0).Add(6 * time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{due}, ids(lapsed)); diff != "" {
		t.Errorf("lapsed (-want +got):\n%s", diff)
	}
	if !k.get(fresh).Open() {
		t.Error("a turn of a millisecond less was ended")
	}
}

// A turn that a later one, or time, ended is still told how it went.
func TestLateEnd(t *testing.T) {
	k := newKit(t)
	a := k.begin(chat("a"), at(0), "alpha")
	k.begin(chat("a"), at(1), "beta")
	marked, err := k.MarkRead(t.Context(), "scout", a)
	if err != nil || len(marked) != 1 {
		t.Fatalf("mark: %v, %v", marked, err)
	}
	k.end(a, Ending{At: at(2), Messages: []Message{owner("alpha"), self("gamma")}})
	got := k.get(a)
	if got.Lapsed || got.Ended != at(2) {
		t.Errorf("lapsed %v, ended %v", got.Lapsed, got.Ended)
	}
	if diff := cmp.Diff([]Message{owner("alpha"), self("gamma")}, got.Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"alpha"}, k.find("alpha")); diff != "" {
		t.Errorf("found once (-want +got):\n%s", diff)
	}
	waiting, err := k.Waiting(t.Context(), "scout")
	if err != nil || len(waiting) != 1 || len(waiting[0].Turns) != 1 || waiting[0].Turns[0].ID != a {
		t.Errorf("it waits for capture again: %v, %v", waiting, err)
	}
}

func TestBoundaryErrors(t *testing.T) {
	k := newKit(t)
	id := k.begin(chat("a"), at(0), "one")
	good := Turn{ID: "X", Bot: "scout", Conversation: chat("z"), Started: noon}
	begin := func(change func(*Turn)) error {
		turn := good
		change(&turn)
		_, err := k.Begin(t.Context(), turn)
		return err
	}
	end := func(bot, id string, e Ending) error { return k.End(t.Context(), bot, id, e) }
	if err := end("scout", k.say(chat("b"), at(1), "q", "a"), Ending{At: at(3)}); !errors.Is(err, ErrEnded) {
		t.Errorf("second end: %v, want ErrEnded", err)
	}
	tests := []struct {
		name string
		err  error
		want error
	}{
		{"id taken", begin(func(t *Turn) { t.ID = id }), ErrExists},
		{"no id", begin(func(t *Turn) { t.ID = "" }), ErrInvalid},
		{"no bot", begin(func(t *Turn) { t.Bot = "" }), ErrInvalid},
		{"no conversation", begin(func(t *Turn) { t.Conversation.ID = "" }), ErrInvalid},
		{"no kind", begin(func(t *Turn) { t.Conversation.Kind = "" }), ErrInvalid},
		{"unknown kind", begin(func(t *Turn) { t.Conversation.Kind = "party" }), ErrInvalid},
		{"unknown speaker", begin(func(t *Turn) { t.Speaker.By = "system" }), ErrInvalid},
		{"no time", begin(func(t *Turn) { t.Started = time.Time{} }), ErrInvalid},
		{"far future", begin(func(t *Turn) { t.Started = time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC) }), ErrInvalid},
		{"end without time", end("scout", id, Ending{}), ErrInvalid},
		{"end by nobody known", end("scout", id, Ending{At: noon, Messages: []Message{{Speaker{By: "system"}, "x"}}}), ErrInvalid},
		{"end of an unknown turn", end("scout", "nope", Ending{At: noon}), ErrNotFound},
		{"end of another bot's turn", end("other", id, Ending{At: noon}), ErrNotFound},
	}
	for _, tt := range tests {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.err, tt.want)
		}
	}
	for _, bot := range []string{"other", ""} {
		if _, err := k.Get(t.Context(), bot, id); !errors.Is(err, ErrNotFound) {
			t.Errorf("get by %q: %v, want ErrNotFound", bot, err)
		}
	}
	if got := k.get(id); !got.Open() {
		t.Error("a refused call changed the turn")
	}
}

// A clock that was set back never makes a turn end before it began.
func TestEndBeforeBegin(t *testing.T) {
	k := newKit(t)
	id := k.begin(chat("a"), at(10), "one")
	k.end(id, Ending{At: at(5)})
	if got := k.get(id); got.Ended != got.Started {
		t.Errorf("ended %v, started %v", got.Ended, got.Started)
	}
}

func TestTitle(t *testing.T) {
	k := newKit(t)
	c := chat("a")
	first := k.say(c, at(0), "q", "a")
	for _, step := range []struct{ title, want string }{{"", "A"}, {"Travel", "Travel"}, {"", "Travel"}} {
		c.Title = step.title
		k.say(c, at(1), "q", "a")
		if got := k.get(first).Conversation.Title; got != step.want {
			t.Errorf("after %q the title is %q, want %q", step.title, got, step.want)
		}
	}
}
