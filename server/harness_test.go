package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"quipu/repo"
)

var testTime = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// clock ticks a second at each reading, so that no two changes share a time.
func clock() func() time.Time {
	var mu sync.Mutex
	now := testTime
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

// spec3 is openapi.yaml, parsed once: it takes longer than a test.
var spec3 = sync.OnceValue(func() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(OpenAPI())
	if err != nil {
		panic(err)
	}
	return doc
})

var specRouter = sync.OnceValue(func() routers.Router {
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.PlainBodyDecoder)
	r, err := gorillamux.NewRouter(spec3())
	if err != nil {
		panic(err)
	}
	return r
})

// harness is a server over a real home with two bots, and everyone's tokens.
type harness struct {
	t      testing.TB
	store  *repo.Store
	server *Server
	log    *lockedBuffer
	tokens map[string]string // owner, scout, other, member
	opened []string
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	h := &harness{t: t, log: &lockedBuffer{}, tokens: map[string]string{}}
	log := slog.New(slog.NewTextHandler(h.log, nil))
	now := clock()
	var err error
	h.store, err = repo.OpenHome(filepath.Join(t.TempDir(), "home"), repo.Options{Now: now, Log: log})
	must(t, err)
	t.Cleanup(func() { must(t, h.store.Close()) })
	h.server = New(h.store, Options{Now: now, Log: log, EraseWait: time.Minute, Open: func(_ context.Context, target, _ string) error {
		h.opened = append(h.opened, target)
		return nil
	}})
	for _, id := range []repo.ID{"scout", "other"} {
		_, _, err := h.store.Create(t.Context(), id, "")
		must(t, err)
		h.tokens[string(id)], _, err = h.store.CreateToken(repo.RoleBot, id, "")
		must(t, err)
	}
	h.tokens["owner"], err = h.store.OwnerToken()
	must(t, err)
	h.tokens["member"], _, err = h.store.CreateToken(repo.RoleMember, "scout", "Ada")
	must(t, err)
	return h
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// reply is an answer with its body decoded.
type reply struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// code is the body's word for programs.
func (r reply) code() string { s, _ := r.body["code"].(string); return s }

func (r reply) str(name string) string { s, _ := r.body[name].(string); return s }

func (r reply) obj(name string) map[string]any { m, _ := r.body[name].(map[string]any); return m }

func (r reply) list(name string) []map[string]any {
	values, _ := r.body[name].([]any)
	var list []map[string]any
	for _, v := range values {
		m, _ := v.(map[string]any)
		list = append(list, m)
	}
	return list
}

// change alters a request before it is sent.
type change func(*http.Request)

func as(token string) change {
	return func(r *http.Request) {
		r.Header.Del("Authorization")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}
}

func with(name, value string) change {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// do sends a request as the owner. Body may be nil, a string sent as it is, or a
// value sent as JSON. Request and answer are held to openapi.yaml.
func (h *harness) do(method, target string, body any, changes ...change) reply {
	h.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		data, err := json.Marshal(b)
		must(h.t, err)
		reader = bytes.NewReader(data)
	}
	ctx := h.t.Context()
	if strings.HasSuffix(target, "/events") { // it would go on until the test ends
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
	}
	r := httptest.NewRequestWithContext(ctx, method, target, reader)
	r.Host = "127.0.0.1:7717"
	r.RemoteAddr = "127.0.0.1:50000"
	as(h.tokens["owner"])(r)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range changes {
		c(r)
	}
	var kept []byte
	if reader != nil {
		kept, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(kept))
	}
	w := httptest.NewRecorder()
	h.server.Handler().ServeHTTP(w, r)
	if kept != nil {
		r.Body = io.NopCloser(bytes.NewReader(kept))
	}
	h.holdToSpec(r, w)
	answer := reply{status: w.Code, header: w.Header(), raw: w.Body.String()}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		must(h.t, json.Unmarshal(w.Body.Bytes(), &answer.body))
	}
	return answer
}

// holdToSpec checks an answer, and a request that was accepted, against openapi.yaml.
func (h *harness) holdToSpec(r *http.Request, w *httptest.ResponseRecorder) {
	h.t.Helper()
	route, params, err := specRouter().FindRoute(r)
	if err != nil {
		if w.Code < 400 {
			h.t.Errorf("%s %s was answered with %d, but openapi.yaml does not know it: %v", r.Method, r.URL, w.Code, err)
		}
		return
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
	if w.Code < 400 {
		if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
			h.t.Errorf("%s %s was accepted, but openapi.yaml refuses it: %v", r.Method, r.URL, err)
		}
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: w.Code, Header: w.Header(), Options: options}
	out.SetBodyBytes(w.Body.Bytes())
	if err := openapi3filter.ValidateResponse(r.Context(), out); err != nil {
		h.t.Errorf("%s %s: the answer %d is not what openapi.yaml says: %v\n%s", r.Method, r.URL, w.Code, err, w.Body)
	}
}

// file is where a note of scout's lies.
func (h *harness) file(path string) string {
	return filepath.Join(h.store.Home(), "workspaces", "scout", filepath.FromSlash(path))
}

// edit writes a note of scout's from outside, as an editor would.
func (h *harness) edit(path, text string) {
	h.t.Helper()
	must(h.t, os.MkdirAll(filepath.Dir(h.file(path)), 0o700))
	must(h.t, os.WriteFile(h.file(path), []byte(text), 0o600))
}

// onDisk is a note's text, "" when there is none.
func (h *harness) onDisk(path string) string {
	data, _ := os.ReadFile(h.file(path))
	return string(data)
}

// breakConfig makes config.json invalid.
func breakConfig(t testing.TB, store *repo.Store) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(store.Home(), "config.json"), []byte(`{"timezone":`), 0o600))
}

const scout = "/api/bots/scout"

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// expect fails the test unless the answer has this status and, when it is not
// empty, this code.
func (r reply) expect(t testing.TB, status int, code string) reply {
	t.Helper()
	if r.status != status || (code != "" && r.code() != code) {
		t.Fatalf("got %d %q, want %d %q\n%s", r.status, r.code(), status, code, r.raw)
	}
	return r
}
