package policy

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"quipu/markdown"
)

// Switches are the rules that can be switched one by one; nil leaves what the preset has.
type Switches struct {
	English            *bool     `json:"english,omitempty"`            // a note is written in English
	Atomic             *bool     `json:"atomic,omitempty"`             // a note states one fact
	DedupeAcrossTopics *bool     `json:"dedupeAcrossTopics,omitempty"` // what another topic says already is not written again, and a correction retires what it corrects
	Sensitive          *bool     `json:"sensitive,omitempty"`          // faith, health and the like are kept when only inferred
	EvidenceQuote      *bool     `json:"evidenceQuote,omitempty"`      // a bot quotes the person's whole message with what it keeps
	Reviewed           *bool     `json:"reviewed,omitempty"`           // a model finds what a bot keeps in the person's last eight messages, or it is skipped
	NoCredentials      *bool     `json:"noCredentials,omitempty"`      // a note that tells a credential is refused, not only masked
	NoOrders           *bool     `json:"noOrders,omitempty"`           // what would turn the bot against the person is refused, and what does harm
	Lasting            *bool     `json:"lasting,omitempty"`            // passing states, tasks, questions and suppositions are kept only when the person asks
	DateBehind         *bool     `json:"dateBehind,omitempty"`         // a note is written as `- fact [2026-09-10T15:04:05]`
	MaxEntryChars      *int      `json:"maxEntryChars,omitempty"`      // characters of a note, 1 to 1,000
	MaxEntries         *int      `json:"maxEntries,omitempty"`         // notes that MEMORY.md and the topics hold together; 0 is no limit
	Recent             *int      `json:"recent,omitempty"`             // newest notes that load, in place of MEMORY.md; 0 loads that
	Areas              *[]string `json:"areas,omitempty"`              // topics that a note may go to; none: any, and MEMORY.md
}

// Rules are the switches in force: a preset's, and those set beside it.
type Rules struct {
	Preset string
	Switches
	own Switches // set beside the preset
}

// The presets.
const (
	PresetDefault   = "default"
	PresetOtto      = "otto"
	PresetKotoba    = "kotoba"
	PresetRetention = "retention"
)

// Presets are the names of all presets, that which holds without a choice first.
func Presets() []string {
	return []string{PresetDefault, PresetOtto, PresetKotoba, PresetRetention}
}

//go:embed preset/*.json
var presetFiles embed.FS

// presets reads the embedded files; a fault in one is a fault of the build, and a test reads them.
var presets = sync.OnceValue(func() map[string]Switches {
	out := map[string]Switches{}
	for _, name := range Presets() {
		raw, err := presetFiles.ReadFile("preset/" + name + ".json")
		if err != nil {
			panic(err)
		}
		var s Switches
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			panic(fmt.Sprintf("preset %s: %v", name, err))
		}
		out[name] = s
	}
	return out
})

// RulesOf are the rules of a preset, "" being the default one, with the switches that are
// set beside it. An unknown preset is the default.
func RulesOf(preset string, own Switches) Rules {
	all := presets()
	if _, ok := all[preset]; !ok {
		preset = PresetDefault
	}
	r := Rules{Preset: preset, own: own}
	r.Switches = all[PresetDefault].Under(all[preset]).Under(own)
	return r
}

// Under are the switches s where over leaves them.
func (s Switches) Under(over Switches) Switches {
	to, from := reflect.ValueOf(&s).Elem(), reflect.ValueOf(over)
	for i := range to.NumField() {
		if !from.Field(i).IsNil() {
			to.Field(i).Set(from.Field(i))
		}
	}
	return s
}

// None reports whether no switch is set.
func (s Switches) None() bool { return reflect.ValueOf(s).IsZero() }

// Switch is one rule as a person reads it.
type Switch struct {
	Name    string `json:"name"`
	Value   any    `json:"value"`   // true, false, a number, or a list of names
	From    string `json:"from"`    // "config", "preset NAME", or "default"
	Refuses string `json:"refuses"` // what it refuses or does when it is on; a sentence
}

// On reports whether a switch does anything.
func (s Switch) On() bool {
	v := reflect.ValueOf(s.Value)
	return v.IsValid() && !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0)
}

// List are all switches, in one order.
func (r Rules) List() []Switch {
	var out []Switch
	value, own, preset := reflect.ValueOf(r.Switches), reflect.ValueOf(r.own), reflect.ValueOf(presets()[r.Preset])
	for i := range value.NumField() {
		field := value.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		s := Switch{Name: name, From: "default", Refuses: switchWords[name]}
		if v := value.Field(i); v.IsNil() {
			s.Value = reflect.Zero(field.Type.Elem()).Interface()
		} else {
			s.Value = v.Elem().Interface()
		}
		if list, is := s.Value.([]string); is && list == nil {
			s.Value = []string{}
		}
		switch {
		case !own.Field(i).IsNil():
			s.From = "config"
		case r.Preset != PresetDefault && !preset.Field(i).IsNil():
			s.From = "preset " + r.Preset
		}
		out = append(out, s)
	}
	return out
}

// switchWords say what each switch refuses or does.
var switchWords = map[string]string{
	"english":            "refuses a note that is not written in English",
	"atomic":             "refuses a note that states more than one fact",
	"dedupeAcrossTopics": "writes nothing that another topic says already; a correction takes out what it corrects",
	"sensitive":          "keeps faith, health, politics and the like also when they were only inferred; off refuses that",
	"evidenceQuote":      "refuses what a bot keeps without the person's whole message as quote",
	"reviewed":           "skips what a bot keeps unless a model finds it in the person's last eight messages; the whole message as quote needs no review",
	"noCredentials":      "refuses a note that tells a password, a code, a card number or a key, where it is masked otherwise",
	"noOrders":           "refuses what would turn the bot against the person, and what does harm, even when asked",
	"lasting":            "refuses passing states, tasks, questions, suppositions and what somebody else wants to know, unless the person asks to keep it",
	"dateBehind":         "writes a note as `- fact [2026-09-10T15:04:05]`",
	"maxEntryChars":      "refuses a note with more characters",
	"maxEntries":         "refuses another note when MEMORY.md and the topics hold so many",
	"recent":             "loads so many of the newest notes, each with its topic, in place of MEMORY.md",
	"areas":              "refuses a note in another topic, and in none",
}

// On reports whether a switch is on; one that nothing sets is off.
func On(b *bool) bool { return b != nil && *b }

// Chars is how many characters a note may have.
func (r Rules) Chars() int {
	if r.MaxEntryChars == nil || *r.MaxEntryChars <= 0 {
		return MaxEntryRunes
	}
	return min(*r.MaxEntryChars, MaxEntryRunes)
}

// Newest is how many of the newest notes load; 0 loads MEMORY.md.
func (r Rules) Newest() int { return amount(r.Recent) }

func amount(n *int) int {
	if n == nil {
		return 0
	}
	return max(*n, 0)
}

// Topics are those that a note may go to; none is any.
func (r Rules) Topics() []string {
	if r.Areas == nil {
		return nil
	}
	return *r.Areas
}

// Allows reports whether a note may go to a topic, "" being MEMORY.md.
func (r Rules) Allows(topic string) bool {
	areas := r.Topics()
	return len(areas) == 0 || slices.ContainsFunc(areas, func(s string) bool { return SameName(s, topic) })
}

// Bounded reports whether a rule counts the notes that MEMORY.md and the topics hold.
func (r Rules) Bounded() bool { return amount(r.MaxEntries) > 0 }

// Hears reports whether a rule judges a note by the person's messages.
func (r Rules) Hears() bool { return On(r.EvidenceQuote) || On(r.Reviewed) || On(r.Lasting) }

// Asking is a note that somebody asks to keep, with all that the rules judge it by.
type Asking struct {
	Text  string
	Topic string   // "" is MEMORY.md
	Quote string   // the person's words on which it rests, as the bot gives them; "" is none
	Said  []string // the person's latest messages in that chat, the newest last

	Person   bool // the person writes it, and no bot for them
	Asked    bool // the person asks for it: they write it, or their message asks to remember
	Notes    int  // how many MEMORY.md and the topics hold
	Change   bool // it takes the place of another note
	Reviewed bool // its review found that the person's messages bear it out
	Quoted   bool // the words it rests on were looked at before
	Stands   bool // it is kept already: who asked for it, and with which words, is not looked at
}

// Finding is what one rule says of a note.
type Finding struct {
	Switch string `json:"switch"`         // its name
	Rule   Rule   `json:"rule,omitempty"` // of a switch with several: which
	Reason string `json:"reason"`
}

// Name is the switch, and which of its rules.
func (f Finding) Name() string {
	if f.Rule == "" {
		return f.Switch
	}
	return f.Switch + " (" + string(f.Rule) + ")"
}

func (f Finding) refusal() error {
	name := f.Name()
	return &Refusal{Code: Refused, Rule: name, Reason: "rule " + name + ": " + f.Reason}
}

// Admit refuses a note that a rule does not allow: a *Refusal with the code Refused, the
// rule, and what to do instead.
func (r Rules) Admit(a Asking) error {
	if found := r.Findings(a); len(found) > 0 {
		return found[0].refusal()
	}
	return nil
}

// Findings are all rules that do not allow a note, in the order of List; none lets it pass.
// What needs a model or the other notes is not looked at here.
func (r Rules) Findings(a Asking) []Finding {
	text := oneFact(a.Text)
	var out []Finding
	add := func(name string, rule Rule, format string, args ...any) {
		out = append(out, Finding{Switch: name, Rule: rule, Reason: fmt.Sprintf(format, args...)})
	}
	if On(r.English) && !English(text) {
		add("english", "", "notes are kept in English here: translate it into one short statement and ask again")
	}
	if On(r.Atomic) && Compound(text) {
		add("atomic", "", "this states more than one fact: keep each as a note of its own")
	}
	bySelf := a.Person || a.Quoted || a.Stands || a.Reviewed || len(a.Said) > 0 && WholeMessage(a.Said[len(a.Said)-1], a.Quote)
	switch {
	case bySelf:
	case On(r.Reviewed):
		add("reviewed", "", "it was not reviewed: keep it in a turn of the person's own, or quote their whole latest message, word for word")
	case On(r.EvidenceQuote):
		add("evidenceQuote", "", "quote the person's whole latest message, word for word, with what is to be kept")
	}
	r.unsafe(a, text, add)
	r.passing(a, text, add)
	r.bounds(a, text, add)
	return out
}

// bounds looks at how long a note is, how many there are, and where it goes.
func (r Rules) bounds(a Asking, text string, add func(string, Rule, string, ...any)) {
	if n := utf8.RuneCountInString(text); n > r.Chars() && r.Chars() < MaxEntryRunes { // that one always holds
		add("maxEntryChars", "", "the note has %d characters, %d is the limit: keep one fact, or several notes", n, r.Chars())
	}
	if a.Change {
		return
	}
	if limit := amount(r.MaxEntries); limit > 0 && !a.Stands && a.Notes >= limit {
		add("maxEntries", "", "the memory holds %d notes, %d is the limit: take out or replace one first", a.Notes, limit)
	}
	if !r.Allows(a.Topic) {
		add("areas", "", "name the topic: %s", strings.Join(r.Topics(), ", "))
	}
}

// unsafe looks for credentials, and for what works against the person.
func (r Rules) unsafe(a Asking, text string, add func(string, Rule, string, ...any)) {
	c := newAdmission(Candidate{Text: text, Kind: KindFact, Quotes: nonBlank(a.Quote)}, nil, CaptureRules{})
	if On(r.NoCredentials) && c.secret() != nil {
		add("noCredentials", RuleSecret, "credentials are never kept, not even when asked")
	}
	if !On(r.NoOrders) {
		return
	}
	if unfit, is := errors.AsType[*Unfit](c.hostile()); is {
		add("noOrders", unfit.Rule, "%s; it is not kept, not even when asked", unfit.Reason)
	}
}

// passing looks for what does not last, and for what was not meant as a statement.
func (r Rules) passing(a Asking, text string, add func(string, Rule, string, ...any)) {
	if !On(r.Lasting) || a.Asked || a.Person {
		return
	}
	if Ephemeral(text) {
		add("lasting", RulePassing, "it is true for the moment only")
		return
	}
	if a.Quoted || a.Stands {
		return
	}
	if why := unmeant(text, a.Said); why != nil {
		add("lasting", why.Rule, "%s", why.Reason)
	}
}

// unmeant says why none of the messages that speak of a text states anything, nil when one
// does or none speaks of it. Without messages the text itself is looked at.
func unmeant(text string, said []string) *Unfit {
	messages := said
	if len(said) == 0 {
		messages = []string{text}
	}
	var why *Unfit
	for _, m := range slices.Backward(messages) {
		if len(said) > 0 && !Concerns(text, m) {
			continue
		}
		_, err := Meant(m, m, nil)
		unfit, is := errors.AsType[*Unfit](err)
		if !is {
			return nil
		}
		if why == nil {
			why = unfit
		}
	}
	if why == nil || why.Rule == RuleQuote || why.Rule == RuleThin {
		return nil
	}
	return why
}

func nonBlank(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []string{text}
}

// Held is how many notes MEMORY.md and the topics hold that still speak.
func Held(n Notes) int {
	held := 0
	for path, text := range n.Files {
		if kind, err := CheckPath(path); err != nil || kind != Memory && kind != Topic {
			continue
		}
		for _, e := range markdown.Parse(path, text).Entries() {
			if !e.Struck && e.Expired.IsZero() {
				held++
			}
		}
	}
	return held
}
