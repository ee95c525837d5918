package side

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"quipu/repo/internal/git"
)

// fileName is the index inside its folder; SQLite puts -wal and -shm beside it.
const fileName = "index.db"

// Index is one open index. It is safe for concurrent use; several handles and
// processes may have the same file open.
type Index struct {
	path string
	log  *slog.Logger

	syncing sync.Mutex // one Sync at a time in a handle; taken before mu
	mu      sync.Mutex // guards tables, held for one transaction
	tables  *tables    // nil: closed, or a broken file that could not be made again
	closed  bool
}

// Open opens the index in the folder dir, or makes an empty one; a file that is
// broken, of another schema version or not ours is made again. A nil log discards.
// ErrLocked: another process holds the file for longer than an open takes.
func Open(dir string, log *slog.Logger) (*Index, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	x := &Index{path: filepath.Join(dir, fileName), log: log}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	if err := x.exclusively(context.Background(), x.connect); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	return x, nil
}

// Remove takes the index of a folder away, with its log: what it says is made again
// from the history. A process that has it open reads what it had until it looks anew.
func Remove(dir string) error {
	x := &Index{path: filepath.Join(dir, fileName), log: slog.New(slog.DiscardHandler)}
	err := x.exclusively(context.Background(), func(context.Context) error {
		var errs []error
		for _, tail := range []string{"", "-wal", "-shm"} {
			if err := os.Remove(x.path + tail); !errors.Is(err, os.ErrNotExist) {
				errs = append(errs, err)
			}
		}
		return errors.Join(errs...)
	})
	if err != nil {
		return fmt.Errorf("remove index: %w", err)
	}
	return nil
}

// exclusively keeps other processes from opening the file meanwhile: between the
// removal of a broken file and of its WAL, theirs could come into being.
func (x *Index) exclusively(ctx context.Context, fn func(context.Context) error) error {
	const wait = 2 * time.Second
	ctx = context.WithoutCancel(ctx) // a file half made would be in the way of everyone
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	lock := flock.New(x.path+".lock", flock.SetPermissions(0o600))
	if ok, err := lock.TryLockContext(limited, 5*time.Millisecond); !ok {
		if errors.Is(err, context.DeadlineExceeded) {
			return ErrLocked
		}
		return err
	}
	defer lock.Close() //nolint:errcheck // the descriptor's end releases the lock
	return fn(ctx)
}

// connect opens the file, and makes it again when it is not a sound index.
func (x *Index) connect(ctx context.Context) error {
	t, err := openTables(ctx, x.path)
	if errors.Is(err, ErrBroken) {
		x.log.Warn("index is made again", "path", x.path, "why", err)
		if err = removeFiles(x.path); err == nil {
			t, err = openTables(ctx, x.path)
		}
	}
	if err == nil {
		x.tables = t
	}
	return err
}

// remake throws a broken file away and begins an empty one, which the next Sync
// fills, in this process or another. x.mu is held.
func (x *Index) remake(ctx context.Context, why error) {
	x.log.Warn("index is made again", "path", x.path, "why", why)
	_ = x.tables.close() // what cannot be read may not close cleanly either
	x.tables = nil
	err := x.exclusively(ctx, func(ctx context.Context) error {
		if err := removeFiles(x.path); err != nil {
			return err
		}
		return x.connect(ctx)
	})
	if err != nil {
		x.log.Error("index cannot be made again", "path", x.path, "why", err)
	}
}

// ready gives the tables, and tries once more when they could not be opened. x.mu is held.
func (x *Index) ready(ctx context.Context) (*tables, error) {
	if x.closed {
		return nil, ErrClosed
	}
	if x.tables == nil {
		if err := x.exclusively(ctx, x.connect); err != nil {
			return nil, explain(err)
		}
	}
	return x.tables, nil
}

func removeFiles(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close lets the file go. Calls after it give ErrClosed.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closed = true
	if x.tables == nil {
		return nil
	}
	err := x.tables.close()
	x.tables = nil
	return err
}

// Head is the commit that the index stands for; zero when it is empty or cannot be read.
func (x *Index) Head() git.Hash {
	var h git.Hash
	err := x.view(context.Background(), func(ctx context.Context, t *tables) (err error) {
		h, err = t.head(ctx)
		return err
	})
	if err != nil {
		return git.Hash{}
	}
	return h
}

// Count is the number of changes.
func (x *Index) Count(ctx context.Context) (n int, err error) {
	err = x.view(ctx, func(ctx context.Context, t *tables) error {
		pos, err := t.last(ctx)
		n = int(pos)
		return err
	})
	return n, err
}

// view runs fn on one consistent state.
func (x *Index) view(ctx context.Context, fn func(context.Context, *tables) error) error {
	return x.transact(ctx, "BEGIN", fn)
}

// write runs fn in one transaction that is kept only when fn gives no error.
func (x *Index) write(ctx context.Context, fn func(context.Context, *tables) error) error {
	return x.transact(ctx, "BEGIN IMMEDIATE", fn)
}

func (x *Index) transact(ctx context.Context, begin string, fn func(context.Context, *tables) error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	t, err := x.ready(ctx)
	if err != nil {
		return err
	}
	// A context that ends must not leave a transaction open: the connection is used again.
	steady := context.WithoutCancel(ctx)
	if err = ctx.Err(); err == nil {
		err = t.exec(steady, begin)
	}
	if err == nil {
		err = fn(ctx, t)
	}
	err = t.end(steady, err)
	if err = explain(err); errors.Is(err, ErrBroken) {
		x.remake(ctx, err)
	}
	return err
}

// end keeps what a transaction did, or takes it back when it ended in err.
func (t *tables) end(ctx context.Context, err error) error {
	if err == nil {
		if err = t.exec(ctx, "COMMIT"); err == nil {
			return nil
		}
	}
	_ = t.exec(ctx, "ROLLBACK") // the error to give is the first
	return err
}

// tables is the one connection to the file with its prepared statements.
type tables struct {
	db   *sql.DB
	conn *sql.Conn
	made map[string]*sql.Stmt
}

// openTables opens the file, 0600 whatever the umask. ErrBroken when it is not a
// sound index of this version.
func openTables(ctx context.Context, path string) (*tables, error) {
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	t := &tables{db: db, made: map[string]*sql.Stmt{}}
	if t.conn, err = db.Conn(ctx); err == nil {
		err = t.prove(ctx)
	}
	if err != nil {
		_ = t.close() // the reason why it is not usable is the error to give
		return nil, explain(err)
	}
	return t, nil
}

// makePrivate makes the file where there is none, readable by nobody else. A file
// that is there is not opened: closing it again would strip this process of the
// locks that another handle holds on it.
func makePrivate(path string) error {
	const private = 0o600
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := removeFiles(path); err != nil { // the log of a file that is gone must not be read into the new one
			return err
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, private)
		if err != nil {
			return err
		}
		return errors.Join(f.Chmod(private), f.Close())
	case err != nil:
		return err
	case !fi.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case fi.Mode().Perm() != private:
		return os.Chmod(path, private)
	}
	return nil
}

// prove sets the connection up and makes the tables in an empty file.
func (t *tables) prove(ctx context.Context) error {
	if _, err := t.conn.ExecContext(ctx, settings); err != nil {
		return err
	}
	var app, version, objects int64
	err := t.conn.QueryRowContext(ctx,
		"SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)").
		Scan(&app, &version, &objects)
	switch {
	case err != nil:
		return err
	case objects == 0 && app == 0:
		return t.create(ctx)
	case app != applicationID:
		return fmt.Errorf("%w: the file is not an index", ErrBroken)
	case version != schemaVersion:
		return fmt.Errorf("%w: schema version %d, not %d", ErrBroken, version, schemaVersion)
	}
	return t.agree(ctx)
}

func (t *tables) create(ctx context.Context) error {
	_, err := t.conn.ExecContext(ctx, fmt.Sprintf("BEGIN IMMEDIATE; %s PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;",
		Schema, applicationID, schemaVersion))
	return err
}

// agree checks that the newest change is the one the head names.
func (t *tables) agree(ctx context.Context) error {
	var agree bool
	err := t.conn.QueryRowContext(ctx,
		"SELECT coalesce((SELECT hash FROM change ORDER BY pos DESC LIMIT 1), x'') = (SELECT head FROM meta)").Scan(&agree)
	if err == nil && !agree {
		err = fmt.Errorf("%w: its head is not its newest change", ErrBroken)
	}
	return err
}

func (t *tables) close() error {
	var errs []error
	for _, s := range t.made {
		errs = append(errs, s.Close())
	}
	if t.conn != nil {
		errs = append(errs, t.conn.Close())
	}
	return errors.Join(append(errs, t.db.Close())...)
}

// stmt prepares a query once. Only texts from this package's constants come here.
func (t *tables) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := t.made[query]; ok {
		return s, nil
	}
	s, err := t.conn.PrepareContext(ctx, query)
	if err == nil {
		t.made[query] = s
	}
	return s, err
}

func (t *tables) exec(ctx context.Context, query string, args ...any) error {
	s, err := t.stmt(ctx, query)
	if err == nil {
		_, err = s.ExecContext(ctx, args...)
	}
	return err
}

// one scans the only row of a query into dest; found is false when there is none.
func (t *tables) one(ctx context.Context, query string, args []any, dest ...any) (found bool, err error) {
	s, err := t.stmt(ctx, query)
	if err != nil {
		return false, err
	}
	err = s.QueryRowContext(ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// each calls visit for every row of a query that is not kept prepared.
func (t *tables) each(ctx context.Context, query string, args []any, visit func(scan func(...any) error) error) error {
	rows, err := t.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	for err == nil && rows.Next() {
		err = visit(rows.Scan)
	}
	return errors.Join(err, rows.Err(), rows.Close())
}

func (t *tables) head(ctx context.Context) (h git.Hash, err error) {
	var raw []byte
	_, err = t.one(ctx, "SELECT head FROM meta", nil, &raw)
	copy(h[:], raw)
	return h, err
}

// last is the highest position, 0 when there is none. Positions have no gaps.
func (t *tables) last(ctx context.Context) (pos int64, err error) {
	_, err = t.one(ctx, "SELECT coalesce(max(pos), 0) FROM change", nil, &pos)
	return pos, err
}
