package turns

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSearchWords(t *testing.T) {
	k := newKit(t)
	for i, text := range []string{
		"The invoices of March are paid",
		"Invoice payment is due",
		"payment of one thing, and a long way further down the text the invoice of another",
		"La latencia bajó; las latencias altas volvieron",
		"Übungen für die Prüfung, Straße 5",
		"昨日の会議で東京都に行くことを決めた",
		"上周会议决定推迟发布",
		"ｶﾞﾗｽを割った",
		"Встреча перенесена, ещё раз в понедельник",
		"The balance is -10, not 10; written in C++ and not in C",
		"mail ada@example.org about release v2.1",
		"회의에서 정했다",
		"Go is fine",
		"he said \"AND\" near the (end)*",
	} {
		k.say(chat("a"), at(i), "…", text)
	}
	tests := []struct {
		name, words string
		want        []string // pieces of the hits, best first
	}{
		{"plural finds singular, beside each other first", "invoices payment", []string{"Invoice payment", "payment of one"}},
		{"singular finds plural", "march invoice", []string{"The invoices"}},
		{"every word must occur", "invoice latencia", nil},
		{"suffixes", "latencia", []string{"La latencia"}},
		{"case and accents", "ubungen PRUFUNG", []string{"Übungen"}},
		{"accents in the question", "bajò", []string{"La latencia"}},
		{"sharp s", "strasse", []string{"Übungen"}},
		{"two kanji in a sentence", "東京", []string{"昨日の会議"}},
		{"kanji and kana", "会議の東京", []string{"昨日の会議"}},
		{"one character", "都", []string{"昨日の会議"}},
		{"Chinese", "会议", []string{"上周会议"}},
		{"not across characters", "京会", nil},
		{"half width", "ガラス", []string{"ｶﾞﾗｽ"}},
		{"Russian yo", "еще", []string{"Встреча"}},
		{"Korean with a particle", "회의", []string{"회의에서"}},
		{"a sign is a part of the number", "-10", []string{"The balance"}},
		{"c++ is a word", "C++", []string{"The balance"}},
		{"c# is another", "C#", nil},
		{"address", "ada@example.org", []string{"mail ada"}},
		{"part of an address", "example", []string{"mail ada"}},
		{"version", "v2.1", []string{"mail ada"}},
		{"two letters", "go", []string{"Go is fine"}},
		{"operators are words", "AND near", []string{"he said"}},
		{"brackets are nothing", "(end)*", []string{"he said"}},
		{"quotes are nothing", `"invoice" "payment"`, []string{"Invoice payment", "payment of one"}},
		{"column names are words", "words:balance", nil},
		{"only signs", "?! --", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := k.find(tt.words)
			if len(got) != len(tt.want) {
				t.Fatalf("found %q, want %q", got, tt.want)
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("hit %d is %q, want %q", i, got[i], want)
				}
			}
		})
	}
}

// Of two texts as long as each other the one whose words stand together is better,
// although the other is newer; among equals the newer is.
func TestRank(t *testing.T) {
	k := newKit(t)
	pad := strings.Repeat("so ", 20)
	for i, text := range []string{
		"x budget review " + pad + "y", "1 budget " + pad + "review y", "2 budget " + pad + "review y",
		"budgets review " + pad + "y z", "budget budget review review " + pad[:len(pad)-6],
	} {
		k.say(chat("a"), at(i), "?", text)
	}
	want := []string{"budget budget", "x budget", "budgets review", "2 budget", "1 budget"}
	got := k.find("budget review")
	if len(got) != len(want) {
		t.Fatalf("found %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("hit %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// Texts too long to rank are found all the same, and the marks stand far inside them.
func TestLongMessages(t *testing.T) {
	k := newKit(t)
	for i := range 3 {
		k.say(chat("a"), at(i), "?", strings.Repeat("filling ", 40_000)+fmt.Sprint("needle ", i))
	}
	got := k.find("needle")
	if len(got) != 3 || !strings.HasSuffix(got[1], "needle 1") && !strings.HasSuffix(got[1], "needle 0") {
		t.Errorf("found %q", got)
	}
}

func TestSearchHit(t *testing.T) {
	k := newKit(t)
	c := room("standup", "r1")
	id := k.begin(c, at(0), "Is the deploy done?")
	k.end(id, Ending{At: at(2), Messages: []Message{owner("Is the deploy done?"), self("The  deploy\nof staging is done.")}, Tools: []string{"deploy", "git_push"}, Failed: true, Changes: []string{"01C"}})
	hits, err := k.Search(t.Context(), Query{Bot: "scout", Words: "deploys", Scope: Scope{Everything: true}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range hits {
		if hits[i].Score <= 0 {
			t.Errorf("score of hit %d is %v", i, hits[i].Score)
		}
		hits[i].Score = 0
	}
	want := []Hit{
		{Turn: id, Conversation: c, Speaker: Speaker{By: Owner}, At: at(0), Snippet: "Is the deploy done?", Marks: []Span{{7, 13}}},
		{Turn: id, Conversation: c, Speaker: Speaker{By: Self}, At: at(2), Snippet: "The deploy of staging is done.", Marks: []Span{{4, 10}}},
		{Turn: id, Conversation: c, At: at(2), Deed: true, Snippet: "used deploy, git_push · changed memory · failed", Marks: []Span{{5, 11}}},
	}
	if diff := cmp.Diff(want, hits); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
	for _, words := range []string{"git_push", "failed"} {
		if diff := cmp.Diff([]string{want[2].Snippet}, k.find(words)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", words, diff)
		}
	}
}

func TestSearchStopWords(t *testing.T) {
	k := newKit(t)
	k.say(chat("a"), at(0), "to be or not to be", "that is the question")
	stop := func(w string) bool { return slices.Contains([]string{"to", "be", "or", "not", "the"}, w) }
	q := Query{Bot: "scout", Scope: Scope{Everything: true}, Stop: stop}
	q.Words = "The question, to BE answered"
	if got := k.snippets(q); got != nil {
		t.Errorf("answered does not occur, found %q", got)
	}
	q.Words = "not the question"
	if diff := cmp.Diff([]string{"that is the question"}, k.snippets(q)); diff != "" {
		t.Errorf("stop words are left out (-want +got):\n%s", diff)
	}
	q.Words = "to be"
	if diff := cmp.Diff([]string{"to be or not to be"}, k.snippets(q)); diff != "" {
		t.Errorf("unless there is nothing else (-want +got):\n%s", diff)
	}
}

func TestSearchTime(t *testing.T) {
	k := newKit(t)
	for i := range 20 {
		k.say(chat("a"), at(i), fmt.Sprint("ask ", i), fmt.Sprint("tell ", i))
	}
	ms := time.Millisecond
	q := func(since, until time.Time, words string) []string {
		return k.snippets(Query{Bot: "scout", Since: since, Until: until, Words: words, Scope: Scope{Everything: true}})
	}
	tests := []struct {
		name         string
		since, until time.Time
		words        string
		want         []string
	}{
		{"both ends count", at(3), at(4), "", []string{"tell 4", "ask 4", "tell 3", "ask 3"}},
		{"a millisecond less", at(3).Add(ms), at(4).Add(-ms), "", nil},
		{"with words", at(3), at(4), "tell", []string{"tell 4", "tell 3"}},
		{"since alone", at(19), time.Time{}, "", []string{"tell 19", "ask 19"}},
		{"until alone", time.Time{}, at(0), "", []string{"tell 0", "ask 0"}},
		{"the end before the beginning", at(4), at(3), "", nil},
		{"before all time", time.Time{}, time.Unix(-5, 0), "", nil},
		{"long ago until long after", time.Unix(-5, 0), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), "19", []string{"tell 19", "ask 19"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, q(tt.since, tt.until, tt.words)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
	if got := q(time.Time{}, time.Time{}, ""); len(got) != 12 || got[0] != "tell 19" {
		t.Errorf("newest 12: %d, first %q", len(got), got[0])
	}
	if got := k.snippets(Query{Bot: "scout", Scope: Scope{Everything: true}, Limit: 1000}); len(got) != 40 {
		t.Errorf("limit 1000 gives %d", len(got))
	}
}

// The same moment is told in different zones; days are those of the caller's zone.
func TestSearchTimeZones(t *testing.T) {
	for _, name := range []string{"Pacific/Chatham", "America/Los_Angeles", "Asia/Kolkata", "Europe/Copenhagen", "UTC"} {
		t.Run(name, func(t *testing.T) {
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			k := newKit(t)
			day := time.Date(2026, 10, 25, 0, 0, 0, 0, zone) // Copenhagen has 25 hours on it
			next := day.AddDate(0, 0, 1)
			k.say(chat("a"), day.Add(-time.Millisecond), "q", "evening before")
			k.say(chat("a"), day, "q", "first moment")
			k.say(chat("a"), next.Add(-time.Millisecond), "q", "last moment")
			k.say(chat("a"), next, "q", "morning after")
			got := k.snippets(Query{Bot: "scout", Words: "moment evening morning", Since: day, Until: next.Add(-time.Millisecond), Scope: Scope{Everything: true}})
			if got != nil {
				t.Errorf("all of three words: %q", got)
			}
			got = k.snippets(Query{Bot: "scout", Since: day, Until: next.Add(-time.Millisecond), Scope: Scope{Everything: true}})
			if diff := cmp.Diff([]string{"last moment", "q", "first moment", "q"}, got); diff != "" {
				t.Errorf("that day (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeedsComeLast(t *testing.T) {
	k := newKit(t)
	for i := range 15 {
		id := k.begin(chat("a"), at(i), "x")
		k.end(id, Ending{At: at(i), Messages: []Message{owner("x"), self(fmt.Sprint("deploy ", i))}, Tools: []string{"deploy"}})
	}
	hits, err := k.Search(t.Context(), Query{Bot: "scout", Words: "deploy", Scope: Scope{Everything: true}, Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hits {
		if h.Deed != (i >= 15) {
			t.Errorf("hit %d: deed %v", i, h.Deed)
		}
	}
	if len(hits) != 20 || hits[0].Snippet != "deploy 14" {
		t.Errorf("%d hits, first %q", len(hits), hits[0].Snippet)
	}
	newest := k.snippets(Query{Bot: "scout", Scope: Scope{Everything: true}, Limit: 4})
	if diff := cmp.Diff([]string{"deploy 14", "used deploy", "x", "deploy 13"}, newest); diff != "" {
		t.Errorf("newest first, a deed behind the words of its moment (-want +got):\n%s", diff)
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("lorem ipsum ", 100)
	tests := []struct {
		name, text, words string
		begins, ends      string
		marked            []string
	}{
		{"short", "all of it", "it", "all of it", "all of it", []string{"it"}},
		{"no words: the opening", long, "", "lorem ipsum", "…", nil},
		{"in the middle", long + "the needle here " + long, "needle", "…", "…", []string{"needle"}},
		{"at the end", long + "the needle", "needle", "…", "the needle", []string{"needle"}},
		{"where they stand closest", "needle " + long + "hay needle " + long, "needle hay", "…", "…", []string{"hay", "needle"}},
		{"no blanks", strings.Repeat("あいう", 200) + "針" + strings.Repeat("えお", 200), "針", "…", "…", []string{"針"}},
		{"lines and tabs", "one\n\n\ttwo\r\nthree", "two", "one two three", "three", []string{"two"}},
		{"neighbours are one mark", "東京都庁", "東京都", "東京都庁", "東京都庁", []string{"東京都"}},
		{"the whole word", "Invoices!", "invoice", "Invoices!", "Invoices!", []string{"Invoices"}},
		{"farther apart than a snippet", "alpha " + long + "omega", "alpha omega", "alpha", "…", []string{"alpha"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, marks := snippet(tt.text, phrasesOf(tt.words, nil))
			if n := utf8.RuneCountInString(line); n > 240 || !utf8.ValidString(line) {
				t.Errorf("%d characters", n)
			}
			if !strings.HasPrefix(line, tt.begins) || !strings.HasSuffix(line, tt.ends) {
				t.Errorf("snippet %q, want %q to %q", line, tt.begins, tt.ends)
			}
			var marked []string
			for _, m := range marks {
				marked = append(marked, line[m.From:m.To])
			}
			if diff := cmp.Diff(tt.marked, marked); diff != "" {
				t.Errorf("marks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClosed(t *testing.T) {
	k := newKit(t)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := k.Search(t.Context(), Query{Bot: "scout"})
	_, err2 := k.Begin(t.Context(), Turn{ID: "x", Bot: "scout", Conversation: chat("a"), Started: noon})
	_, err3 := k.DeleteBot(t.Context(), "scout")
	for _, err := range []error{err, err2, err3, k.Scrub(t.Context())} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%v, want ErrClosed", err)
		}
	}
}
