package policy

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCheckPath(t *testing.T) {
	const bad = PathKind(99)
	tests := []struct {
		path string
		want PathKind
	}{
		{"MEMORY.md", Memory},
		{"ABOUT.md", About},
		{"memory/archive.md", Archive},
		{"memory/a.md", Topic},
		{"memory/my notes.md", Topic},
		{"memory/v1.2-rc.md", Topic},
		{"memory/under_score.md", Topic},
		{"memory/café.md", Topic},
		{"memory/cafe\u0301.md", Topic},
		{"memory/旅行.md", Topic},
		{"memory/हिन्दी.md", Topic},
		{"memory/🎉.md", Topic},
		{"memory/_x.md", Topic},
		{"memory/-rf.md", Topic},
		{"memory/log.md", Topic},
		{"memory/2025-06-27.md", Topic},
		{"memory/" + strings.Repeat("a", 200) + ".md", Topic},
		{"memory/console.md", Topic},
		{"memory/com10.md", Topic},
		{"memory/log/2026-11-30.md", Log},
		{"", bad},
		{"memory.md", bad},
		{"Memory.md", bad},
		{"about.md", bad},
		{"notes.txt", bad},
		{"memory", bad},
		{"memory/", bad},
		{"../../etc/passwd", bad},
		{"../x.md", bad},
		{"/etc/passwd", bad},
		{"/MEMORY.md", bad},
		{"./MEMORY.md", bad},
		{"memory/../MEMORY.md", bad},
		{"memory/../.git/config", bad},
		{"memory//a.md", bad},
		{"memory/nested/x.md", bad},
		{`memory\x.md`, bad},
		{`memory\\..\\x.md`, bad},
		{`memory/a\b.md`, bad},
		{"memory/%2e%2e/x.md", bad},
		{"memory/%2e%2e%2fx.md", bad},
		{"memory/..%2F..%2Fsecret.md", bad},
		{"memory/x.md%00.txt", bad},
		{"memory/x\x00.md", bad},
		{"memory/.hidden.md", bad},
		{"memory/..md", bad},
		{"memory/.md", bad},
		{"memory/...md", bad},
		{"memory/a..md", bad},
		{"memory/a .md", bad},
		{"memory/ a.md", bad},
		{"memory/a.md ", bad},
		{"memory/a.md/", bad},
		{"memory/a.MD", bad},
		{"memory/a.Md", bad},
		{"memory/a.md.md", bad},
		{"memory/a.MD.md", bad},
		{"memory/no-extension", bad},
		{"memory/Archive.md", bad},
		{"memory/CON.md", bad},
		{"memory/nul.md", bad},
		{"memory/nul.txt.md", bad},
		{"memory/con .md", bad},
		{"memory/COM1.md", bad},
		{"memory/lpt¹.md", bad},
		{"memory/a\u202e.md", bad},
		{"memory/a\u2028.md", bad},
		{"memory/a\u200b.md", bad},
		{"memory/a\u3164.md", bad},
		{"memory/a\n.md", bad},
		{"memory/a\u0085.md", bad},
		{"memory/a\xff.md", bad},
		{"memory/a:b.md", bad},
		{"memory/a*.md", bad},
		{"memory/a?.md", bad},
		{"memory/a|b.md", bad},
		{"memory/\u0301a.md", bad},
		{"memory/" + strings.Repeat("a", 201) + ".md", bad},
		{"memory/" + strings.Repeat("旅", 85) + ".md", bad},
		{"memory/log/2026-02-30.md", bad},
		{"memory/log/2026-11-30.MD", bad},
		{"memory/log/x.md", bad},
		{"memory/log/2026-11-30.md.md", bad},
		{".git/config", bad},
		{".GIT/config", bad},
		{"MEMORY.md/", bad},
		{"MEMORY.md\n", bad},
	}
	for _, tc := range tests {
		got, err := CheckPath(tc.path)
		var refused *PathError
		switch {
		case tc.want == bad && !errors.As(err, &refused):
			t.Errorf("CheckPath(%q) = %v, %v, want a refusal", tc.path, got, err)
		case tc.want == bad && (refused.Path != tc.path || refused.Rule == ""):
			t.Errorf("CheckPath(%q) refused with %+v", tc.path, refused)
		case tc.want != bad && (err != nil || got != tc.want):
			t.Errorf("CheckPath(%q) = %v, %v, want %v", tc.path, got, err, tc.want)
		}
	}
}

func TestPathErrorKeepsThePathToItself(t *testing.T) {
	_, err := CheckPath("/home/anna/secret")
	if err == nil || strings.Contains(err.Error(), "anna") {
		t.Errorf("got %v, want a rule and no path", err)
	}
}

func TestTopicFile(t *testing.T) {
	tests := []struct{ name, want string }{
		{"Food & Drink", "memory/food-drink.md"},
		{"../etc", "memory/etc.md"},
		{"memory/food.md", "memory/food.md"},
		{"My Notes.md", "memory/My Notes.md"},
		{"a/b.md", "memory/a-b.md"},
		{"Café 🎉", "memory/café.md"},
		{"cafe\u0301", "memory/café.md"},
		{"C++", "memory/c.md"},
		{"旅行", "memory/旅行.md"},
		{"Notes.MD", "memory/notes.md"},
		{strings.Repeat("word ", 20), "memory/" + strings.TrimSuffix(strings.Repeat("word-", 8), "-") + ".md"},
		{"", ""},
		{" -/- ", ""},
		{".md", ""},
		{"archive", ""},
		{"Archive", ""},
		{"memory/archive.md", ""},
		{"memory", ""},
		{"log", ""},
		{"LOG.md", ""},
		{"CON", ""},
		{"nul.md", ""},
		{"\xff\x00", ""},
	}
	for _, tc := range tests {
		got, err := TopicFile(tc.name)
		if got != tc.want || (err != nil) != (tc.want == "") {
			t.Errorf("TopicFile(%q) = %q, %v, want %q", tc.name, got, err, tc.want)
		}
	}
}

func TestCheckID(t *testing.T) {
	for _, id := range []string{"scout", "S", "_x", "7", "a-b_c", strings.Repeat("a", 64)} {
		if err := CheckID(id); err != nil {
			t.Errorf("CheckID(%q) = %v", id, err)
		}
	}
	for _, id := range []string{"", "-a", "a--b", "@me", "@team-x", "bot--member-p", "bot--room-r", "a b", "a.b", "a/b", "é", "con", "NUL", "com1", "a\x00", strings.Repeat("a", 65)} {
		if err := CheckID(id); err == nil {
			t.Errorf("CheckID(%q) is accepted", id)
		}
	}
}

func TestSameName(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"Food.md", "food.md", true},
		{"café.md", "CAFE\u0301.md", true},
		{"Straße.md", "STRASSE.md", true},
		{"a.md", "b.md", false},
		{"cafe.md", "café.md", false},
	}
	for _, tc := range tests {
		if got := SameName(tc.a, tc.b); got != tc.want {
			t.Errorf("SameName(%q, %q) = %v", tc.a, tc.b, got)
		}
	}
}

// inside fails when an accepted path could name anything but one file in the
// workspace, on any system.
func inside(t interface{ Fatalf(string, ...any) }, path string) {
	if _, err := CheckPath(path); err != nil {
		return
	}
	if filepath.Clean(path) != path || filepath.IsAbs(path) || strings.Contains(path, "..") && strings.Contains(path, "../") {
		t.Fatalf("%q leaves the folder", path)
	}
	if !utf8.ValidString(path) || strings.ContainsAny(path, "\\:\x00\n\r%") || !strings.HasSuffix(path, ".md") || len(filepath.Base(path)) > 255 {
		t.Fatalf("%q is accepted", path)
	}
}

func TestPathsStayInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"memory/", "log/", "..", "/", "\\", ".md", "a", "é", ".", " ", "\x00", "%2e", "MEMORY", "2026-01-01", "\u202e", "CON"}), 0, 8).Draw(t, "parts")
		inside(t, strings.Join(parts, ""))
		if path, err := TopicFile(strings.Join(parts, "")); err == nil {
			if kind, err := CheckPath(path); err != nil || kind != Topic {
				t.Fatalf("TopicFile gave %q: %v", path, err)
			}
		}
	})
}

func FuzzCheckPath(f *testing.F) {
	for _, seed := range []string{"MEMORY.md", "memory/a.md", "memory/../a.md", "memory/log/2026-01-01.md", "memory/\u202e.md", "memory/a\\b.md"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		inside(t, path)
		if topic, err := TopicFile(path); err == nil {
			if kind, err := CheckPath(topic); err != nil || kind != Topic {
				t.Fatalf("TopicFile(%q) = %q: %v", path, topic, err)
			}
		}
	})
}
