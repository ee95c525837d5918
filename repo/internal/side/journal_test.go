package side

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// diary is the history that the tables of this file ask about.
func diary(tb testing.TB) *story {
	s := newStory(tb)
	s.tell(tb,
		told{
			message: ours("update: likes tea", ulid(0), "Memory-Action", "update", "Memory-Source", `chat "Breakfast"`),
			files:   map[string]string{"MEMORY.md": "- 2026-09-01 · likes tea\n"},
		},
		told{message: "Größe notiert", author: "Jörg <j@example.org>", files: map[string]string{"memory/körper.md": "- Straße 5\n"}},
		told{message: ours("log: a talk", ulid(2), "Memory-Action", "log"), files: map[string]string{"memory/log/2026-09-01.md": "talked about Tea and cake\n"}},
		told{
			message: strings.Replace(ours("tidy: 1 moved", ulid(3), "Memory-Action", "tidy"), "bot scout", "upkeep", 1),
			files:   map[string]string{"MEMORY.md": "", "memory/archive.md": "- 2026-09-01 · likes tea\n"},
		},
		told{message: ours("update: likes milk", ulid(4), "Memory-Action", "update"), files: map[string]string{"MEMORY.md": "- 2026-09-02 · likes milk\n"}},
	)
	return s
}

func TestNewest(t *testing.T) {
	s := diary(t)
	x := indexed(t, s)
	minute := func(n int) time.Time { return day0.Add(time.Duration(n) * time.Minute) }
	tests := []struct {
		name   string
		filter Filter
		want   string // pos:files, newest first
	}{
		{"all", Filter{}, "5:1 4:2 3:1 2:1 1:1"},
		{"limit", Filter{Limit: 2}, "5:1 4:2"},
		{"paging", Filter{Limit: 2, BeforePos: 4}, "3:1 2:1"},
		{"the first page ends", Filter{BeforePos: 1}, ""},
		{"path", Filter{Path: "MEMORY.md"}, "5:1 4:1 1:1"},
		{"path, paging", Filter{Path: "MEMORY.md", Limit: 1, BeforePos: 5}, "4:1"},
		{"path in another script", Filter{Path: "memory/körper.md"}, "2:1"},
		{"path that is not there", Filter{Path: "memory/none.md"}, ""},
		{"part of a path", Filter{Path: "MEMORY"}, ""},
		{"author", Filter{Author: "bot"}, "5:1 3:1 1:1"},
		{"author with a name", Filter{Author: "person Jörg"}, "2:1"},
		{"author with another name", Filter{Author: "bot other"}, ""},
		{"action", Filter{Action: "update"}, "5:1 1:1"},
		{"without actions", Filter{Skip: []string{"log", "tidy"}}, "5:1 2:1 1:1"},
		{"since", Filter{Since: minute(3)}, "5:1 4:2"},
		{"since within the second", Filter{Since: minute(3).Add(time.Millisecond)}, "5:1"},
		{"until", Filter{Until: minute(1)}, "2:1 1:1"},
		{"until within the second", Filter{Until: minute(1).Add(time.Millisecond)}, "2:1 1:1"},
		{"between, in another zone", Filter{Since: minute(1).In(berry), Until: minute(2).In(berry)}, "3:1 2:1"},
		{"word in subjects and diffs", Filter{Words: []string{"tea"}}, "4:2 3:1 1:1"},
		{"a word's case", Filter{Words: []string{"TEA", "cake"}}, "3:1"},
		{"every word", Filter{Words: []string{"tea", "dog"}}, ""},
		{"word in the source", Filter{Words: []string{"breakfast"}}, "1:1"},
		{"words apart: subject and diff", Filter{Words: []string{"moved", "likes"}}, "4:2"},
		{"folded: sharp s and umlaut", Filter{Words: []string{"STRASSE", "GRÖSSE"}}, "2:1"},
		{"a part of a word, no pattern", Filter{Words: []string{"%"}}, ""},
		{"no word", Filter{Words: []string{"", " "}, Limit: 1}, "5:1"},
		{"all at once", Filter{Path: "MEMORY.md", Author: "bot", Action: "update", Words: []string{"tea"}, Since: minute(0), Until: minute(4), BeforePos: 5, Limit: 9, Skip: []string{"log"}}, "1:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changes, err := x.Newest(t.Context(), tt.filter)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range changes {
				got = append(got, fmt.Sprintf("%d:%d", c.Pos, len(c.Files)))
			}
			if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Errorf("changes (-want +got):\n%s", d)
			}
		})
	}
}

// A file keeps its number in the change when others are left out.
func TestNewestKeepsFileNumbers(t *testing.T) {
	got, err := indexed(t, diary(t)).Newest(t.Context(), Filter{Path: "MEMORY.md", Action: "tidy"})
	if err != nil || len(got) != 1 || len(got[0].Files) != 1 {
		t.Fatalf("got %d changes, %v", len(got), err)
	}
	if n, all := got[0].Files[0].N, got[0].Touched; n != 2 || all != 2 {
		t.Errorf("file %d of %d, want 2 of 2", n, all)
	}
}

func TestNewestSearchesPastAStretch(t *testing.T) {
	s := newStory(t)
	commits := []told{{message: "the needle"}}
	for i := range 1100 {
		commits = append(commits, told{message: fmt.Sprintf("hay %d", i)})
	}
	s.tell(t, commits...)
	got, err := indexed(t, s).Newest(t.Context(), Filter{Words: []string{"needle"}})
	if err != nil || len(got) != 1 || got[0].Pos != 1 {
		t.Errorf("got %v, %v; want the first change", got, err)
	}
}

func TestByID(t *testing.T) {
	s := newStory(t)
	foreign := s.tell(t, told{message: ours("a", "01JDXK3T9M2Q4R6S8V0W1X2Y3Z")}, told{message: ours("b", "01JDXK3T9M2Q4R6S8V0W1X2Y40")}, told{message: "c"}).String()
	rewritten := strings.Repeat("ab", 20)
	s.tell(t, told{message: "d\n\nMemory-Change: " + rewritten + "\n"})
	first, last := s.hashes[0].String(), s.hashes[3].String()
	x := indexed(t, s)
	tests := []struct {
		name, id string
		want     string
		err      error
	}{
		{"ulid", "01JDXK3T9M2Q4R6S8V0W1X2Y3Z", "a", nil},
		{"small letters", "01jdxk3t9m2q4r6s8v0w1x2y3z", "a", nil},
		{"unique prefix", "01jdxk3t9m2q4r6s8v0w1x2y3", "a", nil},
		{"prefix of two", "01JDXK", "", ErrAmbiguous},
		{"too short", "01JDX", "", ErrNotFound},
		{"hash of a change with an id", first, "a", nil},
		{"its prefix", first[:12], "a", nil},
		{"odd prefix", first[:13], "a", nil},
		{"hash", foreign, "c", nil},
		{"hash in capitals", strings.ToUpper(foreign), "c", nil},
		{"prefix of a hash", foreign[:10], "c", nil},
		{"the hash before a rewrite", rewritten, "d", nil},
		{"its prefix", rewritten[:8], "d", nil},
		{"the hash after it", last, "d", nil},
		{"white space around", "  " + foreign + "\n", "c", nil},
		{"unknown", "01JDXK3T9M2Q4R6S8V0W1X2Y99", "", ErrNotFound},
		{"unknown hash", strings.Repeat("0", 40), "", ErrNotFound},
		{"nothing", "", "", ErrNotFound},
		{"a pattern", "01JDX%%", "", ErrNotFound},
		{"too long", strings.Repeat("a", 41), "", ErrNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := x.ByID(t.Context(), tt.id)
			if c.Subject != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("%q, %v; want %q, %v", c.Subject, err, tt.want, tt.err)
			}
		})
	}
	if c, err := x.ByID(t.Context(), rewritten); err != nil || c.ID != rewritten || !c.Foreign {
		t.Errorf("rewritten: id %s foreign=%t, %v", c.ID, c.Foreign, err)
	}
}

func TestAtTime(t *testing.T) {
	s := newStory(t)
	at := func(h int) string { return fmt.Sprintf("%d +0000", day0.Add(time.Duration(h)*time.Hour).Unix()) }
	s.tell(t,
		told{message: "base", at: at(0)},
		told{message: "side", at: at(3), parents: []int{0}},
		told{message: "main", at: at(2), parents: []int{0}},
		told{message: "merge", at: at(4), parents: []int{2, 1}},
	)
	x := indexed(t, s)
	tests := []struct {
		name  string
		after time.Duration
		want  string
	}{
		{"exactly", 0, "base"},
		{"between", time.Hour, "base"},
		{"in another zone", 2 * time.Hour, "main"},
		{"a side line was not here yet", 3 * time.Hour, "main"},
		{"later than all", 1000 * time.Hour, "merge"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := x.AtTime(t.Context(), day0.Add(tt.after).In(berry))
			if err != nil || c.Subject != tt.want {
				t.Errorf("%q, %v; want %q", c.Subject, err, tt.want)
			}
		})
	}
	if _, err := x.AtTime(t.Context(), day0.Add(-time.Second)); !errors.Is(err, ErrNotFound) {
		t.Errorf("before the history: %v, want ErrNotFound", err)
	}
}
