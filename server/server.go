package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"quipu/hooks"
	"quipu/hooks/model"
	"quipu/repo"
	"quipu/server/mcp"
)

// The limits of one connection and of all together. A client that sends a byte a
// second is cut off before it holds up another.
const (
	maxBody        = 1 << 20 // bytes
	maxPictureBody = 8 << 20 // a picture as base64, and what is said of it
	maxHeader      = 16 << 10
	maxConnections = 256
	headerTimeout  = 5 * time.Second
	readTimeout    = 15 * time.Second
	writeTimeout   = 30 * time.Second
	idleTimeout    = 60 * time.Second
	stopTimeout    = 5 * time.Second // what a request under way gets at the end
)

// Options configures a Server.
type Options struct {
	// Now is the clock; required. It measures requests, spaces out wrong tokens
	// and turns "3d" into a time.
	Now func() time.Time
	// Log gets one line a request; nil discards.
	Log *slog.Logger
	// Quiet is how long a workspace rests after an edit made outside before the
	// edit is taken in; 0 is 5 s.
	Quiet time.Duration
	// EraseWait is how long an answer waits for a history to be rewritten, before that goes
	// on in the background; 0 is a second.
	EraseWait time.Duration
	// Getenv looks up what the configuration names in the environment: the keys of
	// models. nil is an empty one.
	Getenv func(string) (string, bool)
	// Version is that of the program, told to clients.
	Version string
	// Open shows a workspace folder to the person: target is "obsidian" or
	// "folder". nil asks the desktop.
	Open func(ctx context.Context, target, dir string) error
}

// Server answers HTTP for the bots of one home. It is safe for concurrent use.
type Server struct {
	store    *repo.Store
	turns    *hooks.Turns
	models   *model.Models
	upkeep   *hooks.Upkeep
	errands  *hooks.Errands  // upkeep that somebody asked for in the panel
	due      *hooks.Schedule // of upkeep; it runs while Serve does
	sharing  *hooks.Sharing  // likewise
	now      func() time.Time
	log      *slog.Logger
	quiet    time.Duration
	beat     time.Duration // between the heartbeats of a stream
	open     func(ctx context.Context, target, dir string) error
	patience time.Duration // for an erasure, before its answer says that it is pending
	wrong    limiter
	handler  http.Handler
	version  string
	schemas  *mcp.Schemas

	mu    sync.Mutex
	watch *hooks.Watch // while Serve runs
}

// New makes a server for a home. It panics when Options.Now is nil.
func New(store *repo.Store, o Options) *Server {
	if o.Now == nil {
		panic("server: Options.Now is required")
	}
	s := &Server{store: store, now: o.Now, log: o.Log, quiet: o.Quiet, beat: beatEvery, open: o.Open, version: o.Version, schemas: mcp.NewSchemas()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.patience = o.EraseWait; s.patience == 0 {
		s.patience = time.Second
	}
	if s.quiet == 0 {
		s.quiet = 5 * time.Second
	}
	if s.open == nil {
		s.open = openOnDesktop
	}
	s.models = hooks.NewModels(store, s.now, o.Getenv, s.log)
	s.turns = hooks.NewTurns(store, s.now, s.log).ReviewBy(s.models)
	s.upkeep = hooks.NewUpkeep(store, s.models, s.now, s.log)
	s.errands = hooks.NewErrands(s.upkeep, store, s.now, s.log)
	s.due = hooks.NewSchedule(s.upkeep, store, s.now, s.log)
	s.sharing = hooks.NewSharing(store, s.now, s.log)
	s.handler = s.guard(s.windows(s.router()))
	return s
}

// Handler answers every route. Edits made outside are noticed by themselves only
// while Serve runs.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers on ln until ctx ends, then lets the requests under way finish and
// gives nil. It closes ln. While it runs, what is edited outside in a workspace
// that was used is taken in after a few seconds of quiet.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	defer s.watching(ctx)()
	defer s.tending(ctx)()
	defer s.errands.Stop()
	s.store.OpenUnended(ctx)
	hs := s.wire(ctx)
	ended := make(chan error, 1)
	go func() { ended <- hs.Serve(netutil.LimitListener(ln, maxConnections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	return s.end(ctx, hs, ended)
}

// wire is how the server speaks HTTP, until ctx ends.
func (s *Server) wire(ctx context.Context) *http.Server {
	return &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		// A stream that would go on for ever learns here that it must end; what else is
		// under way may finish.
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.WithoutCancel(ctx), endingKey{}, ctx.Done())
		},
	}
}

// end lets the requests under way finish, those that do in time.
func (s *Server) end(ctx context.Context, hs *http.Server, ended <-chan error) error {
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	err := hs.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests were cut off at the end", "after", stopTimeout)
		err = hs.Close()
	}
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// tending runs upkeep, and syncs, when they are due until the function it gives is called, which
// returns when that has ended.
func (s *Server) tending(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { s.due.Run(ctx) })
	running.Go(func() { s.sharing.Run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// watching notices edits made outside until the function it gives is called, which
// returns when that has ended.
func (s *Server) watching(ctx context.Context) (stop func()) {
	w, err := hooks.NewWatch(s.store, s.person, s.quiet, s.log)
	if err != nil {
		s.log.Warn("edits made outside are not noticed by themselves", "err", err)
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	s.setWatch(w)
	return func() {
		s.setWatch(nil)
		cancel()
		running.Wait()
	}
}

func (s *Server) setWatch(w *hooks.Watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch = w
}

// used tells the watch, while there is one, of a workspace that a request names.
func (s *Server) used(ws *repo.Workspace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch != nil {
		s.watch.Use(ws)
	}
}
