package repo

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo/index"
)

// rated is a thing with a score and a trust.
type rated struct {
	Name  int
	Score float64
	Trust *float64
}

func arrangedByTrust(list []rated) []rated {
	out := slices.Clone(list)
	trustedFirst(out, func(r *rated) float64 { return r.Score }, func(r *rated) *float64 { return r.Trust })
	return out
}

func TestTrustedFirst(t *testing.T) {
	low, mid, high := 0.3, 0.5, 1.0
	for _, tt := range []struct {
		name string
		list []rated
		want []int
	}{
		{"nothing", nil, nil},
		{"the more trusted first", []rated{{1, 2, &low}, {2, 2, &high}, {3, 2, &mid}}, []int{2, 3, 1}},
		{"only of equals", []rated{{1, 3, &low}, {2, 2, &high}}, []int{1, 2}},
		{"who is not known keeps their place", []rated{{1, 2, &low}, {2, 2, nil}, {3, 2, &high}, {4, 2, nil}}, []int{3, 2, 1, 4}},
		{"equally trusted ones stay", []rated{{1, 2, &mid}, {2, 2, &mid}}, []int{1, 2}},
		{"two groups", []rated{{1, 3, &low}, {2, 3, &high}, {3, 2, &low}, {4, 2, &high}}, []int{2, 1, 4, 3}},
	} {
		var got []int
		for _, r := range arrangedByTrust(tt.list) {
			got = append(got, r.Name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestTieBreakLaw: trust never changes what is found, only the order of equals, and two
// rounds are one.
func TestTieBreakLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []rated
		for i := range rapid.IntRange(0, 12).Draw(t, "length") {
			r := rated{Name: i, Score: float64(rapid.IntRange(0, 3).Draw(t, "score"))}
			if rapid.Bool().Draw(t, "known") {
				trust := float64(rapid.IntRange(0, 4).Draw(t, "trust")) / 4
				r.Trust = &trust
			}
			list = append(list, r)
		}
		slices.SortStableFunc(list, func(a, b rated) int { return cmp.Compare(b.Score, a.Score) })
		got := arrangedByTrust(list)
		for i, r := range got {
			if r.Score != list[i].Score || (r.Trust == nil) != (list[i].Trust == nil) || r.Trust == nil && r.Name != list[i].Name {
				t.Fatalf("place %d: %+v, was %+v", i, r, list[i])
			}
		}
		if diff := gocmp.Diff(got, arrangedByTrust(got)); diff != "" {
			t.Fatalf("a second round:\n%s", diff)
		}
		byName := func(a, b rated) int { return a.Name - b.Name }
		before, after := slices.SortedFunc(slices.Values(list), byName), slices.SortedFunc(slices.Values(got), byName)
		if diff := gocmp.Diff(before, after); diff != "" {
			t.Fatalf("what is found changed:\n%s", diff)
		}
	})
}

// Of notes that answer equally well the one comes first whose speaker is trusted more; the
// switch turns that off, and neither changes what is found, whatever the limit.
func TestTrustTieBreak(t *testing.T) {
	l := newLab(t)
	var facts []policy.Fact
	for i, trust := range []float64{0.3, 1, math.NaN(), 0.8, 0.5} {
		f := policy.Fact{Text: fmt.Sprintf("The harbour crane number %c stands still", "bcfgh"[i]), Topic: fmt.Sprintf("pier %c", "bcfgh"[i]), Speaker: "qq:1", Quote: "x"}
		if !math.IsNaN(trust) {
			f.Trust = &trust
		}
		facts = append(facts, f)
	}
	if _, err := l.w.Notice(l.ctx(), tended, func() (Noticing, error) { return Noticing{Facts: facts}, nil }); err != nil {
		t.Fatal(err)
	}
	found := func(limit int) (names, recalled string) {
		t.Helper()
		notes, err := l.w.Notes(l.ctx(), NoteQuery{Text: "which harbour crane stands still", Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range notes {
			if n.Score != notes[0].Score {
				t.Fatalf("the notes are no equals: %v", notes)
			}
			names += string(n.Text[len("The harbour crane number ")])
		}
		r, err := l.w.Recall(l.ctx(), "which harbour crane stands still", nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range r.Notes {
			recalled += string(p.Text[len("The harbour crane number ")])
			if p.Number != i+1 || !strings.Contains(r.Block, fmt.Sprintf("\n[%d] %s (%s): %s", i+1, p.Label, p.Date, p.Text)) {
				t.Errorf("the block does not have %+v:\n%s", p, r.Block)
			}
		}
		return names, recalled
	}
	on, block := found(0)
	if on != "cgfhb" || block != "cgfb" {
		t.Errorf("found %q, recalled %q", on, block)
	}
	if cut, _ := found(2); cut != "cb" {
		t.Errorf("of two: %q", cut)
	}
	if err := l.store.SetConfig("features.trustTieBreak", false); err != nil {
		t.Fatal(err)
	}
	if off, block := found(0); off != "bcfgh" || block != "bcfg" {
		t.Errorf("switched off: found %q, recalled %q", off, block)
	}
}

// A block whose notes are put in another order says the same, under other numbers.
func TestArranged(t *testing.T) {
	m, _ := index.ReadMessage("which harbour crane stands still")
	hit := func(path string) index.Hit {
		return index.Hit{Path: path, Label: path, Note: index.Note{Text: "about " + path}, Words: []string{"harbour", "crane"}}
	}
	r := index.Recall(m, []index.Hit{hit("memory/a.md"), hit("memory/b.md")}, nil, []index.Hit{hit("chat")})
	got := r.Arranged(slices.Reverse[[]index.Passage])
	if diff := gocmp.Diff(r, r.Arranged(func([]index.Passage) {}), gocmp.Comparer(func(a, b markdown.Date) bool { return a == b })); diff != "" {
		t.Errorf("left alone (-want +got):\n%s", diff)
	}
	want := strings.NewReplacer("[1] memory/a.md (undated): about memory/a.md", "[1] memory/b.md (undated): about memory/b.md", "[2] memory/b.md (undated): about memory/b.md", "[2] memory/a.md (undated): about memory/a.md").Replace(r.Block)
	if got.Block != want || got.Notes[0].Number != 1 || got.Notes[0].Path != "memory/b.md" || got.Passages[0].Number != 3 {
		t.Errorf("reversed: %+v", got)
	}
}
