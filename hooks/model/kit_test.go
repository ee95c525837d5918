package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/repo"
)

const testKey = "sk-test-0123456789abcdefghij"

// lines is a log that many goroutines write.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// rig is Models with a clock, an environment and a configuration that a test may change.
type rig struct {
	*Models
	conf repo.Config
	env  map[string]string
	now  time.Time
	log  *lines
	dir  string
}

func newRig(t *testing.T, conf repo.Config) *rig {
	t.Helper()
	r := &rig{
		conf: conf, env: map[string]string{"THE_KEY": testKey}, log: &lines{}, dir: t.TempDir() + "/log",
		now: time.Date(2026, 3, 31, 23, 0, 0, 0, time.UTC),
	}
	r.Models = New(Options{
		Config: func() repo.Config { return r.conf },
		Getenv: func(name string) (string, bool) { v, ok := r.env[name]; return v, ok },
		Now:    func() time.Time { return r.now },
		Log:    slog.New(slog.NewTextHandler(r.log, nil)),
		Dir:    r.dir,
	})
	return r
}

// engine is the bot scout's engine.
func (r *rig) engine(t *testing.T) *Engine {
	t.Helper()
	e, err := r.For("scout")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// uses lists all that was counted.
func (r *rig) uses(t *testing.T) []Use {
	t.Helper()
	uses, err := r.Usage(time.Time{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return uses
}

// oneModel is a configuration whose one model, big, every bot has.
func oneModel(m repo.ModelConfig) repo.Config {
	return repo.Config{Model: "big", Models: map[string]repo.ModelConfig{"big": m}}
}

// call is a request as a server of the tests saw it.
type call struct {
	path   string
	header http.Header
	body   map[string]any
}

// server is a model's server. Its handler is given the number of the call, from 1.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	calls []call
}

func newServer(t *testing.T, handle func(n int, w http.ResponseWriter, r *http.Request)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		c := call{path: r.URL.Path, header: r.Header.Clone()}
		_ = json.Unmarshal(text, &c.body)
		s.mu.Lock()
		s.calls = append(s.calls, c)
		n := len(s.calls)
		s.mu.Unlock()
		handle(n, w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) seen() []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]call(nil), s.calls...)
}

// kinds are the two kinds of server, as the tests need to know them.
var kinds = []struct {
	name, path string
	answer     func(text string) string
	empty, cut string // answers without a text, and of a text that was cut off
	refused    string
	schemaAt   []string // of the request
	limitAt    string
}{
	{
		name: repo.KindOpenAI, path: "/v1/chat/completions",
		answer: func(text string) string {
			return fmt.Sprintf(`{"id":"1","object":"chat.completion","created":1,"model":"served","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`, quoteJSON(text))
		},
		empty:   `{"id":"1","object":"chat.completion","model":"served","choices":[]}`,
		cut:     `{"model":"served","choices":[{"finish_reason":"length","message":{"content":"hal"}}],"usage":{"prompt_tokens":11,"completion_tokens":7}}`,
		refused: `{"model":"served","choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"I will not"}}],"usage":{"prompt_tokens":11,"completion_tokens":7}}`,
		// The address of a server of one's own gets the older name of the limit.
		schemaAt: []string{"response_format", "json_schema", "schema"}, limitAt: "max_tokens",
	},
	{
		name: repo.KindAnthropic, path: "/v1/messages",
		answer: func(text string) string {
			return fmt.Sprintf(`{"id":"1","type":"message","role":"assistant","model":"served","stop_reason":"end_turn","content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":%s}],"usage":{"input_tokens":9,"cache_read_input_tokens":2,"output_tokens":7}}`, quoteJSON(text))
		},
		empty:    `{"id":"1","type":"message","model":"served","stop_reason":"end_turn","content":[]}`,
		cut:      `{"model":"served","stop_reason":"max_tokens","content":[{"type":"text","text":"hal"}],"usage":{"input_tokens":11,"output_tokens":7}}`,
		refused:  `{"model":"served","stop_reason":"refusal","content":[{"type":"text","text":"I will not"}],"usage":{"input_tokens":11,"output_tokens":7}}`,
		schemaAt: []string{"output_config", "format", "schema"}, limitAt: "max_tokens",
	},
}

func quoteJSON(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

// reply writes one JSON answer.
func reply(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After-Ms", "1")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// at is the value at a path of keys in a request, nil for none.
func at(body map[string]any, path ...string) any {
	var v any = body
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// noKey fails when a text holds the key of the tests or much of it.
func noKey(t *testing.T, what, text string) {
	t.Helper()
	for i := range len(testKey) - keyPart {
		if strings.Contains(text, testKey[i:i+keyPart]) {
			t.Errorf("%s shows the key: %s", what, text)
			return
		}
	}
}
