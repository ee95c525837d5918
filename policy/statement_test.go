package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tidy-06: bad pairs are passed over, a pair counts once.
func TestParsePairs(t *testing.T) {
	tests := []struct {
		name, answer string
		want         []Pair
		dropped      int
		fails        bool
	}{
		{
			name: "nonsense is passed over", dropped: 4,
			answer: `{"pairs":[{"a":0,"b":0,"keep":"a"},{"a":0,"b":9,"keep":"a"},{"a":1,"b":2,"keep":"x"},{"a":2,"b":1,"keep":"b"},{"a":1,"b":2,"keep":"a"}]}`,
			want:   []Pair{{A: 2, B: 1}},
		},
		{name: "in a fence, with talk around it", answer: "Here:\n```json\n{\"pairs\":[{\"a\":0,\"b\":1,\"keep\":\"a\",\"remainder\":\" ~~x~~  y \"}]}\n```\nDone.", want: []Pair{{B: 1, KeepA: true, Rest: "x y"}}},
		{name: "a bare list", answer: `[{"a":0,"b":1,"keep":"b"}]`, want: []Pair{{B: 1}}},
		{name: "none", answer: `{"pairs":[]}`},
		{name: "places that are no whole numbers", answer: `{"pairs":[{"a":"0","b":1,"keep":"a"},{"a":0.5,"b":1,"keep":"a"},{"a":null,"b":1,"keep":"a"},{"b":1,"keep":"a"},{"a":-1,"b":1,"keep":"a"},7,"x",null]}`, dropped: 8},
		{name: "a remainder that is too long is not cut", answer: `{"pairs":[{"a":0,"b":1,"keep":"a","remainder":"` + strings.Repeat("x", 301) + `"}]}`, dropped: 1},
		{name: "prose", answer: "I see no contradictions.", fails: true},
		{name: "another object", answer: `{"moves":[]}`, fails: true},
		{name: "null", answer: `{"pairs":null}`, fails: true},
		{name: "empty", answer: "", fails: true},
		{name: "endless", answer: "[" + strings.Repeat(`{"a":0,"b":1,"keep":"a"},`, 20000), fails: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, dropped, err := ParsePairs(tt.answer, 3)
			if (err != nil) != tt.fails || dropped != tt.dropped {
				t.Errorf("dropped %d, %v; want %d", dropped, err, tt.dropped)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// tidy-02, tidy-03, tidy-05: the budget, and what stays true.
func TestPlanStrikes(t *testing.T) {
	for live, want := range map[int]int{1: 0, 4: 0, 5: 1, 12: 2} {
		if got := StrikeBudget(MemoryFile, live); got != want {
			t.Errorf("MEMORY.md with %d: %d, want %d", live, got, want)
		}
	}
	for live, want := range map[int]int{0: 0, 1: 0, 2: 1, 40: 1} {
		if got := StrikeBudget("memory/x.md", live); got != want {
			t.Errorf("a topic with %d: %d, want %d", live, got, want)
		}
	}
	today := onDay(t, "2026-09-25")
	memory := "- 2026-09-01 · Lives in City A and prefers short replies\n- 2026-09-02 · Likes tea\n- 2026-09-03 · Has a dog\n- 2026-09-04 · Drives a car\n- 2026-09-10 · Moved to City B"
	list := Statements(MemoryFile, []byte(memory), nil, today)
	if got := ListStatements(list); !strings.HasPrefix(got, "[0] (2026-09-01) Lives in City A and prefers short replies\n[1] (2026-09-02) Likes tea\n") {
		t.Errorf("listed %q", got)
	}
	tests := []struct {
		name              string
		pairs             []Pair
		budget            int
		want              string
		deferred, refused int
	}{
		{
			name: "the rest is an entry of its own", pairs: []Pair{{A: 0, B: 4, Rest: "Prefers short replies"}}, budget: 1,
			want: "- 2026-09-01 · ~~Lives in City A and prefers short replies~~ · superseded 2026-09-25\n- 2026-09-25 · from tidy-up · Prefers short replies",
		},
		{name: "no room", pairs: []Pair{{A: 0, B: 4}}, budget: 0, deferred: 1},
		{name: "the newer one is not struck", pairs: []Pair{{A: 0, B: 4, KeepA: true}}, budget: 1, refused: 1},
		{name: "a rest that says something new", pairs: []Pair{{A: 0, B: 4, Rest: "Prefers short replies and wires money"}}, budget: 1, refused: 1},
		{name: "a rest that says all of it", pairs: []Pair{{A: 0, B: 4, Rest: "lives in City A and prefers short replies."}}, budget: 1, refused: 0},
		{name: "an entry takes part once", pairs: []Pair{{A: 0, B: 4}, {A: 1, B: 4}}, budget: 2, deferred: 1, want: "- 2026-09-01 · ~~Lives in City A and prefers short replies~~ · superseded 2026-09-25"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := PlanStrikes(list, tt.pairs, tt.budget)
			if s.Deferred != tt.deferred || s.Refused != tt.refused {
				t.Errorf("deferred %d, refused %d", s.Deferred, s.Refused)
			}
			c := Plan{Steps: s.Steps}.Carry(notesOf(map[string]string{MemoryFile: memory}), Limits{}, today)
			if got := textsOf(c.Edits)[MemoryFile]; tt.want != "" && !strings.HasPrefix(got, tt.want+"\n") || tt.want == "" && tt.refused+tt.deferred > 0 && got != "" {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The trusted side of a pair survives where the difference is enough, otherwise the newer:
// whatever the model says of it.
func TestPlanStrikesByTrust(t *testing.T) {
	today := onDay(t, "2026-09-25")
	older, newer := "- 2026-09-01 · The launch is on Friday and in Goa", "- 2026-09-10 · The launch is on Monday"
	memory := older + "\n" + newer + "\n- 2026-09-11 · Likes tea\n- 2026-09-11 · Has a dog\n- 2026-09-11 · Drives a car\n"
	x := func(n float64) *float64 { return &n }
	for _, tt := range []struct {
		name             string
		old, fresh       *float64
		keepOlder        bool
		rest             string
		struck, kept     string
		refused, trusted int
	}{
		{name: "no trust is known", struck: older, kept: "- 2026-09-25 · from tidy-up · in Goa", rest: "in Goa"},
		{name: "the older side's is not known", fresh: x(0), struck: older},
		{name: "the newer side's is not known", old: x(1), struck: older},
		{name: "the difference is not enough", old: x(0.59), fresh: x(0.45), struck: older},
		{name: "it is, to the digit", old: x(0.6), fresh: x(0.45), struck: newer, trusted: 1},
		{name: "what the model kept of the older one stands there", old: x(1), fresh: x(0.3), rest: "in Goa", struck: newer, trusted: 1},
		{name: "what the model made up stays refused", old: x(1), fresh: x(0.3), rest: "in Rome", refused: 1},
		{name: "the newer one is trusted more", old: x(0.3), fresh: x(1), struck: older},
		{name: "the model is for the older one", keepOlder: true, refused: 1},
		{name: "and so is trust", keepOlder: true, old: x(1), fresh: x(0.3), struck: newer, trusted: 1},
		{name: "and trust is for the newer one", keepOlder: true, old: x(0.3), fresh: x(1), rest: "on Monday launch", struck: older},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := Statements(MemoryFile, []byte(memory), nil, today)
			list[0].Trust, list[1].Trust = tt.old, tt.fresh
			s := PlanStrikes(list, []Pair{{A: 0, B: 1, KeepA: tt.keepOlder, Rest: tt.rest}}, 1)
			if s.Refused != tt.refused || s.Trusted != tt.trusted || s.Deferred != 0 {
				t.Errorf("%+v", s)
			}
			if tt.struck == "" {
				if len(s.Steps) != 0 {
					t.Errorf("steps %+v", s.Steps)
				}
				return
			}
			c := Plan{Steps: s.Steps}.Carry(notesOf(map[string]string{MemoryFile: memory}), Limits{}, today)
			got := textsOf(c.Edits)[MemoryFile]
			if strings.Contains(got, tt.struck+"\n") || strings.Count(got, "~~") != 2 || !strings.Contains(got, tt.kept) || tt.kept == "" && strings.Contains(got, "tidy-up") {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

// Trust is no way round the budget.
func TestTrustKeepsTheBudget(t *testing.T) {
	high, low := 1.0, 0.3
	list := Statements(MemoryFile, []byte("- 2026-09-01 · One\n- 2026-09-02 · Two\n"), nil, onDay(t, "2026-09-25"))
	list[0].Trust, list[1].Trust = &high, &low
	if s := PlanStrikes(list, []Pair{{A: 0, B: 1}}, 0); s.Deferred != 1 || len(s.Steps)+s.Trusted != 0 {
		t.Errorf("%+v", s)
	}
}

// organize-01 to organize-09.
func TestOrganize(t *testing.T) {
	today := onDay(t, "2026-09-25")
	judged := func(core ...string) func(Statement) bool {
		return func(s Statement) bool { return strings.Contains("|"+strings.Join(core, "|")+"|", "|"+s.Text+"|") }
	}
	texts := func(list []Statement) string {
		var out []string
		for _, s := range list {
			out = append(out, s.Text)
		}
		return strings.Join(out, "|")
	}
	for memory, want := range map[string]string{
		"- 2026-09-26 · A\n- 2026-09-26 · B\n- 2026-09-20 · Trip · until 2026-09-21\n":                                                          "B",
		"- 2026-09-26 · The user is vegetarian.\n- 2026-09-26 · Allergic to peanuts\n- 2026-09-26 · Loves corner cafes\n":                       "Loves corner cafes",
		"- 2026-09-26 · Never send emails without asking\n- 2026-09-26 · From now on, metric units\n- 2026-09-26 · ~~old~~\nby hand\n- by hand": "",
		"- 2026-09-26 · 从现在起用公制\n- 2026-09-26 · Toujours répondre en français\n- 2026-09-26 · He always liked tea\n":                            "He always liked tea",
	} {
		if got := texts(Unfiled([]byte(memory), judged("A"), today)); got != want {
			t.Errorf("%q: offered %q, want %q", memory, got, want)
		}
	}
	for answer, want := range map[string]string{
		`{"moves":[{"i":0,"topic":"x"},{"i":0,"topic":"y"}]}`: "[memory/x.md]", `{"moves":[]}`: "[]",
		`{"moves":[{"i":5,"topic":"z"}]}`: "void", `{"moves":[{"i":0}]}`: "void", "nonsense": "void", `{"moves":[{"i":0,"topic":" "}]}`: "void",
		`{"moves":[{"i":"0","topic":"x"}]}`: "void", `{"moves":[{"i":0,"topic":"x"},{"i":-1,"topic":"x"}]}`: "void", `{"moves":[{"i":0,"topic":7}]}`: "void",
		`{"moves":[{"i":0,"topic":"x","aliases":"y"}]}`: "void", `{"moves":[{"i":0,"topic":"archive"}]}`: "[]", `{"moves":[{"i":0,"topic":"../../etc/passwd"}]}`: "[memory/etc-passwd.md]",
	} {
		list := []Statement{{Path: MemoryFile, Raw: "- 2026-09-26 · A", Text: "A"}}
		moves, err := ParseMoves(answer, 1)
		got := "void"
		if err == nil {
			to := []string{}
			for _, s := range PlanMoves(list, moves, nil).Steps {
				to = append(to, s.To)
			}
			got = fmt.Sprint(to)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", answer, got, want)
		}
	}
	var many []Statement
	var moves []Move
	for i := range 21 {
		many = append(many, Statement{Path: MemoryFile, Text: fmt.Sprint(i)})
		moves = append(moves, Move{Index: i, Topic: "x"})
	}
	if f := PlanMoves(many, moves, nil); len(f.Steps) != 20 || f.Left != 1 || len(f.Core) != 0 {
		t.Errorf("21 moves: %d steps, %d left, core %v", len(f.Steps), f.Left, f.Core)
	}
}

// capture-04, capture-07: what is known in exactly these words is not written again.
func TestFileFacts(t *testing.T) {
	today := onDay(t, "2026-09-25")
	n := notesOf(map[string]string{
		"MEMORY.md":         "- 2026-09-10 · from chat \"A\" · Balance is -10\n- 2026-09-10 · The person is vegetarian\n- 2026-09-01 · Old fact · until 2026-09-02\n- ~~Struck~~\nby hand\n- Likes jazz\n",
		"memory/family.md":  "- 2026-09-10 · Kim is a nurse\n",
		"memory/archive.md": "- 2026-09-10 · Was in Goa · moved 2026-09-11\n",
	})
	never := func(text string) bool { return strings.Contains(text, "Luna") }
	out := FileFacts(n, []Fact{
		{Text: "Balance is 10"},
		{Text: "Balance is -10."},
		{Text: "The person is vegetarian"},
		{Text: "Uses C++"},
		{Text: "Uses C++"},
		{Text: "Likes jazz"},
		{Text: "The dog is Luna"},
		{Text: "Old fact"},
		{Text: "Was in Goa"},
		{Text: "Kim is a nurse", Topic: "work"},
		{Text: "The person loves pasta", Topic: "Food", Aliases: []string{"restaurants", "dinner"}},
		{Text: "Kim lives in City D", Topic: "FAMILY", Aliases: []string{"sister"}, Until: onDay(t, "2027-01-01")},
		{Text: "Sings", Topic: "archive"},
	}, `chat "Plans"`, never, Limits{}, today, NewRedactor())
	want := map[string]string{
		"MEMORY.md": string(n.Files["MEMORY.md"]) + "- 2026-09-25 · from chat \"Plans\" (noticed) · Balance is 10\n- 2026-09-25 · from chat \"Plans\" (noticed) · Uses C++\n" +
			"- 2026-09-25 · from chat \"Plans\" (noticed) · Old fact\n- 2026-09-25 · from chat \"Plans\" (noticed) · Was in Goa\n- 2026-09-25 · from chat \"Plans\" (noticed) · Sings\n",
		"memory/family.md": "---\ntitle: family\naliases: [sister]\n---\n\n- 2026-09-10 · Kim is a nurse\n- 2026-09-25 · from chat \"Plans\" (noticed) · Kim lives in City D · until 2027-01-01\n",
		"memory/food.md":   "---\ntitle: food\naliases: [restaurants, dinner]\n---\n\n- 2026-09-25 · from chat \"Plans\" (noticed) · The person loves pasta\n",
	}
	if diff := cmp.Diff(want, textsOf(out.Edits)); diff != "" {
		t.Error(diff)
	}
	if len(out.Known) != 5 || len(out.Kept) != 7 || fmt.Sprint(out.Topics) != "[memory/food.md memory/family.md]" {
		t.Errorf("known %d, kept %d, topics %v", len(out.Known), len(out.Kept), out.Topics)
	}
	// A full MEMORY.md makes room for it.
	full := notesOf(map[string]string{"MEMORY.md": strings.Repeat("- 2026-09-01 · x\n", 3)})
	out = FileFacts(full, []Fact{{Text: "new"}}, "", never, Limits{Lines: 3}, today, NewRedactor())
	if len(out.Moved) != 1 || textsOf(out.Edits)[ArchiveFile] == "" || !strings.HasSuffix(textsOf(out.Edits)[MemoryFile], "(noticed) · new\n") {
		t.Errorf("full: %+v", out)
	}
}

func TestStatedAlready(t *testing.T) {
	n := notesOf(map[string]string{"MEMORY.md": "- 2026-09-01 · The person's shoe size is 42\n- 2026-09-01 · I park on level 3\n- 2026-09-01 · The dentist is not on Monday\n- 2026-09-01 · ~~Plays golf~~\n", "memory/x.md": "- 2026-09-01 · El perro se llama Luna\n"})
	for text, want := range map[string]bool{
		"my shoe size is 42": true, "the shoe size is 42": true, "my shoe size is 43": false, "shoe size": false,
		"I no longer park on level 3": false, "I park on level 4": false, "the dentist is on Monday": false,
		"el perro se llama Luna": true, "el perro no se llama Luna": false, "plays golf": false, "in India": false, "the": false,
	} {
		if got := StatedAlready(n, text, onDay(t, "2026-09-25")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A forgotten word comes back neither as a topic nor as a word to find one by.
func TestFileFactsKeepsToTheList(t *testing.T) {
	never := func(text string) bool { return strings.Contains(text, "Bruno") }
	facts := []Fact{{Text: "Lives in Bari", Topic: "Bruno", Aliases: []string{"Bruno"}}, {Text: "Has a hen", Topic: "hens", Aliases: []string{"Bruno", "fowl"}}, {Text: "Bruno barks"}}
	out := FileFacts(notesOf(map[string]string{"MEMORY.md": ""}), facts, "", never, Limits{}, onDay(t, "2026-09-25"), NewRedactor())
	if len(out.Kept) != 2 || len(out.Core) != 1 {
		t.Errorf("%+v", out)
	}
	for path, text := range textsOf(out.Edits) {
		if strings.Contains(path+text, "runo") {
			t.Errorf("%s: %s", path, text)
		}
	}
}
