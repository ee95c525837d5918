package panel

import (
	"maps"
	"net/http"
	"slices"

	"quipu/repo"
)

type botSettingsPage struct {
	CSRF      string
	Fault     string
	Broken    []string
	Groups    []settingGroup
	Folder    folderView
	OwnRules  bool   // single switches of the rules beside the preset
	GoneFault string // of the form that removes the bot
}

// botSettings shows what holds for one bot.
func (p *Panel) botSettings(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	groups := p.settingsOf(v, s.ID)
	for _, g := range groups {
		for i := range g.Settings {
			p.fill(&g.Settings[i])
		}
	}
	p.showBotSettings(v, &s, http.StatusOK, botSettingsPage{Groups: groups})
	return nil
}

func (p *Panel) showBotSettings(v *visit, s *space, status int, page botSettingsPage) {
	page.CSRF, page.Broken, page.Folder = v.csrf, p.broken(), p.folder(v, s)
	if own := p.store.Config().Bots[s.ID].Rules; own != nil {
		page.OwnRules = !own.None()
	}
	p.show(v, status, "bot-settings", v.say("Settings"), s, page)
}

func (p *Panel) saveBotSettings(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	groups := p.settingsOf(v, s.ID)
	var list []setting
	for _, g := range groups {
		list = append(list, g.Settings...)
	}
	if fault := p.keep(v, list); fault != "" {
		for _, g := range groups {
			list = list[copy(g.Settings, list):]
		}
		p.showBotSettings(v, &s, http.StatusBadRequest, botSettingsPage{Groups: groups, Fault: fault})
		return nil
	}
	return v.done(s.Base+"/settings", "settings", "")
}

// settingsOf are the settings of one bot, as they stand together in the form.
func (p *Panel) settingsOf(v *visit, id repo.ID) []settingGroup {
	c, own := p.store.Config(), "bots."+string(id)+"."
	as := func(value string) string { return v.say("as for every bot: %s", visible(value)) }
	presets := []choice{
		{"", as(presetWords(v, c.Rules.Preset))},
		{"default", presetWords(v, "default")},
		{"otto", presetWords(v, "otto")},
		{"kotoba", presetWords(v, "kotoba")},
		{"retention", presetWords(v, "retention")},
	}
	zone := c.Timezone
	if zone == "" {
		zone = v.say("that of this machine")
	}
	kept := []setting{
		{Key: own + "rules.preset", Whole: own + "rules", Kind: "choice", Label: v.say("Rules for what may be kept"), Options: presets},
		zoneSetting(v, own+"timezone", as(zone)),
	}
	if len(c.Models) > 0 {
		everyone := c.Model
		if everyone == "" {
			everyone = v.say("none")
		}
		models := []choice{{"", as(everyone)}}
		for _, name := range slices.Sorted(maps.Keys(c.Models)) {
			models = append(models, choice{name, name})
		}
		kept = append(kept, setting{Key: own + "model", Kind: "choice", Label: v.say("Model of its upkeep"), Options: models})
	}
	return []settingGroup{
		{Title: v.say("Name"), Settings: []setting{{
			Key: own + "name", Kind: "text", Label: v.say("What the bot is called"), Hint: v.say("Its id stays as it is."), Default: string(id),
			Rule: v.say("This is one line of at most 100 characters, without < and >."),
		}}},
		{Title: v.say("Memory"), Settings: p.botSwitches(v, id)},
		{Title: v.say("How it is kept"), Settings: kept},
	}
}

func presetWords(v *visit, preset string) string {
	switch preset {
	case "otto":
		return v.say("Otto's")
	case "kotoba":
		return v.say("Kotoba's")
	case "retention":
		return v.say("careful: a retention policy")
	}
	return v.say("the usual ones")
}

// botSwitches are the switches of one bot.
func (p *Panel) botSwitches(v *visit, id repo.ID) []setting {
	own := "bots." + string(id) + "."
	helper := v.say("No helper model is set.")
	if c := p.store.Config(); c.Helper.InstanceID != "" {
		helper = v.say("Where the bot has no model of its own, this one reads its text: %s", visible(c.Helper.InstanceID))
	}
	return []setting{
		{Key: own + "memoryEnabled", Kind: "switch", On: true, Label: v.say("Let this bot use memory"), Hint: v.say("Off, nothing loads, nothing is recalled and nothing is learned. The files stay.")},
		{Key: own + "memoryUpkeep", Kind: "switch", On: true, Label: v.say("Memory upkeep")},
		{Key: own + "helperModel", Kind: "switch", On: true, Label: v.say("Helper model"), Hint: helper},
	}
}

// removeBot takes a bot away for good, when its id was typed.
func (p *Panel) removeBot(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	if v.r.PostForm.Get("confirm") != string(s.ID) {
		groups := p.settingsOf(v, s.ID)
		for _, g := range groups {
			for i := range g.Settings {
				p.fill(&g.Settings[i])
			}
		}
		p.showBotSettings(v, &s, http.StatusBadRequest, botSettingsPage{
			Groups: groups, GoneFault: v.say("Nothing was removed. To remove the bot, type its id: %s", s.ID),
		})
		return nil
	}
	if _, err := p.store.Remove(v.r.Context(), s.ID); err != nil {
		return err
	}
	p.Errands.Drop(s.ID)
	return v.done("/", "gone", "")
}
