package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// vocabulary makes up words whose frequencies fall as those of a language do.
type vocabulary struct {
	words []string
	zipf  *rand.Zipf
	rand  *rand.Rand
}

func newVocabulary(n int) *vocabulary {
	syllables := strings.Fields("ba ce di fo gu ka le mi no pu ra se ti vo zu bra cle dri fro gru sta ent ing tion")
	r := rand.New(rand.NewPCG(1, 2))
	v := &vocabulary{rand: r, zipf: rand.NewZipf(r, 1.1, 8, uint64(n-1))}
	seen := map[string]bool{}
	for len(v.words) < n {
		var b strings.Builder
		for range 2 + r.IntN(3) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		if word := b.String(); !seen[word] {
			seen[word] = true
			v.words = append(v.words, word)
		}
	}
	return v
}

func (v *vocabulary) sentence(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = v.words[v.zipf.Uint64()]
	}
	return strings.Join(out, " ")
}

// file makes a file of twenty notes, in a conversation when an author is given.
func (v *vocabulary) file(n int, author string) File {
	f := File{Path: fmt.Sprintf("memory/topic-%d.md", n), Title: v.sentence(2)}
	for i := range 20 {
		f.Notes = append(f.Notes, Note{Line: i + 1, Text: "The " + v.sentence(8+v.rand.IntN(12)) + ".", Date: testDay, Author: author})
	}
	return f
}

// made returns an index of n made-up notes and 200 questions.
func made(n int, author string) (*Index, *vocabulary, []string) {
	v := newVocabulary(40_000)
	x := New()
	for i := range n / 20 {
		x.Replace(v.file(i, author))
	}
	questions := make([]string, 200)
	for i := range questions {
		questions[i] = "where did we see " + v.sentence(3+v.rand.IntN(6)) + "?"
		if author != "" {
			questions[i] = "When did " + author + " see " + v.sentence(3+v.rand.IntN(6)) + " in September 2026?"
		}
	}
	return x, v, questions
}

var sizes = []int{1_000, 10_000, 100_000}

// BenchmarkSearch asks topic notes, and conversations where each note is of the
// month that is asked about.
func BenchmarkSearch(b *testing.B) {
	for name, author := range map[string]string{"notes": "", "said": "Ana"} {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				x, _, questions := made(n, author)
				var times []time.Duration
				i := 0
				for b.Loop() {
					start := time.Now()
					x.Search(Query{Text: questions[i%len(questions)], Today: testDay})
					times = append(times, time.Since(start))
					i++
				}
				slices.Sort(times)
				b.ReportMetric(quantile(times, .5), "p50-ms")
				b.ReportMetric(quantile(times, .99), "p99-ms")
			})
		}
	}
}

func BenchmarkReplace(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, v, _ := made(n, "")
			var times []time.Duration
			for b.Loop() {
				b.StopTimer()
				f := v.file(v.rand.IntN(n/20), "")
				b.StartTimer()
				start := time.Now()
				x.Replace(f)
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(quantile(times, .5), "p50-ms")
			b.ReportMetric(quantile(times, .99), "p99-ms")
		})
	}
}

// BenchmarkBuild is what a verb of the command line pays before it can search.
func BenchmarkBuild(b *testing.B) {
	for _, n := range sizes[:2] {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			v := newVocabulary(40_000)
			files := make([]File, n/20)
			for i := range files {
				files[i] = v.file(i, "")
			}
			for b.Loop() {
				x := New()
				for _, f := range files {
					x.Replace(f)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/topics.txtar")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Read("memory/topics.md", text)
	}
}
