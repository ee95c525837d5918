package repo

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quipu/markdown"
	"quipu/policy"
)

// BUG-072: CRLF stays, and only the named entries change.
func TestFaultBUG072LineEnds(t *testing.T) {
	l := newLab(t)
	lines := []string{"- one", "- two", "- three", "- four", "- five"}
	l.put("MEMORY.md", strings.Join(lines, "\r\n")+"\r\n")
	l.update(policy.Update{Action: policy.Supersede, OldText: "three", Text: "drei"})
	l.update(policy.Update{Action: policy.Remove, OldText: "- one"})
	l.append("six")
	want := "- two\r\n- ~~three~~ · superseded 2026-09-12\r\n- four\r\n- five\r\n- 2026-09-12 · drei\r\n- 2026-09-12 · six\r\n"
	if diff := cmp.Diff(want, l.text("MEMORY.md")); diff != "" {
		t.Errorf("MEMORY.md (-want +got):\n%s", diff)
	}
	l.sound()
}

// BUG-075: bytes that are no text are left as they are.
func TestFaultBUG075InvalidBytes(t *testing.T) {
	l := newLab(t)
	const bad = "- ok\n- bad \xff\xc3\n- nul \x00 x\n"
	l.put("memory/t.md", bad)
	l.update(policy.Update{Action: policy.Append, Topic: "t", Text: "added"})
	if got, want := l.text("memory/t.md"), bad+"- 2026-09-12 · added\n"; got != want {
		t.Errorf("file is %q, want %q", got, want)
	}
	rows := l.rows(Query{})
	if b, err := json.Marshal(rows); err != nil || !utf8.Valid(b) {
		t.Errorf("rows are no JSON: %v", err)
	}
	if _, _, err := l.w.List(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := l.w.Blame(t.Context(), "memory/t.md"); err != nil {
		t.Error(err)
	}
	_, err := l.w.Save(t.Context(), ada, "memory/u.md", bad, Expect{})
	l.refuses(err, ErrInvalid)
	l.undo("")
	if got := l.text("memory/t.md"); got != bad {
		t.Errorf("after undo %q, want %q", got, bad)
	}
	l.sound()
}

// BUG-077: one fact stays one entry whatever its line ends.
func TestFaultBUG077OneFactOneEntry(t *testing.T) {
	for name, sep := range map[string]string{
		"LF": "\n", "CR": "\r", "CRLF": "\r\n", "line separator": "\u2028", "paragraph separator": "\u2029", "VT": "\v", "FF": "\f", "NEL": "\u0085",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.append("first")
			r := l.append("fact" + sep + "# Heading" + sep + "- 2026-01-01 · forged")
			l.append("last")
			f := markdown.Parse("", []byte(l.text("MEMORY.md")))
			if got := len(f.Entries()); got != 3 {
				t.Errorf("%d entries, want 3:\n%s", got, f.Bytes())
			}
			if got := f.Entries()[1].String(); got != r.Entry {
				t.Errorf("read back %q, written %q", got, r.Entry)
			}
			if got := f.Entries()[1].Date.String(); got != "2026-09-12" {
				t.Errorf("date %s was forged", got)
			}
		})
	}
}

// BUG-079: texts that some parsers choke on cost no time.
func TestFaultBUG079HostileText(t *testing.T) {
	for name, text := range map[string]string{
		"emphasis": strings.Repeat("*a_ ", 60_000), "brackets": strings.Repeat("[", 50_000), "quotes": strings.Repeat(">", 20_000),
		"nested list": strings.Repeat("- ", 800), "one line": strings.Repeat("x", 256<<10-1),
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			start := time.Now()
			l.save("memory/t.md", text+"\n")
			l.update(policy.Update{Action: policy.Append, Topic: "u", Text: "other"})
			if _, _, err := l.w.List(t.Context()); err != nil {
				t.Error(err)
			}
			l.rows(Query{})
			if _, err := l.w.Blame(t.Context(), "memory/t.md"); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// BUG-080: the form of an accent does not make two facts of one, and stays as given.
func TestFaultBUG080Accents(t *testing.T) {
	l := newLab(t)
	const composed, apart = "Lives in Orl\u00e9ans", "Lives in Orle\u0301ans"
	l.append(composed)
	r := l.append(apart)
	if !r.Known || r.Change != "" {
		t.Errorf("receipt %+v, want it known", r)
	}
	l.contains(l.text("MEMORY.md"), composed)
	for _, q := range []string{"Orl\u00e9ans", "Orle\u0301ans", "ORLÉANS"} {
		if rows := l.rows(Query{Words: q}); len(rows) != 1 {
			t.Errorf("%q finds %d rows, want 1", q, len(rows))
		}
	}
	// a topic's name likewise
	l.update(policy.Update{Action: policy.Append, Topic: "Caf\u00e9", Text: "a"})
	l.update(policy.Update{Action: policy.Append, Topic: "Cafe\u0301", Text: "b"})
	topics, _, err := l.w.List(t.Context())
	if err != nil || len(topics) != 1 {
		t.Errorf("%d topics (%v), want 1", len(topics), err)
	}
}

// Bytes that no change touched come back exactly.
func TestBytesStay(t *testing.T) {
	for name, text := range map[string]string{
		"BOM": "\ufeff# A\n- 2026-01-01 · x\n", "no final newline": "- a\n- b", "CRLF and LF": "- a\r\n- b\n- c\r\n", "blank lines": "\n\n\n- a\n\n\n", "tabs": "-\ta\n\t- b\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.put("MEMORY.md", text)
			r := l.append("added")
			if got := l.text("MEMORY.md"); !strings.HasPrefix(got, text) {
				t.Errorf("%q does not begin with %q", got, text)
			}
			l.undo(string(r.Change))
			if got := l.text("MEMORY.md"); strings.TrimRight(got, "\r\n") != strings.TrimRight(text, "\r\n") {
				t.Errorf("after undo %q, want %q", got, text)
			}
			l.sound()
		})
	}
}

// The overview of one bot does not wait for another's.
func TestCancelledContext(t *testing.T) {
	l := newLab(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.w.Journal(ctx, Query{}); err == nil {
		t.Error("a cancelled read gave an answer")
	}
	l.append("the next one works")
	if rows := l.rows(Query{}); len(rows) != 2 {
		t.Errorf("%d rows, want 2", len(rows))
	}
}
