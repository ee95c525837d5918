package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const evidence = scout + "/memory/evidence"

func (h *harness) signal(body map[string]any, changes ...change) reply {
	h.t.Helper()
	return h.do(http.MethodPost, evidence, body, changes...)
}

// noted is a harness whose bot has notes to dispute.
func noted(t *testing.T) *harness {
	h := newHarness(t)
	for _, text := range []string{"Likes green tea", "Likes black coffee", "Is allergic to nuts"} {
		h.update(map[string]any{"action": "append", "text": text}).expect(t, 200, "")
	}
	return h
}

// The owner's token acts for the person; what they dispute is out, and back when they
// support it.
func TestPersonDisputes(t *testing.T) {
	h := noted(t)
	got := h.signal(map[string]any{"fact": "green tea", "signal": "dispute"}).expect(t, 200, "")
	standing := got.obj("standing")
	told := map[string]any{"fact": standing["fact"], "score": standing["score"], "disputed": standing["disputed"], "path": standing["path"], "tier": standing["tier"]}
	if diff := cmp.Diff(map[string]any{"fact": "Likes green tea", "score": -1.0, "disputed": true, "path": "MEMORY.md", "tier": "pending"}, told, cmp.Comparer(near)); diff != "" {
		t.Errorf("standing (-want +got):\n%s", diff)
	}
	loaded := h.do(http.MethodGet, scout+"/memory/load", nil).expect(t, 200, "")
	if strings.Contains(loaded.str("block"), "green tea") || loaded.body["disputed"] != 1.0 {
		t.Errorf("loads %s", loaded.raw)
	}
	known := h.update(map[string]any{"action": "append", "text": "likes green tea."}).expect(t, 200, "")
	for _, again := range []reply{known, h.update(map[string]any{"action": "append", "text": "The user likes green tea"}).expect(t, 200, "")} {
		if !strings.Contains(again.str("message"), "disputed on 2026-11-30 and stays out of every prompt") {
			t.Errorf("written again: %q", again.str("message"))
		}
	}
	row := h.do(http.MethodGet, scout+"/memory/journal?all=true&action=signal", nil).list("entries")
	if len(row) != 1 || row[0]["actor"] != "person" || row[0]["via"] != "api" || row[0]["change"] != got.str("change") {
		t.Errorf("rows %v", row)
	}
	log := h.do(http.MethodGet, evidence+"/log?fact="+url.QueryEscape("Likes green tea"), nil, as(h.tokens["scout"])).expect(t, 200, "").list("signals")
	if len(log) != 1 || log[0]["why"] != "rebut" {
		t.Errorf("log %v", log)
	}
	if back := h.signal(map[string]any{"fact": "MEMORY.md:3", "signal": "support"}).expect(t, 200, ""); back.obj("standing")["disputed"] != false {
		t.Errorf("supported: %s", back.raw)
	}
}

func near(a, b float64) bool { return a-b < 1e-3 && b-a < 1e-3 }

// A bot says so in a turn, in the owner's own words.
func TestBotSignals(t *testing.T) {
	const says = "No, I don't like green tea at all. Do I like black coffee? Suppose I was in Rome."
	inTurn := func(fact, signal, quote string) map[string]any {
		return map[string]any{"fact": fact, "signal": signal, "quote": quote}
	}
	tests := []struct {
		name    string
		c, s    map[string]any
		message string
		body    map[string]any
		status  int
		who     string // made it
	}{
		{"dispute", plans, ada, says, inTurn("green tea", "dispute", "I don't like green tea at all"), 200, "bot scout"},
		{"support", plans, ada, "I like green tea.", inTurn("green tea", "support", "I like green tea"), 200, "bot scout"},
		{"the owner asks", plans, ada, "Remember that I don't like green tea any more.", inTurn("green tea", "dispute", "I don't like green tea any more"), 200, "person"},
		{"the owner asks for something else", plans, ada, "Remember that I have no car.", inTurn("allergic", "dispute", "I have no car"), 422, ""},
		{"the owner takes a health note back", plans, ada, "Remember that I am not allergic to nuts.", inTurn("allergic", "dispute", "I am not allergic to nuts"), 200, "person"},
		{"a health note", plans, ada, "I am not allergic to nuts.", inTurn("allergic", "dispute", "I am not allergic to nuts"), 422, ""},
		{"cut out of a denial", plans, ada, says, inTurn("green tea", "support", "like green tea at all"), 422, ""},
		{"a question", plans, ada, says, inTurn("coffee", "support", "Do I like black coffee"), 422, ""},
		{"a forged quote", plans, ada, says, inTurn("green tea", "dispute", "green tea is awful"), 422, ""},
		{"no quote", plans, ada, says, map[string]any{"fact": "green tea", "signal": "dispute"}, 422, ""},
		{"somebody else's words", annChat, ann, says, inTurn("green tea", "dispute", "I don't like green tea at all"), 422, ""},
		{"a room", room, ada, says, inTurn("green tea", "dispute", "I don't like green tea at all"), 422, ""},
		{"a routine", chat("c6", "routine", "", "owner"), ada, says, inTurn("green tea", "dispute", "I don't like green tea at all"), 422, ""},
		{"ignored", room, ann, says, map[string]any{"fact": "green tea", "signal": "ignore"}, 200, "bot scout"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := noted(t)
			tt.body["turn"] = h.begin(tt.c, tt.s, tt.message).str("turn")
			got := h.signal(tt.body, as(h.tokens["scout"])).expect(t, tt.status, "")
			if tt.status != 200 {
				return
			}
			if got.str("change") == "" {
				t.Errorf("no change: %s", got.raw)
			}
			signals := h.do(http.MethodGet, evidence+"/log", nil).expect(t, 200, "").list("signals")
			if who, _ := signals[0]["by"].(string); !strings.HasPrefix(who, tt.who) {
				t.Errorf("made by %q, want %s", who, tt.who)
			}
			again := h.signal(tt.body, as(h.tokens["scout"])).expect(t, 200, "")
			if again.body["change"] != nil || !near(again.obj("standing")["score"].(float64), got.obj("standing")["score"].(float64)) {
				t.Errorf("a second time: %s", again.raw)
			}
		})
	}
}

func TestSignalRefuses(t *testing.T) {
	h := noted(t)
	turn := h.begin(plans, ada, "I like tea").str("turn")
	tests := []struct {
		name   string
		to     string
		as     string
		body   map[string]any
		status int
		code   string
	}{
		{"no such bot", "/api/bots/none/memory/evidence", "owner", map[string]any{"fact": "green tea", "signal": "dispute"}, 404, ""},
		{"no such fact", evidence, "owner", map[string]any{"fact": "purple tea", "signal": "dispute"}, 404, "not_found"},
		{"no such line", evidence, "owner", map[string]any{"fact": "MEMORY.md:99", "signal": "dispute"}, 404, "not_found"},
		{"two facts", evidence, "owner", map[string]any{"fact": "Likes", "signal": "dispute"}, 409, "conflict"},
		{"no signal", evidence, "owner", map[string]any{"fact": "green tea"}, 400, "invalid"},
		{"a made-up signal", evidence, "owner", map[string]any{"fact": "green tea", "signal": "confirm"}, 400, "invalid"},
		{"a blank turn", evidence, "owner", map[string]any{"fact": "green tea", "signal": "dispute", "turn": ""}, 400, "invalid"},
		{"ignored without a turn", evidence, "owner", map[string]any{"fact": "green tea", "signal": "ignore"}, 422, "refused"},
		{"a bot without a turn", evidence, "scout", map[string]any{"fact": "green tea", "signal": "dispute", "quote": "I like tea"}, 422, "refused"},
		{"a turn that is not", evidence, "scout", map[string]any{"fact": "green tea", "signal": "dispute", "quote": "I like tea", "turn": "t1"}, 404, "not_found"},
		{"another bot's turn", "/api/bots/other/memory/evidence", "other", map[string]any{"fact": "green tea", "signal": "dispute", "quote": "I like tea", "turn": turn}, 404, "not_found"},
		{"another bot", evidence, "other", map[string]any{"fact": "green tea", "signal": "dispute", "turn": turn}, 403, "forbidden"},
		{"a member", evidence, "member", map[string]any{"fact": "green tea", "signal": "dispute"}, 403, "forbidden"},
	}
	h.do(http.MethodPost, "/api/bots/other/memory/update", map[string]any{"action": "append", "text": "Likes green tea"}).expect(t, 200, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h.do(http.MethodPost, tt.to, tt.body, as(h.tokens[tt.as])).expect(t, tt.status, tt.code)
		})
	}
	if signals := h.do(http.MethodGet, evidence+"/log", nil).list("signals"); len(signals) > 0 {
		t.Errorf("kept: %v", signals)
	}
}

func TestReadEvidence(t *testing.T) {
	h := noted(t)
	h.signal(map[string]any{"fact": "coffee", "signal": "support"}).expect(t, 200, "")
	h.signal(map[string]any{"fact": "green tea", "signal": "dispute"}).expect(t, 200, "")
	asBot := as(h.tokens["scout"])
	facts := h.do(http.MethodGet, evidence, nil, asBot).expect(t, 200, "").list("facts")
	if len(facts) != 2 || facts[0]["fact"] != "Likes green tea" || facts[1]["fact"] != "Likes black coffee" {
		t.Errorf("facts %v", facts)
	}
	one := h.do(http.MethodGet, evidence+"?fact=allergic", nil, asBot).expect(t, 200, "")
	if one.body["protected"] != true || one.body["score"] != nil || len(one.list("signals")) != 0 {
		t.Errorf("a health note: %s", one.raw)
	}
	before := h.do(http.MethodGet, evidence+"?fact=green+tea&at=2026-11-29", nil).expect(t, 200, "")
	if before.body["disputed"] != false || before.body["dispute"] != 0.0 {
		t.Errorf("the day before: %s", before.raw)
	}
	h.do(http.MethodGet, evidence+"?at=soon", nil).expect(t, 400, "invalid")
	h.do(http.MethodGet, evidence+"?fact=purple", nil).expect(t, 404, "not_found")
	h.do(http.MethodGet, evidence+"?fact=Likes", nil).expect(t, 409, "conflict")
	h.do(http.MethodGet, evidence+"/log?limit=0", nil).expect(t, 400, "invalid")
	if list := h.do(http.MethodGet, evidence+"/log?limit=1", nil).expect(t, 200, "").list("signals"); len(list) != 1 || list[0]["why"] != "rebut" {
		t.Errorf("the newest: %v", list)
	}
	h.do(http.MethodGet, "/api/bots/none/memory/evidence", nil).expect(t, 404, "")
}
