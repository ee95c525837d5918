package markdown

import (
	"strings"
	"testing"
)

func TestSetTitle(t *testing.T) {
	tests := []struct {
		name, text, title, description, want string
	}{
		{"both anew", "---\ntitle: Old\ndescription: Old words\naliases: [a]\n---\n- x\n", "New", "New words", "---\ntitle: New\ndescription: New words\naliases: [a]\n---\n- x\n"},
		{"put in", "---\naliases: [a]\n# mine\nown: {x: 1}\n---\n- x\n", "New", "Words", "---\ntitle: New\ndescription: Words\naliases: [a]\n# mine\nown: {x: 1}\n---\n- x\n"},
		{"taken out", "---\ntitle: Old\ndescription: Words\nown: 1\n---\n- x\n", "", "", "---\nown: 1\n---\n- x\n"},
		{"a description after the title", "---\nown: 1\ntitle: T\nlast: 2\n---\n", "T", "D", "---\nown: 1\ntitle: T\ndescription: D\nlast: 2\n---\n"},
		{"no header", "- x\n", "New", "", "---\ntitle: New\n---\n\n- x\n"},
		{"no header and nothing to say", "# Food\n- x\n", "", "", "# Food\n- x\n"},
		{"a comment stays", "---\ntitle: Old # why\n---\n", "New", "", "---\ntitle: New # why\n---\n"},
		{"CRLF", "---\r\ntitle: Old\r\n---\r\n- x\r\n", "New", "D", "---\r\ntitle: New\r\ndescription: D\r\n---\r\n- x\r\n"},
		{"quoted where it must be", "---\ntitle: Old\n---\n", "a: b # c", "\"q\" 'r'", ""},
		{"an empty header line", "---\ntitle:\n---\n", "New", "", "---\ntitle: New\n---\n"},
		{"the same", "---\ntitle: \"Old\"\n---\n", "Old", "", "---\ntitle: \"Old\"\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := SetTitle([]byte(tt.text), tt.title, tt.description)
			if !ok || tt.want != "" && string(got) != tt.want {
				t.Errorf("ok=%t\n%s\nwant\n%s", ok, got, tt.want)
			}
			h := Parse("", got).Header()
			if tt.title != "" && h.Title != tt.title || h.Description != tt.description {
				t.Errorf("reads %q, %q", h.Title, h.Description)
			}
		})
	}
	for name, text := range map[string]string{
		"broken": "---\ntitle: a: b: [\n---\n", "several lines": "---\ntitle: >\n  folded\n---\n", "an anchor": "---\ntitle: &a Old\n---\n",
		"a list": "---\ntitle: [a]\n---\n", "goes on": "---\ndescription: one\n  two\n---\n",
	} {
		if got, ok := SetTitle([]byte(text), "New", "D"); ok || string(got) != text {
			t.Errorf("%s: ok=%t %q", name, ok, got)
		}
	}
	if got, ok := SetTitle([]byte("- x\n"), "null", ""); ok || string(got) != "- x\n" {
		t.Errorf("null: ok=%t %q", ok, got)
	}
}

func TestTitled(t *testing.T) {
	for text, want := range map[string]bool{
		"---\ntitle: Food\n---\n# Food\n": true, "---\naliases: [a]\n---\n# Food\n": false, "# Food\n": false, "---\ntitle:\n---\n# Food\n": false, "": false,
	} {
		if got := Parse("", []byte(text)).Titled(); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func FuzzSetTitle(f *testing.F) {
	f.Add("---\ntitle: Old\nown: 1\n---\n- x\n", "New", "D")
	f.Add("- x\n", "a: b", "")
	f.Fuzz(func(t *testing.T, text, title, description string) {
		got, ok := SetTitle([]byte(text), title, description)
		if !ok && string(got) != text {
			t.Fatalf("refused, and yet changed: %q", got)
		}
		before, after := Parse("", []byte(text)), Parse("", got)
		if ok && before.Header().Present && after.Header().Present && text[before.Header().End:] != string(got)[after.Header().End:] {
			t.Fatalf("the notes changed: %q", got)
		}
		if ok && title != "" && strings.TrimSpace(title) != "" && after.Header().Description != clean(description, titleRunes) {
			t.Fatalf("reads %q", after.Header().Description)
		}
	})
}
