package repo

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/policy"
)

// What the pictures count is what the journal lists: day for day in the bot's own zone, a
// change once, by kind of author.
func TestStatsCountWhatTheJournalShows(t *testing.T) {
	l := newLab(t)
	if err := l.store.SetBot("scout", map[string]any{"timezone": "America/New_York"}); err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	l.clock.per = time.Second
	// Around the days of 23 and 25 hours, just before and after midnight.
	for i, at := range []string{"2026-03-07 23:59", "2026-03-08 00:01", "2026-03-08 23:59", "2026-03-09 00:00", "2026-10-31 23:59", "2026-11-01 01:30", "2026-11-01 23:59", "2026-11-02 00:00"} {
		when, err := time.ParseInLocation("2006-01-02 15:04", at, zone)
		if err != nil {
			t.Fatal(err)
		}
		l.clock.set(when)
		l.append("fact " + strings.Repeat("x", i+1))
		l.save("memory/food.md", "- soup "+at+"\n")
	}
	l.must(l.w.change(t.Context(), Meta{Author: scout.Author, Action: ActLog}, func(*view) (draft, error) {
		return draft{subject: "turn", files: []fileText{{path: "memory/log/2026-11-02.md", text: []byte("- x\n")}}}, nil
	}))
	if _, err := l.w.Forget(t.Context(), ada, Forgetting{Words: []string{"fact xxx"}, Erase: true}); err != nil {
		t.Fatal(err)
	}
	stats, err := l.w.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[AuthorKind]int{}
	seen := map[ChangeID]bool{}
	for _, r := range l.rows(Query{Limit: 1000}) {
		if seen[r.Change] {
			continue
		}
		seen[r.Change] = true
		day := r.AtTime.In(zone).Format(time.DateOnly)
		if want[day] == nil {
			want[day] = map[AuthorKind]int{}
		}
		want[day][AuthorKind(r.Actor)]++
	}
	got, all := map[string]map[AuthorKind]int{}, 0
	for _, d := range stats.Days {
		got[d.Day] = d.By
		n := 0
		for _, k := range d.By {
			n += k
		}
		if all += n; n != d.Changes {
			t.Errorf("%s: %d changes, by kind %v", d.Day, d.Changes, d.By)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || all != stats.Changes || len(got) < 6 {
		t.Errorf("%d changes, %d counted (-journal +stats):\n%s", stats.Changes, all, diff)
	}
	for _, d := range stats.Days {
		one, err := l.w.Day(t.Context(), d.Day)
		if err != nil || !cmp.Equal(one.DayStat, d) {
			t.Errorf("the day alone: %+v, %v; in the year: %+v", one, err, d)
		}
	}
	one, err := l.w.Day(t.Context(), "2026-10-01")
	if err != nil || one.Changes != 0 || one.Before != "2026-09-12" || one.After != "2026-10-31" {
		t.Errorf("a day without changes: %+v, %v", one, err)
	}
	_, err = l.w.Day(t.Context(), "2026-02-30")
	l.refuses(err, ErrInvalid)
}

// The sizes are those that the file had at the end of each day, and the notes that stand
// are counted by what taught them first.
func TestStatsOfSizesAndFacts(t *testing.T) {
	l := newLab(t)
	day := func(n int) { l.clock.set(time.Date(2026, 9, 12+n, 12, 0, 0, 0, time.UTC)) }
	want := []SizeStat{}
	note := func() {
		text := l.text("MEMORY.md")
		want = append(want, SizeStat{Day: l.clock.now().Format(time.DateOnly), Lines: strings.Count(text, "\n"), Bytes: len(text)})
	}
	m := Meta{Author: scout.Author, Via: ViaTurn}
	update := func(via Via, source, text, topic string) {
		t.Helper()
		m.Via, m.Source = via, source
		l.must(l.w.Update(t.Context(), m, policy.Update{Action: policy.Append, Text: text, TextSet: true, Source: source, Topic: topic}))
	}
	update(ViaTurn, `chat "Plans"`, "one of a chat", "")
	note()
	day(1)
	update(ViaTurn, `room "Kitchen"`, "one of a room", "")
	update(ViaTurn, `chat "Plans"`, "another of a chat", "food")
	l.update(policy.Update{Action: policy.Replace, OldText: "one of a room", Text: "another word of a room"})
	note()
	day(4)
	update(ViaCLI, "", "typed", "food")
	l.must(l.w.Update(t.Context(), Meta{Author: Author{Kind: Upkeep}, Via: ViaCapture}, policy.Update{Action: policy.Append, Text: "noticed", TextSet: true}))
	l.update(policy.Update{Action: policy.Supersede, OldText: "one of a chat", Text: "what is true"})
	l.put("memory/hand.md", "# By hand\n\nA paragraph is no note.\n\n- a bullet\n- ~~a struck one~~\n")
	note()
	stats, err := l.w.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, stats.Sizes); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
	got := map[Origin]int{}
	for _, f := range stats.Facts {
		got[f.From] = f.Entries
	}
	// Of a chat: one is struck through, its follower has no place; one stands in the topic.
	facts := map[Origin]int{FromChat: 1, FromRoom: 1, FromCLI: 1, FromCapture: 1, FromBot: 1, FromOutside: 1}
	if diff := cmp.Diff(facts, got); diff != "" || stats.Entries != 6 {
		t.Errorf("%d facts (-want +got):\n%s", stats.Entries, diff)
	}
}
