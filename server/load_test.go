package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLoad(t *testing.T) {
	h := newHarness(t)
	empty := h.do(http.MethodGet, scout+"/memory/load", nil, as(h.tokens["scout"])).expect(t, 200, "")
	if empty.body["block"] != "" {
		t.Errorf("of the seed alone: block %q", empty.str("block"))
	}
	h.edit("MEMORY.md", "# Memory\n- 2026-11-01 · Likes tea\n- 2026-10-01 · Exams · until 2026-10-14\n")
	h.edit("memory/food.md", "---\ntitle: Food\ndescription: what to cook\n---\n- beans\n")
	got := h.do(http.MethodGet, scout+"/memory/load", nil, as(h.tokens["scout"])).expect(t, 200, "")
	block := got.str("block")
	if !strings.Contains(block, "Likes tea") || strings.Contains(block, "Exams") || strings.Contains(block, "beans") {
		t.Errorf("block %q", block)
	}
	delete(got.body, "block")
	want := map[string]any{
		"gauge": map[string]any{
			"lines": 3.0, "bytes": 77.0, "maxLines": 200.0, "maxBytes": 24000.0, "loadedLines": 2.0, "loadedBytes": 35.0,
			"truncated": false, "percent": 1.0, "colour": "ok", "sentence": "only the first 200 lines load each turn",
		},
		"topics": []any{"- memory/food.md — Food — what to cook"}, "topicsMore": 0.0,
		"expired": 1.0, "disputed": 0.0, "truncated": false, "unloaded": []any{}, "directives": []any{},
	}
	if diff := cmp.Diff(want, got.body); diff != "" {
		t.Errorf("load (-want +got):\n%s", diff)
	}
	plain := h.do(http.MethodGet, scout+"/memory/load", nil, with("Accept", "text/plain, application/json;q=0.5")).expect(t, 200, "")
	if plain.raw != block || !strings.HasPrefix(plain.header.Get("Content-Type"), "text/plain") {
		t.Errorf("as text: %s %q", plain.header.Get("Content-Type"), plain.raw)
	}
	if both := h.do(http.MethodGet, scout+"/memory/load", nil, with("Accept", "application/json, text/plain")).expect(t, 200, ""); both.str("block") != block {
		t.Errorf("JSON is asked for first: got %q", both.raw)
	}
}

func TestLoadOfLongMemory(t *testing.T) {
	h := newHarness(t)
	h.edit("MEMORY.md", strings.Repeat("- kept\n", 200)+"- the first that is cut\n- and the next\n")
	got := h.do(http.MethodGet, scout+"/memory/load", nil).expect(t, 200, "")
	if got.body["truncated"] != true || got.obj("gauge")["colour"] != "red" {
		t.Errorf("truncated %v, gauge %v", got.body["truncated"], got.obj("gauge"))
	}
	if diff := cmp.Diff([]any{"the first that is cut", "and the next"}, got.body["unloaded"]); diff != "" {
		t.Errorf("unloaded (-want +got):\n%s", diff)
	}
}

func TestLoadTellsWhenItIsHeavy(t *testing.T) {
	h := newHarness(t)
	h.edit("MEMORY.md", strings.Repeat("- "+strings.Repeat("x", 97)+"\n", 90)) // 9,000 bytes
	tests := []struct {
		query  string
		status int
		want   any
	}{
		{"", 200, nil},
		{"?otherBytes=15000", 200, false},
		{"?otherBytes=15001", 200, true},
		{"?otherBytes=0", 200, false},
		{"?otherBytes=-5", 400, nil},
		{"?otherBytes=many", 400, nil},
		{"?otherBytes=1&otherBytes=2", 400, nil},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			if got := h.do(http.MethodGet, scout+"/memory/load"+tt.query, nil).expect(t, tt.status, ""); got.body["heavy"] != tt.want {
				t.Errorf("heavy is %v, want %v", got.body["heavy"], tt.want)
			}
		})
	}
}

func TestLoadWhenMemoryIsOff(t *testing.T) {
	h := newHarness(t)
	h.do(http.MethodPatch, scout, map[string]any{"memoryEnabled": false}).expect(t, 200, "")
	h.do(http.MethodGet, scout+"/memory/load", nil).expect(t, 409, "off")
	h.do(http.MethodGet, scout+"/memory/load", nil, with("Accept", "text/plain")).expect(t, 409, "off")
	h.do(http.MethodGet, "/api/bots/nobody/memory/load", nil).expect(t, 404, "")
}
