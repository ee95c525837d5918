package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (h *harness) update(body any, changes ...change) reply {
	h.t.Helper()
	return h.do(http.MethodPost, scout+"/memory/update", body, changes...)
}

func TestUpdate(t *testing.T) {
	h := newHarness(t)
	asBot := as(h.tokens["scout"])
	got := h.update(map[string]any{"action": "append", "text": "Likes tea", "source": `chat "made up"`}, asBot).expect(t, 200, "")
	change, _ := got.body["change"].(string)
	delete(got.body, "change")
	entry := "- 2026-11-30 · from api · Likes tea"
	if diff := cmp.Diff(map[string]any{"ok": true, "entry": entry, "moved": []any{}, "truncated": false, "message": "noted"}, got.body); diff != "" {
		t.Errorf("append (-want +got):\n%s", diff)
	}
	if len(change) != 26 {
		t.Errorf("change is %q", change)
	}
	row := h.do(http.MethodGet, scout+"/memory/journal", nil).list("entries")[0]
	if row["actor"] != "bot" || row["who"] != "scout" || row["via"] != "api" || row["source"] != "api" || row["action"] != "update" || row["change"] != change {
		t.Errorf("row %v", row)
	}

	known := h.update(map[string]any{"action": "append", "text": "Likes tea."}, asBot).expect(t, 200, "")
	if known.body["known"] != true || known.body["change"] != nil || known.str("entry") != entry || known.str("message") != "already known" {
		t.Errorf("a duplicate: %s", known.raw)
	}
	h.update(map[string]any{"action": "replace", "oldText": "tea", "text": "green tea"}, asBot).expect(t, 200, "")
	h.update(map[string]any{"action": "supersede", "oldText": "green tea", "text": "Likes coffee"}, asBot).expect(t, 200, "")
	h.update(map[string]any{"action": "append", "text": "Aisle seats", "topic": "Travel & Trips", "until": "2026-12-24"}, asBot).expect(t, 200, "")
	if text := h.onDisk("memory/travel-trips.md"); !strings.Contains(text, "Aisle seats · until 2026-12-24\n") {
		t.Errorf("the topic says %q", text)
	}
	h.update(map[string]any{"action": "remove", "oldText": "Aisle seats"}, asBot).expect(t, 200, "")
	text := h.onDisk("MEMORY.md")
	if !strings.Contains(text, "~~Likes green tea") || !strings.Contains(text, "· Likes coffee\n") {
		t.Errorf("MEMORY.md says %q", text)
	}
}

func TestUpdateRefuses(t *testing.T) {
	tests := []struct {
		name   string
		body   any
		status int
		code   string
		says   string
	}{
		{"no action", map[string]any{"text": "x"}, 400, "invalid", "action must be a string"},
		{"forget is not here yet", map[string]any{"action": "forget", "words": "x"}, 400, "invalid", "append, replace, remove, supersede"},
		{"made-up action", map[string]any{"action": "APPEND", "text": "x"}, 400, "invalid", "append, replace, remove, supersede"},
		{"blank", map[string]any{"action": "append", "text": " "}, 400, "invalid", ""},
		{"no text", map[string]any{"action": "append"}, 400, "invalid", ""},
		{"text of a number", map[string]any{"action": "append", "text": 1}, 400, "invalid", "text must be a string"},
		{"old text where none goes", map[string]any{"action": "append", "text": "x", "oldText": "y"}, 400, "invalid", ""},
		{"text where none goes", map[string]any{"action": "remove", "oldText": "twice", "text": "x"}, 400, "invalid", ""},
		{"words where none go", map[string]any{"action": "append", "text": "x", "words": "y"}, 400, "invalid", "words"},
		{"too long", map[string]any{"action": "append", "text": strings.Repeat("x", 1001)}, 400, "invalid", "1001 characters"},
		{"bad date", map[string]any{"action": "append", "text": "x", "until": "2026-02-30"}, 400, "invalid", ""},
		{"past date", map[string]any{"action": "append", "text": "x", "until": "2026-11-29"}, 400, "invalid", ""},
		{"words for a date", map[string]any{"action": "append", "text": "x", "until": "tomorrow"}, 400, "invalid", ""},
		{"topic that is none", map[string]any{"action": "append", "text": "x", "topic": "archive"}, 400, "invalid", ""},
		{"twice there", map[string]any{"action": "replace", "oldText": "twice", "text": "x"}, 409, "conflict", ""},
		{"not there", map[string]any{"action": "remove", "oldText": "never said"}, 409, "conflict", ""},
		{"unknown turn", map[string]any{"action": "append", "text": "x", "turn": "t1"}, 404, "not_found", "no such turn"},
		{"unknown field", map[string]any{"action": "append", "text": "x", "speaker": "Ada"}, 400, "invalid", "speaker"},
		{"not an object", "[]", 400, "invalid", ""},
		{"not UTF-8", "{\"action\":\"append\",\"text\":\"\xff\"}", 400, "invalid", ""},
		{"over the limit", map[string]any{"action": "append", "text": strings.Repeat("x", 1<<20)}, 413, "too-large", ""},
	}
	h := newHarness(t)
	before := "# Memory\n- twice\n- twice more\n"
	h.edit("MEMORY.md", before)
	h.do(http.MethodGet, scout+"/memory/journal", nil).expect(t, 200, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.update(tt.body, as(h.tokens["scout"])).expect(t, tt.status, tt.code)
			if got.body["ok"] != false || !strings.Contains(got.str("error"), tt.says) {
				t.Errorf("got %s, want ok false and %q", got.raw, tt.says)
			}
			if text := h.onDisk("MEMORY.md"); text != before {
				t.Errorf("MEMORY.md became %q", text)
			}
		})
	}
	wrong := h.update("action=append", with("Content-Type", "application/x-www-form-urlencoded")).expect(t, 415, "type")
	if wrong.body["ok"] != false {
		t.Errorf("got %s", wrong.raw)
	}
}

func TestUpdateWhenMemoryIsOff(t *testing.T) {
	h := newHarness(t)
	h.do(http.MethodPatch, scout, map[string]any{"memoryEnabled": false}).expect(t, 200, "")
	got := h.update(map[string]any{"action": "append", "text": "x"}, as(h.tokens["scout"])).expect(t, 409, "off")
	if got.body["ok"] != false {
		t.Errorf("got %s", got.raw)
	}
	// The person still may.
	h.do(http.MethodPut, scout+"/memory", map[string]any{"text": "- mine\n"}).expect(t, 200, "")
}

func TestUpdateMasksCredentials(t *testing.T) {
	h := newHarness(t)
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	got := h.update(map[string]any{"action": "append", "text": "The token is " + secret}).expect(t, 200, "")
	if strings.Contains(got.raw, secret) || !strings.Contains(got.str("message"), "masked") {
		t.Errorf("got %s", got.raw)
	}
}
