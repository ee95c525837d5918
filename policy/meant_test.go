package policy

import (
	"errors"
	"testing"
	"time"
)

func TestMeant(t *testing.T) {
	frames := []Frame{{Open: "<memory>", Close: "</memory>"}}
	tests := map[string]struct {
		quote, message string
		want           string // "" is refused by rule
		rule           Rule
	}{
		"as it stands":       {"I like green tea", "Hi! I like green tea.", "I like green tea", ""},
		"folded":             {"i LIKE “green” tea", "I like \"green\" tea, always", "I like \"green\" tea", ""},
		"a denial":           {"I don't like tea", "No, I don't like tea.", "I don't like tea", ""},
		"what is remembered": {"I have no car", "Remember that I have no car", "I have no car", ""},
		"in German":          {"ich wohne nicht in Wien", "Nein, ich wohne nicht in Wien.", "ich wohne nicht in Wien", ""},
		"left out a not":     {"like green tea", "I do not like green tea.", "", RuleCut},
		"a question":         {"I like green tea", "Do you think I like green tea?", "", RuleAsked},
		"a supposition":      {"I lived in Rome", "Suppose I lived in Rome.", "", RuleSuppose},
		"not said":           {"I hate green tea", "I like green tea.", "", RuleQuote},
		"of a mail":          {"I like green tea", "> I like green tea\nwhat does he mean", "", RuleQuote},
		"of the host":        {"I like green tea", "<memory>\nI like green tea\n</memory>\nhello", "", RuleQuote},
		"thin":               {"tea", "I like green tea", "", RuleThin},
		"blank":              {" ", "I like green tea", "", RuleQuote},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Meant(tt.quote, tt.message, frames)
			unfit, _ := errors.AsType[*Unfit](err)
			if got != tt.want || (err == nil) != (tt.rule == "") || unfit != nil && unfit.Rule != tt.rule {
				t.Errorf("got %q, %v (%+v), want %q %s", got, err, unfit, tt.want, tt.rule)
			}
		})
	}
}

func TestConcerns(t *testing.T) {
	for _, tt := range []struct {
		text, fact string
		want       bool
	}{
		{"I am not allergic to nuts", "Is allergic to nuts", true},
		{"no nut bothers me", "Is allergic to nuts", true},
		{"I have no car", "Is allergic to nuts", false},
		{"", "Is allergic to nuts", false},
		{"it is", "it is", false},
	} {
		if got := Concerns(tt.text, tt.fact); got != tt.want {
			t.Errorf("%q of %q: %v", tt.text, tt.fact, got)
		}
	}
}

func TestSince(t *testing.T) {
	at := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	l, faults := ParseLedger(Ledger{}.Append(
		Event{Kind: EventDispute, ID: "a", At: at, By: "person Ada", Fact: "The user likes green tea", Why: Rebut},
		Event{Kind: EventDispute, ID: "b", At: at.AddDate(0, 0, 2), By: "bot scout", Fact: "Lives in Oslo", Why: Negate},
		Event{Kind: EventReflect, ID: "c", At: at, Fact: "Drinks well", From: []string{"The user likes green tea"}},
	))
	if len(faults) > 0 || !l.Holds(EventDispute, "a") || l.Holds(EventSupport, "a") {
		t.Fatal(faults)
	}
	d := l.Standings(time.Time{}).Disputes(at.AddDate(0, 0, 3))
	d.Drop("Drinks well")
	for _, tt := range []struct {
		fact  string
		falls bool
		at    time.Time
		out   bool
	}{
		{"The user likes green tea", true, at, true},
		{"Likes green tea", true, at, true},
		{"Likes green tea", false, at, true},
		{"Lives in Oslo", true, at.AddDate(0, 0, 2), true},
		{"Lives in Oslo", false, time.Time{}, false},
		{"Drinks well", true, time.Time{}, true},
		{"Likes coffee", true, time.Time{}, false},
	} {
		if got, out := d.Since(tt.fact, tt.falls); !got.Equal(tt.at) || out != tt.out {
			t.Errorf("%s (%v): %v %v", tt.fact, tt.falls, got, out)
		}
	}
}
