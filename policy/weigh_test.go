package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

type weighCase struct {
	fact, known string // facts of the known parted by |
	verdict     Weight
	of          string
	retires     string
	conflicts   string
}

const (
	wr = WeighedWritten
	rs = WeighedRestated
	du = WeighedDuplicate
)

var weighCases = []weighCase{
	{"Favorite game is Elden Ring", "", wr, "", "", ""},
	{"User's favorite game is Elden Ring.", "Favorite game is Elden Ring", rs, "Favorite game is Elden Ring", "", ""},
	{"Works as a security engineer at Acme Corp in Madrid", "Works as a security engineer", wr, "", "Works as a security engineer", ""},
	{"Likes tea", "Likes jasmine tea from Kyoto every morning", du, "Likes jasmine tea from Kyoto every morning", "", ""},
	{"Lives in Madrid", "Lives in Barcelona", wr, "", "Lives in Barcelona", ""},
	{"Lives in Madrid", "Lives in Barcelona with Ana", wr, "", "", ""},
	{"The user lives in Madrid", "Lives in Barcelona", wr, "", "Lives in Barcelona", ""},
	{"Sister lives in Madrid", "Lives in Madrid", wr, "", "", ""},
	{"Prefers jasmine tea", "Likes jasmine tea", du, "Likes jasmine tea", "", ""},
	{"Favorite color is blue", "Favorite color is green", wr, "", "Favorite color is green", ""},
	{"Favorite color of the daughter is blue", "Favorite color is green", wr, "", "", ""},
	{"Favorite color is blue", "El color favorito de Marco es el verde musgo", wr, "", "", "El color favorito de Marco es el verde musgo"},
	{"Favorite color is blue", "Favorite color is deep cobalt blue for the studio walls", du, "Favorite color is deep cobalt blue for the studio walls", "", ""},
	{"Likes favorite colors blue", "Favorite colors are green", wr, "", "", ""},
	{"Does not like coffee", "Likes coffee", wr, "", "", ""},
	{"Birthday is in May", "Birthday is in June", wr, "", "", ""},
	{"Tiene un proyecto relacionado con Notion", "Tiene un proyecto relacionado con Notion", du, "Tiene un proyecto relacionado con Notion", "", ""},
	{"User is searching for Fulano Pérez on Facebook", "Looking for Fulano Perez on Facebook", du, "Looking for Fulano Perez on Facebook", "", ""},
	{"Uses the Brave browser", "Building Kotoba, an AI VTuber companion", wr, "", "", ""},
	{"Has a dog named Luna", "Has a dog named Luna and he likes walks", du, "Has a dog named Luna and he likes walks", "", ""},
	{"Has 3 siblings", "Has 2 siblings", wr, "", "Has 2 siblings", ""},

	// Of the same kinds.
	{"Is trying to find Fulano Pérez on Facebook", "Looking for Fulano Perez on Facebook", du, "Looking for Fulano Perez on Facebook", "", ""},
	{"Lives in Madrid", "Sister lives in Madrid", wr, "", "", ""},
	{"Has a dog named Luna", "Has a cat named Luna", wr, "", "", ""},
	{"Has a dog named Rex", "Has a dog named Luna", wr, "", "", "Has a dog named Luna"},
	{"Lives in New York", "Lives in Barcelona", wr, "", "Lives in Barcelona", ""},
	{"Lives in Madrid with Ana", "Lives in Barcelona with Ana", wr, "", "Lives in Barcelona with Ana", ""},
	{"Lives in Madrid", "Lives in Barcelona and works at Acme", wr, "", "", "Lives in Barcelona and works at Acme"},
	{"Lives in Madrid", "Lives in Barcelona|Lives in Rome", wr, "", "Lives in Barcelona|Lives in Rome", ""},
	{"Vive en Madrid", "Lives in Barcelona", wr, "", "", ""},
	{"Vive en Madrid", "Vive en Barcelona", wr, "", "Vive en Barcelona", ""},
	{"Favorite color is blue", "Favorite color is green|User's favourite colour is blue", rs, "User's favourite colour is blue", "Favorite color is green", ""},
	{"Favorite color is blue", "Favorite color is green and has a dog", wr, "", "", "Favorite color is green and has a dog"},
	{"Favorite color for the kitchen is red", "Favorite color is green", wr, "", "", ""},
	{"Favorite game is Hollow Knight", "Favorite game is Elden Ring", wr, "", "Favorite game is Elden Ring", ""},
	{"Favorite color is blue", "Favorite color is not green", wr, "", "", ""},
	{"The dog is 4 years old", "The cat is 3 years old", wr, "", "", ""},
	{"The dog is 4 years old", "The dog is 3 years old", wr, "", "The dog is 3 years old", ""},
	{"Is 36 years old", "Is 35 years old", wr, "", "Is 35 years old", ""},
	{"Has three siblings", "Has 3 siblings", du, "Has 3 siblings", "", ""},
	{"Ana is 30 years old", "Bob is 30 years old", wr, "", "", ""},
	{"Gym day is Monday", "Gym day is Tuesday", wr, "", "Gym day is Tuesday", ""},
	{"Has a meeting in May", "Has a meeting on Monday", wr, "", "", ""},
	{"Ran a marathon in 2021", "Ran a marathon in 2019", wr, "", "", ""},
	{"Visited old Rome in 2021", "Visited old Rome in 2019", wr, "", "", ""},
	{"Likes the band Radiohead", "Likes the band Coldplay", wr, "", "", ""},
	{"Hates jasmine tea", "Likes jasmine tea", wr, "", "", ""},
	{"Wants a dog", "Has a dog", wr, "", "", ""},
	{"Uses C++", "Uses C", wr, "", "", ""},
	{"Moved from Rome to Goa", "Moved from Goa to Rome", wr, "", "", ""},
	{"Is a doctor's assistant", "Is a doctor", wr, "", "", ""},
	{"Likes coffee", "Likes tea and hates coffee", wr, "", "", ""},
	{"Likes tea and hates coffee", "Likes coffee", wr, "", "", ""},
	{"Likes tea and hates coffee", "Likes tea", wr, "", "Likes tea", ""},
	{"likes tea", "Likes Tea.", du, "Likes Tea.", "", ""},
	{"住在北京", "住在上海|住在北京", du, "住在北京", "", ""},
	{"Сестра живёт в Москве", "Живёт в Москве", wr, "", "", ""},
	{"Sister adores sushi", "Adores sushi", wr, "", "", ""},
	{"  ", "Likes tea", WeighedBlank, "", "", ""},
}

func knownOf(list string) []Known {
	var known []Known
	for i, fact := range strings.Split(list, "|") {
		if fact != "" {
			known = append(known, Known{Fact: fact, Place: "memory/" + string(rune('a'+i)) + ".md"})
		}
	}
	return known
}

func TestWeigh(t *testing.T) {
	for _, tc := range weighCases {
		known := knownOf(tc.known)
		named := func(list string) []Known {
			var out []Known
			for fact := range strings.SplitSeq(list, "|") {
				if i := slices.IndexFunc(known, func(k Known) bool { return k.Fact == fact }); i >= 0 {
					out = append(out, known[i])
				}
			}
			return out
		}
		want := Weighing{Verdict: tc.verdict, Retires: named(tc.retires), Conflicts: named(tc.conflicts)}
		if of := named(tc.of); len(of) > 0 {
			want.Of = of[0]
		}
		if diff := cmp.Diff(want, Weigh(tc.fact, known), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q beside %q (-want +got):\n%s", tc.fact, tc.known, diff)
		}
	}
}

// drawnFact is a fact whose subject and negation are known.
type drawnFact struct {
	text, subject string
	denies        bool
}

var drawFact = rapid.Custom(func(t *rapid.T) drawnFact {
	f := drawnFact{subject: rapid.SampledFrom([]string{"", "Sister", "The boss", "Ana"}).Draw(t, "subject")}
	say := rapid.SampledFrom([][2]string{
		{"lives in Madrid", "does not live in Madrid"},
		{"lives in Rome", "does not live in Rome"},
		{"has 2 dogs", "does not have 2 dogs"},
		{"has 3 dogs", "does not have 3 dogs"},
		{"likes tea", "does not like tea"},
		{"likes green tea", "does not like green tea"},
		{"is 30 years old", "is not 30 years old"},
		{"is 31 years old", "is not 31 years old"},
		{"works at Acme as an engineer", "does not work at Acme as an engineer"},
		{"works as an engineer", "never works as an engineer"},
	}).Draw(t, "says")
	f.denies = rapid.Bool().Draw(t, "denies")
	f.text = say[0]
	if f.denies {
		f.text = say[1]
	}
	if f.subject == "" {
		f.text = strings.ToUpper(f.text[:1]) + f.text[1:]
	} else {
		f.text = f.subject + " " + f.text
	}
	return f
})

// A fact that was written is never written a second time; what it retires is of its subject
// and its polarity, and was not what it repeats.
func TestWeighLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		byText := map[string]drawnFact{}
		var known []Known
		for i, f := range rapid.SliceOfN(drawFact, 1, 12).Draw(t, "facts") {
			byText[f.text] = f
			w := Weigh(f.text, known)
			for _, k := range w.Retires {
				if old := byText[k.Fact]; old.subject != f.subject || old.denies != f.denies {
					t.Fatalf("%q retires %q", f.text, k.Fact)
				}
				known = slices.DeleteFunc(known, func(o Known) bool { return o == k })
			}
			if w.Verdict == WeighedWritten {
				known = append(known, Known{Fact: f.text, Place: string(rune('a' + i))})
			} else if !slices.Contains(known, w.Of) {
				t.Fatalf("%q is %s of %q, which is not kept", f.text, w.Verdict, w.Of.Fact)
			}
			if again := Weigh(f.text, known); again.Verdict == WeighedWritten || len(again.Retires) > 0 {
				t.Fatalf("%q is written twice: %+v", f.text, again)
			}
		}
	})
}

func FuzzWeigh(f *testing.F) {
	for _, tc := range weighCases {
		f.Add(tc.fact, tc.known)
	}
	f.Fuzz(func(t *testing.T, fact, other string) {
		known := []Known{{other, "a"}, {fact, "b"}}
		w := Weigh(fact, known)
		if w.Verdict == WeighedWritten && !slices.Contains(w.Retires, known[0]) {
			t.Errorf("%q is written beside itself", fact)
		}
		if slices.Contains(w.Retires, known[1]) {
			t.Errorf("%q retires itself", fact)
		}
	})
}
