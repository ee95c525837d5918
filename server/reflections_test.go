package server

import (
	"net/http"
	"testing"

	"quipu/repo"
)

// TestReflections draws one over HTTP, hands it to the bot once, and takes the person's word.
func TestReflections(t *testing.T) {
	h := newHarness(t)
	const fact, base = "The person enjoys endurance sport", "/api/bots/scout/memory"
	h.edit("MEMORY.md", "- 2026-01-01 · Swims in the lake\n- 2026-01-02 · Runs up hills\n- 2026-01-03 · Likes green tea\n")
	if got := h.do(http.MethodPost, base+"/reflect", nil); got.status != http.StatusOK || got.body["note"] == nil {
		t.Errorf("without a model: %d %s", got.status, got.raw)
	}
	answer := `cat >/dev/null; echo '{"reflections":[{"text":"` + fact + `","from":[0,1],"importance":[5,10]}]}'`
	must(t, h.store.SetConfig("models.rote", map[string]any{"kind": "exec", "command": []string{"/bin/sh", "-c", answer}}))
	must(t, h.store.SetConfig("model", "rote"))
	if got := h.do(http.MethodPost, base+"/reflect?dryRun=true", nil); got.status != http.StatusOK || len(got.body["drawn"].([]any)) != 1 {
		t.Errorf("dry: %d %s", got.status, got.raw)
	}
	if got := h.do(http.MethodPost, base+"/reflect", nil, as(h.tokens["scout"])); got.status != http.StatusForbidden {
		t.Errorf("a bot draws: %d %s", got.status, got.raw)
	}
	if got := h.do(http.MethodPost, base+"/reflect", nil); got.status != http.StatusOK || len(got.body["changes"].([]any)) != 1 {
		t.Fatalf("%d %s", got.status, got.raw)
	}
	bot := as(h.tokens["scout"])
	begin := map[string]any{
		"conversation": map[string]any{"id": "c1", "kind": "direct", "startedBy": "owner"}, "speaker": map[string]any{"owner": true}, "message": "yes, I do a lot of it",
	}
	turn := h.do(http.MethodPost, "/api/bots/scout/turns", begin, bot)
	guess, _ := turn.body["reflection"].(map[string]any)
	if turn.status != http.StatusOK || guess["fact"] != fact {
		t.Fatalf("%d %s", turn.status, turn.raw)
	}
	begin["conversation"] = map[string]any{"id": "c2", "kind": "direct", "startedBy": "owner"}
	if again := h.do(http.MethodPost, "/api/bots/scout/turns", begin, bot); again.body["reflection"] != nil {
		t.Errorf("twice: %s", again.raw)
	}
	for name, c := range map[string]struct {
		body   map[string]any
		as     change
		status int
	}{
		"no turn":       {map[string]any{"fact": fact, "answer": "yes"}, bot, http.StatusUnprocessableEntity},
		"no quote":      {map[string]any{"fact": fact, "answer": "yes", "turn": turn.body["turn"]}, bot, http.StatusUnprocessableEntity},
		"other words":   {map[string]any{"fact": fact, "answer": "yes", "turn": turn.body["turn"], "quote": "no"}, bot, http.StatusUnprocessableEntity},
		"another turn":  {map[string]any{"fact": fact, "answer": "yes", "turn": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "quote": "yes"}, bot, http.StatusNotFound},
		"maybe":         {map[string]any{"fact": fact, "answer": "maybe"}, bot, http.StatusBadRequest},
		"no reflection": {map[string]any{"fact": "Likes green tea", "answer": "yes"}, nil, http.StatusNotFound},
	} {
		changes := []change{c.as}
		if c.as == nil {
			changes = nil
		}
		if got := h.do(http.MethodPost, base+"/reflections/answer", c.body, changes...); got.status != c.status {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
	said := map[string]any{"fact": fact, "answer": "yes", "turn": turn.body["turn"], "quote": "yes, I do"}
	if got := h.do(http.MethodPost, base+"/reflections/answer", said, bot); got.status != http.StatusOK || got.body["change"] == "" {
		t.Errorf("in the turn: %d %s", got.status, got.raw)
	}
	if got := h.do(http.MethodPost, base+"/reflections/answer", map[string]any{"fact": fact, "answer": "yes"}); got.status != http.StatusOK {
		t.Errorf("the owner: %d %s", got.status, got.raw)
	}
	list := h.do(http.MethodGet, base+"/reflections", nil, bot)
	one := list.body["reflections"].([]any)[0].(map[string]any)
	if list.status != http.StatusOK || one["tier"] != "promoted" || one["answered"] != true {
		t.Errorf("%d %s", list.status, list.raw)
	}
	ws, err := h.store.Open(t.Context(), "scout")
	must(t, err)
	log, err := ws.EvidenceLog(t.Context(), "", 0)
	must(t, err)
	for _, e := range log {
		if e.Why != "weighed" && repo.ParseAuthor(e.By).Kind != repo.Person {
			t.Errorf("%s by %s", e.Why, e.By)
		}
	}
}
