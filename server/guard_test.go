package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHostAllowed(t *testing.T) {
	extra := []string{"Notes.lan", "fe80::1", "[fe80::2]"}
	tests := map[string]bool{
		"localhost":             true,
		"LOCALHOST:7717":        true,
		"localhost:1":           true,
		"127.0.0.1":             true,
		"127.0.0.1:65535":       true,
		"[::1]":                 true,
		"[::1]:7717":            true,
		"notes.lan":             true,
		"NOTES.LAN:80":          true,
		"[fe80::1]:80":          true,
		"[fe80::2]":             true,
		"":                      false,
		":7717":                 false,
		":":                     false,
		"localhost:":            false,
		"localhost:0":           false,
		"localhost:65536":       false,
		"localhost:+80":         false,
		"localhost:080":         false,
		"localhost:80:80":       false,
		"localhost.":            false,
		"localhost.:7717":       false,
		"localhost.evil.com":    false,
		"evil.com":              false,
		"evil.com.":             false,
		"127.0.0.1.evil.com":    false,
		"127.0.0.1.":            false,
		"127.1":                 false,
		"2130706433":            false,
		"0x7f000001":            false,
		"0.0.0.0":               false,
		"127.0.0.2":             false,
		"::1":                   false,
		"::1:7717":              false,
		"[::1":                  false,
		"[::1]x":                false,
		"[::1]evil.com":         false,
		"[localhost]":           false,
		"[127.0.0.1]":           false,
		"fe80::1":               false,
		"localhost, evil.com":   false,
		"localhost@evil.com":    false,
		"evil.com#localhost":    false,
		" localhost":            false,
		"localhost\x00":         false,
		"notes.lan.evil.com":    false,
		"xn--localhost-abc":     false,
		"evil.com:80@127.0.0.1": false,
	}
	for host, want := range tests {
		if got := hostAllowed(host, extra); got != want {
			t.Errorf("hostAllowed(%q) = %v, want %v", host, got, want)
		}
	}
}

func TestForeignHostIsRefusedEverywhere(t *testing.T) {
	h := newHarness(t)
	for _, rt := range append(routes(), route{method: http.MethodGet, path: "/nowhere"}) {
		path := strings.NewReplacer("{id}", "scout", "{entryId}", "x").Replace(rt.path)
		got := h.do(rt.method, path, nil, func(r *http.Request) { r.Host = "evil.com" })
		if got.status != http.StatusMisdirectedRequest || !strings.Contains(got.str("error"), "allowedHosts") {
			t.Errorf("%s %s: got %d %q, want 421 that names allowedHosts", rt.method, rt.path, got.status, got.str("error"))
		}
	}
	must(t, h.store.SetConfig("allowedHosts", []string{"notes.lan"}))
	h.do(http.MethodGet, scout+"/memory", nil, func(r *http.Request) { r.Host = "notes.lan:7717" }).expect(t, http.StatusOK, "")
}

func TestOtherPagesAreRefused(t *testing.T) {
	h := newHarness(t)
	body := map[string]any{"text": "- from a page\n"}
	tests := []struct {
		name    string
		method  string
		changes []change
		want    int
	}{
		{"foreign origin", http.MethodPut, []change{with("Origin", "http://evil.com")}, 403},
		{"null origin", http.MethodPut, []change{with("Origin", "null")}, 403},
		{"another port of this host", http.MethodPut, []change{with("Origin", "http://127.0.0.1:9999")}, 403},
		{"cross site", http.MethodPut, []change{with("Sec-Fetch-Site", "cross-site")}, 403},
		{"same site", http.MethodPut, []change{with("Sec-Fetch-Site", "same-site")}, 403},
		{"preflight", http.MethodOptions, []change{with("Origin", "http://evil.com"), with("Access-Control-Request-Method", "PUT"), as("")}, 403},
		{"preflight of our own", http.MethodOptions, []change{with("Origin", "http://127.0.0.1:7717"), as("")}, 403},
		{"form", http.MethodPut, []change{with("Content-Type", "text/plain")}, 415},
		{"our own page", http.MethodPut, []change{with("Origin", "http://127.0.0.1:7717"), with("Sec-Fetch-Site", "same-origin")}, 200},
		{"no page at all", http.MethodPut, nil, 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := h.onDisk("MEMORY.md")
			got := h.do(tt.method, scout+"/memory", body, tt.changes...).expect(t, tt.want, "")
			if tt.want != 200 && h.onDisk("MEMORY.md") != before {
				t.Error("a refused request changed MEMORY.md")
			}
			for name := range got.header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("the answer has %s", name)
				}
			}
		})
	}
}

func TestHeadersOfEveryAnswer(t *testing.T) {
	h := newHarness(t)
	want := map[string]string{
		"Cache-Control":                "no-store",
		"Content-Security-Policy":      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",
		"Server":                       "",
	}
	answers := map[string]reply{
		"200": h.do(http.MethodGet, scout+"/memory", nil),
		"401": h.do(http.MethodGet, scout+"/memory", nil, as("")),
		"404": h.do(http.MethodGet, "/nowhere", nil),
		"421": h.do(http.MethodGet, "/healthz", nil, func(r *http.Request) { r.Host = "evil.com" }),
	}
	for name, a := range answers {
		got := map[string]string{}
		for key := range want {
			got[key] = a.header.Get(key)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(a.header.Get("X-Request-Id")) != 16 {
			t.Errorf("%s: X-Request-Id is %q", name, a.header.Get("X-Request-Id"))
		}
	}
}

func TestPathsAreNotCleaned(t *testing.T) {
	h := newHarness(t)
	for _, path := range []string{
		"/api/bots/%2e%2e/memory", "/api/bots/../bots/scout/memory", "/api//bots/scout/memory", "/api/bots/scout%2Fmemory",
		"/api/bots/scout/memory/", "/api/bots/scout/memory/.git/config", "/.git/config", "/api/bots/scout/memory/..%2f..%2ftoken", "//healthz",
	} {
		if got := h.do(http.MethodGet, path, nil); got.status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404\n%s", path, got.status, got.raw)
		}
	}
	// A method that a path does not have is as unknown as a path that is not there.
	h.do(http.MethodDelete, scout+"/memory", nil).expect(t, http.StatusNotFound, "not_found")
}

func TestPanicTellsNothing(t *testing.T) {
	h := newHarness(t)
	h.server.handler = h.server.guard(h.server.door(route{path: "/boom", who: anyone, handle: func(*Server, http.ResponseWriter, *http.Request) error {
		panic("the secret diary")
	}}))
	got := h.do(http.MethodGet, "/boom", nil).expect(t, http.StatusInternalServerError, "internal")
	if strings.Contains(got.raw+h.log.String(), "diary") {
		t.Errorf("the panic's text got out:\n%s\n%s", got.raw, h.log)
	}
	if !strings.Contains(h.log.String(), "TestPanicTellsNothing") || !strings.Contains(h.log.String(), "status=500") {
		t.Errorf("the log has no stack or no request line:\n%s", h.log)
	}
}

func TestLogHasOneLineAndNoSecrets(t *testing.T) {
	h := newHarness(t)
	h.do(http.MethodPut, scout+"/memory/file", map[string]any{"path": "memory/diary.md", "text": "- the secret diary\n"}).expect(t, http.StatusOK, "")
	h.do(http.MethodGet, scout+"/memory/file?path=memory/diary.md&token="+h.tokens["owner"], nil).expect(t, http.StatusOK, "")
	h.do(http.MethodGet, scout+"/memory/file?path=../diary", nil).expect(t, http.StatusBadRequest, "path")
	h.do("DIARY", "/api/bots", nil).expect(t, http.StatusNotFound, "")
	h.do(http.MethodGet, "/diary", nil).expect(t, http.StatusNotFound, "")
	h.do(http.MethodGet, scout+"/memory", nil, as("not-a-token-diary")).expect(t, http.StatusUnauthorized, "")
	log := h.log.String()
	if n := strings.Count(log, "msg=request "); n != 6 {
		t.Errorf("got %d lines for 6 requests:\n%s", n, log)
	}
	if strings.Contains(strings.ToLower(log), "diary") {
		t.Errorf("the log holds a note, a path or a made-up word:\n%s", log)
	}
	for who, token := range h.tokens {
		if strings.Contains(log, token) {
			t.Errorf("the log holds the token of %s", who)
		}
	}
	if want := "method=GET route=/api/bots/{id}/memory/file status=200 ms="; !strings.Contains(log, want) {
		t.Errorf("the log has no %q:\n%s", want, log)
	}
}

func TestConfigFaultKeepsServing(t *testing.T) {
	h := newHarness(t)
	must(t, h.store.SetConfig("allowedHosts", []string{"notes.lan"}))
	h.do(http.MethodGet, "/healthz", nil, func(r *http.Request) { r.Host = "notes.lan" }).expect(t, http.StatusOK, "")
	breakConfig(t, h.store)
	h.do(http.MethodGet, "/healthz", nil, func(r *http.Request) { r.Host = "notes.lan" }).expect(t, http.StatusOK, "")
	h.do(http.MethodPatch, scout, map[string]any{"memoryEnabled": false}).expect(t, http.StatusConflict, "config")
}
