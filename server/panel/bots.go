package panel

import (
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

type botsPage struct {
	Bots  []botLine
	Pulse string // where an open page learns of changes
	Fault string // of the home: what keeps all of it from working as it should
}

// botLine is one bot in the list.
type botLine struct {
	ID    repo.ID
	Name  string
	Gauge gaugeView
	Last  *changeView
	Needs []need // what wants the person's attention
	Heavy heavyView
}

func (p *Panel) bots(v *visit) error {
	list, err := p.store.Bots(v.r.Context())
	if err != nil {
		return err
	}
	page := botsPage{}
	if p.store.ConfigFault() != nil {
		page.Fault = v.say("config.json is not valid; an older one stays in force. quipu config validate says what to mend.")
	} else if until := p.store.UpkeepPaused(); until.After(p.Now()) {
		page.Fault = v.say("Upkeep is paused until %s.", v.minute(until.In(p.store.Config().Location())))
	}
	for _, b := range list {
		line := botLine{ID: b.ID, Name: b.Name}
		if line.Name == "" {
			line.Name = string(b.ID)
		}
		if ws, err := p.store.Open(v.r.Context(), b.ID); err != nil {
			_, sentence := p.Meaning(err)
			line.Needs = []need{{Text: v.told(sentenced(sentence))}}
		} else if err := p.look(v, ws, &line); err != nil {
			return err
		}
		page.Bots = append(page.Bots, line)
	}
	stamp, err := p.stampOfAll(v)
	if err != nil {
		return err
	}
	page.Pulse = "/pulse?since=" + stamp
	p.show(v, http.StatusOK, "bots", v.say("Bots"), nil, page)
	return nil
}

// look fills in how a bot's memory stands.
func (p *Panel) look(v *visit, ws *repo.Workspace, line *botLine) error {
	ctx := v.r.Context()
	t, err := ws.Read(ctx, policy.MemoryFile)
	if err != nil {
		return err
	}
	g := p.limits().Measure([]byte(t.Text))
	line.Gauge = v.gauge(g)
	rows, err := ws.Journal(ctx, repo.Query{Limit: 1})
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		last := v.viewOf(rows[0], "/bots/"+string(line.ID), p.store.Config().LocationOf(line.ID), 0)
		line.Last = &last
	}
	line.Heavy = p.heavy(v, ws, g)
	line.Needs, err = p.needs(v, ws, g)
	return err
}

// need is one thing that wants the person's attention, and the page where it is seen to.
type need struct{ Text, URL string }

// needs says what wants the person's attention in a bot's memory.
func (p *Panel) needs(v *visit, ws *repo.Workspace, g policy.Gauge) ([]need, error) {
	var needs []need
	base := "/bots/" + string(ws.ID())
	if g.Truncated {
		needs = append(needs, need{Text: v.several(g.Lines-g.LoadedLines, "1 line of MEMORY.md does not load.", "%d lines of MEMORY.md do not load.")})
	}
	open, err := ws.Conflicts()
	if err != nil {
		return nil, err
	}
	if len(open) > 0 {
		needs = append(needs, need{v.several(len(open), "1 note stands in two wordings.", "%d notes stand in two wordings."), base + "/conflicts"})
	}
	switch state := ws.SyncState(); {
	case state.Fault != "":
		needs = append(needs, need{v.say("Sync: %s", v.told(sentenced(state.Fault))), base + "/remote"})
	case state.Holds:
		needs = append(needs, need{v.say("The remote still holds what was erased here."), base + "/remote"})
	}
	c := p.store.Config()
	switch {
	case !c.MemoryOn(ws.ID()):
		needs = append(needs, need{Text: v.say("Memory is off.")})
	case !c.UpkeepOn(ws.ID()):
		needs = append(needs, need{Text: v.say("Upkeep is off.")})
	}
	return needs, nil
}
