package exchange

import (
	"errors"
	"fmt"
)

// The two meanings of an error.
var (
	// ErrInput: what was given is not of the format; the text says where.
	ErrInput = errors.New("not of this format")
	// ErrTooLarge: what was given is over a limit; the text says which.
	ErrTooLarge = errors.New("too large")
)

// fault is an error with a sentence of its own.
type fault struct {
	kind error
	text string
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.kind }

func faulty(format string, args ...any) error {
	return &fault{kind: ErrInput, text: fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &fault{kind: ErrTooLarge, text: fmt.Sprintf(format, args...)}
}
