package panel

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/repo"
)

// tendPages are the pages that tend a memory, look into it, and set how it is kept.
func (p *Panel) tendPages() map[string]page {
	return map[string]page{
		"GET /bots/{id}/upkeep":       p.upkeep,
		"GET /bots/{id}/upkeep/state": p.upkeepState,
		"POST /bots/{id}/upkeep":      p.tend,
		"GET /bots/{id}/search":       p.search,
		"GET /search":                 p.searchAll,
		"GET /bots/{id}/recall":       p.recall,
		"POST /bots/{id}/open":        p.open,
		"GET /bots/{id}/settings":     p.botSettings,
		"POST /bots/{id}/settings":    p.saveBotSettings,
		"POST /bots/{id}/remove":      p.removeBot,
		"GET /settings":               p.settings,
		"POST /settings":              p.saveSettings,
		"GET /access":                 p.access,
		"POST /access":                p.changeAccess,
	}
}

// settleWait is how long a form waits for upkeep that may be over at once, so that most
// never show a page of progress.
const settleWait = 400 * time.Millisecond

// planShown is how long it is told that the notes are others than those of a plan.
const planShown = 10 * time.Minute

type upkeepPage struct {
	CSRF    string
	On      bool
	Off     string // why upkeep is off
	Model   string // that writes the steps that need one; "" is none
	Helper  bool
	NoModel string   // why there is none
	Notes   []string // settings that have no effect as they are
	Waiting int
	Running *runningView
	Plan    *planView
	Old     bool   // there was a plan, and the notes changed since
	Fault   string // of what was asked for last
	Tidied  *reportView
	Read    *reportView
	Switch  []setting // of this bot
	All     []setting // of every bot
}

// again is how soon a page without scripts looks again whether upkeep ended.
func (u upkeepPage) again() int {
	if u.Running == nil {
		return 0
	}
	return 3
}

// runningView is upkeep on its way.
type runningView struct {
	Job      string `json:"job"`
	Step     string `json:"step"`
	Done     int    `json:"done"`
	Of       int    `json:"of"`
	StateURL string `json:"-"`
}

// upkeep shows how a bot's memory is tended.
func (p *Panel) upkeep(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	return p.showUpkeep(v, &s, http.StatusOK, "")
}

func (p *Panel) showUpkeep(v *visit, s *space, status int, fault string) error {
	u, err := p.Upkeep.Status(v.r.Context(), s.ID)
	if err != nil {
		return err
	}
	c := p.store.Config()
	page := upkeepPage{CSRF: v.csrf, On: u.Enabled && u.PausedUntil == "", Waiting: u.Waiting, Fault: fault, Helper: u.Helper}
	switch until := p.store.UpkeepPaused(); {
	case !c.MemoryOn(s.ID):
		page.Off = v.say("Memory is switched off for this bot, and upkeep with it.")
	case !c.UpkeepOn(s.ID):
		page.Off = v.say("Upkeep is switched off for this bot.")
	case !until.IsZero():
		page.Off = v.say("Upkeep is paused until %s.", v.minute(until.In(c.Location())))
	}
	if u.ModelSteps {
		page.Model = u.Engine
	} else if page.On {
		page.NoModel = v.noModel(u.Reason)
	}
	for _, n := range u.Notes {
		page.Notes = append(page.Notes, v.told(sentenced(n)))
	}
	page.Switch, page.All = p.upkeepSwitches(v, s.ID)
	p.errandInto(v, s, &page)
	if page.Running == nil && u.Running != nil {
		page.Running = v.running(s, hooks.Job(u.Running.Job), u.Running)
	}
	page.Tidied = p.tidied(v, s, u.LastTidy)
	page.Read = p.captured(v, s, u.LastCapture)
	p.show(v, status, "upkeep", v.say("Upkeep"), s, page)
	return nil
}

// noModel says why a bot has no model.
func (v *visit) noModel(why string) string {
	switch why {
	case "no model is set for this bot":
		return v.say("No model is set for this bot.")
	case "no model is set for this bot, and it is kept off the helper model":
		return v.say("No model is set for this bot, and it is kept off the helper model.")
	}
	return v.told(sentenced(why))
}

// errandInto fills in what was asked for last.
func (p *Panel) errandInto(v *visit, s *space, page *upkeepPage) {
	last, ok := p.Errands.Last(s.ID)
	switch {
	case !ok:
	case !last.Over:
		page.Running = v.running(s, last.Job, last.Running)
	case last.Err != nil:
		if page.Fault == "" {
			page.Fault = p.errandFault(v, last)
		}
	case last.Job == hooks.PlanJob && last.Tidied != nil && last.Notes == s.ws.Newest():
		page.Plan = v.plan(s, last.Tidied)
	case last.Job == hooks.PlanJob: // what it quotes may be forgotten by now
		page.Old = p.Now().Sub(last.Began) < planShown
	}
}

// errandFault says why upkeep that was asked for did not come to its end.
func (p *Panel) errandFault(v *visit, last hooks.Errand) string {
	if errors.Is(last.Err, repo.ErrBusy) {
		return v.say("Upkeep of these notes was running already, so nothing was done.")
	}
	_, sentence := p.Meaning(last.Err)
	return v.say("What you asked for at %s did not come to its end.", last.Began.In(p.store.Config().Location()).Format("15:04")) + " " + v.told(sentenced(sentence))
}

// running says in sentences how far upkeep has come.
func (v *visit) running(s *space, job hooks.Job, r *repo.Running) *runningView {
	view := &runningView{StateURL: s.Base + "/upkeep/state"}
	switch job {
	case hooks.PlanJob:
		view.Job = v.say("Finding out what a tidy-up would do")
	case hooks.CaptureJob:
		view.Job = v.say("Reading the chats that wait")
	default:
		view.Job = v.say("Tidying up")
	}
	if r == nil {
		return view
	}
	view.Done, view.Of = r.Done, r.Of
	file, compares := strings.CutPrefix(r.Step, "contradictions ")
	switch {
	case compares:
		view.Step = v.say("Looking in %s for notes that cannot both be true.", visible(file))
	case r.Step == "organize":
		view.Step = v.say("Looking for notes that belong in a topic.")
	case r.Step == "capture":
		view.Step = v.several(r.Of, "Reading 1 chat.", "Reading %d chats.")
	}
	return view
}

// upkeepState tells an open page how far upkeep has come; over when none runs.
func (p *Panel) upkeepState(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	state := struct {
		Over bool `json:"over"`
		*runningView
	}{Over: true}
	if last, ok := p.Errands.Last(s.ID); ok && !last.Over {
		state.Over, state.runningView = false, v.running(&s, last.Job, last.Running)
	} else if r := s.ws.UpkeepRuns(); r != nil {
		state.Over, state.runningView = false, v.running(&s, hooks.Job(r.Job), r)
	}
	v.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	return json.NewEncoder(v.w).Encode(state)
}

// tend begins what a form of the upkeep page asks for, or keeps its switches.
func (p *Panel) tend(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	job := hooks.Job(v.r.PostForm.Get("do"))
	switch job {
	case hooks.PlanJob, hooks.TidyJob, hooks.CaptureJob:
	case "switches":
		return p.saveSwitches(v, &s)
	case "leave":
		p.Errands.Drop(s.ID)
		http.Redirect(v.w, v.r, s.Base+"/upkeep", http.StatusSeeOther)
		return nil
	default:
		return errForm
	}
	p.takeIn(v, s) // else the plan is older than the notes that it is made of
	over, err := p.Errands.Begin(v.r.Context(), s.ID, job)
	switch {
	case errors.Is(err, repo.ErrBusy):
		return p.showUpkeep(v, &s, http.StatusConflict, v.say("This is running already. Wait until it ends."))
	case errors.Is(err, repo.ErrOff):
		return p.showUpkeep(v, &s, http.StatusConflict, v.say("Upkeep is off, so nothing was done."))
	case err != nil:
		return err
	}
	wait := time.NewTimer(settleWait)
	defer wait.Stop()
	select {
	case <-over:
	case <-wait.C:
	}
	http.Redirect(v.w, v.r, s.Base+"/upkeep", http.StatusSeeOther)
	return nil
}

// upkeepSwitches are the switches on the page of upkeep: this bot's, and every bot's.
func (p *Panel) upkeepSwitches(v *visit, id repo.ID) (own, all []setting) {
	list := p.botSwitches(v, id)
	for i := range list {
		p.fill(&list[i])
	}
	rooms := roomsSwitch(v)
	p.fill(&rooms)
	return list, []setting{rooms}
}

func (p *Panel) saveSwitches(v *visit, s *space) error {
	list := append(p.botSwitches(v, s.ID), roomsSwitch(v))
	if fault := p.keep(v, list); fault != "" {
		return p.showUpkeep(v, s, http.StatusBadRequest, fault)
	}
	return v.done(s.Base+"/upkeep", "settings", "")
}
