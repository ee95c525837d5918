package index

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"quipu/markdown"
)

// asked is a question of the test set and where its answer stands.
type asked struct {
	path, words, text string
}

// topicSet reads testdata/topics.txtar: the notes and the questions.
func topicSet(t testing.TB) (files []File, questions []asked) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/topics.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name != "questions.txt" {
			files = append(files, Read(f.Name, f.Data))
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			cells := strings.Split(strings.TrimSpace(line), " | ")
			if len(cells) != 3 {
				t.Fatalf("question %q has %d cells, want 3", line, len(cells))
			}
			questions = append(questions, asked{cells[0], cells[1], cells[2]})
		}
	}
	return files, questions
}

func filled(files []File) *Index {
	x := New()
	for _, f := range files {
		x.Replace(f)
	}
	return x
}

// rank returns the place of the first hit whose text holds words, 0 for none.
func rank(hits []Hit, path, words string) int {
	for i, h := range hits {
		if h.Path == path && strings.Contains(h.Text, words) {
			return i + 1
		}
	}
	return 0
}

var testDay = day0("2026-09-10")

func day0(s string) markdown.Date {
	d, ok := markdown.ParseDate(s)
	if !ok {
		panic("no day: " + s)
	}
	return d
}

// TestTopics measures search over topic notes in nine languages.
func TestTopics(t *testing.T) {
	files, questions := topicSet(t)
	x := filled(files)
	if n := x.Len(); n < 200 || len(questions) < 100 {
		t.Fatalf("%d notes and %d questions, want 200 and 100", n, len(questions))
	}
	var first, four, eight, mrr float64
	for _, q := range questions {
		at := rank(x.Search(Query{Text: q.text, Today: testDay, Limit: 20}), q.path, q.words)
		if at != 1 {
			t.Logf("rank %d: %s (%s)", at, q.text, q.words)
		}
		if at == 0 {
			continue
		}
		mrr += 1 / float64(at)
		first += float64(one(at == 1))
		four += float64(one(at <= 4))
		eight += float64(one(at <= 8))
	}
	n := float64(len(questions))
	got := fmt.Sprintf("n %d, first %.3f, recall@4 %.3f, recall@8 %.3f, mrr %.3f", len(questions), first/n, four/n, eight/n, mrr/n)
	t.Log(got)
	if first/n < .8 || four/n < .9 || eight/n < .92 || mrr/n < .85 {
		t.Errorf("%s: less than .80, .90, .92, .85", got)
	}
}

// languageCases reads one part of testdata/languages.txtar and returns an index
// of the topic set and of these cases, each a file of its own.
func languageCases(t *testing.T, part int) (*Index, []asked) {
	t.Helper()
	files, _ := topicSet(t)
	text, err := os.ReadFile("testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var cases []asked
	for line := range strings.Lines(string(txtar.Parse(text).Files[part].Data)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 {
			t.Fatalf("case %q has %d cells, want 3", line, len(cells))
		}
		path := fmt.Sprintf("memory/case-%02d.md", len(cases))
		cases = append(cases, asked{path, cells[1], cells[2]})
		files = append(files, Read(path, []byte("- 2026-09-01 · "+cells[1]+"\n")))
	}
	return filled(files), cases
}

// TestLanguages holds one question a note in eight groups, each among the notes
// of the topic set and of the other cases: the right one comes first.
func TestLanguages(t *testing.T) {
	x, cases := languageCases(t, 0)
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			hits := x.Search(Query{Text: c.text, Today: testDay, Limit: 5})
			if at := rank(hits, c.path, c.words); at != 1 {
				t.Errorf("rank %d, want 1; first is %q", at, first(hits))
			}
		})
	}
}

// TestLanguagesLater counts on cases that nothing was fitted to.
func TestLanguagesLater(t *testing.T) {
	x, cases := languageCases(t, 1)
	right := 0
	for _, c := range cases {
		hits := x.Search(Query{Text: c.text, Today: testDay, Limit: 5})
		if at := rank(hits, c.path, c.words); at == 1 {
			right++
		} else {
			t.Logf("rank %d: %s; first is %q", at, c.text, first(hits))
		}
	}
	if right < 50 || len(cases) != 52 {
		t.Errorf("%d of %d come first, want 50 of 52", right, len(cases))
	}
}

func first(hits []Hit) string {
	if len(hits) == 0 {
		return ""
	}
	return hits[0].Text
}
