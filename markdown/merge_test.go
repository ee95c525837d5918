package markdown

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	memoryPath = "MEMORY.md"
	foodPath   = "memory/food.md"
)

// tree is the notes of one version, by path.
type tree map[string]string

func (t tree) files() map[string][]byte {
	files := map[string][]byte{}
	for path, text := range t {
		files[path] = []byte(text)
	}
	return files
}

func treeOf(files map[string][]byte) tree {
	t := tree{}
	for path, text := range files {
		t[path] = string(text)
	}
	return t
}

// mergeBoth merges two versions from both sides and wants the same bytes.
func mergeBoth(t interface{ Fatalf(string, ...any) }, base, a, b tree, atA, atB Date) Merged {
	got := Merge([]map[string][]byte{base.files()}, Side{a.files(), atA}, Side{b.files(), atB}, nil)
	back := Merge([]map[string][]byte{base.files()}, Side{b.files(), atB}, Side{a.files(), atA}, nil)
	if diff := cmp.Diff(treeOf(got.Files), treeOf(back.Files)); diff != "" {
		t.Fatalf("the sides make a difference (-a,b +b,a):\n%s", diff)
	}
	if diff := cmp.Diff(got.Conflicts, back.Conflicts, cmpopts.IgnoreUnexported(MergeConflict{})); diff != "" {
		t.Fatalf("the sides make a difference (-a,b +b,a):\n%s", diff)
	}
	return got
}

const (
	teaStruck    = "- 2026-09-01 · ~~Likes green tea~~ · superseded 2026-11-02"
	officeStruck = "- 2026-09-02 · ~~Office is in City A~~ · superseded 2026-11-02"
	archived     = " · moved 2026-11-03"
)

func TestMerge(t *testing.T) {
	tests := []struct {
		name             string
		base, a, b, want string
		conflicts        []MergeConflict
	}{
		{name: "both additions, in date order", base: lines(tea), a: lines(tea, trip), b: lines(tea, cat, dog), want: lines(tea, cat, dog, trip)},
		{name: "the same addition once", base: lines(tea), a: lines(tea, dog), b: lines(tea, dog, trip), want: lines(tea, dog, trip)},
		{name: "the same fact added in other words about it", base: lines(tea), a: lines(tea, "- 2026-10-02 · from chat \"B\" · Runs."), b: lines(tea, "- 2026-10-01 · from chat \"A\" · Runs. · until 2027-01-01"), want: lines(tea, "- 2026-10-01 · from chat \"A\" · Runs. · until 2027-01-01")},
		{name: "strike against no change", base: lines(tea, dog), a: lines(teaStruck, dog), b: lines(tea, dog, trip), want: lines(teaStruck, dog, trip)},
		{name: "until against no change", base: lines(tea, dog), a: lines(tea+" · until 2026-12-01", dog), b: lines(tea, dog, trip), want: lines(tea+" · until 2026-12-01", dog, trip)},
		{name: "edit against no change", base: lines(tea, office), a: lines(tea, officeB), b: lines(trip, tea, office), want: lines(trip, tea, officeB)},
		{name: "delete against no change", base: lines(tea, office), a: lines(tea), b: lines(tea, office, dog), want: lines(tea, dog)},
		{name: "the same edit once", base: lines(tea, office), a: lines(tea, officeB, dog), b: lines(tea, officeB), want: lines(tea, officeB, dog)},
		{name: "the same edit on two days", base: lines(office), a: lines(officeB + " · updated 2026-11-01"), b: lines(officeB + " · updated 2026-11-02"), want: lines(officeB + " · updated 2026-11-02")},
		{name: "the same strike on two days", base: lines(tea), a: lines("- 2026-09-01 · ~~Likes green tea~~ · superseded 2026-11-01"), b: lines(teaStruck), want: lines(teaStruck)},
		{
			name: "two edits", base: lines(tea, office, dog), a: lines(tea, officeB, dog), b: lines(tea, officeC, dog),
			want:      lines(tea, officeB, officeC+" · conflict 2026-11-30", dog),
			conflicts: []MergeConflict{{Path: memoryPath, Line: 3, Kept: officeB, Other: officeC, Base: office}},
		},
		{
			name: "two edits, the later one stands", base: lines(office), a: lines(officeB + " · updated 2026-11-01"), b: lines(officeC + " · updated 2026-11-02"),
			want:      lines(officeC+" · updated 2026-11-02", officeB+" · updated 2026-11-01 · conflict 2026-11-30"),
			conflicts: []MergeConflict{{Path: memoryPath, Line: 2, Kept: officeC + " · updated 2026-11-02", Other: officeB + " · updated 2026-11-01", Base: office}},
		},
		{name: "a conflict that the one side knows", base: lines(tea, office), a: lines(tea, officeB, officeC+" · conflict 2026-11-09"), b: lines(tea, officeC), want: lines(tea, officeB, officeC+" · conflict 2026-11-09")},
		{name: "a conflict that was settled", base: lines(officeB, officeC+" · conflict 2026-11-09"), a: lines(officeC), b: lines(officeB, officeC+" · conflict 2026-11-09", dog), want: lines(officeC, dog)},
		{name: "delete against edit", base: lines(tea, office, dog), a: lines(tea, dog), b: lines(tea, officeC, dog), want: lines(tea, officeC, dog)},
		{name: "strike and edit", base: lines(tea, office), a: lines(tea, officeStruck), b: lines(tea, officeB+" · updated 2026-11-01"), want: lines(tea, "- 2026-09-02 · ~~Office is in City B~~ · updated 2026-11-01 · superseded 2026-11-02")},
		{name: "until and edit", base: lines(office), a: lines(office + " · until 2026-12-01"), b: lines(officeB), want: lines(officeB + " · until 2026-12-01")},
		{name: "strike of a note with a last day, and another last day", base: lines(office + " · until 2026-12-01"), a: lines(officeStruck), b: lines(office + " · until 2026-12-24"), want: lines(officeStruck)},
		{name: "owned lines go along", base: lines(tea, cat), a: lines(tea, "- 2026-09-03 · ~~Has a cat called Mia~~ · superseded 2026-11-02\n  grey, four years old"), b: lines(tea, "- 2026-09-03 · Has a cat called Mia\n  grey, five years old"), want: lines(tea, "- 2026-09-03 · ~~Has a cat called Mia~~ · superseded 2026-11-02\n  grey, five years old")},
		{name: "order against an edit", base: lines(tea, office, dog), a: lines(dog, tea, office), b: lines(tea, officeB, dog), want: lines(dog, tea, officeB)},
		{name: "moved in the file and struck", base: lines("# A", tea, office, "# B", dog), a: lines("# A", office, "# B", dog, tea), b: lines("# A", teaStruck, office, "# B", dog), want: lines("# A", office, "# B", dog, teaStruck)},
		{name: "paragraphs", base: "One line\nand two.\n\n" + lines(tea), a: "One line\nand two.\n\nOurs.\n\n" + lines(tea), b: "One line\nand two!\n\nTheirs.\n\n" + lines(tea), want: "One line\nand two!\n\nOurs.\n\nTheirs.\n\n" + lines(tea)},
		{
			name: "a paragraph that both changed", base: "We meet on Monday\nin the hall.\n", a: "We meet on Tuesday\nin the hall.\n", b: "We meet on Friday\nin the hall.\n",
			want:      "We meet on Friday\nin the hall.\n\nWe meet on Tuesday\nin the hall. · conflict 2026-11-30\n",
			conflicts: []MergeConflict{{Path: memoryPath, Line: 4, Kept: "We meet on Friday\nin the hall.", Other: "We meet on Tuesday\nin the hall.", Base: "We meet on Monday\nin the hall."}},
		},
		{
			name: "a block that both changed", base: "```sh\nmake one\n```\n", a: "```sh\nmake one two\n```\n", b: "```sh\nmake one three\n```\n",
			want:      "```sh\nmake one three\n```\n\n```sh · conflict 2026-11-30\nmake one two\n```\n",
			conflicts: []MergeConflict{{Path: memoryPath, Line: 5, Kept: "```sh\nmake one three\n```", Other: "```sh\nmake one two\n```", Base: "```sh\nmake one\n```"}},
		},
		{name: "a bullet struck and changed", base: "- milk and eggs\n", a: "- ~~milk and eggs~~ · superseded 2026-11-02\n", b: "- milk and ten eggs\n", want: "- ~~milk and ten eggs~~ · superseded 2026-11-02\n"},
		{name: "rows of a table", base: "| a | b |\n|---|---|\n| 1 | 2 |\n", a: "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", b: "| a | b |\n|---|---|\n| 1 | 2 |\n| 5 | 6 |\n", want: "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n"},
		{name: "an addition stays under its heading", base: lines("# A", tea), a: lines("# A", tea, "", "# B", dog), b: lines("# A", tea, trip), want: lines("# A", tea, trip, "", "# B", dog)},
		{name: "first entries below a heading", base: "# A\n", a: "# A\n\n" + lines(dog), b: "# A\n\n" + lines(tea, trip), want: "# A\n\n" + lines(tea, dog, trip)},
		{name: "CRLF on one side", base: lines(tea, dog), a: strings.ReplaceAll(lines(tea, dog), "\n", "\r\n"), b: lines(tea, cat, dog), want: strings.ReplaceAll(lines(tea, cat, dog), "\n", "\r\n")},
		{name: "CRLF taken off on one side", base: strings.ReplaceAll(lines(tea, dog), "\n", "\r\n"), a: strings.ReplaceAll(lines(tea, dog, trip), "\n", "\r\n"), b: lines(tea, dog), want: lines(tea, dog, trip)},
		{name: "byte order mark", base: "\ufeff" + lines(tea), a: lines(tea), b: "\ufeff" + lines(tea, dog), want: lines(tea, dog)},
		{name: "open end", base: tea, a: tea + "\n" + dog, b: tea + "\n" + trip, want: tea + "\n" + dog + "\n" + trip},
		{name: "open end in CRLF", base: "x\r\n" + tea, a: "x\r\n" + tea + "\r\n" + dog, b: "x\r\n" + tea + "\r\n" + trip, want: "x\r\n" + tea + "\r\n" + dog + "\r\n" + trip},
		{name: "open end that one side closed", base: tea, a: tea + "\n", b: tea + "\n" + trip, want: lines(tea, trip)},
		{name: "blank lines", base: lines(tea, "", "", dog), a: lines(tea, "", dog), b: lines(tea, "", "", dog, trip), want: lines(tea, "", dog, trip)},
		{name: "lines of a day log by time", base: "- 09:00 · up\n", a: "- 09:00 · up\n- 14:03 · shipped\n", b: "- 09:00 · up\n- 11:00 · lunch\n- 15:00 · tea\n", want: "- 09:00 · up\n- 11:00 · lunch\n- 14:03 · shipped\n- 15:00 · tea\n"},
		{name: "header keys", base: "---\ntitle: A\naliases: [a]\n---\n\n" + lines(tea), a: "---\ntitle: B\naliases: [a, b]\n---\n\n" + lines(tea), b: "---\ntitle: A\ndescription: D\naliases: [a, c]\n---\n\n" + lines(tea, dog), want: "---\ntitle: B\ndescription: D\naliases: [a, b, c]\n---\n\n" + lines(tea, dog)},
		{name: "an alias out and one in", base: "---\naliases: [a, b]\n---\n", a: "---\naliases: [b]\n---\n", b: "---\naliases: [a, b, c]\n---\n", want: "---\naliases: [b, c]\n---\n"},
		{
			name: "two titles", base: "---\ntitle: A\n---\n" + lines(tea), a: "---\ntitle: B\n---\n" + lines(tea), b: "---\ntitle: C\n---\n" + lines(tea),
			want:      "---\ntitle: B\n# conflict 2026-11-30: title: C\n---\n" + lines(tea),
			conflicts: []MergeConflict{{Path: memoryPath, Line: 3, Kept: "title: B", Other: "title: C", Base: "title: A"}},
		},
		{name: "a fence that never closes", base: "```\n" + lines(tea), a: "```\n" + lines(tea, dog), b: "```\nx\n" + lines(tea), want: "```\nx\n" + lines(tea, dog)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			one := func(text string) tree { return tree{memoryPath: text} }
			got := mergeBoth(t, one(tt.base), one(tt.a), one(tt.b), day(t, "2026-11-30"), day(t, "2026-11-29"))
			if diff := cmp.Diff(tt.want, string(got.Files[memoryPath])); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.conflicts, got.Conflicts, cmpopts.IgnoreUnexported(MergeConflict{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
			for _, side := range []string{tt.a, tt.b} {
				for _, at := range []string{"2026-11-29", "2026-12-01"} {
					again := mergeBoth(t, one(tt.base), treeOf(got.Files), one(side), day(t, "2026-11-30"), day(t, at))
					if diff := cmp.Diff(tt.want, string(again.Files[memoryPath])); diff != "" {
						t.Errorf("merged with a side of %s once more (-want +got):\n%s", at, diff)
					}
				}
			}
		})
	}
}

func TestMergeAcrossFiles(t *testing.T) {
	head := "---\ntitle: Food\n---\n\n"
	tests := []struct {
		name             string
		base, a, b, want tree
	}{
		{
			name: "an edit follows a move to a topic",
			base: tree{memoryPath: lines(tea, office)}, a: tree{memoryPath: lines(tea), foodPath: head + lines(office)}, b: tree{memoryPath: lines(tea, officeB)},
			want: tree{memoryPath: lines(tea), foodPath: head + lines(officeB)},
		},
		{
			name: "an edit follows a move to the archive",
			base: tree{memoryPath: lines(tea, office), archivePath: lines(trip)}, a: tree{memoryPath: lines(tea), archivePath: lines(trip, office+archived)},
			b:    tree{memoryPath: lines(tea, officeB), archivePath: lines(trip)},
			want: tree{memoryPath: lines(tea), archivePath: lines(trip, officeB+archived)},
		},
		{
			name: "a strike follows a move", base: tree{memoryPath: lines(tea, office)}, a: tree{memoryPath: lines(tea), foodPath: lines(office)}, b: tree{memoryPath: lines(tea, officeStruck)},
			want: tree{memoryPath: lines(tea), foodPath: lines(officeStruck)},
		},
		{
			name: "a delete finds what was put away", base: tree{memoryPath: lines(tea, office)}, a: tree{memoryPath: lines(tea), archivePath: lines(office + archived)}, b: tree{memoryPath: lines(tea)},
			want: tree{memoryPath: lines(tea), archivePath: ""},
		},
		{
			name: "moved to two places, it stays in sight", base: tree{memoryPath: lines(tea, office)}, a: tree{memoryPath: lines(tea), archivePath: lines(dog, office+archived)}, b: tree{memoryPath: lines(tea), foodPath: lines(office)},
			want: tree{memoryPath: lines(tea), archivePath: lines(dog), foodPath: lines(office + archived)},
		},
		{
			name: "the same fact filed in two places", base: tree{memoryPath: lines(tea)}, a: tree{memoryPath: lines(tea, dog)}, b: tree{memoryPath: lines(tea), foodPath: lines(dog, trip)},
			want: tree{memoryPath: lines(tea, dog), foodPath: lines(trip)},
		},
		{
			name: "a renamed topic", base: tree{"memory/a.md": head + lines(tea, office)}, a: tree{"memory/b.md": head + lines(tea, office)}, b: tree{"memory/a.md": head + lines(tea, officeB, dog)},
			want: tree{"memory/a.md": head + lines(dog), "memory/b.md": head + lines(tea, officeB)},
		},
		{
			name: "a topic deleted and edited", base: tree{foodPath: head + lines(tea, office)}, a: tree{}, b: tree{foodPath: head + lines(tea, officeB)},
			want: tree{foodPath: head + lines(officeB)},
		},
		{
			name: "a topic deleted and left alone", base: tree{foodPath: head + lines(tea), memoryPath: lines(dog)}, a: tree{memoryPath: lines(dog)}, b: tree{foodPath: head + lines(tea), memoryPath: lines(dog, trip)},
			want: tree{memoryPath: lines(dog, trip)},
		},
		{
			name: "a topic made on both sides", base: tree{}, a: tree{foodPath: head + lines(tea)}, b: tree{foodPath: head + lines(dog)},
			want: tree{foodPath: head + lines(tea, dog)},
		},
		{
			name: "two files change on two sides", base: tree{memoryPath: "x\r\ny\n", foodPath: "p"}, a: tree{memoryPath: "x\r\ny\n\n\nz", foodPath: "p"}, b: tree{memoryPath: "x\r\ny\n", foodPath: "q\n\n"},
			want: tree{memoryPath: "x\r\ny\n\n\nz", foodPath: "q\n\n"},
		},
		{
			name: "an edit and what the other side put away", base: tree{"memory/work.md": lines(office, dog)}, a: tree{"memory/work.md": lines(officeB, dog)}, b: tree{"memory/work.md": lines(office, dog), archivePath: lines(trip, officeB)},
			want: tree{"memory/work.md": lines(officeB, dog), archivePath: lines(trip)},
		},
		{
			name: "a bullet moved and struck", base: tree{memoryPath: lines(tea, "- milk and ten eggs"), foodPath: lines("# Food")}, a: tree{memoryPath: lines(tea), foodPath: lines("# Food", "- milk and ten eggs")},
			b: tree{memoryPath: lines(tea, "- ~~milk and ten eggs~~ · superseded 2026-11-02"), foodPath: lines("# Food")}, want: tree{memoryPath: lines(tea), foodPath: lines("# Food", "- ~~milk and ten eggs~~ · superseded 2026-11-02")},
		},
		{
			name: "what was taken for another's rewording is put back", base: tree{memoryPath: lines("- 2026-10-01 · note zero", "- 2026-10-01 · note one")},
			a: tree{memoryPath: lines("- 2026-10-01 · note two", "- 2026-10-01 · note three")}, b: tree{memoryPath: lines("- 2026-10-01 · note three", "- 2026-10-01 · note eleven")},
			want: tree{memoryPath: lines("- 2026-10-01 · note two", "- 2026-10-01 · note three", "- 2026-10-01 · note eleven")},
		},
		{
			name: "both edit into one text", base: tree{memoryPath: lines(office, dog)}, a: tree{memoryPath: lines(officeB, dog)}, b: tree{memoryPath: lines(office, dog), foodPath: lines(officeB)},
			want: tree{memoryPath: lines(officeB, dog)},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mergeBoth(t, tt.base, tt.a, tt.b, day(t, "2026-11-30"), day(t, "2026-11-30"))
			want := maps.Clone(tt.want)
			maps.DeleteFunc(want, func(_, text string) bool { return text == "" })
			if diff := cmp.Diff(want, treeOf(got.Files)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if len(got.Conflicts) > 0 {
				t.Errorf("conflicts %v", got.Conflicts)
			}
		})
	}
}

// TestMergeEqualEntries takes one of two equal entries out on each side.
func TestMergeEqualEntries(t *testing.T) {
	got := mergeBoth(t, tree{memoryPath: lines(tea, dog, tea)}, tree{memoryPath: lines(dog, tea)}, tree{memoryPath: lines(tea, dog)}, day(t, "2026-11-30"), day(t, "2026-11-29"))
	if diff := cmp.Diff(tree{memoryPath: lines(tea, dog)}, treeOf(got.Files)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestMergeSeveralBases(t *testing.T) {
	bases := []map[string][]byte{
		{memoryPath: []byte(lines(tea, office))},
		{memoryPath: []byte(lines(tea, officeB, cat))},
	}
	a, b := []byte(lines(tea, officeB, cat, dog)), []byte(lines(tea, office, trip))
	for _, order := range [][]map[string][]byte{{bases[0], bases[1]}, {bases[1], bases[0]}} {
		got := Merge(order, Side{map[string][]byte{memoryPath: a}, day(t, "2026-11-30")}, Side{map[string][]byte{memoryPath: b}, day(t, "2026-11-29")}, nil)
		// The cat is in a base and one side took it out; both wordings of the office are old.
		if diff := cmp.Diff(lines(tea, officeB, dog, trip), string(got.Files[memoryPath])); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
	}
}

func TestConflicts(t *testing.T) {
	text := "---\ntitle: B\n# conflict 2026-11-30: title: C\n---\n" + lines(officeB, officeC+" · conflict 2026-11-29", office+" · conflict 2026-11-29", "", "Plain.", "", "Plain!", "also · conflict 2026-11-28", "", "```x · conflict 2026-11-27\ny\n```")
	want := []Open{
		{Line: 3, Other: "# conflict 2026-11-30: title: C", Kept: "title: B", Since: day(t, "2026-11-30")},
		{Line: 6, Other: officeC + " · conflict 2026-11-29", Kept: officeB, Since: day(t, "2026-11-29")},
		{Line: 7, Other: office + " · conflict 2026-11-29", Kept: officeB, Since: day(t, "2026-11-29")},
		{Line: 11, Other: "Plain!\nalso · conflict 2026-11-28", Kept: "Plain.", Since: day(t, "2026-11-28")},
		{Line: 14, Other: "```x · conflict 2026-11-27\ny\n```", Since: day(t, "2026-11-27")},
	}
	got := Conflicts([]byte(text))
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b Date) bool { return a == b })); diff != "" {
		t.Errorf("conflicts (-want +got):\n%s", diff)
	}
	for i, settled := range []string{got[0].Other, officeC, office, "Plain!\nalso", "```x\ny\n```"} {
		if diff := cmp.Diff(settled, Settled(got[i].Other)); diff != "" {
			t.Errorf("settled (-want +got):\n%s", diff)
		}
	}
}
