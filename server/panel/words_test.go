package panel

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func spokenIn(t *testing.T, files map[string]string) *languages {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree["words/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	all, err := readLanguages(tree)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSentencesInAnotherLanguage(t *testing.T) {
	all := spokenIn(t, map[string]string{
		"messages.json": `["Save"]`,
		"de.json":       `{"Save": "Speichern", "%d notes": {"one": "%d Notiz", "other": "%d Notizen"}, "30 %": "nie", "%[1]s %[2]s %[3]s": "%[1]s. %[2]s %[3]s", "Nov": "Nov."}`,
		"pl.json":       `{"%d notes": {"one": "%d notatka", "few": "%d notatki", "many": "%d notatek", "other": "%d notatki"}}`,
		"ar.json":       `{"Save": "حفظ"}`,
	})
	day := time.Date(2026, 11, 30, 9, 5, 0, 0, time.UTC)
	tests := []struct {
		accept string
		want   []string
	}{
		{"", []string{"en", "ltr", "Save", "1 note", "2 notes", "5 notes", "1,200 notes", "30 Nov 2026, 09:05"}},
		{"fr", []string{"en", "ltr", "Save", "1 note", "2 notes", "5 notes", "1,200 notes", "30 Nov 2026, 09:05"}},
		{"not a list;;;", []string{"en", "ltr", "Save", "1 note", "2 notes", "5 notes", "1,200 notes", "30 Nov 2026, 09:05"}},
		{"de-CH,de;q=0.9,en;q=0.5", []string{"de", "ltr", "Speichern", "1 Notiz", "2 Notizen", "5 Notizen", "1.200 Notizen", "30. Nov. 2026, 09:05"}},
		{"pl", []string{"pl", "ltr", "Save", "1 notatka", "2 notatki", "5 notatek", "1\u00a0200 notatek", "30 Nov 2026, 09:05"}},
		{"ar-EG", []string{"ar", "rtl", "حفظ", "1 note", "2 notes", "5 notes", "1,200 notes", "30 Nov 2026, 09:05"}},
	}
	for _, tt := range tests {
		t.Run(tt.accept, func(t *testing.T) {
			s := all.asked(tt.accept)
			got := []string{s.tag.String(), s.dir(), s.say("Save")}
			for _, n := range []int{1, 2, 5, 1200} {
				got = append(got, s.several(n, "1 note", "%d notes"))
			}
			got = append(got, s.minute(day))
			if s.tag.String() == "ar" { // its digits are a matter of x/text
				got, tt.want = got[:5], tt.want[:5]
				got[4], tt.want[4] = "", ""
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if got := all.asked("de").told("100 % of %s"); got != "100 % of %s" {
		t.Errorf("a sentence from below is filled in: %q", got)
	}
}

func TestTranslationsThatCannotBe(t *testing.T) {
	for name, text := range map[string]string{
		"de.json":      `{"Save": {"one": "x"}}`,
		"fr.json":      `{"Save": 1}`,
		"it.json":      `[]`,
		"klingon.json": `{}`,
	} {
		if _, err := readLanguages(fstest.MapFS{"words/" + name: &fstest.MapFile{Data: []byte(text)}}); err == nil {
			t.Errorf("%s with %s is read", name, text)
		}
	}
}

func TestEmbeddedLanguages(t *testing.T) {
	if _, err := embedded(); err != nil {
		t.Fatal(err)
	}
}
