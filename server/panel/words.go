package panel

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed words
var wordFiles embed.FS

// messagesFile lists what there is to translate; it is no language.
const messagesFile = "messages.json"

// speech is what the panel says in one language. A sentence is named by its English,
// which also stands where a translation is missing.
type speech struct {
	tag   language.Tag
	print *message.Printer
	texts map[string]wording
	pages func() map[string]*template.Template
}

// wording is a sentence in one language: one text, or one for each form of its number.
type wording struct {
	text  string
	forms map[string]string // by zero, one, two, few, many, other
}

// UnmarshalJSON reads a text or an object of forms.
func (w *wording) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &w.text) == nil {
		return nil
	}
	if err := json.Unmarshal(data, &w.forms); err != nil {
		return err
	}
	if w.forms["other"] == "" {
		return fmt.Errorf("%s has no form %q", data, "other")
	}
	return nil
}

// languages are those that the panel speaks, English first.
type languages struct {
	spoken []*speech
	match  language.Matcher
}

// embedded are the languages that the program holds.
var embedded = sync.OnceValues(func() (*languages, error) { return readLanguages(wordFiles) })

// readLanguages reads the translations words/TAG.json.
func readLanguages(files fs.FS) (*languages, error) {
	all := &languages{spoken: []*speech{newSpeech(language.English, nil)}}
	names, err := fs.Glob(files, "words/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if path.Base(name) == messagesFile {
			continue
		}
		tag, err := language.Parse(strings.TrimSuffix(path.Base(name), ".json"))
		if err != nil {
			return nil, fmt.Errorf("%s is not named by a language: %w", name, err)
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var texts map[string]wording
		if err := json.Unmarshal(data, &texts); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all.spoken = append(all.spoken, newSpeech(tag, texts))
	}
	tags := make([]language.Tag, 0, len(all.spoken))
	for _, s := range all.spoken {
		tags = append(tags, s.tag)
	}
	all.match = language.NewMatcher(tags)
	return all, nil
}

// asked gives the language that a browser asks for, else English.
func (l *languages) asked(accept string) *speech {
	_, i := language.MatchStrings(l.match, accept)
	return l.spoken[i]
}

func newSpeech(tag language.Tag, texts map[string]wording) *speech {
	s := &speech{tag: tag, print: message.NewPrinter(tag), texts: texts}
	s.pages = sync.OnceValue(func() map[string]*template.Template { return parsePages(s.functions()) })
	return s
}

// say fills a sentence in, as fmt.Sprintf does.
func (s *speech) say(text string, args ...any) string {
	return s.print.Sprintf(cmp.Or(s.texts[text].text, text), args...)
}

// several says a sentence of a number, which is its first argument. one is the English of
// exactly one, other that of any other number, by which both are named.
func (s *speech) several(n int, one, other string, more ...any) string {
	text := other
	switch forms := s.texts[other].forms; {
	case forms != nil:
		text = cmp.Or(forms[form(s.tag, n)], forms["other"])
	case n == 1:
		text = one
	}
	if !strings.Contains(text, "%") {
		return text
	}
	return s.print.Sprintf(text, append([]any{n}, more...)...)
}

// form names the plural form of a whole number.
func form(tag language.Tag, n int) string {
	names := map[plural.Form]string{
		plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	}
	return names[plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0)]
}

// told says a sentence that was made below the panel: in the reader's language where it is
// known, and never filled in, since it may hold text of a note.
func (s *speech) told(text string) string { return cmp.Or(s.texts[text].text, text) }

// msg marks an English sentence that is said later.
func msg(text string) string { return text }

// msgs marks a sentence of a number; its other form names it.
func msgs(_, other string) string { return other }

// scriptTexts are the sentences of the modules in static, and their numbers' other forms.
var scriptTexts = []string{
	msg("Discard"),
	msg("Your draft of %s was begun on an older version. It stands under the editor and is not saved."),
	msg("Another draft of %s stands under the editor and is not saved."),
	msg("Your draft"),
	msg("Your draft of %s is back. It is not saved."),
	msg("Kept in this browser."),
	msg("This browser keeps no draft: save before you leave this page."),
	msg("This file is open in another tab too, with text that is not saved there. Each tab keeps its own."),
	msg("Your session ended. What you type is kept in this browser; sign in in another tab, then save here."),
	msg("You are signed in again. Save works."),
	msg("%s changed this file while you were editing. Save shows both versions; nothing is lost."),
	msg("%s changed this file. You see the new text."),
	msg("Preview"),
	msgs("1 new change.", "%d new changes."),
	msg("There are new changes."),
	msg("Show them"),
	msg("A model may take a minute. This page follows it."),
	msg("Your session ended. Sign in again to see what came of it."),
	msgs("1 more change", "%d more changes"), msgs("1 more note", "%d more notes"), msgs("1 more file", "%d more files"), msgs("1 more signal", "%d more signals"),
}

// script gives the modules what they say in this language, as JSON; "" in English.
func (s *speech) script() (string, error) {
	known := map[string]any{}
	for _, text := range scriptTexts {
		switch w := s.texts[text]; {
		case w.forms != nil:
			known[text] = w.forms
		case w.text != "":
			known[text] = w.text
		}
	}
	if len(known) == 0 {
		return "", nil
	}
	data, err := json.Marshal(known)
	return string(data), err
}

// dir is the direction in which the language is written.
func (s *speech) dir() string {
	script, _ := s.tag.Script()
	if slices.Contains([]string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg"}, script.String()) {
		return "rtl"
	}
	return "ltr"
}

func (s *speech) number(n int) string { return s.print.Sprintf("%d", n) }

func (s *speech) size(n int) string {
	switch {
	case n < 1000:
		return s.say("%d B", n)
	case n < 1_000_000:
		return s.say("%.1f KB", float64(n)/1000)
	}
	return s.say("%.1f MB", float64(n)/1e6)
}

var months = [...]string{
	msg("January"), msg("February"), msg("March"), msg("April"), msg("May"), msg("June"),
	msg("July"), msg("August"), msg("September"), msg("October"), msg("November"), msg("December"),
}

var shortMonths = [...]string{
	msg("Jan"), msg("Feb"), msg("Mar"), msg("Apr"), msg("May"), msg("Jun"),
	msg("Jul"), msg("Aug"), msg("Sep"), msg("Oct"), msg("Nov"), msg("Dec"),
}

var weekdays = [...]string{
	msg("Sunday"), msg("Monday"), msg("Tuesday"), msg("Wednesday"), msg("Thursday"), msg("Friday"), msg("Saturday"),
}

// day writes a day short: 30 Nov 2026.
func (s *speech) day(t time.Time) string {
	return s.say("%[1]s %[2]s %[3]s", t.Format("2"), s.say(shortMonths[t.Month()-1]), t.Format("2006"))
}

// longDay writes a day out: Monday, 30 November 2026.
func (s *speech) longDay(t time.Time) string {
	return s.say("%[1]s, %[2]s %[3]s %[4]s", s.say(weekdays[t.Weekday()]), t.Format("2"), s.say(months[t.Month()-1]), t.Format("2006"))
}

// minute writes a time to the minute.
func (s *speech) minute(t time.Time) string {
	return s.say("%[1]s, %[2]s", s.day(t), t.Format("15:04"))
}
