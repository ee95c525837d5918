package side

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edit is a commit whose subject is its name in the tables below.
func edit(name string, pathsAndTexts ...string) told {
	c := told{message: name, files: map[string]string{}}
	for i := 0; i+1 < len(pathsAndTexts); i += 2 {
		c.files[pathsAndTexts[i]] = pathsAndTexts[i+1]
	}
	return c
}

const (
	tea   = "- 2026-09-01 · from chat \"A\" · likes green tea\n"
	black = "- 2026-09-01 · from chat \"A\" · likes black tea · updated 2026-09-02\n"
	dog   = "- 2026-09-01 · has a dog named Rex\n"
)

func TestTaught(t *testing.T) {
	tests := []struct {
		name    string
		commits []told
		path    string
		text    string
		want    string // for each unit: last/first, and the first text where it differs
	}{
		{"added", []told{edit("a", "MEMORY.md", tea), edit("b", "MEMORY.md", tea+dog)}, "MEMORY.md", tea + dog, "a/a b/b"},
		{"edited", []told{edit("a", "MEMORY.md", tea), edit("b", "MEMORY.md", black)}, "MEMORY.md", black, "b/a:" + strings.TrimSpace(tea)},
		{
			"from MEMORY.md to a topic to the archive",
			[]told{
				edit("a", "MEMORY.md", tea+dog),
				edit("b", "MEMORY.md", black+dog),
				edit("c", "MEMORY.md", dog, "memory/food.md", "# Food\n\n"+black),
				edit("d", "memory/food.md", "# Food\n", "memory/archive.md", strings.TrimSuffix(black, "\n")+" · moved 2026-09-03\n"),
			},
			"memory/archive.md", strings.TrimSuffix(black, "\n") + " · moved 2026-09-03\n", "d/a:" + strings.TrimSpace(tea),
		},
		{
			"moved out beside a new one that shares words",
			[]told{edit("a", "MEMORY.md", dog+tea), edit("b", "MEMORY.md", dog+"- 2026-09-02 · likes green tea cups\n", "memory/food.md", tea)},
			"memory/food.md", tea, "b/a",
		},
		{"renamed by hand", []told{edit("a", "memory/x.md", tea+"a line\n"), edit("b", "memory/x.md", gone, "memory/y.md", tea+"a line\n")}, "memory/y.md", tea + "a line\n", "b/a b/a"},
		{"taken out and put back", []told{edit("a", "MEMORY.md", tea+dog), edit("b", "MEMORY.md", dog), edit("c", "MEMORY.md", tea+dog)}, "MEMORY.md", tea + dog, "c/a a/a"},
		{"edited back", []told{edit("a", "MEMORY.md", tea), edit("b", "MEMORY.md", black), edit("c", "MEMORY.md", tea)}, "MEMORY.md", tea, "c/a"},
		{"line ends", []told{edit("a", "MEMORY.md", tea+dog), edit("b", "MEMORY.md", strings.ReplaceAll(tea+dog, "\n", "\r\n"))}, "MEMORY.md", strings.ReplaceAll(tea+dog, "\n", "\r\n"), "a/a a/a"},
		{"an entry with what it owns", []told{edit("a", "MEMORY.md", "- 2026-09-01 · a list\n  one\n"), edit("b", "MEMORY.md", "- 2026-09-01 · a list\n  one\n  two\n")}, "MEMORY.md", "- 2026-09-01 · a list\n  one\n  two\n", "b/a:- 2026-09-01 · a list\n  one"},
		{"hand-written lines", []told{edit("a", "MEMORY.md", "# Notes\n\nhello\n"), edit("b", "MEMORY.md", "# Notes\n\nhello you\n")}, "MEMORY.md", "# Notes\n\nhello you\n", "a/a b/a:hello"},
		{"not committed yet", []told{edit("a", "MEMORY.md", tea)}, "MEMORY.md", tea + "new\n", "a/a ?"},
		{"this path before another", []told{edit("a", "MEMORY.md", "x\n"), edit("b", "memory/x.md", "x\n"), edit("c", "memory/y.md", "x\n")}, "memory/x.md", "x\n", "b/b"},
		{"another path", []told{edit("a", "MEMORY.md", tea)}, "memory/new.md", tea, "a/a"},
		{"same line in two files", []told{edit("a", "MEMORY.md", "# Notes\n"), edit("b", "memory/x.md", "# Notes\n")}, "memory/x.md", "# Notes\n", "b/b"},
		{"no text", []told{edit("a", "MEMORY.md", tea)}, "MEMORY.md", "\n\n", ""},
		{"after a huge version", []told{edit("a", "memory/x.md", tea), edit("b", "memory/x.md", strings.Repeat("x\n", maxPlain)), edit("c", "memory/x.md", tea)}, "memory/x.md", tea, "c/a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t)
			s.tell(t, tt.commits...)
			checkTaught(t, indexed(t, s), tt.path, tt.text, tt.want)
		})
	}
}

func checkTaught(t *testing.T, x *Index, path, text, want string) {
	t.Helper()
	origins, err := x.Taught(t.Context(), path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range origins {
		said := o.Last.Subject + "/" + o.First.Subject
		if !o.Known {
			said = "?"
		}
		if o.Known && o.FirstText != o.Raw && o.FirstText != strings.ReplaceAll(o.Raw, "\r", "") {
			said += ":" + o.FirstText
		}
		got = append(got, said)
	}
	if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
		t.Errorf("origins (-want +got):\n%s", d)
	}
}

func TestTaughtAcrossMerges(t *testing.T) {
	s := newStory(t)
	with := func(c told, parents ...int) told {
		c.parents = parents
		return c
	}
	s.tell(t,
		edit("base", "MEMORY.md", tea, "memory/a.md", "# A\n"),
		with(edit("side", "MEMORY.md", tea+dog, "memory/b.md", "only there\n"), 0),
		with(edit("main", "MEMORY.md", black, "memory/a.md", "# A\nline\n"), 0),
		with(edit("merge", "MEMORY.md", black+dog+"by the merge\n", "memory/b.md", "only there\n"), 2, 1),
	)
	x := indexed(t, s)
	checkTaught(t, x, "MEMORY.md", black+dog+"by the merge\n", "main/base:"+strings.TrimSpace(tea)+" side/side merge/merge")
	checkTaught(t, x, "memory/b.md", "only there\n", "side/side")
	checkTaught(t, x, "memory/a.md", "# A\nline\n", "base/base main/main")
}

func TestTaughtLines(t *testing.T) {
	s := newStory(t)
	text := "---\ntitle: Food\n---\n\n" + tea + "\n```\n- 2026-09-01 · no entry\n```\n"
	s.tell(t, edit("a", "memory/food.md", text))
	origins, err := indexed(t, s).Taught(t.Context(), "memory/food.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, o := range origins {
		if !o.Known || o.Last.Subject != "a" || o.Last.Files != nil {
			t.Errorf("%q: known=%t by %q", o.Raw, o.Known, o.Last.Subject)
		}
		got = append(got, o.Line)
	}
	if d := cmp.Diff([]int{1, 2, 3, 5, 7}, got); d != "" {
		t.Errorf("lines (-want +got):\n%s", d)
	}
}

// Long first texts are kept in part, cut between two characters.
func TestFirstWordsAreBounded(t *testing.T) {
	long := strings.Repeat("é", maxWords)
	s := newStory(t)
	s.tell(t, edit("a", "MEMORY.md", long+"\n"))
	got, err := indexed(t, s).Taught(t.Context(), "MEMORY.md", []byte(long))
	if err != nil || len(got) != 1 {
		t.Fatal(len(got), err)
	}
	if want := strings.Repeat("é", maxWords/2) + "…"; got[0].FirstText != want {
		t.Errorf("first text has %d bytes, want %d", len(got[0].FirstText), len(want))
	}
}

func TestFollowed(t *testing.T) {
	tests := []struct {
		name    string
		commits []told
		path    string
		unit    string
		want    string // of each passage: what it did, by which change
	}{
		{"added", []told{edit("a", "MEMORY.md", tea), edit("b", "MEMORY.md", tea+dog)}, "MEMORY.md", dog, "added/b"},
		{"edited back", []told{edit("a", "MEMORY.md", tea), edit("b", "MEMORY.md", black), edit("c", "MEMORY.md", tea)}, "MEMORY.md", tea, "added/a changed/b changed/c"},
		{
			"from file to file",
			[]told{edit("a", "MEMORY.md", tea+dog), edit("b", "MEMORY.md", black+dog), edit("c", "MEMORY.md", dog, "memory/food.md", "# Food\n\n"+black)},
			"memory/food.md", black, "added/a changed/b moved/c",
		},
		{"taken out and put back", []told{edit("a", "MEMORY.md", tea+dog), edit("b", "MEMORY.md", dog), edit("c", "MEMORY.md", tea+dog)}, "MEMORY.md", tea, "added/a removed/b returned/c"},
		{"in no change", []told{edit("a", "MEMORY.md", tea)}, "MEMORY.md", dog, ""},
		{"a file by hand", []told{edit("a", "MEMORY.md", "hello\n"), edit("b", "MEMORY.md", "hello you\n")}, "MEMORY.md", "hello you\n", "added/a changed/b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStory(t)
			s.tell(t, tt.commits...)
			list, err := indexed(t, s).Followed(t.Context(), tt.path, []byte(strings.TrimSpace(tt.unit)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range list {
				got = append(got, p.Did+"/"+p.Change.Subject)
				if len(p.Change.Files) != 1 || p.Blob().IsZero() {
					t.Errorf("%s has the files %+v", p.Did, p.Change.Files)
				}
			}
			if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Errorf("passages (-want +got):\n%s", d)
			}
		})
	}
}
