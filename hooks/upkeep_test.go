package hooks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/repo"
)

// script is a model on loopback that answers by rote: for each job what its function
// makes of the prompt.
type script struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string]int
	seen  map[string]string // the last prompt of each job
	say   map[string]func(prompt string) string
}

// jobs are told apart by their instructions.
var jobs = map[string]string{"capture": "long-term notes", "organize": "detail about a subject", "tidy": "cannot both be true", "reflect": "say together", "review": "You review one note"}

func newScript(t *testing.T) *script {
	t.Helper()
	s := &script{asked: map[string]int{}, seen: map[string]string{}, say: map[string]func(string) string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *script) answer(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || len(q.Messages) < 2 {
		http.Error(w, "no messages", http.StatusBadRequest)
		return
	}
	job, text := "", q.Messages[1].Content
	for name, words := range jobs {
		if strings.Contains(q.Messages[0].Content, words) {
			job = name
		}
	}
	s.mu.Lock()
	s.asked[job]++
	s.seen[job] = text
	say := s.say[job]
	s.mu.Unlock()
	answer := map[string]string{"capture": `{"facts":[]}`, "organize": `{"moves":[]}`, "tidy": `{"pairs":[]}`, "reflect": `{"reflections":[]}`}[job]
	if say != nil {
		answer = say(text)
	}
	if status, ok := strings.CutPrefix(answer, "HTTP "); ok {
		w.WriteHeader(map[string]int{"500": 500, "429": 429}[status])
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"model": "rote", "choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": answer}, "finish_reason": "stop"}},
		"usage": map[string]any{"prompt_tokens": 10, "completion_tokens": 5},
	})
}

// on sets what a job answers.
func (s *script) on(job, answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say[job] = func(string) string { return answer }
}

func (s *script) calls(job string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[job]
}

func (s *script) last(job string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[job]
}

// tended is a bench with upkeep, and a model where there is a script.
type tended struct {
	*bench
	up *Upkeep
}

func newTended(t *testing.T, s *script) *tended {
	t.Helper()
	b := newBench(t)
	if _, _, err := b.store.Create(t.Context(), "scout", "Scout"); err != nil {
		t.Fatal(err)
	}
	if s != nil {
		b.set("models", map[string]any{"rote": map[string]any{"kind": "openai", "baseURL": s.URL + "/v1", "model": "rote", "timeoutMs": 2000}})
		b.set("model", "rote")
	}
	return &tended{bench: b, up: NewUpkeep(b.store, NewModels(b.store, b.now, nil, nil), b.now, nil)}
}

func (b *bench) set(key string, value any) {
	b.t.Helper()
	if err := b.store.SetConfig(key, value); err != nil {
		b.t.Fatal(err)
	}
}

// day moves the clock to a local time of the zone that the bench keeps.
func (b *bench) clock(at string) {
	b.t.Helper()
	when, err := time.Parse("2006-01-02T15:04", at)
	if err != nil {
		b.t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = when
}

func (d *tended) tidy() TidyReport {
	d.t.Helper()
	r, err := d.up.Tidy(d.t.Context(), "scout", false, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func (d *tended) capture() CaptureReport {
	d.t.Helper()
	r, err := d.up.Capture(d.t.Context(), "scout", Capturing{})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func (d *tended) text(path string) string {
	d.t.Helper()
	text, err := d.ws().Read(d.t.Context(), path)
	if err != nil {
		d.t.Fatal(err)
	}
	return text.Text
}

// said runs a turn of the owner's: they say one thing and the bot another.
func (d *tended) said(c repo.Conversation, person, bot string) string {
	d.t.Helper()
	o, err := d.turns.Start(d.t.Context(), "scout", Opening{Conversation: c, Speaker: owner, Message: person})
	if err != nil {
		d.t.Fatal(err)
	}
	_, err = d.turns.End(d.t.Context(), "scout", o.Turn, Closing{Messages: []repo.Message{
		{Speaker: owner, Text: person}, {Speaker: repo.Speaker{By: repo.BySelf}, Text: bot},
	}})
	if err != nil {
		d.t.Fatal(err)
	}
	return o.Turn
}

func facts(list ...map[string]any) string {
	data, err := json.Marshal(map[string]any{"facts": list})
	if err != nil {
		panic(fmt.Sprint("a test's own facts: ", err))
	}
	return string(data)
}
