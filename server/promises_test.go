package server

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/server/panel"
)

// What a server on a person's machine promises, S1 to S17, and the tests that hold it where
// none of this file does:
//
//	S1  it listens on this machine alone unless told       cmd/quipu TestCheckListen
//	S2  it answers to its own names alone                  TestHostAllowed, TestForeignHostIsRefusedEverywhere, TestHostTricksOverTheWire
//	S3  pages of others get nothing done                   TestOtherPagesAreRefused, panel TestFormsNeedTheirToken
//	S4  nothing is told without a token or a session       TestWhoMay, TestTokenIsReadFromOneHeaderOnly, panel TestNothingIsShownWithoutSession
//	S5  a session is a strict cookie that ends             panel TestSignInLink, TestSessionEnds
//	S6  guessing is slow                                   TestGuessingIsSlowedDown, TestRightTokenNeverWaits, panel TestWrongCodesAreSlowedDown
//	S8  a folder opens for who sits there alone            TestOpen, TestOverASocket
//	S9  a path names a note or nothing                     TestPathsAreNotCleaned, TestBadPaths, TestLinkedFolders, panel TestPathsThatAreNoNotes
//	S11 JSON is read strictly, saves are hash-checked      TestDecode, TestDecodeStopsAtOneMebibyte, TestPutFileNeedsTheTextItWasBasedOn
//	S12 every answer has its headers                       TestHeadersOfEveryAnswer, panel TestHeadersOfEveryPage
//	S15 markup stays text                                  panel/browser TestHostileTextStaysText
//	S16 a remote runs nothing and gets nothing served      repo TestSyncHostile, TestSyncShapes, repo/internal/git TestRemoteRunsNothing
//	S17 a socket file is its owner's                       TestListenUnix, TestListenUnixTakesOverOnlyTheDead

// TestS7WhatABotMayDo names every route that a bot's own token opens: one more is a decision.
func TestS7WhatABotMayDo(t *testing.T) {
	var got []string
	for _, rt := range routes() {
		if rt.who == bot {
			got = append(got, rt.method+" "+strings.TrimPrefix(rt.path, oneBot))
		}
	}
	want := []string{
		"GET /memory", "GET /memory/file", "POST /memory/update", "POST /memory/tool",
		"GET /memory/load",
		"GET /memory/evidence", "POST /memory/evidence", "GET /memory/evidence/log", "POST /turns", "POST /turns/{turn}/end", "POST /recall",
		"GET /search", "GET /brief", "POST /capture", "GET /events", "GET /memory/journal", "GET /memory/stats", "GET /memory/directives", "POST /gate",
		"GET /memory/reflections", "POST /memory/reflections/answer", "GET /memory/images", "POST /memory/images", "GET /memory/images/{picture}",
		"GET /rules", "POST /rules/try",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("routes of a bot's token (-want +got):\n%s", diff)
	}
}

// TestS7NoTokenOpensThePanel: its pages are for a session, which a token is not.
func TestS7NoTokenOpensThePanel(t *testing.T) {
	h := newHarness(t)
	for who, token := range h.tokens {
		for _, pattern := range panel.Pages() {
			_, path, _ := strings.Cut(pattern, " ")
			path = strings.NewReplacer("{$}", "", "{id}", "scout", "{row}", "01ARZ3NDEKTSV4RRFFQ69G5FAV").Replace(path)
			got := h.do(http.MethodGet, path, nil, as(token), with("Cookie", "quipu-7717="+token))
			if got.status != http.StatusUnauthorized || strings.Contains(got.raw, "scout") {
				t.Errorf("%s with the token of %s: %d", path, who, got.status)
			}
		}
	}
}

// session signs a browser in and gives its cookie.
func (h *harness) session() string {
	h.t.Helper()
	code, err := h.store.NewLogin()
	must(h.t, err)
	secret, _, ok, err := h.store.TakeLogin(code)
	must(h.t, err)
	if !ok {
		h.t.Fatal("no session began")
	}
	return "quipu-7717=" + secret
}

// page is what the panel answers.
func (h *harness) page(target, cookie string) string {
	h.t.Helper()
	r := httptest.NewRequestWithContext(h.t.Context(), http.MethodGet, target, http.NoBody)
	r.Host = "127.0.0.1:7717"
	r.Header.Set("Cookie", cookie)
	w := httptest.NewRecorder()
	h.server.Handler().ServeHTTP(w, r)
	if w.Code == http.StatusUnauthorized {
		h.t.Fatalf("%s: the session opens nothing", target)
	}
	return w.Body.String()
}

func TestS10TheServerWaitsForNobodyForLong(t *testing.T) {
	h := newHarness(t)
	got := h.server.wire(t.Context())
	for name, tt := range map[string]struct{ got, most time.Duration }{
		"a header": {got.ReadHeaderTimeout, 10 * time.Second}, "a request": {got.ReadTimeout, 30 * time.Second},
		"an answer": {got.WriteTimeout, time.Minute}, "between requests": {got.IdleTimeout, 2 * time.Minute},
	} {
		if tt.got <= 0 || tt.got > tt.most {
			t.Errorf("%s may take %v, want at most %v", name, tt.got, tt.most)
		}
	}
	if got.MaxHeaderBytes <= 0 || got.MaxHeaderBytes > 64<<10 {
		t.Errorf("a header may have %d bytes", got.MaxHeaderBytes)
	}
}

// TestS10ConnectionsAreCounted: one too many waits until another goes, and is then answered.
func TestS10ConnectionsAreCounted(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	addr, _ := h.serving()
	dial := func() net.Conn {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	held := make([]net.Conn, 0, maxConnections)
	for range maxConnections {
		held = append(held, dial())
	}
	late := dial()
	_, err := io.WriteString(late, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	must(t, err)
	must(t, late.SetReadDeadline(time.Now().Add(300*time.Millisecond)))
	if n, err := late.Read(make([]byte, 1)); n > 0 || !os.IsTimeout(err) {
		t.Fatalf("connection %d was answered at once: %v", maxConnections+1, err)
	}
	must(t, held[0].Close())
	must(t, late.SetReadDeadline(time.Now().Add(headerTimeout)))
	if answer, err := io.ReadAll(late); err != nil || !strings.Contains(string(answer), "200 OK") {
		t.Errorf("after one went: %v %q", err, answer)
	}
}

// TestS10SlowBodiesAreCutOff sends a body byte by byte.
func TestS10SlowBodiesAreCutOff(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	addr, _ := h.serving()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	must(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "POST "+scout+"/memory/update HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "+h.tokens["owner"]+
		"\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
	must(t, err)
	begun := time.Now()
	go func() {
		for {
			if _, err := io.WriteString(conn, " "); err != nil {
				return
			}
			time.Sleep(200 * time.Millisecond)
		}
	}()
	must(t, conn.SetReadDeadline(begun.Add(readTimeout+5*time.Second)))
	if _, err := io.ReadAll(conn); os.IsTimeout(err) {
		t.Errorf("still connected after %v", time.Since(begun))
	}
	if h.onDisk("MEMORY.md") != "" && len(h.rows("?author=bot")) > 0 {
		t.Error("half a request changed something")
	}
}

// TestS13WhatAProxySaysCountsForNothing: none is trusted, so nobody gets more by saying it.
func TestS13WhatAProxySaysCountsForNothing(t *testing.T) {
	h := newHarness(t)
	h.do(http.MethodGet, "/healthz", nil, func(r *http.Request) { r.Host = "evil.com" }, with("X-Forwarded-Host", "localhost"), with("Forwarded", "host=localhost")).
		expect(t, http.StatusMisdirectedRequest, "")
	before := h.onDisk("MEMORY.md")
	for _, name := range []string{"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"} {
		h.do(http.MethodGet, scout+"/memory/file?path=MEMORY.md", nil, with(name, "DELETE")).expect(t, http.StatusOK, "")
	}
	for _, name := range []string{"X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix"} {
		h.do(http.MethodGet, "/healthz", nil, with(name, scout+"/memory"), as("")).expect(t, http.StatusOK, "")
	}
	if got := h.onDisk("MEMORY.md"); got != before {
		t.Errorf("MEMORY.md became %q", got)
	}
	// Whoever guesses is one guesser, however many they say to be.
	h.server.now = func() time.Time { return testTime }
	status := 0
	for n := range burst + 1 {
		from := fmt.Sprintf("10.0.0.%d", n)
		status = h.do(http.MethodGet, scout+"/memory", nil, as("wrong"), with("X-Forwarded-For", from), with("X-Real-IP", from), with("Forwarded", "for="+from)).status
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("guess %d got %d, want 429", burst+1, status)
	}
}

// plantedKey is a credential as a person pastes one by mistake.
var plantedKey = "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)

// plant says the key wherever somebody can say something that is kept.
func plant(h *harness) {
	h.t.Helper()
	note := "the key is " + plantedKey
	titled := chat("c1", "direct", "About "+plantedKey, "owner")
	h.do(http.MethodPost, "/api/bots", map[string]any{"id": "keyed", "name": plantedKey})
	h.do(http.MethodPatch, scout, map[string]any{"name": note})
	h.update(map[string]any{"action": "append", "text": note})
	h.update(map[string]any{"action": "append", "text": note, "topic": "keys " + plantedKey})
	h.update(map[string]any{"action": "append", "text": "of " + plantedKey, "source": plantedKey})
	h.update(map[string]any{"action": "replace", "oldText": plantedKey, "text": "none"})
	h.update(map[string]any{"action": "prefer", "text": note})
	h.put("memory/keys.md", "---\ntitle: "+plantedKey+"\naliases: ["+plantedKey+"]\n---\n- "+note+"\n", "")
	h.put("memory/"+plantedKey+".md", "- a note\n", "")
	h.edit("memory/outside.md", "- "+note+"\n")
	turn := h.begin(titled, map[string]any{"name": plantedKey, "owner": true}, note).str("turn")
	h.do(http.MethodPost, scout+"/turns/"+turn+"/end", map[string]any{
		"messages": []any{map[string]any{"by": "owner", "text": note}, map[string]any{"by": "self", "text": note}}, "tools": []string{plantedKey},
	})
	h.do(http.MethodPost, scout+"/capture", nil)
	h.do(http.MethodPut, "/api/profile/file", map[string]any{"text": note + "\n"}, with("If-None-Match", "*"))
	h.do(http.MethodPut, scout+"/remote", map[string]any{"url": "https://ada:" + plantedKey + "@example.invalid/x.git"})
	h.do(http.MethodPost, scout+"/memory/erase", map[string]any{"words": []string{plantedKey}, "preview": true})
	h.do(http.MethodPost, scout+"/memory/tool", map[string]any{"command": "create", "path": "/memories/tool.md", "file_text": note})
	h.do(http.MethodPost, scout+"/memory/tool", map[string]any{"command": "create", "path": "/memories/" + plantedKey + ".md", "file_text": note})
	h.do(http.MethodPost, scout+"/memory/tool", map[string]any{"command": "view", "path": "/memories/" + plantedKey})
}

// TestS14NoOutputHoldsACredential plants a key and looks for it in every answer, refusals
// too, in every page, in the log, the metrics and the files.
func TestS14NoOutputHoldsACredential(t *testing.T) {
	h := newHarness(t)
	plant(h)
	change := h.rows("?all=true")[0]["change"].(string)
	names := strings.NewReplacer("{id}", "scout", "{entryId}", change, "{turn}", change, "{conversation}", "c1", "{learnedId}", "x", "{row}", change, "{$}", "")
	query := "?path=memory/keys.md&change=" + change + "&line=5&all=true"
	look := func(what, text string) {
		t.Helper()
		if strings.Contains(strings.ToLower(text), strings.ToLower(plantedKey)) {
			t.Errorf("%s holds the key:\n%.2000s", what, text)
		}
	}
	for _, rt := range routes() {
		if rt.method == http.MethodGet && rt.who != self && rt.path != oneBot+"/events" { // which says only that something changed
			look(rt.path, h.do(rt.method, names.Replace(rt.path)+query, nil).raw)
		}
	}
	for _, path := range []string{"/search?q=key", "/memory/file?path=memory/outside.md", "/memory/diff?path=MEMORY.md", "/memory/load"} {
		look(path, h.do(http.MethodGet, scout+path, nil).raw)
	}
	cookie := h.session()
	for _, pattern := range panel.Pages() {
		_, path, _ := strings.Cut(pattern, " ")
		if path == "/sign-in" {
			continue
		}
		for _, q := range []string{query, "?path=MEMORY.md&line=4", "?path=memory/outside.md&line=1"} {
			look(path, h.page(names.Replace(path)+q, cookie))
		}
	}
	look("the log", h.log.String())
	must(t, filepath.WalkDir(h.store.Home(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		look("the name "+path, path)
		data, err := os.ReadFile(path)
		look(path, string(data))
		return err
	}))
}

// TestS14RefusalsDoNotRepeatACredential: what cannot be read is not told back.
func TestS14RefusalsDoNotRepeatACredential(t *testing.T) {
	h := newHarness(t)
	for what, body := range map[string]any{
		"a field's name":    map[string]any{"action": "append", "text": "x", plantedKey: 1},
		"an action":         map[string]any{"action": plantedKey, "text": "x"},
		"a date":            map[string]any{"action": "append", "text": "x", "until": plantedKey},
		"an old text":       map[string]any{"action": "replace", "oldText": plantedKey, "text": "x"},
		"a topic's name":    map[string]any{"action": "append", "text": "x", "topic": "../" + plantedKey},
		"a turn":            map[string]any{"action": "append", "text": "x", "turn": plantedKey},
		"what is no object": plantedKey,
	} {
		got := h.do(http.MethodPost, scout+"/memory/update", body)
		if got.status < 400 {
			t.Errorf("%s: %d", what, got.status)
		}
		if strings.Contains(got.raw, plantedKey) {
			t.Errorf("%s is told back: %s", what, got.raw)
		}
	}
	for _, target := range []string{"/memory/file?path=" + plantedKey, "/search?q=x&since=" + plantedKey, "/memory/diff?change=" + plantedKey, "/memory/journal?author=" + plantedKey} {
		if got := h.do(http.MethodGet, scout+target, nil); strings.Contains(got.raw, plantedKey) {
			t.Errorf("%s is told back: %s", target, got.raw)
		}
	}
	if strings.Contains(h.log.String(), plantedKey) {
		t.Error("the log holds the key")
	}
}

// TestS16GitIsNotServed asks for the repository by every path that could lead to it.
func TestS16GitIsNotServed(t *testing.T) {
	h := newHarness(t)
	cookie := h.session()
	for _, file := range []string{".git/config", ".git/HEAD", ".GIT/config", ".git", ".git/../.git/config", "memory/../.git/config", "./.git/config", ".git\\config", "memory/.git/config", ".gitattributes", ".gitmodules", "memory/.ledger.ndjson"} {
		for _, at := range []string{"/" + file, scout + "/" + file, "/bots/scout/" + file, "/static/" + file, "/static/..%2f..%2f" + file} {
			if got := h.do(http.MethodGet, "/x", nil, with("Cookie", cookie), func(q *http.Request) { q.URL.Path, q.URL.RawPath, q.RequestURI = at, "", at }); got.status == http.StatusOK {
				t.Errorf("%s: %d\n%s", at, got.status, got.raw)
			}
		}
		for _, at := range []string{scout + "/memory/file?path=", "/bots/scout/file?path=", "/bots/scout/edit?path=", "/bots/scout/text?path="} {
			if got := h.do(http.MethodGet, at+url.QueryEscape(file), nil, with("Cookie", cookie)); got.status == http.StatusOK {
				t.Errorf("%s%s: %d\n%s", at, file, got.status, got.raw)
			}
		}
	}
}

// TestS16RemotesAreOfKnownKinds: an address is asked by git, so it names no program to run.
func TestS16RemotesAreOfKnownKinds(t *testing.T) {
	h := newHarness(t)
	for _, address := range []string{
		"ext::sh -c id", "fd::7", "javascript://alert(1)", "ftp://example.org/x", "git://example.org/x", "gopher://x/x", "--upload-pack=id", "-x", "ssh://-oProxyCommand=id/x",
		"https://ada:pw@example.org/x", "transport::address", "",
	} {
		got := h.do(http.MethodPut, scout+"/remote", map[string]any{"url": address}).expect(t, http.StatusBadRequest, "")
		if strings.Contains(got.raw, "pw") {
			t.Errorf("%q: the answer tells the password: %s", address, got.raw)
		}
	}
	h.do(http.MethodGet, scout+"/remote", nil).expect(t, http.StatusNotFound, "")
	// A folder of this machine is a remote for who is at this machine.
	folder := map[string]any{"url": "file:///srv/notes.git"}
	away := func(r *http.Request) { r.RemoteAddr = "192.168.1.9:4000" }
	h.do(http.MethodPut, scout+"/remote", folder, away).expect(t, http.StatusForbidden, "forbidden")
	h.do(http.MethodPut, scout+"/remote", map[string]any{"url": "/srv/notes.git"}, away).expect(t, http.StatusForbidden, "forbidden")
	h.do(http.MethodPut, scout+"/remote", folder).expect(t, http.StatusOK, "")
}
