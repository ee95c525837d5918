package hooks

import (
	"context"
	"fmt"
	"testing"
	"time"

	"quipu/repo"
)

// tidy-08: once a day from the hour on, not while the bot works, and as soon as the
// computer is awake again. BUG-114: once on a day whose hour comes twice or not at all.
func TestTidyIsDue(t *testing.T) {
	for name, tt := range map[string]struct {
		zone  string
		hour  int
		ticks []string // UTC; busy: a turn is open
		want  string
	}{
		"a night, busy, missed":        {"UTC", 3, []string{"2026-09-25T02:00", "2026-09-25T04:00 busy", "2026-09-25T04:10", "2026-09-25T23:00", "2026-09-26T09:00"}, "[false false true false true]"},
		"local, not UTC":               {"America/Los_Angeles", 3, []string{"2026-09-25T09:59", "2026-09-25T10:00", "2026-09-26T01:00", "2026-09-26T10:00"}, "[false true false true]"},
		"the hour that does not exist": {"Europe/Copenhagen", 2, []string{"2026-03-29T00:50", "2026-03-29T01:10", "2026-03-29T02:10"}, "[false true false]"},
		"the hour that comes twice":    {"Europe/Copenhagen", 2, []string{"2026-10-25T00:10", "2026-10-25T01:10", "2026-10-25T02:10"}, "[true false false]"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTended(t, nil)
			d.set("timezone", tt.zone)
			d.set("memory.tidyHour", tt.hour)
			s := NewSchedule(d.up, d.store, d.now, nil)
			got := []bool{}
			for _, tick := range tt.ticks {
				var at, busy string
				_, _ = fmt.Sscan(tick, &at, &busy)
				d.clock(at)
				turn := ""
				if busy != "" {
					turn = d.start(plans, owner).Turn
				}
				before := d.ws().UpkeepStamp()
				s.tick(t.Context())
				got = append(got, d.ws().UpkeepStamp() != before)
				if busy != "" {
					d.end(turn, "done")
				}
			}
			if fmt.Sprint(got) != tt.want {
				t.Errorf("ran %v, want %s", got, tt.want)
			}
			// What is known of the day survives a restart.
			before := d.ws().UpkeepStamp()
			NewSchedule(d.up, d.store, d.now, nil).tick(t.Context())
			if d.ws().UpkeepStamp() != before {
				t.Error("tidied again after a restart")
			}
		})
	}
}

// capture-12 and the quiet: a chat is read two minutes after its last turn, or at six.
func TestCaptureIsDue(t *testing.T) {
	s := newScript(t)
	d := newTended(t, s)
	sched := NewSchedule(d.up, d.store, d.now, nil)
	d.clock("2026-09-25T14:00")
	d.said(plans, "I'm vegetarian", "ok")
	if next := look(t, sched); next <= 0 || next > captureLook || s.calls("capture") != 0 {
		t.Errorf("read at once: next %v, asked %d", next, s.calls("capture"))
	}
	d.clock("2026-09-25T14:01")
	d.said(plans, "and I like tea", "ok") // the quiet begins anew
	d.clock("2026-09-25T14:02")
	if look(t, sched); s.calls("capture") != 0 {
		t.Error("read before it was quiet")
	}
	d.clock("2026-09-25T14:04")
	if look(t, sched); s.calls("capture") != 1 {
		t.Error("not read when it was quiet")
	}
	for range 6 {
		d.said(plans, "more", "ok")
	}
	if look(t, sched); s.calls("capture") != 2 {
		t.Error("not read at six turns")
	}
	// A model that fails is asked again later, and then less often.
	s.on("capture", "HTTP 500")
	d.said(plans, "still more", "ok")
	d.clock("2026-09-25T15:00")
	look(t, sched)
	asked := s.calls("capture")
	d.clock("2026-09-25T15:00")
	if look(t, sched); s.calls("capture") != asked {
		t.Error("a model that failed is asked again at once")
	}
	s.on("capture", `{"facts":[]}`)
	d.clock("2026-09-25T15:02")
	if look(t, sched); s.calls("capture") != asked+1 {
		t.Error("a model that failed is never asked again")
	}
}

// The loops end with their context.
func TestScheduleEnds(t *testing.T) {
	d := newTended(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	s := NewSchedule(d.up, d.store, d.now, nil)
	go func() { s.Run(ctx); close(done) }()
	s.TurnEnded()
	s.TurnEnded()
	cancel()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("it goes on")
	}
}

// A thousand idle bots cost nothing between nights: a look is a listing.
func TestIdleBotsCostNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes thirty bots")
	}
	d := newTended(t, nil)
	d.clock("2026-09-25T04:00")
	for i := range 30 {
		if _, _, err := d.store.Create(t.Context(), repo.ID(fmt.Sprintf("bot%d", i)), ""); err != nil {
			t.Fatal(err)
		}
	}
	s := NewSchedule(d.up, d.store, d.now, nil)
	s.tick(t.Context())
	start := time.Now()
	const looks = 10
	for range looks {
		s.tick(t.Context())
		s.capture(t.Context())
	}
	if each := time.Since(start) / looks; each > 50*time.Millisecond {
		t.Errorf("a look over 30 idle bots takes %v", each)
	} else {
		t.Logf("a look over 30 idle bots takes %v", each)
	}
}

// look is one look of the capture loop, with what it started.
func look(t *testing.T, s *Schedule) time.Duration {
	t.Helper()
	next := s.capture(t.Context())
	s.reading.Wait()
	return next
}

// A look is called for again only where it passed over a bot that was being read: what
// goes on waiting, as in a pause, must not keep the loop turning.
func TestCaptureLoopRests(t *testing.T) {
	d := newTended(t, newScript(t))
	sched := NewSchedule(d.up, d.store, d.now, nil)
	called := func() bool {
		select {
		case <-sched.ended:
			return true
		default:
			return false
		}
	}
	d.clock("2026-09-25T14:00")
	d.said(plans, "I'm vegetarian", "ok")
	if err := d.store.PauseUpkeep(d.now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	d.clock("2026-09-25T14:10")
	if look(t, sched); called() {
		t.Error("a chat that waits for a pause calls for another look")
	}
	sched.read["scout"] = true // a reading of the bot is under way
	look(t, sched)
	delete(sched.read, "scout")
	if look(t, sched); !called() {
		t.Error("what was passed over is not looked at again")
	}
	if look(t, sched); called() {
		t.Error("it is called for twice")
	}
}
