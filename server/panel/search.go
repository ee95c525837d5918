package panel

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// The bounds of a search over the whole home.
const (
	hitsABot    = 5   // of notes, and of what was said, each
	botsAtOnce  = 100 // that are looked through
	homeSearch  = 10 * time.Second
	hitsOfABot  = 25
	aboutMeHits = 10
)

// searchForm is what is looked for, as it was typed.
type searchForm struct {
	Words, Since, Until, Scope string
}

// Asked says whether anything is looked for.
func (f searchForm) Asked() bool {
	return strings.TrimSpace(f.Words) != "" || f.Since != "" || f.Until != ""
}

type searchPage struct {
	To     string // the path of the form
	Query  searchForm
	Scopes []choice
	Fault  string
	Hits   []hitView
	Hidden bool // memory is off, so that notes are not looked through
	Groups []searchGroup
	Left   int // bots that were not looked through
}

// searchGroup is what was found in one memory.
type searchGroup struct {
	Name, URL, More string
	Hits            []hitView
	Fault           string
}

// hitView is one thing that was found.
type hitView struct {
	Kind, Label, URL string
	Line             int
	Date             string
	Text             string
}

// search looks through the notes, the day logs and the conversations of a bot.
func (p *Panel) search(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	page := searchPage{To: s.Base + "/search", Query: searchFormOf(v), Scopes: v.scopes(), Hidden: !p.store.Config().MemoryOn(s.ID)}
	if page.Query.Asked() {
		p.takeIn(v, s)
		var q hooks.Search
		if q, page.Fault = p.asked(v, page.Query, p.store.Config().LocationOf(s.ID)); page.Fault == "" {
			q.Limit = hitsOfABot
			found, err := p.Turns.Search(v.r.Context(), s.ID, q)
			if err != nil {
				return err
			}
			page.Hits = v.hits(s, found)
		}
	}
	p.show(v, http.StatusOK, "search", v.say("Search"), &s, page)
	return nil
}

func searchFormOf(v *visit) searchForm {
	in := v.r.URL.Query()
	return searchForm{in.Get("q"), strings.TrimSpace(in.Get("since")), strings.TrimSpace(in.Get("until")), in.Get("scope")}
}

func (v *visit) scopes() []choice {
	return []choice{{"", v.say("everything")}, {"notes", v.say("notes and day logs")}, {"conversations", v.say("conversations")}}
}

// asked reads the form. What makes no sense in it is told as a sentence.
func (p *Panel) asked(v *visit, form searchForm, zone *time.Location) (q hooks.Search, fault string) {
	q = hooks.Search{Words: form.Words, Scope: "all"}
	if form.Scope == "notes" || form.Scope == "conversations" {
		q.Scope = form.Scope
	}
	var ok bool
	if q.Since, q.Until, ok = p.span(form.Since, form.Until, zone); !ok {
		return q, v.say(badMoment)
	}
	if !q.Until.IsZero() && q.Until.Before(q.Since) {
		return q, v.say("The end of that time lies before its beginning.")
	}
	return q, ""
}

// badMoment is said of a time that is none.
var badMoment = msg("A time is a day like 2026-11-30, or 24h, 3d, today, yesterday.")

// span reads the two ends of a time, of which each may be blank. An end that makes no sense
// is left out, and ok is false.
func (p *Panel) span(from, to string, zone *time.Location) (since, until time.Time, ok bool) {
	now := p.Now().In(zone)
	since, one := policy.Moment(from, now, false)
	until, other := policy.Moment(to, now, true)
	return since, until, (one || from == "") && (other || to == "")
}

// hits lays out what was found in a bot's memory.
func (v *visit) hits(s space, found hooks.Results) []hitView {
	list := make([]hitView, 0, len(found.Hits))
	for _, f := range found.Hits {
		h := hitView{Label: f.Label, Line: f.Line, Date: f.Date, Text: f.Snippet}
		switch f.Kind {
		case "log":
			h.Kind = v.say("Day log")
		case "conversation":
			h.Kind = v.say("Conversation")
		default:
			h.Kind = v.say("Note")
		}
		if f.Path != "" {
			h.URL = s.lineURL(f.Path, f.Line)
		}
		list = append(list, h)
	}
	return list
}

// searchAll looks through every bot and About me. A bot that cannot be looked through is
// named, and the others still show.
func (p *Panel) searchAll(v *visit) error {
	page := searchPage{To: "/search", Query: searchFormOf(v), Scopes: v.scopes()}
	if page.Query.Asked() {
		var q hooks.Search
		if q, page.Fault = p.asked(v, page.Query, p.store.Config().Location()); page.Fault == "" {
			if err := p.everywhere(v, q, &page); err != nil {
				return err
			}
		}
	}
	p.show(v, http.StatusOK, "search", v.say("Search"), nil, page)
	return nil
}

func (p *Panel) everywhere(v *visit, q hooks.Search, page *searchPage) error {
	list, err := p.store.Bots(v.r.Context())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), homeSearch)
	defer cancel()
	if q.Scope != "conversations" {
		if g := p.aboutHits(v, q); len(g.Hits) > 0 {
			page.Groups = append(page.Groups, g)
		}
	}
	q.Limit = hitsABot
	more := url.Values{"q": {page.Query.Words}, "since": {page.Query.Since}, "until": {page.Query.Until}, "scope": {page.Query.Scope}}.Encode()
	for i, b := range list {
		if i == botsAtOnce || ctx.Err() != nil {
			page.Left = len(list) - i
			break
		}
		s := space{Base: "/bots/" + string(b.ID), ID: b.ID}
		g := searchGroup{Name: b.Name, URL: s.Base, More: s.Base + "/search?" + more}
		if g.Name == "" {
			g.Name = string(b.ID)
		}
		found, err := p.Turns.Search(ctx, b.ID, q)
		switch {
		case err != nil && ctx.Err() != nil:
			page.Left = len(list) - i
			return v.r.Context().Err()
		case err != nil:
			_, sentence := p.Meaning(err)
			g.Fault = v.told(sentenced(sentence))
			p.Log.WarnContext(ctx, "a bot is not searched", "bot", b.ID, "err", err)
		}
		if g.Hits = v.hits(s, found); len(g.Hits) > 0 || g.Fault != "" {
			page.Groups = append(page.Groups, g)
		}
	}
	return v.r.Context().Err()
}

// aboutHits finds the lines of About me that hold every word.
func (p *Panel) aboutHits(v *visit, q hooks.Search) searchGroup {
	g := searchGroup{Name: v.say("About me"), URL: "/about"}
	ws, err := p.store.Me(v.r.Context(), "")
	if errors.Is(err, repo.ErrNotFound) {
		return g
	}
	var t repo.Text
	if err == nil {
		t, err = ws.Read(v.r.Context(), policy.AboutFile)
	}
	if err != nil {
		p.Log.WarnContext(v.r.Context(), "About me is not searched", "err", err)
		return g
	}
	words, _ := policy.ParsePhrases(strings.Fields(q.Words)) // words without a subject find nothing else here
	for _, u := range markdown.Parse(policy.AboutFile, []byte(t.Text)).Units() {
		if len(g.Hits) == aboutMeHits {
			break
		}
		if h, ok := aboutHit(u, words, q); ok {
			h.Kind = v.say("About me")
			g.Hits = append(g.Hits, h)
		}
	}
	return g
}

func aboutHit(u markdown.Unit, words []policy.Phrase, q hooks.Search) (hitView, bool) {
	raw := string(u.Raw)
	if u.Kind == markdown.KindBlank || u.Kind == markdown.KindHeader || len(words) == 0 && strings.TrimSpace(q.Words) != "" {
		return hitView{}, false
	}
	for _, w := range words {
		if !w.In(raw) {
			return hitView{}, false
		}
	}
	h := hitView{Label: policy.AboutFile, URL: "/about", Line: u.Line, Text: strings.TrimSpace(raw)}
	if u.Entry != nil {
		h.Text, h.Date = u.Entry.Text, u.Entry.Date.String()
	}
	if q.Since.IsZero() && q.Until.IsZero() {
		return h, true
	}
	// Where a time is asked for, what has no date is out.
	in := h.Date != "" && (q.Since.IsZero() || h.Date >= q.Since.Format(time.DateOnly)) && (q.Until.IsZero() || h.Date <= q.Until.Format(time.DateOnly))
	return h, in
}
