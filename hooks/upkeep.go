package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"quipu/hooks/model"
	"quipu/hooks/prompt"
	"quipu/repo"
)

// Upkeep keeps notes in shape: it reads chats that went quiet for what is new, files
// detail under its topic, and tidies. No lock is held while a model is asked; what it
// answered is a plan that the vault checks again before it writes.
type Upkeep struct {
	store  *repo.Store
	models *model.Models
	now    func() time.Time
	log    *slog.Logger
	shared singleflight.Group // of tidy: two that ask at once get one run

	mu        sync.Mutex
	senseless map[[2]string]int // by bot and conversation: answers in a row that made no sense
}

// NewUpkeep makes the upkeep of a home.
func NewUpkeep(store *repo.Store, models *model.Models, now func() time.Time, log *slog.Logger) *Upkeep {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Upkeep{store: store, models: models, now: now, log: log, senseless: map[[2]string]int{}}
}

// TidyReport is what a tidy-up came to.
type TidyReport struct {
	At         int64 `json:"at"` // milliseconds
	Expired    int   `json:"expired"`
	Duplicates int   `json:"duplicates"`
	Superseded int   `json:"superseded"`
	Trusted    int   `json:"trusted,omitempty"` // of these, newer ones: who said the older is trusted more
	Deferred   int   `json:"deferred"`          // pairs that wait for the next pass
	Organized  int   `json:"organized,omitempty"`
	Fallen     int   `json:"fallen,omitempty"`  // whose evidence did not hold them up
	Risen      int   `json:"risen,omitempty"`   // reflections that went to MEMORY.md
	Ignored    int   `json:"ignored,omitempty"` // reflections to which nobody said anything
	// Contradictions says whether a model was asked for pairs that cannot both be true,
	// as far as anything changed since it was asked last.
	Contradictions bool            `json:"contradictionsChecked"`
	Refused        int             `json:"refused,omitempty"` // of the model's answers: what makes no sense or is not allowed
	Skipped        int             `json:"skipped,omitempty"` // steps whose note changed meanwhile
	Moved          int             `json:"moved,omitempty"`   // entries that made room for others
	Truncated      bool            `json:"truncated,omitempty"`
	Note           string          `json:"note,omitempty"` // what was left out, and why
	Changes        []repo.ChangeID `json:"changes"`
	Plan           []Planned       `json:"plan,omitempty"` // of a dry run
}

// Planned is one step of a plan as a person reads it.
type Planned struct {
	What  string `json:"what"` // expire, drop, strike, file, fall, rise
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Entry string `json:"entry"`
	// Beside is the entry that stays: the newer twin, or what contradicts it.
	Beside string `json:"beside,omitempty"`
	Keeps  string `json:"keeps,omitempty"` // of a struck entry: what is still true
	// Trusted says of what is struck that it is the newer one: who said the older is trusted more.
	Trusted bool   `json:"trusted,omitempty"`
	To      string `json:"to,omitempty"` // the topic
}

// CaptureReport is what reading chats came to.
type CaptureReport struct {
	At        int64           `json:"at"`      // milliseconds
	Added     int             `json:"added"`   // entries of MEMORY.md
	Topics    int             `json:"topics"`  // topics that took something
	Filed     int             `json:"filed"`   // entries of topics
	AboutMe   int             `json:"aboutMe"` // lines of About me
	Known     int             `json:"known,omitempty"`
	Supported int             `json:"supported,omitempty"` // notes that the owner bore out by the way
	Disputed  int             `json:"disputed,omitempty"`  // notes that the owner contradicted
	Refused   map[string]int  `json:"refused,omitempty"`   // by rule
	Organized int             `json:"organized,omitempty"`
	Turns     int             `json:"turns"` // that were read
	Note      string          `json:"note,omitempty"`
	Changes   []repo.ChangeID `json:"changes"`
}

// UpkeepStatus is how upkeep of a bot stands.
type UpkeepStatus struct {
	Enabled     bool            `json:"enabled"`
	ModelSteps  bool            `json:"modelSteps"`       // whether a model can be asked
	Reason      string          `json:"reason,omitempty"` // why it is off, or why no model is asked
	Engine      string          `json:"engine,omitempty"`
	Helper      bool            `json:"helper,omitempty"`
	PausedUntil string          `json:"pausedUntil,omitempty"`
	Notes       []string        `json:"notes,omitempty"` // settings that have no effect as they are
	Waiting     int             `json:"waiting"`         // turns that are not read yet
	Running     *repo.Running   `json:"running,omitempty"`
	LastTidy    json.RawMessage `json:"lastTidy,omitempty"`
	LastCapture json.RawMessage `json:"lastCapture,omitempty"`
}

// Status says how upkeep of a bot stands. It reads and writes nothing.
func (u *Upkeep) Status(ctx context.Context, bot repo.ID) (UpkeepStatus, error) {
	ws, err := u.store.Open(ctx, bot)
	if err != nil {
		return UpkeepStatus{}, err
	}
	state := ws.Upkeep()
	out := UpkeepStatus{
		Enabled: u.store.Config().UpkeepOn(bot), LastTidy: state.LastTidy, LastCapture: state.LastCapture, Running: ws.UpkeepRuns(),
	}
	if err := u.store.UpkeepAllowed(bot); err != nil {
		out.Reason = err.Error()
	}
	if until := u.store.UpkeepPaused(); !until.IsZero() {
		out.PausedUntil = until.Format(time.RFC3339)
	}
	if e, err := u.models.For(bot); err == nil {
		out.ModelSteps, out.Engine, out.Helper = true, e.Name(), e.Helper()
		if c := u.store.Config(); c.Usage.MonthlyCost > 0 && c.Models[e.Name()].Price == nil {
			out.Notes = append(out.Notes, fmt.Sprintf("usage.monthlyCost does not count this model: models.%s has no price, {\"in\":X,\"out\":Y} for a million tokens", e.Name()))
		}
	} else if out.Reason == "" {
		out.Reason = err.Error()
	}
	queue, err := u.store.Waiting(ctx)
	for _, q := range queue {
		if q.Bot == string(bot) {
			out.Waiting += q.Turns
		}
	}
	return out, err
}

// pass is one run of upkeep over a bot's notes.
type pass struct {
	u      *Upkeep
	ws     *repo.Workspace
	bot    repo.ID
	engine *model.Engine // nil when there is none
	why    error         // why there is none, or why it is asked no more in this pass
	state  repo.UpkeepState
	dry    bool
	tell   func(repo.Running) // progress; may be nil
	job    string
	since  time.Time
	told   time.Time // when it was last written down how far it has come
	end    func()
}

// begin takes the pass of a bot. done lets it go and keeps what is to be remembered.
func (u *Upkeep) begin(ctx context.Context, bot repo.ID, job string, dry bool, tell func(repo.Running)) (*pass, error) {
	ws, err := u.store.Open(ctx, bot)
	if err != nil {
		return nil, err
	}
	now := u.now()
	p := &pass{u: u, ws: ws, bot: bot, dry: dry, tell: tell, job: job, since: now, told: now, end: func() {}}
	if !dry {
		if p.end, err = ws.Pass(); err != nil {
			return nil, err
		}
	}
	p.state = ws.Upkeep()
	p.engine, p.why = u.models.For(bot)
	return p, nil
}

// done keeps what upkeep remembers and lets the pass go.
func (p *pass) done() {
	if !p.dry {
		p.state.Running = nil
		if err := p.ws.KeepUpkeep(p.state); err != nil {
			p.u.log.Warn("what upkeep found out is found out again", "bot", string(p.bot), "err", err)
		}
	}
	p.end()
}

// tellEvery is how often a pass writes down how far it has come: one that is over
// sooner writes nothing.
const tellEvery = 500 * time.Millisecond

// step tells how far the pass has come.
func (p *pass) step(what string, n, of int) {
	now := p.u.now()
	r := repo.Running{Job: p.job, Step: what, Done: n, Of: of, Since: p.since.UnixMilli()}
	if p.tell != nil {
		p.tell(r)
	}
	if p.dry || now.Sub(p.told) < tellEvery {
		return
	}
	p.told, p.state.Running = now, &r
	if err := p.ws.KeepUpkeep(p.state); err != nil {
		p.u.log.Warn("how far upkeep has come is not told", "bot", string(p.bot), "err", err)
	}
}

// errNoModel says that a step was left out; pass.why says why.
var errNoModel = errors.New("no model is asked")

// ask asks the model. A model that does not answer is not asked again in this pass:
// the steps that need none go on.
func (p *pass) ask(ctx context.Context, job string, t prompt.Text, schema json.RawMessage) (string, error) {
	if p.engine == nil || p.why != nil {
		return "", errNoModel
	}
	text, _ := p.u.store.Redact(t.Text)
	answer, err := p.engine.Complete(ctx, job, model.Prompt{System: t.System, Text: text, Schema: schema, Name: job})
	if err != nil {
		p.why = fmt.Errorf("%s: %w", job, err)
	}
	return answer, err
}

// allowed is what a change asks under the lock: whether upkeep is still wanted.
func (p *pass) allowed() error { return p.u.store.UpkeepAllowed(p.bot) }

// note joins sentences of a report.
func note(have string, more error) string {
	switch {
	case more == nil:
		return have
	case have == "":
		return more.Error()
	}
	return have + "; " + more.Error()
}

// report lays a report out as it is remembered.
func report(r any) json.RawMessage {
	data, err := json.Marshal(r)
	if err != nil {
		return nil // unreachable: numbers and texts always encode
	}
	return data
}
