package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/repo"
)

var testPrompt = Prompt{
	System: "You file notes.", Text: "What is <new> & lasting?", Name: "facts", MaxTokens: 300,
	Schema: json.RawMessage(`{"type":"object","properties":{"facts":{"type":"array","items":{"type":"string"}}},"required":["facts"],"additionalProperties":false}`),
}

func TestServerIsAsked(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			s := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, kind.answer("\n{\"facts\":[]} ")) })
			r := newRig(t, oneModel(repo.ModelConfig{
				Kind: kind.name, BaseURL: s.URL + "/v1", Model: "small", KeyEnv: "THE_KEY", Price: &repo.PriceConfig{In: 3, Out: 15},
			}))
			got, err := r.engine(t).Complete(t.Context(), "capture", testPrompt)
			if err != nil {
				t.Fatal(err)
			}
			if got != `{"facts":[]}` {
				t.Errorf("answer %q", got)
			}
			asked := s.seen()[0]
			if asked.path != kind.path || asked.header.Get("Authorization") != "Bearer "+testKey {
				t.Errorf("asked %s with %s", asked.path, asked.header.Get("Authorization"))
			}
			if kind.name == repo.KindAnthropic && asked.header.Get("X-Api-Key") != testKey {
				t.Error("the older header has no key")
			}
			var schema map[string]any
			if err := json.Unmarshal(testPrompt.Schema, &schema); err != nil {
				t.Fatal(err)
			}
			want := []any{"small", schema, 300.0, nil}
			have := []any{asked.body["model"], at(asked.body, kind.schemaAt...), asked.body[kind.limitAt], asked.body["tools"]}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
			system, text := said(asked.body)
			if diff := cmp.Diff([]string{testPrompt.System, testPrompt.Text}, []string{system, text}); diff != "" {
				t.Errorf("prompt (-want +got):\n%s", diff)
			}
			cost := (3*11 + 15*7) / 1e6
			wantUse := []Use{{At: r.now, Bot: "scout", Job: "capture", Engine: "big", Model: "small", In: 11, Out: 7, Cost: &cost, OK: true}}
			if diff := cmp.Diff(wantUse, r.uses(t), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
				t.Errorf("use (-want +got):\n%s", diff)
			}
		})
	}
}

// said is the system's and the user's text of a request of either kind.
func said(body map[string]any) (system, text string) {
	raw, _ := json.Marshal(body)
	var request struct {
		System   []struct{ Text string }
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	_ = json.Unmarshal(raw, &request)
	for _, s := range request.System {
		system += s.Text
	}
	for _, m := range request.Messages {
		var plain string
		var blocks []struct{ Text string }
		_ = json.Unmarshal(m.Content, &plain)
		_ = json.Unmarshal(m.Content, &blocks)
		for _, b := range blocks {
			plain += b.Text
		}
		if m.Role == "system" {
			system += plain
		} else {
			text += plain
		}
	}
	return system, text
}

// TestServerFails holds for both kinds what a server may do and what becomes of it.
func TestServerFails(t *testing.T) {
	tests := []struct {
		name   string
		handle func(n int, w http.ResponseWriter, r *http.Request)
		calls  int
		want   string // the error's beginning; "" for an answer
	}{
		{"wrong key", func(_ int, w http.ResponseWriter, _ *http.Request) {
			reply(w, 401, `{"error":{"message":"Incorrect API key provided: `+testKey+`"}}`)
		}, 1, "the server refuses the key (401)"},
		{"key in the fault", func(_ int, w http.ResponseWriter, _ *http.Request) {
			reply(w, 404, `{"error":{"type":"x","message":"no model\n small for `+testKey+` (`+testKey[:12]+`...)"}}`)
		}, 1, "the server answers 404: no model small for [key] ([key]...)"},
		{"busy once", func(n int, w http.ResponseWriter, _ *http.Request) {
			if n == 1 {
				reply(w, 429, `{"error":{"message":"slow down"}}`)
				return
			}
			reply(w, 200, answerOf(w))
		}, 2, ""},
		{"busy for an hour", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(429)
		}, 1, "the server answers 429"},
		{"broken", func(_ int, w http.ResponseWriter, _ *http.Request) {
			reply(w, 500, `{"error":"out of memory"}`)
		}, 3, "the server answers 500: out of memory"},
		{"a page instead", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(502)
			_, _ = io.WriteString(w, "<html>"+testKey)
		}, 3, "the server answers 502"},
		{"told to ask again", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Should-Retry", "true")
			reply(w, 409, `{"detail":[{"msg":"no"}]}`)
		}, 1, `the server answers 409: [{"msg":"no"}]`},
		{"hangs up", func(int, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 3, "the connection to the server failed: "},
		{"hangs up half way", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "{")
		}, 3, "the connection to the server failed: read the answer: unexpected EOF"},
		{"10 MB", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"x":"`+strings.Repeat("a", 10_000_000)+`"}`)
		}, 1, "the answer is over 1 MiB"},
		{"10 MB of a fault", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			_, _ = io.WriteString(w, strings.Repeat("a", 10_000_000))
		}, 1, "the answer is over 1 MiB"},
		{"no end", func(_ int, w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat(" ", 4096)); err != nil {
					return
				}
			}
		}, 1, "the answer is over 1 MiB"},
		{"garbage", func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, "\x00{not json") }, 1, "the server's answer cannot be read"},
		{"a text", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "hello")
		}, 1, "the server's answer cannot be read"},
		{"nothing", func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, "") }, 1, "the server's answer cannot be read"},
		{"null", func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, "null") }, 1, "the model answered nothing"},
		{"other shapes", func(_ int, w http.ResponseWriter, _ *http.Request) {
			reply(w, 200, `{"choices":"x","content":{"a":1},"usage":[],"model":7}`)
		}, 1, "the "},
		{"sent elsewhere", func(_ int, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://localhost:1/elsewhere", http.StatusPermanentRedirect)
		}, 1, "the server sends the call elsewhere"},
	}
	for _, kind := range kinds {
		for _, tt := range tests {
			t.Run(kind.name+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				s := newServer(t, func(n int, w http.ResponseWriter, r *http.Request) {
					w.Header().Set("X-Answer", kind.answer("fine"))
					w.Header().Set("Retry-After-Ms", "1")
					tt.handle(n, w, r)
				})
				r := newRig(t, oneModel(repo.ModelConfig{Kind: kind.name, BaseURL: s.URL + "/v1/", Model: "small", KeyEnv: "THE_KEY", TimeoutMs: 20_000}))
				got, err := r.engine(t).Complete(t.Context(), "tidy", Prompt{Text: "secret question"})
				if len(s.seen()) != tt.calls {
					t.Errorf("%d calls, want %d", len(s.seen()), tt.calls)
				}
				use := r.uses(t)
				if len(use) != 1 || use[0].OK != (tt.want == "") {
					t.Errorf("uses %+v", use)
				}
				if tt.want == "" {
					if got != "fine" || err != nil {
						t.Errorf("got %q, %v", got, err)
					}
					return
				}
				if !errors.Is(err, ErrFailed) || !strings.HasPrefix(err.Error(), tt.want) || use[0].Error != "failed" {
					t.Fatalf("got %v (%s), want an ErrFailed with %q", err, use[0].Error, tt.want)
				}
				if len([]rune(err.Error())) > maxQuote+100 || strings.Contains(err.Error(), "\n") {
					t.Errorf("the error is no short line: %q", err)
				}
				noKey(t, "the error", err.Error())
				noKey(t, "the log", r.log.String())
			})
		}
	}
}

func answerOf(w http.ResponseWriter) string { return w.Header().Get("X-Answer") }

func TestServerAnswersOfNoUse(t *testing.T) {
	for _, kind := range kinds {
		for name, tt := range map[string]struct {
			body, want string
			in         int
		}{
			"empty":   {kind.empty, "the model answered nothing", 0},
			"blank":   {kind.answer(" \n"), "the model answered nothing", 11},
			"cut":     {kind.cut, "the answer was cut off at 2000 tokens", 11},
			"refused": {kind.refused, "the model refused to answer", 11},
		} {
			t.Run(kind.name+" "+name, func(t *testing.T) {
				s := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, tt.body) })
				r := newRig(t, oneModel(repo.ModelConfig{Kind: kind.name, BaseURL: s.URL + "/v1", Model: "small"}))
				_, err := r.engine(t).Complete(t.Context(), "tidy", Prompt{Text: "x"})
				if !errors.Is(err, ErrFailed) || err.Error() != tt.want {
					t.Errorf("got %v, want %q", err, tt.want)
				}
				if uses := r.uses(t); len(uses) != 1 || uses[0].In != tt.in {
					t.Errorf("uses %+v, want %d tokens in", uses, tt.in)
				}
				if asked := s.seen()[0]; asked.header.Get("Authorization") != "" || asked.header.Get("X-Api-Key") != "" {
					t.Errorf("a server without a key was sent one: %v", asked.header)
				}
			})
		}
	}
}

func TestServerTakesTooLong(t *testing.T) {
	hang := func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	drip := func(_ int, w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}
	busy := func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }
	for _, kind := range kinds {
		for name, handle := range map[string]func(int, http.ResponseWriter, *http.Request){"hangs": hang, "drips": drip, "is busy": busy} {
			t.Run(kind.name+" "+name, func(t *testing.T) {
				t.Parallel()
				s := newServer(t, handle)
				r := newRig(t, oneModel(repo.ModelConfig{Kind: kind.name, BaseURL: s.URL, Model: "small", TimeoutMs: 150}))
				start := time.Now()
				_, err := r.engine(t).Complete(t.Context(), "tidy", Prompt{Text: "x"})
				if !errors.Is(err, ErrTimeout) || err.Error() != "the model did not answer within 0.15 s" {
					t.Errorf("got %v, want an ErrTimeout", err)
				}
				if took := time.Since(start); took > 3*time.Second {
					t.Errorf("it took %v", took)
				}
				if uses := r.uses(t); len(uses) != 1 || uses[0].Error != "timeout" {
					t.Errorf("uses %+v", uses)
				}
			})
		}
	}
}

func TestCallerEndsTheCall(t *testing.T) {
	s := newServer(t, func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	r := newRig(t, oneModel(repo.ModelConfig{Kind: repo.KindOpenAI, BaseURL: s.URL, Model: "small"}))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := r.engine(t).Complete(ctx, "tidy", Prompt{Text: "x"}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrFailed) {
		t.Errorf("got %v, want context.Canceled alone", err)
	}
	short, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := r.engine(t).Complete(short, "tidy", Prompt{Text: "x"}); !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v, want ErrTimeout", err)
	}
	var words []string
	for _, u := range r.uses(t) {
		words = append(words, u.Error)
	}
	if diff := cmp.Diff([]string{"canceled", "timeout"}, words); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
}

// TestSchemaIsDropped: a server that cannot hold an answer to a schema is asked
// without it, and one that objects to something else is not.
func TestSchemaIsDropped(t *testing.T) {
	tests := map[string]struct {
		status int
		body   string
		again  bool
	}{
		"unknown format":   {400, `{"error":{"message":"response_format is not supported"}}`, true},
		"unknown field":    {422, `{"detail":[{"loc":["body","output_config"],"msg":"Extra inputs are not permitted"}]}`, true},
		"schema too rich":  {400, `{"error":{"message":"Invalid JSON Schema: too deep"}}`, true},
		"silent":           {400, ``, true},
		"too long":         {400, `{"error":{"message":"the prompt is over the context window"}}`, false},
		"no such model":    {404, `{"error":{"message":"no schema for this model"}}`, false},
		"a plain sentence": {400, `json_schema: unsupported`, true},
	}
	for _, kind := range kinds {
		for name, tt := range tests {
			t.Run(kind.name+" "+name, func(t *testing.T) {
				s := newServer(t, func(n int, w http.ResponseWriter, _ *http.Request) {
					if n == 1 {
						reply(w, tt.status, tt.body)
						return
					}
					reply(w, 200, kind.answer("fine"))
				})
				r := newRig(t, oneModel(repo.ModelConfig{Kind: kind.name, BaseURL: s.URL + "/v1", Model: "small"}))
				got, err := r.engine(t).Complete(t.Context(), "tidy", testPrompt)
				calls := s.seen()
				if again := len(calls) == 2; again != tt.again || again != (err == nil) || again != (got == "fine") {
					t.Fatalf("%d calls, %q, %v; asked again should be %v", len(calls), got, err, tt.again)
				}
				if tt.again && at(calls[1].body, kind.schemaAt...) != nil {
					t.Error("the second call has the schema still")
				}
				if len(r.uses(t)) != 1 {
					t.Errorf("%d uses, want one a call", len(r.uses(t)))
				}
			})
		}
	}
}

func TestLimitOfTokensHasTwoNames(t *testing.T) {
	s := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		reply(w, 400, `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`)
	})
	r := newRig(t, oneModel(repo.ModelConfig{Kind: repo.KindOpenAI, BaseURL: s.URL, Model: "small"}))
	if _, err := r.engine(t).Complete(t.Context(), "tidy", Prompt{Text: "x"}); !errors.Is(err, ErrFailed) {
		t.Errorf("got %v, want ErrFailed", err)
	}
	var names []string
	for _, c := range s.seen() {
		names = append(names, fmt.Sprint(c.body["max_tokens"], " ", c.body["max_completion_tokens"]))
	}
	if diff := cmp.Diff([]string{"2000 <nil>", "<nil> 2000"}, names); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

func TestThinkingIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"<think>\nhm {\"a\":0}\n</think>\n{\"a\":1}": "\n{\"a\":1}",
		"plain":                      "plain",
		"write </think> to end":      "write </think> to end",
		"<think> without an end":     "<think> without an end",
		"see <think>a</think> there": "see <think>a</think> there",
	} {
		if got := thought(text); got != want {
			t.Errorf("thought(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestRedirectIsNotFollowed: it would carry the key and the prompt to another host.
func TestRedirectIsNotFollowed(t *testing.T) {
	for _, kind := range kinds {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprint(kind.name, " ", status), func(t *testing.T) {
				other := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, kind.answer("caught")) })
				s := newServer(t, func(_ int, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+r.URL.Path, status) })
				r := newRig(t, oneModel(repo.ModelConfig{Kind: kind.name, BaseURL: s.URL, Model: "small", KeyEnv: "THE_KEY"}))
				_, err := r.engine(t).Complete(t.Context(), "tidy", Prompt{Text: "x"})
				if !errors.Is(err, ErrFailed) || len(other.seen()) != 0 || len(s.seen()) != 1 {
					t.Errorf("got %v after %d calls and %d elsewhere", err, len(s.seen()), len(other.seen()))
				}
			})
		}
	}
}

// TestKitsReadNoEnvironment: a key that the environment has for another tool is not
// sent to a server that nobody meant it for.
func TestKitsReadNoEnvironment(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} {
		t.Setenv(name, testKey)
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	for _, kind := range kinds {
		s := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, kind.answer("fine")) })
		r := newRig(t, oneModel(repo.ModelConfig{Kind: kind.name, BaseURL: s.URL, Model: "small"}))
		if _, err := r.engine(t).Complete(t.Context(), "tidy", Prompt{Text: "x"}); err != nil {
			t.Fatal(err)
		}
		noKey(t, "the request", fmt.Sprint(s.seen()[0].header))
	}
}
