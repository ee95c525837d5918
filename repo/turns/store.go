package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Store is the conversations of a home. It is safe for concurrent use; several
// handles and processes may have the same file open.
type Store struct {
	db      *sql.DB
	log     *slog.Logger
	writing sync.Mutex // one writer in a process, so that writers queue instead of polling SQLite's lock
	closed  atomic.Bool
}

// settings hold for each connection. A turn that was acknowledged survives a power
// cut (FULL). What is deleted is overwritten, and nothing is ever put into a
// temporary file outside the home.
func settings() url.Values {
	return url.Values{
		"_txlock": {"immediate"},
		"_pragma": {
			"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "secure_delete(ON)",
			"temp_store(MEMORY)", "cache_size(-4000)",
		},
	}
}

// Open opens the file at path, or makes it and its folder, for its owner alone. A nil
// log discards. ErrDamaged: the file is not sound or not ours; it is left as it is.
// ErrVersion: a newer version of this program wrote it.
func Open(path string, log *slog.Logger) (*Store, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &Store{log: log}
	if err := s.open(context.Background(), path); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return err
	}
	if err := makePrivate(abs); err != nil {
		return err
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	if err := prove(ctx, name.String()); err != nil {
		return err
	}
	name.RawQuery = settings().Encode()
	if s.db, err = sql.Open("sqlite", name.String()); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(max(2, runtime.GOMAXPROCS(0)))
	s.db.SetMaxIdleConns(2)
	if err = s.settle(ctx); err != nil {
		_ = s.db.Close() // the reason why it is not usable is the error to give
		return explain(err)
	}
	return nil
}

// makePrivate makes the file where there is none, readable by nobody else. A file
// that is there is not opened: closing it again would strip this process of the
// locks that another handle holds on it.
func makePrivate(path string) error {
	const private = 0o600
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, private)
		if errors.Is(err, os.ErrExist) { // another process was faster
			return nil
		}
		if err != nil {
			return err
		}
		return errors.Join(f.Chmod(private), f.Close())
	case err != nil:
		return err
	case !fi.Mode().IsRegular():
		return fmt.Errorf("%w: not a regular file", ErrDamaged)
	case fi.Mode().Perm() != private:
		return os.Chmod(path, private)
	}
	return nil
}

// prove looks at a file before the settings of a connection alter it: one that is not
// ours stays as it is.
func prove(ctx context.Context, name string) error {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	_, err = ready(ctx, db)
	return errors.Join(explain(err), db.Close())
}

// settle brings the file to this version of the tables and of the analysis, and
// finishes a deletion that a crash cut short.
func (s *Store) settle(ctx context.Context) error {
	version, err := ready(ctx, s.db)
	if err == nil && version < schemaVersion {
		err = s.update(ctx, create)
	}
	if err != nil {
		return err
	}
	var words string
	var scrub int64
	if err := s.db.QueryRowContext(ctx, "SELECT analysis, scrub FROM meta").Scan(&words, &scrub); err != nil {
		return err
	}
	if words != analysis() {
		s.log.Info("conversations are indexed anew", "from", words, "to", analysis())
		if err := s.update(ctx, reindex); err != nil {
			return err
		}
		scrub++
	}
	if scrub > 0 {
		if err := s.Scrub(ctx); err != nil {
			s.log.Warn("what was deleted from conversations may still lie in the file", "why", err)
		}
	}
	return nil
}

// ready gives the version of the tables, 0 when there are none. The switch to the
// log is refused, not queued, while another process makes it, so it is tried again.
func ready(ctx context.Context, db *sql.DB) (int64, error) {
	const wait, pause = 5 * time.Second, 5 * time.Millisecond
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		version, err := readVersion(limited, db)
		if !errors.Is(explain(err), ErrBusy) {
			return version, err
		}
		select {
		case <-limited.Done():
			return 0, err
		case <-time.After(pause):
		}
	}
}

// rower is a database or a transaction.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func readVersion(ctx context.Context, db rower) (version int64, err error) {
	var app, objects int64
	err = db.QueryRowContext(ctx,
		"SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)").
		Scan(&app, &version, &objects)
	switch {
	case err != nil:
		return 0, err
	case objects == 0 && app == 0:
		return 0, nil
	case app != applicationID:
		return 0, fmt.Errorf("%w: the file holds something else", ErrDamaged)
	case version < 1 || version > schemaVersion:
		return 0, fmt.Errorf("%w: schema %d, this one knows %d", ErrVersion, version, schemaVersion)
	}
	return version, nil
}

// create makes the tables, or brings older ones to this version, unless another process
// just did.
func create(ctx context.Context, tx *work) error {
	version, err := readVersion(ctx, tx)
	if err != nil || version == schemaVersion {
		return err
	}
	if version == 1 {
		_, err = tx.Tx.ExecContext(ctx, fmt.Sprintf("%s PRAGMA user_version = %d;", withSpeakers, schemaVersion))
		return err
	}
	if _, err = tx.Tx.ExecContext(ctx, fmt.Sprintf("%s PRAGMA application_id = %d; PRAGMA user_version = %d;", schema, applicationID, schemaVersion)); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO meta VALUES (1, ?, 0, 0)", analysis())
	return err
}

// Close lets the file go. Calls after it give ErrClosed.
func (s *Store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.closed.Store(true)
	return s.db.Close()
}

// view runs fn on one consistent state, beside any writer.
func (s *Store) view(ctx context.Context, fn func(context.Context, *work) error) error {
	return s.transact(ctx, &sql.TxOptions{ReadOnly: true}, fn)
}

// update runs fn in one transaction that is kept only when fn gives no error.
func (s *Store) update(ctx context.Context, fn func(context.Context, *work) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.transact(ctx, nil, fn)
}

// change is update for a writer of rows: the words that it puts in or takes out must
// be those of the analysis that is in the file.
func (s *Store) change(ctx context.Context, fn func(context.Context, *work) error) error {
	return s.update(ctx, func(ctx context.Context, tx *work) error {
		var words string
		if err := tx.QueryRowContext(ctx, "SELECT analysis FROM meta").Scan(&words); err != nil {
			return err
		}
		if words != analysis() {
			return ErrVersion
		}
		return fn(ctx, tx)
	})
}

func (s *Store) transact(ctx context.Context, o *sql.TxOptions, fn func(context.Context, *work) error) error {
	if s.closed.Load() {
		return ErrClosed
	}
	tx, err := s.db.BeginTx(ctx, o)
	if err != nil {
		return explain(err)
	}
	if err = fn(ctx, &work{Tx: tx, made: map[string]*sql.Stmt{}}); err == nil {
		err = tx.Commit()
	} else {
		_ = tx.Rollback() // the error to give is the first
	}
	if s.closed.Load() && err != nil {
		return ErrClosed
	}
	return explain(err)
}
