package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHeader(t *testing.T) {
	tests := []struct {
		name, text string
		want       Header // without Start, End and Problems
		problems   []string
		body       string // what follows the header, "" if there is none
	}{
		{name: "inline list", text: "---\ntitle: Clients\ndescription: \"Who we bill\"\naliases: [customers, accounts]\n---\nbody", want: Header{Present: true, Title: "Clients", Description: "Who we bill", Aliases: []string{"customers", "accounts"}}, body: "body"},
		{name: "dash list and tags", text: "---\naliases:\n  - food\n  - lunch\ntags: dining\n---\n", want: Header{Present: true, Aliases: []string{"food", "lunch", "dining"}}},
		{name: "behind a heading", text: "# Dining\n\n---\naliases: [Bhel, Corner Cafe]\n---\n- Loves pasta\n", want: Header{Present: true, Title: "Dining", Aliases: []string{"Bhel", "Corner Cafe"}}, body: "- Loves pasta\n"},
		{name: "heading only", text: "# Dining\n\n- Loves pasta\n", want: Header{Title: "Dining"}},
		{name: "heading behind the header", text: "---\naliases: [a]\n---\n\n## Dining ##\n", want: Header{Present: true, Title: "Dining", Aliases: []string{"a"}}, body: "\n## Dining ##\n"},
		{name: "later section is no title", text: "Some text\n\n## Section\n", want: Header{}},
		{name: "later first-level heading is", text: "Some text\n\n# Dining\n", want: Header{Title: "Dining"}},
		{name: "byte order mark", text: "\ufeff---\ntitle: A\n---\nbody\n", want: Header{Present: true, Title: "A"}, body: "body\n"},
		{name: "CRLF", text: "---\r\ntitle: A\r\naliases:\r\n- b\r\n---\r\nbody\r\n", want: Header{Present: true, Title: "A", Aliases: []string{"b"}}, body: "body\r\n"},
		{name: "broken YAML", text: "---\ntitle: Foo: bar\naliases: [a, 'b']\ntags:\n  - c\n---\nbody", want: Header{Present: true, Title: "Foo: bar", Aliases: []string{"a", "b", "c"}}, problems: []string{"line 2: the header is not valid YAML and is read line by line: mapping values are not allowed in this context"}, body: "body"},
		{name: "equal keys", text: "---\ntitle: A\ntitle: B\n---\nbody", want: Header{Present: true, Title: "A"}, problems: []string{"line 3: title stands twice, the first one counts"}, body: "body"},
		{name: "aliases as one string", text: "---\ntitle: A\naliases: foo\n---\n", want: Header{Present: true, Title: "A", Aliases: []string{"foo"}}},
		{name: "aliases with commas", text: "---\naliases: foo, bar baz\n---\n", want: Header{Present: true, Aliases: []string{"foo", "bar baz"}}},
		{name: "wrong types one by one", text: "---\ntitle: [a]\naliases: {b: c}\ndescription: d\ntags: [e, [f], 7]\n---\n", want: Header{Present: true, Description: "d", Aliases: []string{"e", "7"}}, problems: []string{"line 2: title has a type that is not read", "line 3: aliases has a type that is not read", "line 5: tags has a type that is not read"}},
		{name: "numbers and dates as written", text: "---\ntitle: 007\ndescription: 2026-03-16\naliases: [1.50, yes]\n---\n", want: Header{Present: true, Title: "007", Description: "2026-03-16", Aliases: []string{"1.50", "yes"}}},
		{name: "aliases equal but for case", text: "---\naliases: [Food, food]\ntags: FOOD\n---\n", want: Header{Present: true, Aliases: []string{"Food"}}},
		{name: "two rules around text", text: "---\n\nJust a rule at the top\n\n---\nmore text", want: Header{}},
		{name: "entries between rules", text: "---\n- 2026-09-10 · a\nnote: b\n---\n", want: Header{}},
		{name: "never closed", text: "---\ntitle: A\n\nbody", want: Header{}},
		{name: "empty", text: "---\n---\nbody", want: Header{Present: true}, body: "body"},
		{name: "TOML", text: "+++\ntitle = \"A\"\n+++\nbody", want: Header{}},
		{name: "JSON", text: "{\n\"title\": \"A\"\n}\n\nbody", want: Header{}},
		{name: "other JSON", text: ";;;\n\"title\": \"A\"\n;;;\n", want: Header{}},
		{name: "named format", text: "---json\n{\"title\": \"A\"}\n---\n", want: Header{}},
		{name: "text first", text: "text\n---\ntitle: A\n---\n", want: Header{}},
		{name: "NUL and bad UTF-8", text: "---\ntitle: A\x00B\xffC\naliases: [d\x00, \xff]\n---\nbody", want: Header{Present: true, Title: "ABC", Aliases: []string{"d"}}, problems: []string{"line 2: the header is not valid YAML and is read line by line: control characters are not allowed"}, body: "body"},
		{name: "tab", text: "---\n\ttitle: A\n---\nbody", want: Header{Present: true, Title: "A"}, problems: []string{"line 2: the header is not valid YAML and is read line by line: found character that cannot start any token"}, body: "body"},
		{name: "brackets", text: "---\ntitle: A\naliases: " + strings.Repeat("[", 20_000) + "\n---\nbody", want: Header{Present: true, Title: "A"}, problems: []string{"line 3: the header is not valid YAML and is read line by line: exceeded max depth of 10000"}, body: "body"},
		{name: "indented rule", text: "---\ntitle: A\nnote: |\n  ---\n  x\naliases: b\n---\nbody", want: Header{Present: true, Title: "A", Aliases: []string{"b"}}, problems: []string{"line 4: the header is not valid YAML and is read line by line: an indented ---"}, body: "body"},
		{name: "long values", text: "---\ntitle: " + strings.Repeat("ä", 200) + "\ndescription: " + strings.Repeat("b", 200) + "\naliases: [" + strings.Repeat("c", 50) + "]\n---\n", want: Header{Present: true, Title: strings.Repeat("ä", 160), Description: strings.Repeat("b", 160), Aliases: []string{strings.Repeat("c", 40)}}},
		{name: "too long", text: "---\ntitle: A\n" + strings.Repeat("k: v\n", 20_000) + "---\nbody", want: Header{}, problems: []string{"line 1: the header is above 64 KiB and is read as text"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Parse("memory/t.md", []byte(tt.text)).Header()
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Header{}), cmpopts.IgnoreFields(Header{}, "Start", "End", "Problems"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("header (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.problems, got.Problems, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if got.Present && (tt.text[got.End:] != tt.body || !strings.HasPrefix(tt.text[got.Start:], "---")) {
				t.Errorf("header is [%d:%d], body %q, want %q", got.Start, got.End, tt.text[got.End:], tt.body)
			}
		})
	}
}

func TestManyAliasesAreReadWhole(t *testing.T) {
	var list []string
	for i := range 500 {
		list = append(list, fmt.Sprintf("an alias of some length %d", i))
	}
	text := "---\ntitle: A\naliases: [" + strings.Join(list, ", ") + "]\n---\nbody\n"
	got := Parse("", []byte(text)).Header()
	if diff := cmp.Diff(list[:12], got.Aliases); diff != "" || len(got.Problems) > 0 {
		t.Errorf("aliases (-want +got):\n%s\nproblems: %q", diff, got.Problems)
	}
	merged := MergeTopic([]byte(text), "A", []string{"new"}, []string{"- 2026-09-10 · x"})
	if diff := cmp.Diff(text+"- 2026-09-10 · x\n", string(merged)); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
}
