package main

import (
	"testing"
	"time"
)

func TestWhen(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 10, 26, 9, 30, 0, 0, berlin) // the day after the clocks went back
	tests := map[string]struct {
		text string
		end  bool
		want string
	}{
		"hours":                {"24h", false, "2026-10-25T09:30:00+01:00"},
		"days are calendar":    {"2d", false, "2026-10-24T09:30:00+02:00"},
		"weeks":                {"1w", false, "2026-10-19T09:30:00+02:00"},
		"minutes":              {"90m", false, "2026-10-26T08:00:00+01:00"},
		"today begins":         {"today", false, "2026-10-26T00:00:00+01:00"},
		"today ends":           {"today", true, "2026-10-26T23:59:59.999999999+01:00"},
		"yesterday has 25 h":   {"yesterday", true, "2026-10-25T23:59:59.999999999+01:00"},
		"a day":                {"2026-07-01", false, "2026-07-01T00:00:00+02:00"},
		"to the end of a day":  {"2026-07-01", true, "2026-07-01T23:59:59.999999999+02:00"},
		"a moment":             {"2026-07-01T10:00:00Z", true, "2026-07-01T10:00:00Z"},
		"white space about it": {" today ", false, "2026-10-26T00:00:00+01:00"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := when(tt.text, now, tt.end)
			if err != nil {
				t.Fatal(err)
			}
			if s := got.Format(time.RFC3339Nano); s != tt.want {
				t.Errorf("when(%q) = %s, want %s", tt.text, s, tt.want)
			}
		})
	}
	for _, bad := range []string{"", "soon", "3", "3y", "2026-02-30", "99999999d", "-3d", "10:00"} {
		t.Run("not "+bad, func(t *testing.T) {
			if got, err := when(bad, now, false); err == nil || exitOf(err) != exitUsage {
				t.Errorf("when(%q) = %v, %v, want a mistake of usage", bad, got, err)
			}
		})
	}
}

func FuzzWhen(f *testing.F) {
	for _, seed := range []string{"24h", "3d", "today", "yesterday", "2026-02-30", "2026-09-10T10:00:00+02:00", "999999w", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begin, err := when(text, noon, false)
		if err != nil {
			return
		}
		end, err := when(text, noon, true)
		if err != nil || end.Before(begin) {
			t.Errorf("when(%q) begins %v and ends %v, %v", text, begin, end, err)
		}
	})
}
