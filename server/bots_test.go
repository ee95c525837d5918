package server

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

func TestBots(t *testing.T) {
	h := newHarness(t)
	made := h.do(http.MethodPost, "/api/bots", map[string]any{"id": "zoe", "name": "Zoë"}).expect(t, http.StatusCreated, "")
	want := map[string]any{"id": "zoe", "name": "Zoë", "path": filepath.Join(h.store.Home(), "workspaces", "zoe")}
	if diff := cmp.Diff(want, made.body); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	again := h.do(http.MethodPost, "/api/bots", map[string]any{"id": "zoe"}).expect(t, http.StatusOK, "")
	if diff := cmp.Diff(want, again.body); diff != "" {
		t.Errorf("again (-want +got):\n%s", diff)
	}
	var ids []string
	for _, b := range h.do(http.MethodGet, "/api/bots", nil).expect(t, http.StatusOK, "").list("bots") {
		ids = append(ids, b["id"].(string))
	}
	if diff := cmp.Diff([]string{"other", "scout", "zoe"}, ids); diff != "" {
		t.Errorf("bots (-want +got):\n%s", diff)
	}
}

func TestCreateBotRefuses(t *testing.T) {
	tests := []struct {
		name   string
		body   any
		status int
		code   string
	}{
		{"no id", map[string]any{}, 400, "invalid"},
		{"empty id", map[string]any{"id": ""}, 400, "invalid"},
		{"number", map[string]any{"id": 7}, 400, "invalid"},
		{"path", map[string]any{"id": "../zoe"}, 400, "invalid"},
		{"reserved dashes", map[string]any{"id": "zoe--member-p1"}, 400, "invalid"},
		{"about me", map[string]any{"id": "@me"}, 400, "invalid"},
		{"device", map[string]any{"id": "CON"}, 400, "invalid"},
		{"too long", map[string]any{"id": strings.Repeat("z", 65)}, 400, "invalid"},
		{"other case", map[string]any{"id": "SCOUT"}, 409, "conflict"},
		{"unknown field", map[string]any{"id": "zoe", "owner": "x"}, 400, "invalid"},
		{"name over two lines", map[string]any{"id": "zoe", "name": "a\nb"}, 400, "invalid"},
		{"not JSON", "{", 400, "invalid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			got := h.do(http.MethodPost, "/api/bots", tt.body).expect(t, tt.status, tt.code)
			if strings.Contains(got.raw, h.store.Home()) {
				t.Errorf("the answer tells a path of the server: %s", got.raw)
			}
			if list := h.do(http.MethodGet, "/api/bots", nil).list("bots"); len(list) != 2 {
				t.Errorf("a refused request made a bot: %v", list)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	h := newHarness(t)
	config := filepath.Join(h.store.Home(), "config.json")
	must(t, os.WriteFile(config, []byte(`{"colour":"red","bots":{"scout":{"mood":"calm"}}}`), 0o600))
	settings := func(r reply) map[string]any {
		got := map[string]any{}
		for _, key := range []string{"id", "memoryEnabled", "memoryUpkeep", "helperModel", "rules", "timezone"} {
			got[key] = r.body[key]
		}
		return got
	}
	want := map[string]any{
		"id": "scout", "memoryEnabled": true, "memoryUpkeep": true, "helperModel": true,
		"rules": map[string]any{"preset": "default"}, "timezone": "",
	}
	if diff := cmp.Diff(want, settings(h.do(http.MethodGet, scout, nil).expect(t, 200, ""))); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	patch := map[string]any{"memoryUpkeep": false, "helperModel": false, "rules": map[string]any{"preset": "otto", "english": true}, "timezone": "Asia/Tokyo"}
	want["memoryUpkeep"], want["helperModel"], want["timezone"] = false, false, "Asia/Tokyo"
	want["rules"] = map[string]any{"preset": "otto", "english": true}
	if diff := cmp.Diff(want, settings(h.do(http.MethodPatch, scout, patch).expect(t, 200, ""))); diff != "" {
		t.Errorf("after a patch (-want +got):\n%s", diff)
	}
	h.do(http.MethodPatch, scout, map[string]any{"rules": nil, "timezone": nil, "helperModel": true}).expect(t, 200, "")
	want["rules"], want["timezone"], want["helperModel"] = map[string]any{"preset": "default"}, "", true
	if diff := cmp.Diff(want, settings(h.do(http.MethodGet, scout, nil).expect(t, 200, ""))); diff != "" {
		t.Errorf("put back (-want +got):\n%s", diff)
	}
	kept, err := os.ReadFile(config)
	must(t, err)
	for _, key := range []string{`"colour": "red"`, `"mood": "calm"`} {
		if !strings.Contains(string(kept), key) {
			t.Errorf("config.json lost %s:\n%s", key, kept)
		}
	}
	other := h.do(http.MethodGet, "/api/bots/other", nil).expect(t, 200, "")
	if other.body["memoryUpkeep"] != true {
		t.Error("a setting of one bot changed another")
	}
}

func TestSettingsRefuse(t *testing.T) {
	h := newHarness(t)
	tests := map[string]struct {
		body any
		want string
	}{
		"wrong type":        {map[string]any{"memoryEnabled": "yes"}, "memoryEnabled must be true or false"},
		"time zone":         {map[string]any{"timezone": "Mars/Olympus"}, `timezone "Mars/Olympus" is no time zone`},
		"preset":            {map[string]any{"rules": map[string]any{"preset": "none"}}, "rules.preset must be one of default, otto, kotoba, retention"},
		"rule unknown":      {map[string]any{"rules": map[string]any{"colour": true}}, "there is no setting rules.colour"},
		"rules as text":     {map[string]any{"rules": "otto"}, "rules must be an object"},
		"unknown":           {map[string]any{"path": "/etc"}, `unknown field "path"; the fields are memoryEnabled, memoryUpkeep, helperModel, rules, timezone`},
		"one good, one bad": {map[string]any{"memoryEnabled": false, "timezone": 3}, "timezone must be a text"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := h.do(http.MethodPatch, scout, tt.body).expect(t, http.StatusBadRequest, "invalid")
			if !strings.HasPrefix(got.str("error"), tt.want) {
				t.Errorf("got %q, want %q", got.str("error"), tt.want)
			}
			if h.do(http.MethodGet, scout, nil).body["memoryEnabled"] != true {
				t.Error("a refused patch changed a setting")
			}
		})
	}
}

func TestUnknownBot(t *testing.T) {
	h := newHarness(t)
	anyBot := h.memberToken("", "Ada")
	for _, id := range []string{"nobody", "SCOUT", "scout--member-p1", "@me", "%40me", "scout%00", "..%2fscout", "CON", "%zz"} {
		for _, rt := range routes() {
			if !strings.Contains(rt.path, "{id}") || id == "%zz" {
				continue
			}
			if strings.HasSuffix(rt.path, "/turns") && policy.CheckID(id) == nil {
				continue // the first turn makes the bot
			}
			path := strings.NewReplacer("{id}", id, "{entryId}", "x", "{turn}", "x", "{conversation}", "x", "{directive}", "x", "{picture}", "x").Replace(rt.path)
			token := h.tokens["owner"]
			if rt.who == self {
				token = anyBot
			}
			got := h.do(rt.method, path, nil, as(token)).expect(t, http.StatusNotFound, "")
			if diff := cmp.Diff(map[string]any{"error": "no such bot"}, got.body); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", rt.method, path, diff)
			}
		}
	}
	if names, _ := filepath.Glob(filepath.Join(h.store.Home(), "workspaces", "*")); len(names) != 2 {
		t.Errorf("asking made workspaces: %v", names)
	}
}
