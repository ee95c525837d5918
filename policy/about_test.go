package policy

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLearn(t *testing.T) {
	const scout = "- 2026-09-25 · learned by Scout · "
	tests := []struct {
		name, about string
		texts       []string
		never       []string
		lines       []string
		text        string
	}{
		{"known and twice", "- 2026-09-01 · learned by Scout · Lives in City A", []string{"Is vegetarian", "Lives in City A", "Is vegetarian."}, nil, []string{scout + "Is vegetarian"}, "- 2026-09-01 · learned by Scout · Lives in City A\n" + scout + "Is vegetarian"},
		{"blank lines give way", "I run a studio.\n\n", []string{"x"}, nil, []string{scout + "x"}, "I run a studio.\n" + scout + "x"},
		{"CRLF", "I run a studio.\r\nIn Goa.\r\n", []string{"x"}, nil, []string{scout + "x"}, "I run a studio.\r\nIn Goa.\r\n" + scout + "x"},
		{"empty", "", []string{"x", "y"}, nil, []string{scout + "x", scout + "y"}, scout + "x\n" + scout + "y"},
		{"known by hand", "- I run a studio.\nIs tall", []string{"I run a studio", "Is tall."}, nil, nil, "- I run a studio.\nIs tall"},
		{"struck is not known", "- 2026-09-01 · ~~learned by Scout · Is tall~~", []string{"Is tall"}, nil, []string{scout + "Is tall"}, "- 2026-09-01 · ~~learned by Scout · Is tall~~\n" + scout + "Is tall"},
		{"never again", "", []string{"Is vegetarian", "Likes tea"}, []string{"Is vegetarian"}, []string{scout + "Likes tea"}, scout + "Likes tea"},
		{"lines fold, marks go", "", []string{"- a\n b · until 2026-10-01", " "}, nil, []string{scout + "- a b"}, scout + "- a b"},
		{"masked", "", []string{"wifi password: hunter22"}, nil, []string{scout + "wifi password: «redacted 8 chars»"}, scout + "wifi password: «redacted 8 chars»"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			in := LearnInput{About: []byte(tc.about), Bot: "Scout", Texts: tc.texts, Today: day(t, "2026-09-25")}
			if tc.never != nil {
				in.Never = listed(t, tc.never).Never().Blocks
			}
			got := Learn(in, NewRedactor())
			if diff := cmp.Diff(tc.lines, got.Lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.text, string(got.Text)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
	full := LearnInput{About: []byte(strings.Repeat("é", MaxAboutRunes-5)), Bot: "Scout", Texts: []string{"x"}, Today: today(t)}
	if got := Learn(full, NewRedactor()); !got.Full || len(got.Lines) > 0 || string(got.Text) != string(full.About) {
		t.Errorf("%+v", got.Lines)
	}
}

func TestLearnedLine(t *testing.T) {
	tests := []struct{ name, bot, text, want string }{
		{"dot in the name", "Scout · Bot", "Is vegetarian", "- 2026-09-25 · learned by Scout - Bot · Is vegetarian"},
		{"long name", strings.Repeat("n", 70), "x", "- 2026-09-25 · learned by " + strings.Repeat("n", 59) + "… · x"},
		{"long text", "Scout", strings.Repeat("é", 301), "- 2026-09-25 · learned by Scout · " + strings.Repeat("é", 299) + "…"},
		{"a marker is not cut", "Scout", strings.Repeat("x", 290) + " «redacted 123 chars» y", "- 2026-09-25 · learned by Scout · " + strings.Repeat("x", 290) + "…"},
		{"no name", " ", "x", "- 2026-09-25 · learned by a bot · x"},
	}
	for _, tc := range tests {
		if diff := cmp.Diff(tc.want, LearnedLine(tc.bot, tc.text, day(t, "2026-09-25"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestLearnedLines(t *testing.T) {
	about := "I run a studio.\n- 2026-09-01 · learned by Scout · a\n- 2026-09-03 · learned by Ann - B · c · d\n- 2026-09-03 · learned by Scout · e\n" +
		"- 2026-09-02 · not learned\n- 2026-09-02 · ~~learned by Scout · gone~~\n- 2026-09-01 · learned by Scout · a\n"
	var got []string
	ids := map[string]bool{}
	for _, l := range LearnedLines([]byte(about)) {
		got = append(got, l.At.String()+" "+l.BotName+": "+l.Text)
		ids[l.ID] = true
	}
	want := []string{"2026-09-03 Scout: e", "2026-09-03 Ann - B: c · d", "2026-09-01 Scout: a", "2026-09-01 Scout: a"}
	if diff := cmp.Diff(want, got); diff != "" || len(ids) != 4 {
		t.Errorf("%d ids (-want +got):\n%s", len(ids), diff)
	}
	id := LearnedLines([]byte(about))[0].ID
	text, l, ok := RemoveLearned([]byte(about), id)
	if !ok || l.Text != "e" || string(text) != strings.Replace(about, "- 2026-09-03 · learned by Scout · e\n", "", 1) {
		t.Errorf("%v %q", ok, text)
	}
	if text, _, ok := RemoveLearned(text, id); ok || len(text) == 0 {
		t.Error("removed twice")
	}
}

func TestPreference(t *testing.T) {
	if got, err := Preference("  reminders go to my task app "); err != nil || got != "reminders go to my task app" {
		t.Errorf("%q, %v", got, err)
	}
	for _, text := range []string{"", " \n", "a\nb", strings.Repeat("x", 301), "\xff"} {
		var refusal *Refusal
		if _, err := Preference(text); !errors.As(err, &refusal) || refusal.Code != Invalid {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestLearnLaws: what is added can be listed, taken out again and is one line.
func TestLearnLaws(t *testing.T) {
	red, when := NewRedactor(), today(t)
	rapid.Check(t, func(t *rapid.T) {
		about := generated(t)
		got := Learn(LearnInput{About: about, Bot: rapid.String().Draw(t, "bot"), Texts: []string{rapid.String().Draw(t, "text")}, Today: when}, red)
		if len(got.Lines) == 0 {
			return
		}
		if strings.ContainsAny(got.Lines[0], "\r\n") || utf8.RuneCountInString(got.Lines[0]) > 400 {
			t.Fatalf("%q", got.Lines[0])
		}
		if again := Learn(LearnInput{About: got.Text, Bot: "b", Texts: []string{learnedFact(got.Lines[0])}, Today: when}, red); len(again.Lines) > 0 && !strings.Contains(string(about), "```") && !strings.Contains(string(about), "~~~") {
			t.Fatalf("learned twice: %q, %q", got.Lines, again.Lines)
		}
	})
}
