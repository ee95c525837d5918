package panel

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"

	"quipu/markdown"
	"quipu/repo"
)

// conflictsPage lists the notes that two machines changed differently.
type conflictsPage struct {
	Space *space
	List  []conflictView
	CSRF  string
}

// conflictView is one note in its two wordings.
type conflictView struct {
	Path, FileURL string
	Line          int
	Since         string
	First, Second wordingView // Second is the marked one
	Mark          string
}

// wordingView is one of the wordings, with what the other has otherwise marked.
type wordingView struct {
	Gone   bool
	Spans  []span
	By     string
	When   string
	Source string
}

func (p *Panel) conflicts(v *visit) error {
	s, err := p.space(v)
	page := conflictsPage{Space: &s, CSRF: v.csrf}
	if s.Me && errors.Is(err, repo.ErrNotFound) {
		s.ws = nil
		p.show(v, http.StatusOK, "conflicts", v.say("Two wordings"), &s, page)
		return nil
	}
	if err != nil {
		return err
	}
	p.takeIn(v, s)
	open, err := s.ws.Conflicts()
	if err != nil {
		return err
	}
	for _, c := range open {
		page.List = append(page.List, p.conflictOf(v, s, c))
	}
	p.show(v, http.StatusOK, "conflicts", v.say("Two wordings"), &s, page)
	return nil
}

func (p *Panel) conflictOf(v *visit, s space, c repo.OpenConflict) conflictView {
	view := conflictView{Path: c.Path, FileURL: s.fileURL(c.Path) + "#L" + strconv.Itoa(c.Line), Line: c.Line, Since: c.Since, Mark: conflictMark(c)}
	view.First.Spans, view.Second.Spans = compareWords(factOf(c.Kept), factOf(c.Other))
	view.First.Gone = c.Kept == ""
	p.tellWhose(v, s, c.Path, c.Kept, &view.First)
	p.tellWhose(v, s, c.Path, markdown.Settled(c.Other), &view.Second) // as it was before the merge marked it
	return view
}

// tellWhose says who wrote a wording last.
func (p *Panel) tellWhose(v *visit, s space, path, raw string, w *wordingView) {
	list, err := s.ws.BlameText(v.r.Context(), path, raw)
	if err != nil {
		p.Log.WarnContext(v.r.Context(), "who taught it is not told", "bot", s.ID, "err", err)
	}
	if len(list) != 1 || list[0].Change == "" {
		return
	}
	b := list[0]
	d, err := s.ws.Show(v.r.Context(), string(b.Change))
	if err != nil {
		return // a change that went meanwhile tells nothing
	}
	w.By, w.Source = v.actor(d.Row.Actor, d.Row.Who), cmp.Or(d.Row.Source, b.Source)
	w.When = v.minute(b.At.In(p.store.Config().LocationOf(s.ID)))
}

// factOf is what a note says, without its bullet, day and marks; a header's line as it is.
func factOf(raw string) string {
	units := markdown.Parse("", []byte(raw)).Units()
	if len(units) == 1 && units[0].Entry != nil {
		return units[0].Entry.Text
	}
	return raw
}

// conflictMark names both wordings as they were shown.
func conflictMark(c repo.OpenConflict) string { return mark([]byte(c.Kept + "\x00" + c.Other)) }

var errNoConflict = &faulty{http.StatusConflict, msg("This note changed, or moved, since the page was shown. Nothing was done: look at both wordings again.")}

// resolve keeps one wording, or both. It acts on the two that the page showed, on the line
// where they stood, or not at all.
func (p *Panel) resolve(v *visit) error {
	s, err := p.space(v)
	if s.Me && errors.Is(err, repo.ErrNotFound) {
		return errNoConflict
	}
	if err != nil {
		return err
	}
	open, err := s.ws.Conflicts()
	if err != nil {
		return err
	}
	form := v.r.PostForm
	for _, c := range open {
		if c.Path != form.Get("path") || strconv.Itoa(c.Line) != form.Get("line") || conflictMark(c) != form.Get("mark") {
			continue
		}
		receipt, err := s.ws.ResolveSeen(v.r.Context(), p.meta(), c, form.Get("keep"))
		if errors.Is(err, repo.ErrNotFound) {
			return errNoConflict
		}
		if err != nil {
			return err
		}
		did := "kept"
		if len(receipt.Notes) > 0 {
			did = "keptone"
		}
		return v.done(s.Base+"/conflicts", did, string(receipt.Change))
	}
	return errNoConflict
}
