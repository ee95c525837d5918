package server

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

const myURL = scout + "/memory/mine"

func (h *harness) memberToken(bot repo.ID, person string) string {
	h.t.Helper()
	plain, _, err := h.store.CreateToken(repo.RoleMember, bot, person)
	must(h.t, err)
	return plain
}

func TestMine(t *testing.T) {
	h := newHarness(t)
	ada := as(h.tokens["member"])
	before := h.do(http.MethodGet, myURL, nil, ada).expect(t, 200, "")
	if before.str("botId") != "scout" || before.str("text") != "" || before.obj("index")["hash"] != hash("") {
		t.Errorf("before anything was written: %s", before.raw)
	}
	none := h.do(http.MethodGet, myURL+"/file", nil, ada).expect(t, 200, "")
	if diff := cmp.Diff(map[string]any{"path": "MEMORY.md", "text": "", "hash": hash(""), "exists": false}, none.body); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	h.do(http.MethodDelete, myURL+"/file?path=memory/none.md", nil, ada).expect(t, 200, "")
	if list, err := os.ReadDir(filepath.Join(h.store.Home(), "workspaces")); err != nil || len(list) != 2 {
		t.Errorf("reading made a workspace: %v, %v", list, err)
	}

	saved := h.do(http.MethodPut, myURL+"/file", map[string]any{"text": "- I like tea\n", "expectedHash": hash("")}, ada).expect(t, 200, "")
	entry, overview := saved.obj("entry"), saved.obj("overview")
	if entry["actor"] != "person" || entry["who"] != "Ada" || entry["via"] != "ui" || entry["botId"] != "scout" || overview["botId"] != "scout" || overview["text"] != "- I like tea\n" {
		t.Errorf("saved %s", saved.raw)
	}
	h.do(http.MethodPut, myURL+"/file", map[string]any{"text": "x"}, ada).expect(t, 428, "revision_needed")
	h.do(http.MethodPut, myURL+"/file", map[string]any{"text": "x", "expectedHash": hash("")}, ada).expect(t, 409, "conflict")
	h.do(http.MethodPut, myURL+"/file", map[string]any{"path": "memory/food.md", "text": "- beans\n"}, ada).expect(t, 200, "")
	after := h.do(http.MethodGet, myURL, nil, ada).expect(t, 200, "")
	if topics := after.list("topics"); len(topics) != 1 || topics[0]["path"] != "memory/food.md" {
		t.Errorf("topics %v", topics)
	}
	gone := h.do(http.MethodDelete, myURL+"/file?path=memory/food.md", nil, ada).expect(t, 200, "")
	if gone.obj("entry")["kind"] != "deleted" || len(gone.obj("overview")["topics"].([]any)) != 0 {
		t.Errorf("deleted %s", gone.raw)
	}
	for _, answer := range []reply{before, saved, after, gone} {
		if strings.Contains(answer.raw, h.store.Home()) || strings.Contains(answer.raw, "--member-") {
			t.Errorf("the answer tells how the server keeps it: %s", answer.raw)
		}
	}
	// It is a layer of its own: the bot's notes are as they were.
	if got := h.do(http.MethodGet, scout+"/memory", nil); strings.Contains(got.raw, "I like tea") {
		t.Errorf("the bot's own memory says %s", got.raw)
	}
}

// TestNobodyReachesAnothersLayer asks for Ada's notes with everything a request can say.
func TestNobodyReachesAnothersLayer(t *testing.T) {
	h := newHarness(t)
	h.do(http.MethodPut, myURL+"/file", map[string]any{"text": "- Ada's secret plan\n"}, as(h.tokens["member"])).expect(t, 200, "")
	tests := []struct {
		name, token, target string
		status              int
	}{
		{"another person", h.memberToken("scout", "Eve"), myURL, 200},
		{"other case", h.memberToken("scout", "ada"), myURL, 200},
		{"a name made to look the same", h.memberToken("scout", "_41da"), myURL, 200},
		{"of every bot, another person", h.memberToken("", "Eve"), myURL + "/file", 200},
		{"asking by a query", h.memberToken("scout", "Eve"), myURL + "/file?member=Ada&path=MEMORY.md", 200},
		{"Ada, of another bot", h.memberToken("other", "Ada"), myURL, 403},
		{"the owner", h.tokens["owner"], myURL, 403},
		{"the bot", h.tokens["scout"], myURL, 403},
		{"the layer as a bot", h.tokens["owner"], "/api/bots/scout--member-_41da/memory", 404},
		{"Ada's layer as Eve's bot", h.memberToken("", "Eve"), "/api/bots/scout--member-_41da/memory/mine", 404},
		{"a path out of it", h.memberToken("scout", "Eve"), myURL + "/file?path=" + url.QueryEscape("../scout--member-_41da/MEMORY.md"), 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.do(http.MethodGet, tt.target, nil, as(tt.token)).expect(t, tt.status, "")
			if strings.Contains(got.raw, "secret plan") {
				t.Errorf("it came through: %s", got.raw)
			}
		})
	}
	// A token for every bot reaches the same person's own.
	got := h.do(http.MethodGet, myURL, nil, as(h.memberToken("", "Ada"))).expect(t, 200, "")
	if !strings.Contains(got.str("text"), "secret plan") {
		t.Errorf("Ada herself got %s", got.raw)
	}
}

func TestMineRefuses(t *testing.T) {
	h := newHarness(t)
	tests := []struct {
		name, method, target string
		body                 any
		status               int
		code                 string
	}{
		{"unknown bot", http.MethodGet, "/api/bots/nobody/memory/mine", nil, 404, ""},
		{"about me", http.MethodGet, "/api/bots/@me/memory/mine", nil, 404, ""},
		{"path", http.MethodGet, myURL + "/file?path=ABOUT.md", nil, 400, "path"},
		{"put a log", http.MethodPut, myURL + "/file", map[string]any{"path": "memory/log/2026-11-30.md", "text": "x"}, 403, "forbidden"},
		{"delete MEMORY.md", http.MethodDelete, myURL + "/file", nil, 400, "forbidden"},
		{"a hash of what is not there", http.MethodPut, myURL + "/file", map[string]any{"text": "x", "expectedHash": hash("y")}, 409, "conflict"},
		{"too large", http.MethodPut, myURL + "/file", map[string]any{"text": strings.Repeat("x", 262145)}, 413, "too-large"},
	}
	token := h.memberToken("", "Ada")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h.do(tt.method, tt.target, tt.body, as(token)).expect(t, tt.status, tt.code)
		})
	}
	long := h.memberToken("scout", strings.Repeat("a", 65))
	h.do(http.MethodGet, myURL, nil, as(long)).expect(t, 400, "invalid")
}
