package policy

import (
	"strings"
	"testing"
)

// BenchmarkAdmit judges one candidate: after a usual batch of six turns, and
// after one message of 64 KiB made to cost much.
func BenchmarkAdmit(b *testing.B) {
	said := "I moved to Goa in 2019 and work from home. What should I cook tonight? I'm vegetarian, and my son is allergic to nuts. "
	var turns []Heard
	for range 6 {
		turns = append(turns, Heard{Voice: VoicePerson, Text: strings.Repeat(said, 12)}, Heard{Voice: VoiceBot, Text: strings.Repeat("Here is a plan. ", 90)})
	}
	fill := func(s string) []Heard {
		return []Heard{{Voice: VoicePerson, Text: strings.Repeat(s, (64<<10)/len(s)) + " I live in Goa since 2019."}}
	}
	tests := []struct {
		name  string
		heard []Heard
	}{
		{"six-turns", turns}, {"64KB-prose", fill(said)}, {"64KB-commas", fill("a, ")}, {"64KB-and", fill("and I ")}, {"64KB-numerals", fill("三十")}, {"64KB-east", fill("我、")}, {"64KB-spanish", fill("¿a ")},
	}
	for _, tc := range tests {
		b.Run(tc.name, func(b *testing.B) {
			c := Candidate{Text: "Lives in Goa since 2019", Kind: KindFact, Quotes: []string{"I live in Goa since 2019", "I moved to Goa in 2019"}}
			if _, err := c.Admit(tc.heard, CaptureRules{}); err != nil && tc.name == "six-turns" {
				b.Fatal(err)
			}
			for b.Loop() {
				_, _ = c.Admit(tc.heard, CaptureRules{})
			}
		})
	}
}
