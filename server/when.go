package server

import (
	"time"

	"quipu/policy"
)

// when reads one end of a range of time, a query value called name.
func when(name, text string, now time.Time, end bool) (time.Time, error) {
	t, ok := policy.Moment(text, now, end)
	if !ok {
		return t, invalid(name + " must be 24h, 3d, today, yesterday, YYYY-MM-DD or an RFC 3339 time")
	}
	return t, nil
}
