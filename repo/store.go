package repo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/oklog/ulid/v2"

	"quipu/policy"
	"quipu/repo/internal/git"
	"quipu/repo/turns"
)

// Options configures a Store.
type Options struct {
	Now  func() time.Time // the clock; required
	Wait time.Duration    // how long a write waits for locks before ErrBusy; 0 is 3 s
	Log  *slog.Logger     // nil discards
	// Program is the path of quipu itself, which the hooks of a person's own commits
	// call; "" installs none.
	Program string
	// Resident says that the process stays: what a crash left of an erasure is finished
	// in the background when a workspace is opened, else by its first write.
	Resident bool
	// Door is by which a workspace that is made here comes into being; "" is the command
	// line's.
	Door Via
}

// Listing is one bot in a list of them.
type Listing struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
	Path string `json:"path"` // the workspace folder
}

// Store is a home: the folder that holds the workspaces, their histories, the
// configuration and the tokens. It is safe for concurrent use.
type Store struct {
	home    string
	now     func() time.Time
	wait    time.Duration
	log     *slog.Logger
	program string
	door    Via
	config  configBox
	redact  *policy.Redactor

	mu    sync.Mutex
	open  map[ID]*opening
	ids   *ulid.MonotonicEntropy
	newID sync.Mutex

	saidMu sync.Mutex
	said   *turns.Store // nil until it is asked

	resident bool
	closing  chan struct{} // closed when the store is
	close    func()
	running  sync.WaitGroup // of what goes on in the background
}

// opening is a workspace that is open or being opened: another one need not wait for
// it.
type opening struct {
	done chan struct{} // closed when w and err are set
	w    *Workspace
	err  error
}

// The folders of a home.
const (
	workspacesDir = "workspaces"
	historyDir    = "history"
	formatFile    = "format"
	homeFormat    = "1" // of the home's layout; a newer one is refused
	mainBranch    = "main"
)

// OpenHome opens the home at dir. Nothing is written: a home comes into being with
// its first bot. The process's umask is 077 from here on. ErrState: the home was written by a newer quipu.
func OpenHome(dir string, o Options) (*Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("home %s: %w", dir, err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := checkHome(abs); err != nil {
		return nil, err
	}
	syscall.Umask(0o077) // what is made below the home is its owner's alone, whatever the umask was
	closing := make(chan struct{})
	return &Store{
		resident: o.Resident, closing: closing, close: sync.OnceFunc(func() { close(closing) }),
		home: abs, now: o.Now, wait: o.Wait, log: o.Log, program: o.Program, door: cmp.Or(o.Door, ViaCLI), redact: policy.NewRedactor(),
		open: map[ID]*opening{}, ids: ulid.Monotonic(rand.Reader, 0),
	}, nil
}

func checkHome(dir string) error {
	fi, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open home: %w", err)
	}
	if !fi.IsDir() {
		return wrapf(ErrInvalid, "%s is not a folder", dir)
	}
	b, err := readSmall(filepath.Join(dir, formatFile))
	if err != nil {
		return fmt.Errorf("open home: %w", err)
	}
	if f := strings.TrimSpace(string(b)); f != "" && f != homeFormat {
		return wrapf(ErrState, "the home %s has format %.20q, which a newer quipu wrote; use that quipu", dir, f)
	}
	return nil
}

// Close lets go of every open workspace.
func (s *Store) Close() error {
	s.close()
	s.running.Wait()
	s.mu.Lock()
	open := s.open
	s.open = map[ID]*opening{}
	s.mu.Unlock()
	var errs []error
	for _, o := range open {
		if <-o.done; o.err == nil {
			errs = append(errs, o.w.close())
		}
	}
	return errors.Join(append(errs, s.closeSaid())...)
}

// Home is the folder, absolute.
func (s *Store) Home() string { return s.home }

// Config is the configuration in force; it is read again when the file changes.
func (s *Store) Config() Config {
	c, _ := s.config.current(s.home, s.log) // a fault leaves the old one in force, see ConfigFault
	return c
}

// Bots lists the bots by id.
func (s *Store) Bots(_ context.Context) ([]Listing, error) {
	entries, err := os.ReadDir(filepath.Join(s.home, workspacesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list bots: %w", err)
	}
	c := s.Config()
	var out []Listing
	for _, e := range entries {
		id := ID(e.Name())
		if !e.IsDir() || policy.CheckID(e.Name()) != nil || !s.exists(id) {
			continue
		}
		out = append(out, s.bot(c, id))
	}
	return out, nil
}

func (s *Store) bot(c Config, id ID) Listing {
	name := c.Bots[id].Name
	if name == "" {
		name = string(id)
	}
	return Listing{ID: id, Name: name, Path: s.workDir(id)}
}

// Create makes a bot's workspace, or takes the folder that is there over as it is;
// made is false when the bot was there. ErrInvalid, ErrConflict (an id that differs
// only in case from another).
func (s *Store) Create(ctx context.Context, id ID, name string) (b Listing, made bool, err error) {
	if err := policy.CheckID(string(id)); err != nil {
		return Listing{}, false, wrapf(ErrInvalid, "bot id: %v", err)
	}
	if err := s.checkTwin(ctx, id); err != nil {
		return Listing{}, false, err
	}
	if !s.exists(id) {
		if made, err = s.make(id); err != nil {
			return Listing{}, false, err
		}
	}
	w, err := s.Open(ctx, id)
	if err != nil {
		return Listing{}, made, err
	}
	if err := w.start(ctx); err != nil {
		return Listing{}, made, err
	}
	if name != "" && s.Config().Bots[id].Name != name {
		if err := s.SetBot(id, map[string]any{"name": name}); err != nil {
			return Listing{}, made, err
		}
	}
	return s.bot(s.Config(), id), made, nil
}

// make makes the folders of a bot; of several processes that do, one makes them.
func (s *Store) make(id ID) (made bool, err error) {
	if err := s.makeHome(); err != nil {
		return false, err
	}
	err = lockHome(s.home, func(*os.Root) error {
		if s.exists(id) {
			return nil
		}
		made = true
		return git.Init(s.ownDir(id), s.workDir(id), mainBranch)
	})
	if err != nil {
		return false, fmt.Errorf("make bot %s: %w", id, err)
	}
	return made, nil
}

func (s *Store) checkTwin(ctx context.Context, id ID) error {
	bots, err := s.Bots(ctx)
	if err != nil {
		return err
	}
	for _, b := range bots {
		if b.ID != id && strings.EqualFold(string(b.ID), string(id)) {
			return wrapf(ErrConflict, "there is a bot %s already, and ids that differ only in case are one on many systems", b.ID)
		}
	}
	return nil
}

func (s *Store) makeHome() error {
	for _, d := range []string{s.home, filepath.Join(s.home, workspacesDir), filepath.Join(s.home, historyDir)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("make home: %w", err)
		}
	}
	if b, err := readSmall(filepath.Join(s.home, formatFile)); err != nil || len(b) > 0 {
		return err
	}
	return lockHome(s.home, func(root *os.Root) error {
		return writeWhole(root, formatFile, []byte(homeFormat+"\n"))
	})
}

// Open gives a bot's workspace, recovered and ready. ErrNotFound, ErrInvalid,
// ErrDamaged, ErrState (a repository of a form that quipu cannot use).
func (s *Store) Open(ctx context.Context, id ID) (*Workspace, error) {
	if err := policy.CheckID(string(id)); err != nil {
		return nil, wrapf(ErrInvalid, "bot id: %v", err)
	}
	return s.openAny(ctx, id)
}

// OpenAny is Open for every kind of workspace, About me and the layers of a bot among
// them: for who was given its id by a workspace.
func (s *Store) OpenAny(ctx context.Context, id ID) (*Workspace, error) { return s.openAny(ctx, id) }

func (s *Store) openAny(ctx context.Context, id ID) (*Workspace, error) {
	if !s.exists(id) {
		s.letGo(id) //nolint:contextcheck // somebody took its folders away; what is open is closed, whoever asks
		return nil, wrapf(ErrNotFound, "no such bot")
	}
	s.mu.Lock()
	o, ok := s.open[id]
	if !ok {
		o = &opening{done: make(chan struct{})}
		s.open[id] = o
	}
	s.mu.Unlock()
	if ok {
		<-o.done
		return o.w, o.err
	}
	defer close(o.done)
	if o.w, o.err = s.openNow(context.WithoutCancel(ctx), id); o.err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open[id] == o {
			delete(s.open, id)
		}
	}
	return o.w, o.err
}

func (s *Store) openNow(ctx context.Context, id ID) (*Workspace, error) {
	w, err := s.openWorkspace(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", id, gitError(err))
	}
	return w, nil
}

func (s *Store) openWorkspace(ctx context.Context, id ID) (*Workspace, error) {
	dir, put, err := s.gitDir(id)
	if err != nil {
		return nil, err
	}
	w := &Workspace{store: s, id: id, dir: s.workDir(id), log: s.log.With("bot", string(id))}
	w.bot = s.botOf(id) //nolint:contextcheck // it is asked later, whoever opens this
	w.git, err = git.Open(ctx, git.Options{
		Dir: dir, Work: w.dir, Now: s.now, Wait: s.wait, Log: w.log,
		Committer: git.Signature{Name: "quipu", Email: git.CommitterEmail},
		Tracked:   tracked,
		Union:     union,
		Redact:    s.redactBytes,
	})
	if err != nil {
		return nil, err
	}
	w.own = dir == s.ownDir(id)
	if err := w.installHooks(); err != nil {
		w.log.Warn("a person's own commits are not checked", "err", err)
	}
	if put {
		w.told = append(w.told, gitFilePutBack)
	}
	w.startFinishing(ctx)
	return w, nil
}

// change makes a new change id for the time at.
func (s *Store) change(at time.Time) (ChangeID, error) {
	s.newID.Lock()
	defer s.newID.Unlock()
	id, err := ulid.New(ulid.Timestamp(at), s.ids)
	if err != nil {
		return "", fmt.Errorf("new change id: %w", err)
	}
	return ChangeID(id.String()), nil
}

func (s *Store) redactBytes(b []byte) ([]byte, int) {
	if policy.IsPicture(b) {
		return b, 0
	}
	out, n := s.redact.Redact(string(b))
	if n == 0 {
		return b, 0
	}
	return []byte(out), n
}

// tracked says which paths of a workspace are memory and so belong to its history.
// Names that the API would refuse are kept, too: a person may have chosen them.
func tracked(path string) bool {
	if path == policy.MemoryFile || path == policy.AboutFile || policy.OwnFile(path) {
		return true
	}
	if policy.PictureName(path) != "" {
		return true
	}
	rest, ok := strings.CutPrefix(path, "memory/")
	if !ok || !strings.HasSuffix(path, ".md") {
		return false
	}
	if log, ok := strings.CutPrefix(rest, "log/"); ok {
		rest = log
	}
	return !strings.Contains(rest, "/") && !strings.HasPrefix(rest, ".")
}
