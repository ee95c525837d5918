package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The same sentence in a chat of the owner's, in one of another person's and in a
// room: each way of asking finds what it may, and a missing fact gives less.
func TestSearchKeepsToItsScope(t *testing.T) {
	h := newHarness(t)
	for _, x := range []struct{ c, s map[string]any }{{plans, ada}, {annChat, ann}, {room, ada}} {
		h.finish(h.begin(x.c, x.s, "hello").str("turn"), "the launch is on Friday")
	}
	closed := h.begin(chat("c3", "direct", "Old", "owner"), ada, "hello").str("turn")
	h.finish(closed, "bye")
	inChat := h.begin(chat("c4", "direct", "Now", "owner"), ada, "hello").str("turn")
	inRoom := h.begin(room, ada, "hello").str("turn")
	hers := h.begin(chat("c5", "direct", "Hers", "person:ann"), ann, "hello").str("turn")
	routine := h.begin(chat("c6", "routine", "Daily", "owner"), ada, "hello").str("turn")
	const own, herChat, ops = `chat "Plans"`, `chat "With Ann"`, `room "Ops"`
	tests := []struct {
		name, query, token string
		want               []string // labels
		discloses          []any
	}{
		{"the owner outside any chat", "", "owner", []string{herChat, own, ops}, []any{}},
		{"a bot outside any chat", "", "scout", nil, []any{}},
		{"the owner's chat", "&turn=" + inChat, "scout", []string{own, ops}, []any{}},
		{"another person's chat", "&turn=" + hers, "scout", []string{herChat}, []any{}},
		{"the room", "&turn=" + inRoom, "scout", []string{own, ops}, []any{"Plans"}},
		{"the room by its conversation", "&conversation=r1", "scout", []string{own, ops}, []any{"Plans"}},
		{"a routine", "&turn=" + routine, "scout", nil, []any{}},
		{"a chat without an open turn, by a bot", "&conversation=c1", "scout", nil, []any{}},
		{"a chat without an open turn, by the owner", "&conversation=c1", "owner", []string{own, ops}, []any{}},
		{"a chat of somebody else's, by the owner", "&conversation=c2", "owner", nil, []any{}},
		{"a chat that never was", "&conversation=c99", "owner", nil, []any{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.do(http.MethodGet, scout+"/search?scope=conversations&q=launch"+tt.query, nil, as(h.tokens[tt.token])).expect(t, 200, "")
			labels := map[string]bool{}
			for _, hit := range got.list("hits") {
				labels[hit["label"].(string)] = true
				if private := len(tt.discloses) > 0 && hit["label"] == own; hit["private"] != private {
					t.Errorf("%v is private: %v, want %v", hit["label"], hit["private"], private)
				}
			}
			want := map[string]bool{}
			for _, l := range tt.want {
				want[l] = true
			}
			if diff := cmp.Diff(want, labels); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.discloses, got.body["discloses"]); diff != "" {
				t.Errorf("discloses (-want +got):\n%s", diff)
			}
		})
	}
	h.do(http.MethodGet, scout+"/search?q=launch&turn="+closed, nil).expect(t, 409, "conflict")
	h.do(http.MethodGet, "/api/bots/other/search?q=launch&turn="+inChat, nil).expect(t, 404, "not_found")
	h.do(http.MethodGet, "/api/bots/other/brief?turn="+inChat, nil).expect(t, 404, "not_found")
	if got := h.do(http.MethodGet, "/api/bots/other/search?q=launch", nil).expect(t, 200, ""); len(got.list("hits")) != 0 {
		t.Errorf("another bot finds it: %s", got.raw)
	}
}

func TestSearchOfNotes(t *testing.T) {
	h := newHarness(t)
	h.edit("MEMORY.md", "# Memory\n- 2026-11-20 · Ada's bicycle is red\n")
	h.edit("memory/log/2026-11-29.md", "- 09:00 · mended the bicycle\n")
	h.do(http.MethodGet, scout+"/memory/journal", nil).expect(t, 200, "") // takes them in
	// A day log quotes what was said in every chat: it is the owner's to search.
	for token, want := range map[string]map[any]any{"owner": {"note": "MEMORY.md", "log": "memory/log/2026-11-29.md"}, "scout": {"note": "MEMORY.md"}} {
		got := h.do(http.MethodGet, scout+"/search?q=bicycle&scope=notes", nil, as(h.tokens[token])).expect(t, 200, "")
		kinds := map[any]any{}
		for _, hit := range got.list("hits") {
			kinds[hit["kind"]] = hit["path"]
		}
		if diff := cmp.Diff(want, kinds); diff != "" {
			t.Errorf("%s: hits (-want +got):\n%s\n%s", token, diff, got.raw)
		}
	}
	since := h.do(http.MethodGet, scout+"/search?q=bicycle&since=yesterday&until=today", nil).expect(t, 200, "")
	if hits := since.list("hits"); len(hits) != 1 || hits[0]["kind"] != "log" {
		t.Errorf("since yesterday: %s", since.raw)
	}
	for _, bad := range []string{"", "?q=+", "?q=x&scope=mine", "?q=x&since=soon", "?q=x&until=2026-02-30", "?q=x&limit=0", "?q=x&limit=few", "?q=x&turn=a&conversation=b", "?q=x&turn=", "?q=x&conversation=", "?since=today&until=2026-01-01"} {
		h.do(http.MethodGet, scout+"/search"+bad, nil).expect(t, 400, "invalid")
	}
}

// A recall without a conversation, in a room or by an automaton reads notes alone.
func TestRecallKeepsToItsScope(t *testing.T) {
	h := newHarness(t)
	h.edit("memory/trips.md", "- The launch window of the Friday ferry is nine o'clock\n")
	h.finish(h.begin(plans, ada, "hello").str("turn"), "the launch window of the ferry is at nine")
	h.finish(h.begin(annChat, ann, "hello").str("turn"), "the launch window of the ferry is at nine")
	another := chat("c7", "direct", "Another", "owner")
	for name, tt := range map[string]struct {
		c, s     map[string]any
		passages int
	}{
		"a chat of the owner's": {another, ada, 1},
		"nobody speaks":         {another, nil, 0},
		"somebody else speaks":  {another, ann, 0},
		"a room":                {room, ada, 0},
		"a routine":             {chat("c8", "routine", "", "owner"), ada, 0},
		"no conversation":       {nil, ada, 0},
	} {
		t.Run(name, func(t *testing.T) {
			body := map[string]any{"message": "when is the launch window of the ferry"}
			if tt.c != nil {
				body["conversation"] = tt.c
			}
			if tt.s != nil {
				body["speaker"] = tt.s
			}
			got := h.do(http.MethodPost, scout+"/recall", body, as(h.tokens["scout"])).expect(t, 200, "")
			if len(got.list("notes")) != 1 || len(got.list("passages")) != tt.passages || !strings.Contains(got.str("block"), "memory/trips.md") {
				t.Errorf("want 1 note and %d passages: %s", tt.passages, got.raw)
			}
		})
	}
}

func TestBrief(t *testing.T) {
	h := newHarness(t)
	h.finish(h.begin(plans, ada, "hello").str("turn"), "sent the invoices")
	inRoom := h.begin(room, ada, "hello")
	if diff := cmp.Diff([]any{"Plans"}, inRoom.body["discloses"]); diff != "" || !strings.Contains(inRoom.str("brief"), "sent the invoices") {
		t.Errorf("in the room: %s", inRoom.raw)
	}
	tests := map[string]struct {
		query url.Values
		token string
		found bool
	}{
		"the owner":       {nil, "owner", true},
		"a bot":           {nil, "scout", false},
		"in the room":     {url.Values{"turn": {inRoom.str("turn")}}, "scout", true},
		"by conversation": {url.Values{"conversation": {"r1"}}, "scout", true},
		"of itself":       {url.Values{"conversation": {"c1"}}, "owner", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := h.do(http.MethodGet, scout+"/brief?"+tt.query.Encode(), nil, as(h.tokens[tt.token])).expect(t, 200, "")
			if found := strings.Contains(got.str("brief"), "sent the invoices"); found != tt.found {
				t.Errorf("found %v, want %v: %s", found, tt.found, got.raw)
			}
			if diff := cmp.Diff([]any{}, got.body["discloses"]); diff != "" {
				t.Errorf("it is told twice (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMemoryOffGivesNoMemory(t *testing.T) {
	h := newHarness(t)
	h.edit("memory/trips.md", "- The Friday ferry leaves at nine\n")
	h.do(http.MethodPatch, scout, map[string]any{"memoryEnabled": false}).expect(t, 200, "")
	got := h.begin(plans, ada, "when does the Friday ferry leave")
	if got.str("block") != "" || got.str("brief") != "" || got.obj("recall")["block"] != "" || got.str("turn") == "" {
		t.Errorf("start: %s", got.raw)
	}
	if found := h.do(http.MethodGet, scout+"/search?q=ferry", nil).expect(t, 200, ""); len(found.list("hits")) != 0 {
		t.Errorf("search: %s", found.raw)
	}
	if end := h.finish(got.str("turn"), "bye"); end.str("log") != "" {
		t.Errorf("end: %s", end.raw)
	}
}
