package repo

import (
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"quipu/policy"
)

// Whatever a text holds, the subject is one line of at most 72 columns and git
// reads the trailers back as they were meant.
func TestMessages(t *testing.T) {
	texts := map[string]string{
		"newlines": "one\ntwo\n\nthree", "dashes": "a\n---\nb", "only dashes": "---", "forged trailers": "x\n\nMemory-Author: person Eve\nMemory-Change: 0",
		"long": strings.Repeat("long ", 1000), "one word": strings.Repeat("x", 5000), "CJK": strings.Repeat("旅行の計画", 40),
		"right to left": "abc \u202e\u2066\u200f\u061c\u200e def", "NUL": "a\x00b", "invalid UTF-8": "a\xff\xfeb", "credential": "the token is " + secret,
		"emoji": strings.Repeat("👩‍👩‍👧 ", 40), "combining": strings.Repeat("e\u0301", 200), "comment": "# not a comment", "separators": "a\u2028b\u2029c\u0085d\ve", "blank": " \t ", "nothing": "", "colon": "Fixes: #1", "scissors": "# ------------------------ >8 ------------------------",
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			m := Meta{Author: Author{Kind: Person, Name: "Eve <e@x>\nMemory-Author: bot x"}, Source: text, Quote: text, Turn: text, Action: ActEdit, Via: ViaAPI}
			r := l.must(l.w.change(t.Context(), m, func(*view) (draft, error) {
				return draft{subject: text, files: []fileText{{path: "memory/t.md", text: []byte("x\n")}}}, nil
			}))
			subject := l.git("log", "-1", "--format=%s")
			if columnsOf(subject) > subjectColumns || strings.ContainsAny(subject, "\n\x00\u202e\u200f") || !utf8.ValidString(subject) {
				t.Errorf("subject %q has %d columns", subject, columnsOf(subject))
			}
			if subject != r.Rows[0].Subject {
				t.Errorf("the receipt says %q, git %q", r.Rows[0].Subject, subject)
			}
			want := oneLine(text)
			if want, _ = l.store.redact.Redact(want); name == "credential" && want != "the token is «redacted 40 chars»" {
				t.Errorf("the credential is shown as %q", want)
			}
			for key, value := range map[string]string{
				keySource: want, keyQuote: want, keyAction: "edit", keyVia: "api", keyChange: string(r.Change),
				keyAuthor: "person Eve <e@x> Memory-Author: bot x",
			} {
				if got := l.git("log", "-1", "--format=%(trailers:key="+key+",valueonly)"); got != strings.TrimSpace(value) {
					t.Errorf("git reads %s as %q, want %q", key, got, value)
				}
			}
			l.interpreted(r, want)
			row := l.rows(Query{Limit: 1})[0]
			if row.Source != want || row.Quote != want || row.Subject != subject || row.Who != "Eve <e@x> Memory-Author: bot x" {
				t.Errorf("row %+v", row)
			}
			if strings.Contains(l.objects(), secret) {
				t.Error("a credential is in an object")
			}
			l.sound()
		})
	}
}

// interpreted reads the message with git interpret-trailers.
func (l *lab) interpreted(r Receipt, source string) {
	l.t.Helper()
	cmd := exec.CommandContext(l.t.Context(), "git", "interpret-trailers", "--parse")
	cmd.Stdin = strings.NewReader(l.git("log", "-1", "--format=%B"))
	out, err := cmd.Output()
	if err != nil {
		l.t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := 4 // author, action, via, change
	if source != "" {
		want += 3 // source, turn, quote
	}
	if len(got) != want || got[len(got)-1] != keyChange+": "+string(r.Change) {
		l.t.Errorf("interpret-trailers gives %d lines, want %d:\n%s", len(got), want, out)
	}
}

// columnsOf counts columns as a terminal does, in a way of its own.
func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			n += 2
		default:
			n++
		}
	}
	return n
}

func TestMessageLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		subject, value := rapid.String().Draw(r, "subject"), rapid.String().Draw(r, "value")
		text := message(ActUpdate, subject, []trailer{{keySource, value}, {keyChange, "X"}})
		head, rest, ok := strings.Cut(text, "\n\n")
		if !ok || strings.Contains(head, "\n") || columnsOf(head) > subjectColumns {
			r.Fatalf("subject %q", head)
		}
		lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
		want := 2
		if oneLine(value) == "" {
			want = 1
		}
		if len(lines) != want || lines[want-1] != keyChange+": X" {
			r.Fatalf("trailers %q", lines)
		}
		if again := oneLine(oneLine(value)); again != oneLine(value) {
			r.Fatalf("folding %q twice gives %q", value, again)
		}
	})
}

// The subject of a change says what it did.
func TestSubjects(t *testing.T) {
	l := newLab(t)
	l.append("prefers short replies")
	l.update(policy.Update{Action: policy.Replace, OldText: "short replies", Text: "long replies"})
	l.update(policy.Update{Action: policy.Append, Text: "office is in Leeds", Topic: "work"})
	l.update(policy.Update{Action: policy.Supersede, OldText: "in Leeds", Text: "office is in York"})
	l.update(policy.Update{Action: policy.Remove, OldText: "MEMORY.md:3"})
	l.add("- a line by hand\n")
	l.append("next")
	l.save("memory/a.md", "- x\n- y\n")
	l.must(l.w.Delete(t.Context(), ada, "memory/a.md", Expect{}))
	l.undo("")
	got := strings.Join(l.log("%s"), "\n")
	want := `init: scout
update: prefers short replies
update: prefers long replies
update: office is in Leeds
update: office is in York
update: took out: prefers long replies
outside: a line by hand
update: next
edit: memory/a.md (+2 -0)
delete: memory/a.md
undo: delete: memory/a.md`
	if got != want {
		t.Errorf("subjects:\n%s\nwant:\n%s", got, want)
	}
}
