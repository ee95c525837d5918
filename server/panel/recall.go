package panel

import (
	"net/http"
	"strings"

	"quipu/hooks"
	"quipu/repo"
)

type recallPage struct {
	Base    string
	Message string
	Room    bool
	Asked   bool
	Silent  string // why nothing is recalled
	Words   string // by which was looked
	Block   string
	Recalls []recallView
}

// recallView is one piece of what is recalled, and why it is.
type recallView struct {
	Label, Text, Date string
	Passage           bool // of a conversation
	URL, Change       string
	Line              int
	Words, Score      string
}

// recall shows what a message would recall and why.
func (p *Panel) recall(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	q := v.r.URL.Query()
	page := recallPage{Base: s.Base, Message: q.Get("message"), Room: q.Get("where") == "room", Asked: q.Has("message")}
	c, speaker := repo.Conversation{Kind: repo.DirectChat, StartedBy: string(repo.ByOwner)}, repo.Speaker{By: repo.ByOwner}
	if page.Room {
		c = repo.Conversation{Kind: repo.RoomChat, Room: &repo.Room{}}
	}
	switch c := p.store.Config(); {
	case !c.AutoRecall():
		page.Silent = silence(v, hooks.SilentOff)
	case !c.MemoryOn(s.ID):
		page.Silent = silence(v, hooks.SilentMemory)
	}
	if page.Asked && page.Silent == "" {
		p.takeIn(v, s)
		found, err := p.Turns.Recall(v.r.Context(), s.ID, page.Message, c, speaker)
		if err != nil {
			return err
		}
		page.Silent = silence(v, found.Silence)
		page.Block, page.Words = found.Block, strings.Join(found.Words, ", ")
		page.Recalls = v.recalled(s, found)
	}
	p.show(v, http.StatusOK, "recall", v.say("Recall"), &s, page)
	return nil
}

// silence says why nothing is recalled.
func silence(v *visit, why hooks.Silence) string {
	switch why {
	case hooks.SilentOff:
		return v.say("Automatic recall is switched off for every bot, so no message recalls anything. Settings has the switch.")
	case hooks.SilentMemory:
		return v.say("Memory is switched off for this bot, so no message recalls anything.")
	case hooks.SilentShort:
		return v.say("A message of fewer than eight characters recalls nothing.")
	case hooks.SilentWordless:
		return v.say("Nothing in this message says what to look for: it has only words such as and, the, please.")
	case hooks.SilentNothing:
		return v.say("Nothing is recalled: no note of a topic, and no conversation that may be read here, shares enough words with it.")
	}
	return ""
}

// recalled lays out each piece with what brought it up.
func (v *visit) recalled(s space, found hooks.Recalled) []recallView {
	why := found.Why
	reason := func(label string) (w hooks.Why) { // they stand in the order of the pieces
		if len(why) > 0 && why[0].Label == label {
			w, why = why[0], why[1:]
		}
		return w
	}
	var list []recallView
	add := func(r hooks.Recollection, passage bool) {
		w := reason(r.Label)
		view := recallView{Label: r.Label, Text: r.Text, Date: r.Date, Passage: passage, Line: r.Line, Words: strings.Join(w.Words, ", ")}
		if w.Score > 0 {
			view.Score = v.say("%.2f", w.Score)
		}
		if r.Path != "" {
			view.URL = s.lineURL(r.Path, r.Line)
		}
		if r.Change != "" {
			view.Change = s.Base + "/change/" + r.Change
		}
		list = append(list, view)
	}
	for _, r := range found.Notes {
		add(r, false)
	}
	for _, r := range found.Passages {
		add(r, true)
	}
	return list
}
