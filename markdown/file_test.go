package markdown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tiled puts the units of f together again.
func tiled(f *File) []byte {
	out := slices.Clone(f.text[:f.bom])
	for i, u := range f.Units() {
		out = append(out, u.Raw...)
		out = append(out, f.lineEnd(i)...)
	}
	return out
}

var fileSeeds = []string{
	"", "\n", "\r\n", "\ufeff", "\ufeff---\ntitle: A\n---\nbody\n", "- 2026-09-10 · a\r\n  b\n\r\n- x\r", "- ok\n- bad \xff\xc3\n- nul \x00 x\n",
	"---\ntitle: Foo: bar\n---\nbody 1\nbody 2", "---\n\nJust a rule\n\n---\nmore", "```\n- 2026-09-10 · a\n```\n~~~\nb", "- 2026-09-10 · a ```\nb\n```\nc\n",
	"# T\n\n---\naliases: [a, b]\n---\n\n- 2026-09-10 · from x (noticed) · ~~y~~ · superseded 2026-09-11\n- z [2026-09-10T10:00] · until 2026-09-12\n",
	"+++\ntitle = \"A\"\n+++\nb", "{\n\"title\": \"A\"\n}\n\nbody", "---\naliases: &a [*a, *a]\n---\n", "```\ncode\n- 2026-09-01 · a\n  ```\n  b\n  ```\n",
}

func FuzzParse(f *testing.F) {
	for _, seed := range fileSeeds {
		f.Add([]byte(seed), "- 2026-09-10 · new")
	}
	f.Fuzz(func(t *testing.T, text []byte, raw string) {
		given := slices.Clone(text)
		file := Parse("memory/x.md", text)
		if !bytes.Equal(file.Bytes(), given) || !bytes.Equal(tiled(file), given) {
			t.Fatalf("round trip: %q", given)
		}
		for i, u := range file.Units() {
			if (u.Kind == KindEntry) != (u.Entry != nil) {
				t.Fatalf("unit %d of kind %d: entry %v", i, u.Kind, u.Entry)
			}
			if got := file.ReplaceUnit(i, string(u.Raw)); !bytes.Equal(got, given) {
				t.Fatalf("unit %d replaced by itself: %q", i, got)
			}
		}
		appended := file.Append(raw)
		if !bytes.HasPrefix(appended, given) || !bytes.HasSuffix(appended, []byte("\n")) {
			t.Fatalf("Append(%q) = %q", raw, appended)
		}
		header := file.Header()
		for _, s := range append([]string{header.Title, header.Description}, header.Aliases...) {
			if s != clean(s, titleRunes) {
				t.Fatalf("header text %q is not clean", s)
			}
		}
		merged := MergeTopic(text, "t", []string{"food"}, []string{"- 2026-09-10 · new"})
		if !bytes.HasSuffix(merged, []byte("- 2026-09-10 · new"+file.EOL())) {
			t.Fatalf("MergeTopic = %q", merged)
		}
	})
}

func TestEveryFileComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(hostile().Draw(t, "text"))
		f := Parse("", text)
		if got := tiled(f); !bytes.Equal(got, text) {
			t.Fatalf("units tile to %q, want %q", got, text)
		}
	})
}

func TestUnits(t *testing.T) {
	text := "\ufeff---\r\ntitle: x\r\n---\r\n# Notes\r\n\r\n- 2026-09-10 · a\r\n  b\r\n- hand\r\n```\r\n- 2026-09-11 · c\r\n```\r\nend"
	type unit struct {
		Kind UnitKind
		Raw  string
		Line int
	}
	var got []unit
	f := Parse("", []byte(text))
	for _, u := range f.Units() {
		got = append(got, unit{u.Kind, string(u.Raw), u.Line})
	}
	want := []unit{
		{KindHeader, "---", 1},
		{KindHeader, "title: x", 2},
		{KindHeader, "---", 3},
		{KindLine, "# Notes", 4},
		{KindBlank, "", 5},
		{KindEntry, "- 2026-09-10 · a\r\n  b", 6},
		{KindLine, "- hand", 8},
		{KindFence, "```\r\n- 2026-09-11 · c\r\n```", 9},
		{KindLine, "end", 12},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
	if got, want := f.EOL(), "\r\n"; got != want {
		t.Errorf("line end = %q, want %q", got, want)
	}
	if got, want := f.Entries()[0].Text, "a\nb"; got != want {
		t.Errorf("text = %q, want %q", got, want)
	}
}

func TestEOL(t *testing.T) {
	for text, want := range map[string]string{"": "\n", "a": "\n", "a\r\n": "\r\n", "a\r\nb\n": "\n", "a\r\nb\r\nc\n": "\r\n", "a\rb": "\n"} {
		if got := Parse("", []byte(text)).EOL(); got != want {
			t.Errorf("line end of %q = %q, want %q", text, got, want)
		}
	}
}

func TestEditsLeaveTheRest(t *testing.T) {
	const crlfText = "\ufeffa\r\n- 2026-09-10 · b\r\n  c\r\nd"
	tests := []struct {
		name, text, want string
		edit             func(*File) []byte
	}{
		{"append to an open end", crlfText, crlfText + "\r\nx\r\n  y\r\n", func(f *File) []byte { return f.Append("x\n  y") }},
		{"append to nothing", "", "x\n", func(f *File) []byte { return f.Append("x") }},
		{"append behind a byte order mark", "\ufeff", "\ufeffx\n", func(f *File) []byte { return f.Append("x\n") }},
		{"replace", crlfText, "\ufeffa\r\nx\r\n  y\r\nd", func(f *File) []byte { return f.ReplaceUnit(1, "x\n  y") }},
		{"replace an open end", crlfText, "\ufeffa\r\n- 2026-09-10 · b\r\n  c\r\nx", func(f *File) []byte { return f.ReplaceUnit(2, "x\n") }},
		{"replace nothing", crlfText, crlfText, func(f *File) []byte { return f.ReplaceUnit(3, "x") }},
		{"remove", crlfText, "\ufeffa\r\nd", func(f *File) []byte { return f.RemoveUnit(1) }},
		{"remove the first", crlfText, "\ufeff- 2026-09-10 · b\r\n  c\r\nd", func(f *File) []byte { return f.RemoveUnit(0) }},
		{"remove the last", crlfText, "\ufeffa\r\n- 2026-09-10 · b\r\n  c\r\n", func(f *File) []byte { return f.RemoveUnit(2) }},
		{"remove nothing", crlfText, crlfText, func(f *File) []byte { return f.RemoveUnit(-1) }},
		{"insert first", crlfText, "\ufeffx\r\na\r\n- 2026-09-10 · b\r\n  c\r\nd", func(f *File) []byte { return f.InsertUnit(0, "x") }},
		{"insert at the end", crlfText, crlfText + "\r\nx\r\n", func(f *File) []byte { return f.InsertUnit(3, "x") }},
		{"mixed line ends stay", "a\r\nb\nc\n", "a\r\nx\nc\n", func(f *File) []byte { return f.ReplaceUnit(1, "x") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Parse("", []byte(tt.text))
			if diff := cmp.Diff(tt.want, string(tt.edit(f))); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if string(f.Bytes()) != tt.text {
				t.Errorf("the edit changed the file it was made from: %q", f.Bytes())
			}
		})
	}
}

// TestHostileFilesAreFast keeps one bad file from stalling a server. The limit
// is wide of what is measured (under 100 ms), for the sake of slow machines.
func TestHostileFilesAreFast(t *testing.T) {
	fenced := func(s string) string { return "```\n```\n" + s + "\n```\n- 2026-09-10 · a\n```\n" }
	tests := map[string]string{
		"emphasis":             strings.Repeat("*a_ ", 100_000),
		"one line":             strings.Repeat("x", 2<<20),
		"brackets":             strings.Repeat("[", 50_000),
		"quotes":               fenced(strings.Repeat(">", 20_000)),
		"spaced quotes":        fenced(strings.Repeat("> ", 20_000)),
		"emphasis with fence":  fenced(strings.Repeat("*a_ ", 60_000)),
		"brackets with fence":  fenced(strings.Repeat("[", 50_000)),
		"nested lists":         fenced(strings.Repeat("- ", 20_000)),
		"indented lists":       fenced(deepList(600)),
		"quoted lines":         fenced(strings.Repeat(strings.Repeat("> ", 40)+"x\n", 3000)),
		"fences":               strings.Repeat("```\n", 60_000),
		"unlike fences":        strings.Repeat("```\n- 2026-09-10 · a\n ```\n", 8_000),
		"inline fences":        strings.Repeat("- 2026-09-10 · a ```\nx\n```\n\n```\n- 2026-09-10 · b\n```\n", 4_000),
		"open fences":          strings.Repeat("- 2026-09-10 · a ```\nx\n", 20_000),
		"html":                 fenced(strings.Repeat("<!--\n", 40_000)),
		"setext":               fenced(strings.Repeat("a\n", 100_000) + "---"),
		"header of brackets":   "---\naliases: " + strings.Repeat("[", 20_000) + "\n---\nbody\n",
		"header of braces":     "---\ntitle: " + strings.Repeat("{a: ", 10_000) + "\n---\nbody\n",
		"header of anchors":    bomb(),
		"header of 500":        "---\naliases: [" + strings.Repeat("alias, ", 5000) + "x]\n---\n",
		"header that is long":  "---\ntitle: a\n" + strings.Repeat("k: v\n", 200_000) + "---\n",
		"headings and nothing": strings.Repeat("#\n", 200_000),
		"dots":                 "- 2026-09-10 · " + strings.Repeat(" · until 2026-09-10", 50_000),
		"inner untils":         "- 2026-09-10 · " + strings.Repeat(" · until 2026-09-1", 50_000),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := Parse("memory/x.md", []byte(text))
			took := time.Since(start)
			t.Logf("%d bytes, %d units: %v", len(text), len(f.Units()), took)
			if took > 2*time.Second {
				t.Errorf("took %v, want less than 2s", took)
			}
			if !bytes.Equal(tiled(f), []byte(text)) {
				t.Error("the text does not come back")
			}
		})
	}
}

func TestHostileChangesAreFast(t *testing.T) {
	words := func(n int, shape string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, shape, i)
		}
		return b.String()
	}
	tests := map[string][3]string{
		"all unlike":       {words(10_000, "a%d\n"), words(10_000, "b%d\n"), words(10_000, "c%d\n")},
		"all alike":        {words(10_000, "- w x%d\n"), words(10_000, "- w y%d\n"), words(10_000, "- w z%d\n")},
		"all equal":        {strings.Repeat("x\n", 40_000), "", "y\n" + strings.Repeat("x\nz\n", 20_000)},
		"all blank":        {strings.Repeat("\n", 60_000), "a\n", strings.Repeat("\nb\n", 30_000)},
		"turned round":     {words(10_000, "a%d\n"), reversed(words(10_000, "a%d\n")), words(10_000, "a%d\nb\n")},
		"one changed line": {strings.Repeat("x", 1<<20), strings.Repeat("y", 1<<20), strings.Repeat("x y ", 1<<18)},
	}
	for name, texts := range tests {
		t.Run(name, func(t *testing.T) {
			a, b, c := []byte(texts[0]), []byte(texts[1]), []byte(texts[2])
			for verb, run := range map[string]func(){
				"Patch": func() { Patch(a, b, c) },
				"back":  func() { Patch(b, a, c) },
				"Union": func() { Union(a, b, c) },
				"Diff":  func() { Diff("x", a, c) },
				"Pairs": func() { Pairs(a, c) },
			} {
				start := time.Now()
				run()
				took := time.Since(start)
				t.Logf("%s: %v", verb, took)
				if took > 4*time.Second {
					t.Errorf("%s took %v, want less than 4s", verb, took)
				}
			}
		})
	}
}

func reversed(text string) string {
	all := strings.SplitAfter(text, "\n")
	slices.Reverse(all)
	return strings.Join(all, "")
}

func deepList(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

func bomb() string {
	text := "---\na: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'j'; c++ {
		before := string(c - 1)
		text += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+before+",", 9), ",") + "]\n"
	}
	return text + "aliases: *j\n---\nbody\n"
}
