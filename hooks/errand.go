package hooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"quipu/repo"
)

// Job is what an errand does.
type Job string

// The jobs of an errand.
const (
	PlanJob    Job = "plan"    // a tidy-up that writes nothing and gives its plan
	TidyJob    Job = "tidy"    // the tidy-up itself
	CaptureJob Job = "capture" // of the chats that wait
)

// Errands runs upkeep that a person asks for and does not wait for: one errand a bot at
// a time, each until it ends or Stop is called. How the last of each bot went is kept
// until the next one begins. It is safe for concurrent use.
type Errands struct {
	upkeep  *Upkeep
	store   *repo.Store
	now     func() time.Time
	log     *slog.Logger
	ending  chan struct{} // closed by Stop
	running sync.WaitGroup

	mu   sync.Mutex
	last map[repo.ID]*Errand
}

// Errand is one piece of upkeep that was asked for, on its way or at its end.
type Errand struct {
	Job      Job
	Began    time.Time
	Running  *repo.Running   // how far it has come; nil before its first step and at its end
	Over     bool            // it ended, well or not
	Ended    <-chan struct{} // closed at its end
	Tidied   *TidyReport     // of a plan and a tidy-up that came to their end
	Captured *CaptureReport  // likewise of a capture
	Err      error           // why it did not
	Notes    string          // of a plan: what Workspace.Newest said when it was made
}

// NewErrands makes the errands of a home.
func NewErrands(upkeep *Upkeep, store *repo.Store, now func() time.Time, log *slog.Logger) *Errands {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Errands{upkeep: upkeep, store: store, now: now, log: log, ending: make(chan struct{}), last: map[repo.ID]*Errand{}}
}

// Begin begins an errand and gives what is closed at its end. It outlives ctx. ErrBusy
// while another errand of the bot runs, ErrOff when upkeep is switched off or paused and
// when the server ends.
func (e *Errands) Begin(ctx context.Context, bot repo.ID, job Job) (ended <-chan struct{}, err error) {
	if err := e.store.UpkeepAllowed(bot); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-e.ending:
		return nil, fmt.Errorf("the server ends: %w", repo.ErrOff)
	default:
	}
	if last := e.last[bot]; last != nil && !last.Over {
		return nil, fmt.Errorf("upkeep of this bot's notes is running already: %w", repo.ErrBusy)
	}
	over := make(chan struct{})
	one := &Errand{Job: job, Began: e.now(), Ended: over}
	e.last[bot] = one
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyLimit)
	e.running.Go(func() {
		defer cancel()
		e.run(ctx, bot, one)
		close(over)
	})
	e.running.Go(func() {
		select {
		case <-e.ending:
			cancel()
		case <-over:
		}
	})
	return over, nil
}

// run does the work of an errand and keeps how it went.
func (e *Errands) run(ctx context.Context, bot repo.ID, one *Errand) {
	done := Errand{Job: one.Job, Began: one.Began, Ended: one.Ended, Over: true}
	tell := func(r repo.Running) {
		e.mu.Lock()
		defer e.mu.Unlock()
		one.Running = &r
	}
	switch one.Job {
	case CaptureJob:
		r, err := e.upkeep.Capture(ctx, bot, Capturing{})
		if err == nil || r.Note != "" { // a model that failed is a note in the report
			done.Captured = &r
		} else {
			done.Err = err
		}
	default:
		dry := one.Job == PlanJob
		if dry {
			done.Notes = e.newest(ctx, bot)
		}
		r, err := e.upkeep.tidy(ctx, bot, dry, tell)
		if done.Err = err; err == nil {
			done.Tidied = &r
		}
	}
	if done.Err != nil && !errors.Is(done.Err, context.Canceled) {
		e.log.Warn("upkeep that was asked for did not come to its end", "bot", string(bot), "job", string(one.Job), "err", done.Err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	*one = done
}

func (e *Errands) newest(ctx context.Context, bot repo.ID) string {
	ws, err := e.store.Open(ctx, bot)
	if err != nil {
		return ""
	}
	return ws.Newest()
}

// Last is how the bot's last errand goes or went; ok is false when there was none.
func (e *Errands) Last(bot repo.ID) (last Errand, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if one := e.last[bot]; one != nil {
		return *one, true
	}
	return Errand{}, false
}

// Drop forgets how the bot's last errand went: a plan holds texts of notes. One that runs
// stays.
func (e *Errands) Drop(bot repo.ID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if one := e.last[bot]; one != nil && one.Over {
		delete(e.last, bot)
	}
}

// Stop breaks off what runs and waits for its end. Nothing begins any more.
func (e *Errands) Stop() {
	e.mu.Lock()
	select {
	case <-e.ending:
	default:
		close(e.ending)
	}
	e.mu.Unlock()
	e.running.Wait()
}
