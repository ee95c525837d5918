package policy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/markdown"
)

// What the owner plainly states bears on facts by its words alone; what they ask, suppose,
// pass on or were sent does not, nor does anybody else's word.
func TestBearings(t *testing.T) {
	facts := []string{"The launch is on Friday", "The office is in Pune", "Я люблю чай", "喜欢吃辣"}
	frame := CaptureRules{Injected: []Frame{{Open: "<recall>", Close: "</recall>"}}}
	me := func(text string) []Heard { return []Heard{{Voice: VoicePerson, Text: text, Turn: "T1"}} }
	bears := func(i int, does Related, why Signal, quote string) Bearing {
		return Bearing{Fact: facts[i], Does: does, Why: why, Quote: quote, Turn: "T1"}
	}
	for _, tt := range []struct {
		name  string
		heard []Heard
		want  []Bearing
	}{
		{"the same again", me("Hi! the launch is on  friday."), []Bearing{bears(0, Confirmation, Reinforce, "the launch is on friday.")}},
		{"a not more", me("The launch isn't on Friday"), []Bearing{bears(0, Correction, Keyword, "The launch isn't on Friday")}},
		{"two of them", me("The launch is not on Friday. The office is in Pune!"), []Bearing{bears(0, Correction, Keyword, "The launch is not on Friday."), bears(1, Confirmation, Reinforce, "The office is in Pune!")}},
		{"in Russian", me("Я не люблю чай."), []Bearing{bears(2, Correction, Keyword, "Я не люблю чай.")}},
		{"in Chinese", me("不喜欢吃辣。"), []Bearing{bears(3, Correction, Keyword, "不喜欢吃辣。")}},
		{"asked to remember", me("Remember that the office is in Pune"), []Bearing{bears(1, Confirmation, Reinforce, "the office is in Pune")}},
		{"said twice", me("The launch is on Friday. The launch is on Friday."), []Bearing{bears(0, Confirmation, Reinforce, "The launch is on Friday.")}},
		{"another value", me("The launch is on Monday."), nil},
		{"a question", me("The launch is on Friday?"), nil},
		{"a supposition", me("Suppose the launch is not on Friday."), nil},
		{"a text to work on", me("Translate this text:\nThe launch is not on Friday."), nil},
		{"a block of code", me("```\nThe launch is not on Friday\n```"), nil},
		{"a mail", me("> The launch is not on Friday\nwhat do I answer?"), nil},
		{"what was recalled", me("<recall>\nThe launch is on Friday\n</recall>\nthanks"), nil},
		{"another person", []Heard{{Voice: VoiceOther, Name: "Bob", Text: "The launch is not on Friday"}}, nil},
		{"the bot", []Heard{{Voice: VoiceBot, Text: "The launch is on Friday"}}, nil},
		{"nobody", []Heard{{Text: "The launch is on Friday"}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Bearings(tt.heard, facts, frame)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := Bearings(me("The launch is on Friday"), nil, frame); got != nil {
		t.Errorf("on no fact: %v", got)
	}
	if many := me(strings.Repeat("This is said. ", maxStatements) + "The launch is on Friday."); len(Bearings(many, facts, frame)) != 0 {
		t.Error("more is read than is meant to be")
	}
}

// The same words on the same fact are one event; another fact, account, or way is another.
func TestBearingTrust(t *testing.T) {
	b := Bearing{Fact: "The launch is on Friday", Does: Confirmation, Quote: "The launch is on friday."}
	first, ok := b.Trust("qq:1")
	if !ok || first.Account != "qq:1" || first.Kind != Confirmation {
		t.Fatalf("%+v, %v", first, ok)
	}
	b.Quote, b.Turn = " the Launch is on Friday", "T2"
	if again, _ := b.Trust("qq:1"); again != first {
		t.Errorf("said again: %+v, was %+v", again, first)
	}
	ids := []string{first.ID}
	for name, change := range map[string]func(*Bearing) Account{
		"another account": func(*Bearing) Account { return "qq:2" },
		"another fact":    func(b *Bearing) Account { b.Fact = "The launch is on Monday"; return "qq:1" },
		"another way":     func(b *Bearing) Account { b.Does = Correction; return "qq:1" },
	} {
		c := b
		account := change(&c)
		e, ok := c.Trust(account)
		if !ok || slices.Contains(ids, e.ID) {
			t.Errorf("%s: %+v, %v", name, e, ok)
		}
		ids = append(ids, e.ID)
	}
	if e, ok := b.Trust("Bob"); ok {
		t.Errorf("no account: %+v", e)
	}
	b.Does = Unrelated
	if e, ok := b.Trust("qq:1"); ok {
		t.Errorf("no bearing: %+v", e)
	}
}

func TestParseSigns(t *testing.T) {
	note := `{"note":"Works at Acme","says":"supports","quote":["I work at Acme"]}`
	many := strings.TrimSuffix(strings.Repeat(note+",", 9), ",")
	one := Sign{Note: "Works at Acme", Quotes: []string{"I work at Acme"}}
	for _, tt := range []struct {
		name, answer string
		want         []Sign
		dropped      []Dropped
	}{
		{name: "none", answer: `{"facts":[]}`},
		{name: "a bare list of facts", answer: `[{"text":"x","note":"y","says":"denies","quote":"z"}]`},
		{name: "null", answer: `{"facts":[],"signals":null}`},
		{name: "no list", answer: `{"facts":[],"signals":"denies"}`},
		{name: "one", answer: "```json\n{\"facts\":[],\"signals\":[" + note + "]}\n```", want: []Sign{one}},
		{name: "a denial, with one quote as a text", answer: `{"facts":[],"signals":[{"note":"- Works at\n Acme","says":"denies","quote":"not any more"}]}`, want: []Sign{{Note: "Works at Acme", Denies: true, Quotes: []string{"not any more"}}}},
		{
			name:    "what makes no sense is counted",
			answer:  `{"facts":[],"signals":[7,null,{"note":1},{"note":"x","says":"erase","quote":"y"},{"note":" ","says":"denies","quote":"y"},{"note":"x","says":"denies"},{"note":"` + strings.Repeat("x", MaxEntryRunes+1) + `","says":"denies","quote":"y"}]}`,
			dropped: []Dropped{{RuleForm, 4}, {RuleBlank, 1}, {RuleQuote, 1}, {RuleLong, 1}},
		},
		{name: "more than eight", answer: `{"facts":[],"signals":[` + many + `]}`, want: slices.Repeat([]Sign{one}, MaxSigns), dropped: []Dropped{{RuleMany, 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, dropped := ParseSigns(tt.answer)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.dropped, dropped); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
		})
	}
}

// A note is named as the model was shown it, or by its fact.
func TestSignFact(t *testing.T) {
	stands := func(f string) bool { return f == "Works at Acme" }
	for note, want := range map[string]bool{
		"Works at Acme": true, "- Works at Acme.": true, `2026-09-10 · from chat "Plans" (noticed) · Works at Acme`: true, "2026-09-10 · Works at Acme · until 2026-12-01": true,
		"works at acme": false, "Acme": false, "Works at Acme and likes tea": false, "": false,
	} {
		if got, ok := (Sign{Note: note}).Fact(stands); ok != want || ok && got != "Works at Acme" {
			t.Errorf("%q: %q, %v", note, got, ok)
		}
	}
}

// A sign needs the owner's own words, said and meant, that do not say the contrary.
func TestSignAdmit(t *testing.T) {
	heard := []Heard{
		{Voice: VoicePerson, Turn: "T1", Text: "I'm vegetarian. Do I eat fish? Suppose I ate meat. Today I had tofu. My token is sk-ant-api03-k3J9dLq0Zx81mNb27vYt5Rw"},
		{Voice: VoiceOther, Name: "Bob", Turn: "T1", Text: "The person eats meat"},
		{Voice: VoiceBot, Turn: "T1", Text: "You eat meat"},
		{Voice: VoicePerson, Turn: "T2", Text: "I don't eat meat any more, and I moved to Berlin."},
	}
	for _, tt := range []struct {
		name, fact, quote string
		denies            bool
		rule              Rule
		want              Bearing
	}{
		{name: "borne out", fact: "The person is vegetarian", quote: "I'm vegetarian", want: Bearing{Does: Confirmation, Why: Reinforce, Quote: "I'm vegetarian", Turn: "T1"}},
		{name: "denied", fact: "The person eats meat", quote: "I don't eat meat any more", denies: true, want: Bearing{Does: Correction, Why: Negate, Quote: "I don't eat meat any more", Turn: "T2"}},
		{name: "denied by what it cannot be true beside", fact: "The person lives in Pune", quote: "I moved to Berlin", denies: true, want: Bearing{Does: Correction, Why: Negate, Quote: "I moved to Berlin", Turn: "T2"}},
		{name: "not said", fact: "The person is vegetarian", quote: "I am a vegan", rule: RuleQuote},
		{name: "a question", fact: "The person eats fish", quote: "Do I eat fish", rule: RuleAsked},
		{name: "a supposition", fact: "The person eats meat", quote: "Suppose I ate meat", rule: RuleSuppose},
		{name: "another person's words", fact: "The person eats meat", quote: "The person eats meat", rule: RuleVoice},
		{name: "the bot's words", fact: "The person eats meat", quote: "You eat meat", rule: RuleVoice},
		{name: "the not left out", fact: "The person eats meat", quote: "eat meat any more", rule: RuleCut},
		{name: "borne out by the contrary", fact: "The person eats meat", quote: "I don't eat meat any more", rule: RuleAgainst},
		{name: "denied by what it says", fact: "The person is vegetarian", quote: "I'm vegetarian", denies: true, rule: RuleAgainst},
		{name: "a credential", fact: "The person has a token", quote: "My token is sk-ant-api03-k3J9dLq0Zx81mNb27vYt5Rw", rule: RuleSecret},
		{name: "a word alone", fact: "The person is vegetarian", quote: "and", rule: RuleThin},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.rule == "" {
				tt.want.Fact = tt.fact
			}
			got, err := Sign{Note: tt.fact, Denies: tt.denies, Quotes: []string{tt.quote}}.Admit(markdown.Identity(tt.fact), heard, CaptureRules{Room: true})
			if ruleOf(t, err) != tt.rule {
				t.Fatalf("%v, want rule %q", err, tt.rule)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Who asked to keep something in mind stated it; what they said beside it was noticed.
func TestAsked(t *testing.T) {
	heard := []Heard{
		{Voice: VoicePerson, Text: "Remember that my desk is in room four. I like green tea."},
		{Voice: VoiceBot, Text: "Remember: the build passed twice."},
		{Voice: VoicePerson, Text: "Please remember:\n- the gate is blue\n- the roof is red"},
	}
	for quote, want := range map[string]bool{
		"my desk is in room four": true, "Remember that my desk is in room four": true, "I like green tea": false, "the build passed twice": false, "the roof is red": true,
	} {
		got, err := Candidate{Text: "Something was said", Kind: KindOutcome, Quotes: []string{quote}, Asked: !want, By: []int{7}}.Admit(heard, CaptureRules{})
		if err != nil || got.Asked != want || len(got.By) != 1 || got.By[0] == 7 {
			t.Errorf("%q: asked %v by %v, %v", quote, got.Asked, got.By, err)
		}
	}
}

// Who repeats a fact makes it no less sure; an account of unknown trust says nothing of it.
func TestTaught(t *testing.T) {
	low, high := 0.3, 0.8
	said := func(id, who string, trust *float64) Event {
		return Event{Kind: EventSaid, ID: id, Fact: "The launch is on Friday", Speaker: who, Trust: trust}
	}
	for _, tt := range []struct {
		name  string
		said  []Event
		who   string
		trust *float64
	}{
		{name: "nobody"},
		{"one", []Event{said("1", "qq:1", &low)}, "qq:1", &low},
		{"one of unknown trust", []Event{said("1", "qq:1", nil)}, "qq:1", nil},
		{"the more trusted first", []Event{said("1", "qq:1", &high), said("2", "qq:2", &low)}, "qq:1", &high},
		{"and last", []Event{said("1", "qq:2", &low), said("2", "qq:1", &high)}, "qq:1", &high},
		{"beside an unknown one", []Event{said("1", "qq:1", &low), said("2", "qq:2", nil)}, "qq:1", &low},
		{"behind an unknown one", []Event{said("1", "qq:2", nil), said("2", "qq:1", &low)}, "qq:1", &low},
	} {
		s := standingsOf(t, tt.said...)
		got := s.Of("The launch is on Friday", true, time.Time{}, nil)
		if got.Speaker != tt.who || cmp.Diff(tt.trust, got.Trust) != "" || cmp.Diff(tt.trust, s.TrustIn("The launch is on Friday.")) != "" {
			t.Errorf("%s: %q, %v", tt.name, got.Speaker, got.Trust)
		}
	}
}

func FuzzParseSigns(f *testing.F) {
	f.Add(`{"facts":[],"signals":[{"note":"a","says":"denies","quote":["b"]}]}`)
	f.Add("```json\n{\"signals\":[{}]}\n```")
	f.Fuzz(func(t *testing.T, answer string) {
		list, dropped := ParseSigns(answer)
		for _, d := range dropped {
			if d.N < 1 || d.Rule == "" {
				t.Errorf("dropped %+v", d)
			}
		}
		if len(list) > MaxSigns {
			t.Errorf("%d signs", len(list))
		}
		for _, s := range list {
			if s.Note == "" || strings.ContainsAny(s.Note, "\n\r") || len(s.Quotes) == 0 {
				t.Errorf("%+v", s)
			}
		}
	})
}
