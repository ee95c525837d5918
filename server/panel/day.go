package panel

import (
	"errors"
	"net/http"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// dayPage is one day: what changed, by whom, and what the bot wrote in its day log.
type dayPage struct {
	Day           time.Time
	Summary       string
	By            []kindCount
	Rows          []changeView
	Older         string
	Before, After *dayLink
	Log           *reading
	LogURL        string
}

type dayLink struct {
	URL  string
	When time.Time
}

var errNoDay = &faulty{http.StatusNotFound, msg("There is no such day: write it as 2026-11-30.")}

func (s space) dayURL(day string) string { return s.Base + "/day/" + day }

// day shows all the changes of one local day.
func (p *Panel) day(v *visit) error {
	s, err := p.space(v)
	if s.Me && errors.Is(err, repo.ErrNotFound) {
		http.Redirect(v.w, v.r, "/about", http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	p.takeIn(v, s)
	ctx, name := v.r.Context(), v.r.PathValue("date")
	d, err := s.ws.Day(ctx, name)
	if errors.Is(err, repo.ErrInvalid) {
		return errNoDay
	}
	if err != nil {
		return err
	}
	begin, ok := policy.Moment(name, s.ws.Now(), false)
	end, _ := policy.Moment(name, s.ws.Now(), true)
	if !ok {
		return errNoDay
	}
	rows, err := s.ws.Journal(ctx, repo.Query{Since: begin, Until: end, Before: repo.ChangeID(v.r.URL.Query().Get("before")), Limit: rowsAPage + 1})
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrInvalid) {
		return errNoChange
	}
	if err != nil {
		return err
	}
	page := dayPage{Day: dayTime(name), By: v.byKind(d.By), Before: s.dayLink(d.Before), After: s.dayLink(d.After)}
	page.Summary = v.say("No change on this day.")
	if d.Changes > 0 {
		page.Summary = v.several(d.Changes, "1 change:", "%d changes:")
	}
	if len(rows) > rowsAPage {
		rows = rows[:rowsAPage]
		page.Older = s.dayURL(name) + "?before=" + rows[rowsAPage-1].ID
	}
	page.Rows = p.viewsOf(v, rows, &s, diffShown)
	if err := p.dayLog(v, &s, name, &page); err != nil {
		return err
	}
	p.show(v, http.StatusOK, "day", v.longDay(page.Day), &s, page)
	return nil
}

func (s space) dayLink(day string) *dayLink {
	if day == "" {
		return nil
	}
	return &dayLink{s.dayURL(day), dayTime(day)}
}

// dayLog adds what the bot wrote on that day, if it did.
func (p *Panel) dayLog(v *visit, s *space, day string, page *dayPage) error {
	path := "memory/log/" + day + ".md"
	if s.Me || v.r.URL.Query().Has("before") {
		return nil
	}
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil || !t.Exists {
		return err
	}
	r := readingOf(v, s, t.Path, t.Text, 0, policy.Gauge{}, s.ws.Today())
	r.Plain = true
	r.Next = 0 // the rest is in the file
	page.Log, page.LogURL = &r, s.fileURL(path)
	return nil
}
