package model

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/repo"
)

func TestModelOfABot(t *testing.T) {
	off := false
	models := map[string]repo.ModelConfig{
		"big":    {Kind: repo.KindOpenAI, Model: "m1", KeyEnv: "THE_KEY"},
		"local":  {Kind: repo.KindOpenAI, BaseURL: "http://127.0.0.1:11434/v1", Model: "llama"},
		"claude": {Kind: repo.KindAnthropic, Model: "haiku", KeyEnv: "THE_KEY"},
		"cli":    {Kind: repo.KindExec, Command: []string{"claude", "-p"}},
		"keyed":  {Kind: repo.KindOpenAI, Model: "m1", KeyEnv: "NO_KEY"},
		"bare":   {Kind: repo.KindAnthropic, Model: "haiku"},
		"which":  {Kind: repo.KindOpenAI, KeyEnv: "THE_KEY"},
		"odd":    {Kind: "acp", Model: "x"},
		"hollow": {Kind: repo.KindExec},
	}
	helper := func(name string) repo.HelperConfig { return repo.HelperConfig{InstanceID: name} }
	bot := func(b repo.BotConfig) map[repo.ID]repo.BotConfig { return map[repo.ID]repo.BotConfig{"scout": b} }
	const none = "no model is set for this bot"
	tests := []struct {
		name   string
		conf   repo.Config
		engine string // "" for none
		model  string
		helper bool
		why    string
		logged bool
	}{
		{name: "nothing is set", why: none},
		{name: "everyone's", conf: repo.Config{Model: "big"}, engine: "big", model: "m1"},
		{name: "the bot's own first", conf: repo.Config{Model: "big", Bots: bot(repo.BotConfig{Model: "cli"})}, engine: "cli"},
		{name: "another bot's own", conf: repo.Config{Model: "big", Bots: map[repo.ID]repo.BotConfig{"other": {Model: "cli"}}}, engine: "big", model: "m1"},
		{name: "own before the helper", conf: repo.Config{Model: "local", Helper: helper("claude")}, engine: "local", model: "llama"},
		{name: "own that cannot be used, beside a helper", conf: repo.Config{Model: "keyed", Helper: helper("claude")}, why: "the model keyed cannot be used: the variable NO_KEY is not set"},
		{name: "own that is gone, beside a helper", conf: repo.Config{Bots: bot(repo.BotConfig{Model: "gone"}), Helper: helper("claude")}, why: "the model gone cannot be used: it is not among models"},
		{name: "helper", conf: repo.Config{Helper: helper("claude")}, engine: "claude", model: "haiku", helper: true},
		{name: "helper of a local server", conf: repo.Config{Helper: helper("local")}, engine: "local", model: "llama", helper: true},
		{name: "helper with a model of its own", conf: repo.Config{Helper: repo.HelperConfig{InstanceID: "claude", Model: "tiny"}}, engine: "claude", model: "tiny", helper: true},
		{name: "helper that names the model alone", conf: repo.Config{Helper: repo.HelperConfig{InstanceID: "which", Model: "tiny"}}, engine: "which", model: "tiny", helper: true},
		{name: "helper's model without a helper", conf: repo.Config{Helper: repo.HelperConfig{Model: "tiny"}}, why: none},
		{name: "kept off the helper", conf: repo.Config{Helper: helper("claude"), Bots: bot(repo.BotConfig{HelperModel: &off})}, why: none + ", and it is kept off the helper model"},
		{name: "kept off, with its own", conf: repo.Config{Model: "big", Helper: helper("claude"), Bots: bot(repo.BotConfig{HelperModel: &off})}, engine: "big", model: "m1"},
		{name: "helper that is gone", conf: repo.Config{Helper: helper("gone")}, why: none + ", and the helper model gone cannot be used: it is not among models", logged: true},
		{name: "helper without its key", conf: repo.Config{Helper: helper("keyed")}, why: none + ", and the helper model keyed cannot be used: the variable NO_KEY is not set", logged: true},
		{name: "helper that needs a key", conf: repo.Config{Helper: helper("bare")}, why: none + ", and the helper model bare cannot be used: it needs keyEnv, the name of the variable that holds the key", logged: true},
		{name: "helper without a model", conf: repo.Config{Helper: helper("which")}, why: none + ", and the helper model which cannot be used: it does not say which model of the server's", logged: true},
		{name: "helper of an unknown kind", conf: repo.Config{Helper: helper("odd")}, why: none + `, and the helper model odd cannot be used: its kind "acp" is unknown`, logged: true},
		{name: "helper that is a command", conf: repo.Config{Helper: helper("cli")}, why: none + ", and the helper model cli cannot be used: it is a command, and has to be an API model", logged: true},
		{name: "own command without words", conf: repo.Config{Model: "hollow"}, why: "the model hollow cannot be used: it names no command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.conf.Models = models
			r := newRig(t, tt.conf)
			e, err := r.For("scout")
			if tt.engine == "" {
				u, ok := errors.AsType[*Unavailable](err)
				if !ok || !errors.Is(err, ErrNone) || u.Why != tt.why || err.Error() != tt.why {
					t.Errorf("got %v, want an Unavailable: %s", err, tt.why)
				}
			} else if err != nil {
				t.Error(err)
			} else if diff := cmp.Diff([]any{tt.engine, tt.model, tt.helper}, []any{e.Name(), e.conf.Model, e.Helper()}); diff != "" {
				t.Errorf("engine (-want +got):\n%s", diff)
			}
			if logged := r.log.String() != ""; logged != tt.logged {
				t.Errorf("the log has %q", r.log)
			}
		})
	}
}

func TestHelperFaultIsLoggedOnce(t *testing.T) {
	r := newRig(t, repo.Config{
		Models: map[string]repo.ModelConfig{"claude": {Kind: repo.KindAnthropic, Model: "haiku", KeyEnv: "LATER"}},
		Helper: repo.HelperConfig{InstanceID: "claude"},
	})
	steps := []struct {
		name   string
		change func()
		lines  int
	}{
		{"first", func() {}, 1},
		{"again", func() {}, 1},
		{"another reason", func() { r.conf.Helper.InstanceID = "gone" }, 2},
		{"another reason again", func() {}, 2},
		{"the first reason after a change", func() { r.conf.Helper.InstanceID = "claude" }, 3},
		{"a change elsewhere", func() { r.conf.Listen = "127.0.0.1:1" }, 4},
		{"mended", func() { r.env["LATER"] = testKey }, 4},
		{"broken as before", func() { delete(r.env, "LATER") }, 4},
	}
	for _, s := range steps {
		s.change()
		for _, bot := range []repo.ID{"scout", "other"} {
			_, err := r.For(bot)
			if (err == nil) != (s.name == "mended") {
				t.Errorf("%s: got %v", s.name, err)
			}
		}
		if got := strings.Count(r.log.String(), "the helper model is not used"); got != s.lines {
			t.Errorf("%s: %d lines, want %d:\n%s", s.name, got, s.lines, r.log)
		}
	}
	noKey(t, "the log", r.log.String())
}

// TestHelperThatFails: it is logged once why, without what the server says, and the
// use is the helper's.
func TestHelperThatFails(t *testing.T) {
	s := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		reply(w, 404, `{"error":{"message":"you asked: where do I live"}}`)
	})
	r := newRig(t, repo.Config{
		Models: map[string]repo.ModelConfig{"far": {Kind: repo.KindOpenAI, BaseURL: s.URL, Model: "m"}},
		Helper: repo.HelperConfig{InstanceID: "far", Model: "tiny"},
	})
	for range 3 {
		if _, err := r.engine(t).Complete(t.Context(), "capture", Prompt{Text: "where do I live"}); !errors.Is(err, ErrFailed) {
			t.Fatalf("got %v, want ErrFailed", err)
		}
	}
	if log := r.log.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, "the server answers 404") || strings.Contains(log, "live") {
		t.Errorf("the log has\n%s", log)
	}
	want := Use{At: r.now, Bot: "scout", Job: "capture", Engine: "far", Model: "tiny", Helper: true, Error: "failed"}
	if diff := cmp.Diff([]Use{want, want, want}, r.uses(t)); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
	if got := s.seen()[0].body["model"]; got != "tiny" {
		t.Errorf("asked %v, want the helper's model", got)
	}
}

// TestOwnModelThatFails: the helper does not take its place.
func TestOwnModelThatFails(t *testing.T) {
	helper := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 200, kinds[0].answer("taken")) })
	own := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { reply(w, 404, "") })
	r := newRig(t, repo.Config{
		Models: map[string]repo.ModelConfig{
			"own": {Kind: repo.KindOpenAI, BaseURL: own.URL, Model: "m"},
			"far": {Kind: repo.KindOpenAI, BaseURL: helper.URL, Model: "m"},
		},
		Model: "own", Helper: repo.HelperConfig{InstanceID: "far"},
	})
	_, err := r.engine(t).Complete(t.Context(), "capture", Prompt{Text: "x"})
	if !errors.Is(err, ErrFailed) || len(helper.seen()) != 0 {
		t.Errorf("got %v after %d calls of the helper", err, len(helper.seen()))
	}
}
