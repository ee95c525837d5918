package policy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"quipu/markdown"
)

type texts map[string]string

func (t texts) files() map[string][]byte {
	files := map[string][]byte{}
	for path, text := range t {
		files[path] = []byte(text)
	}
	return files
}

func treeTexts(files map[string][]byte) texts {
	t := texts{}
	for path, text := range files {
		t[path] = string(text)
	}
	return t
}

// mergeTrees merges from both sides and wants the same bytes.
func mergeTrees(t interface{ Fatalf(string, ...any) }, m TreeMerge) TreeMerged {
	got := m.Merge()
	m.A, m.B = m.B, m.A
	back := m.Merge()
	if diff := cmp.Diff(treeTexts(got.Files), treeTexts(back.Files)); diff != "" {
		t.Fatalf("the sides make a difference (-a,b +b,a):\n%s", diff)
	}
	if diff := cmp.Diff(got.Seconds, back.Seconds); diff != "" {
		t.Fatalf("the sides make a difference (-a,b +b,a):\n%s", diff)
	}
	return got
}

func TestMergeTree(t *testing.T) {
	const (
		tea   = "- 2026-09-01 · Likes green tea\n"
		dog   = "- 2026-09-04 · Walks Bello every morning\n"
		trip  = "- 2026-09-05 · Flies to Lisbon in May\n"
		salt  = `{"t":"salt","salt":"00"}` + "\n"
		one   = `{"t":"never","id":"1","at":"2026-11-01T10:00:00Z"}` + "\n"
		two   = `{"t":"never","id":"2","at":"2026-11-02T10:00:00Z"}` + "\n"
		three = `{"t":"lift","id":"1","at":"2026-11-03T10:00:00Z"}` + "\n"
		image = "memory/images/cat.png"
	)
	tests := []struct {
		name             string
		base, a, b, want texts
		seconds          map[string]string
		gone             string
	}{
		{name: "ledger by union in the order of time", base: texts{LedgerFile: salt}, a: texts{LedgerFile: salt + one + three}, b: texts{LedgerFile: salt + two}, want: texts{LedgerFile: salt + one + two + three}},
		{name: "ledger lines once, open end", base: texts{LedgerFile: salt}, a: texts{LedgerFile: salt + one + two}, b: texts{LedgerFile: salt + two + strings.TrimSpace(three)}, want: texts{LedgerFile: salt + one + two + three}},
		{name: "ledger of one side", base: texts{}, a: texts{LedgerFile: salt + "no JSON"}, b: texts{}, want: texts{LedgerFile: salt + "no JSON"}},
		{name: "a ledger is not deleted", base: texts{LedgerFile: salt}, a: texts{}, b: texts{LedgerFile: salt + one}, want: texts{LedgerFile: salt + one}},
		{name: "the greater epoch", base: texts{EpochFile: "1\n"}, a: texts{EpochFile: "10\n"}, b: texts{EpochFile: "9\n"}, want: texts{EpochFile: "10\n"}},
		{name: "an epoch that is no number", base: texts{EpochFile: "1\n"}, a: texts{EpochFile: "x\n"}, b: texts{EpochFile: "2\n"}, want: texts{EpochFile: "2\n"}},
		{name: "day logs by time, line by line", base: texts{"memory/log/2026-11-30.md": "- 09:00 · up\n"}, a: texts{"memory/log/2026-11-30.md": "- 09:00 · up\n- 14:00 · shipped\n"}, b: texts{"memory/log/2026-11-30.md": "- 09:00 · up\n- 10:00 · call\n- 14:00 · shipped\n"}, want: texts{"memory/log/2026-11-30.md": "- 09:00 · up\n- 10:00 · call\n- 14:00 · shipped\n"}},
		{name: "equal lines in two day logs", base: texts{}, a: texts{"memory/log/2026-11-29.md": "- 09:00 · up\n"}, b: texts{"memory/log/2026-11-30.md": "- 09:00 · up\n"}, want: texts{"memory/log/2026-11-29.md": "- 09:00 · up\n", "memory/log/2026-11-30.md": "- 09:00 · up\n"}},
		{name: "an image that one side changed", base: texts{image: "a\x00"}, a: texts{image: "a\x00"}, b: texts{image: "b\x00"}, want: texts{image: "b\x00"}},
		{name: "an image that one side deleted", base: texts{image: "a\x00"}, a: texts{image: "a\x00"}, b: texts{}, want: texts{}},
		{name: "an image deleted and changed", base: texts{image: "a\x00"}, a: texts{}, b: texts{image: "b\x00"}, want: texts{image: "b\x00"}},
		{name: "an image changed alike", base: texts{image: "a\x00"}, a: texts{image: "b\x00"}, b: texts{image: "b\x00"}, want: texts{image: "b\x00"}},
		{
			name: "an image that both changed", base: texts{image: "a\x00"}, a: texts{image: "b\x00"}, b: texts{image: "c\x00"},
			want:    texts{image: "b\x00", "memory/images/cat-ec49f17f2c20.png": "c\x00"},
			seconds: map[string]string{image: "memory/images/cat-ec49f17f2c20.png"},
		},
		{
			name: "notes that are no text are kept whole both ways", base: texts{MemoryFile: tea}, a: texts{MemoryFile: tea + "\xff\x00"}, b: texts{MemoryFile: tea + dog},
			want:    texts{MemoryFile: tea + dog, "memory/MEMORY-b53ce8b72cd2.md": tea + "\xff\x00"},
			seconds: map[string]string{MemoryFile: "memory/MEMORY-b53ce8b72cd2.md"},
		},
		{name: "a topic deleted and edited", base: texts{"memory/a.md": tea, MemoryFile: dog}, a: texts{MemoryFile: dog}, b: texts{"memory/a.md": tea + trip, MemoryFile: dog}, want: texts{"memory/a.md": trip, MemoryFile: dog}},
		{name: "a topic made on both sides", base: texts{}, a: texts{"memory/a.md": "---\ntitle: A\n---\n\n" + tea}, b: texts{"memory/a.md": "---\ntitle: A\n---\n\n" + dog}, want: texts{"memory/a.md": "---\ntitle: A\n---\n\n" + tea + dog}},
		{name: "a topic made in two spellings", base: texts{}, a: texts{"memory/Food.md": tea}, b: texts{"memory/food.md": dog}, want: texts{"memory/Food.md": tea + dog}},
		{name: "a topic renamed in capitals and edited", base: texts{"memory/food.md": tea}, a: texts{"memory/Food.md": tea}, b: texts{"memory/food.md": tea + dog}, want: texts{"memory/Food.md": tea + dog}},
		{name: "an edit follows a move out of a deleted topic", base: texts{"memory/a.md": tea, MemoryFile: dog}, a: texts{MemoryFile: dog + tea}, b: texts{"memory/a.md": "- 2026-09-01 · Likes black tea\n", MemoryFile: dog}, want: texts{MemoryFile: dog + "- 2026-09-01 · Likes black tea\n"}},
		{name: "both moved out of a deleted topic", base: texts{"memory/a.md": tea, MemoryFile: dog}, a: texts{MemoryFile: dog + tea}, b: texts{MemoryFile: dog, "memory/b.md": tea}, want: texts{MemoryFile: dog + tea}},
		{
			name: "forget beats edit", base: texts{MemoryFile: dog + tea, "memory/a.md": "Bello is brown.\n"}, a: texts{MemoryFile: tea, "memory/a.md": ""},
			b:    texts{MemoryFile: "- 2026-09-04 · Walks the dog every morning\n" + tea + "- 2026-11-01 · Bello barks\n" + trip, "memory/a.md": "---\naliases: [Bello, dogs]\n---\nBello is black.\n"},
			want: texts{MemoryFile: tea + trip, "memory/a.md": "---\naliases: [dogs]\n---\n"}, gone: "Bello",
		},
		{
			name: "a note that is like a forgotten one stays", base: texts{MemoryFile: "- 2026-09-01 · Fact 2x was noticed\n" + tea}, a: texts{MemoryFile: tea + "- 2026-09-01 · Fact 17x was noticed\n"},
			b:    texts{MemoryFile: "- 2026-09-01 · Fact 2x was noticed\n" + tea + "- 2026-09-05 · Flies to Lisbon in May\n"},
			want: texts{MemoryFile: tea + "- 2026-09-05 · Flies to Lisbon in May\n- 2026-09-01 · Fact 17x was noticed\n"}, gone: "2x",
		},
		{
			name: "a note that is like one that both took out stays", base: texts{MemoryFile: "- 2026-09-01 · Fact 2x was noticed\n" + tea}, a: texts{MemoryFile: tea},
			b:    texts{MemoryFile: tea + "- 2026-09-01 · Fact 17x was noticed\n"},
			want: texts{MemoryFile: tea + "- 2026-09-01 · Fact 17x was noticed\n"}, gone: "2x",
		},
		{
			name: "a note in the place of the last one, which both took out, stays", base: texts{MemoryFile: tea + "- 2026-09-01 · Fact 2x was noticed\n"}, a: texts{MemoryFile: tea},
			b:    texts{MemoryFile: tea + "- 2026-09-01 · Fact 17x was noticed\n"},
			want: texts{MemoryFile: tea + "- 2026-09-01 · Fact 17x was noticed\n"}, gone: "2x",
		},
		{name: "other paths", base: texts{"memory/.quipu.json": "{}", "x/y": "1"}, a: texts{"memory/.quipu.json": "{}", "x/y": "2"}, b: texts{"memory/.quipu.json": "{\"a\":1}", "x/y": "1"}, want: texts{"memory/.quipu.json": "{\"a\":1}", "x/y": "2"}},
		{name: "an empty file", base: texts{"memory/a.md": ""}, a: texts{"memory/a.md": ""}, b: texts{"memory/a.md": "", "memory/b.md": ""}, want: texts{"memory/a.md": "", "memory/b.md": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := TreeMerge{Bases: []map[string][]byte{tt.base.files()}, A: markdown.Side{Files: tt.a.files(), At: today(t)}, B: markdown.Side{Files: tt.b.files(), At: today(t)}}
			if tt.gone != "" {
				m.Gone = func(text string) bool { return strings.Contains(text, tt.gone) }
			}
			got := mergeTrees(t, m)
			if diff := cmp.Diff(tt.want, treeTexts(got.Files)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.seconds, got.Seconds, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("seconds (-want +got):\n%s", diff)
			}
		})
	}
}

// fullMemory returns a MEMORY.md that has no room for a line more.
func fullMemory() string {
	var b strings.Builder
	for i := range MaxLines {
		fmt.Fprintf(&b, "- 2026-%02d-%02d · from chat \"Plans\" · fact number %d about thing%d\n", i/28+1, i%28+1, i, i)
	}
	return b.String()
}

func TestMergeTreeBudget(t *testing.T) {
	base := fullMemory()
	first, rest, _ := strings.Cut(base, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	m := TreeMerge{
		Bases: []map[string][]byte{texts{MemoryFile: base}.files()},
		A:     markdown.Side{Files: texts{MemoryFile: rest + "- 2026-11-01 · ours\n", ArchiveFile: first + " · moved 2026-11-01\n"}.files(), At: today(t)},
		B:     markdown.Side{Files: texts{MemoryFile: rest + "- 2026-11-02 · theirs\n", ArchiveFile: first + " · moved 2026-11-02\n"}.files(), At: today(t)},
	}
	got := mergeTrees(t, m)
	if diff := cmp.Diff([]string{second}, got.Moved); diff != "" || got.Truncated {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
	want := first + " · moved 2026-11-02\n" + second + " · moved " + today(t).String() + "\n"
	if diff := cmp.Diff(want, string(got.Files[ArchiveFile])); diff != "" {
		t.Errorf("archive (-want +got):\n%s", diff)
	}
	if lines := bytes.Count(got.Files[MemoryFile], []byte("\n")); lines != MaxLines {
		t.Errorf("MEMORY.md has %d lines", lines)
	}
}

// TestMergeTreeLines puts the line of a conflict where the budget leaves it.
func TestMergeTreeLines(t *testing.T) {
	base := fullMemory()
	last := strings.LastIndex(strings.TrimSuffix(base, "\n"), "\n") + 1
	edit := func(word string) map[string][]byte {
		return texts{MemoryFile: base[:last] + strings.Replace(base[last:], "thing199", word, 1)}.files()
	}
	got := mergeTrees(t, TreeMerge{Bases: []map[string][]byte{texts{MemoryFile: base}.files()}, A: markdown.Side{Files: edit("north"), At: today(t)}, B: markdown.Side{Files: edit("south"), At: today(t)}})
	open := markdown.Conflicts(got.Files[MemoryFile])
	if len(open) != 1 || len(got.Conflicts) != 1 || got.Conflicts[0].Line != open[0].Line || open[0].Line != MaxLines || len(got.Moved) != 1 {
		t.Errorf("conflicts %+v, open %+v, moved %q", got.Conflicts, open, got.Moved)
	}
}

// TestMergeTreeLaws holds for any bytes under any path.
func TestMergeTreeLaws(t *testing.T) {
	paths := []string{MemoryFile, ArchiveFile, AboutFile, "memory/a.md", "memory/A.md", "memory/log/2026-11-30.md", LedgerFile, EpochFile, "memory/images/a.png"}
	pieces := []string{
		"- 2026-09-01 · Likes tea\n", "- 2026-09-01 · ~~Likes tea~~ · superseded 2026-11-01\n", "- 2026-09-01 · Likes black tea\n", "- 2026-10-01 · Runs\n", "- 10:00 · call\n",
		"- 12:00 · lunch\n", "# Head\n", "Prose\n", "\n", "1\n", "2\n", "\x00", "\xff", "```\n", `{"t":"x","at":"2026-11-01T10:00:00Z"}` + "\n", "---\ntitle: A\n---\n", "open",
	}
	tree := rapid.Custom(func(t *rapid.T) texts {
		out := texts{}
		for _, path := range rapid.SliceOfNDistinct(rapid.SampledFrom(paths), 0, len(paths), rapid.ID).Draw(t, "paths") {
			out[path] = strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, path), "")
		}
		return out
	})
	rapid.Check(t, func(rt *rapid.T) {
		base, a, b := tree.Draw(rt, "base"), tree.Draw(rt, "a"), tree.Draw(rt, "b")
		at := today(t)
		side := func(files texts) markdown.Side { return markdown.Side{Files: files.files(), At: at} }
		m := TreeMerge{Bases: []map[string][]byte{base.files()}, A: side(a), B: side(b)}
		got := mergeTrees(rt, m)
		m.A, m.B = side(base), side(b)
		if one := mergeTrees(rt, m); textsDiffer(one, b) && !keepsRecord(base, b) {
			rt.Fatalf("with no change on the other side (-want +got):\n%s", cmp.Diff(b, treeTexts(one.Files)))
		}
		m.A, m.B = side(a), side(a)
		if same := mergeTrees(rt, m); textsDiffer(same, a) {
			rt.Fatalf("with itself (-want +got):\n%s", cmp.Diff(a, treeTexts(same.Files)))
		}
		for path, text := range a {
			if _, both := b[path]; both && !has(got.Files, path) && !SameName(path, "memory/a.md") {
				rt.Fatalf("%s is lost", path)
			}
			if _, err := CheckPath(path); err == nil && !utf8.ValidString(text) && text != base[path] && !holds(got.Files, text) {
				rt.Fatalf("%s is no text and not kept: %q", path, text)
			}
		}
	})
}

func textsDiffer(got TreeMerged, want texts) bool { return cmp.Diff(want, treeTexts(got.Files)) != "" }

// keepsRecord reports that a side lacks a file that no merge deletes.
func keepsRecord(base, side texts) bool {
	for _, path := range []string{LedgerFile, EpochFile} {
		_, was := base[path]
		if _, is := side[path]; was && !is {
			return true
		}
	}
	return false
}

func holds(files map[string][]byte, text string) bool {
	return slices.ContainsFunc(sortedKeys(files), func(path string) bool { return string(files[path]) == text })
}

func BenchmarkMergeTree(b *testing.B) {
	base := texts{MemoryFile: fullMemory()}
	for i := range 40 {
		var topic strings.Builder
		fmt.Fprintf(&topic, "---\ntitle: Topic %d\naliases: [a%d, b]\n---\n\n", i, i)
		for j := range 60 {
			fmt.Fprintf(&topic, "- 2026-09-%02d · from chat \"Plans\" · fact number %d of topic %d\n", j%30+1, j, i)
		}
		base[fmt.Sprintf("memory/topic%d.md", i)] = topic.String()
	}
	change := func(name string) texts {
		out := texts{}
		for path, text := range base {
			text = strings.Replace(text, "fact number 7 ", "fact number 7 "+name+" ", 1)
			out[path] = text + "- 2026-11-30 · added by " + name + " to " + path + "\n"
		}
		return out
	}
	at, _ := markdown.ParseDate("2026-11-30")
	m := TreeMerge{Bases: []map[string][]byte{base.files()}, A: markdown.Side{Files: change("north").files(), At: at}, B: markdown.Side{Files: change("south").files(), At: at}}
	b.Run("all files changed on both sides", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Merge()
		}
	})
	m.Gone = func(string) bool { return false }
	b.Run("with a list of what is forgotten", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Merge()
		}
	})
	m.Gone, m.B.Files = nil, base.files()
	m.B.Files[MemoryFile] = change("south").files()[MemoryFile]
	b.Run("one side changed one file", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Merge()
		}
	})
}

// A picture stays while a merged note links it, and goes with the entry that is forgotten.
func TestMergePictures(t *testing.T) {
	const image = "memory/images/ana-1a2b3c4d5e6f.png"
	entry := "- 2026-09-10 · Ana (person) ![Ana](" + image + ")\n"
	again := "- 2026-09-11 · The harbour ![Ana](" + image + ")\n"
	day, _ := markdown.ParseDate("2026-09-12")
	side := func(files texts) markdown.Side {
		s := markdown.Side{Files: map[string][]byte{}, At: day}
		for p, text := range files {
			s.Files[p] = []byte(text)
		}
		return s
	}
	base := side(texts{MemoryFile: entry, image: "a\x00"}).Files
	forgotten := func(text string) bool { return strings.Contains(text, "harbour") }
	for name, c := range map[string]struct {
		bases []map[string][]byte
		a, b  texts
		gone  func(string) bool
		stays bool
	}{
		"taken out on one side":               {[]map[string][]byte{base}, texts{MemoryFile: ""}, texts{MemoryFile: entry, image: "a\x00"}, nil, false},
		"linked again on the other":           {[]map[string][]byte{base}, texts{MemoryFile: ""}, texts{MemoryFile: entry + again, image: "a\x00"}, nil, true},
		"of an entry that was forgotten":      {[]map[string][]byte{{MemoryFile: nil}}, texts{MemoryFile: "- x\n"}, texts{MemoryFile: again, image: "a\x00"}, forgotten, false},
		"of one that was not, beside another": {[]map[string][]byte{{MemoryFile: nil}}, texts{MemoryFile: "- x\n"}, texts{MemoryFile: again + entry, image: "a\x00"}, forgotten, true},
		"that nobody links":                   {[]map[string][]byte{{MemoryFile: nil}}, texts{MemoryFile: "- x\n"}, texts{image: "a\x00"}, forgotten, true},
	} {
		for _, turned := range []bool{false, true} {
			a, b := side(c.a), side(c.b)
			if turned {
				a, b = b, a
			}
			out := TreeMerge{Bases: c.bases, A: a, B: b, Gone: c.gone}.Merge()
			if _, stays := out.Files[image]; stays != c.stays {
				t.Errorf("%s: it stays: %v", name, stays)
			}
		}
	}
}
