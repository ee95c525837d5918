package policy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

var sameDate = cmp.Comparer(func(a, b markdown.Date) bool { return a == b })

// TestCaptureOne is the answer of the first capture case of OpenMausBot.
func TestCaptureOne(t *testing.T) {
	answer := "```json\n" + `[
	{"text": "The person is vegetarian.", "kind": "preference", "aboutUser": true, "confidence": 0.9},
	{"text": "The person has exams this weekend", "kind": "fact", "until": "2026-09-27", "aboutUser": true, "confidence": 0.9},
	{"text": "Old trip", "kind": "fact", "until": "2026-09-01"},
	{"text": "Always reply in French", "kind": "instruction"},
	{"text": "maybe likes jazz", "kind": "preference", "confidence": 0.3},
	{"text": "", "kind": "fact"},
	{"text": "The launch moved to Friday", "kind": "decision", "aboutUser": true}
	]` + "\n```"
	got, dropped, err := ParseCandidates(answer, day(t, "2026-09-25"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Candidate{
		{Text: "The person is vegetarian.", Kind: KindPreference, AboutUser: true, Confidence: 0.9},
		{Text: "The person has exams this weekend", Kind: KindFact, Until: day(t, "2026-09-27"), Confidence: 0.9},
		{Text: "The launch moved to Friday", Kind: KindDecision, Confidence: 1},
	}
	if diff := cmp.Diff(want, got, sameDate); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Dropped{{RulePast, 1}, {RuleKind, 1}, {RuleUnsure, 1}, {RuleBlank, 1}}, dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
}

func TestParseCandidates(t *testing.T) {
	one := func(c Candidate) []Candidate { return []Candidate{c} }
	fact := func(change func(*Candidate)) []Candidate {
		c := Candidate{Text: "x y", Kind: KindFact, Confidence: 1}
		change(&c)
		return one(c)
	}
	tests := []struct {
		name, answer string
		want         []Candidate
		dropped      []Dropped
	}{
		{"bare list", `[{"text":"x y","kind":"fact"}]`, fact(func(*Candidate) {}), nil},
		{"bare object", ` {"facts":[{"text":"x y","kind":"fact"}]} `, fact(func(*Candidate) {}), nil},
		{"in a fence, with chatter around", "Sure! Here you are:\n```\n{\"facts\":[{\"text\":\"x y\",\"kind\":\"fact\"}]}\n```\nAnything else?", fact(func(*Candidate) {}), nil},
		{"none", `{"facts":[]}`, nil, nil},
		{"folded", `[{"text":" - x\n\ty\u0000\u200b ","kind":" Fact ","topic":" a\nb "}]`, fact(func(c *Candidate) { c.Topic = "a b" }), nil},
		{"nulls", `[{"text":"x y","kind":"fact","until":null,"topic":null,"topicAliases":null,"confidence":null,"quote":null}]`, fact(func(*Candidate) {}), nil},
		{"invalid until", `[{"text":"x y","kind":"fact","until":"2026-02-30","aboutUser":true}]`, fact(func(c *Candidate) { c.AboutUser = true }), nil},
		{"until of another type", `[{"text":"x y","kind":"fact","until":20260930}]`, fact(func(*Candidate) {}), nil},
		{"until today", `[{"text":"x y","kind":"fact","until":"2026-09-25"}]`, fact(func(c *Candidate) { c.Until = day(t, "2026-09-25") }), nil},
		{"until yesterday", `[{"text":"x y","kind":"fact","until":"2026-09-24"}]`, nil, []Dropped{{RulePast, 1}}},
		{"confidence as text", `[{"text":"x y","kind":"fact","confidence":"0.7"}]`, fact(func(c *Candidate) { c.Confidence = 0.7 }), nil},
		{"confidence in percent", `[{"text":"x y","kind":"fact","confidence":70}]`, fact(func(*Candidate) {}), nil},
		{"least confidence", `[{"text":"x y","kind":"fact","confidence":0.6},{"text":"x y","kind":"fact","confidence":0.59},{"text":"x y","kind":"fact","confidence":-1},{"text":"x y","kind":"fact","confidence":"high"},{"text":"x y","kind":"fact","confidence":"NaN"}]`, fact(func(c *Candidate) { c.Confidence = 0.6 }), []Dropped{{RuleUnsure, 2}, {RuleForm, 2}}},
		{"one quote", `[{"text":"x y","kind":"fact","quote":" a\n b "}]`, fact(func(c *Candidate) { c.Quotes = []string{"a b"} }), nil},
		{"quotes", `[{"text":"x y","kind":"fact","quote":["a b",""," ","c d"]}]`, fact(func(c *Candidate) { c.Quotes = []string{"a b", "c d"} }), nil},
		{"quote of another type", `[{"text":"x y","kind":"fact","quote":{"a":1}}]`, fact(func(*Candidate) {}), nil},
		{"aliases", `[{"text":"x y","kind":"fact","topicAliases":["a","A","b","c","d","e","f","g","h","i",""]}]`, fact(func(c *Candidate) { c.Aliases = strings.Split("a b c d e f g h", " ") }), nil},
		{"one alias", `[{"text":"x y","kind":"fact","topicAliases":"` + strings.Repeat("é", 50) + `"}]`, fact(func(c *Candidate) { c.Aliases = []string{strings.Repeat("é", 40)} }), nil},
		{"too long", `[{"text":"` + strings.Repeat("é", 301) + `","kind":"fact"}]`, nil, []Dropped{{RuleLong, 1}}},
		{"as long as can be", `[{"text":"` + strings.Repeat("é", 300) + `","kind":"fact"}]`, fact(func(c *Candidate) { c.Text = strings.Repeat("é", 300) }), nil},
		{"other types", `[1,"x",null,[],{"text":1,"kind":"fact"},{"kind":"fact"},{}]`, nil, []Dropped{{RuleForm, 5}, {RuleBlank, 2}}},
		{"a kind that there is none", `[{"text":"x y","kind":"goal"},{"text":"x y"}]`, nil, []Dropped{{RuleKind, 2}}},
		{"about the person, but a decision", `[{"text":"x y","kind":"decision","aboutUser":true}]`, one(Candidate{Text: "x y", Kind: KindDecision, Confidence: 1}), nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, dropped, err := ParseCandidates(tc.answer, day(t, "2026-09-25"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got, sameDate); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.dropped, dropped); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseCandidatesRefuses(t *testing.T) {
	huge := `[{"text":"` + strings.Repeat("x", 10<<20) + `","kind":"fact"}]`
	for name, answer := range map[string]string{
		"no json": "no json here", "nothing": "", "chatter without a fence": `Here: [{"text":"x","kind":"fact"}]`, "text behind": `[{"text":"x","kind":"fact"}] done`, "half": `[{"text":"x"`,
		"no list": `{"fact":[]}`, "null": `null`, "a list that is none": `{"facts":{}}`, "10 MB": huge, "deep": strings.Repeat("[", 200000), "garbage": strings.Repeat("\x00\xff{", 80000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got, dropped, err := ParseCandidates(answer, day(t, "2026-09-25"))
			if err == nil || len(got) > 0 || len(dropped) > 0 {
				t.Errorf("got %v, %v, %v; want an error", got, dropped, err)
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("took %v", took)
			}
			if err != nil && len(err.Error()) > 200 {
				t.Error("the error quotes the answer")
			}
		})
	}
}

func TestParseCandidatesKeepsTheFirstEight(t *testing.T) {
	var items []string
	for i := range 12 {
		items = append(items, fmt.Sprintf(`{"text":"fact %d","kind":"fact"}`, i), `{"text":"","kind":"fact"}`)
	}
	got, dropped, err := ParseCandidates("["+strings.Join(items, ",")+"]", markdown.Date{})
	if err != nil || len(got) != MaxCandidates || got[7].Text != "fact 7" {
		t.Fatalf("got %v, %v", got, err)
	}
	if diff := cmp.Diff([]Dropped{{RuleBlank, 12}, {RuleMany, 4}}, dropped); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCaptureSchema: the schema is JSON in the strict form, and names the fields
// that are read.
func TestCaptureSchema(t *testing.T) {
	var schema struct {
		AdditionalProperties bool
		Properties           map[string]struct {
			Items struct {
				AdditionalProperties bool
				Required             []string
				Properties           map[string]json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(CaptureSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	item := schema.Properties["facts"].Items
	if schema.AdditionalProperties || item.AdditionalProperties || len(item.Required) != len(item.Properties) {
		t.Error("not strict")
	}
	answer := map[string]any{"text": "x y", "kind": "fact", "until": "2027-01-01", "aboutUser": false, "noted": true, "topic": "t", "topicAliases": []string{"a"}, "confidence": 0.7, "quote": []string{"q r"}}
	for _, name := range item.Required {
		if _, ok := answer[name]; !ok {
			t.Errorf("%s is not read", name)
		}
	}
	raw, err := json.Marshal([]any{answer})
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := ParseCandidates(string(raw), markdown.Date{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Candidate{{Text: "x y", Kind: KindFact, Until: day(t, "2027-01-01"), Noted: true, Topic: "t", Aliases: []string{"a"}, Confidence: 0.7, Quotes: []string{"q r"}}}
	if diff := cmp.Diff(want, got, sameDate); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNewFacts is the fourth capture case of OpenMausBot: only spacing, a bullet
// and a final full stop make no other fact.
func TestNewFacts(t *testing.T) {
	const known = "- 2026-09-01 · Balance is -10\n- 2026-09-01 · The person is vegetarian\n"
	var list []Fact
	for _, text := range []string{"Balance is 10", "Balance is -10.", "The person is vegetarian", "Uses C++", "Uses C++", "- Uses  C++.", "Uses C", ""} {
		list = append(list, Fact{Text: text})
	}
	file := func(notes string) (texts []string) {
		never := func(string) bool { return false }
		for _, f := range FileFacts(notesOf(map[string]string{MemoryFile: notes}), list, "", never, Limits{}, onDay(t, "2026-09-25"), NewRedactor()).Kept {
			texts = append(texts, f.Text)
		}
		return texts
	}
	if diff := cmp.Diff([]string{"Balance is 10", "Uses C++", "Uses C"}, file(known)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(file("")); n != 5 {
		t.Errorf("nothing known: %d facts, want 5", n)
	}
}

// TestAdmitLaws holds for any candidate after any batch: what is admitted keeps its
// bounds, its quotes were said by one whose words count, and where somebody else
// spoke nothing is about the person.
func TestAdmitLaws(t *testing.T) {
	said := []string{"I live in Goa and I'm vegetarian", "What can I cook?", "We moved the launch to Friday", "write a plan for 10 people", "my wife is Ana", "suppose I'm 34", "ok", "I earn 62,000 a year", "Never call before 9", ""}
	rapid.Check(t, func(t *rapid.T) {
		var heard []Heard
		for range rapid.IntRange(0, 6).Draw(t, "lines") {
			heard = append(heard, Heard{Voice: Voice(rapid.IntRange(0, 4).Draw(t, "voice")), Text: rapid.SampledFrom(said).Draw(t, "said")})
		}
		c := Candidate{
			Text:      rapid.SampledFrom([]string{"Lives in Goa", "Is 34", "The launch is on Friday", "Never call before 9", "Earns 62000", "Birthday is on Friday", "x"}).Draw(t, "text"),
			Kind:      rapid.SampledFrom([]Kind{KindFact, KindPreference, KindDecision, KindOutcome, "goal"}).Draw(t, "kind"),
			AboutUser: rapid.Bool().Draw(t, "about"), Quotes: rapid.SliceOfN(rapid.SampledFrom(said), 0, 3).Draw(t, "quotes"),
		}
		if rapid.Bool().Draw(t, "ends") {
			c.Until, _ = markdown.ParseDate("2027-01-01")
		}
		r := CaptureRules{Room: rapid.Bool().Draw(t, "room"), Sensitive: rapid.Bool().Draw(t, "sensitive")}
		got, err := c.Admit(heard, r)
		if err != nil {
			if diff := cmp.Diff(Candidate{}, got, sameDate); diff != "" {
				t.Fatalf("a refused candidate came back: %s", diff)
			}
			return
		}
		checkAdmitted(t, got, heard, r)
		again, err := got.Admit(heard, r)
		if err != nil {
			t.Fatalf("what was admitted is refused: %v", err)
		}
		if diff := cmp.Diff(got, again, sameDate); diff != "" {
			t.Fatalf("a second time (-first +second):\n%s", diff)
		}
	})
}

func checkAdmitted(t *rapid.T, c Candidate, heard []Heard, r CaptureRules) {
	if !Readable(heard, r.Room) {
		t.Fatal("admitted from a batch without a person's words")
	}
	if c.Kind.personal() && len(c.Quotes) == 0 {
		t.Fatal("admitted without a quote")
	}
	for _, h := range heard {
		if h.Voice == VoiceOther && c.AboutUser {
			t.Fatal("about the person, though somebody else spoke")
		}
	}
	for _, q := range c.Quotes {
		found := false
		for _, h := range heard {
			counts := h.Voice == VoicePerson || h.Voice == VoiceOther && r.Room && c.Kind == KindFact && !c.AboutUser || !c.Kind.personal() && h.Voice != VoiceNobody
			found = found || counts && strings.Contains(h.Text, q)
		}
		if !found {
			t.Fatalf("quote %q was not said by one whose words count", q)
		}
	}
	if c.AboutUser && (!c.Kind.personal() || !c.Until.IsZero()) {
		t.Fatal("about the person, but no lasting preference or fact")
	}
	if IsYearly(c.Text) && !c.Until.IsZero() {
		t.Fatal("a day that comes again ends")
	}
}

func FuzzParseCandidates(f *testing.F) {
	for _, seed := range []string{
		`[{"text":"x y","kind":"fact","quote":"a b"}]`, "```json\n{\"facts\":[]}\n```", `{"facts":[{"text":"x","kind":"preference","confidence":"1e9","until":"2027-01-01"}]}`, "[[[", "{\"facts\":1}", "\xff", "```", `[{"text":"\ud800","kind":"fact"}]`,
	} {
		f.Add(seed)
	}
	today, _ := markdown.ParseDate("2026-09-25")
	f.Fuzz(func(t *testing.T, answer string) {
		list, dropped, err := ParseCandidates(answer, today)
		if err != nil && (len(list) > 0 || len(dropped) > 0) {
			t.Fatal("an error and facts")
		}
		if len(list) > MaxCandidates {
			t.Fatalf("%d candidates", len(list))
		}
		for _, c := range list {
			if c.Text == "" || len([]rune(c.Text)) > MaxCandidateRunes || strings.ContainsAny(c.Text, "\r\n\x00") || !knownKind(c.Kind) || c.Confidence < minConfidence || c.Confidence > 1 {
				t.Fatalf("candidate %+v", c)
			}
			if c.AboutUser && (!c.Kind.personal() || !c.Until.IsZero()) || !c.Until.IsZero() && c.Until.Before(today) {
				t.Fatalf("candidate %+v", c)
			}
		}
	})
}

func FuzzAdmit(f *testing.F) {
	f.Add("I live in Goa", "I live in Goa", "Lives in Goa", uint8(1), uint8(0))
	f.Add("¿Qué? 我吃素，对吧？ 저는 <recall>x</recall>", "我吃素", "34 1.2.3 /a/b", uint8(2), uint8(1))
	f.Add("```\n> a\n```, so and because I ... 三十四 62 000 2026-09-25", "a ... b", "- 10", uint8(3), uint8(2))
	f.Add("\xff\u0301\u200b*`", "\xff", "\x00", uint8(0), uint8(3))
	red := NewRedactor()
	f.Fuzz(func(t *testing.T, said, quote, text string, voice, kind uint8) {
		c := Candidate{Text: text, Kind: []Kind{KindFact, KindPreference, KindDecision, KindOutcome}[kind%4], AboutUser: kind > 3, Quotes: []string{quote}}
		heard := []Heard{{Voice: Voice(voice % 5), Text: said}, {Voice: VoicePerson, Text: quote + "\n" + said}}
		start := time.Now()
		got, err := c.Admit(heard, CaptureRules{Room: voice > 4, Injected: []Frame{{Open: "<recall>", Close: "</recall>"}}, Prompt: []string{said}, Redactor: red})
		if took := time.Since(start); took > 2*time.Second {
			t.Fatalf("took %v on %d bytes", took, len(said)+len(quote))
		}
		if err == nil && (strings.ContainsAny(got.Text, "\r\n\x00") || got.Kind.personal() && len(got.Quotes) == 0) {
			t.Fatalf("admitted %+v", got)
		}
		for _, note := range ExplicitNotes(said) {
			if strings.ContainsAny(note, "\r\n\x00") || note == "" {
				t.Fatalf("note %q", note)
			}
		}
	})
}

// TestTalkIsWhole: a list that is empty would answer no for ever.
func TestTalkIsWhole(t *testing.T) {
	for _, l := range languages() {
		k, g := l.talk, l.guard
		lists := map[string]string{
			"supposes": k.supposes, "plays": k.plays, "delegates": k.delegates, "tasks": k.tasks, "texts": k.texts, "standing": k.standing, "asks": k.asks, "tags": k.tags, "whether": k.whether, "links": k.links,
			"negations": k.negations, "selves": k.selves, "mine": k.mine, "us": k.us, "kin": k.kin, "others": k.others, "yearly": k.yearly, "ends": k.ends, "days": k.days, "states": k.states, "moments": k.moments,
			"instants": k.instants, "sessions": k.sessions, "lasting": k.lasting, "justs": k.justs, "meals": k.meals, "passes": k.passes, "overrides": g.overrides, "controls": g.controls, "grants": g.grants, "money": g.money,
			"unasked": g.unasked, "reveals": g.reveals, "secrets": g.secrets, "hostile": g.hostile, "orders": g.orders, "answers": g.answers, "howto": g.howto, "harmful": g.harmful, "hateful": g.hateful, "peoples": g.peoples,
			"faith": g.faith, "politics": g.politics, "origin": g.origin, "illness": g.illness, "love": g.love, "union": g.union, "crime": g.crime, "pay": g.pay,
		}
		for name, list := range lists {
			if list == "" {
				t.Errorf("%s has no %s", l.code, name)
			}
			for form := range strings.SplitSeq(list, "|") {
				if len(tokens(strings.TrimSuffix(form, "*"))) == 0 {
					t.Errorf("%s: %s holds the empty form %q", l.code, name, form)
				}
			}
		}
		if n := strings.Count(k.months, "|") + 1; n != 12 {
			t.Errorf("%s has %d months", l.code, n)
		}
		if n := strings.Count(k.numerals, "|") + 1; n != 30 {
			t.Errorf("%s has %d numerals", l.code, n)
		}
	}
}
