package turns

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// What is erased is in no row, no index and no byte of the file; the rest is there.
func TestErase(t *testing.T) {
	k := newKit(t)
	secret := "Persimmon"
	first := k.begin(Conversation{ID: "a", Kind: InRoom, Title: "About " + secret, Room: &Room{ID: "r", Name: secret + "'s room"}, StartedBy: "owner"}, at(0), "tell me of "+secret)
	k.end(first, Ending{At: at(1), Messages: []Message{
		owner("tell me of " + secret), self("Nothing to tell"), {Speaker: Speaker{By: Person, ID: "p", Name: secret + " Smith"}, Text: "hello"},
	}})
	second := k.say(chat("b"), at(2), "tea?", "yes, tea")
	other := k.beginOf("ranger", chat("a"), at(3), "another bot's "+secret)
	e := Erasing{
		Tells: func(text string) bool { return strings.Contains(text, secret) },
		Mask:  func(text string) string { return strings.ReplaceAll(text, secret, "«erased»") },
	}
	n, err := k.Erase(t.Context(), "scout", e)
	if err != nil || n != 1 {
		t.Fatalf("%d messages, %v", n, err)
	}
	got, err := k.Get(t.Context(), "scout", first)
	if err != nil || len(got.Messages) != 2 || got.Message != "" || got.Conversation.Title != "About «erased»" || got.Conversation.Room.Name != "«erased»'s room" || got.Messages[1].Name != "«erased» Smith" {
		t.Errorf("the turn: %+v, %v", got, err)
	}
	if got, err = k.Get(t.Context(), "scout", second); err != nil || len(got.Messages) != 2 {
		t.Errorf("another: %+v, %v", got, err)
	}
	if hits, err := k.Search(t.Context(), Query{Bot: "scout", Words: secret, Scope: Scope{Everything: true}}); err != nil || len(hits) != 0 {
		t.Errorf("found %v, %v", hits, err)
	}
	if hits, err := k.Search(t.Context(), Query{Bot: "scout", Words: "tea", Scope: Scope{Everything: true}}); err != nil || len(hits) != 2 {
		t.Errorf("tea: %v, %v", hits, err)
	}
	if got, err = k.Get(t.Context(), "ranger", other); err != nil || !strings.Contains(got.Message, secret) {
		t.Errorf("another bot's: %+v, %v", got, err)
	}
	if _, err := k.Erase(t.Context(), "ranger", e); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{k.path, k.path + "-wal"} {
		data, err := os.ReadFile(name)
		if err == nil && bytes.Contains(bytes.ToLower(data), []byte("persimmon")) {
			t.Errorf("%s holds it", name)
		}
	}
	if n, err := k.Erase(t.Context(), "nobody", e); n != 0 || err != nil {
		t.Errorf("no such bot: %d, %v", n, err)
	}
}
