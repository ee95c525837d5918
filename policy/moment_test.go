package policy

import (
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 30, 1, 30, 0, 0, berlin) // the day after clocks went forward
	tests := []struct {
		text       string
		start, end string
	}{
		{"24h", "2026-03-29T00:30:00+01:00", "2026-03-29T00:30:00+01:00"},
		{"90m", "2026-03-30T00:00:00+02:00", "2026-03-30T00:00:00+02:00"},
		{"3d", "2026-03-27T01:30:00+01:00", "2026-03-27T01:30:00+01:00"},
		{"2w", "2026-03-16T01:30:00+01:00", "2026-03-16T01:30:00+01:00"},
		{"today", "2026-03-30T00:00:00+02:00", "2026-03-30T23:59:59.999999999+02:00"},
		{"yesterday", "2026-03-29T00:00:00+01:00", "2026-03-29T23:59:59.999999999+02:00"},
		{"2026-03-29", "2026-03-29T00:00:00+01:00", "2026-03-29T23:59:59.999999999+02:00"},
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
		{"2026-02-30", "", ""},
		{"tomorrow", "", ""},
		{"-3d", "", ""},
		{"3 d", "", ""},
		{"9999999d", "", ""},
		{"2026-1-2", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			for end, want := range map[bool]string{false: tt.start, true: tt.end} {
				at, ok := Moment(tt.text, now, end)
				got := ""
				if ok {
					got = at.Format(time.RFC3339Nano)
				}
				if got != want {
					t.Errorf("end %v: got %q, want %q", end, got, want)
				}
			}
		})
	}
}
