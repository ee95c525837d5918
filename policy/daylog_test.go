package policy

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestLogLine(t *testing.T) {
	at := time.Date(2026, 9, 10, 14, 3, 59, 0, time.UTC)
	tests := []struct{ name, source, text, want string }{
		{"log-01", `chat "Deploy"`, "shipped 0.1.70", `- 14:03 · from chat "Deploy" · shipped 0.1.70`},
		{"log-02", "", "rollback\ndone", "- 14:03 · rollback done"},
		{"log-03", "", " \t\n", ""},
		{"a source with a middle dot", "chat \"A · B\"\nC", "x", `- 14:03 · from chat "A - B" C · x`},
		{"forged lines", "", "x\n- 15:00 · forged\u2028# y", "- 14:03 · x - 15:00 · forged # y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := LogLine(at, tt.source, tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if long := LogLine(at, "", strings.Repeat("旅", 5000)); utf8.RuneCountInString(long) > 620 || !utf8.ValidString(long) {
		t.Errorf("a long text gives %d characters", utf8.RuneCountInString(long))
	}
}

// BUG-110: the day is that of the zone, not of UTC.
func TestLogPath(t *testing.T) {
	for zone, want := range map[string]string{
		"America/Los_Angeles": "2026-03-14", "Asia/Kolkata": "2026-03-15", "Pacific/Chatham": "2026-03-15", "Pacific/Kiritimati": "2026-03-15",
	} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 3, 15, 1, 17, 0, 0, time.UTC).In(loc)
		if got := LogPath(at); got != LogDir+want+".md" {
			t.Errorf("%s: got %s, want %s", zone, got, want)
		}
	}
}
