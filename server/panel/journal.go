package panel

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// The journal's page, and how much of each difference it shows.
const (
	rowsAPage = 25
	diffShown = 1200 // bytes
)

type journalPage struct {
	Base    string
	Rows    []changeView
	Older   string // the path of the next page
	Query   journalForm
	Authors []choice
	Actions []choice
	Fault   string
	Days    []dayView
	Pulse   string // where an open page learns of changes; "" for a page of older ones
}

// dayView is the changes of one day.
type dayView struct {
	Day  string
	URL  string // of its own page
	Rows []changeView
}

// journalForm is what the filter asks for, as it was typed.
type journalForm struct {
	Author, Action, Path, Words, Since, Until string
}

// Any says whether the filter asks for anything.
func (f journalForm) Any() bool { return f != journalForm{} }

type choice struct{ Value, Label string }

// changeView is one row of the journal as a person reads it.
type changeView struct {
	ID, Path, FileURL string
	At                time.Time
	Who, Kind, How    string
	What              string
	Diff              []diffLine
	Aside             string // what it changed, where that is no note
	URL, UndoURL      string
	CannotUndo        string
	UndoneBy, Undoes  string // paths
	Quote             string
	PastURL           string // of the file after this change, where that is asked for
}

func (p *Panel) journal(v *visit) error {
	s, err := p.space(v)
	if s.Me && errors.Is(err, repo.ErrNotFound) {
		http.Redirect(v.w, v.r, "/about", http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	page := journalPage{Base: s.Base + "/journal", Authors: v.authors(), Actions: v.actions()}
	q, fault := p.queryOf(v, s, &page.Query)
	page.Fault = fault
	p.takeIn(v, s)
	rows, err := s.ws.Journal(v.r.Context(), q)
	if err != nil {
		return err
	}
	if len(rows) > rowsAPage {
		rows = rows[:rowsAPage]
		again := v.r.URL.Query()
		again.Set("before", rows[rowsAPage-1].ID)
		page.Older = page.Base + "?" + again.Encode()
	}
	if q.Before == "" {
		if page.Pulse, err = p.pulseURL(v, s); err != nil {
			return err
		}
	}
	page.Rows = p.viewsOf(v, rows, &s, diffShown)
	page.Days = v.byDay(page.Rows, &s)
	p.show(v, http.StatusOK, "journal", v.say("Journal"), &s, page)
	return nil
}

func (v *visit) byDay(rows []changeView, s *space) []dayView {
	var days []dayView
	for _, r := range rows {
		day := v.longDay(r.At)
		if len(days) == 0 || days[len(days)-1].Day != day {
			days = append(days, dayView{Day: day, URL: s.dayURL(r.At.Format(time.DateOnly))})
		}
		days[len(days)-1].Rows = append(days[len(days)-1].Rows, r)
	}
	return days
}

// queryOf reads the filter. What makes no sense in it is told and left out.
func (p *Panel) queryOf(v *visit, s space, form *journalForm) (repo.Query, string) {
	in := v.r.URL.Query()
	*form = journalForm{in.Get("author"), in.Get("action"), strings.TrimSpace(in.Get("path")), in.Get("q"), in.Get("since"), in.Get("until")}
	q := repo.Query{Words: form.Words, Before: repo.ChangeID(in.Get("before")), Limit: rowsAPage + 1}
	var fault string
	if slices.Contains(repo.AuthorKinds(), repo.AuthorKind(form.Author)) {
		q.Author = repo.AuthorKind(form.Author)
	}
	if slices.Contains(repo.Actions(), repo.Action(form.Action)) {
		q.Action = repo.Action(form.Action)
		q.All = true
	}
	if form.Path != "" && !s.Me {
		if _, _, err := s.pathOf(form.Path); err != nil {
			fault = v.say("There is no file of that name: write it as memory/food.md.")
		} else {
			q.Path = form.Path
		}
	}
	var ok bool
	if q.Since, q.Until, ok = p.span(form.Since, form.Until, p.store.Config().LocationOf(s.ID)); !ok {
		fault = v.say(badMoment)
	}
	return q, fault
}

func (v *visit) authors() []choice {
	return []choice{
		{"bot", v.say("the bot")},
		{"person", v.say("a person")},
		{"upkeep", v.say("memory upkeep")},
		{"import", v.say("an import")},
		{"sync", v.say("a sync")},
	}
}

func (v *visit) actions() []choice {
	var list []choice
	for _, a := range repo.Actions() {
		list = append(list, choice{string(a), v.told(actionWords(string(a)))})
	}
	return list
}

func actionWords(action string) string {
	words := map[repo.Action]string{
		repo.ActInit: msg("beginning"), repo.ActUpdate: msg("a note by the bot"), repo.ActEdit: msg("an edit"), repo.ActDelete: msg("a file deleted"),
		repo.ActOutside: msg("changed outside"), repo.ActUndo: msg("an undo"), repo.ActRedo: msg("a redo"), repo.ActRestore: msg("a file restored"),
		repo.ActImport: msg("an import"), repo.ActHistory: msg("a change made elsewhere"), repo.ActMerge: msg("a merge"), repo.ActLog: msg("the day log"), repo.ActSignal: msg("a fact judged"), repo.ActSync: msg("a sync"),
		repo.ActErase: msg("an erasure"), repo.ActForget: msg("a forget"), repo.ActPrefer: msg("a preference"), repo.ActDirective: msg("what not to mention"),
		repo.ActCapture: msg("noticed in a chat"), repo.ActOrganize: msg("filed into topics"), repo.ActTidy: msg("a tidy-up"), repo.ActReflect: msg("drawn from facts"),
	}
	return cmp.Or(words[repo.Action(action)], action)
}

func viaWords(via string) string {
	words := map[repo.Via]string{
		repo.ViaUI: msg("in the panel"), repo.ViaCLI: msg("on the command line"), repo.ViaAPI: msg("over the API"), repo.ViaMCP: msg("over MCP"),
		repo.ViaTurn: msg("during a task"), repo.ViaDisk: msg("changed outside quipu"), repo.ViaRevert: msg("by undo"), repo.ViaImport: msg("by an import"),
		repo.ViaCapture: msg("noticed after a chat"), repo.ViaOrganize: msg("filed into topics"), repo.ViaTidy: msg("by the tidy-up"), repo.ViaSync: msg("by a sync"),
	}
	return cmp.Or(words[repo.Via(via)], via)
}

func (p *Panel) viewsOf(v *visit, rows []repo.Row, s *space, most int) []changeView {
	loc := p.store.Config().LocationOf(s.ID)
	list := make([]changeView, 0, len(rows))
	for _, r := range rows {
		view := v.viewOf(r, s.Base, loc, most)
		if r.Path != "" && r.Kind != "deleted" && policyShows(r.Path) {
			view.FileURL = s.fileURL(r.Path)
		}
		list = append(list, view)
	}
	return list
}

func policyShows(path string) bool {
	_, err := policy.CheckPath(path)
	return err == nil
}

// viewOf writes a row as a person reads it, with at most so many bytes of its difference;
// 0 is none of it.
func (v *visit) viewOf(r repo.Row, base string, loc *time.Location, most int) changeView {
	view := changeView{
		ID: r.ID, Path: r.Path, At: time.UnixMilli(r.At).In(loc), Who: v.actor(r.Actor, r.Who), Kind: r.Actor, How: v.told(viaWords(r.Via)),
		What: v.whatOf(r), URL: base + "/change/" + url.PathEscape(r.ID), Quote: r.Quote,
	}
	if r.Source != "" {
		view.How = v.say("%s, %s", view.How, r.Source)
	}
	if r.UndoneBy != "" {
		view.UndoneBy = base + "/change/" + string(r.UndoneBy)
	}
	if r.Undoes != "" {
		view.Undoes = base + "/change/" + string(r.Undoes)
	}
	if r.CanRevert {
		view.UndoURL = base + "/undo/" + url.PathEscape(r.ID)
	} else {
		view.CannotUndo = v.told(sentenced(r.Reason))
	}
	if policy.OwnFile(r.Path) {
		view.Path, view.Aside = "", v.aside(repo.Action(r.Action))
		return view
	}
	if most > 0 {
		view.Diff = parseDiff(r.Diff, most)
	}
	return view
}

// whatOf says what a change did. How it came in is told beside it, so the word for that goes
// from before the text.
func (v *visit) whatOf(r repo.Row) string {
	switch repo.Action(r.Action) {
	case repo.ActInit:
		return v.say("The memory begins")
	case repo.ActUpdate, repo.ActEdit, repo.ActOutside, repo.ActCapture:
		if struck, is := struckIn(r.Diff); is {
			return v.say("Struck through: %s", struck)
		}
		return strings.TrimPrefix(r.Subject, r.Action+": ")
	case repo.ActSignal, repo.ActDirective:
		return v.ruled(strings.TrimPrefix(r.Subject, r.Action+": "))
	}
	return v.told(sentenced(r.Subject))
}

// struckIn is the note that a change did nothing but strike through.
func struckIn(diff string) (text string, is bool) {
	var before, after []markdown.Entry
	for line := range strings.Lines(diff) {
		if len(line) == 0 || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++") {
			continue
		}
		entries := markdown.Parse("", []byte(line[1:])).Entries()
		switch line[0] {
		case '-':
			before = append(before, entries...)
		case '+':
			after = append(after, entries...)
		}
	}
	if len(before) != 1 || len(after) != 1 || before[0].Struck || !after[0].Struck || markdown.Identity(before[0].Text) != markdown.Identity(after[0].Text) {
		return "", false
	}
	return after[0].Text, true
}

// changePage is one change in full, or the question whether to take it back.
type changePage struct {
	Change  changeView
	Rows    []changeView
	Message string
	Undo    []changeView // what taking it back would do
	To      string
	CSRF    string
	Fault   string
}

// shown finds the change that the path names. A word that moves, as HEAD, names none.
func (p *Panel) shown(v *visit) (space, repo.Details, error) {
	s, err := p.space(v)
	if err != nil {
		return s, repo.Details{}, err
	}
	id, _, _ := strings.Cut(v.r.PathValue("row"), ".")
	if !isChange(id) {
		return s, repo.Details{}, errNoChange
	}
	d, err := s.ws.Show(v.r.Context(), v.r.PathValue("row"))
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrInvalid) {
		return s, d, errNoChange
	}
	return s, d, err
}

var errNoChange = &faulty{http.StatusNotFound, "There is no such change."}

func (p *Panel) changePageOf(v *visit, s *space, d repo.Details) changePage {
	page := changePage{Change: v.viewOf(d.Row, s.Base, p.store.Config().LocationOf(s.ID), 0), Rows: p.viewsOf(v, d.Rows, s, 20_000), Message: d.Body}
	for i := range page.Rows {
		if r := &page.Rows[i]; r.FileURL != "" {
			r.PastURL = s.Base + "/at?path=" + url.QueryEscape(r.Path) + "&change=" + string(d.Row.Change)
		}
	}
	return page
}

func (p *Panel) change(v *visit) error {
	s, d, err := p.shown(v)
	if err != nil {
		return err
	}
	p.show(v, http.StatusOK, "change", v.whatOf(d.Row), &s, p.changePageOf(v, &s, d))
	return nil
}

// askUndo says what taking a change back would do.
func (p *Panel) askUndo(v *visit) error {
	s, d, err := p.shown(v)
	if err != nil {
		return err
	}
	page := p.changePageOf(v, &s, d)
	page.CSRF, page.To = v.csrf, s.Base+"/undo/"+url.PathEscape(v.r.PathValue("row"))
	m := p.meta()
	m.DryRun, m.Via = true, repo.ViaRevert
	receipt, err := s.ws.Undo(v.r.Context(), m, v.r.PathValue("row"), repo.Revert)
	if err != nil {
		status, sentence := p.Meaning(err)
		if status >= http.StatusInternalServerError {
			return err
		}
		page.Fault = v.told(sentenced(sentence))
	}
	page.Undo = p.viewsOf(v, receipt.Rows, &s, 20_000)
	for i := range page.Undo {
		if page.Undo[i].Aside != "" {
			page.Undo[i].Aside = v.aside(repo.Action(d.Row.Action))
		}
	}
	p.show(v, http.StatusOK, "undo", v.say("Take back"), &s, page)
	return nil
}

func (p *Panel) undo(v *visit) error {
	s, _, err := p.shown(v)
	if err != nil {
		return err
	}
	m := p.meta()
	m.Via = repo.ViaRevert
	receipt, err := s.ws.Undo(v.r.Context(), m, v.r.PathValue("row"), repo.Revert)
	if err != nil {
		return err
	}
	did := "undone"
	if receipt.Change == "" {
		did = "same"
	}
	return v.done(s.Base+"/journal", did, string(receipt.Change))
}
