package policy

import (
	"math"
	"testing"
	"time"

	"quipu/markdown"
)

// atNoon is the moment of the cases of N.E.K.O.
var atNoon = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)

func when(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04:05", s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestScore holds the cases ev01-ev18 of N.E.K.O.; a time that cannot be read is no time.
func TestScore(t *testing.T) {
	for name, c := range map[string]struct {
		e     Evidence
		score float64
		tier  Tier
	}{
		"new":                   {Evidence{}, 0, TierPending},
		"confirmed once":        {Evidence{Support: 1, SupportAt: atNoon}, 1, TierConfirmed},
		"twice":                 {Evidence{Support: 2, SupportAt: atNoon}, 2, TierPromoted},
		"denied once":           {Evidence{Dispute: 1, DisputeAt: atNoon}, -1, TierPending},
		"denied twice":          {Evidence{Dispute: 2, DisputeAt: atNoon}, -2, TierLeaving},
		"confirmed and ignored": {Evidence{Support: 0.8, SupportAt: atNoon}, 0.8, TierPending},
		"one half-life":         {Evidence{Support: 2, SupportAt: when(t, "2026-09-01T12:00:00")}, 1, TierConfirmed},
		"a day more":            {Evidence{Support: 2, SupportAt: when(t, "2026-08-31T12:00:00")}, 0.977159968, TierPending},
		"dispute wears slowly":  {Evidence{Dispute: 2, DisputeAt: when(t, "2026-04-04T12:00:00")}, -1, TierPending},
		"ignored":               {Evidence{Support: -0.2, SupportAt: atNoon}, -0.2, TierPending},
		"protected":             {Evidence{Protected: true, Dispute: 50, DisputeAt: atNoon}, math.Inf(1), TierPromoted},
		"no time":               {Evidence{Support: 2}, 2, TierPromoted},
		"a time ahead":          {Evidence{Support: 2, SupportAt: atNoon.Add(time.Hour)}, 2, TierPromoted},
		"exactly -2":            {Evidence{Support: 1, SupportAt: atNoon, Dispute: 3, DisputeAt: atNoon}, -2, TierLeaving},
		"just below confirmed":  {Evidence{Support: 0.99, SupportAt: atNoon}, 0.99, TierPending},
		"two half-lives":        {Evidence{Support: 8, SupportAt: when(t, "2026-08-02T12:00:00")}, 2, TierPromoted},
	} {
		if got := c.e.Score(atNoon); got != c.score && math.Abs(got-c.score) > 1e-9 {
			t.Errorf("%s: score %v, want %v", name, got, c.score)
		}
		if got := TierOf(c.e.Score(atNoon)); got != c.tier {
			t.Errorf("%s: %s, want %s", name, got, c.tier)
		}
	}
}

// TestSignals holds the cases sg01-sg09.
func TestSignals(t *testing.T) {
	for name, c := range map[string]struct {
		start, want Evidence
		signals     []Signal
	}{
		"said again":           {Evidence{}, Evidence{Support: 0.5, Reinforced: 1}, []Signal{Reinforce}},
		"twice":                {Evidence{}, Evidence{Support: 1, Reinforced: 2}, []Signal{Reinforce, Reinforce}},
		"three times":          {Evidence{}, Evidence{Support: 2, Reinforced: 3}, []Signal{Reinforce, Reinforce, Reinforce}},
		"the count stays":      {Evidence{Reinforced: 7}, Evidence{Support: 1, Reinforced: 8}, []Signal{Reinforce}},
		"confirmed":            {Evidence{}, Evidence{Support: 1}, []Signal{Confirm}},
		"rebutted":             {Evidence{}, Evidence{Dispute: 1}, []Signal{Rebut}},
		"rebutted by keyword":  {Evidence{}, Evidence{Dispute: 1}, []Signal{Keyword}},
		"negated":              {Evidence{}, Evidence{Dispute: 1}, []Signal{Negate}},
		"silence is no denial": {Evidence{Support: 1}, Evidence{Support: 0.8}, []Signal{Ignore}},
	} {
		got := c.start
		for _, s := range c.signals {
			got = got.With(s, time.Time{})
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestSilenceNeverHelps: an ignored fact is worth less than before, however old its support.
func TestSilenceNeverHelps(t *testing.T) {
	e := Evidence{}.With(Confirm, atNoon).With(Confirm, atNoon)
	for _, days := range []int{0, 1, 30, 90, 400} {
		at := atNoon.AddDate(0, 0, days)
		if before, after := e.Score(at), e.With(Ignore, at).Score(at); after >= before {
			t.Errorf("after %d days: %v, then %v", days, before, after)
		}
	}
}

// TestLongConfirmedLatelyDisputed is why there are two clocks: three confirmations a
// half-life ago and a denial now.
func TestLongConfirmedLatelyDisputed(t *testing.T) {
	e := Evidence{}
	for range 3 {
		e = e.With(Confirm, atNoon.AddDate(0, 0, -30))
	}
	if got := e.With(Rebut, atNoon).Score(atNoon); math.Abs(got-0.5) > 1e-9 {
		t.Errorf("got %v, want 0.5", got)
	}
}

func TestSeedSupport(t *testing.T) {
	for importance, want := range map[int]float64{11: 0.8, 10: 0.8, 9: 0.6, 8: 0.4, 7: 0.2, 6: 0, 0: 0, -1: 0} {
		if got := SeedSupport(importance); got != want {
			t.Errorf("%d: %v, want %v", importance, got, want)
		}
	}
}

// TestSubZero holds the cases az01-az05.
func TestSubZero(t *testing.T) {
	disputed := Evidence{Dispute: 1, DisputeAt: atNoon}
	on := func(s string) markdown.Date { d, _ := markdown.ParseDate(s); return d }
	for name, c := range map[string]struct {
		e       Evidence
		z       SubZero
		days    int
		counted bool
	}{
		"a new day":        {disputed, SubZero{3, on("2026-09-30")}, 4, true},
		"once a day":       {disputed, SubZero{3, on("2026-10-01")}, 3, false},
		"not counted back": {Evidence{Support: 1, SupportAt: atNoon}, SubZero{Days: 9}, 9, false},
		"protected":        {Evidence{Protected: true, Dispute: 9, DisputeAt: atNoon}, SubZero{}, 0, false},
		"the fourteenth":   {disputed, SubZero{13, on("2026-09-30")}, 14, true},
	} {
		z, counted := c.z.Count(c.e, atNoon)
		if z.Days != c.days || counted != c.counted || z.Archives() != (c.days == 14) {
			t.Errorf("%s: %+v, counted %v", name, z, counted)
		}
	}
}

// TestDisputed: only what somebody disputed is out, and not what silence brought below zero.
func TestDisputed(t *testing.T) {
	for name, c := range map[string]struct {
		e    Evidence
		want bool
	}{
		"silence":          {Evidence{Support: -0.4, SupportAt: atNoon}, false},
		"denied":           {Evidence{Dispute: 1, DisputeAt: atNoon}, true},
		"weighed up":       {Evidence{Support: 1, SupportAt: atNoon, Dispute: 1, DisputeAt: atNoon}, false},
		"not weighed up":   {Evidence{Support: 0.9, SupportAt: atNoon, Dispute: 1, DisputeAt: atNoon}, true},
		"after a century":  {Evidence{Dispute: 1, DisputeAt: atNoon.AddDate(-100, 0, 0)}, true},
		"protected":        {Evidence{Protected: true, Dispute: 5, DisputeAt: atNoon}, false},
		"settled":          {Evidence{Support: 1, SupportAt: atNoon.AddDate(0, 0, -90), Dispute: 1, DisputeAt: atNoon.AddDate(0, 0, -91), Settled: true}, false},
		"support wore off": {Evidence{Support: 3, SupportAt: atNoon.AddDate(0, 0, -90), Dispute: 1, DisputeAt: atNoon}, true},
	} {
		if got := c.e.Disputed(atNoon); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
