package hooks

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"quipu/hooks/model"
	"quipu/repo"
)

// The rhythm of the schedule.
const (
	captureLook = time.Minute      // how soon a chat of another process is noticed
	tidyLook    = 10 * time.Minute // how soon a night's tidy-up is noticed to be due
	firstLook   = time.Minute      // after the start, so that it has time to settle
	retryFirst  = time.Minute      // after a model failed; doubled each time
	retryMost   = 24 * time.Hour
	atOnce      = 8 // bots whose chats are read at the same time
)

// Schedule runs upkeep when it is due: a chat that went quiet is read, and once a day,
// after the hour that is set, each bot's notes are tidied, or as soon as the computer
// is awake again. What waits is looked up, not kept in memory: it survives a crash, and
// idle bots cost nothing.
type Schedule struct {
	upkeep *Upkeep
	store  *repo.Store
	now    func() time.Time
	log    *slog.Logger
	ended  chan struct{}

	tidied  map[repo.ID]string // the local day of the last tidy-up that is known; of the tidy loop alone
	reading sync.WaitGroup
	mu      sync.Mutex
	read    map[repo.ID]bool  // bots whose chats are read now
	missed  bool              // a look passed over a bot because of them
	failing map[repo.ID]retry // bots whose model failed
}

// retry is when a bot's chats are read again after its model failed.
type retry struct {
	after time.Duration
	at    time.Time
}

// NewSchedule makes the schedule of a home.
func NewSchedule(upkeep *Upkeep, store *repo.Store, now func() time.Time, log *slog.Logger) *Schedule {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Schedule{
		upkeep: upkeep, store: store, now: now, log: log, ended: make(chan struct{}, 1),
		tidied: map[repo.ID]string{}, failing: map[repo.ID]retry{}, read: map[repo.ID]bool{},
	}
}

// TurnEnded tells the schedule that a chat may be waiting. It never blocks.
func (s *Schedule) TurnEnded() {
	select {
	case s.ended <- struct{}{}:
	default:
	}
}

// Run runs until ctx ends, and waits for what is under way to break off.
func (s *Schedule) Run(ctx context.Context) {
	var both sync.WaitGroup
	both.Go(func() { s.captureLoop(ctx) })
	both.Go(func() { s.tidyLoop(ctx) })
	both.Wait()
	s.reading.Wait()
}

func (s *Schedule) captureLoop(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.ended:
		case <-timer.C:
		}
		timer.Reset(s.capture(ctx))
	}
}

// capture reads the chats that are due and gives the time to the next look.
func (s *Schedule) capture(ctx context.Context) time.Duration {
	queue, err := s.store.Waiting(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("the chats that wait are not known", "err", err)
		}
		return captureLook
	}
	conf, now, next := s.store.Config(), s.now(), captureLook
	due := map[repo.ID][]string{}
	var order []repo.ID
	for _, q := range queue {
		bot := repo.ID(q.Bot)
		at := q.Last.Add(conf.CaptureQuiet())
		if q.Turns >= conf.CaptureTurns() {
			at = now
		}
		if f := s.retryOf(bot); at.Before(f.at) {
			at = f.at
		}
		if wait := at.Sub(now); wait > 0 {
			next = min(next, wait)
			continue
		}
		if due[bot] == nil {
			order = append(order, bot)
		}
		due[bot] = append(due[bot], q.Conversation)
	}
	for _, bot := range order {
		s.startReading(ctx, bot, due[bot])
	}
	return next
}

func (s *Schedule) captureOf(ctx context.Context, bot repo.ID, conversations []string) {
	if !s.store.UpkeepPaused().IsZero() {
		return // what waits, waits
	}
	r, err := s.upkeep.Capture(ctx, bot, Capturing{Only: conversations})
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, model.ErrFailed), errors.Is(err, model.ErrTimeout), errors.Is(err, model.ErrLimit):
		f := s.retryOf(bot)
		f.after = min(max(2*f.after, retryFirst), retryMost)
		f.at = s.now().Add(f.after)
		s.keepRetry(bot, f)
		s.log.Warn("a chat is read later", "bot", string(bot), "after", f.after.String(), "err", model.Plain(err))
		return
	case errors.Is(err, repo.ErrNotFound):
		s.log.Info("the chats of a bot that is gone are not read", "bot", string(bot))
		err = s.upkeep.dropWaiting(ctx, bot)
	}
	if err != nil { // a busy or damaged workspace: not at once again
		s.keepRetry(bot, retry{after: s.retryOf(bot).after, at: s.now().Add(captureLook)})
		s.log.Warn("a chat was not read", "bot", string(bot), "err", err)
		return
	}
	s.keepRetry(bot, retry{})
	if r.Turns > 0 {
		s.log.Info("capture", "bot", string(bot), "turns", r.Turns, "added", r.Added, "filed", r.Filed, "aboutMe", r.AboutMe, "refused", r.Refused)
	}
}

// startReading reads chats of a bot beside those of others: a model that hangs holds up
// its own bot alone. What is passed over because of readings under way is looked at
// again when one of them has ended; what a reading itself leaves waiting, as in a pause,
// is not, or the loop would never rest.
func (s *Schedule) startReading(ctx context.Context, bot repo.ID, conversations []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read[bot] || len(s.read) >= atOnce {
		s.missed = true
		return
	}
	s.read[bot] = true
	s.reading.Go(func() {
		s.captureOf(ctx, bot, conversations)
		s.mu.Lock()
		missed := s.missed
		s.missed = false
		delete(s.read, bot)
		s.mu.Unlock()
		if missed {
			s.TurnEnded()
		}
	})
}

func (s *Schedule) retryOf(bot repo.ID) retry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failing[bot]
}

func (s *Schedule) keepRetry(bot repo.ID, r retry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r == (retry{}) {
		delete(s.failing, bot)
		return
	}
	s.failing[bot] = r
}

func (s *Schedule) tidyLoop(ctx context.Context) {
	timer := time.NewTimer(firstLook)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		s.tick(ctx)
		timer.Reset(tidyLook)
	}
}

// tick tidies each bot that is due, and takes out of the file of conversations what was
// deleted from them.
func (s *Schedule) tick(ctx context.Context) {
	if err := s.store.ScrubConversations(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("what was deleted from conversations may still lie in the file", "err", err)
	}
	bots, err := s.store.Bots(ctx)
	if err != nil {
		s.log.Warn("the bots to tidy are not known", "err", err)
		return
	}
	for _, b := range bots {
		if ctx.Err() != nil {
			return
		}
		if s.due(ctx, b.ID) {
			s.tidyOf(ctx, b.ID)
		}
	}
}

// due says whether a bot's notes are to be tidied now: once each local day, from the
// hour that is set on, and not while the bot works.
func (s *Schedule) due(ctx context.Context, bot repo.ID) bool {
	conf := s.store.Config()
	now := s.nowOf(bot)
	today := now.Format(time.DateOnly)
	if now.Hour() < conf.TidyHour() || s.tidied[bot] >= today || s.store.UpkeepAllowed(bot) != nil {
		return false
	}
	if _, known := s.tidied[bot]; !known {
		ws, err := s.store.Open(ctx, bot)
		if err != nil {
			s.log.Warn("a bot's notes cannot be tidied", "bot", string(bot), "err", err)
			s.tidied[bot] = today
			return false
		}
		if s.tidied[bot] = ws.Upkeep().TidiedOn; s.tidied[bot] >= today {
			return false
		}
	}
	working, err := s.store.Working(ctx, bot)
	if err != nil {
		s.log.Warn("whether a bot works is not known", "bot", string(bot), "err", err)
	}
	return err == nil && !working
}

// nowOf is the clock where a bot's days are counted.
func (s *Schedule) nowOf(bot repo.ID) time.Time {
	return s.now().In(s.store.Config().LocationOf(bot))
}

func (s *Schedule) tidyOf(ctx context.Context, bot repo.ID) {
	if !s.mine(ctx, bot) {
		s.log.Info("another machine tidies", "bot", string(bot))
		s.tidied[bot] = s.nowOf(bot).Format(time.DateOnly)
		return
	}
	r, err := s.upkeep.Tidy(ctx, bot, false, nil)
	switch {
	case ctx.Err() != nil, errors.Is(err, repo.ErrOff), errors.Is(err, repo.ErrBusy):
		return // at the next look
	case err != nil:
		s.log.Warn("a bot's notes were not tidied", "bot", string(bot), "err", err)
	default:
		s.log.Info("tidy", "bot", string(bot), "expired", r.Expired, "duplicates", r.Duplicates, "superseded", r.Superseded, "organized", r.Organized)
		if r, err := s.upkeep.Reflect(ctx, bot, Reflecting{Nightly: true}); err != nil && ctx.Err() == nil {
			s.log.Warn("nothing was drawn from a bot's notes", "bot", string(bot), "err", err)
		} else if len(r.Drawn) > 0 {
			s.log.Info("reflect", "bot", string(bot), "drawn", len(r.Drawn), "refused", r.Refused)
		}
		if err := s.upkeep.Retain(ctx, bot); err != nil && ctx.Err() == nil {
			s.log.Warn("older history was not let go", "bot", string(bot), "err", err)
		}
	}
	s.tidied[bot] = s.nowOf(bot).Format(time.DateOnly)
}

// mine says whether this machine is the one that tidies a bot today, among those that
// share it. Where the remote does not say, each does: the notes merge.
func (s *Schedule) mine(ctx context.Context, bot repo.ID) bool {
	ws, err := s.store.Open(ctx, bot)
	if err != nil {
		return true // the tidy-up says what is wrong
	}
	now := s.nowOf(bot)
	night := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
	ok, err := ws.TakeLease(ctx, "tidy", night)
	if err != nil {
		s.log.Warn("whether another machine tidies is not known", "bot", string(bot), "err", err)
		return true
	}
	return ok
}
