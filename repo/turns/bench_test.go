package turns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// common is a word of the corpus by how frequent it is.
func common(i uint64) string {
	var b strings.Builder
	for i += 3; i > 0; i /= 21 {
		b.WriteByte("bcdfghjklmnprstvwxyzq"[i%21])
		b.WriteByte("aeiou"[i%5])
	}
	return b.String()
}

// corpus makes n messages of 5 words and up to size more, two a turn, in 300 conversations of three kinds, of words
// as frequent as those of a language, and gives a maker of questions.
func corpus(tb testing.TB, k *kit, n, size int) (question func(words int) string) {
	tb.Helper()
	const vocabulary = 40_000
	r := rand.New(rand.NewPCG(7, 8))
	z := rand.NewZipf(r, 1.07, 12, vocabulary)
	text := func() string {
		var b strings.Builder
		for range 5 + r.IntN(size) {
			b.WriteString(common(z.Uint64()) + " ")
		}
		return b.String()
	}
	k.turns = n // ids beyond those used here
	tools := []string{"git", "deploy", "read_file", "web_search"}
	const batch = 1000
	for from := 0; from < n/2; from += batch {
		err := k.update(tb.Context(), func(ctx context.Context, tx *work) error {
			for i := from; i < min(from+batch, n/2); i++ {
				c := chat(fmt.Sprint("c", i%300))
				if i%3 == 1 {
					c = room(c.ID, fmt.Sprint("r", i%30))
				}
				t := Turn{ID: fmt.Sprint("T", i), Bot: "scout", Conversation: c, Started: at(i), Speaker: Speaker{By: Owner}}
				e := Ending{At: at(i), Messages: []Message{owner(text()), self(text())}, Tools: tools[:i%4]}
				if err := tell(ctx, tx, t, e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return func(words int) string {
		var b strings.Builder
		for range words {
			b.WriteString(common(z.Uint64()) + " ")
		}
		return b.String()
	}
}

// BenchmarkSearch100k asks 100,000 messages and reports the slowest of a hundred.
func BenchmarkSearch100k(b *testing.B) {
	k := newKit(b)
	question := corpus(b, k, 100_000, 45)
	mine := Scope{From: []Origin{{Direct, "owner"}}, Rooms: []string{"r1", "r4", "r7"}, Except: []string{"c3"}}
	everything := Scope{Everything: true}
	tests := []struct {
		name string
		make func() Query
	}{
		{"one word", func() Query { return Query{Words: question(1), Scope: everything} }},
		{"two words", func() Query { return Query{Words: question(2), Scope: everything} }},
		{"four words", func() Query { return Query{Words: question(4), Scope: everything} }},
		{"two words in scope", func() Query { return Query{Words: question(2), Scope: mine} }},
		{"two words in one chat", func() Query { return Query{Words: question(2), Scope: Scope{Conversations: []string{"c7"}}} }},
		{"two words in a day", func() Query {
			return Query{Words: question(2), Scope: everything, Since: at(20_000), Until: at(20_000 + 24*60)}
		}},
		{"time alone", func() Query { return Query{Scope: mine, Since: at(20_000), Until: at(20_000 + 24*60)} }},
		{"a common word", func() Query { return Query{Words: common(0), Scope: everything} }},
		{"two common words", func() Query { return Query{Words: common(0) + " " + common(1), Scope: everything} }},
		{"a common beginning", func() Query { return Query{Words: common(20), Scope: everything} }},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			var took []time.Duration
			hits := 0
			for b.Loop() {
				q := tt.make()
				q.Bot = "scout"
				begin := time.Now()
				found, err := k.Search(b.Context(), q)
				took = append(took, time.Since(begin))
				if err != nil {
					b.Fatal(err)
				}
				hits += len(found)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(hits)/float64(len(took)), "hits")
		})
	}
}

// BenchmarkDelete100k takes one conversation of 300 out of 100,000 messages, bytes too.
func BenchmarkDelete100k(b *testing.B) {
	k := newKit(b)
	corpus(b, k, 100_000, 45)
	b.ResetTimer()
	for i := 0; i < b.N; i++ { // each deletes another one, so the count is fixed by -benchtime=Nx
		if n, err := k.DeleteConversation(b.Context(), "scout", fmt.Sprint("c", i%300)); err != nil || n == 0 && i < 300 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkDeleteBot100k takes all of 100,000 messages out.
func BenchmarkDeleteBot100k(b *testing.B) {
	for range b.N {
		b.StopTimer()
		k := newKit(b)
		corpus(b, k, 100_000, 45)
		b.StartTimer()
		if n, err := k.DeleteBot(b.Context(), "scout"); n != 50_000 || err != nil {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkTurn100k is one turn, begun and ended, beside 100,000 messages.
func BenchmarkTurn100k(b *testing.B) {
	k := newKit(b)
	question := corpus(b, k, 100_000, 45)
	for b.Loop() {
		k.say(chat("c1"), at(200_000), question(10), question(40))
	}
}

// BenchmarkBrief100k is the newest of each conversation in two days.
func BenchmarkBrief100k(b *testing.B) {
	k := newKit(b)
	corpus(b, k, 100_000, 45)
	for b.Loop() {
		said, err := k.Newest(b.Context(), "scout", at(50_000-2*24*60), "c1")
		if err != nil || len(said) != 299 {
			b.Fatal(len(said), err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	k := newKit(b)
	k.say(chat("a"), at(0), "q", "a")
	for b.Loop() {
		s, err := Open(k.path, nil)
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWords(b *testing.B) {
	for name, text := range map[string]string{
		"english":  strings.Repeat("The deploy of staging is done, and the invoices are paid. ", 20),
		"russian":  strings.Repeat("Встреча перенесена на понедельник, счета оплачены. ", 12),
		"japanese": strings.Repeat("昨日の会議で東京都に行くことを決めた。", 22),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				wordsOf(text)
			}
		})
	}
}
