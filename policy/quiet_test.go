package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quipu/markdown"
)

func themesOf(t testing.TB, files map[string]string) []Theme {
	t.Helper()
	n := Notes{Files: map[string][]byte{}}
	for path, text := range files {
		n.Files[path] = []byte(text)
	}
	today, ok := markdown.ParseDate("2026-10-01")
	if !ok {
		t.Fatal("no date")
	}
	return Themes(n, today)
}

func themeNames(list []Theme) []string {
	var names []string
	for _, theme := range list {
		names = append(names, theme.Name)
	}
	return names
}

func quietNames(list []QuietTheme) []string {
	var names []string
	for _, q := range list {
		names = append(names, q.Name)
	}
	return names
}

// aTheme is one topic that a text mentions by its name.
func aTheme(t testing.TB) []Theme {
	return themesOf(t, map[string]string{"memory/garden.md": "---\ntitle: Garden\n---\n"})
}

func TestThemesAreTopicsAndLiveNotes(t *testing.T) {
	got := themesOf(t, map[string]string{
		MemoryFile: "# Memory\n\n- 2026-09-10 · The person prefers jasmine tea\n- 2026-09-11 · ~~Works at the bakery on Main Street~~\n" +
			"- 2026-09-12 · Flies to Lisbon at noon · until 2026-09-20\n- It is Luna\n- The cat\n- His pin is 4411\n- That is him and it\n",
		"memory/food-and-wine.md": "---\ntitle: Cooking\naliases: [recipes, the]\n---\n\nA plain paragraph about sourdough\nbread on two lines.\n",
		"memory/the.md":           "- Rides a green bicycle\n",
		ArchiveFile:               "- 2020-01-01 · Collects stamps from Peru\n",
		AboutFile:                 "- Speaks Portuguese fluently\n",
		"notes.txt":               "Nothing of the memory here\n",
	})
	want := []string{
		"Speaks Portuguese fluently", "The person prefers jasmine tea", "It is Luna", "His pin is 4411",
		"Cooking", "A plain paragraph about sourdough bread on two lines.", "Rides a green bicycle",
	}
	if diff := cmp.Diff(want, themeNames(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestThemeOfOneWordIsKnownByItOnlyWhenRare(t *testing.T) {
	got := themesOf(t, map[string]string{MemoryFile: "- It is Luna\n- Luna eats dry food\n- She is Berta\n"})
	if diff := cmp.Diff([]string{"Luna eats dry food", "She is Berta"}, themeNames(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestThemeIn(t *testing.T) {
	note := func(fact string) map[string]string { return map[string]string{MemoryFile: "- " + fact + "\n"} }
	topic := map[string]string{"memory/tax-return.md": "---\ntitle: Tax return 2026\naliases: [IRS, Steuererklärung, 報税]\n---\n"}
	tests := []struct {
		name  string
		files map[string]string
		text  string
		want  bool
	}{
		{"title", topic, "Is your TAX  return 2026 ready?", true},
		{"file name", topic, "How is the tax return?", true},
		{"alias", topic, "A letter of the irs has come", true},
		{"alias with accents", topic, "Die STEUERERKLÄRUNG ist fällig", true},
		{"alias in a script without blanks", topic, "你該報税了", true},
		{"part of a word", topic, "The first thing", false},
		{"other order", topic, "Return the tax", false},
		{"two of three words", note("Prefers jasmine tea"), "Shall I brew a jasmine TEA?", true},
		{"other forms", note("Runs marathons in Berlin"), "How was running the marathon?", true},
		{"one of three words", note("Prefers jasmine tea"), "Tea time!", false},
		{"half of the words", note("Works night shifts at the bakery on Fridays"), "The bakery opens on Friday", false},
		{"one word of two", note("Likes cats"), "The cat is back", false},
		{"both words", note("Likes cats"), "You like cats, don't you?", true},
		{"a name alone", note("It is Luna"), "luna sleeps", true},
		{"German", note("Er züchtet Tomaten auf dem Balkon"), "Was macht die Tomate auf deinem Balkon?", true},
		{"Chinese", note("他对花生过敏"), "别忘了他花生过敏", true},
		{"Chinese, another matter", note("他对花生过敏"), "花开了", false},
		{"Japanese", note("毎朝コーヒーを飲む"), "毎朝のコーヒーを飲みましたか", true},
		{"Russian", note("Любит зелёный чай"), "Она любит чай зеленый?", true},
		{"empty", note("Prefers jasmine tea"), "", false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			list := themesOf(t, tc.files)
			if len(list) != 1 {
				t.Fatalf("got %d themes", len(list))
			}
			if got := list[0].In(tc.text); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestQuietTimes(t *testing.T) {
	themes := aTheme(t)
	at := func(hours ...float64) []Said {
		var list []Said
		for _, h := range hours {
			list = append(list, Said{Text: "The garden again", At: noon.Add(time.Duration(h * float64(time.Hour))), Unprompted: true})
		}
		return list
	}
	asked := at(0, 1, 2)
	asked[1].Unprompted = false
	tests := []struct {
		name string
		said []Said
		now  float64
		want float64 // the hour at which the quiet ends, 0 for none
	}{
		{"nothing said", nil, 1, 0},
		{"two mentions", at(0, 1), 1, 0},
		{"three mentions", at(0, 1, 2), 2, 7},
		{"to the last moment", at(0, 1, 2), 7, 7},
		{"and no longer", at(0, 1, 2), 7.001, 0},
		{"five hours apart are within five hours", at(0, 1, 5), 5, 10},
		{"more than five are not", at(0, 1, 5.001), 5.001, 0},
		{"but the second and third count on", at(0, 1, 5.001, 5.5), 5.5, 10.5},
		{"what was asked for does not count", asked, 2, 0},
		{"mentions meanwhile do not extend it", at(0, 1, 2, 3, 4, 5, 6), 6, 7},
		{"nor count after it", at(0, 1, 2, 5, 6, 7.5, 8), 8, 0},
		{"a mention at the last moment is meanwhile", at(0, 1, 2, 7, 8, 9), 9, 0},
		{"the count starts anew", at(0, 1, 2, 7.5, 8, 9), 9, 14},
		{"all in one moment", at(1, 1, 1), 1, 6},
		{"said after now", at(0, 1, 2), 1.5, 0},
		{"long ago", at(-100, -100, -100), 0, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := Quiet(themes, tc.said, noon.Add(time.Duration(tc.now*float64(time.Hour))))
			if tc.want == 0 {
				if len(got) > 0 {
					t.Errorf("quiet until %v", got[0].Until)
				}
				return
			}
			if len(got) != 1 || !got[0].Until.Equal(noon.Add(time.Duration(tc.want*float64(time.Hour)))) {
				t.Errorf("got %v, want the end at hour %v", got, tc.want)
			}
		})
	}
}

func TestUnquiet(t *testing.T) {
	themes := themesOf(t, map[string]string{
		"memory/garden.md": "---\ntitle: Garden\n---\n- Prefers jasmine tea\n", "memory/work.md": "---\ntitle: Work\n---\n",
	})
	var said []Said
	for i := range 3 {
		said = append(said, Said{Text: "Work and jasmine tea in the garden", At: noon.Add(time.Duration(i) * time.Minute), Unprompted: true})
	}
	quiet := Quiet(themes, said, noon.Add(time.Hour))
	if diff := cmp.Diff([]string{"Garden", "Prefers jasmine tea", "Work"}, quietNames(quiet)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for draft, want := range map[string][]string{
		"A jasmine tea at work?": {"Prefers jasmine tea", "Work"}, "The garden needs rain": {"Garden"}, "Hello": nil, "": nil,
	} {
		if diff := cmp.Diff(want, quietNames(Unquiet(draft, quiet))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", draft, diff)
		}
	}
}

// drawnSaid draws messages that mention the garden or not, at whole quarters of an hour.
func drawnSaid(t *rapid.T) []Said {
	var list []Said
	for range rapid.IntRange(0, 24).Draw(t, "messages") {
		list = append(list, Said{
			Text:       rapid.SampledFrom([]string{"The garden again", "Rain today", "In the GARDEN, your garden"}).Draw(t, "text"),
			At:         noon.Add(time.Duration(rapid.IntRange(0, 80).Draw(t, "quarter")) * 15 * time.Minute),
			Unprompted: rapid.IntRange(0, 3).Draw(t, "unprompted") > 0,
		})
	}
	return list
}

func drawnNow(t *rapid.T) time.Time {
	return noon.Add(time.Duration(rapid.IntRange(0, 120).Draw(t, "now")) * 15 * time.Minute)
}

func TestQuietLaws(t *testing.T) {
	themes := aTheme(t)
	rapid.Check(t, func(t *rapid.T) {
		said, now := drawnSaid(t), drawnNow(t)
		got := Quiet(themes, said, now)
		shuffled := rapid.Permutation(said).Draw(t, "order")
		if other := Quiet(themes, shuffled, now); len(other) != len(got) || len(got) > 0 && !other[0].Until.Equal(got[0].Until) {
			t.Fatalf("the order of the messages matters: %v and %v", got, other)
		}
		var mentions []time.Time
		for _, s := range said {
			if s.Unprompted && strings.Contains(strings.ToLower(s.Text), "garden") && !s.At.After(now) {
				mentions = append(mentions, s.At)
			}
		}
		slices.SortFunc(mentions, time.Time.Compare)
		full := slices.ContainsFunc(mentions, func(from time.Time) bool {
			n := 0
			for _, at := range mentions {
				if !at.Before(from) && at.Sub(from) <= MentionWindow {
					n++
				}
			}
			return n > MentionLimit
		})
		if len(got) > 0 && !full {
			t.Fatalf("quiet with at most %d mentions in any five hours: %v", MentionLimit, mentions)
		}
		if len(got) > 0 && (now.After(got[0].Until) || got[0].Until.After(now.Add(QuietTime))) {
			t.Fatalf("quiet until %v at %v", got[0].Until, now)
		}
		if n := len(mentions); n > MentionLimit && now.Sub(mentions[n-1]) <= QuietTime && len(got) == 0 && mentions[n-1].Sub(mentions[0]) <= MentionWindow && n == MentionLimit+1 {
			t.Fatalf("three mentions in five hours and no quiet: %v at %v", mentions, now)
		}
	})
}

// TestQuietSpeaksRarely: who keeps to Unquiet raises a theme at most three times in
// any five hours.
func TestQuietSpeaksRarely(t *testing.T) {
	themes := aTheme(t)
	rapid.Check(t, func(t *rapid.T) {
		var said []Said
		now := noon
		for range rapid.IntRange(1, 60).Draw(t, "drafts") {
			now = now.Add(time.Duration(rapid.IntRange(0, 12).Draw(t, "later")) * 15 * time.Minute)
			if len(Unquiet("The garden again", Quiet(themes, said, now))) == 0 {
				said = append(said, Said{Text: "The garden again", At: now, Unprompted: true})
			}
		}
		for i := MentionLimit + 1; i < len(said); i++ {
			if apart := said[i].At.Sub(said[i-MentionLimit-1].At); apart <= MentionWindow {
				t.Fatalf("four mentions within %v", apart)
			}
		}
	})
}

func FuzzQuiet(f *testing.F) {
	f.Add("- It is Luna\n- Prefers jasmine tea\n", "Tea for Luna", int64(0))
	f.Add("---\ntitle: 庭\n---\n- 毎朝コーヒーを飲む\n", "庭でコーヒー", int64(1<<40))
	f.Fuzz(func(t *testing.T, notes, text string, apart int64) {
		themes := themesOf(t, map[string]string{MemoryFile: notes, "memory/topic.md": notes})
		var said []Said
		for i := range 4 {
			said = append(said, Said{Text: text, At: noon.Add(time.Duration(apart) * time.Duration(i%3)), Unprompted: true})
		}
		now := noon.Add(3 * time.Hour)
		quiet := Quiet(themes, said, now)
		for _, q := range quiet {
			if !q.In(text) || now.After(q.Until) {
				t.Fatalf("%q is quiet until %v", q.Name, q.Until)
			}
		}
		if raised := Unquiet(text, quiet); len(raised) != len(quiet) {
			t.Fatalf("%d of %d quiet themes are raised", len(raised), len(quiet))
		}
	})
}

// manyNotes are files with n notes of eight words or so, a tenth of them German.
func manyNotes(n int) map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("prefers jasmine tea morning bicycle repair garden tomato balcony piano lesson Thursday dentist Lisbon train window report " +
		"quarter budget Anna birthday present chess club river marathon training sourdough bread oven camera lens museum ticket laptop backup")
	files := map[string][]byte{}
	for i := range n {
		path := fmt.Sprintf("memory/topic-%d.md", i/100)
		line := "- 2026-09-10 · The person"
		if i%10 == 0 {
			line = "- 2026-09-10 · Der Mensch und die"
		}
		for range 6 {
			line += " " + words[r.IntN(len(words))] + string(rune('a'+r.IntN(26)))
		}
		files[path] = append(files[path], (line + " " + words[r.IntN(len(words))] + "\n")...)
	}
	return files
}

func manySaid(n int) []Said {
	r := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields(strings.Repeat("the your and have that with for you about is a ", 3) + "jasmine tea morning bicycle repair garden tomato balcony piano lesson Thursday dentist Lisbon train window report " +
		"quarter budget Anna birthday present chess club river marathon training sourdough bread oven camera lens museum ticket laptop backup")
	var list []Said
	for i := range n {
		var b strings.Builder
		for range 30 {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		list = append(list, Said{Text: b.String(), At: noon.Add(time.Duration(i) * time.Minute), Unprompted: true})
	}
	return list
}

func BenchmarkThemes(b *testing.B) {
	today, _ := markdown.ParseDate("2026-10-01")
	for _, n := range []int{10, 1000, 10_000} {
		notes := Notes{Files: manyNotes(n)}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Themes(notes, today)
			}
		})
	}
}

func BenchmarkQuiet(b *testing.B) {
	today, _ := markdown.ParseDate("2026-10-01")
	for _, n := range []int{10, 1000, 10_000} {
		themes := Themes(Notes{Files: manyNotes(n)}, today)
		said := manySaid(50)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Quiet(themes, said, noon.Add(time.Hour))
			}
		})
	}
}
