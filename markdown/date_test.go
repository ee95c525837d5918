package markdown

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDate(t *testing.T) {
	tests := []struct {
		in string
		ok bool
	}{
		{"2026-09-30", true},
		{"2024-02-29", true},
		{"2000-02-29", true},
		{"2026-02-29", false},
		{"1900-02-29", false},
		{"2026-02-30", false},
		{"2026-04-31", false},
		{"2026-13-01", false},
		{"2026-00-10", false},
		{"2026-01-00", false},
		{"0000-01-01", false},
		{"2026-9-30", false},
		{"2026-09-30 ", false},
		{"2026/09/30", false},
		{"+026-09-30", false},
		{"next week", false},
		{"soon", false},
		{"", false},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			d, ok := ParseDate(tt.in)
			if ok != tt.ok {
				t.Fatalf("ParseDate(%q) ok = %v, want %v", tt.in, ok, tt.ok)
			}
			if ok && d.String() != tt.in {
				t.Errorf("String = %q, want %q", d.String(), tt.in)
			}
			if !ok && !d.IsZero() {
				t.Errorf("date = %v, want none", d)
			}
		})
	}
}

func TestDateOfUsesTheZoneOfTheTime(t *testing.T) {
	at := time.Date(2026, 9, 10, 23, 30, 0, 0, time.UTC)
	for zone, want := range map[int]string{0: "2026-09-10", 2 * 3600: "2026-09-11", -12 * 3600: "2026-09-10"} {
		if got := DateOf(at.In(time.FixedZone("", zone))).String(); got != want {
			t.Errorf("DateOf at offset %d s = %q, want %q", zone, got, want)
		}
	}
	if got := DateOf(time.Date(-3, 1, 1, 0, 0, 0, 0, time.UTC)); !got.IsZero() {
		t.Errorf("DateOf a year that no entry carries = %v, want none", got)
	}
}

func TestDatesFollowTheCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := time.Date(rapid.IntRange(1, 9990).Draw(t, "year"), 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 365).Draw(t, "day"))
		b := a.AddDate(0, 0, rapid.IntRange(-400, 400).Draw(t, "apart"))
		if b.Year() < 1 {
			t.Skip("before the first year")
		}
		da, ok := ParseDate(a.Format(time.DateOnly))
		if !ok || da != DateOf(a) || da.String() != a.Format(time.DateOnly) {
			t.Fatalf("day %s reads as %v (%v)", a.Format(time.DateOnly), da, ok)
		}
		if got, want := da.Compare(DateOf(b)), a.Compare(b); got != want {
			t.Fatalf("Compare(%s, %s) = %d, want %d", a, b, got, want)
		}
		if got, want := da.Before(DateOf(b)), a.Before(b); got != want {
			t.Fatalf("Before(%s, %s) = %v, want %v", a, b, got, want)
		}
	})
	if !(Date{}).Before(DateOf(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))) {
		t.Error("no date is before every date, want so")
	}
}
