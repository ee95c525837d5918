package policy

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

func onDay(t testing.TB, s string) markdown.Date {
	t.Helper()
	d, ok := markdown.ParseDate(s)
	if !ok {
		t.Fatalf("no such day: %q", s)
	}
	return d
}

func notesOf(files map[string]string) Notes {
	n := Notes{Files: map[string][]byte{}}
	for _, path := range sortedKeys(files) {
		n.Files[path] = []byte(files[path])
		n.Order = append(n.Order, path)
	}
	return n
}

func textsOf(edits []Edit) map[string]string {
	out := map[string]string{}
	for _, e := range edits {
		out[e.Path] = string(e.Text)
	}
	return out
}

// tidy-07 and its kind: what ran out goes to the archive whole, with what it owns;
// of exact duplicates the newer stays.
func TestSweep(t *testing.T) {
	today := onDay(t, "2026-09-25")
	tests := []struct {
		name                string
		files, want         map[string]string
		expired, duplicates int
	}{
		{
			name: "a topic: expiry, and a duplicate of one fact",
			files: map[string]string{"memory/travel.md": "---\ntitle: travel\n---\n\n- 2026-09-01 · In Goa · until 2026-09-07\n" +
				"- 2026-09-02 · Likes window seats\n- 2026-09-03 · Likes window seats\n"},
			want: map[string]string{
				"memory/travel.md":  "---\ntitle: travel\n---\n\n- 2026-09-03 · Likes window seats\n",
				"memory/archive.md": "- 2026-09-01 · In Goa · until 2026-09-07 · expired 2026-09-25\n",
			},
			expired: 1, duplicates: 1,
		},
		{
			name: "an entry goes whole, and the last day still holds",
			files: map[string]string{"MEMORY.md": "# Memory\r\n- 2026-09-01 · Plan · until 2026-09-24\r\n  ```\r\n  a  b\r\n  ```\r\n" +
				"- 2026-09-01 · Exam · until 2026-09-25\r\nby hand\r\n"},
			want: map[string]string{
				"MEMORY.md":         "# Memory\r\n- 2026-09-01 · Exam · until 2026-09-25\r\nby hand\r\n",
				"memory/archive.md": "- 2026-09-01 · Plan · until 2026-09-24 · expired 2026-09-25\n  ```\n  a  b\n  ```\n",
			},
			expired: 1,
		},
		{
			name:  "of one day the lower line stays; older ones go, however many",
			files: map[string]string{"MEMORY.md": "- 2026-09-05 · Dog is Luna.\n- 2026-09-01 · Dog is Luna\n- 2026-09-05 · Dog  is Luna\n"},
			want:  map[string]string{"MEMORY.md": "- 2026-09-05 · Dog  is Luna\n"}, duplicates: 2,
		},
		{
			name: "nothing that differs in sign, case, digit or accent is a duplicate, nor one that ends, nor a struck one, nor code",
			files: map[string]string{"MEMORY.md": "- 2026-09-01 · Balance is -10\n- 2026-09-02 · Balance is 10\n- 2026-09-02 · Uses C++\n- 2026-09-02 · Uses C\n" +
				"- 2026-09-02 · 1.5\n- 2026-09-02 · 15\n- 2026-09-02 · deploy allowed\n- 2026-09-02 · deploy not allowed\n- 2026-09-02 · Zoë\n- 2026-09-02 · Zoe\n" +
				"- 2026-09-03 · In Goa\n- 2026-09-04 · In Goa · until 2026-10-01\n- 2026-09-03 · ~~Tea~~ · superseded 2026-09-04\n- 2026-09-03 · Tea\n" +
				"- 2026-09-03 · run\n  ```\n  if x:\n    y\n  ```\n- 2026-09-04 · run\n  ```\n  if x:\n  y\n  ```\n- by hand\n- by hand\n"},
			want: map[string]string{},
		},
		{
			name: "archive and logs are nobody's to tidy",
			files: map[string]string{
				"memory/archive.md": "- 2026-09-01 · a · until 2026-09-02\n- 2026-09-01 · b\n- 2026-09-01 · b\n", "memory/log/2026-09-10.md": "- 14:03 · a\n- 14:03 · a\n",
				"MEMORY.md": "- 2026-09-01 · b\n",
			},
			want: map[string]string{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := notesOf(tt.files)
			s := Sweep(n, today)
			if s.Expired != tt.expired || s.Duplicates != tt.duplicates {
				t.Errorf("expired %d, duplicates %d; want %d, %d", s.Expired, s.Duplicates, tt.expired, tt.duplicates)
			}
			c := Plan{Steps: s.Steps}.Carry(n, Limits{}, today)
			if diff := cmp.Diff(tt.want, textsOf(c.Edits)); diff != "" {
				t.Error(diff)
			}
			if len(c.Passed) > 0 || len(c.Done) != len(s.Steps) {
				t.Errorf("done %d of %d, passed %+v", len(c.Done), len(s.Steps), c.Passed)
			}
		})
	}
}

// A step is taken on what stands, or not at all.
func TestCarryChecksAgain(t *testing.T) {
	today := onDay(t, "2026-09-25")
	n := notesOf(map[string]string{"MEMORY.md": "- 2026-09-01 · Tea · until 2026-09-10\n- 2026-09-02 · Dog is Luna\n- 2026-09-03 · Dog is Luna\n- 2026-09-04 · Lives in A\n- 2026-09-05 · Lives in B\n"})
	steps := Sweep(n, today).Steps
	steps = append(steps, Step{Op: OpStrike, Path: MemoryFile, Line: 4, Raw: "- 2026-09-04 · Lives in A", Twin: "- 2026-09-05 · Lives in B"})
	for _, tt := range []struct {
		name, now, want string
		passed          []string
	}{
		{
			name: "a line was put on top", now: "by hand\n" + string(n.Files[MemoryFile]),
			want: "by hand\n- 2026-09-03 · Dog is Luna\n- 2026-09-04 · ~~Lives in A~~ · superseded 2026-09-25\n- 2026-09-05 · Lives in B\n",
		},
		{
			name: "the twin went, and the date was moved",
			now:  "- 2026-09-01 · Tea · until 2026-10-10\n- 2026-09-02 · Dog is Luna\n- 2026-09-04 · Lives in A\n- 2026-09-05 · Lives in C\n",
			want: "", passed: []string{"the entry has changed since", "no other entry says the same", "the entry that it contradicts has changed since"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Plan{Steps: steps}.Carry(notesOf(map[string]string{"MEMORY.md": tt.now}), Limits{}, today)
			var passed []string
			for _, p := range c.Passed {
				passed = append(passed, p.Why)
			}
			if diff := cmp.Diff(tt.passed, passed); diff != "" {
				t.Error(diff)
			}
			if got := textsOf(c.Edits)[MemoryFile]; got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Filing moves the entry as it stands, makes the topic, and drops what the topic says
// already; the archive is never planned from.
func TestCarryFiles(t *testing.T) {
	today := onDay(t, "2026-09-25")
	n := notesOf(map[string]string{
		"MEMORY.md":      "# Memory\n- 2026-09-01 · from chat \"A\" (noticed) · Loves pasta\n  with basil\n- 2026-09-02 · Kim likes tea\n- 2026-09-03 · stays\n",
		"memory/Food.md": "notes on food", "memory/kim.md": "- 2026-09-01 · Kim likes tea.\n",
	})
	list := Unfiled(n.Files[MemoryFile], func(Statement) bool { return false }, today)
	moves, err := ParseMoves("```json\n{\"moves\":[{\"i\":0,\"topic\":\"food\",\"aliases\":[\"restaurants\"]},{\"i\":1,\"topic\":\"Kim.md\"}]}\n```", len(list))
	if err != nil {
		t.Fatal(err)
	}
	f := PlanMoves(list, moves, n.Order)
	if len(f.Core) != 1 || f.Core[0].Text != "stays" {
		t.Errorf("core %+v", f.Core)
	}
	c := Plan{Steps: f.Steps}.Carry(n, Limits{}, today)
	want := map[string]string{
		"MEMORY.md":      "# Memory\n- 2026-09-03 · stays\n",
		"memory/Food.md": "---\ntitle: Food\naliases: [restaurants]\n---\n\nnotes on food\n- 2026-09-01 · from chat \"A\" (noticed) · Loves pasta\n  with basil\n",
	}
	if diff := cmp.Diff(want, textsOf(c.Edits)); diff != "" {
		t.Error(diff)
	}
}

// No plan, whoever made it, loses a text: what stood in MEMORY.md and the topics is
// in them or in the archive afterwards, or the same fact is; and hand-written lines
// stay where they are.
func TestNoPlanLosesAText(t *testing.T) {
	today := onDay(t, "2026-09-25")
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.Custom(func(rt *rapid.T) string {
			day := rapid.IntRange(1, 28).Draw(rt, "day")
			fact := fmt.Sprintf("fact %d", rapid.IntRange(0, 9).Draw(rt, "fact"))
			return rapid.SampledFrom([]string{
				fmt.Sprintf("- 2026-09-%02d · %s", day, fact), fmt.Sprintf("- 2026-09-%02d · %s · until 2026-09-%02d", day, fact, day),
				fmt.Sprintf("- 2026-09-%02d · ~~%s~~ · superseded 2026-09-20", day, fact), fmt.Sprintf("- 2026-09-%02d · %s\n  owned\n  ```\n  code\n  ```", day, fact),
				"by hand", "", "# heading", "```", "~~~", "- " + fact,
			}).Draw(rt, "line")
		})
		text := func(name string) string { return strings.Join(rapid.SliceOfN(line, 0, 12).Draw(rt, name), "\n") + "\n" }
		n := notesOf(map[string]string{"MEMORY.md": text("memory"), "memory/a.md": text("topic"), "memory/archive.md": text("archive")})
		var raws []Step
		for _, path := range n.Order {
			for _, u := range markdown.Parse(path, n.Files[path]).Units() {
				raws = append(raws, Step{Path: path, Line: u.Line, Raw: plainRaw(u)})
			}
		}
		var p Plan
		for range rapid.IntRange(0, 20).Draw(rt, "steps") {
			s := rapid.SampledFrom(raws).Draw(rt, "entry")
			s.Op = rapid.SampledFrom([]Op{OpArchive, OpDrop, OpStrike, OpFile, "burn"}).Draw(rt, "op")
			s.Twin = rapid.SampledFrom(raws).Draw(rt, "twin").Raw
			s.Rest = rapid.SampledFrom([]string{"", "rest", "~~x"}).Draw(rt, "rest")
			s.To = rapid.SampledFrom([]string{"memory/a.md", "memory/new.md", "MEMORY.md", "memory/archive.md", "../x"}).Draw(rt, "to")
			p.Steps = append(p.Steps, s)
		}
		l := Limits{Lines: rapid.IntRange(1, 20).Draw(rt, "lines")}
		c := p.Carry(n, l, today)
		if len(c.Done)+len(c.Passed) != len(p.Steps) {
			rt.Errorf("%d steps, %d done, %d passed", len(p.Steps), len(c.Done), len(c.Passed))
		}
		holdsAll(rt, n, c)
	})
}

func holdsAll(t *rapid.T, before Notes, c Carried) {
	after := map[string][]byte{}
	maps.Copy(after, before.Files)
	for _, e := range c.Edits {
		if _, err := CheckPath(e.Path); err != nil {
			t.Errorf("wrote %s", e.Path)
		}
		after[e.Path] = e.Text
	}
	facts, lines := map[string]bool{}, map[string]int{}
	for _, text := range after {
		for _, u := range markdown.Parse("", text).Units() {
			if u.Entry != nil {
				facts[markdown.Identity(u.Entry.Text)] = true
			} else {
				lines[string(u.Raw)]++
			}
		}
	}
	for path, text := range before.Files {
		for _, u := range markdown.Parse("", text).Units() {
			switch {
			case u.Entry != nil && !facts[markdown.Identity(u.Entry.Text)]:
				t.Errorf("%s: %q is gone\nafter %q", path, u.Raw, after)
			case u.Entry == nil && u.Kind == markdown.KindLine && lines[string(u.Raw)] == 0:
				t.Errorf("%s: the line %q is gone", path, u.Raw)
			}
		}
	}
}

// Of two that say the same and are contradicted together one goes and one is struck:
// what is not true any more stays alive nowhere.
func TestCarryDropsBesideAStrike(t *testing.T) {
	today := onDay(t, "2026-09-25")
	older, newer, now := "- 2026-09-01 · Lives in Rome", "- 2026-09-02 · Lives in Rome", "- 2026-09-03 · Lives in Bari"
	n := notesOf(map[string]string{"memory/home.md": older + "\n" + newer + "\n" + now + "\n"})
	got := Plan{Steps: []Step{
		{Op: OpDrop, Path: "memory/home.md", Line: 1, Raw: older, Twin: newer},
		{Op: OpStrike, Path: "memory/home.md", Line: 2, Raw: newer, Twin: now},
	}}.Carry(n, Limits{}, today)
	if len(got.Passed) != 0 {
		t.Errorf("passed over: %+v", got.Passed)
	}
	text := textsOf(got.Edits)["memory/home.md"]
	if strings.Contains(text, older) || !strings.Contains(text, "~~Lives in Rome~~") || !strings.Contains(text, now) {
		t.Errorf("%q", text)
	}
}
