package policy

import (
	"regexp"
	"strconv"
	"time"
)

// A span is shorter than the shortest prefix by which a commit can be named.
var momentSpan = regexp.MustCompile(`^([0-9]{1,4})(m|h|d|w)$`)

// Moment reads a time as people write it: 30m, 24h, 3d, 2w before now, now, today,
// yesterday, YYYY-MM-DD in now's zone, or RFC 3339. A day is its first moment, or
// its last one when it ends a range: both ends count. ok is false for anything else.
func Moment(text string, now time.Time, end bool) (t time.Time, ok bool) {
	if m := momentSpan.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1]) // at most four digits
		switch m[2] {
		case "m":
			return now.Add(-time.Duration(n) * time.Minute), true
		case "h":
			return now.Add(-time.Duration(n) * time.Hour), true
		case "w":
			n *= 7
		}
		return now.AddDate(0, 0, -n), true
	}
	switch text {
	case "now":
		return now, true
	case "today":
		return dayEdge(now, end), true
	case "yesterday":
		return dayEdge(now.AddDate(0, 0, -1), end), true
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return dayEdge(t, end), true
	}
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil
}

// Ahead reads a time to come: 30m, 24h, 3d, 2w from now on, tomorrow, YYYY-MM-DD to its end,
// or RFC 3339. ok is false for anything else, and for what is past.
func Ahead(text string, now time.Time) (t time.Time, ok bool) {
	switch m := momentSpan.FindStringSubmatch(text); {
	case text == "tomorrow":
		t = dayEdge(now.AddDate(0, 0, 1), true)
	case m != nil:
		back, _ := Moment(text, now, false)
		if t = now.Add(now.Sub(back)); m[2] == "d" || m[2] == "w" {
			n, _ := strconv.Atoi(m[1])
			t = now.AddDate(0, 0, n*map[string]int{"d": 1, "w": 7}[m[2]])
		}
	default:
		if t, ok = Moment(text, now, true); !ok {
			return t, false
		}
	}
	return t, t.After(now)
}

// dayEdge is the first or the last moment of t's day.
func dayEdge(t time.Time, end bool) time.Time {
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
	if end {
		return time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, t.Location()).Add(-time.Nanosecond)
	}
	return day
}
