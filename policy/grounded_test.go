package policy

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quipu/markdown"
)

func TestGrounded(t *testing.T) {
	tests := []struct {
		name, said, quote, fact string
		want                    bool
	}{
		{"no number", "I have cats at home", "", "Has cats", true},
		{"same digits", "I'm 34 and live in Goa", "", "Is 34", true},
		{"other digits", "I'm 34 and live in Goa", "", "Is 35", false},
		{"part of the digits", "I have 110 people in my team", "", "Has 10 people", false},
		{"in another part of the line", "I'm 34. I live in Goa", "I live in Goa", "Is 34, lives in Goa", false},
		{"decimals", "I'm 1.91 tall and left-handed", "", "Height is 1.91 m", true},
		{"decimal comma", "Ich bin 1,91 groß und wohne in Graz", "", "Height is 1.91 m", true},
		{"decimals lost", "I'm 1.91 tall and left-handed", "", "Height is 191 cm", false},
		{"decimals made", "I'm 191 cm tall and left-handed", "", "Height is 1.91 m", false},
		{"sign", "My balance is -10 at the moment", "", "Balance is -10", true},
		{"sign lost", "My balance is -10 at the moment", "", "Balance is 10", false},
		{"sign made", "My balance is 10 as of now", "", "Balance is -10", false},
		{"sign cut off the quote", "My balance is -10 euros", "10 euros", "Balance is 10 euros", false},
		{"a dash is no sign", "I run a 10-person startup in Goa", "", "Runs a startup of 10 people", true},
		{"a range", "I worked there from 2019-2021", "", "Worked there 2019 to 2021", true},
		{"minus in words", "It was minus 10 when I left Oslo", "", "Left Oslo at -10", true},
		{"thousands", "I earn 62,000 a year in total", "", "Earns 62000 a year", true},
		{"thousands, the other way", "I earn 62000 a year in total", "", "Earns 62,000 a year", true},
		{"thousands with a blank", "Je gagne 62 000 euros par an", "", "Earns 62,000 euros", true},
		{"thousands with a point", "Ich verdiene 62.000 Euro im Jahr", "", "Earns 62,000 euros", true},
		{"thousands as k", "I earn 62k a year in total", "", "Earns 62,000 a year", true},
		{"thousands and decimals", "It costs 1.234,50 euros a month", "", "Costs 1234.50 euros", true},
		{"another magnitude", "I earn 62,000 a year in total", "", "Earns 620,000 a year", false},
		{"unit", "I take 10mg of it daily", "", "Takes 10mg daily", true},
		{"unit apart", "I take 10 mg of it daily", "", "Takes 10mg daily", true},
		{"another unit", "I take 10mg of it daily", "", "Takes 10g daily", false},
		{"ordinal", "I turned 34 on the 2nd of May", "", "Birthday is 2 May", true},
		{"in words", "I have three brothers in Assen", "", "Has 3 brothers", true},
		{"in words, both", "I'm thirty-four years old", "", "Is 34", true},
		{"words that are not it", "I have three brothers in Assen", "", "Has 4 brothers", false},
		{"Spanish words", "Tengo tres hermanos en Lima", "", "Has 3 brothers", true},
		{"Russian words", "У меня двое детей в Казани", "", "Has 2 children", true},
		{"Chinese numerals", "我今年三十四岁了", "", "Is 34", true},
		{"Japanese counters", "猫をふたつ飼って六年です", "", "Has had cats for 6 years", true},
		{"Korean counters", "고양이 두 마리를 키워요", "", "Has 2 cats", true},
		{"full-width digits", "私は３４歳です", "", "Is 34", true},
		{"Arabic digits", "I'm ٣٤ years old", "", "Is 34", true},
		{"time", "No calls before 9:30 please", "", "No calls before 9:30", true},
		{"another time", "No calls before 9:30 please", "", "No calls before 10:30", false},
		{"version", "I run Go 1.26.8 on my laptop", "", "Uses Go 1.26.8", true},
		{"another version", "I run Go 1.26.8 on my laptop", "", "Uses Go 1.26", false},

		{"date as said", "We marry on 2027-06-12 in Delft", "", "Wedding is on 2027-06-12", true},
		{"date in words", "We marry on 12 June 2027 in Delft", "", "Wedding is on 2027-06-12", true},
		{"date, the other way", "We marry on 2027-06-12 in Delft", "", "Wedding is on 12 June 2027", true},
		{"date, German", "Wir heiraten am 12. Juni 2027 in Graz", "", "Wedding is on 2027-06-12", true},
		{"date with points", "Wir heiraten am 12.06.2027 in Graz", "", "Wedding is on 2027-06-12", true},
		{"date with slashes", "We marry on 12/6/27 in Delft", "", "Wedding is on 2027-06-12", true},
		{"date, Chinese", "我们2027年6月12日结婚", "", "Wedding is on 2027-06-12", true},
		{"another day", "We marry on 12 June 2027 in Delft", "", "Wedding is on 2027-06-13", false},
		{"another month", "We marry on 12 June 2027 in Delft", "", "Wedding is on 2027-07-12", false},
		{"another year", "We marry on 12 June 2027 in Delft", "", "Wedding is on 2028-06-12", false},
		{"a year that nobody named", "We marry on 12 June in Delft", "", "Wedding is on 2027-06-12", true},
		{"a year far off", "We marry on 12 June in Delft", "", "Wedding is on 2031-06-12", false},
		{"a weekday", "The launch moved to Friday for us", "", "The launch is on 2026-12-04", true},
		{"a weekday far off", "The launch moved to Friday for us", "", "The launch is on 2027-12-03", false},
		{"a day that nobody named", "The launch moved for us", "", "The launch is on 2026-12-04", false},
		{"tomorrow in Russian", "Переезд у нас завтра", "", "Moves on 2026-12-01", true},

		{"path", "The data is in /srv/data, always", "", "Data is in /srv/data", true},
		{"another path", "The data is in /srv/data, always", "", "Data is in /srv/other", false},
		{"longer path", "The data is in /srv/data, always", "", "Data is in /srv/data/new", false},
		{"part of a path", "The data is in /srv/data/new, always", "", "Data is in /srv/data", false},
		{"case of a path", "The data is in /srv/Data, always", "", "Data is in /srv/data", false},
		{"home", "My notes are in ~/notes", "", "Notes are in ~/notes", true},
		{"Windows", `My notes are in C:\notes`, "", `Notes are in C:\notes`, true},
		{"file in a folder", "The plan is docs/plan.md for us", "", "The plan is docs/plan.md", true},
		{"no path", "I use they/them or she/her", "", "Pronouns are they/them and/or she/her", true},
		{"URL", "Our site is https://acme.dev/home, not the old one", "", "Site is https://acme.dev/home", true},
		{"URL without scheme", "Our site is www.acme.dev/home now", "", "Site is https://acme.dev/home", true},
		{"another URL", "Our site is https://acme.dev/home now", "", "Site is https://acme.com/home", false},
		{"URL that nobody named", "Our site is new, thanks", "", "Site is https://acme.dev", false},
		{"mail", "Write to ilse@acme.dev please", "", "Mail is ilse@acme.dev", true},
		{"another mail", "Write to ilse@acme.dev please", "", "Mail is elsa@acme.dev", false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			l := newLine(VoicePerson, tc.said)
			s := span{end: len(l.flat)}
			if tc.quote != "" {
				s = l.places(compared(tc.quote))[0]
			}
			g := newGrounds(day(t, "2026-11-30"))
			g.add(l, s)
			if missing := g.missing(tc.fact); (missing == "") != tc.want {
				t.Errorf("missing %q, grounded %v", missing, tc.want)
			}
		})
	}
}

// TestGroundLaw: a number that was said is found however it is surrounded, and one
// that was not is not.
func TestGroundLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.SliceOfN(rapid.IntRange(21, 99999), 1, 6).Draw(t, "said")
		other := rapid.IntRange(21, 99999).Draw(t, "other")
		var b strings.Builder
		known := map[int]bool{}
		for _, n := range said {
			b.WriteString(rapid.SampledFrom([]string{"we have ", "(", "about ", "no. "}).Draw(t, "before") + strconv.Itoa(n) + rapid.SampledFrom([]string{" people, ", ") ", "; ", "% and "}).Draw(t, "behind"))
			known[n] = true
		}
		l := newLine(VoicePerson, b.String())
		g := newGrounds(markdown.Date{})
		g.add(l, span{end: len(l.flat)})
		for n := range known {
			if g.missing("There are "+strconv.Itoa(n)) != "" {
				t.Fatalf("%d of %q was not found", n, b.String())
			}
		}
		if !known[other] && g.missing("There are "+strconv.Itoa(other)) == "" {
			t.Fatalf("%d was found in %q", other, b.String())
		}
	})
}
