package server

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

const aboutFileURL = "/api/profile/file"

func TestAboutMe(t *testing.T) {
	h := newHarness(t)
	none := map[string]any{"path": "ABOUT.md", "text": "", "hash": hash(""), "exists": false}
	got := h.do(http.MethodGet, aboutFileURL, nil).expect(t, 200, "")
	if diff := cmp.Diff(none, got.body); diff != "" {
		t.Errorf("before anything was written (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(h.store.Home(), "workspaces", "@me")); !os.IsNotExist(err) {
		t.Errorf("reading made the workspace: %v", err)
	}
	h.do(http.MethodPut, aboutFileURL, map[string]any{"text": "x", "expectedHash": hash("what I read elsewhere")}).expect(t, 409, "conflict")

	saved := h.do(http.MethodPut, aboutFileURL, map[string]any{"text": "I run a studio.\n", "expectedHash": hash("")}).expect(t, 200, "")
	entry := saved.obj("entry")
	if entry["actor"] != "person" || entry["via"] != "ui" || entry["path"] != "ABOUT.md" || saved.str("hash") != hash("I run a studio.\n") {
		t.Errorf("saved %s", saved.raw)
	}
	h.do(http.MethodPut, aboutFileURL, map[string]any{"text": "x"}).expect(t, 428, "revision_needed")
	stale := h.do(http.MethodPut, aboutFileURL, map[string]any{"text": "x", "expectedHash": hash("")}).expect(t, 409, "conflict")
	if stale.str("current") != "I run a studio.\n" || stale.str("currentHash") != saved.str("hash") {
		t.Errorf("stale %s", stale.raw)
	}
	again := h.do(http.MethodPut, aboutFileURL, map[string]any{"path": "ABOUT.md", "text": "I run a studio.\n"}, with("If-Match", saved.header.Get("ETag"))).expect(t, 200, "")
	if again.body["entry"] != nil {
		t.Errorf("the same text again: %s", again.raw)
	}
	h.do(http.MethodPut, aboutFileURL, map[string]any{"path": "MEMORY.md", "text": "x"}).expect(t, 400, "path")
	h.do(http.MethodPut, aboutFileURL, map[string]any{"text": 1}).expect(t, 400, "invalid")
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	masked := h.do(http.MethodPut, aboutFileURL, map[string]any{"text": "key " + secret, "expectedHash": saved.str("hash")}).expect(t, 200, "")
	if strings.Contains(masked.raw, secret) {
		t.Errorf("a credential came through: %s", masked.raw)
	}
}

// TestAboutMeBeginsWithTheFirstSave holds that no hash is wanted where there was nothing to read.
func TestAboutMeBeginsWithTheFirstSave(t *testing.T) {
	h := newHarness(t)
	got := h.do(http.MethodPut, aboutFileURL, map[string]any{"text": "mine\n"}).expect(t, 200, "")
	if got.str("text") != "mine\n" {
		t.Errorf("got %s", got.raw)
	}
}

func learnedHarness(t *testing.T) *harness {
	h := newHarness(t)
	h.do(http.MethodPost, "/api/bots", map[string]any{"id": "zoe", "name": "Zoë"}).expect(t, 201, "")
	me, err := h.store.MakeMe(t.Context(), "")
	must(t, err)
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "zoe"}, Via: repo.ViaTurn}
	_, _, err = me.Learn(t.Context(), m, "Zoë", []string{"Is vegetarian", "Lives in City A"})
	must(t, err)
	_, _, err = me.Learn(t.Context(), m, "Gone", []string{"Likes tea"})
	must(t, err)
	return h
}

func TestLearned(t *testing.T) {
	h := newHarness(t)
	if got := h.do(http.MethodGet, "/api/profile/learned", nil).expect(t, 200, ""); got.raw != "{\"learned\":[]}\n" {
		t.Errorf("before anything was learned: %s", got.raw)
	}
	h.do(http.MethodPost, "/api/profile/learned/0123456789ab/remove", nil).expect(t, 404, "not_found")

	h = learnedHarness(t)
	list := h.do(http.MethodGet, "/api/profile/learned", nil).expect(t, 200, "").list("learned")
	var got []map[string]any
	for _, l := range list {
		delete(l, "id")
		got = append(got, l)
	}
	fact := func(botID, bot, text string) map[string]any {
		return map[string]any{"text": text, "line": "- 2026-11-30 · learned by " + bot + " · " + text, "botId": botID, "botName": bot, "at": "2026-11-30"}
	}
	want := []map[string]any{fact("", "Gone", "Likes tea"), fact("zoe", "Zoë", "Lives in City A"), fact("zoe", "Zoë", "Is vegetarian")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("learned (-want +got):\n%s", diff)
	}
}

func TestRemoveLearned(t *testing.T) {
	h := learnedHarness(t)
	id := h.do(http.MethodGet, "/api/profile/learned", nil).list("learned")[2]["id"].(string)
	remove := "/api/profile/learned/" + id + "/remove"

	// A save that fails leaves the fact there and listed, and the next try works.
	git := []string{"HEAD", "ref: refs/heads/main\n"}
	head := filepath.Join(h.store.Home(), "history", "@me.git", git[0])
	must(t, os.WriteFile(head, []byte(strings.Repeat("0", 39)+"1\n"), 0o600))
	if got := h.do(http.MethodPost, remove, nil); got.status < 400 {
		t.Fatalf("with a broken HEAD: %d %s", got.status, got.raw)
	}
	must(t, os.WriteFile(head, []byte(git[1]), 0o600))
	if list := h.do(http.MethodGet, "/api/profile/learned", nil).list("learned"); len(list) != 3 {
		t.Errorf("after a failed save %d facts are listed, want 3", len(list))
	}

	got := h.do(http.MethodPost, remove, map[string]any{}).expect(t, 200, "")
	if len(got.list("learned")) != 2 || strings.Contains(got.str("aboutMe"), "vegetarian") || !strings.Contains(got.str("aboutMe"), "Lives in City A") {
		t.Errorf("got %s", got.raw)
	}
	h.do(http.MethodPost, remove, nil).expect(t, 404, "not_found")

	// It is never learned again, by any bot, not even by its own memory.
	me, err := h.store.Me(t.Context(), "")
	must(t, err)
	lines, _, err := me.Learn(t.Context(), repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn}, "scout", []string{"Is vegetarian"})
	must(t, err)
	if len(lines) != 0 {
		t.Errorf("learned again: %v", lines)
	}
	h.update(map[string]any{"action": "append", "text": "Is vegetarian"}, as(h.tokens["scout"])).expect(t, 422, "refused")
}
