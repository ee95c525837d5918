package server

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quipu/policy"
	"quipu/repo"
)

// layered writes one sentence into the bot's notes and into layers of two rooms and two
// persons.
func layered(h *harness) {
	h.t.Helper()
	ctx := h.t.Context()
	keep := func(ws *repo.Workspace, err error, whose string) {
		h.t.Helper()
		must(h.t, err)
		for _, topic := range []string{"", "airships"} {
			_, err = ws.Update(ctx, repo.Meta{Author: repo.Author{Kind: repo.Person, Name: "Ada"}, Via: repo.ViaCLI},
				policy.Update{Action: policy.Append, Text: "The zeppelin hangar belongs to " + whose, TextSet: true, Topic: topic})
			must(h.t, err)
		}
	}
	ws, err := h.store.Open(ctx, "scout")
	keep(ws, err, "bot")
	for _, of := range []policy.Subject{{Kind: policy.GroupChat, ID: "ops"}, {Kind: policy.GroupChat, ID: "dev"}, {Kind: policy.Participant, ID: "ann"}, {Kind: policy.Participant, ID: "eve"}} {
		ws, err := h.store.MakeLayer(ctx, "scout", of)
		keep(ws, err, of.ID)
	}
}

// whose lists whom a text says the hangar belongs to, each once.
func whose(text string) string {
	var found []string
	for _, part := range strings.Split(text, "belongs to ")[1:] {
		found = append(found, strings.FieldsFunc(part, func(r rune) bool { return r < 'a' || r > 'z' })[0])
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " ")
}

// TestModelSuppliedScopeIsIgnored is the twin of N.E.K.O.'s
// test_model_supplied_subjects_cannot_influence_scope: whatever else a request names, a
// turn answers with exactly the layers that its host's facts give. A route that takes a
// body refuses such a field; one that has a query passes it over.
func TestModelSuppliedScopeIsIgnored(t *testing.T) {
	h := newHarness(t)
	layered(h)
	bot := as(h.tokens["scout"])
	start := h.begin(room, ann, "who owns the zeppelin hangar")
	turn := start.str("turn")
	const want = "ann bot ops"
	if got := whose(start.raw); got != want {
		t.Errorf("the turn begins with %q, want %q:\n%s", got, want, start.raw)
	}
	for _, extra := range []string{
		"", "&subjects=dev", "&layers=room:dev,member:eve", "&layer=room", "&include_legacy_private=true", "&room=dev", "&member=eve", "&speaker=eve",
	} {
		for _, target := range []string{"/memory/load?turn=" + turn, "/search?q=zeppelin+hangar&turn=" + turn} {
			if got := h.do(http.MethodGet, scout+target+extra, nil, bot).expect(t, 200, ""); whose(got.raw) != want {
				t.Errorf("%s%s: %q, want %q", target, extra, whose(got.raw), want)
			}
		}
	}
	text := h.do(http.MethodGet, scout+"/memory/load?turn="+turn, nil, bot, func(r *http.Request) { r.Header.Set("Accept", "text/plain") })
	if strings.Count(text.raw, "Notes of this room:") != 1 || strings.Count(text.raw, "What Ann (ann) said of themselves:") != 1 {
		t.Errorf("as text:\n%s", text.raw)
	}
	loaded := h.do(http.MethodGet, scout+"/memory/load?turn="+turn, nil, bot).list("layers")
	if len(loaded) != 2 || loaded[0]["layer"] != "room" || loaded[1]["layer"] != "member Ann (ann)" {
		t.Errorf("layers: %v", loaded)
	}
	body := map[string]any{"message": "who owns the zeppelin hangar", "conversation": room, "speaker": ann}
	if got := h.do(http.MethodPost, scout+"/recall", body, bot).expect(t, 200, ""); whose(got.raw) != want {
		t.Errorf("recall: %q, want %q", whose(got.raw), want)
	}
	for _, field := range []string{"subjects", "scope", "layers", "include_legacy_private"} {
		more := map[string]any{field: []string{"dev", "eve"}}
		maps.Copy(more, body)
		h.do(http.MethodPost, scout+"/recall", more, bot).expect(t, 400, "")
		update := map[string]any{"action": "append", "text": "x", "turn": turn, field: "dev"}
		h.do(http.MethodPost, scout+"/memory/update", update, bot).expect(t, 400, "")
	}
	h.finish(turn, "The zeppelin is ours")
	h.do(http.MethodGet, scout+"/memory/load?turn="+turn, nil, bot).expect(t, 409, "conflict")
	h.do(http.MethodGet, scout+"/memory/load?turn=", nil, bot).expect(t, 400, "")
	for _, token := range []string{"scout", "owner"} {
		if got := h.do(http.MethodGet, scout+"/memory/load", nil, as(h.tokens[token])).expect(t, 200, ""); whose(got.raw) != "bot" || strings.Contains(got.raw, "layers") {
			t.Errorf("outside any turn %s loads %s", token, got.raw)
		}
	}
}

// The direction that matters more: a room turn without its room's id reads no layer at all,
// nor does one of a person nobody knows read a person's.
func TestMissingFactsFailClosed(t *testing.T) {
	h := newHarness(t)
	layered(h)
	for name, tt := range map[string]struct {
		conversation, who map[string]any
		want              string
	}{
		"all facts":         {room, ann, "ann bot ops"},
		"no room id":        {map[string]any{"id": "r1", "kind": "room", "room": map[string]any{"name": "Ops"}}, ann, "bot"},
		"no room":           {chat("r1", "room", "Ops", "owner"), ann, "bot"},
		"a narrower room":   {map[string]any{"id": "r1", "kind": "room", "room": map[string]any{"id": "ops", "narrower": true}}, ann, "bot"},
		"nobody known":      {room, nil, "bot ops"},
		"a name alone":      {room, map[string]any{"name": "ann"}, "bot ops"},
		"a chat of hers":    {annChat, ann, "ann bot"},
		"not begun by her":  {plans, ann, "bot"},
		"a routine":         {chat("c9", "routine", "Daily", "person:ann"), ann, "bot"},
		"the owner's own":   {plans, ada, "bot"},
		"the owner in room": {map[string]any{"id": "r2", "kind": "room", "room": map[string]any{"id": "ops"}}, ada, "bot ops"},
	} {
		if got := h.begin(tt.conversation, tt.who, "who owns the zeppelin hangar"); whose(got.raw) != tt.want {
			t.Errorf("%s: %q, want %q", name, whose(got.raw), tt.want)
		}
	}
}

func TestUpdateOfALayer(t *testing.T) {
	h := newHarness(t)
	bot := as(h.tokens["scout"])
	turn := h.begin(room, ann, "hello").str("turn")
	send := func(layer, turn string) reply {
		body := map[string]any{"action": "append", "text": "The kettle of " + layer + " is red", "layer": layer}
		if turn != "" {
			body["turn"] = turn
		}
		return h.do(http.MethodPost, scout+"/memory/update", body, bot)
	}
	send("room", turn).expect(t, 200, "")
	send("speaker", turn).expect(t, 200, "")
	send("", turn).expect(t, 200, "")
	send("room", "").expect(t, 422, "")
	send("dev", turn).expect(t, 400, "")
	send("speaker", h.begin(plans, ada, "hello").str("turn")).expect(t, 422, "")
	for id, want := range map[repo.ID]string{"scout": "of  is", "scout--room-ops": "of room is", "scout--member-ann": "of speaker is"} {
		ws, err := h.store.OpenAny(t.Context(), id)
		must(t, err)
		text, err := ws.Read(t.Context(), policy.MemoryFile)
		must(t, err)
		if strings.Count(text.Text, "kettle") != 1 || !strings.Contains(strings.ReplaceAll(text.Text, "of is", "of  is"), want) {
			t.Errorf("%s: %q", id, text.Text)
		}
	}
}

// Through MCP it is the same: a field that a tool does not have is refused, and the turn
// alone says which layers there are.
func TestModelSuppliedScopeOverMCP(t *testing.T) {
	h := newHarness(t)
	layered(h)
	turn := h.begin(room, ann, "hello").str("turn")
	web := httptest.NewServer(h.server.Handler())
	t.Cleanup(web.Close)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: web.URL + "/mcp", HTTPClient: &http.Client{Transport: withToken{h.tokens["scout"]}}}, nil)
	must(t, err)
	defer func() { _ = c.Close() }()
	call := func(tool string, args map[string]any) (string, bool) {
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return err.Error(), true
		}
		return fmt.Sprint(r.Content[0].(*mcp.TextContent).Text), r.IsError
	}
	asks := map[string]map[string]any{
		"memory_search": {"query": "zeppelin hangar", "turn": turn},
		"memory_recall": {"message": "who owns the zeppelin hangar", "turn": turn},
	}
	for tool, args := range asks {
		if got, failed := call(tool, args); failed || whose(got) != "ann bot ops" {
			t.Errorf("%s: %s", tool, got)
		}
		for _, field := range []string{"subjects", "layers", "layer", "include_legacy_private"} {
			more := map[string]any{field: []string{"dev"}}
			maps.Copy(more, args)
			if got, failed := call(tool, more); !failed && whose(got) != "ann bot ops" {
				t.Errorf("%s with %s: %s", tool, field, got)
			}
		}
		delete(args, "turn")
		if got, failed := call(tool, args); failed || whose(got) != "bot" {
			t.Errorf("%s without a turn: %s", tool, got)
		}
	}
	if got, failed := call("memory_update", map[string]any{"text": "The kettle is red", "layer": "room", "turn": turn}); failed {
		t.Error(got)
	}
	if got, failed := call("memory_update", map[string]any{"text": "The kettle is blue", "layer": "room"}); !failed || !strings.Contains(got, "send turn") {
		t.Errorf("without a turn: %s", got)
	}
	ws, err := h.store.Room(t.Context(), "scout", "ops")
	must(t, err)
	text, err := ws.Read(t.Context(), policy.MemoryFile)
	must(t, err)
	if diff := cmp.Diff([]bool{true, false}, []bool{strings.Contains(text.Text, "is red"), strings.Contains(h.onDisk("MEMORY.md"), "kettle")}); diff != "" {
		t.Errorf("the room has it, the bot has not (-want +got):\n%s", diff)
	}
}
