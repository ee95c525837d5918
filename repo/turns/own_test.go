package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSearchKeep: what may not be found takes no place of what may.
func TestSearchKeep(t *testing.T) {
	k := newKit(t)
	for i := range 12 {
		k.say(chat("a"), at(i), "…", fmt.Sprintf("%s tea number %d", []string{"green", "black"}[i%2], i))
	}
	keep := func(text string) bool { return !strings.Contains(text, "green") }
	for _, words := range []string{"tea", ""} {
		hits, err := k.Search(t.Context(), Query{Bot: "scout", Words: words, Limit: 4, Scope: Scope{Everything: true}, Keep: keep})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, h := range hits {
			if strings.Contains(h.Snippet, "green") {
				t.Errorf("%q found %q", words, h.Snippet)
			}
			n++
		}
		if n != 4 {
			t.Errorf("%q: %d hits, want 4", words, n)
		}
	}
}

// TestOwn gives the bot's own words alone, newest first, and whether anybody asked.
func TestOwn(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(1), "what is it?", "an answer")
	routine := chat("r")
	routine.Kind, routine.StartedBy = Routine, ""
	if _, err := k.Begin(t.Context(), Turn{ID: "R", Bot: "scout", Conversation: routine, Started: at(2)}); err != nil {
		t.Fatal(err)
	}
	k.end("R", Ending{At: at(2), Messages: []Message{self("a reminder")}})
	got, err := k.Own(t.Context(), "scout", 10)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, o := range got {
		texts = append(texts, fmt.Sprintf("%s %v", o.Text, o.Unprompted))
	}
	if !slices.Equal(texts, []string{"a reminder true", "an answer false"}) {
		t.Fatalf("%q", texts)
	}
	if none, err := k.Own(t.Context(), "nobody", 10); err != nil || len(none) > 0 {
		t.Errorf("%v, %v", none, err)
	}
}
