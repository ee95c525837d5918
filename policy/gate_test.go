package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func subjects(terms ...string) []Directive {
	var list []Directive
	for _, term := range terms {
		list = append(list, Directive{ID: term, Kind: DirectiveTopic, Term: term})
	}
	return list
}

func TestGate(t *testing.T) {
	tests := []struct {
		term, draft string
		meets       bool
	}{
		{"my ex", "Did you see your ex lately?", true},
		{"my ex", "For example, an expert says so.", false},
		{"ex", "Your ex-wife called", true},
		{"mi ex", "¿Has visto a tu ex?", true},
		{"work", "How is it going with WORKING late?", true},
		{"work", "Your homework and the network are fine", false},
		{"politics", "A political question for the evening", true},
		{"fútbol", "Vi el futbol con los amigos", true},
		{"the war", "I read about the war today", true},
		{"war", "The war is over", true},
		{"news", "What is new with you and the cat?", false},
		{"diet", "How are the diets going?", true},
		{"ＷＯＲＫ", "so much work", true},
		{"Zürich", "a trip to ZURICH", true},
		{"John Smith", "John, say hello to Smith", false},
		{"John Smith", "I met John Smith there", true},
		{"Romeo and Juliet", "Shall we read Romeo & Juliet?", false},
		{"talk with my mother", "about the talk with your mother", true},
		{"what happened in Berlin", "I know what happened to you in Berlin", true},
		{"C++", "shall we learn C++ together", true},
		{"C++", "vitamin C is good", false},
		{"La La Land", "the land is flat", false},
		{"работе", "Как дела на работе? Опять работу обсуждали", true},
		{"моя бывшая", "твоя бывшая звонила", true},
		{"работа", "о погоде", false},
		{"工作", "你今天的工作怎么样？", true},
		{"我前妻", "你前妻来过", true},
		{"股票", "今天天气很好", false},
		{"仕事", "お仕事はどうですか", true},
		{"전 여친", "전여친 만났어?", true},
		{"내 전 여친", "네 전 여친 소식", true},
		{"제주도", "주도적으로 하자", false},
		{"die Arbeit", "Wie war deine Arbeit heute?", true},
		{"mes parents", "Tes parents vont bien ?", true},
		{"il lavoro", "Come va con i lavori in casa?", true},
		{"de scheiding", "Hoe gaat het met je scheiding?", true},
		{"trabalho", "Como foi nos trabalhos de ontem com a equipe?", true},
		{"", "anything", false},
	}
	for _, tc := range tests {
		if got := len(Gate(tc.draft, subjects(tc.term))) > 0; got != tc.meets {
			t.Errorf("term %q, draft %q: meets %v", tc.term, tc.draft, got)
		}
	}
}

func TestGateNeverHoldsAgainstReferents(t *testing.T) {
	for _, term := range []string{
		"this", "it", "that", "That.", "these things", "that topic", "everything", "the", "of the", "esto", "eso", "lo", "isso", "este tema", "это", "этом", "то", "это дело",
		"这个", "那个", "这件事", "それ", "これ", "その話", "그거", "이거", "그 일", "das", "darüber", "ça", "cela", "questo", "dat", "and", "you",
	} {
		draft := "I thought of this, it and that: " + term + " again, and the " + term
		if got := Gate(draft, subjects(term)); len(got) > 0 || !Nameless(term) {
			t.Errorf("%q holds a draft back", term)
		}
		if _, err := CheckTerm(DirectiveTopic, term); err != nil {
			t.Errorf("%q cannot be set: %v", term, err)
		}
	}
	for _, term := range []string{"war", "van", "hat", "my son", "work", "it department", "工作", "이혼"} {
		if Nameless(term) {
			t.Errorf("%q names nothing", term)
		}
	}
}

func TestGateKeepsOrderAndKinds(t *testing.T) {
	active := []Directive{{ID: "1", Kind: DirectiveCall, Term: "boss"}, {ID: "2", Kind: DirectiveTopic, Term: "tea"}, {ID: "3", Kind: DirectiveTopic, Term: "work"}, {ID: "4", Kind: DirectiveTopic, Term: "tea"}}
	got := Gate("Tea, boss? And tea again.", active)
	if diff := cmp.Diff([]Directive{active[0], active[1], active[3]}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if Touches("Her boss is called Tom", active) || !Touches("Likes tea", active) || Touches("Likes tea", nil) {
		t.Error("a name keeps a fact out, or a topic does not")
	}
}

func TestCheckTerm(t *testing.T) {
	tests := []struct {
		kind       DirectiveKind
		term, want string
	}{
		{DirectiveTopic, " “my  ex”. ", "my ex"},
		{DirectiveTopic, "a\nb\tc\u200b", "a b c"},
		{DirectiveCall, "Bobby!", "Bobby"},
		{DirectiveTopic, "父", "父"},
		{DirectiveTopic, strings.Repeat("x", 40), strings.Repeat("x", 40)},
		{DirectiveTopic, strings.Repeat("ж", 41), ""},
		{DirectiveTopic, "", ""},
		{DirectiveTopic, " \"…\" ", ""},
		{DirectiveTopic, "x", ""},
		{DirectiveTopic, "pin «redacted 4 chars»", ""},
		{"person", "Anna", ""},
	}
	for _, tc := range tests {
		got, err := CheckTerm(tc.kind, tc.term)
		var refusal *Refusal
		if got != tc.want || (err == nil) != (tc.want != "") || err != nil && (!errors.As(err, &refusal) || refusal.Code != Invalid) {
			t.Errorf("%q: got %q, %v", tc.term, got, err)
		}
	}
}

func TestSameTerm(t *testing.T) {
	for _, p := range [][2]string{{"Work", "work."}, {"fútbol", "FUTBOL"}, {"ＷＯＲＫ", "work"}, {"my  ex", "«My ex»"}, {"ёж", "еж"}} {
		if !SameTerm(p[0], p[1]) {
			t.Errorf("%q and %q are two", p[0], p[1])
		}
	}
	for _, p := range [][2]string{{"work", "works"}, {"my ex", "ex"}, {"はは", "ばば"}} {
		if SameTerm(p[0], p[1]) {
			t.Errorf("%q and %q are one", p[0], p[1])
		}
	}
}

// A directive that was given no end has none, however often or seldom it was said:
// the times of N.E.K.O.'s cases (decision 11) count for nothing.
func TestDirectiveHasNoEnd(t *testing.T) {
	at := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		id   string
		hits int
	}{{"ttl01", 1}, {"ttl02", 2}, {"ttl03", 4}, {"ttl04", 9}, {"ttl05", 10}, {"ttl06", 10000}, {"ttl07", 0}, {"ttl08", -5}, {"ttl09 no number", 0}, {"ttl10 nothing", 0}} {
		said := strings.Repeat("don't mention my ex. ", max(0, tc.hits))
		found := DirectivesIn(said)
		if len(found) != min(1, max(0, tc.hits)) {
			t.Errorf("%s: said %d times, found %v", tc.id, tc.hits, found)
		}
		d := Directive{Kind: DirectiveTopic, Term: "my ex", At: at}
		for _, now := range []time.Time{at, at.AddDate(0, 0, 31), at.AddDate(100, 0, 0), at.AddDate(-1, 0, 0)} {
			if !d.Active(now) {
				t.Errorf("%s: not active on %s", tc.id, now)
			}
		}
	}
	d := Directive{At: at, Until: at.AddDate(0, 0, 3)}
	if !d.Active(at.AddDate(0, 0, 2)) || d.Active(at.AddDate(0, 0, 3)) {
		t.Error("an end that was given does not count")
	}
}

// What is found can be set by hand, and is met by the message that it comes from.
func TestDirectivesAreTheirOwnTerms(t *testing.T) {
	for _, tests := range directivesSaid {
		for said := range tests {
			for _, m := range DirectivesIn(said) {
				if term, err := CheckTerm(m.Kind, m.Term); err != nil || term != m.Term {
					t.Errorf("%q: %q, %v", m.Term, term, err)
				}
				if !Nameless(m.Term) && len(Gate(said, []Directive{{Kind: m.Kind, Term: m.Term}})) == 0 {
					t.Errorf("%q does not meet %q", m.Term, said)
				}
			}
		}
	}
}

func TestGateLaws(t *testing.T) {
	word := rapid.SampledFrom([]string{"work", "working", "tea", "my", "ex", "example", "politics", "the", "工作", "仕事", "работа", "fútbol", "it"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "draft"), " ")
		active := subjects(rapid.SliceOfN(word, 0, 6).Draw(t, "terms")...)
		all := Gate(text, active)
		var one []Directive
		for _, d := range active {
			one = append(one, Gate(text, []Directive{d})...)
		}
		if diff := cmp.Diff(one, all); diff != "" {
			t.Fatalf("directives answer for each other (-one +all)\n%s", diff)
		}
		if more := Gate(text+". "+text, active); len(more) < len(all) {
			t.Fatalf("a longer draft meets fewer: %v", more)
		}
		if diff := cmp.Diff(all, Gate(strings.ToUpper(text), active)); diff != "" {
			t.Fatalf("case counts\n%s", diff)
		}
	})
}

func BenchmarkGate(b *testing.B) {
	var active []Directive
	for i := range MaxDirectives {
		active = append(active, subjects(fmt.Sprintf("my subject%c%c", 'a'+i%26, 'a'+i/26), "the working week", "工作")[i%3])
	}
	draft := strings.Repeat("Shall we walk by the river on the weekend and see what the weather brings, or sit inside with a book and some tea? ", 87)
	if len(draft) < 10_000 || len(Gate(draft, active)) > 0 {
		b.Fatal("not the draft that is meant")
	}
	for b.Loop() {
		Gate(draft, active)
	}
}

func BenchmarkDirectivesIn(b *testing.B) {
	for name, text := range hostileMessages() {
		b.Run(name, func(b *testing.B) {
			DirectivesIn("warm")
			for b.Loop() {
				DirectivesIn(text)
			}
		})
	}
	b.Run("200B", func(b *testing.B) {
		for b.Loop() {
			DirectivesIn("I had a long day and the trains were late again. Please don't talk about work tonight, I'd rather hear about the garden and what the tomatoes did this summer.")
		}
	})
}

func hostileMessages() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, 100_000/len(s)+1)[:100_000] }
	return map[string]string{
		"dont":     fill("don't mention "),
		"sentence": fill("Don't mention x1. "),
		"distinct": fill("I don't want to talk about work, politics or "),
		"stop":     fill("stop "),
		"offlimit": fill("a is off limits "),
		"leave":    fill("leave the "),
		"quotes":   fill(`" « 「 don't say `),
		"commas":   fill("stop saying a, b, c, "),
		"bie":      strings.ToValidUTF8(fill("别再提"), ""),
		"jp":       strings.ToValidUTF8(fill("の話は"), ""),
		"jp2":      strings.ToValidUTF8(fill("仕事の話はしないで"), ""),
		"ko":       strings.ToValidUTF8(fill("얘기 하지 마 "), ""),
		"russian":  strings.ToValidUTF8(fill("не говори о работе и о "), ""),
		"about":    strings.ToValidUTF8(fill("о об про "), ""),
		"prose":    fill("I had a long day and the trains were late again, so we walked home along the river. "),
		"nobreak":  fill("x"),
		"lines":    fill("don't mention work\n\n"),
		"question": fill("don't mention work? "),
		"german":   fill("über die Arbeit will ich "),
	}
}
