package panel_test

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

// pages are addresses of every page; pageForms of every form.
var (
	pages = []string{
		"/", "/about", "/about/journal", "/bots/scout", "/bots/scout/topics", "/bots/scout/file?path=memory/food.md", "/bots/scout/edit", "/bots/scout/delete?path=memory/food.md",
		"/bots/scout/entry?path=MEMORY.md&line=3", "/bots/scout/forget", "/bots/scout/journal", "/bots/scout/change/01ARZ3NDEKTSV4RRFFQ69G5FAV",
		"/bots/scout/undo/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/bots/scout/nothing", "/static/nothing",
		"/about/remote", "/bots/scout/remote", "/bots/scout/remote?remove", "/about/conflicts", "/bots/scout/conflicts", "/pulse?since=x", "/bots/scout/pulse?since=x", "/about/pulse",
	}
	pageForms = []string{
		"/sign-out", "/about", "/about/remove", "/bots/scout/edit", "/bots/scout/delete", "/bots/scout/entry", "/bots/scout/forget", "/bots/scout/undo/01ARZ3NDEKTSV4RRFFQ69G5FAV",
		"/about/remote", "/bots/scout/remote", "/about/conflicts", "/bots/scout/conflicts",
	}
)

func TestSignInLink(t *testing.T) {
	b := newcomer(t)
	code, err := b.store.NewLogin()
	must(t, err)
	link := "/sign-in?code=" + code
	head := func(r *http.Request) { r.Method = http.MethodHead }
	b.get(link, head) // what only looks at a link uses nothing up
	a := b.get(link).is(http.StatusSeeOther)
	if got := a.header.Get("Location"); got != "/" {
		t.Errorf("leads to %q, want an address without the code", got)
	}
	c := b.cookie
	if c.Name != "quipu-7717" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Secure || c.Domain != "" || c.Expires.IsZero() {
		t.Errorf("cookie %+v", c)
	}
	b.get("/").is(http.StatusOK)
	// What a proxy would say counts for nothing.
	b.get("/", with("X-Forwarded-Host", "evil.example"), with("X-Forwarded-Proto", "https"), with("Forwarded", "host=evil.example")).is(http.StatusOK)
	other := &browser{t: t, store: b.store, server: b.server}
	other.get(link).is(http.StatusUnauthorized).has("each is good once")
	other.get("/sign-in").is(http.StatusUnauthorized).has("quipu open").hasNot("each is good once")
	if text := b.log.String(); strings.Contains(text, code) || strings.Contains(text, c.Value) {
		t.Error("the log holds a code or a session")
	}
	// Over TLS the cookie is bound to it.
	code, err = b.store.NewLogin()
	must(t, err)
	secure := &browser{t: t, store: b.store, server: b.server}
	secure.get("/sign-in?code="+code, func(r *http.Request) { r.TLS = &tls.ConnectionState{} }).is(http.StatusSeeOther)
	if !secure.cookie.Secure || secure.cookie.Name != "__Host-quipu-7717" {
		t.Errorf("cookie over TLS %+v", secure.cookie)
	}
}

func TestWrongCodesAreSlowedDown(t *testing.T) {
	b := newcomer(t)
	b.clock.per = time.Millisecond
	for range 100 {
		if a := b.get("/sign-in?code=wrong"); a.status == http.StatusTooManyRequests {
			if a.header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			b.signIn() // a right one never waits
			return
		}
	}
	t.Error("a hundred wrong codes in a row were looked at")
}

func TestNothingIsShownWithoutSession(t *testing.T) {
	b := newcomer(t)
	b.teach(policy.Update{Text: "a secret wish"}, "")
	for name, c := range map[string]*http.Cookie{
		"none": nil, "empty": {Name: "quipu-7717", Value: ""}, "wrong": {Name: "quipu-7717", Value: strings.Repeat("A", 43)},
	} {
		t.Run(name, func(t *testing.T) {
			b.cookie = c
			for _, p := range pages {
				a := b.get(p)
				if a.status != http.StatusUnauthorized && a.status != http.StatusNotFound {
					t.Errorf("%s: %d", p, a.status)
				}
				a.hasNot("secret wish", "scout")
			}
			for _, p := range pageForms {
				b.post(p, url.Values{"text": {"what I typed"}}).is(http.StatusUnauthorized).has("what I typed")
			}
		})
	}
	owner, err := b.store.OwnerToken()
	must(t, err)
	b.cookie = &http.Cookie{Name: "quipu-7717", Value: owner}
	b.get("/").is(http.StatusUnauthorized) // the token is no session
	b.cookie = nil
	b.get("/", with("Authorization", "Bearer "+owner)).is(http.StatusUnauthorized)
}

func TestSessionEnds(t *testing.T) {
	tests := map[string]func(*browser){
		"signing out": func(b *browser) {
			kept := *b.cookie
			b.post("/sign-out", nil).is(http.StatusSeeOther)
			b.cookie = &kept // the browser's copy alone opens nothing
		},
		"rotating the token": func(b *browser) { _, err := b.store.RotateToken(); must(b.t, err) },
		"time":               func(b *browser) { b.clock.on(15 * 24 * time.Hour) },
	}
	for name, end := range tests {
		t.Run(name, func(t *testing.T) {
			b := signedIn(t)
			end(b)
			b.get("/bots/scout").is(http.StatusUnauthorized)
			b.post("/bots/scout/edit", url.Values{"text": {"typed for an hour"}}).is(http.StatusUnauthorized).has("typed for an hour", "It is not saved")
		})
	}
}

func TestFormsNeedTheirToken(t *testing.T) {
	b := signedIn(t)
	other := &browser{t: t, store: b.store, server: b.server}
	other.signIn()
	if b.csrf == "" || other.csrf == b.csrf {
		t.Fatalf("tokens %q and %q, want two", b.csrf, other.csrf)
	}
	for _, p := range pageForms {
		for name, token := range map[string]string{"none": "", "wrong": "x", "of another session": other.csrf, "the session itself": b.cookie.Value} {
			if a := b.post(p, url.Values{"csrf": {token}, "text": {"kept"}}); a.status != http.StatusForbidden {
				t.Errorf("%s with the token %s: %d", p, name, a.status)
			}
		}
		// In the address it does not count: it would stand in histories.
		b.post(p+"?csrf="+b.csrf, url.Values{"csrf": {""}}).is(http.StatusForbidden)
		for _, from := range []change{
			with("Sec-Fetch-Site", "cross-site"), with("Sec-Fetch-Site", "same-site"),
			func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "http://evil.example") },
			func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "null") },
		} {
			b.post(p, nil, from).is(http.StatusForbidden)
		}
	}
	b.get("/").is(http.StatusOK) // and nobody was signed out by it
}

func TestHeadersOfEveryPage(t *testing.T) {
	b := signedIn(t)
	b.write("memory/food.md", "tea\n")
	b.teach(policy.Update{Text: "likes tea"}, "")
	for _, p := range append([]string{"/sign-in", "/static/panel.css", "/static/panel.js"}, pages...) {
		a := b.get(p)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
				"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Server": "", "Access-Control-Allow-Origin": "",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", p, name, got, want)
			}
		}
	}
	// What is asked for by its hash never changes, and is nobody's.
	_, rest, _ := strings.Cut(b.get("/").body, `<link rel="stylesheet" href="`)
	sheet, _, _ := strings.Cut(rest, `"`)
	if a := b.get(sheet).is(http.StatusOK); !strings.Contains(a.header.Get("Cache-Control"), "immutable") || a.header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%s: %v", sheet, a.header)
	}
}

func TestForeignHostsGetNothing(t *testing.T) {
	b := signedIn(t)
	for _, name := range []string{"evil.example", "", ":7717", "localhost.evil.com", "127.0.0.1.evil.com", "127.0.0.1."} {
		for _, p := range []string{"/", "/bots/scout", "/static/panel.css", "/sign-in?code=x"} {
			b.get(p, func(r *http.Request) { r.Host = name }).is(http.StatusMisdirectedRequest)
		}
	}
}

func TestOddPathsLeadNowhereElse(t *testing.T) {
	b := signedIn(t)
	for _, p := range []string{"/bots//scout", "/bots/scout/../scout", "/bots/./scout", "/bots/scout/", "/bots/x//GET%20secret-name", "/static/../panel.go", "/static/%2e%2e/panel.go"} {
		a := b.get(p)
		if to := a.header.Get("Location"); a.status != http.StatusNotFound && !strings.HasPrefix(to, "/bots/scout") {
			t.Errorf("%s: %d %q", p, a.status, to)
		}
	}
	if strings.Contains(b.log.String(), "secret-name") {
		t.Error("the log holds a path")
	}
	b.post("/bots/scout/journal", nil).is(http.StatusNotFound)
}

func TestTheAPIStaysAsItIs(t *testing.T) {
	b := signedIn(t)
	for _, p := range []string{"/api/bots", "/api/bots/scout/memory", "/readyz", "/openapi.yaml", "/nothing"} {
		if a := b.get(p); a.status != http.StatusUnauthorized || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
			t.Errorf("%s with a session: %d %s, want the API's own refusal", p, a.status, a.header.Get("Content-Type"))
		}
	}
	b.get("/healthz").is(http.StatusOK)
}
