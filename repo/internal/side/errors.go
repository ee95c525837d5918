package side

import (
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The sentinels: one for each meaning a caller can act on.
var (
	// ErrNotFound: the index has no such change.
	ErrNotFound = errors.New("no such change")
	// ErrAmbiguous: the prefix names more than one change.
	ErrAmbiguous = errors.New("more than one change begins so")
	// ErrLocked: another process is writing the index. Nothing is lost: a later Sync catches up.
	ErrLocked = errors.New("index is in use by another process")
	// ErrBroken: the file was not sound. It is empty now; the next Sync fills it.
	ErrBroken = errors.New("index is broken")
	// ErrClosed: the index was closed.
	ErrClosed = errors.New("index is closed")
)

// errMoved: another handle changed the index between planning and writing.
var errMoved = errors.New("index moved")

// primary is the part of an SQLite result code that names its class.
const primary = 0xff

// explain gives SQLite's result codes the meaning they have here.
func explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch code := e.Code(); {
	case code&primary == sqlite3.SQLITE_BUSY, code&primary == sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", ErrLocked, err)
	case code&primary == sqlite3.SQLITE_CORRUPT, code&primary == sqlite3.SQLITE_NOTADB, code == sqlite3.SQLITE_IOERR_SHORT_READ,
		code == sqlite3.SQLITE_ERROR && strings.Contains(e.Error(), "no such "): // a table, a column: they are not ours
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return err
}
