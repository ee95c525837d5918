package policy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

// signal is one event of a test's ledger.
func signal(id string, why Signal, fact string, at time.Time) Event {
	return Event{Kind: why.Kind(), ID: id, At: at, By: "person Ada", Fact: fact, Why: why}
}

func standingsOf(t *testing.T, events ...Event) *Standings {
	t.Helper()
	l, problems := ParseLedger(Ledger{}.Append(events...))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return l.Standings(time.Time{})
}

// TestRestates: what says a disputed claim again is out with it, and what says something
// else is not.
func TestRestates(t *testing.T) {
	for _, c := range []struct {
		disputed, said string
		again          bool
	}{
		{"The user likes tea", "The user likes tea.", true},
		{"The user likes tea", "the user likes  Tea", true},
		{"The user likes tea", "Likes tea", true},
		{"The user likes tea", "I like tea", true},
		{"The user likes tea", "The user does not like tea", false},
		{"The user does not like tea", "The user likes tea", false},
		{"The user likes tea", "The user's sister likes tea", false},
		{"The user likes tea", "Bob likes tea", false},
		{"The user likes tea", "The user likes coffee", false},
		{"The user likes tea", "The user likes green tea in the morning", true},
		{"The user likes tea", "The user likes tea shops, old bridges, trains and long walks", false},
		{"The user lives in Berlin", "The user lives in Munich", false},
		{"The user lives in Berlin with his sister", "The user lives in Berlin", true},
		{"Birthday is in May", "Birthday is in June", false},
		{"Meeting is at 3", "Meeting is at 4", false},
		{"Balance is -5", "Balance is 5", false},
		{"Пользователь любит чай", "Пользователь любит чай!", true},
		{"用户喜欢绿茶", "用户喜欢绿茶。", true},
		{"用户喜欢绿茶", "用户不喜欢绿茶", false},
		{"用户喜欢绿茶", "用户喜欢咖啡", false},
	} {
		s := standingsOf(t, signal("1", Rebut, c.disputed, atNoon))
		if got := s.Disputes(atNoon).Blocks(c.said); got != c.again {
			t.Errorf("%q disputed, %q: out is %v", c.disputed, c.said, got)
		}
	}
}

// TestTells finds a disputed claim in one sentence of many, behind a question and in a
// quotation, too.
func TestTells(t *testing.T) {
	d := standingsOf(t, signal("1", Rebut, "The user takes coffee black", atNoon)).Disputes(atNoon)
	for text, told := range map[string]bool{
		"How is it? The user takes coffee black":               true,
		"Noted: the user takes coffee black. Anything else?":   true,
		"用了吗？The user takes coffee black。":                     true,
		`You said "the user takes coffee black" yesterday`:     true,
		"Shall I make coffee? The black cups are in the sink.": false,
		"The user does not take coffee black, is that right?":  false,
		"": false,
	} {
		if got := d.Tells(text); got != told {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestRestatesByName: the person is called by name as well as "the user".
func TestRestatesByName(t *testing.T) {
	l, _ := ParseLedger(Ledger{}.Append(signal("1", Rebut, "Ada likes tea", atNoon)))
	d := l.WithPerson("Ada Lovelace").Standings(time.Time{}).Disputes(atNoon)
	for said, again := range map[string]bool{"The user likes tea": true, "I like tea": true, "Ada Lovelace likes tea": true, "Bob likes tea": false, "Ada's sister likes tea": false} {
		if got := d.Blocks(said); got != again {
			t.Errorf("%q: out is %v", said, got)
		}
	}
}

// TestComesBackOnlyBySupport: a claim in other words starts from the dispute, and what
// speaks for it since is weighed against that.
func TestComesBackOnlyBySupport(t *testing.T) {
	dispute := signal("1", Rebut, "The user likes tea", atNoon)
	other := "The user likes black tea"
	for name, c := range map[string]struct {
		more []Event
		out  bool
	}{
		"said again":             {nil, true},
		"where it is from":       {[]Event{{Kind: EventSaid, ID: "2", At: atNoon, Fact: other, Origin: ByStating}}, true},
		"by the way":             {[]Event{signal("2", Reinforce, other, atNoon)}, true},
		"confirmed":              {[]Event{signal("2", Confirm, other, atNoon)}, false},
		"and disputed again":     {[]Event{signal("2", Confirm, other, atNoon), signal("3", Rebut, "The user likes tea", atNoon)}, true},
		"the dispute was undone": {[]Event{{Kind: EventVoid, ID: "2", At: atNoon, Of: "1"}}, false},
		"and that, too":          {[]Event{{Kind: EventVoid, ID: "2", At: atNoon, Of: "1"}, {Kind: EventVoid, ID: "3", At: atNoon, Of: "2"}}, true},
	} {
		s := standingsOf(t, append([]Event{dispute}, c.more...)...)
		if got := s.Disputes(atNoon).Blocks(other); got != c.out {
			t.Errorf("%s: out is %v", name, got)
		}
		if got := s.Of(other, true, atNoon, time.UTC); got.Disputed != c.out {
			t.Errorf("%s: its standing says %+v", name, got)
		}
	}
}

// TestSettled: what a person confirmed after the dispute stays in as time goes by, and what
// they confirmed too little, or nobody in so many words, does not come back.
func TestSettled(t *testing.T) {
	fact, day := "The user likes tea", func(n int) time.Time { return atNoon.AddDate(0, 0, n) }
	byBot := signal("3", Confirm, fact, day(1))
	byBot.By = "bot scout"
	for name, c := range map[string]struct {
		more []Event
		out  bool
	}{
		"confirmed":           {[]Event{signal("3", Confirm, fact, day(1))}, false},
		"in other words":      {[]Event{signal("3", Confirm, "Likes tea", day(1))}, false},
		"through a bot":       {[]Event{byBot}, true},
		"and disputed again":  {[]Event{signal("3", Confirm, fact, day(1)), signal("4", Rebut, fact, day(2))}, true},
		"against two":         {[]Event{signal("2", Rebut, fact, day(0)), signal("3", Confirm, fact, day(1))}, true},
		"before the dispute":  {[]Event{signal("0", Confirm, fact, day(-40))}, true},
		"long confirmed, too": {[]Event{signal("a", Confirm, fact, day(-1)), signal("b", Confirm, fact, day(-1))}, true}, // by then it wore off
	} {
		d := standingsOf(t, append(c.more, signal("1", Rebut, fact, day(0)))...).Disputes(day(100))
		if got := d.Blocks(map[bool]string{true: "Likes tea", false: fact}[name == "in other words"]); got != c.out {
			t.Errorf("%s: out is %v", name, got)
		}
	}
}

// TestOnlyPersonsMoveWhatStays: a note of health is out when the person says so, and by
// nobody else.
func TestOnlyPersonsMoveWhatStays(t *testing.T) {
	e := signal("1", Rebut, "Is allergic to nuts", atNoon)
	for by, out := range map[string]bool{"person Ada": true, "bot scout": false, "upkeep": false} {
		e.By = by
		if got := standingsOf(t, e).Disputes(atNoon).Out("Is allergic to nuts", false); got != out {
			t.Errorf("by %s: out is %v", by, got)
		}
	}
}

// TestReworded: a note keeps its evidence under a new wording.
func TestReworded(t *testing.T) {
	s := standingsOf(t,
		signal("1", Confirm, "likes tee", atNoon), Event{Kind: EventRename, ID: "2", At: atNoon, Fact: "likes tee", To: "likes tea"}, signal("3", Confirm, "likes tea", atNoon))
	for _, fact := range []string{"likes tee", "likes tea"} {
		if got := s.Of(fact, true, atNoon, time.UTC); got.Support != 2 {
			t.Errorf("%s: %+v", fact, got)
		}
	}
	if diff := cmp.Diff([]string{"likes tea"}, s.Facts()); diff != "" {
		t.Error(diff)
	}
}

// TestDaysBelowZero counts calendar days of the zone, once each, never back.
func TestDaysBelowZero(t *testing.T) {
	zone := time.FixedZone("east", 10*3600)
	start := time.Date(2026, 10, 1, 23, 0, 0, 0, zone)
	s := standingsOf(t, signal("1", Rebut, "x is y", start))
	for days, want := range map[int]int{0: 1, 1: 2, 5: 6, 13: 14, 40: 14} {
		if got := s.Of("x is y", true, start.AddDate(0, 0, days), zone).Below; got != want {
			t.Errorf("after %d days: %d, want %d", days, got, want)
		}
	}
	back := standingsOf(t, signal("1", Rebut, "x is y", start), signal("2", Confirm, "x is y", start.AddDate(0, 0, 3)), signal("3", Confirm, "x is y", start.AddDate(0, 0, 3)))
	if got := back.Of("x is y", true, start.AddDate(0, 0, 20), zone).Below; got != 4 {
		t.Errorf("confirmed on the fourth day: %d", got)
	}
}

// drawEvents draws a ledger's events of a few facts.
func drawEvents(t *rapid.T) []Event {
	facts := []string{"likes tea", "likes black tea", "lives in Berlin", "lives in Munich", "is allergic to nuts"}
	whys := []Signal{Confirm, Reinforce, Rebut, Keyword, Negate, Ignore}
	n := rapid.IntRange(0, 30).Draw(t, "n")
	list := make([]Event, n)
	for i := range list {
		e := signal(fmt.Sprintf("%03d", i), rapid.SampledFrom(whys).Draw(t, "why"), rapid.SampledFrom(facts).Draw(t, "fact"), atNoon.Add(time.Duration(rapid.IntRange(0, 9000).Draw(t, "hour"))*time.Hour))
		switch rapid.IntRange(0, 9).Draw(t, "other") {
		case 0:
			e = Event{Kind: EventRename, ID: e.ID, At: e.At, Fact: e.Fact, To: rapid.SampledFrom(facts).Draw(t, "to")}
		case 1:
			e = Event{Kind: EventVoid, ID: e.ID, At: e.At, Of: fmt.Sprintf("%03d", rapid.IntRange(0, n).Draw(t, "of"))}
		}
		list[i] = e
	}
	return list
}

func standsOf(text []byte) string {
	l, _ := ParseLedger(text)
	s := l.Standings(time.Time{})
	var b strings.Builder
	for _, fact := range slices.Sorted(slices.Values(s.Facts())) {
		fmt.Fprintf(&b, "%+v\n", s.Of(fact, true, atNoon.AddDate(1, 0, 0), time.UTC).Evidence)
	}
	return b.String()
}

// TestStandingLaw: the same events in any order, twice over, and merged from two clones
// come to the same standing.
func TestStandingLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawEvents(t)
		want := standsOf(Ledger{}.Append(events...))
		shuffled := rapid.Permutation(events).Draw(t, "order")
		if got := standsOf(Ledger{}.Append(append(shuffled, events...)...)); got != want {
			t.Fatalf("in another order:\n%s\nwant\n%s", got, want)
		}
		k := rapid.IntRange(0, len(events)).Draw(t, "base")
		base := Ledger{}.Append(events[:k]...)
		l, _ := ParseLedger(base)
		var a, b []Event
		for _, e := range events[k:] {
			if rapid.Bool().Draw(t, "side") {
				a = append(a, e)
			} else {
				b = append(b, e)
			}
		}
		one, two := mergeLedger([][]byte{base}, l.Append(a...), l.Append(b...)), mergeLedger([][]byte{base}, l.Append(b...), l.Append(a...))
		if !bytes.Equal(one, two) {
			t.Fatal("the sides matter")
		}
		if got := standsOf(one); got != want {
			t.Fatalf("merged:\n%s\nwant\n%s", got, want)
		}
	})
}

// TestOutOnlyDrops: the disputes take notes away and put none in.
func TestOutOnlyDrops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, _ := ParseLedger(Ledger{}.Append(drawEvents(t)...))
		d := l.Standings(time.Time{}).Disputes(atNoon.AddDate(1, 0, 0))
		facts := []string{"likes tea", "Likes black tea!", "lives in Berlin", "lives near Munich", "is allergic to nuts", "- owns a cat", "## heading"}
		var text strings.Builder
		for _, f := range rapid.SliceOfN(rapid.SampledFrom(facts), 0, 8).Draw(t, "notes") {
			fmt.Fprintf(&text, "- 2026-10-01 · %s\n", f)
		}
		in := LoadInput{Memory: []byte(text.String()), Today: markdown.DateOf(atNoon.AddDate(0, 0, 1))}
		all := Load(in)
		in.Out = d.Out
		left := Load(in)
		at := 0
		for line := range strings.Lines(left.Text) {
			i := strings.Index(all.Text[at:], line)
			if i < 0 {
				t.Fatalf("%q was put in", line)
			}
			at += i + len(line)
		}
		blank := Blank("MEMORY.md", in.Memory, d.Out)
		if bytes.Count(blank, []byte("\n")) != bytes.Count(in.Memory, []byte("\n")) {
			t.Fatal("a line moved")
		}
	})
}

// TestUndoLedger: to undo is to void, and to undo that is to bring back.
func TestUndoLedger(t *testing.T) {
	n := 0
	id := func() (string, error) { n++; return fmt.Sprintf("v%d", n), nil }
	var l Ledger
	first := l.Append(signal("1", Confirm, "likes tea", atNoon))
	l, _ = ParseLedger(first)
	second := l.Append(signal("2", Rebut, "likes tea", atNoon))
	undone, err := UndoLedger(first, second, second, atNoon, "person Ada", id)
	if err != nil || !bytes.HasPrefix(undone, second) || standsOf(undone) != standsOf(first) {
		t.Fatalf("%v: %s", err, undone)
	}
	redone, err := UndoLedger(second, undone, undone, atNoon, "person Ada", id)
	if err != nil || !bytes.HasPrefix(redone, undone) || standsOf(redone) != standsOf(second) {
		t.Fatalf("%v: %s", err, redone)
	}
}

func TestErasedFromLedger(t *testing.T) {
	list, err := ParsePhrases([]string{"Luna"})
	if err != nil {
		t.Fatal(err)
	}
	keep := signal("1", Confirm, "likes tea", atNoon)
	text := Ledger{}.Append(keep,
		signal("2", Rebut, "Luna is a cat", atNoon),
		Event{Kind: EventSaid, ID: "3", At: atNoon, Fact: "has a cat", Quote: "my cat Luna"},
		Event{Kind: EventDirective, ID: "4", At: atNoon, Term: "luna"},
		Event{Kind: EventReflect, ID: "5", At: atNoon, Fact: "is fond of animals", From: []string{"Luna is a cat", "has a dog"}})
	x := EraseWords(list, nil)
	if !x.Found(text) {
		t.Error("not found before")
	}
	left, n := x.Ledger(text)
	// The reflection that was drawn from her stays known as one, and falls.
	fell := Event{Kind: EventReflect, ID: "5", At: atNoon, Fact: "is fond of animals", From: []string{""}}
	if n != 4 || x.Found(left) || !bytes.Equal(left, Ledger{}.Append(keep, fell)) {
		t.Errorf("%d went, left:\n%s", n, left)
	}
	if left, n := EraseFacts([]string{"Luna is a cat."}).Ledger(text); n != 2 || !bytes.Contains(left, []byte("my cat Luna")) {
		t.Errorf("by the fact %d went, left:\n%s", n, left)
	}
}

func BenchmarkStandings(b *testing.B) {
	var events []Event
	for i := range 10_000 {
		why := []Signal{Confirm, Reinforce, Rebut, Ignore}[i%4]
		events = append(events, signal(fmt.Sprintf("01JDXK3T9M2Q4R6S8V0W%06d", i), why, fmt.Sprintf("The user keeps %d pots of herb number %d on the shelf", i%977, i%2000), atNoon.Add(time.Duration(i)*time.Minute)))
	}
	text := Ledger{}.Append(events...)
	l, _ := ParseLedger(text)
	s := l.Standings(time.Time{})
	now := atNoon.AddDate(0, 1, 0)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			for _, f := range s.Facts() {
				s.byFact[f].evidence.Score(now)
			}
		}
	})
	b.Run("disputes", func(b *testing.B) {
		for b.Loop() {
			s.Disputes(now)
		}
	})
	b.Run("fold", func(b *testing.B) {
		for b.Loop() {
			l.Standings(time.Time{})
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			_, _ = ParseLedger(text)
		}
	})
	b.Run("grow", func(b *testing.B) {
		more := l.Append(signal("zz", Rebut, "x", now))
		for b.Loop() {
			_, _ = l.Grown(more)
		}
	})
}
