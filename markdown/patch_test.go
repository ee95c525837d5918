package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func lines(texts ...string) string {
	if len(texts) == 0 {
		return ""
	}
	return strings.Join(texts, "\n") + "\n"
}

const (
	tea      = "- 2026-09-01 · Likes green tea"
	office   = "- 2026-09-02 · Office is in City A"
	officeB  = "- 2026-09-02 · Office is in City B"
	officeC  = "- 2026-09-02 · Office is in City C"
	cat      = "- 2026-09-03 · Has a cat called Mia\n  grey, four years old"
	dog      = "- 2026-09-04 · Walks Bello every morning"
	trip     = "- 2026-09-05 · Flies to Lisbon in May"
	handmade = "see memory/clients.md"
)

func TestPatch(t *testing.T) {
	tests := []struct {
		name           string
		from, to, onto string
		want           string
		conflicts      []Conflict
		gone           []string
	}{
		{name: "undo of an add keeps what came around it", from: lines(tea, office), to: lines(tea), onto: lines(trip, tea, dog, office, cat), want: lines(trip, tea, dog, cat)},
		{name: "undo of an add at the end of a CRLF file", from: "a\r\nb\r\n", to: "a\r\n", onto: "a\r\nb\r\nc\r\n", want: "a\r\nc\r\n"},
		{name: "undo of a remove puts it back where it stood", from: lines(tea, dog), to: lines(tea, cat, dog), onto: lines(trip, tea, dog, office), want: lines(trip, tea, cat, dog, office)},
		{name: "undo of a remove at the top", from: lines(dog), to: lines(tea, dog), onto: lines(dog, trip), want: lines(tea, dog, trip)},
		{name: "put back with nothing left around it", from: lines(tea), to: lines(tea, dog), onto: lines(trip), want: lines(trip, dog)},
		{name: "change", from: lines(tea, office), to: lines(tea, officeB), onto: lines(office, tea, dog), want: lines(officeB, tea, dog)},
		{name: "strike", from: lines(office), to: lines("- 2026-09-02 · ~~Office is in City A~~ · superseded 2026-09-09"), onto: lines(tea, office), want: lines(tea, "- 2026-09-02 · ~~Office is in City A~~ · superseded 2026-09-09")},
		{name: "changed since", from: lines(tea, office), to: lines(tea, officeB), onto: lines(tea, officeC, dog), want: lines(tea, officeC, dog), conflicts: []Conflict{{Line: 2, Have: officeC, Want: officeB, Base: office}}},
		{name: "changed since alike", from: lines(tea, office), to: lines(tea, officeB), onto: lines(tea, officeB, dog), want: lines(tea, officeB, dog)},
		{name: "changed, but gone", from: lines(tea, office), to: lines(tea, officeB), onto: lines(tea, dog), want: lines(tea, dog), conflicts: []Conflict{{Line: 1, Want: officeB, Base: office}}},
		{name: "taken out, but changed since", from: lines(tea, office), to: lines(tea), onto: lines(tea, officeC), want: lines(tea, officeC), conflicts: []Conflict{{Line: 2, Have: officeC, Base: office}}},
		{name: "taken out, but gone", from: lines(tea, office, dog), to: lines(tea, dog), onto: lines(trip, tea, dog), want: lines(trip, tea, dog), gone: []string{office}},
		{name: "put in, but there", from: lines(tea), to: lines(tea, dog), onto: lines(trip, tea, dog, cat), want: lines(trip, tea, dog, cat)},
		{name: "moved in onto since", from: lines(tea, office, dog), to: lines(tea, dog), onto: lines(tea, dog, trip, office), want: lines(tea, dog, trip)},
		{name: "the nearest of equal units", from: lines("x", "a", "x", "b"), to: lines("x", "a", "b"), onto: lines("x", "a", "x", "b", "c"), want: lines("x", "a", "b", "c")},
		{name: "blank lines make no conflict", from: "a\n\n\nb\n", to: "a\nb\n", onto: "a\nb\nc\n", want: "a\nb\nc\n"},
		{name: "owned lines and line ends", from: lines(tea, cat), to: lines(tea), onto: strings.ReplaceAll(lines(tea, cat, dog), "\n", "\r\n"), want: strings.ReplaceAll(lines(tea, dog), "\n", "\r\n")},
		{name: "what is put in takes the file's line ends", from: lines(tea), to: lines(tea, cat), onto: strings.ReplaceAll(lines(tea, dog), "\n", "\r\n"), want: strings.ReplaceAll(lines(tea, cat, dog), "\n", "\r\n")},
		{name: "open end stays open", from: "a\nb", to: "a\nb\nc", onto: "x\na\nb", want: "x\na\nb\nc"},
		{name: "header line", from: "---\ntitle: A\naliases: [b]\n---\nx\n", to: "---\ntitle: A\naliases: [b, c]\n---\nx\n", onto: "---\ntitle: A\naliases: [b]\n---\nx\ny\n", want: "---\ntitle: A\naliases: [b, c]\n---\nx\ny\n"},
		{name: "byte order mark stays", from: lines(tea), to: lines(tea, dog), onto: "\ufeff" + lines(tea, cat), want: "\ufeff" + lines(tea, dog, cat)},
		{name: "everything goes", from: lines(tea), to: "", onto: lines(tea, dog), want: lines(dog)},
		{name: "onto nothing", from: lines(tea), to: lines(tea, dog), onto: "", want: lines(dog)},
		{name: "several added in order", from: lines(tea), to: lines(office, tea, cat, dog), onto: lines(trip, tea), want: lines(trip, office, tea, cat, dog)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Patch([]byte(tt.from), []byte(tt.to), []byte(tt.onto))
			want := Patched{Text: []byte(tt.want), Conflicts: tt.conflicts, Gone: tt.gone, Changed: tt.want != tt.onto}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Transformer("text", func(b []byte) string { return string(b) })); diff != "" {
				t.Errorf("patched (-want +got):\n%s", diff)
			}
		})
	}
}

// notes draws a text of units from a small set, so that texts have much in
// common.
func notes(distinct bool) *rapid.Generator[string] {
	pool := []string{tea, office, officeB, officeC, cat, dog, trip, handmade, "# Notes", "- hand-written"}
	if !distinct {
		// A fence that comes to stand under an entry becomes that entry's.
		pool = append(pool, "", "```\n- 2026-01-01 · x\n```")
	}
	for i := range 12 {
		pool = append(pool, fmt.Sprintf("- 2026-10-%02d · note number%d", i+1, i))
	}
	return rapid.Custom(func(t *rapid.T) string {
		gen := rapid.SliceOfN(rapid.SampledFrom(pool), 0, 12)
		if distinct {
			gen = rapid.SliceOfNDistinct(rapid.SampledFrom(pool), 0, 12, rapid.ID)
		}
		return lines(gen.Draw(t, "units")...)
	})
}

// wild draws a text that may be anything.
func wild() *rapid.Generator[string] { return rapid.OneOf(notes(false), hostile()) }

func TestPatchLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := []byte(wild().Draw(t, "a")), []byte(wild().Draw(t, "b")), []byte(wild().Draw(t, "c"))
		if got := Patch(a, b, a); !bytes.Equal(got.Text, b) || got.Changed != !bytes.Equal(a, b) || len(got.Conflicts) > 0 {
			t.Fatalf("Patch(a, b, a) = %+v, want b", got)
		}
		if got := Patch(a, a, c); !bytes.Equal(got.Text, c) || got.Changed {
			t.Fatalf("Patch(a, a, c) = %+v, want c", got)
		}
		if got := Patch(a, b, b); !bytes.Equal(got.Text, b) || got.Changed {
			t.Fatalf("Patch(a, b, b) = %+v, want b", got)
		}
		got := Patch(a, b, c)
		if got.Changed != !bytes.Equal(got.Text, c) {
			t.Fatalf("Changed = %v for %q from %q", got.Changed, got.Text, c)
		}
		base, now := lineSet(a), lineSet(got.Text)
		for line := range lineSet(c) {
			if !now[line] && !base[line] {
				t.Fatalf("%q is lost, which the change never had\na %q\nb %q\nc %q\ngot %q", line, a, b, c, got.Text)
			}
		}
	})
}

// counts counts the non-blank units of a text.
func counts(text []byte) map[string]int {
	n := map[string]int{}
	for _, u := range Parse("", text).Units() {
		if u.Kind != KindBlank {
			n[u.key()]++
		}
	}
	return n
}

// missing returns the units that a text has oftener than another.
func missing(text, than []byte) map[string]int {
	left := counts(text)
	for unit, n := range counts(than) {
		left[unit] -= n
	}
	for unit, n := range left {
		if n <= 0 {
			delete(left, unit)
		}
	}
	return left
}

// TestUndoOfAnAdd puts one entry anywhere in a file, makes other additions
// anywhere after that, and takes the entry back.
func TestUndoOfAnAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.SliceOfN(rapid.SampledFrom([]string{tea, office, cat, handmade, ""}), 0, 6).Draw(t, "before")
		after := slices.Insert(slices.Clone(before), rapid.IntRange(0, len(before)).Draw(t, "at"), dog)
		now := slices.Clone(after)
		var kept []string
		for i := range rapid.IntRange(1, 5).Draw(t, "later") {
			later := fmt.Sprintf("- 2026-10-01 · later number%d", i)
			now = slices.Insert(now, rapid.IntRange(0, len(now)).Draw(t, "place"), later)
		}
		for _, unit := range now {
			if unit != dog {
				kept = append(kept, unit)
			}
		}
		got := Patch([]byte(lines(after...)), []byte(lines(before...)), []byte(lines(now...)))
		if diff := cmp.Diff(lines(kept...), string(got.Text)); diff != "" || len(got.Conflicts) > 0 || len(got.Gone) > 0 {
			t.Fatalf("text (-want +got):\n%s\nconflicts %v, gone %q", diff, got.Conflicts, got.Gone)
		}
	})
}

// TestUndoOfUndo holds for distinct units when nothing was in conflict: the
// same units come back, and those that no side touched in the same order.
func TestUndoOfUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, c := []byte(notes(true).Draw(t, "a")), []byte(notes(true).Draw(t, "c"))
		b := []byte(notes(true).Draw(t, "b"))
		there := Patch(a, b, c)
		back := Patch(b, a, there.Text)
		if len(there.Conflicts)+len(back.Conflicts)+len(there.Gone)+len(back.Gone) > 0 {
			t.Skip("the change does not fit")
		}
		for unit := range missing(b, a) {
			if counts(c)[unit] > 0 {
				t.Skip("a part of the change is there already")
			}
		}
		if diff := cmp.Diff(counts(c), counts(back.Text)); diff != "" {
			t.Fatalf("units of c (-want +got):\n%s\na %q\nb %q\nc %q\nthere %q\nback %q", diff, a, b, c, there.Text, back.Text)
		}
	})
}

// TestUndoOfUndoOfAdds is exact: what was added goes, and nothing else moves.
func TestUndoOfUndoOfAdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{tea, office, cat, handmade, "# Notes"}), 0, 5, rapid.ID).Draw(t, "a")
		b, c := slices.Clone(a), slices.Clone(a)
		for i := range rapid.IntRange(1, 4).Draw(t, "in b") {
			b = slices.Insert(b, rapid.IntRange(0, len(b)).Draw(t, "at"), fmt.Sprintf("- 2026-10-01 · ours%d", i))
		}
		for i := range rapid.IntRange(1, 4).Draw(t, "in c") {
			c = slices.Insert(c, rapid.IntRange(0, len(c)).Draw(t, "at"), fmt.Sprintf("- 2026-10-02 · theirs%d", i))
		}
		there := Patch([]byte(lines(a...)), []byte(lines(b...)), []byte(lines(c...)))
		back := Patch([]byte(lines(b...)), []byte(lines(a...)), there.Text)
		if diff := cmp.Diff(lines(c...), string(back.Text)); diff != "" {
			t.Fatalf("text (-want +got):\n%s\nthere %q", diff, there.Text)
		}
	})
}

func TestUnion(t *testing.T) {
	tests := []struct{ name, base, ours, theirs, want string }{
		{"both add", lines(tea), lines(tea, dog), lines(tea, cat), lines(tea, dog, cat)},
		{"both add alike", lines(tea), lines(tea, dog), lines(tea, dog, cat), lines(tea, dog, cat)},
		{"both add alike in other places", lines(tea, office), lines(dog, tea, office), lines(tea, office, dog), lines(dog, tea, office)},
		{"both change", lines(tea, office), lines(tea, officeB), lines(tea, officeC), lines(tea, officeB, officeC)},
		{"one changes", lines(tea, office), lines(tea, officeB), lines(tea, office, dog), lines(tea, officeB, dog)},
		{"delete against unchanged", lines(tea, office), lines(tea), lines(tea, office, dog), lines(tea, dog)},
		{"delete against edit", lines(tea, office, dog), lines(tea, dog), lines(tea, officeC, dog), lines(tea, officeC, dog)},
		{"no base", "", lines(tea, dog), lines(tea, cat), lines(tea, dog, cat)},
		{"line ends of ours", "a\r\n", "a\r\nb\r\n", "a\nc\n", "a\r\nb\r\nc\r\n"},
		{"open ends", "a", "a\nb", "a\nc", "a\nb\nc"},
		{"header lines of both", "---\naliases: [a]\n---\n", "---\naliases: [a, b]\n---\n", "---\naliases: [a, c]\n---\n", "---\naliases: [a, b]\naliases: [a, c]\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(Union([]byte(tt.base), []byte(tt.ours), []byte(tt.theirs)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnionLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, o, s := []byte(wild().Draw(t, "base")), []byte(wild().Draw(t, "ours")), []byte(wild().Draw(t, "theirs"))
		if got := Union(b, o, b); !bytes.Equal(got, o) {
			t.Fatalf("Union(b, o, b) = %q, want %q", got, o)
		}
		if got := Union(b, b, s); !bytes.Equal(got, s) {
			t.Fatalf("Union(b, b, t) = %q, want %q", got, s)
		}
		got := lineSet(Union(b, o, s))
		base, ours, theirs := lineSet(b), lineSet(o), lineSet(s)
		for line := range ours {
			if !got[line] && (theirs[line] || !base[line]) {
				t.Fatalf("our line %q is lost", line)
			}
		}
		for line := range theirs {
			if !got[line] && (ours[line] || !base[line]) {
				t.Fatalf("their line %q is lost", line)
			}
		}
	})
}

// lineSet returns the non-blank lines of a text.
func lineSet(text []byte) map[string]bool {
	set := map[string]bool{}
	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimLeft(strings.TrimRight(line, "\r"), byteOrderMark)
		if strings.TrimSpace(line) != "" {
			set[line] = true
		}
	}
	return set
}

func FuzzPatch(f *testing.F) {
	for i, seed := range fileSeeds {
		f.Add([]byte(seed), []byte(fileSeeds[(i+1)%len(fileSeeds)]), []byte(fileSeeds[(i+5)%len(fileSeeds)]))
	}
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		if got := Patch(a, b, a); !bytes.Equal(got.Text, b) {
			t.Fatalf("Patch(a, b, a) = %q", got.Text)
		}
		got := Patch(a, b, c)
		if !sort.SliceIsSorted(got.Conflicts, func(i, j int) bool { return got.Conflicts[i].Line < got.Conflicts[j].Line }) {
			t.Fatalf("conflicts out of order: %v", got.Conflicts)
		}
		if got := Union(a, b, a); !bytes.Equal(got, b) {
			t.Fatalf("Union(a, b, a) = %q", got)
		}
		Union(a, b, c)
		Diff("x", a, b)
		Pairs(a, b)
	})
}
