package repo

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

func zoneLab(t *testing.T, zone string, at time.Time) *lab {
	t.Helper()
	l := bareLab(t, filepath.Join(t.TempDir(), "home"), `{"timezone":"`+zone+`"}`)
	l.clock.set(at)
	l.create("scout")
	return l
}

// BUG-110: one zone for entry dates, commits and today.
func TestFaultBUG110Zone(t *testing.T) {
	at := time.Date(2026, 3, 15, 1, 17, 0, 0, time.UTC)
	for zone, want := range map[string][2]string{
		"America/Los_Angeles": {"2026-03-14", "-0700"}, "Asia/Kolkata": {"2026-03-15", "+0530"},
		"Pacific/Chatham": {"2026-03-15", "+1345"}, "UTC": {"2026-03-15", "+0000"}, "Pacific/Kiritimati": {"2026-03-15", "+1400"},
	} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			l := zoneLab(t, zone, at)
			r := l.append("a fact")
			if got := l.w.Today(); got != want[0] {
				t.Errorf("today %s, want %s", got, want[0])
			}
			l.contains(r.Entry, "- "+want[0]+" · a fact")
			got := l.git("log", "-1", "--format=%ad", "--date=format:%Y-%m-%d %z")
			if got != want[0]+" "+want[1] {
				t.Errorf("git says %s, want %s %s", got, want[0], want[1])
			}
			row := l.rows(Query{Limit: 1})[0]
			if got := row.AtTime.Format("2006-01-02 -0700"); got != want[0]+" "+want[1] {
				t.Errorf("row says %s", got)
			}
		})
	}
}

// BUG-112: the last day is a local one.
func TestFaultBUG112LastDay(t *testing.T) {
	for _, zone := range []string{"Asia/Shanghai", "America/Los_Angeles"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		l := zoneLab(t, zone, time.Date(2026, 8, 13, 23, 58, 0, 0, loc))
		l.update(policy.Update{Action: policy.Append, Text: "on the day", Until: "2026-08-13"})
		l.clock.set(time.Date(2026, 8, 14, 0, 1, 0, 0, loc))
		_, err = l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "the day after", Until: "2026-08-13"})
		l.refuses(err, ErrInvalid)
	}
}

// BUG-113: an end in the past, or that is no day, is refused and changes nothing.
func TestFaultBUG113Until(t *testing.T) {
	l := newLab(t)
	for until, ok := range map[string]bool{
		"2026-09-12": true, "2026-09-13": true, "2026-09-11": false, "2026-02-30": false, "tomorrow": false, "2026-9-13": false, "soon": false, "12": false,
	} {
		before := l.git("rev-parse", "HEAD")
		_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "fact until " + until, Until: until})
		if ok && err != nil {
			t.Errorf("%s: %v", until, err)
		}
		if !ok {
			l.refuses(err, ErrInvalid)
			if got := l.git("rev-parse", "HEAD"); got != before {
				t.Errorf("%s: a commit was made", until)
			}
		}
	}
}

// BUG-114: the journal's order is that of the history, not that of the clock.
func TestFaultBUG114DaylightSaving(t *testing.T) {
	loc, err := time.LoadLocation("Europe/Copenhagen")
	if err != nil {
		t.Fatal(err)
	}
	autumn := time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC) // 02:30, and an hour later 02:30 again
	l := zoneLab(t, "Europe/Copenhagen", autumn)
	l.append("before")
	l.clock.set(autumn.Add(time.Hour))
	l.append("after")
	l.clock.set(autumn.Add(-48 * time.Hour))
	l.append("the clock was set back")
	l.clock.set(time.Date(2026, 3, 29, 2, 30, 0, 0, loc)) // an hour that does not exist
	l.append("in the gap")
	var got []string
	for _, r := range l.rows(Query{}) {
		got = append(got, strings.TrimPrefix(r.Subject, "update: "))
	}
	if want := "in the gap|the clock was set back|after|before|init: scout"; strings.Join(got, "|") != want {
		t.Errorf("rows %q, want %q", strings.Join(got, "|"), want)
	}
	if zones := l.log("%ad"); !strings.HasSuffix(zones[1], "+0200") || !strings.HasSuffix(zones[2], "+0100") {
		t.Errorf("zones of the two half past two: %q", zones[1:3])
	}
	l.undo("")
	if strings.Contains(l.text("MEMORY.md"), "in the gap") {
		t.Error("undo took another change back")
	}
}

// BUG-116: the day is the program's; a date in a name makes a topic, not a log.
func TestFaultBUG116DatesAreOurs(t *testing.T) {
	l := newLab(t)
	l.update(policy.Update{Action: policy.Append, Topic: "2025-06-27", Text: "- 2025-06-27 · with a date typed"})
	if _, logs, err := l.w.List(t.Context()); err != nil || len(logs) != 0 {
		t.Errorf("logs %v (%v), want none", logs, err)
	}
	l.contains(l.text("memory/2025-06-27.md"), "- 2026-09-12 · ")
	_, err := l.w.Save(t.Context(), scout, "memory/log/2025-06-27.md", "x", Expect{})
	l.refuses(err, ErrForbidden)
}

// States as people name them.
func TestStates(t *testing.T) {
	l := newLab(t)
	day := time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)
	var changes []Receipt
	for i, word := range []string{"alpha", "beta", "gamma", "delta"} {
		l.clock.set(day.AddDate(0, 0, i))
		r := l.append(word)
		changes = append(changes, r)
	}
	l.clock.set(day.AddDate(0, 0, 4))
	for state, last := range map[string]string{
		string(changes[1].Change): "beta", string(changes[1].Change[:24]): "beta", changes[2].Commit: "gamma", changes[2].Commit[:8]: "gamma",
		strings.ToLower(string(changes[0].Change)): "alpha",
		"2026-09-02": "beta", "2026-09-03T10:00:05Z": "gamma", "2026-09-03T09:00:00Z": "beta", "2026-09-03T12:00:05+02:00": "gamma",
		"3d": "beta", "yesterday": "delta", "today": "delta", "now": "delta", "36h": "gamma", "1w": "", "HEAD": "delta",
	} {
		t.Run(state, func(t *testing.T) {
			text, err := l.w.At(t.Context(), "MEMORY.md", state)
			if last == "" {
				l.refuses(err, ErrNotFound)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(text.Text), "\n")
			if got := lines[len(lines)-1]; !strings.HasSuffix(got, last) {
				t.Errorf("the last line is %q, want %s", got, last)
			}
			diff, err := l.w.Diff(t.Context(), state, "", "")
			if err != nil || (diff == "") != (last == "delta") {
				t.Errorf("diff %q (%v)", diff, err)
			}
			r := l.must(l.w.Restore(t.Context(), ada, "MEMORY.md", state))
			if got := l.text("MEMORY.md"); got != text.Text {
				t.Errorf("restored %q, want %q", got, text.Text)
			}
			if r.Change != "" {
				l.undo(string(r.Change))
			}
		})
	}
	for state, kind := range map[string]error{"2026-02-30": ErrInvalid, "2026-13-01": ErrInvalid, "2020-01-01": ErrNotFound, "nonsense": ErrNotFound, "0": ErrNotFound, "ffffffff": ErrNotFound} {
		_, err := l.w.At(t.Context(), "MEMORY.md", state)
		if l.refuses(err, kind); err == nil {
			t.Errorf("%s gave an answer", state)
		}
	}
	_, err := l.w.Restore(t.Context(), ada, "memory/none.md", "HEAD")
	l.refuses(err, ErrNotFound)
	l.sound()
}
