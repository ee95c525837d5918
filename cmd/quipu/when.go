package main

import (
	"strings"
	"time"

	"quipu/policy"
)

// when reads a time as policy.Moment does. Words that are no time are a mistake of usage.
func when(text string, now time.Time, end bool) (time.Time, error) {
	t, ok := policy.Moment(strings.TrimSpace(text), now, end)
	if !ok {
		return t, usage("write 24h, 3d, yesterday, today, YYYY-MM-DD or RFC 3339", "%q is no time", text)
	}
	return t, nil
}

// whenFlag is when for a flag that may be left out.
func whenFlag(text string, now time.Time, end bool) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return when(text, now, end)
}
