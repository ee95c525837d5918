package side

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTallies(t *testing.T) {
	x := indexed(t, diary(t)) // a minute apart: bot, person, a log, upkeep, bot
	minute := func(n int) time.Time { return day0.Add(time.Duration(n) * time.Minute) }
	kinds := []string{"bot", "person", "upkeep"}
	got, err := x.Tallies(t.Context(), []time.Time{minute(-5), minute(0), minute(2), minute(3), minute(9)}, kinds)
	if err != nil {
		t.Fatal(err)
	}
	want := []Tally{{1, "bot", 1}, {1, "person", 1}, {3, "bot", 1}, {3, "upkeep", 1}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("tallies (-want +got):\n%s", d)
	}
	before, after, err := x.Around(t.Context(), minute(2), minute(3), kinds)
	if err != nil || !before.Equal(minute(1)) || !after.Equal(minute(3)) {
		t.Errorf("around the log: %v and %v, %v", before, after, err)
	}
	if before, after, err = x.Around(t.Context(), minute(0), minute(5), kinds); err != nil || !before.IsZero() || !after.IsZero() {
		t.Errorf("around everything: %v and %v, %v", before, after, err)
	}
}

// The size of a file at a time is that of the first-parent line.
func TestSizes(t *testing.T) {
	s := newStory(t)
	at := func(h int) string { return fmt.Sprintf("%d +0000", day0.Add(time.Duration(h)*time.Hour).Unix()) }
	s.tell(t,
		told{message: "other", at: at(0), files: map[string]string{"memory/x.md": "- x\n"}},
		told{message: "base", at: at(1), files: map[string]string{"MEMORY.md": "- a\n"}},
		told{message: "side", at: at(2), parents: []int{1}, files: map[string]string{"MEMORY.md": "- a\n- side\n- side\n"}},
		told{message: "main", at: at(3), parents: []int{1}, files: map[string]string{"MEMORY.md": "- a\n- b"}},
		told{message: "merge", at: at(4), parents: []int{3, 2}, files: map[string]string{"MEMORY.md": "- a\n- b\n- side\n"}},
		told{message: "out", at: at(5), files: map[string]string{"MEMORY.md": gone}},
	)
	var moments []time.Time
	for h := range 7 {
		moments = append(moments, day0.Add(time.Duration(h)*time.Hour+time.Minute))
	}
	got, err := indexed(t, s).Sizes(t.Context(), "MEMORY.md", moments)
	if err != nil {
		t.Fatal(err)
	}
	want := []*Size{nil, {4, 1}, {4, 1}, {7, 2}, {15, 3}, {0, 0}, {0, 0}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("sizes (-want +got):\n%s", d)
	}
}

func TestVersions(t *testing.T) {
	x := indexed(t, diary(t))
	var got []string
	for n := range 5 {
		c, of, err := x.Version(t.Context(), "MEMORY.md", n)
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d/%d: %d with %d, %t", n, of, c.Pos, len(c.Files), err == nil))
	}
	want := []string{"0/3: 0 with 0, false", "1/3: 1 with 1, true", "2/3: 4 with 1, true", "3/3: 5 with 1, true", "4/3: 0 with 0, false"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("versions (-want +got):\n%s", d)
	}
	for pos, want := range map[int64]int{1: 1, 3: 1, 4: 2, 5: 3} {
		if n, err := x.VersionOf(t.Context(), "MEMORY.md", pos); err != nil || n != want {
			t.Errorf("at position %d: version %d, %v; want %d", pos, n, err, want)
		}
	}
	if n, err := x.VersionOf(t.Context(), "memory/archive.md", 3); err != nil || n != 0 {
		t.Errorf("before its first change: version %d, %v", n, err)
	}
}

// The units of files are counted by the change that Taught names as their first.
func TestTeachersAreThoseOfTaught(t *testing.T) {
	s := long(t, 400)
	x := indexed(t, s)
	got, unknown, err := x.Teachers(t.Context(), unitsOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	want, none := map[Teacher]int{}, 0
	for path, text := range textsOf(t, s) {
		origins, err := x.Taught(t.Context(), path, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range origins {
			if !o.Known {
				none++
				continue
			}
			want[Teacher{Kind: o.First.AuthorKind, Via: o.First.Via, Action: o.First.Action, Source: o.First.Source}]++
		}
	}
	have := map[Teacher]int{}
	for _, one := range got {
		n := one.Units
		one.Units = 0
		have[one] += n
	}
	if d := cmp.Diff(want, have); d != "" || unknown != none {
		t.Errorf("%d unknown, want %d (-taught +counted):\n%s", unknown, none, d)
	}
}
