package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"quipu/hooks"
)

// The routes of upkeep: how it stands, a plan, a tidy-up, and off.
func TestUpkeepRoutes(t *testing.T) {
	h := newHarness(t)
	state := h.do(http.MethodGet, scout+"/memory/upkeep", nil).expect(t, 200, "")
	if state.body["enabled"] != true || state.body["modelSteps"] != false || state.str("reason") != "no model is set for this bot" || state.body["lastTidy"] != nil {
		t.Errorf("state %s", state.raw)
	}
	const notes = "# Memory\n- 2026-09-01 · In Goa · until 2026-09-07\n- 2026-09-02 · Likes tea\n- 2026-09-03 · Likes tea\n"
	h.edit("MEMORY.md", notes)
	plan := h.do(http.MethodPost, scout+"/memory/tidy?dryRun=true", nil).expect(t, 200, "")
	if report, _ := plan.body["report"].(map[string]any); len(report["plan"].([]any)) != 2 || h.onDisk("MEMORY.md") != notes {
		t.Errorf("plan %s", plan.raw)
	}
	done := h.do(http.MethodPost, scout+"/memory/tidy", nil).expect(t, 200, "")
	report, _ := done.body["report"].(map[string]any)
	overview, _ := done.body["overview"].(map[string]any)
	if report["expired"] != 1.0 || report["duplicates"] != 1.0 || report["contradictionsChecked"] != false || overview["text"] != "# Memory\n- 2026-09-03 · Likes tea\n" {
		t.Errorf("done %s", done.raw)
	}
	rows := h.rows("?limit=2")
	if rows[0]["actor"] != "upkeep" || rows[0]["via"] != "tidy" || rows[0]["action"] != "tidy" {
		t.Errorf("rows %v", rows)
	}
	if state = h.do(http.MethodGet, scout+"/memory/upkeep", nil).expect(t, 200, ""); state.body["lastTidy"] == nil {
		t.Errorf("state %s", state.raw)
	}
	h.do(http.MethodPost, scout+"/memory/journal/"+rows[0]["change"].(string)+"/revert", nil).expect(t, 200, "")
	if h.onDisk("MEMORY.md") != notes {
		t.Errorf("undone: %q", h.onDisk("MEMORY.md"))
	}
	h.do(http.MethodPost, scout+"/memory/tidy?dryRun=perhaps", nil).expect(t, 400, "invalid")
	h.do(http.MethodPost, scout+"/memory/tidy", nil, as(h.tokens["scout"])).expect(t, 403, "forbidden")
	h.do(http.MethodPost, scout+"/capture", nil, as(h.tokens["scout"])).expect(t, 200, "")
	h.do(http.MethodPatch, scout, map[string]any{"memoryUpkeep": false}).expect(t, 200, "")
	off := h.do(http.MethodPost, scout+"/memory/tidy", nil).expect(t, 409, "off")
	if off.str("error") != "upkeep is off for this bot" {
		t.Errorf("off %s", off.raw)
	}
	h.do(http.MethodPost, scout+"/capture", nil).expect(t, 409, "off")
	if state = h.do(http.MethodGet, scout+"/memory/upkeep", nil).expect(t, 200, ""); state.body["enabled"] != false {
		t.Errorf("state %s", state.raw)
	}
}

// What upkeep does is told to who listens.
func TestUpkeepEvents(t *testing.T) {
	h := newHarness(t)
	addr, stop := h.serving()
	defer func() { must(t, stop()) }()
	events := h.listen(addr, "")
	h.edit("MEMORY.md", "- 2026-09-01 · In Goa · until 2026-09-07\n")
	h.do(http.MethodPost, scout+"/memory/tidy", nil).expect(t, 200, "")
	for {
		e, open := next(t, events)
		if !open {
			t.Fatal("the stream ended")
		}
		if e.name != "tidy" {
			continue
		}
		var report map[string]any
		must(t, json.Unmarshal([]byte(e.data), &report))
		if report["expired"] != 1.0 {
			t.Errorf("report %s", e.data)
		}
		return
	}
}

// A server that runs reads the chats that went quiet by itself: what a person asked to
// remember is filed without anybody asking.
func TestServeReadsQuietChats(t *testing.T) {
	h := newHarness(t)
	must(t, h.store.SetConfig("memory.captureTurns", 1))
	_, stop := h.serving()
	defer func() { must(t, stop()) }()
	turn := h.do(http.MethodPost, scout+"/turns", map[string]any{
		"conversation": map[string]any{"id": "c1", "kind": "direct", "title": "Plans", "startedBy": "owner"}, "speaker": map[string]any{"owner": true},
		"message": "Remember: short answers, please",
	}).expect(t, 200, "").str("turn")
	h.do(http.MethodPost, scout+"/turns/"+turn+"/end", map[string]any{"messages": []any{map[string]any{"by": "self", "text": "ok"}}}).expect(t, 200, "")
	for range 100 {
		if strings.Contains(h.onDisk("MEMORY.md"), "from chat \"Plans\" (noticed) · ") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("MEMORY.md %q\n%s", h.onDisk("MEMORY.md"), h.log)
}

// What somebody asked for in the panel is broken off when the server ends, which waits for it.
func TestServeEndsErrands(t *testing.T) {
	h := newHarness(t)
	h.edit("MEMORY.md", strings.Repeat("- by hand\n", 3)+"- 2026-09-02 · Likes tea\n- 2026-09-03 · Has a dog\n- 2026-09-04 · Lives in Pune\n- 2026-09-05 · Plays chess\n- 2026-09-06 · Drives a car\n")
	must(t, h.store.SetConfig("models.slow", map[string]any{"kind": "exec", "command": []string{"/bin/sh", "-c", "cat >/dev/null; sleep 60"}, "timeoutMs": 90000}))
	must(t, h.store.SetConfig("model", "slow"))
	_, stop := h.serving()
	over, err := h.server.errands.Begin(t.Context(), "scout", hooks.TidyJob)
	must(t, err)
	for last, _ := h.server.errands.Last("scout"); last.Running == nil; last, _ = h.server.errands.Last("scout") {
		time.Sleep(5 * time.Millisecond)
	}
	began := time.Now()
	must(t, stop())
	select {
	case <-over:
	default:
		t.Error("the server ended, and upkeep goes on")
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the end took %v", took)
	}
}
