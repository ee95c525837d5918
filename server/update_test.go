package server

import (
	"fmt"
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
		{"made-up action", map[string]any{"action": "APPEND", "text": "x"}, 400, "invalid", "append, replace, remove, supersede, forget, prefer"},
		{"blank", map[string]any{"action": "append", "text": " "}, 400, "invalid", ""},
		{"no text", map[string]any{"action": "append"}, 400, "invalid", ""},
		{"text of a number", map[string]any{"action": "append", "text": 1}, 400, "invalid", "text must be a string"},
		{"old text where none goes", map[string]any{"action": "append", "text": "x", "oldText": "y"}, 400, "invalid", ""},
		{"text where none goes", map[string]any{"action": "remove", "oldText": "twice", "text": "x"}, 400, "invalid", ""},
		{"words where none go", map[string]any{"action": "append", "text": "x", "words": "y"}, 400, "invalid", "words"},
		{"confirm where none goes", map[string]any{"action": "remove", "oldText": "twice more", "confirm": true}, 400, "invalid", "confirm"},
		{"forget with text", map[string]any{"action": "forget", "words": "twice", "text": "x"}, 400, "invalid", "text does not go with forget"},
		{"forget nothing", map[string]any{"action": "forget"}, 422, "refused", "say which words"},
		{"forget blanks", map[string]any{"action": "forget", "words": []string{" ", ""}}, 422, "refused", "say which words"},
		{"forget stop words", map[string]any{"action": "forget", "words": "the"}, 422, "refused", "name no subject"},
		{"forget numbers", map[string]any{"action": "forget", "words": []any{1}}, 400, "invalid", "words must be a string or a list of strings"},
		{"forget in a turn that is not", map[string]any{"action": "forget", "words": "twice", "turn": "t1"}, 404, "not_found", "no such turn"},
		{"prefer without a turn", map[string]any{"action": "prefer", "text": "short replies"}, 422, "refused", "turn"},
		{"prefer with words", map[string]any{"action": "prefer", "words": "short"}, 400, "invalid", "words does not go with prefer"},
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
	for _, body := range []map[string]any{{"action": "append", "text": "x"}, {"action": "forget", "words": "tea"}, {"action": "prefer", "text": "x"}} {
		got := h.update(body, as(h.tokens["scout"])).expect(t, 409, "off")
		if got.body["ok"] != false {
			t.Errorf("got %s", got.raw)
		}
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

func TestUpdateForgets(t *testing.T) {
	h := newHarness(t)
	asBot := as(h.tokens["scout"])
	h.edit("MEMORY.md", "# Memory\n- 2026-11-01 · from chat \"Luna\" · Likes tea\n- 2026-11-02 · Luna is the dog\n  and barks\n- Lunar days\n")
	h.edit("memory/pets.md", "# Luna and others\n\n- 2026-11-03 · luna eats at six\n- 2026-11-04 · Tom is the cat\n")
	h.edit("memory/archive.md", "- 2026-01-01 · Luna was ill · moved 2026-11-01\n")
	about := "# About me\n- Luna is mine\n"
	h.do(http.MethodPut, "/api/profile/file", map[string]any{"text": about}).expect(t, 200, "")

	got := h.update(map[string]any{"action": "forget", "words": "Luna", "keepHistory": true}, asBot).expect(t, 200, "")
	if got.body["removed"] != 3.0 || got.str("change") == "" || got.body["entry"] != nil {
		t.Errorf("got %s", got.raw)
	}
	if message := got.str("message"); strings.Contains(message, "una") || strings.Contains(message, ".md") || !strings.Contains(message, "3 notes") {
		t.Errorf("the message is %q: it must say how many went, and neither what nor where", message)
	}
	if text := h.onDisk("MEMORY.md"); text != "# Memory\n- 2026-11-01 · from chat \"Luna\" · Likes tea\n- Lunar days\n" {
		t.Errorf("MEMORY.md says %q", text)
	}
	if text := h.onDisk("memory/pets.md"); text != "# Luna and others\n\n- 2026-11-04 · Tom is the cat\n" {
		t.Errorf("the topic says %q", text)
	}
	// Without a turn nobody's own words stand behind it: About me is not touched.
	if text := h.do(http.MethodGet, "/api/profile/file", nil).expect(t, 200, "").str("text"); text != about {
		t.Errorf("About me says %q", text)
	}
	// It is not learned again, and the row tells how many went and no more.
	h.update(map[string]any{"action": "append", "text": "The dog is called Luna"}, asBot).expect(t, 422, "refused")
	for _, row := range h.do(http.MethodGet, scout+"/memory/journal?action=forget", nil).expect(t, 200, "").list("entries") {
		if row["subject"] != "forget: 3 notes" || row["actor"] != "bot" || row["via"] != "api" {
			t.Errorf("row %v %v %v", row["subject"], row["actor"], row["via"])
		}
	}
	// What both phrases name goes, and nothing else.
	h.update(map[string]any{"action": "forget", "words": []string{"cat", "tea"}}, asBot).expect(t, 200, "")
	if text := h.onDisk("memory/pets.md"); !strings.Contains(text, "Tom is the cat") {
		t.Errorf("a note went that mentions one of two phrases: %q", text)
	}
	// Undo brings them back.
	h.do(http.MethodPost, scout+"/memory/journal/"+got.str("change")+"/revert", nil).expect(t, 200, "")
	if text := h.onDisk("MEMORY.md"); !strings.Contains(text, "Luna is the dog\n  and barks\n") {
		t.Errorf("after undo MEMORY.md says %q", text)
	}
}

func TestUpdateAsksBeforeItForgetsMuch(t *testing.T) {
	h := newHarness(t)
	h.edit("MEMORY.md", strings.Repeat("- tea again\n", 21)+strings.Repeat("- coffee\n", 200))
	got := h.update(map[string]any{"action": "forget", "words": "tea"}).expect(t, 422, "refused")
	if !strings.Contains(got.str("error"), "21") {
		t.Errorf("the sentence %q does not say how many", got.str("error"))
	}
	if got := h.update(map[string]any{"action": "forget", "words": "tea", "confirm": true}).expect(t, 200, ""); got.body["removed"] != 21.0 {
		t.Errorf("got %s", got.raw)
	}
}

func TestUpdateMakesRoom(t *testing.T) {
	h := newHarness(t)
	lines := make([]string, 0, 200)
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("- 2026-09-02 · fact %d\n", i))
	}
	h.edit("MEMORY.md", strings.Join(lines, ""))
	got := h.update(map[string]any{"action": "append", "text": "one fact too many"}, as(h.tokens["scout"])).expect(t, 200, "")
	if diff := cmp.Diff([]any{"- 2026-09-02 · fact 0"}, got.body["moved"]); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
	if message := got.str("message"); !strings.Contains(message, `"fact 0"`) || got.body["truncated"] != false {
		t.Errorf("got %s", got.raw)
	}
	// Hand-written lines never move: it is saved, and the bot is told to ask for a trim.
	h.edit("MEMORY.md", strings.Repeat("- by hand\n", 205))
	got = h.update(map[string]any{"action": "append", "text": "still saved"}, as(h.tokens["scout"])).expect(t, 200, "")
	if len(got.body["moved"].([]any)) != 0 || got.body["truncated"] != true || !strings.Contains(got.str("message"), "trim MEMORY.md") {
		t.Errorf("got %s", got.raw)
	}
	if text := h.onDisk("MEMORY.md"); !strings.HasSuffix(text, "still saved\n") {
		t.Errorf("MEMORY.md ends %q", text[len(text)-40:])
	}
}
