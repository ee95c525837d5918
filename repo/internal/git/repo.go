package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Options says where a repository lies and how it behaves.
type Options struct {
	Dir       string                          // the git directory
	Work      string                          // the work tree
	Committer Signature                       // When is not read
	Now       func() time.Time                // the clock; required
	Wait      time.Duration                   // for locks; 0 is 3 s
	Log       *slog.Logger                    // nil discards
	Tracked   func(path string) bool          // which paths of the work tree are memory; required
	Union     func(base, a, b []byte) []byte  // joins two versions and loses no line; required
	Boot      string                          // the boot's id; "" asks the system
	Fault     func(op, path string) error     // tests: asked before each call that writes
	Redact    func(text []byte) ([]byte, int) // applied to what recovery joins; required
}

// Repo is one open repository. It is safe for concurrent use.
type Repo struct {
	dir, own string // the git directory, and quipu/ in it
	opt      Options
	log      *slog.Logger
	boot     string
	disk     *disk
	packs    *packs
	deflate  deflater
	inflate  inflaters
	work     *workTree
	flock    *flock.Flock
	token    string

	turn  chan struct{} // held by the goroutine that runs a batch
	queue queue

	// Owned by the holder of turn.
	wal       *wal
	applied   *os.File
	head      tip    // what root and index belong to
	index     *index // nil: not read, or not ours to write
	indexStat stat
	foreignAt time.Time // when another git was last met
	broken    bool      // a write stopped half-way: recover before the next
	mended    []string  // what recovery did, in words, until it is told

	tips tips // has a lock of its own, as has scan
	scan scanner
}

// tips holds the last value that we know of each branch.
type tips struct {
	mu sync.Mutex
	m  map[string]Hash
}

func (t *tips) at(branch string) Hash {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[branch]
}

func (t *tips) set(branch string, h Hash) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[branch] = h
}

func (t *tips) all() map[string]Hash {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.m)
}

// tip is a branch with the tree of its newest commit.
type tip struct {
	branch string
	hash   Hash
	root   *node
}

// ErrUnsupported says that the repository has a form that go-git cannot read safely.
var ErrUnsupported = errors.New("unsupported repository")

// ErrDamaged says that an object or file that history needs is broken.
var ErrDamaged = errors.New("history is damaged")

const defaultWait = 3 * time.Second

// Open opens a repository and recovers what an earlier process left unfinished.
// ErrUnsupported, ErrDamaged, ErrBusy.
func Open(ctx context.Context, o Options) (*Repo, error) {
	if err := checkFormat(o.Dir); err != nil {
		return nil, err
	}
	r := newRepo(o)
	if err := r.open(ctx); err != nil {
		return nil, errors.Join(err, r.release())
	}
	return r, nil
}

func newRepo(o Options) *Repo {
	if o.Wait == 0 {
		o.Wait = defaultWait
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Repo{
		dir: o.Dir, own: filepath.Join(o.Dir, "quipu"), opt: o, log: o.Log, boot: o.Boot,
		disk: &disk{fault: o.Fault}, packs: &packs{dir: o.Dir},
		turn: make(chan struct{}, 1), tips: tips{m: map[string]Hash{}},
	}
	if r.boot == "" {
		r.boot = bootID()
	}
	return r
}

func (r *Repo) open(ctx context.Context) error {
	if err := os.MkdirAll(r.own, 0o700); err != nil {
		return err
	}
	work, err := openWorkTree(r.opt.Work, r.disk)
	if err != nil {
		return err
	}
	r.work = work
	r.flock = flock.New(filepath.Join(r.own, "lock"), flock.SetPermissions(0o600))
	deadline := time.Now().Add(r.opt.Wait)
	held, err := r.flock.TryLock()
	if err != nil {
		return fmt.Errorf("lock %s: %w", r.flock.Path(), err)
	}
	if !held && r.readable() {
		return r.openFiles() // whoever writes has recovered; our first write looks again
	}
	if !held {
		if err := r.takeFlock(ctx, deadline); err != nil {
			return err
		}
	}
	defer r.flock.Unlock() //nolint:errcheck // closing it lets go, too
	if err := r.openFiles(); err != nil {
		return err
	}
	return r.recover(ctx, deadline)
}

func (r *Repo) walPath() string { return filepath.Join(r.own, "wal") }

func (r *Repo) openFiles() (err error) {
	if r.wal, err = openWAL(r.disk, r.walPath(), r.firstHeader); err != nil {
		return err
	}
	r.applied, err = os.OpenFile(filepath.Join(r.own, "applied"), os.O_CREATE|os.O_RDWR, 0o600)
	return err
}

// readable says whether the notes can be read without a recovery: a reader need not
// wait for a writer.
func (r *Repo) readable() bool {
	if _, err := os.Stat(r.walPath()); err != nil {
		return false
	}
	branch, err := r.branch()
	if err != nil {
		return true // nothing that a recovery would change
	}
	cur, err := r.readRef(branch)
	if err == nil {
		_, err = r.Commit(cur)
	}
	return err == nil
}

// firstHeader is the record file's header for a repository that has none yet: what
// its branch says now is taken as given.
func (r *Repo) firstHeader() walHeader {
	h := walHeader{epoch: 1, at: time.Now()}
	if b, err := r.branch(); err == nil {
		h.branch = b
		h.head, _ = r.readRef(b) // unreadable: recovery looks for it
	}
	return h
}

// checkFormat refuses what go-git would misread.
func checkFormat(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "commondir")); err == nil {
		return fmt.Errorf("%s is a linked worktree; open the main workspace instead: %w", dir, ErrUnsupported)
	}
	b, err := os.ReadFile(filepath.Join(dir, "config"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	section := ""
	for line := range strings.Lines(strings.ToLower(string(b))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[] \t")
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"`)
		if section != "extensions" {
			continue
		}
		switch {
		case key == "objectformat" && value != "sha1":
			return fmt.Errorf("the repository uses the %s object format; quipu needs sha1: %w", value, ErrUnsupported)
		case key == "worktreeconfig" && value != "false":
			return fmt.Errorf("the repository has extensions.worktreeConfig; run `git config --unset extensions.worktreeConfig`: %w", ErrUnsupported)
		case key == "partialclone" || key == "refstorage" && value != "files":
			return fmt.Errorf("the repository has extensions.%s; clone it again without it: %w", key, ErrUnsupported)
		}
	}
	return nil
}

func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "unknown" // as if never rebooted: records are replayed by content all the same
	}
	return strings.TrimSpace(string(b))
}

// Close lets go of the repository. What was answered stays in the record until a
// checkpoint, here or in a later process.
func (r *Repo) Close() error {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	return r.release()
}

func (r *Repo) release() error {
	var errs []error
	if r.wal != nil {
		errs = append(errs, r.wal.f.Close())
	}
	if r.applied != nil {
		errs = append(errs, r.applied.Close())
	}
	if r.flock != nil {
		errs = append(errs, r.flock.Close())
	}
	if r.work != nil {
		errs = append(errs, r.work.close())
	}
	r.packs.close()
	if r.token != "" {
		if err := os.Remove(r.token); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Head gives the branch that is checked out and its newest commit; a zero Hash for
// one without commits. It takes no lock.
func (r *Repo) Head() (branch string, h Hash, err error) {
	ref, err := r.branch()
	if err != nil {
		return "", Hash{}, err
	}
	h, err = r.readRef(ref)
	if errors.Is(err, fs.ErrNotExist) {
		return strings.TrimPrefix(ref, branchPrefix), Hash{}, nil
	}
	return strings.TrimPrefix(ref, branchPrefix), h, err
}

// Position gives the commit that HEAD stands for, on a branch or not: for reading. It
// is zero where there is none. It takes no lock.
func (r *Repo) Position() (Hash, error) {
	if _, h, err := r.Head(); err == nil || !errors.Is(err, ErrState) {
		return h, err
	}
	b, err := os.ReadFile(filepath.Join(r.dir, "HEAD"))
	if err != nil {
		return Hash{}, err
	}
	h, _ := ParseHash(strings.TrimSpace(string(b)))
	return h, nil
}

// Dir is the git directory.
func (r *Repo) Dir() string { return r.dir }

// Own is the folder in the git directory that holds quipu's own state.
func (r *Repo) Own() string { return r.own }

// Mended says, once, what was repaired since the last call, in sentences.
func (r *Repo) Mended() []string {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	out := r.mended
	r.mended = nil
	return out
}

func (r *Repo) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	r.log.Warn("repaired", "what", s)
	r.mended = append(r.mended, s)
}
