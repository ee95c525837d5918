package panel

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// setting is one setting of config.json as a field of a form. What is blank, and a switch
// that stands as it does by itself, is not written: the default then holds.
type setting struct {
	Key       string // dotted; also the field's name
	Kind      string // text, zone, number, seconds, switch, choice
	Label     string
	Hint      string
	Default   string // what holds when the field is blank
	Low, High int    // of a number
	On        bool   // of a switch: how it stands by itself
	Options   []choice
	Rule      string // what a value must be, as a sentence
	Value     string // what the file says, or what was typed
	Fault     string // what is wrong with what was typed
	Variable  string // that sets it instead of the file
	InForce   string // what that variable says
	Whole     string // the key that is taken out when the field is blank; "" is Key
}

// ID is the id of the field in the page.
func (s setting) ID() string { return "f-" + strings.ReplaceAll(s.Key, ".", "-") }

// Checked says whether a switch is on.
func (s setting) Checked() bool { return s.Value == "true" || s.Value == "" && s.On }

// Number says whether the field takes a number.
func (s setting) Number() bool { return s.Kind == "number" || s.Kind == "seconds" }

// settingGroup is what stands together in a form.
type settingGroup struct {
	Title, Warning string
	Settings       []setting
}

// fill puts into a field what config.json says, and whether a variable overrules it.
func (p *Panel) fill(s *setting) {
	raw, err := p.store.ConfigValue(s.Key)
	if err == nil && string(raw) != "null" {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		s.Value = text
	}
	if s.Kind == "seconds" && s.Value != "" {
		ms, _ := strconv.ParseFloat(s.Value, 64)
		s.Value = strconv.FormatFloat(ms/1000, 'f', -1, 64)
	}
	if s.Variable = p.store.Config().Environment[s.Key]; s.Variable != "" {
		c := p.store.Config()
		s.InForce = map[string]string{"timezone": c.Timezone, "person.name": c.Person.Name, "person.email": c.Person.Email}[s.Key]
	}
}

// typed takes what a form says of a setting, and gives the value to keep; nil is the default.
func (s *setting) typed(v *visit, form url.Values) any {
	s.Value = strings.TrimSpace(form.Get(s.Key))
	switch s.Kind {
	case "switch":
		on := s.Value == "on"
		if s.Value = strconv.FormatBool(on); on == s.On {
			return nil
		}
		return on
	case "number", "seconds":
		return s.number(v)
	}
	if s.Value == "" {
		return nil
	}
	if _, err := time.LoadLocation(s.Value); s.Kind == "zone" && err != nil {
		s.Fault = s.Rule
	}
	return s.Value
}

func (s *setting) number(v *visit) any {
	if s.Value == "" {
		return nil
	}
	x, err := strconv.ParseFloat(s.Value, 64)
	if s.Kind == "seconds" { // kept as milliseconds
		if x = math.Round(x * 1000); err != nil || !(x >= 1 && x <= float64(s.High)*1000) {
			s.Fault = v.say("This is a number above 0 and up to %d.", s.High)
			return nil
		}
		return int(x)
	}
	if err != nil || !(x >= float64(s.Low) && x <= float64(s.High)) || x != math.Trunc(x) {
		s.Fault = v.say("This is a whole number from %d to %d.", s.Low, s.High)
		return nil
	}
	return int(x)
}

// keep writes what a form says of these settings, all or none. A field that is wrong gets
// its sentence; the one that is given back is for the whole form, "" when all is kept.
func (p *Panel) keep(v *visit, list []setting) (fault string) {
	if p.store.ConfigFault() != nil {
		return v.say("config.json is not valid, so nothing was kept. Mend it first: quipu config validate says where.")
	}
	var changes []repo.Setting
	for i := range list {
		s := &list[i]
		if p.fill(s); s.Variable != "" {
			continue // what the file says of it has no effect
		}
		value := s.typed(v, v.r.PostForm)
		if s.Fault != "" {
			fault = v.say("Nothing was kept: see below what is wrong.")
		}
		key := s.Key
		if value == nil {
			key = cmp.Or(s.Whole, key)
		}
		changes = append(changes, repo.Setting{Path: strings.Split(key, "."), Value: value})
	}
	if fault != "" {
		return fault
	}
	err := p.store.EditConfig(changes...)
	switch {
	case err == nil:
		return ""
	case !errors.Is(err, repo.ErrInvalid):
		_, sentence := p.Meaning(err)
		return v.told(sentenced(sentence))
	}
	fault = sentenced(err.Error()) // what no field of the form has
	for i := range list {
		if strings.Contains(err.Error(), list[i].Key+" ") && list[i].Rule != "" {
			list[i].Fault, fault = list[i].Rule, v.say("Nothing was kept: see below what is wrong.")
		}
	}
	return fault
}

type settingsPage struct {
	CSRF    string
	Fault   string
	Broken  []string // what is wrong with config.json
	Groups  []settingGroup
	Unknown []string // keys that quipu does not know
	Home    string
	At      string // where the server answers
	Hosts   []string
}

// settings shows what holds for the whole home.
func (p *Panel) settings(v *visit) error {
	groups := p.homeSettings(v)
	for _, g := range groups {
		for i := range g.Settings {
			p.fill(&g.Settings[i])
		}
	}
	p.showSettings(v, http.StatusOK, groups, "")
	return nil
}

func (p *Panel) showSettings(v *visit, status int, groups []settingGroup, fault string) {
	c := p.store.Config()
	page := settingsPage{CSRF: v.csrf, Fault: fault, Groups: groups, Unknown: c.Unknown, Home: p.store.Home(), Hosts: c.AllowedHosts}
	page.Broken, page.At = p.broken(), cmp.Or(p.store.Serving(), "http://"+c.ListenAddr())
	p.show(v, status, "settings", v.say("Settings"), nil, page)
}

// broken lists what is wrong with config.json.
func (p *Panel) broken() []string {
	err := p.store.ConfigFault()
	if err == nil {
		return nil
	}
	if !errors.Is(err, repo.ErrInvalid) {
		return []string{"config.json"}
	}
	return strings.Split(strings.TrimPrefix(err.Error(), "config.json: "), "; ")
}

func (p *Panel) saveSettings(v *visit) error {
	groups := p.homeSettings(v)
	var list []setting
	for _, g := range groups {
		list = append(list, g.Settings...)
	}
	if fault := p.keep(v, list); fault != "" {
		for _, g := range groups {
			list = list[copy(g.Settings, list):]
		}
		p.showSettings(v, http.StatusBadRequest, groups, fault)
		return nil
	}
	return v.done("/settings", "settings", "")
}

// homeSettings are the settings of the home, as they stand together in the form.
func (p *Panel) homeSettings(v *visit) []settingGroup {
	c := p.store.Config()
	number := func(key, label, hint, def string, low, high int) setting {
		return setting{Key: key, Kind: "number", Label: label, Hint: hint, Default: def, Low: low, High: high}
	}
	name := v.say("This is one line of at most 100 characters, without < and >.")
	return []settingGroup{
		{Title: v.say("You"), Settings: []setting{
			{Key: "person.name", Kind: "text", Label: v.say("Name"), Hint: v.say("Your changes are signed with it."), Default: c.PersonName(), Rule: name},
			{Key: "person.email", Kind: "text", Label: v.say("E-mail"), Hint: v.say("It stands in the history, which you may share."), Default: c.PersonEmail(), Rule: name},
			zoneSetting(v, "timezone", v.say("that of this machine")),
		}},
		{Title: v.say("What bots learn and recall"), Settings: []setting{
			{Key: "features.autoRecall", Kind: "switch", On: true, Label: v.say("Recall notes before each turn")},
			{Key: "features.neverLearn", Kind: "switch", On: true, Label: v.say("Never learn again what was forgotten"), Hint: v.say("Kept as a list of hashes, not of words.")},
			roomsSwitch(v),
		}},
		{Title: v.say("When chats are read and notes are tidied"), Settings: []setting{
			{Key: "memory.captureQuietMs", Kind: "seconds", Label: v.say("Seconds of quiet before a chat is read"), Default: "120", Low: 1, High: 86_400},
			number("memory.captureTurns", v.say("Turns after which it is read without waiting"), "", "6", 1, 1000),
			number("memory.tidyHour", v.say("Hour of the night from which notes are tidied"), "", "3", 0, 23),
		}},
		{Title: v.say("How much of MEMORY.md loads each turn"), Settings: []setting{
			number("memory.maxLines", v.say("Lines"), "", "200", 1, 100_000),
			number("memory.maxBytes", v.say("Bytes"), "", "24000", 256, policy.MaxFileBytes),
		}},
		{
			Title:    v.say("How much history is kept"),
			Warning:  v.say("What is older than that becomes one change: it cannot be looked at or undone any more, in any bot, and nothing brings it back."),
			Settings: []setting{number("memory.historyDays", v.say("Days"), v.say("0 keeps all of it."), "0", 0, 36_500)},
		},
		{Title: v.say("Sync"), Settings: []setting{
			number("sync.intervalMinutes", v.say("Minutes between two syncs"), v.say("0 syncs only when you ask for it."), "0", 0, 525_600),
		}},
	}
}

func zoneSetting(v *visit, key, def string) setting {
	return setting{
		Key: key, Kind: "zone", Label: v.say("Time zone"), Hint: v.say("Days begin and end in it. It is written as Europe/Berlin."), Default: def,
		Rule: v.say("There is no such time zone."),
	}
}

func roomsSwitch(v *visit) setting {
	return setting{
		Key: "features.roomMemoryCapture", Kind: "switch", Label: v.say("Learn from group chats"),
		Hint: v.say("One switch for every bot."),
	}
}
