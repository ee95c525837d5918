package markdown

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestIndexLine(t *testing.T) {
	tests := []struct {
		name, file, want string
		header           Header
	}{
		{"title and alias", "dining.md", "- memory/dining.md — Dining (also: food)", Header{Title: "Dining", Aliases: []string{"food"}}},
		{"everything", "memory/food.md", "- memory/food.md — Food — what is liked (also: a, b)", Header{Title: "Food", Description: "what is liked", Aliases: []string{"a", "b"}}},
		{"name alone", "x.md", "- memory/x.md", Header{}},
		{"archive", "archive.md", "- memory/archive.md — older notes moved out of MEMORY.md, kept for the record", Header{Title: "Other"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := IndexLine(tt.file, tt.header); got != tt.want {
				t.Errorf("line = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMergeTopic(t *testing.T) {
	entry := "- 2026-09-26 · Hates olives"
	tests := []struct {
		name, existing, title string
		aliases, entries      []string
		want                  string
	}{
		{"new", "", "food", []string{"restaurants", "dinner"}, []string{"- 2026-09-25 · Loves pasta"}, "---\ntitle: food\naliases: [restaurants, dinner]\n---\n\n- 2026-09-25 · Loves pasta\n"},
		{"new without aliases", "", "food", nil, []string{entry, entry}, "---\ntitle: food\n---\n\n" + entry + "\n" + entry + "\n"},
		{"new with words that YAML reads otherwise", "", "yes: #1", []string{"no", "a, b", `"x"`, "it's", "1.5"}, []string{entry}, "---\ntitle: \"yes: #1\"\naliases: [\"no\", \"a, b\", \"\\\"x\\\"\", it's, \"1.5\"]\n---\n\n" + entry + "\n"},
		{"aliases but for case", "---\ntitle: food\naliases: [restaurants, dinner]\n---\n\n- 2026-09-25 · Loves pasta\n", "food", []string{"Dinner", "lunch"}, []string{entry}, "---\ntitle: food\naliases: [restaurants, dinner, lunch]\n---\n\n- 2026-09-25 · Loves pasta\n" + entry + "\n"},
		{"tags count", "---\ntags: [lunch]\n---\n", "food", []string{"Lunch"}, nil, "---\ntags: [lunch]\n---\n"},
		{"untouched bytes", "---\ntitle: A\ncreated: 2026-03-16\naliases: ['b',  \"c\" ] # mine\nodd:   'x'   # note\n---\nbody", "", []string{"d"}, []string{entry}, "---\ntitle: A\ncreated: 2026-03-16\naliases: ['b',  \"c\", d] # mine\nodd:   'x'   # note\n---\nbody\n" + entry + "\n"},
		{"several lines become one", "---\naliases:\n  - a\n  - \"b c\"\n\ntitle: T\n---\nx\n", "", []string{"d"}, nil, "---\naliases: [a, b c, d]\n\ntitle: T\n---\nx\n"},
		{"dashes at column 0", "---\naliases:\n- a\n---\n", "", []string{"d"}, nil, "---\naliases: [a, d]\n---\n"},
		{"flow list over lines", "---\naliases: [a,\n  b\n]\ntitle: T\n---\n", "", []string{"d"}, nil, "---\naliases: [a, b, d]\ntitle: T\n---\n"},
		{"one string", "---\naliases: a, b\n---\n", "", []string{"d"}, nil, "---\naliases: [a, b, d]\n---\n"},
		{"empty value", "---\naliases:\ntitle: T\n---\n", "", []string{"d"}, nil, "---\naliases: [d]\ntitle: T\n---\n"},
		{"no key", "---\ntitle: T\n---\nx\n", "", []string{"d"}, nil, "---\ntitle: T\naliases: [d]\n---\nx\n"},
		{"comments in a list stay", "---\naliases:\n  - a # why\n  - b\n---\nx\n", "", []string{"d"}, []string{entry}, "---\naliases:\n  - a # why\n  - b\n---\nx\n" + entry + "\n"},
		{"a map stays", "---\naliases: {a: b}\n---\nx\n", "", []string{"d"}, nil, "---\naliases: {a: b}\n---\nx\n"},
		{"an anchor stays", "---\naliases: &x [a]\n---\nx\n", "", []string{"d"}, nil, "---\naliases: &x [a]\n---\nx\n"},
		{"broken header", "---\ntitle: Foo: bar\n---\nbody 1\nbody 2", "t", []string{"d"}, []string{entry}, "---\ntitle: Foo: bar\n---\nbody 1\nbody 2\n" + entry + "\n"},
		{"no header", "# Dining\n- a\n", "dining", []string{"d"}, []string{entry}, "---\ntitle: dining\naliases: [d]\n---\n\n# Dining\n- a\n" + entry + "\n"},
		{"two rules", "---\n\nJust a rule\n\n---\nmore", "t", nil, []string{entry}, "---\ntitle: t\n---\n\n---\n\nJust a rule\n\n---\nmore\n" + entry + "\n"},
		{"byte order mark", "\ufeff---\ntitle: A\n---\nbody\n", "t", []string{"d"}, []string{entry}, "\ufeff---\ntitle: A\naliases: [d]\n---\nbody\n" + entry + "\n"},
		{"byte order mark without header", "\ufeffbody\n", "t", nil, []string{entry}, "\ufeff---\ntitle: t\n---\n\nbody\n" + entry + "\n"},
		{"CRLF", "---\r\ntitle: A\r\naliases: [b]\r\n---\r\nbody\r\n", "t", []string{"d"}, []string{entry + "\n  more"}, "---\r\ntitle: A\r\naliases: [b, d]\r\n---\r\nbody\r\n" + entry + "\r\n  more\r\n"},
		{"header and no body", "---\ntitle: A\n---", "t", nil, []string{entry}, "---\ntitle: A\n---\n\n" + entry + "\n"},
		{"twelve at most", "---\naliases: [a, b, c, d, e, f, g, h, i, j, k]\n---\n", "", []string{"l", "m"}, nil, "---\naliases: [a, b, c, d, e, f, g, h, i, j, k, l]\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := string(MergeTopic([]byte(tt.existing), tt.title, tt.aliases, tt.entries))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if again := string(MergeTopic([]byte(got), tt.title, tt.aliases, nil)); again != got {
				t.Errorf("merged again = %q, want no change", again)
			}
		})
	}
}

func TestSetAliases(t *testing.T) {
	tests := []struct {
		name, text, want string
		aliases          []string
	}{
		{"others", "---\ntitle: A\naliases: [b, c] # x\nodd: 'x'\n---\n", "---\ntitle: A\naliases: [d] # x\nodd: 'x'\n---\n", []string{"d"}},
		{"none", "---\naliases:\n- b\n---\n", "---\naliases: []\n---\n", nil},
		{"no header", "x\n", "---\naliases: [d]\n---\n\nx\n", []string{"d"}},
		{"no header and none", "x\n", "x\n", nil},
		{"broken header", "---\na: b: c\n---\n", "---\na: b: c\n---\n", []string{"d"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(SetAliases([]byte(tt.text), tt.aliases))); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrittenHeadersAreRead(t *testing.T) {
	words := rapid.OneOf(
		rapid.SampledFrom([]string{"a: b", "#x", "- y", "[z", "{", "no", "~", "null", "1e3", "2026-09-10", "it's", `say "x"`, "a #b", "é", "旅行", "a, b", "@x", "%", "`", "|", ">", "!t", "&a", "*a", "\\", "x:", "=", "<<"}),
		rapid.StringN(1, 20, 60),
	)
	rapid.Check(t, func(t *rapid.T) {
		title := words.Draw(t, "title")
		aliases := rapid.SliceOfN(words, 0, 4).Draw(t, "aliases")
		more := rapid.SliceOfN(words, 0, 4).Draw(t, "more")
		text := MergeTopic(nil, title, aliases, []string{"- 2026-09-10 · x"})
		text = MergeTopic(text, title, more, nil)
		h := Parse("", text).Header()
		if want := clean(title, titleRunes); h.Title != want && !readsAsNull(want) || len(h.Problems) > 0 {
			t.Fatalf("title = %q, want %q, problems %q in\n%s", h.Title, want, h.Problems, text)
		}
		want := fresh(nil, slices.Concat(aliases, more))
		if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(h.Aliases, "\n")); diff != "" {
			t.Fatalf("aliases (-want +got):\n%s\nin\n%s", diff, text)
		}
	})
}
