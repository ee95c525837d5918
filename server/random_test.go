package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNoRequestBreaksTheServer sends random requests, valid and not, to every route:
// none is answered with a fault of ours, every answer is as openapi.yaml says, and a
// request that was refused leaves the files alone.
func TestNoRequestBreaksTheServer(t *testing.T) {
	h := newHarness(t)
	secret := h.store.Home()
	rapid.Check(t, func(rt *rapid.T) {
		r := rapid.SampledFrom(routes()).Draw(rt, "route")
		word := rapid.OneOf(
			rapid.SampledFrom([]string{"", "MEMORY.md", "memory/x.md", "memory/archive.md", "memory/log/2026-11-30.md", "HEAD", "1h", "today", "append", "replace", "x", "restore", "folder", "UTC", "true", "0", "\x00", "é"}),
			rapid.StringN(0, 12, 40),
		)
		id := rapid.SampledFrom([]string{"scout", "scout", "scout", "other", "nobody", "%00", "a--b"}).Draw(rt, "id")
		path := strings.NewReplacer("{id}", id, "{entryId}", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "{turn}", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "{conversation}", "c1", "{picture}", "cat-1a2b3c4d5e6f.png").Replace(r.path)
		names := []string{"path", "change", "at", "from", "to", "limit", "before", "since", "until", "mode", "q", "all", "author", "action", "expectedHash", "scope", "turn", "conversation"}
		query := map[string][]string{}
		for range rapid.IntRange(0, 3).Draw(rt, "parameters") {
			query[rapid.SampledFrom(names).Draw(rt, "name")] = []string{word.Draw(rt, "value")}
		}
		var body any
		if r.method != http.MethodGet && rapid.Bool().Draw(rt, "has a body") {
			value := rapid.OneOf(
				rapid.Map(word, func(s string) any { return s }),
				rapid.SampledFrom([]any{nil, 1.5, true, []any{}, map[string]any{}, map[string]any{"id": "c1", "kind": "direct"}, []any{map[string]any{"by": "self", "text": "x"}}}),
			)
			fields := []string{"id", "name", "text", "path", "expectedHash", "action", "oldText", "topic", "until", "target", "memoryEnabled", "rules", "timezone", "colour", "conversation", "speaker", "message", "messages", "tools", "to"}
			body = rapid.MapOfN(rapid.SampledFrom(fields), value, 0, 4).Draw(rt, "body")
		}
		before := h.onDisk("MEMORY.md") + h.onDisk("memory/x.md")
		got := h.do(r.method, path, body, func(req *http.Request) { req.URL.RawQuery = url.Values(query).Encode() })
		if got.status >= 500 {
			rt.Fatalf("%s %s %v: %d %s\n%s", r.method, path, body, got.status, got.raw, h.log)
		}
		ours := r.path != "/mcp" // whose refusals have the form of its own protocol
		if got.status >= 400 && (strings.Contains(got.raw, secret) || ours && got.str("error") == "") {
			rt.Fatalf("%s %s: %s", r.method, path, got.raw)
		}
		if got.status >= 400 && before != h.onDisk("MEMORY.md")+h.onDisk("memory/x.md") {
			rt.Fatalf("%s %s was refused with %d and changed a file", r.method, path, got.status)
		}
	})
}
