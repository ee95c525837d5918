package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"quipu/repo"
)

// Options configures Models.
type Options struct {
	Config func() repo.Config          // the configuration in force, asked anew for each job; required
	Getenv func(string) (string, bool) // for the keys; nil is an empty environment
	Now    func() time.Time            // the clock of what is counted; required
	Log    *slog.Logger                // nil discards
	Redact func(string) (string, int)  // masks secrets in what a model's side says of a failure; nil masks keys alone
	Dir    string                      // where usage.ndjson lies; made when it is missing; required
}

// Models picks engines and counts what they use. It is safe for concurrent use.
type Models struct {
	o         Options
	transport http.RoundTripper
	book      *book

	mu    sync.Mutex
	conf  string          // the configuration that told is of
	noted map[string]bool // what the log was told already
}

// New makes Models. Nothing is read or written yet.
func New(o Options) *Models {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Getenv == nil {
		o.Getenv = func(string) (string, bool) { return "", false }
	}
	m := &Models{o: o, transport: http.DefaultTransport, book: &book{path: filepath.Join(o.Dir, "usage.ndjson")}}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.MaxResponseHeaderBytes = 64 << 10 // Go's own 10 MB is for others than a model
		m.transport = t
	}
	return m
}

// For gives the engine that writes a bot's background text: the bot's own, else
// everyone's, else the helper unless the bot is kept off it. An Unavailable says why
// there is none. A bot with an engine of its own never gets the helper, not even when
// its own cannot be used. An engine is for one job: the next one asks again, since the
// configuration may have changed.
func (m *Models) For(bot repo.ID) (*Engine, error) {
	c := m.o.Config()
	if own := c.ModelOf(bot); own != "" {
		e, why := m.engine(c, bot, own, c.Models[own])
		if why != "" {
			return nil, &Unavailable{Why: fmt.Sprintf("the model %s cannot be used: %s", own, why)}
		}
		return e, nil
	}
	name := c.Helper.InstanceID
	switch {
	case name == "":
		return nil, &Unavailable{Why: ErrNone.Error()}
	case !c.HelperOn(bot):
		return nil, &Unavailable{Why: ErrNone.Error() + ", and it is kept off the helper model"}
	}
	conf := c.Models[name]
	if c.Helper.Model != "" {
		conf.Model = c.Helper.Model
	}
	e, why := m.engine(c, bot, name, conf)
	if why == "" && conf.Kind == repo.KindExec {
		why = "it is a command, and has to be an API model"
	}
	if why != "" {
		m.note(c, name, why)
		return nil, &Unavailable{Why: fmt.Sprintf("%s, and the helper model %s cannot be used: %s", ErrNone, name, why)}
	}
	e.helper = true
	return e, nil
}

// engine makes the engine of a name among the models, or says why it cannot be used.
func (m *Models) engine(c repo.Config, bot repo.ID, name string, conf repo.ModelConfig) (e *Engine, why string) {
	if _, ok := c.Models[name]; !ok {
		return nil, "it is not among models"
	}
	key := ""
	if conf.KeyEnv != "" {
		value, _ := m.o.Getenv(conf.KeyEnv)
		if key = strings.TrimSpace(value); key == "" {
			return nil, "the variable " + conf.KeyEnv + " is not set"
		}
	}
	e = &Engine{models: m, bot: bot, name: name, conf: conf}
	base := conf.BaseURL
	switch conf.Kind {
	case repo.KindOpenAI:
		if base == "" {
			base = openAIHome
		}
		e.model = &chat{base: strings.TrimRight(base, "/") + "/", model: conf.Model, key: key, transport: m.transport}
	case repo.KindAnthropic:
		if base == "" {
			base = anthropicHome
		}
		// The kit's paths begin with v1 themselves; people write it as for the others.
		base = strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1")
		e.model = &messages{base: base + "/", model: conf.Model, key: key, transport: m.transport}
	case repo.KindExec:
		if len(conf.Command) == 0 {
			return nil, "it names no command"
		}
		e.model = &command{words: conf.Command, key: key, hide: othersKeys(c, conf.KeyEnv)}
		return e, ""
	default:
		return nil, fmt.Sprintf("its kind %q is unknown", conf.Kind)
	}
	switch {
	case conf.Model == "":
		return nil, "it does not say which model of the server's"
	case conf.BaseURL == "" && key == "":
		return nil, "it needs keyEnv, the name of the variable that holds the key"
	}
	return e, ""
}

// othersKeys are the variables that hold the keys of models other than the one with
// this variable.
func othersKeys(c repo.Config, own string) map[string]bool {
	names := map[string]bool{}
	for _, m := range c.Models {
		if m.KeyEnv != "" && m.KeyEnv != own {
			names[m.KeyEnv] = true
		}
	}
	return names
}

// masked is an error in which what the other side said holds no secret: neither a key
// of any model nor what reads like one.
func (m *Models) masked(err error) error {
	f, ok := errors.AsType[*failure](err)
	if !ok || f.quote == "" {
		return err
	}
	said := f.quote
	for _, conf := range m.o.Config().Models {
		if key, _ := m.o.Getenv(conf.KeyEnv); conf.KeyEnv != "" {
			said = hush(said, strings.TrimSpace(key))
		}
	}
	if m.o.Redact != nil {
		said, _ = m.o.Redact(said)
	}
	return &failure{is: f.is, text: f.text, quote: said}
}

// note tells the log why the helper is not used: once for each reason, and again when
// the configuration changed.
func (m *Models) note(c repo.Config, name, why string) {
	now, err := json.Marshal(c)
	if err != nil {
		now = nil // never of a Config: the reasons of all configurations are then one list
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.noted == nil || m.conf != string(now) {
		m.conf, m.noted = string(now), map[string]bool{}
	}
	if what := name + "\x00" + why; !m.noted[what] {
		m.noted[what] = true
		m.o.Log.Warn("the helper model is not used", "helper", name, "why", why)
	}
}
