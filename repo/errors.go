package repo

import (
	"errors"
	"fmt"
	"strings"

	"quipu/repo/internal/git"
)

// The sentinels: one for each meaning a caller can act on.
var (
	// ErrNotFound: no such bot, change, file or token.
	ErrNotFound = errors.New("not found")
	// ErrInvalid: the input is malformed: a path, a date, an id, an argument.
	ErrInvalid = errors.New("invalid")
	// ErrStale: the file is not what the caller last read (see StaleError).
	ErrStale = errors.New("changed since it was read")
	// ErrConflict: the change does not fit what is there now (see ConflictError).
	ErrConflict = errors.New("conflict")
	// ErrNoUndo: the change can never be undone; the error text says why.
	ErrNoUndo = errors.New("cannot be undone")
	// ErrRefused: a rule of policy refuses the change.
	ErrRefused = errors.New("refused")
	// ErrForbidden: the file may not be changed that way, as deleting MEMORY.md.
	ErrForbidden = errors.New("forbidden")
	// ErrTooLarge: the text is over its size cap.
	ErrTooLarge = errors.New("too large")
	// ErrRemote: the remote failed. The text names host, cause and next step.
	ErrRemote = errors.New("remote")
	// ErrUnrelated: the remote's history has nothing in common with ours (see
	// Syncing.Unrelated). It is an ErrConflict.
	ErrUnrelated = wrapf(ErrConflict, "the remote holds another history, which has nothing in common with this one: `quipu sync --unrelated join` joins both, "+
		"`--unrelated adopt` takes the remote's and keeps this one under refs/quipu/lost, `quipu remote set URL --branch NAME` uses another branch")
	// ErrBusy: another writer held a lock for longer than the wait.
	ErrBusy = errors.New("busy")
	// ErrState: the person's git is in a state that a write would damage: detached
	// HEAD, an unfinished merge or rebase, conflict markers. The text says what to do.
	ErrState = errors.New("workspace is not ready for a write")
	// ErrDamaged: history or a file that quipu needs cannot be read.
	ErrDamaged = errors.New("damaged")
	// ErrOff: memory is switched off for this bot.
	ErrOff = errors.New("off")
	// ErrNeedHash: overwriting a file needs the hash of the text it was based on.
	ErrNeedHash = errors.New("revision needed")
)

// StaleError says what stands in the file instead of the text that was expected.
// It is an ErrStale.
type StaleError struct {
	Path        string
	Current     string // the text now, redacted
	CurrentHash string // SHA-256, hex, of Current
}

func (e *StaleError) Error() string { return fmt.Sprintf("%s changed since it was read", e.Path) }

// Unwrap makes errors.Is(err, ErrStale) true.
func (e *StaleError) Unwrap() error { return ErrStale }

// Clash is one place where a change cannot be reversed because what it wrote has
// itself changed since.
type Clash struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Have string `json:"have"` // what stands there now
	Want string `json:"want"` // what would be put back
	Was  string `json:"was"`  // what the change had left there
}

// ConflictError lists the places that stop an undo or a merge. It is an ErrConflict.
type ConflictError struct {
	Change  ChangeID
	Reason  string
	Clashes []Clash
}

func (e *ConflictError) Error() string {
	if e.Reason != "" {
		return e.Reason
	}
	return fmt.Sprintf("change %s: %d of its notes changed since", e.Change, len(e.Clashes))
}

// Unwrap makes errors.Is(err, ErrConflict) true.
func (e *ConflictError) Unwrap() error { return ErrConflict }

// Meaning gives a sentence of a floor above the meaning of a sentinel.
func Meaning(kind error, sentence string) error { return wrapf(kind, "%s", sentence) }

// wrapf marks an error with a sentinel and a sentence of its own.
func wrapf(kind error, format string, args ...any) error {
	return &marked{kind: kind, text: fmt.Sprintf(format, args...)}
}

type marked struct {
	kind error
	text string
}

func (e *marked) Error() string { return e.text }
func (e *marked) Unwrap() error { return e.kind }

// gitError gives an error of the floor below the meaning it has here.
func gitError(err error) error {
	for _, m := range [...]struct{ from, to error }{
		{git.ErrBusy, ErrBusy},
		{git.ErrState, ErrState},
		{git.ErrUnsupported, ErrState},
		{git.ErrDamaged, ErrDamaged},
		{git.ErrOddFile, ErrState},
	} {
		if errors.Is(err, m.from) && !errors.Is(err, m.to) {
			return wrapf(m.to, "%s", strings.TrimSuffix(err.Error(), ": "+m.from.Error()))
		}
	}
	return err
}
