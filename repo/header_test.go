package repo

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/policy"
)

// The frontmatter faults: whatever a header is, every byte of the file stays, and
// what can be read of it is.
func TestFaultHeaders(t *testing.T) {
	bomb := "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\naliases: *e\ntitle: A\n---\nbody\n"
	var long strings.Builder
	long.WriteString("---\ntitle: A\naliases:\n")
	for range 700 {
		long.WriteString("  - an alias of the topic\n")
	}
	long.WriteString("---\nbody\n")
	tests := map[string]struct {
		text, title string
		aliases     []string
	}{
		"BUG-059 colon in a title":    {text: "---\ntitle: Foo: bar\n---\nbody 1\nbody 2\n", title: "Foo: bar"},
		"BUG-061 byte order mark":     {text: "\ufeff---\ntitle: A\n---\nbody\n", title: "A"},
		"BUG-063 odd style":           {text: "---\ntitle: A\ncreated: 2026-03-16\nodd:   'x'   # note\n---\nbody\n", title: "A"},
		"BUG-064 key twice":           {text: "---\ntitle: A\ntitle: B\n---\nbody\n", title: "A"},
		"BUG-065 alias as text":       {text: "---\ntitle: A\naliases: foo\n---\nbody\n", title: "A", aliases: []string{"foo"}},
		"BUG-065 alias as map":        {text: "---\ntitle: A\naliases: {a: b}\n---\nbody\n", title: "A"},
		"BUG-066 a rule at the top":   {text: "---\n\nJust a rule at the top\n\n---\nmore text\n"},
		"BUG-067 long":                {text: long.String(), title: "A", aliases: []string{"an alias of the topic"}},
		"BUG-067 never closed":        {text: "---\ntitle: A\nbody\n"},
		"BUG-070 JSON":                {text: "{\n\"title\": \"A\"\n}\n\nbody\n"},
		"BUG-070 TOML":                {text: "+++\ntitle = \"A\"\n+++\nbody\n"},
		"BUG-071 alias bomb":          {text: bomb, title: "A"},
		"BUG-071 brackets":            {text: "---\ntitle: A\naliases: " + strings.Repeat("[", 20_000) + "\n---\nbody\n", title: "A"},
		"BUG-071 tab, NUL, bad UTF-8": {text: "---\n\tx: y\ntitle: A\x00\xff\n---\nbody\n"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.put("memory/t.md", tc.text)
			start := time.Now()
			r := l.update(policy.Update{Action: policy.Append, Topic: "t", Text: "added"})
			if len(r.Outside) != 1 {
				t.Errorf("outside %v, want one", r.Outside)
			}
			if got := l.text("memory/t.md"); got != tc.text+"- 2026-09-12 · added\n" {
				t.Errorf("file is %.300q, want the old text and the entry", got)
			}
			topics, _, err := l.w.List(t.Context())
			if err != nil || len(topics) != 1 {
				t.Fatalf("topics %+v (%v)", topics, err)
			}
			if tc.title != "" && topics[0].Title != tc.title {
				t.Errorf("title %q, want %q", topics[0].Title, tc.title)
			}
			if tc.aliases != nil && !slices.Equal(topics[0].Aliases, tc.aliases) {
				t.Errorf("aliases %q, want %q", topics[0].Aliases, tc.aliases)
			}
			l.undo("")
			if got := l.text("memory/t.md"); got != tc.text {
				t.Errorf("after undo %.300q, want the old text", got)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			l.sound()
		})
	}
}

// BUG-064: doctor tells of a header that is read in part.
func TestFaultBUG064DoctorTells(t *testing.T) {
	l := newLab(t)
	l.save("memory/t.md", "---\ntitle: A\ntitle: B\n---\nbody\n")
	found, err := l.w.Doctor(t.Context(), false)
	if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return f.Where == "memory/t.md" && f.Level == "warning" }) {
		t.Errorf("doctor found %+v (%v)", found, err)
	}
}

// BUG-063: a line of the header is changed, and nothing else of it.
func TestFaultBUG063OnlyTheLineChanges(t *testing.T) {
	l := newLab(t)
	const head = "---\ntitle: A\ncreated: 2026-03-16\nodd:   'x'   # note\naliases: [a]\n---\nbody\n"
	l.save("memory/t.md", head)
	r := l.update(policy.Update{Action: policy.Replace, OldText: "aliases: [a]", Text: "aliases: [a, b]"})
	if got, want := r.Rows[0].Added+r.Rows[0].Removed, 2; got != want {
		t.Errorf("%d lines of the diff, want %d:\n%s", got, want, r.Rows[0].Diff)
	}
	if got := l.text("memory/t.md"); got != strings.Replace(head, "[a]", "[a, b]", 1) {
		t.Errorf("file is %q", got)
	}
}
