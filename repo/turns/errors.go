package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The sentinels: one for each meaning a caller can act on.
var (
	// ErrNotFound: this bot has no such turn.
	ErrNotFound = errors.New("no such turn")
	// ErrEnded: the turn was ended before; nothing was changed.
	ErrEnded = errors.New("turn has ended")
	// ErrExists: the id is taken: a turn that begins twice, a bot renamed onto another.
	ErrExists = errors.New("already exists")
	// ErrInvalid: an id, kind, author or time is missing or unknown.
	ErrInvalid = errors.New("invalid")
	// ErrBusy: another process held the file for longer than a call waits.
	ErrBusy = errors.New("conversations are in use by another process")
	// ErrDamaged: the file is not sound, or not ours. It is left as it is.
	ErrDamaged = errors.New("conversations are damaged")
	// ErrVersion: the file was written by another version of this program that is in use.
	ErrVersion = errors.New("conversations were written by another version")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("conversations are closed")
)

// primary is the part of an SQLite result code that names its class.
const primary = 0xff

// explain gives an error of SQLite the meaning it has here.
func explain(err error) error {
	var e *sqlite.Error
	switch {
	case errors.Is(err, sql.ErrConnDone):
		return ErrClosed
	case !errors.As(err, &e):
		return err
	}
	switch code := e.Code(); code & primary {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_INTERRUPT:
		return fmt.Errorf("%w: %w", context.Canceled, err)
	}
	return err
}
