package model

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The sentinels: one for each meaning a caller can act on. Their texts, and those of
// the errors that wrap them, are for a person: they stand in reports.
var (
	// ErrNone: no model can be used for the bot (see Unavailable).
	ErrNone = errors.New("no model is set for this bot")
	// ErrLimit: what may be used in a month is used.
	ErrLimit = errors.New("the monthly limit is reached")
	// ErrTimeout: the model took longer than it may.
	ErrTimeout = errors.New("the model did not answer in time")
	// ErrFailed: the model could not be asked, or its answer is no use.
	ErrFailed = errors.New("the model failed")
)

// Unavailable says, in one sentence, why no model writes for a bot. It is an ErrNone.
//
//nolint:errname // it is an answer to the caller, and its name is part of the API
type Unavailable struct{ Why string }

func (u *Unavailable) Error() string { return u.Why }

// Unwrap gives ErrNone.
func (u *Unavailable) Unwrap() error { return ErrNone }

// failure is an ErrFailed or one of its like in words of its own. quote is what the
// other side said of it; it goes into reports but not into the log, since a server
// may quote the prompt.
type failure struct {
	is          error
	text, quote string
}

func (f *failure) Error() string {
	if f.quote == "" {
		return f.text
	}
	return f.text + ": " + f.quote
}

func (f *failure) Unwrap() error { return f.is }

func failed(text string) error { return &failure{is: ErrFailed, text: text} }

func quoted(text, quote string) error { return &failure{is: ErrFailed, text: text, quote: quote} }

func late(limit time.Duration) error {
	return &failure{is: ErrTimeout, text: fmt.Sprintf("the model did not answer within %g s", limit.Seconds())}
}

// Plain is an error as the log may have it: without what the other side said, which may
// quote the prompt, and without the sums that differ from call to call.
func Plain(err error) string {
	if errors.Is(err, ErrLimit) {
		return ErrLimit.Error()
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.text
	}
	return err.Error()
}

// word is the short word for an error in the list of uses.
func word(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrLimit):
		return "limit"
	case errors.Is(err, ErrTimeout):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "canceled"
	default:
		return "failed"
	}
}
