package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An update takes its source and its standing from the turn, never from itself.
func TestUpdateInATurn(t *testing.T) {
	h := newHarness(t)
	turn := h.begin(plans, ada, "hello").str("turn")
	got := h.update(map[string]any{"action": "append", "text": "Likes tea", "turn": turn, "source": `room "Made up"`}, as(h.tokens["scout"])).expect(t, 200, "")
	if want := `- 2026-11-30 · from chat "Plans" · Likes tea`; got.str("entry") != want {
		t.Errorf("entry %q, want %q", got.str("entry"), want)
	}
	row := h.do(http.MethodGet, scout+"/memory/journal", nil).list("entries")[0]
	told := map[string]any{"actor": row["actor"], "who": row["who"], "via": row["via"], "source": row["source"], "turn": row["turn"]}
	if diff := cmp.Diff(map[string]any{"actor": "bot", "who": "scout", "via": "turn", "source": `chat "Plans"`, "turn": turn}, told); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	h.do(http.MethodPost, "/api/bots/other/memory/update", map[string]any{"action": "append", "text": "x", "turn": turn}).expect(t, 404, "not_found")
	h.finish(turn, "noted")
	late := h.update(map[string]any{"action": "append", "text": "Likes cake", "turn": turn}).expect(t, 200, "")
	if !strings.Contains(late.str("entry"), `from chat "Plans"`) {
		t.Errorf("after the turn: %q", late.str("entry"))
	}
}

// About me, and what the person had forgotten, are reached only in a turn that the
// owner began in a chat of their own, while it lasts.
func TestWhoActsForThePerson(t *testing.T) {
	const asks, chats = "Remember that Luna likes short replies", "what a fine day"
	inRoom := map[string]any{"id": "r1", "kind": "direct", "startedBy": "owner", "room": map[string]any{"id": "ops"}}
	tests := []struct {
		name          string
		c, s          map[string]any
		message       string
		ended         bool
		prefer, learn int
		about         bool // a forget covers About me
	}{
		{"the owner asks", plans, ada, asks, false, 200, 200, true},
		{"the owner chats", plans, ada, chats, false, 200, 422, true},
		{"the owner says nothing", plans, ada, " ", false, 422, 422, false},
		{"another person asks", annChat, ann, asks, false, 422, 422, false},
		{"nobody asks", plans, nil, asks, false, 422, 422, false},
		{"a room", room, ada, asks, false, 422, 422, false},
		{"a chat in a room", inRoom, ada, asks, false, 422, 422, false},
		{"a routine", chat("c6", "routine", "", "owner"), ada, asks, false, 422, 422, false},
		{"an ended turn", plans, ada, asks, true, 422, 422, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			h.update(map[string]any{"action": "append", "text": "Luna is the cat"}).expect(t, 200, "")
			h.update(map[string]any{"action": "forget", "words": "Luna"}).expect(t, 200, "")
			h.do(http.MethodPut, "/api/profile/file", map[string]any{"path": "ABOUT.md", "text": "- Rex is the dog\n"}).expect(t, 200, "")
			turn := h.begin(tt.c, tt.s, tt.message).str("turn")
			if tt.ended {
				h.finish(turn, "bye")
			}
			asBot := as(h.tokens["scout"])
			h.update(map[string]any{"action": "append", "text": "Luna likes short replies", "turn": turn}, asBot).expect(t, tt.learn, "")
			h.update(map[string]any{"action": "forget", "words": "Rex", "turn": turn}, asBot).expect(t, 200, "")
			me := h.do(http.MethodGet, "/api/profile/file", nil).expect(t, 200, "").str("text")
			if left := strings.Contains(me, "Rex"); left == tt.about {
				t.Errorf("About me still names Rex: %v", left)
			}
			got := h.update(map[string]any{"action": "prefer", "text": "metric units", "turn": turn}, asBot).expect(t, tt.prefer, "")
			me = h.do(http.MethodGet, "/api/profile/file", nil).expect(t, 200, "").str("text")
			if there := strings.Contains(me, "learned by scout · metric units"); there != (tt.prefer == 200) {
				t.Errorf("in About me: %v\n%s\n%s", there, me, got.raw)
			}
			if tt.prefer == 200 {
				h.update(map[string]any{"action": "prefer", "text": " ", "turn": turn}, asBot).expect(t, 400, "invalid")
			}
		})
	}
}

// What the person asks to forget in their own words is gone for good, with the words
// they asked in; what the bot forgets on its own can be undone.
func TestForgetOfAPersonErases(t *testing.T) {
	h := newHarness(t)
	asBot := as(h.tokens["scout"])
	h.update(map[string]any{"action": "append", "text": "Luna is the cat"}).expect(t, 200, "")
	h.update(map[string]any{"action": "append", "text": "Rex is the dog"}).expect(t, 200, "")
	for _, tt := range []struct {
		message string
		body    map[string]any
		erased  bool
	}{
		{"hello", map[string]any{"words": "Luna"}, false},
		{"forget Luna", map[string]any{"words": "Luna", "keepHistory": true}, false},
		{"forget Luna", map[string]any{"words": []string{"Luna", "cat"}}, false},
		{"please forget Luna", map[string]any{"words": "Luna"}, true},
	} {
		turn := h.begin(plans, ada, tt.message).str("turn")
		tt.body["action"], tt.body["turn"] = "forget", turn
		got := h.update(tt.body, asBot).expect(t, 200, "")
		if got.body["removed"] != 1.0 || (got.body["erased"] != nil) != tt.erased {
			t.Fatalf("%q: %s", tt.message, got.raw)
		}
		h.finish(turn, "Luna is forgotten")
		if !tt.erased {
			h.do(http.MethodPost, scout+"/memory/journal/"+got.str("change")+"/revert", nil).expect(t, 200, "")
			continue
		}
	}
	ws, err := h.store.Open(t.Context(), "scout")
	if err != nil {
		t.Fatal(err)
	}
	if found, err := ws.Gone(t.Context(), []string{"Luna"}, nil); err != nil || len(found) > 0 {
		t.Errorf("it is still in %v, %v", found, err)
	}
	said := h.do(http.MethodGet, scout+"/search?q=Luna", nil).expect(t, 200, "")
	if strings.Contains(said.raw, "forgotten") {
		t.Errorf("what was said still tells it: %s", said.raw)
	}
	if text := h.onDisk("MEMORY.md"); !strings.Contains(text, "Rex is the dog") {
		t.Errorf("MEMORY.md says %q", text)
	}
}
