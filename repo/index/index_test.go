package index

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

var sameDate = cmp.Comparer(func(a, b markdown.Date) bool { return a == b })

// texts returns the texts of hits, in order.
func texts(hits []Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.Text)
	}
	return out
}

func topic(path string, lines ...string) File {
	return Read(path, []byte(strings.Join(lines, "\n")+"\n"))
}

func TestReplace(t *testing.T) {
	x := New()
	search := func() []string { return texts(x.Search(Query{Text: "where is the bicycle?"})) }
	steps := []struct {
		name string
		do   func()
		want []string
		len  int
	}{
		{"nothing yet", func() {}, []string{}, 0},
		{"a file", func() { x.Replace(topic("memory/loft.md", "- 2026-09-01 · The bicycle is in the cellar")) }, []string{"The bicycle is in the cellar"}, 1},
		{
			"a second", func() { x.Replace(topic("memory/shed.md", "- 2026-09-02 · The bicycle is in the yard")) },
			[]string{"The bicycle is in the yard", "The bicycle is in the cellar"},
			2,
		},
		{"replaced", func() { x.Replace(topic("memory/loft.md", "- 2026-09-03 · A piano", "- 2026-09-03 · A flute")) }, []string{"The bicycle is in the yard"}, 3},
		{"removed", func() { x.Remove("memory/shed.md") }, []string{}, 2},
		{"removed twice", func() { x.Remove("memory/shed.md") }, []string{}, 2},
		{"emptied", func() { x.Replace(File{Path: "memory/loft.md"}) }, []string{}, 0},
	}
	for _, tt := range steps {
		tt.do()
		if diff := cmp.Diff(tt.want, search()); diff != "" {
			t.Errorf("%s: hits (-want +got):\n%s", tt.name, diff)
		}
		if got := x.Len(); got != tt.len {
			t.Errorf("%s: Len %d, want %d", tt.name, got, tt.len)
		}
	}
}

func TestHidden(t *testing.T) {
	x := filled([]File{topic("memory/office.md",
		"- 2026-01-01 · ~~The office is in Pune~~ · superseded 2026-02-01",
		"- 2026-02-01 · The office is in Mumbai",
		"- 2026-03-01 · The office lift is out of order · until 2026-09-09",
		"- 2026-03-02 · The office party is planned · until 2026-09-10",
		"- ~~the old office phone is 5551~~",
	)})
	live := []string{"The office is in Mumbai", "The office party is planned"}
	tests := []struct {
		name  string
		query Query
		want  []string
	}{
		{"live notes only", Query{Today: testDay}, live},
		{"no day, nothing expires", Query{}, []string{live[0], "The office lift is out of order", live[1]}},
		{"struck when asked for", Query{Today: testDay, Struck: true}, []string{"The office is in Pune", live[0], live[1], "the old office phone is 5551"}},
		{"kept out by the caller", Query{Today: testDay, Keep: func(_ string, n Note) bool { return n.Line != 2 }}, live[1:]},
		{"refused takes no place", Query{Today: testDay, Limit: 1, Keep: func(_ string, n Note) bool { return n.Line != 2 }}, live[1:]},
		{"no such file", Query{Today: testDay, Only: func(string) bool { return false }}, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.query.Text = "the office"
			got := texts(x.Search(tt.query))
			sortTexts := cmp.Transformer("sorted", func(in []string) map[string]int {
				out := map[string]int{}
				for _, s := range in {
					out[s]++
				}
				return out
			})
			if diff := cmp.Diff(tt.want, got, sortTexts); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
		})
	}
}

// TestHardFilter runs what a caller decides of notes before anything is ranked:
// a disputed, silenced or blank one never comes up, silence alone is no dispute.
func TestHardFilter(t *testing.T) {
	type row struct {
		id, text          string
		score             float64
		suppress, dispute bool
		want              bool
	}
	rows := []row{
		{"hf01", "the kettle a", -0.1, false, true, false},
		{"hf02", "the kettle b", 0, false, true, true},
		{"hf03", "the kettle c", 0, false, false, true},
		{"hf04", "the kettle d", 0, true, false, false},
		{"hf06", "  ", 0, false, false, false},
		{"hf08", "the kettle e", -0.4, false, false, true},
	}
	f := File{Path: "memory/k.md"}
	for i, r := range rows {
		f.Notes = append(f.Notes, Note{Line: i, Text: r.text})
	}
	x := filled([]File{f})
	keep := func(_ string, n Note) bool {
		r := rows[n.Line]
		return !r.suppress && !(r.dispute && r.score < 0)
	}
	found := map[int]bool{}
	for _, h := range x.Search(Query{Text: "kettle", Limit: 3, Keep: keep}) {
		found[h.Line] = true
	}
	for i, r := range rows {
		if found[i] != r.want {
			t.Errorf("%s found: %v, want %v", r.id, found[i], r.want)
		}
	}
}

// TestScope says that a file which may not be searched changes nothing, not even
// a score: the same answer as if it were not there.
func TestScope(t *testing.T) {
	files, questions := topicSet(t)
	open := filled(files[:12])
	all := filled(files)
	allowed := map[string]bool{}
	for _, f := range files[:12] {
		allowed[f.Path] = true
	}
	for _, q := range questions[:60] {
		want := open.Search(Query{Text: q.text})
		got := all.Search(Query{Text: q.text, Only: func(path string) bool { return allowed[path] }})
		if diff := cmp.Diff(want, got, sameDate); diff != "" {
			t.Errorf("%s (-alone +scoped):\n%s", q.text, diff)
		}
		for _, h := range got {
			if !allowed[h.Path] {
				t.Errorf("%s: found %s outside its scope", q.text, h.Path)
			}
		}
	}
}

func said(author string, lines ...string) []Note {
	var notes []Note
	for i, line := range lines {
		who := author
		if i%2 == 1 {
			who = "Scout"
		}
		notes = append(notes, Note{Line: i + 1, Text: line, Author: who, Date: testDay})
	}
	return notes
}

func TestConversation(t *testing.T) {
	talk := File{Path: "chat:1", Label: `chat "Plans"`, Notes: said("Ana",
		"Hello there", "Which day is your dentist appointment?", "Thursday at nine", "Noted.", "I like tea", "So do I")}
	other := File{Path: "memory/ana.md", Notes: []Note{{Line: 1, Text: "Ana keeps bees on the roof"}}}
	x := filled([]File{talk, other})

	hits := x.Search(Query{Text: "When does Ana see the dentist?", Limit: 3})
	if got := first(hits); got != "Thursday at nine" {
		t.Errorf("first hit %q, want the answer that follows the question", got)
	}
	if got, want := hits[0].Before, "Scout: Which day is your dentist appointment?"; got != want {
		t.Errorf("before %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"ana", "dentist"}, hits[0].Words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	kept := x.Search(Query{Text: "When does Ana see the dentist?", Limit: 3, Keep: func(_ string, n Note) bool { return n.Line != 2 }})
	if len(kept) == 0 || kept[0].Before != "" || slices.Contains(kept[0].Words, "dentist") {
		t.Errorf("a question that may not be found is quoted: %+v", kept)
	}
	if got := hits[0].Label; got != `chat "Plans"` {
		t.Errorf("label %q", got)
	}
	// Where nobody speaks a name is a word like any other.
	if got := first(x.Search(Query{Text: "Does Ana keep bees?"})); got != other.Notes[0].Text {
		t.Errorf("first hit %q, want the topic note", got)
	}
}

// TestNeutral says that the parts that come from dialogue are silent for notes
// without an author.
func TestNeutral(t *testing.T) {
	files, questions := topicSet(t)
	x := filled(files)
	dialogue := map[string]bool{}
	for _, p := range []part{byAnswer, bySpeaker, bySelf, byQuestion, byCapitals} {
		dialogue[partNames[p]] = true
	}
	for _, q := range questions {
		for _, h := range x.Search(Query{Text: q.text}) {
			for _, p := range h.Parts {
				if dialogue[p.Name] {
					t.Errorf("%s: %s gives %v to a topic note", q.text, p.Name, p.Value)
				}
			}
		}
	}
}

func TestWhy(t *testing.T) {
	x := filled([]File{topic("memory/dentist.md", "- 2026-09-01 · Dr. Rao, cleaning in July"), topic("memory/x.md", "- 2026-09-01 · Nothing")})
	hits := x.Search(Query{Text: "when is the dentist's cleaning"})
	if len(hits) == 0 {
		t.Fatal("no hit")
	}
	h := hits[0]
	if diff := cmp.Diff([][]string{{"cleaning"}, {"dentist"}}, [][]string{h.Words, h.Named}); diff != "" {
		t.Errorf("words and names (-want +got):\n%s", diff)
	}
	sum := 0.0
	for _, p := range h.Parts {
		sum += p.Value
	}
	if d := sum - h.Score; d > 1e-4 || d < -1e-4 {
		t.Errorf("the parts %v give %v, the score is %v", h.Parts, sum, h.Score)
	}
}

func TestSearchNothing(t *testing.T) {
	x := filled([]File{topic("memory/a.md", "- 2026-09-01 · The kettle")})
	for _, text := range []string{"", "   ", "the of and", "?!", "\x00\xff", "zebra"} {
		if hits := x.Search(Query{Text: text}); len(hits) > 0 {
			t.Errorf("%q finds %v", text, texts(hits))
		}
	}
}

// TestConcurrent searches while files are replaced: each search sees a file whole.
func TestConcurrent(t *testing.T) {
	x := New()
	version := func(n int) File {
		f := File{Path: "memory/pair.md"}
		for i := range 6 {
			f.Notes = append(f.Notes, Note{Line: i + 1, Text: fmt.Sprintf("lantern number %d", n), Change: fmt.Sprint(n)})
		}
		return f
	}
	x.Replace(version(0))
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := range 150 {
				x.Replace(version(i))
				x.Replace(topic(fmt.Sprintf("memory/%d-%d.md", w, i%5), "- 2026-09-01 · another lantern", "- 2026-09-01 · ~~gone~~"))
				x.Remove(fmt.Sprintf("memory/%d-%d.md", w, (i+2)%5))
			}
		})
	}
	for range 4 {
		wg.Go(func() {
			for range 200 {
				hits := x.Search(Query{Text: "the lantern", Limit: 6, Only: func(p string) bool { return p == "memory/pair.md" }})
				if len(hits) != 6 {
					t.Errorf("%d hits of a file of 6", len(hits))
					return
				}
				for _, h := range hits {
					if h.Change != hits[0].Change {
						t.Errorf("versions %s and %s in one search", h.Change, hits[0].Change)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestIndexLaw says that what an index answers depends on the files it holds, not
// on how they came there.
func TestIndexLaw(t *testing.T) {
	files, questions := topicSet(t)
	rapid.Check(t, func(t *rapid.T) {
		grown := New()
		holds := map[string]File{}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			f := files[rapid.IntRange(0, len(files)-1).Draw(t, "file")]
			if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
				grown.Remove(f.Path)
				delete(holds, f.Path)
				continue
			}
			f.Notes = f.Notes[rapid.IntRange(0, len(f.Notes)-1).Draw(t, "from"):]
			grown.Replace(f)
			holds[f.Path] = f
		}
		fresh := New()
		for _, f := range holds {
			fresh.Replace(f)
		}
		if grown.Len() != fresh.Len() || len(grown.terms) != len(fresh.terms) || len(grown.heads) != len(fresh.heads) {
			t.Fatalf("%d notes and %d terms, fresh %d and %d", grown.Len(), len(grown.terms), fresh.Len(), len(fresh.terms))
		}
		for range 5 {
			q := Query{Text: questions[rapid.IntRange(0, len(questions)-1).Draw(t, "question")].text, Today: testDay}
			if diff := cmp.Diff(fresh.Search(q), grown.Search(q), sameDate); diff != "" {
				t.Fatalf("%s (-fresh +grown):\n%s", q.Text, diff)
			}
		}
	})
}
