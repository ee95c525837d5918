package policy

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

func today(t testing.TB) markdown.Date {
	t.Helper()
	d, ok := markdown.ParseDate("2026-09-20")
	if !ok {
		t.Fatal("no date")
	}
	return d
}

func notes(pairs ...string) Notes {
	n := Notes{Files: map[string][]byte{}}
	for i := 0; i < len(pairs); i += 2 {
		n.Files[pairs[i]] = []byte(pairs[i+1])
		n.Order = append(n.Order, pairs[i])
	}
	return n
}

func memory(text string) Notes { return notes(MemoryFile, text) }

const entryA = "- 2026-09-10 · from chat \"Setup\" · Office: City A\n"

func TestPlan(t *testing.T) {
	long := "Snippet\n```\n" + strings.Repeat("x\n", 18) + "```"
	tests := []struct {
		name   string
		notes  Notes
		update Update
		want   string // the whole text of path
		path   string // MEMORY.md when empty
		code   Code
		reason string
	}{
		{
			name:   "append ends a last line that was open",
			notes:  memory("- Edited by the user"),
			update: Update{Action: Append, Text: "Another fact", Source: `chat "Setup"`},
			want:   "- Edited by the user\n- 2026-09-20 · from chat \"Setup\" · Another fact\n",
		},
		{
			name:   "append to nothing",
			update: Update{Action: Append, Text: "Likes tea", Until: "2026-09-20"},
			want:   "- 2026-09-20 · Likes tea · until 2026-09-20\n",
		},
		{
			name:   "append after the seed",
			notes:  memory(Seed),
			update: Update{Action: Append, Text: "Likes tea"},
			want:   "# Memory\n\n- 2026-09-20 · Likes tea\n",
		},
		{
			name:   "append keeps line ends",
			notes:  memory("\ufeff# M\r\n- x\r\n"),
			update: Update{Action: Append, Text: "Likes tea", Noticed: true, Source: `room "Launch"`},
			want:   "\ufeff# M\r\n- x\r\n- 2026-09-20 · from room \"Launch\" (noticed) · Likes tea\r\n",
		},
		{
			name:   "append to a new topic",
			notes:  memory("- x\n"),
			update: Update{Action: Append, Text: "Likes tea", Topic: "Food & Drink"},
			path:   "memory/food-drink.md",
			want:   "---\ntitle: food drink\n---\n\n- 2026-09-20 · Likes tea\n",
		},
		{
			name:   "append to a topic that differs in case",
			notes:  notes(MemoryFile, "", "memory/Food.md", "# Food\n"),
			update: Update{Action: Append, Text: "Likes tea", Topic: "food"},
			path:   "memory/Food.md",
			want:   "# Food\n- 2026-09-20 · Likes tea\n",
		},
		{
			name:   "append what was struck",
			notes:  memory("- 2026-09-10 · ~~Likes tea~~ · superseded 2026-09-11\n"),
			update: Update{Action: Append, Text: "Likes tea"},
			want:   "- 2026-09-10 · ~~Likes tea~~ · superseded 2026-09-11\n- 2026-09-20 · Likes tea\n",
		},
		{
			name:   "append what has run out",
			notes:  memory("- 2026-09-10 · Exams · until 2026-09-14\n"),
			update: Update{Action: Append, Text: "Exams", Until: "2026-10-01"},
			want:   "- 2026-09-10 · Exams · until 2026-09-14\n- 2026-09-20 · Exams · until 2026-10-01\n",
		},
		{
			name:   "append a credential",
			notes:  memory("# M\n"),
			update: Update{Action: Append, Text: "password: hunter22"},
			want:   "# M\n- 2026-09-20 · password: «redacted 8 chars»\n",
		},
		{name: "append blank", update: Update{Action: Append, Text: " "}, code: Invalid},
		{name: "append nothing", update: Update{Action: Append}, code: Invalid},
		{name: "append with oldText", update: Update{Action: Append, Text: "x", OldTextSet: true}, code: Invalid},
		{name: "append to the archive", update: Update{Action: Append, Text: "x", Topic: "Archive"}, code: Invalid},
		{name: "append to a secret topic", update: Update{Action: Append, Text: "x", Topic: "ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"}, code: Refused},
		{name: "append too long", update: Update{Action: Append, Text: strings.Repeat("x", 1001)}, code: Invalid, reason: "1001 characters"},
		{name: "append just fits", update: Update{Action: Append, Text: strings.Repeat("x", 1000)}, want: "- 2026-09-20 · " + strings.Repeat("x", 1000) + "\n"},
		{name: "append too many lines", update: Update{Action: Append, Text: long}, code: Invalid, reason: "21 lines"},
		{name: "append until words", update: Update{Action: Append, Text: "x", Until: "tomorrow"}, code: Invalid},
		{name: "append until no day", update: Update{Action: Append, Text: "x", Until: "2026-02-30"}, code: Invalid},
		{name: "append until the past", update: Update{Action: Append, Text: "x", Until: "2026-09-19"}, code: Invalid, reason: "in the past"},
		{name: "append to a full file", notes: memory(strings.Repeat("x", MaxFileBytes)), update: Update{Action: Append, Text: "x"}, code: Refused},
		{name: "unknown action", update: Update{Action: "forget", Text: "x"}, code: Invalid},
		{
			name:   "replace in an entry",
			notes:  memory("- 2026-09-10 · from chat \"Setup\" · Preferred package manager: npm\n"),
			update: Update{Action: Replace, OldText: "manager: npm", Text: "manager: pnpm"},
			want:   "- 2026-09-10 · from chat \"Setup\" · Preferred package manager: pnpm · updated 2026-09-20\n",
		},
		{
			name:   "replace with a typed prefix",
			notes:  memory("- 2026-09-10 · from chat \"Setup\" · Timezone: CET · updated 2026-09-11\n"),
			update: Update{Action: Replace, OldText: "Timezone: CET · updated 2026-09-11", Text: "- 2026-09-11 · from room \"Ops\" · Timezone: UTC"},
			want:   "- 2026-09-10 · from chat \"Setup\" · Timezone: UTC · updated 2026-09-20\n",
		},
		{
			name:   "replace a whole line keeps date, source and end",
			notes:  memory("- 2026-09-10 · from chat \"Setup\" · Exams · until 2026-10-14\n"),
			update: Update{Action: Replace, OldText: "- 2026-09-10 · from chat \"Setup\" · Exams · until 2026-10-14", Text: "Final exams"},
			want:   "- 2026-09-10 · from chat \"Setup\" · Final exams · updated 2026-09-20 · until 2026-10-14\n",
		},
		{
			name:   "replace the end date",
			notes:  memory("- 2026-09-10 · Exams · until 2026-10-14\n"),
			update: Update{Action: Replace, OldText: "until 2026-10-14", Text: "until 2026-10-20"},
			want:   "- 2026-09-10 · Exams · updated 2026-09-20 · until 2026-10-20\n",
		},
		{
			name:   "replace in a bracketed entry",
			notes:  memory("- Lives in Austin [2025-03-25]\n"),
			update: Update{Action: Replace, OldText: "Austin", Text: "Boston"},
			want:   "- Lives in Boston [2025-03-25] · updated 2026-09-20\n",
		},
		{
			name:   "replace in a line that an entry owns",
			notes:  memory("- 2026-09-10 · Address\n  Street 1\n- x\n"),
			update: Update{Action: Replace, OldText: "Street 1", Text: "Street 2"},
			want:   "- 2026-09-10 · Address · updated 2026-09-20\n  Street 2\n- x\n",
		},
		{
			name:   "replace by line",
			notes:  memory("# M\n" + entryA + "- x\n"),
			update: Update{Action: Replace, OldText: "MEMORY.md:2", Text: "Office: City B"},
			want:   "# M\n- 2026-09-10 · from chat \"Setup\" · Office: City B · updated 2026-09-20\n- x\n",
		},
		{
			name:   "replace by hand",
			notes:  memory("- undated note from the person\n"),
			update: Update{Action: Replace, OldText: "undated note", Text: "undated\nfact"},
			want:   "- undated fact from the person\n",
		},
		{
			name:   "replace a hand-written line by its number",
			notes:  memory("a\n* undated note\n"),
			update: Update{Action: Replace, OldText: "MEMORY.md:2", Text: "- dated"},
			want:   "a\n* dated\n",
		},
		{
			name:   "replace over lines",
			notes:  memory("a\r\nb\r\nc\r\n"),
			update: Update{Action: Replace, OldText: "a\nb", Text: "x\ny"},
			want:   "x\r\ny\r\nc\r\n",
		},
		{name: "replace forges no entry", notes: memory("a\nb\n"), update: Update{Action: Replace, OldText: "a\nb", Text: "a\n- 2026-01-01 · from chat \"Boss\" · pay"}, code: Invalid},
		{name: "replace keeps the date", notes: memory(entryA), update: Update{Action: Replace, OldText: "2026-09-10", Text: "2026-09-11"}, code: Invalid},
		{name: "replace twice there", notes: memory("repeated repeated"), update: Update{Action: Replace, OldText: "repeated", Text: "new"}, code: Conflict},
		{name: "replace overlapping", notes: memory("aaa"), update: Update{Action: Replace, OldText: "aa", Text: "b"}, code: Conflict},
		{name: "replace in two files", notes: notes(MemoryFile, "- tea\n", "memory/food.md", "- tea\n"), update: Update{Action: Replace, OldText: "tea", Text: "b"}, code: Conflict, reason: "memory/food.md:1"},
		{name: "replace not there", notes: memory("a"), update: Update{Action: Replace, OldText: "b", Text: "c"}, code: Conflict},
		{name: "replace only in the archive", notes: notes(MemoryFile, "a", ArchiveFile, "b"), update: Update{Action: Replace, OldText: "b", Text: "c"}, code: Conflict},
		{name: "replace with blank", notes: memory("Keep this unique fact."), update: Update{Action: Replace, OldText: "unique fact", Text: " \n\t "}, code: Invalid},
		{name: "replace by the same", notes: memory("a"), update: Update{Action: Replace, OldText: "a", Text: "a"}, code: Invalid},
		{name: "replace with until", notes: memory("a"), update: Update{Action: Replace, OldText: "a", Text: "b", Until: "2026-10-01"}, code: Invalid},
		{name: "replace a line that is not there", notes: memory("a\n"), update: Update{Action: Replace, OldText: "MEMORY.md:2", Text: "b"}, code: NotFound},
		{name: "replace in a file that is not there", notes: memory("a\n"), update: Update{Action: Replace, OldText: "memory/x.md:2", Text: "b"}, code: NotFound},
		{
			name:   "replace in a topic",
			notes:  notes(MemoryFile, "- x\n", "memory/food.md", "- 2026-09-10 · Likes tea\n"),
			update: Update{Action: Replace, OldText: "tea", Text: "mate"},
			path:   "memory/food.md",
			want:   "- 2026-09-10 · Likes mate · updated 2026-09-20\n",
		},
		{
			name:   "remove a whole entry line",
			notes:  memory("- 2026-09-10 · from chat \"Setup\" · Shipping day: Friday\n- 2026-09-10 · keep\n"),
			update: Update{Action: Remove, OldText: "- 2026-09-10 · from chat \"Setup\" · Shipping day: Friday"},
			want:   "- 2026-09-10 · keep\n",
		},
		{
			name:   "remove takes owned lines along",
			notes:  memory("- 2026-09-10 · Snippet\n  ```\n  x\n  ```\n- 2026-09-10 · keep\n"),
			update: Update{Action: Remove, OldText: "- 2026-09-10 · Snippet"},
			want:   "- 2026-09-10 · keep\n",
		},
		{
			name:   "remove all of a fact",
			notes:  memory(entryA + "- x\n"),
			update: Update{Action: Remove, OldText: "Office: City A"},
			want:   "- x\n",
		},
		{
			name:   "remove a part",
			notes:  memory("- 2026-09-10 · Likes tea and mate\n"),
			update: Update{Action: Remove, OldText: " and mate"},
			want:   "- 2026-09-10 · Likes tea\n",
		},
		{
			name:   "remove a paragraph",
			notes:  memory("a\r\nplain words\r\nb\r\n"),
			update: Update{Action: Remove, OldText: "plain words"},
			want:   "a\r\nb\r\n",
		},
		{
			name:   "remove by line",
			notes:  memory("a\n- 2026-09-10 · x\n  y\nb\n"),
			update: Update{Action: Remove, OldText: "MEMORY.md:3"},
			want:   "a\nb\n",
		},
		{
			name:   "remove lines",
			notes:  memory("a\n- 2026-09-10 · x\n- 2026-09-11 · y\n  z\nb\n"),
			update: Update{Action: Remove, OldText: "- 2026-09-10 · x\n- 2026-09-11 · y"},
			want:   "a\nb\n",
		},
		{name: "remove with text", notes: memory("x"), update: Update{Action: Remove, OldText: "x", Text: "unexpected"}, code: Invalid},
		{
			name:   "supersede an entry",
			notes:  memory(entryA + "- last\n"),
			update: Update{Action: Supersede, OldText: "Office: City A", Text: "Office: City B", Source: `chat "Move"`},
			want:   "- 2026-09-10 · from chat \"Setup\" · ~~Office: City A~~ · superseded 2026-09-20\n- last\n- 2026-09-20 · from chat \"Move\" · Office: City B\n",
		},
		{
			name:   "supersede a hand-written bullet",
			notes:  memory("- Old office: City P\n"),
			update: Update{Action: Supersede, OldText: "office: City P", Text: "office: City Q", Source: `chat "Move"`},
			want:   "- ~~Old office: City P~~ · superseded 2026-09-20\n- 2026-09-20 · from chat \"Move\" · office: City Q\n",
		},
		{
			name:   "supersede prose",
			notes:  memory("plain paragraph\n"),
			update: Update{Action: Supersede, OldText: "plain paragraph", Text: "plain fact"},
			want:   "~~plain paragraph~~ · superseded 2026-09-20\n- 2026-09-20 · plain fact\n",
		},
		{name: "supersede twice", notes: memory("- 2026-09-10 · ~~Office: City A~~ · superseded 2026-09-20\n"), update: Update{Action: Supersede, OldText: "Office: City A", Text: "Office: City C"}, code: Conflict},
		{name: "supersede over lines", notes: memory("- 2026-09-10 · a\n- 2026-09-10 · b\n"), update: Update{Action: Supersede, OldText: "a\n- 2026-09-10", Text: "x"}, code: Invalid},
		{name: "supersede a heading", notes: memory("# Food\n"), update: Update{Action: Supersede, OldText: "Food", Text: "x"}, code: Invalid},
	}
	red := NewRedactor()
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			path := tc.path
			if path == "" {
				path = MemoryFile
			}
			out, err := tc.update.Plan(tc.notes, today(t), red)
			var refusal *Refusal
			if tc.code != "" {
				if !errors.As(err, &refusal) || refusal.Code != tc.code || !strings.Contains(refusal.Reason, tc.reason) {
					t.Fatalf("got %v, want %s %q", err, tc.code, tc.reason)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, e := range out.Edits {
				got[e.Path] = string(e.Text)
			}
			if diff := cmp.Diff(map[string]string{path: tc.want}, got); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			if tc.update.Action != Remove && !strings.Contains(strings.ReplaceAll(tc.want, "\r\n", "\n"), out.Entry) {
				t.Errorf("entry %q is not in %q", out.Entry, tc.want)
			}
		})
	}
}

func TestPlanKnown(t *testing.T) {
	tests := []struct{ name, memory, text string }{
		{"the same words", entryA, "Office: City A"},
		{"a full stop and blanks", entryA, "-  Office:  City A. "},
		{"redacted before it is compared", "- 2026-09-10 · password: «redacted 8 chars»\n", "password: hunter22"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			out, err := Update{Action: Append, Text: tc.text, Source: "x"}.Plan(memory(tc.memory), today(t), NewRedactor())
			if err != nil {
				t.Fatal(err)
			}
			if !out.Known || out.Edits != nil || out.Entry != strings.TrimSpace(tc.memory) {
				t.Errorf("got %+v, want it known and quoted", out)
			}
		})
	}
}

func TestPlanRedacts(t *testing.T) {
	token := "ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2"
	red, day := NewRedactor(), today(t)
	for _, u := range []Update{
		{Action: Append, Text: "x " + token},
		{Action: Append, Text: "x", Source: "chat " + token},
		{Action: Append, Text: token},
		{Action: Append, Text: "password:\nhunter22 " + token},
		{Action: Replace, OldText: "tea", Text: token},
		{Action: Replace, OldText: "hand", Text: token},
		{Action: Supersede, OldText: "tea", Text: token},
	} {
		out, err := u.Plan(memory("- 2026-09-10 · likes tea\nhand\n"), day, red)
		if err != nil {
			t.Fatal(err)
		}
		text := string(out.Edits[0].Text)
		if strings.Contains(text, token) || strings.Contains(text, "hunter22") || out.Redacted == 0 {
			t.Errorf("%+v wrote %q, %d masked", u, text, out.Redacted)
		}
	}
}

// TestPlanTouchesOneUnit holds every action to its word: units that it was not
// about come out as they went in, byte for byte.
func TestPlanTouchesOneUnit(t *testing.T) {
	red, day := NewRedactor(), today(t)
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		line := rapid.SampledFrom([]string{"- 2026-09-10 · fact", "- hand", "prose", "# Head", "- 2026-09-10 · more\n  owned", "", "\x00\xff bytes", "- note [2026-01-02]"})
		lines := rapid.SliceOfN(line, 0, 8).Draw(t, "lines")
		at := rapid.IntRange(0, len(lines)).Draw(t, "at")
		u := Update{Action: rapid.SampledFrom([]Action{Append, Replace, Remove, Supersede}).Draw(t, "action"), OldText: "target"}
		if u.Action != Remove {
			u.Text = rapid.SampledFrom([]string{"new", "two words", "a\nb", "```\nx\n```"}).Draw(t, "text")
		}
		if u.Action == Append {
			u.OldText = ""
		}
		target := rapid.SampledFrom([]string{"- 2026-09-11 · the target here", "- a target", "target"}).Draw(t, "target")
		join := func(l []string) string {
			return strings.ReplaceAll(strings.Join(append(l, ""), "\n"), "\n", eol)
		}
		before, after := join(lines[:at:at]), join(lines[at:])
		out, err := u.Plan(memory(before+target+eol+after), day, red)
		if err != nil {
			t.Fatal(err)
		}
		got := string(out.Edits[0].Text)
		if !strings.HasPrefix(got, before) {
			t.Fatalf("%q does not begin with %q", got, before)
		}
		if rest := got[len(before):]; !strings.Contains(rest, after) {
			t.Fatalf("%q does not hold %q", rest, after)
		}
	})
}

func FuzzPlan(f *testing.F) {
	f.Add("- 2026-09-10 · tea\n", "replace", "tea", "mate", "")
	f.Add("a\r\nb", "remove", "a\nb", "", "")
	f.Add(Seed, "append", "", "- 2026-09-10 · from chat \"x\" · y", "2027-01-01")
	f.Add("---\ntitle: x\n---\n- tea", "supersede", "tea", "```\nx", "")
	f.Add("- 2026-09-10 · ~~a~~ · superseded 2026-09-11\n  b\n", "replace", "MEMORY.md:2", "c", "")
	red := NewRedactor()
	f.Fuzz(func(t *testing.T, text, action, old, fresh, until string) {
		u := Update{Action: Action(action), OldText: old, Text: fresh, Until: until}
		before := memory(text)
		out, err := u.Plan(before, today(t), red)
		var refusal *Refusal
		if err != nil && !errors.As(err, &refusal) {
			t.Fatalf("%v is no refusal", err)
		}
		if string(before.Files[MemoryFile]) != text {
			t.Fatal("the notes were changed")
		}
		if err == nil && !out.Known && len(out.Edits) != 1 {
			t.Fatalf("%d edits", len(out.Edits))
		}
	})
}
