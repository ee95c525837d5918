package panel

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// standingPage is how all facts of a bot stand, or what moved them.
type standingPage struct {
	Show    string
	Views   []viewLink
	Count   int
	Facts   []standView
	Signals []signalView
	Next    string // the path of the next page
	Left    int    // facts after this page
}

// viewLink leads to one view of a page.
type viewLink struct {
	URL, Label string
	Now        bool
}

// standView is one fact in the list.
type standView struct {
	Text, URL, Path string
	Line            int
	Score, Tier     string
	Kept, Out       bool
	Restates        string
	For, Against    sideView
	Below, Most     int
}

// standings lists how facts stand, the lowest first, or what moved them, the newest first.
func (p *Panel) standings(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	p.takeIn(v, s)
	q := v.r.URL.Query()
	page := standingPage{Show: q.Get("show")}
	views := []choice{{"", v.say("All facts")}, {"disputed", v.say("Disputed")}, {"confirmed", v.say("Confirmed")}, {"log", v.say("What moved them")}}
	known := false
	for _, c := range views {
		page.Views = append(page.Views, viewLink{s.standingURL(c.Value, 0), c.Label, c.Value == page.Show})
		known = known || c.Value == page.Show
	}
	if !known {
		return errNoPage
	}
	skip, _ := strconv.Atoi(q.Get("skip"))
	skip = max(skip, 0)
	if page.Show == "log" {
		err = p.signalsInto(v, &s, &page, skip)
	} else {
		err = p.factsInto(v, &s, &page, skip)
	}
	if err != nil {
		return err
	}
	p.show(v, http.StatusOK, "standing", v.say("Standing"), &s, page)
	return nil
}

func (s space) standingURL(show string, skip int) string {
	to, sep := s.Base+"/standing", "?"
	if show != "" {
		to, sep = to+"?show="+show, "&"
	}
	if skip > 0 {
		to += sep + "skip=" + strconv.Itoa(skip)
	}
	return to
}

// paged is one page of a list, and the path of the next; left is how much comes after.
func paged[T any](list []T, s *space, page *standingPage, skip int) []T {
	page.Count = len(list)
	list = list[min(skip, len(list)):]
	if list, page.Left = first(list, unitsAPage); page.Left > 0 {
		page.Next = s.standingURL(page.Show, skip+unitsAPage)
	}
	return list
}

func (p *Panel) factsInto(v *visit, s *space, page *standingPage, skip int) error {
	all, err := s.ws.Standings(v.r.Context(), time.Time{})
	if err != nil {
		return err
	}
	var list []repo.Stand
	for _, x := range all {
		if shownIn(x, page.Show) {
			list = append(list, x)
		}
	}
	now, loc := s.ws.Now(), p.store.Config().LocationOf(s.ID)
	for _, x := range paged(list, s, page, skip) {
		view := standView{
			Text: x.Fact, URL: s.entryURL(x.Path, x.Line), Path: x.Path, Line: x.Line, Tier: v.tier(x.Tier), Kept: x.Protected,
			Out: x.Disputed, Restates: x.Restates, Below: x.Below, Most: policy.ArchiveDays,
		}
		if x.Score != nil {
			view.Score = v.amount(*x.Score)
		}
		view.For, view.Against = v.sides(x.Evidence, now, loc)
		page.Facts = append(page.Facts, view)
	}
	return nil
}

// shownIn says whether a fact belongs to a view.
func shownIn(x repo.Stand, show string) bool {
	switch show {
	case "disputed":
		return x.Disputed
	case "confirmed":
		return !x.Disputed && !x.Protected && (x.Tier == policy.TierConfirmed || x.Tier == policy.TierPromoted)
	}
	return true
}

func (p *Panel) signalsInto(v *visit, s *space, page *standingPage, skip int) error {
	all, err := s.ws.EvidenceLog(v.r.Context(), "", 0)
	if err != nil {
		return err
	}
	stands, err := s.ws.Standings(v.r.Context(), time.Time{})
	if err != nil {
		return err
	}
	at := map[string]string{}
	for _, x := range stands {
		at[x.Fact] = s.entryURL(x.Path, x.Line)
	}
	loc := p.store.Config().LocationOf(s.ID)
	for _, t := range paged(all, s, page, skip) {
		view := v.signal(t, loc)
		view.Fact, view.URL = t.Fact, at[t.Fact]
		page.Signals = append(page.Signals, view)
	}
	return nil
}

// outOf counts the notes of MEMORY.md that enter no prompt; none where nothing of it does.
func outOf(v *visit, s space) (int, error) {
	moved, err := s.ws.EvidenceLog(v.r.Context(), "", 1)
	if err != nil || len(moved) == 0 {
		return 0, err
	}
	loaded, err := s.ws.Load(v.r.Context())
	if errors.Is(err, repo.ErrOff) {
		return 0, nil
	}
	return loaded.Disputed, err
}
