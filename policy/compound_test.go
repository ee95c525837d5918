package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var compoundFacts = []string{
	"Likes jasmine tea and the colour indigo", "Has a cat and she has a dog", "Likes tea and a walk", "Lives in Madrid; works at Acme", "Lives in Rome and works at Acme", "Likes tea and he likes walks", "Has a dog named Luna and he likes walks",
	"Likes tea. Lives in Madrid.", "Likes tea, works at Acme", "Likes tea and hates coffee", "Plays chess and runs marathons", "Likes food and drinks wine", "Is a nurse and has two sons", "Likes tea & the colour indigo", "Lives in Goa, and his sister lives in Pune",
	"Lives in Madrid but works in Toledo", "Is vegan；works at night", "Wrote \"Salt; and the sea\" and the sequel", "Likes Ana and her cooking",
	"Le gusta el té y la música", "Vive en Madrid y trabaja en Acme", "Tiene un perro y su hermana vive en Roma", "Wohnt in Berlin und arbeitet bei Bosch", "Mag Tee und die Farbe Blau", "Habite à Lyon et travaille à Paris", "Mora em Lisboa e trabalha no Porto",
	"Vive a Roma e lavora a Milano", "Woont in Utrecht en werkt in Amsterdam", "Живёт в Москве и работает в банке",
}

var atomicFacts = []string{
	"Likes salt and pepper", "Wrote \"Salt; and the sea\" last year", "Lives in Trinidad and Tobago", "Works between 9 and the end of the day", "Fan of Florence and the Machine", "Loves Beauty and the Beast", "Speaks and writes Arabic", "Has two and a half acres",
	"Likes tea, coffee and cocoa", "Sells food and drinks at fairs", "Likes cars and ships", "Lives in St. Ives near the harbour", "Likes tea", "Prefers fish and chips", "", ";", "Favorite place in St. Albans is the park", "Works for Dr. Smith", "Ana, who works at Acme, is his wife",
	"Has a dog named Luna", "Uses `a; b` in code", "Likes crosswords, puzzles and the like", "Website is https://a.example/x;y", "Likes rock and roll", "Is black and white colour blind", "When in Madrid, stays at Ana's",
	"Le gusta el arroz con sal y pimienta", "Fan von Tom und Jerry", "Likes tea but not coffee", "Cooks and cleans at home", "Vive en la playa", "Born on 3 May 1990 in Goa",
}

func TestCompound(t *testing.T) {
	for _, text := range compoundFacts {
		if !Compound(text) {
			t.Errorf("%q passes for one fact", text)
		}
	}
	for _, text := range atomicFacts {
		if Compound(text) {
			t.Errorf("%q reads as %q", text, factsIn(text))
		}
	}
}

// Two facts with a semicolon between are compound, and one of them in quotes is none.
func TestCompoundLaws(t *testing.T) {
	one := rapid.SampledFrom([]string{"Likes tea", "Lives in Madrid", "Has 2 siblings", "Sister lives in Goa", "Is vegan"})
	rapid.Check(t, func(t *rapid.T) {
		a, b := one.Draw(t, "a"), one.Draw(t, "b")
		if !Compound(a + "; " + b) {
			t.Fatalf("%q and %q pass for one fact", a, b)
		}
		if Compound("Wrote \"" + a + "; " + b + "\"") {
			t.Fatalf("a title of %q and %q is compound", a, b)
		}
	})
}

func FuzzCompound(f *testing.F) {
	for _, text := range append(compoundFacts, atomicFacts...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts := factsIn(text)
		if len(parts) == 0 {
			t.Fatal("a text with no part")
		}
		if Compound(text) != Compound(" "+text) {
			t.Errorf("a blank before it decides on %q", text)
		}
		for _, part := range parts {
			if !strings.Contains(flatten(text), part) {
				t.Errorf("%q is no part of %q", part, text)
			}
		}
	})
}
