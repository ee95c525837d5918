package repo

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/markdown"
	"quipu/policy"
)

// step is one update of a reference case, and what it answers.
type step struct {
	u    policy.Update
	kind error  // nil: it is done
	says string // in the error
}

type refCase struct {
	memory, day string
	steps       []step
	want        string // MEMORY.md; "" is unchanged
	entry       string // of the last step
}

func appends(text, source string) step {
	return step{u: policy.Update{Action: policy.Append, Text: text, Source: source}}
}

var invalid = func(u policy.Update, says string) []step { return []step{{u: u, kind: ErrInvalid, says: says}} }

// The cases of the reference implementation in areas update, entry and identity.
var refCases = map[string]refCase{
	"entry-03": {day: "2026-09-10", steps: []step{appends("first line\n   second line", `chat "A · B"`)}, entry: `- 2026-09-10 · from chat "A - B" · first line second line`},
	"entry-04": {day: "2026-09-10", steps: []step{appends("Deploy command:\n```sh\nrailway up\n```", "")}, entry: "- 2026-09-10 · Deploy command:\n  ```sh\n  railway up\n  ```"},
	"entry-05": {
		day: "2026-09-10", steps: []step{{u: policy.Update{Action: policy.Append, Text: "Exams this weekend", Until: "2026-09-14", Source: `chat "Plans"`}}},
		entry: `- 2026-09-10 · from chat "Plans" · Exams this weekend · until 2026-09-14`,
	},
	"entry-06": {steps: invalid(policy.Update{Action: policy.Append, Text: "x", Until: "soon"}, "until")},
	"entry-07": {steps: invalid(policy.Update{Action: policy.Remove, OldText: "Exams", Until: "2026-09-14"}, "until")},
	"update-01": {
		memory: "- 2026-09-10 · from chat \"Setup\" · Preferred package manager: npm\n", day: "2026-09-12",
		steps: []step{{u: policy.Update{Action: policy.Replace, OldText: "manager: npm", Text: "manager: pnpm"}}},
		want:  "- 2026-09-10 · from chat \"Setup\" · Preferred package manager: pnpm · updated 2026-09-12\n",
	},
	"update-02": {
		memory: "- 2026-09-10 · from chat \"Setup\" · Timezone: CET · updated 2026-09-11\n", day: "2026-09-11",
		steps: []step{{u: policy.Update{Action: policy.Replace, OldText: "Timezone: CET · updated 2026-09-11", Text: "- 2026-09-11 · from room \"Ops\" · Timezone: UTC"}}},
		want:  "- 2026-09-10 · from chat \"Setup\" · Timezone: UTC · updated 2026-09-11\n",
	},
	"update-03": {
		memory: "- undated note from the person\n", day: "2026-09-11",
		steps: []step{{u: policy.Update{Action: policy.Replace, OldText: "undated note", Text: "undated fact"}}}, want: "- undated fact from the person\n",
	},
	"update-04": {
		memory: "- 2026-09-10 · from chat \"Setup\" · Shipping day: Friday\n- 2026-09-10 · keep\n",
		steps:  []step{{u: policy.Update{Action: policy.Remove, OldText: "- 2026-09-10 · from chat \"Setup\" · Shipping day: Friday"}}}, want: "- 2026-09-10 · keep\n",
	},
	"update-06": {
		memory: "- Edited by the user", day: "2026-09-10", steps: []step{appends("Another fact", `chat "Setup"`)},
		want: "- Edited by the user\n- 2026-09-10 · from chat \"Setup\" · Another fact\n",
	},
	"update-07": {
		memory: "- 2026-09-10 · from chat \"Setup\" · Office: City A\n- Old hand-written office: City P\nplain paragraph\n", day: "2026-09-20",
		steps: []step{
			{u: policy.Update{Action: policy.Supersede, OldText: "Office: City A", Text: "Office: City B", Source: `chat "Move"`}},
			{u: policy.Update{Action: policy.Supersede, OldText: "office: City P", Text: "office: City Q", Source: `chat "Move"`}},
			{u: policy.Update{Action: policy.Supersede, OldText: "plain paragraph", Text: "plain fact", Source: `chat "Move"`}},
		},
		want: "- 2026-09-10 · from chat \"Setup\" · ~~Office: City A~~ · superseded 2026-09-20\n- ~~Old hand-written office: City P~~ · superseded 2026-09-20\n~~plain paragraph~~ · superseded 2026-09-20\n" +
			"- 2026-09-20 · from chat \"Move\" · Office: City B\n- 2026-09-20 · from chat \"Move\" · office: City Q\n- 2026-09-20 · from chat \"Move\" · plain fact\n",
	},
	"update-08": {
		memory: "- 2026-09-10 · ~~Office: City A~~ · superseded 2026-09-20\n",
		steps:  []step{{u: policy.Update{Action: policy.Supersede, OldText: "Office: City A", Text: "Office: City C"}, kind: ErrConflict}},
	},
	"update-09":   {memory: "- 2026-09-10 · a\n- 2026-09-10 · b\n", steps: invalid(policy.Update{Action: policy.Supersede, OldText: "a\n- 2026-09-10", Text: "x"}, "one line")},
	"update-10":   {memory: "repeated repeated", steps: []step{{u: policy.Update{Action: policy.Replace, OldText: "repeated", Text: "new"}, kind: ErrConflict}}},
	"update-12":   {steps: invalid(policy.Update{Action: policy.Append, Text: " "}, "text")},
	"update-13":   {memory: "x", steps: invalid(policy.Update{Action: policy.Remove, OldText: "x", Text: "unexpected"}, "text")},
	"update-14":   {memory: "Keep this unique fact.", steps: invalid(policy.Update{Action: policy.Replace, OldText: "unique fact", Text: " \n\t "}, "text")},
	"update-15":   {steps: invalid(policy.Update{Action: policy.Append, Text: strings.Repeat("x", 1001)}, "1001 characters")},
	"update-16":   {day: "2026-09-10", steps: []step{appends(strings.Repeat("x", 1000), "")}, entry: "- 2026-09-10 · " + strings.Repeat("x", 1000)},
	"update-17":   {steps: invalid(policy.Update{Action: policy.Append, Text: "Snippet\n```\n" + strings.Repeat("x\n", 18) + "```"}, "21 lines")},
	"identity-02": {day: "2026-09-10", steps: []step{appends("Uses C++", ""), appends("Uses C", "")}, entry: "- 2026-09-10 · Uses C"},
	"identity-03": {day: "2026-09-10", steps: []step{appends("Rate is 1.5", ""), appends("Rate is 15", "")}, entry: "- 2026-09-10 · Rate is 15"},
	"identity-05": {day: "2026-09-10", steps: []step{appends("Key name is API_KEY", ""), appends("Key name is api_key", "")}, entry: "- 2026-09-10 · Key name is api_key"},
	"identity-06": {day: "2026-09-10", steps: []step{appends("Budget is $100", ""), appends("Budget is 100", "")}, entry: "- 2026-09-10 · Budget is 100"},
	"identity-07": {day: "2026-09-10", steps: []step{appends("Version >= 2", ""), appends("Version 2", "")}, entry: "- 2026-09-10 · Version 2"},
}

func TestReferenceUpdates(t *testing.T) {
	for name, tc := range refCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if tc.memory != "" {
				l.save("MEMORY.md", tc.memory)
			}
			if tc.day != "" {
				day, err := time.Parse(time.DateOnly, tc.day)
				if err != nil {
					t.Fatal(err)
				}
				l.clock.set(day.Add(9 * time.Hour))
			}
			before, head := l.text("MEMORY.md"), l.git("rev-parse", "HEAD")
			var last Receipt
			for _, s := range tc.steps {
				r, err := l.w.Update(t.Context(), scout, s.u)
				if s.kind == nil {
					last = l.must(r, err)
					continue
				}
				l.refuses(err, s.kind)
				l.contains(err.Error(), s.says)
				if _, ok := errors.AsType[*policy.Refusal](err); !ok {
					t.Errorf("%v is no refusal of the policy", err)
				}
				if got := l.git("rev-parse", "HEAD"); got != head || l.text("MEMORY.md") != before {
					t.Error("a refused update changed something")
				}
			}
			if tc.want != "" {
				if diff := cmp.Diff(tc.want, l.text("MEMORY.md")); diff != "" {
					t.Errorf("MEMORY.md (-want +got):\n%s", diff)
				}
			}
			if tc.entry != "" {
				if last.Known || last.Entry != tc.entry || !strings.HasSuffix(l.text("MEMORY.md"), tc.entry+"\n") {
					t.Errorf("entry %q, want %q", last.Entry, tc.entry)
				}
			}
			l.sound()
		})
	}
}

// The journal's cases: journal-01, 02, 03 and 05.
func TestReferenceJournal(t *testing.T) {
	tests := map[string]struct{ before, after, diff string }{
		"journal-01": {
			"one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "one\ntwo\nthree\nFOUR\nfive\nsix\nseven\neight\n",
			"--- a/memory/x.md\n+++ b/memory/x.md\n@@ -2,6 +2,7 @@\n two\n three\n-four\n+FOUR\n five\n six\n seven\n+eight",
		},
		"journal-02": {"", "new\n", "--- a/memory/x.md\n+++ b/memory/x.md\n@@ -0,0 +1,1 @@\n+new"},
		"journal-03": {"gone\n", "", "--- a/memory/x.md\n+++ b/memory/x.md\n@@ -1,1 +0,0 @@\n-gone"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if tc.before != "" {
				l.save("memory/x.md", tc.before)
			}
			r := l.save("memory/x.md", tc.after)
			row := l.rows(Query{Change: r.Change})[0]
			if diff := cmp.Diff(tc.diff, row.Diff); diff != "" {
				t.Errorf("diff (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(r.Rows[0].Diff, row.Diff); diff != "" {
				t.Errorf("the receipt's diff differs (-receipt +journal):\n%s", diff)
			}
		})
	}
	t.Run("journal-05", func(t *testing.T) {
		l := newLab(t)
		l.put("memory/x.md", strings.Repeat("x", 512<<10+1))
		l.must(Receipt{}, l.w.Idle(t.Context(), ada.Author))
		r := l.save("memory/x.md", "small\n")
		row := l.rows(Query{Change: r.Change})[0]
		if row.CanRevert || !strings.Contains(row.Reason, "too large") || r.Rows[0].CanRevert {
			t.Errorf("row %+v can be put back", row)
		}
		_, err := l.w.Undo(t.Context(), ada, row.ID, Restore)
		l.refuses(err, ErrNoUndo)
	})
}

// An exact duplicate is told with the entry that stands, and makes no change.
func TestKnown(t *testing.T) {
	l := newLab(t)
	first := l.append("prefers tea")
	for _, text := range []string{"prefers tea", "- prefers  tea.", "prefers\ttea"} {
		r := l.append(text)
		if !r.Known || r.Change != "" || r.Entry != first.Entry {
			t.Errorf("%q: receipt %+v", text, r)
		}
	}
	l.update(policy.Update{Action: policy.Supersede, OldText: "prefers tea", Text: "prefers coffee"})
	if r := l.append("prefers tea"); r.Known || r.Change == "" {
		t.Errorf("what was struck counts as known: %+v", r)
	}
	if n := len(markdown.Parse("", []byte(l.text("MEMORY.md"))).Entries()); n != 3 {
		t.Errorf("%d entries, want 3", n)
	}
}

// Memory that is switched off is off for the bot and not for the person.
func TestMemoryOff(t *testing.T) {
	l := newLab(t)
	if err := l.store.SetBot("scout", map[string]any{"memoryEnabled": false}); err != nil {
		t.Fatal(err)
	}
	_, err := l.w.Update(t.Context(), scout, policy.Update{Action: policy.Append, Text: "x"})
	l.refuses(err, ErrOff)
	l.must(l.w.Update(t.Context(), ada, policy.Update{Action: policy.Append, Text: "x"}))
}

// BUG-130: an id of one bot's change opens nothing in another's memory.
func TestFaultBUG130OtherBotsIDs(t *testing.T) {
	l := newLab(t)
	r := l.append("a's secret plan")
	l.create("b")
	l.append("b's note")
	before := l.text("MEMORY.md")
	for _, id := range []string{string(r.Change), r.Rows[0].ID, string(r.Change[:22]), r.Commit, r.Commit[:10], string(r.Change) + ".1"} {
		_, err := l.w.Show(t.Context(), id)
		l.refuses(err, ErrNotFound)
		_, err = l.w.Undo(t.Context(), ada, id, Revert)
		l.refuses(err, ErrNotFound)
		_, err = l.w.Undo(t.Context(), ada, id, Restore)
		l.refuses(err, ErrNotFound)
		_, err = l.w.At(t.Context(), "MEMORY.md", id)
		l.refuses(err, ErrNotFound)
		_, err = l.w.Diff(t.Context(), id, "", "")
		l.refuses(err, ErrNotFound)
		_, err = l.w.Diff(t.Context(), "HEAD", id, "")
		l.refuses(err, ErrNotFound)
		_, err = l.w.Restore(t.Context(), ada, "MEMORY.md", id)
		l.refuses(err, ErrNotFound)
		_, err = l.w.Journal(t.Context(), Query{Change: ChangeID(id)})
		l.refuses(err, ErrNotFound)
		_, err = l.w.Journal(t.Context(), Query{Before: ChangeID(id)})
		l.refuses(err, ErrNotFound)
	}
	if got := l.text("MEMORY.md"); got != before {
		t.Errorf("b's file is %q", got)
	}
	for _, id := range []ID{"a--member-p1", "@me", "..", "a/b", "", "A\x00"} {
		_, err := l.store.Open(t.Context(), id)
		if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrNotFound) {
			t.Errorf("open %q: %v", id, err)
		}
	}
}
