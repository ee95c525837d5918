package server

import (
	"net/http"
	"strings"
	"testing"
)

func TestTool(t *testing.T) {
	h := newHarness(t)
	const door = scout + "/memory/tool"
	by := as(h.tokens["scout"])
	made := h.do(http.MethodPost, door, map[string]any{"command": "create", "path": "/memories/trip/pune.md", "file_text": "- hotel\n"}, by).expect(t, http.StatusOK, "")
	if made.str("result") != "File created successfully at: /memories/trip/pune.md" || made.str("change") == "" {
		t.Errorf("%s", made.raw)
	}
	if got := h.onDisk("memory/trip--pune.md"); got != "- hotel\n" {
		t.Errorf("the file holds %q", got)
	}
	seen := h.do(http.MethodPost, door, map[string]any{"command": "view", "path": "/memories/trip"}, by).expect(t, http.StatusOK, "")
	if !strings.HasSuffix(seen.str("result"), "\n8B\t/memories/trip/pune.md") || seen.body["change"] != nil {
		t.Errorf("%s", seen.raw)
	}
	wrong := h.do(http.MethodPost, door, map[string]any{"command": "create", "path": "/memories/trip/pune.md", "file_text": "", "style": "sdk"}, by).expect(t, http.StatusBadRequest, "tool")
	if wrong.body["error"] != "File /memories/trip/pune.md already exists" {
		t.Errorf("%s", wrong.raw)
	}
	h.do(http.MethodPost, door, map[string]any{"command": "view", "path": "/memories/../config.json"}, by).expect(t, http.StatusBadRequest, "tool")
	h.do(http.MethodPost, door, map[string]any{"command": "view", "path": "/memories", "turn": 3}, by).expect(t, http.StatusBadRequest, "tool")
	h.do(http.MethodPost, door, map[string]any{"command": "view", "path": "/memories", "turn": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, by).expect(t, http.StatusNotFound, "not_found")
	h.do(http.MethodPost, door, map[string]any{"command": "view", "path": "/memories"}, as(h.tokens["other"])).expect(t, http.StatusForbidden, "")
}

// TestToolInATurn signs a command as the work of its turn.
func TestToolInATurn(t *testing.T) {
	h := newHarness(t)
	turn := h.do(http.MethodPost, scout+"/turns", map[string]any{
		"conversation": map[string]any{"id": "c1", "kind": "direct", "title": "Plans", "startedBy": "owner"}, "speaker": map[string]any{"owner": true}, "message": "plan the trip",
	}).expect(t, http.StatusOK, "").str("turn")
	h.do(http.MethodPost, scout+"/memory/tool", map[string]any{"command": "create", "path": "/memories/trip.md", "file_text": "- hotel\n", "turn": turn}).expect(t, http.StatusOK, "")
	rows := h.do(http.MethodGet, scout+"/memory/journal?path=memory/trip.md", nil).expect(t, http.StatusOK, "")
	if !strings.Contains(rows.raw, `"source":"chat \"Plans\""`) || !strings.Contains(rows.raw, turn) {
		t.Errorf("%s", rows.raw)
	}
}
