package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withToken sends a token with every request.
type withToken struct{ token string }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultTransport.RoundTrip(r)
}

func TestMCPOverHTTP(t *testing.T) {
	h := newHarness(t)
	web := httptest.NewServer(h.server.Handler())
	t.Cleanup(web.Close)
	connect := func(token, query string) (*mcp.ClientSession, error) {
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		return c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL + "/mcp" + query, HTTPClient: &http.Client{Transport: withToken{token}}}, nil)
	}
	for _, tt := range []struct{ name, token, query string }{
		{"a bot's token", h.tokens["scout"], ""},
		{"a bot's token that names its bot", h.tokens["scout"], "?bot=scout"},
		{"the owner's", h.tokens["owner"], "?bot=scout"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := connect(tt.token, tt.query)
			must(t, err)
			defer func() { _ = c.Close() }()
			tools, err := c.ListTools(t.Context(), nil)
			must(t, err)
			if len(tools.Tools) != 14 {
				t.Errorf("%d tools", len(tools.Tools))
			}
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory_update", Arguments: map[string]any{"text": "kept by " + tt.name}})
			must(t, err)
			if r.IsError || !strings.Contains(h.onDisk("MEMORY.md"), "kept by "+tt.name) {
				t.Errorf("%+v\n%s", r, h.onDisk("MEMORY.md"))
			}
		})
	}
	for _, tt := range []struct{ name, token, query string }{
		{"another bot's token", h.tokens["other"], "?bot=scout"},
		{"a member's", h.tokens["member"], ""},
		{"none", "", ""},
		{"the owner's without a bot", h.tokens["owner"], ""},
		{"the owner's for no bot", h.tokens["owner"], "?bot=nobody"},
	} {
		t.Run("refused: "+tt.name, func(t *testing.T) {
			if c, err := connect(tt.token, tt.query); err == nil {
				_ = c.Close()
				t.Error("it is let in")
			}
		})
	}
}

// TestMCPStandsBehindTheGuard: the SDK by itself lets a page of another origin in.
func TestMCPStandsBehindTheGuard(t *testing.T) {
	h := newHarness(t)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	ask := func(change func(*http.Request)) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:7717/mcp?bot=scout", strings.NewReader(list))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+h.tokens["owner"])
		change(r)
		w := httptest.NewRecorder()
		h.server.Handler().ServeHTTP(w, r)
		if got := w.Header().Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control is %q", got)
		}
		return w.Code
	}
	for name, tt := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"as it is":         {func(*http.Request) {}, http.StatusOK},
		"a foreign origin": {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		"a foreign site":   {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		"a foreign host":   {func(r *http.Request) { r.Host = "evil.example" }, http.StatusMisdirectedRequest},
		"no token":         {func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"no JSON":          {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType},
		"a look":           {func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed},
	} {
		if got := ask(tt.change); got != tt.want {
			t.Errorf("%s: got %d, want %d", name, got, tt.want)
		}
	}
}
