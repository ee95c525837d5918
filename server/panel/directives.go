package panel

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// directivesPage is what a bot does not bring up.
type directivesPage struct {
	Space *space
	CSRF  string
	List  []directiveView
	Most  int
	Full  bool
	Fault string
	Add   wishForm
	Draft string
	Tried *triedView
}

// directiveView is one of them.
type directiveView struct {
	ID, Term     string
	Call         bool
	Since, Until string // "" until it is lifted
	Who          string
	Nameless     bool      // it holds no draft back
	EditURL      string    // where the form is that changes it
	Edit         *wishForm // that form, when it was asked for
}

// wishForm is what a directive is made of, as it is typed.
type wishForm struct {
	ID                string // begins the ids of its fields
	Term, Kind, Until string
}

// triedView is what a gate says of a draft.
type triedView struct {
	Pass    bool
	Reasons []string // it is dropped for
	Repeats string   // what it says again; that alone drops nothing
}

func (p *Panel) directives(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	page := directivesPage{}
	return p.showDirectives(v, &s, http.StatusOK, &page, v.r.URL.Query().Get("edit"), nil)
}

// showDirectives shows the page. edit is the one whose form is open, and typed what is in it
// when that is not what holds.
func (p *Panel) showDirectives(v *visit, s *space, status int, page *directivesPage, edit string, typed *wishForm) error {
	list, err := s.ws.Directives(v.r.Context())
	if err != nil {
		return err
	}
	page.Space, page.CSRF, page.Most, page.Full = s, v.csrf, policy.MaxDirectives, len(list) >= policy.MaxDirectives
	loc := p.store.Config().LocationOf(s.ID)
	for _, d := range list {
		a := repo.ParseAuthor(d.By)
		view := directiveView{
			ID: d.ID, Term: d.Term, Call: d.Kind == policy.DirectiveCall, Since: v.day(d.At.In(loc)), Who: v.actor(string(a.Kind), a.Name),
			Nameless: policy.Nameless(d.Term), EditURL: s.Base + "/directives?edit=" + url.QueryEscape(d.ID) + "#d-" + d.ID,
		}
		if !d.Until.IsZero() {
			view.Until = v.minute(d.Until.In(loc))
		}
		if d.ID == edit {
			view.Edit = &wishForm{"edit", d.Term, string(d.Kind), untilTyped(d.Until, s.ws.Now().Location())}
			if typed != nil {
				view.Edit = typed
				view.Edit.ID = "edit"
			}
		}
		page.List = append(page.List, view)
	}
	if typed != nil && !slices.ContainsFunc(list, func(d policy.Directive) bool { return d.ID == edit }) {
		page.Add = *typed
	}
	page.Add.ID = "add"
	p.show(v, status, "directives", v.say("Do not mention"), s, *page)
	return nil
}

// untilTyped writes an end as a person types it: a day alone where that is what it means.
func untilTyped(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(loc)
	if next := t.Add(time.Nanosecond); next.Equal(time.Date(next.Year(), next.Month(), next.Day(), 0, 0, 0, 0, loc)) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

var (
	errNoDirective = &faulty{http.StatusConflict, msg("This is not set any more. Nothing was done.")}
	errUntil       = &faulty{http.StatusBadRequest, msg("This is no time to come: write 2026-11-30, 3d, 24h or tomorrow, or leave it blank.")}
	errNoDraft     = &faulty{http.StatusBadRequest, msg("Write what the bot would say.")}
)

// changeDirectives adds, changes or lifts one, or tries a draft.
func (p *Panel) changeDirectives(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	switch v.r.PostForm.Get("do") {
	case "add", "edit":
		return p.setDirective(v, &s)
	case "lift":
		receipt, err := s.ws.LiftDirective(v.r.Context(), p.meta(), v.r.PostForm.Get("id"))
		if errors.Is(err, repo.ErrNotFound) {
			return errNoDirective
		}
		if err != nil {
			return err
		}
		return v.done(s.Base+"/directives", "lifted", string(receipt.Change))
	case "try":
		return p.tryDraft(v, &s)
	}
	return errForm
}

// setDirective sets what the form says, instead of another one when it names that.
func (p *Panel) setDirective(v *visit, s *space) error {
	form := v.r.PostForm
	typed := wishForm{Term: form.Get("term"), Kind: form.Get("kind"), Until: strings.TrimSpace(form.Get("until"))}
	old := form.Get("id")
	if form.Get("do") == "add" {
		old = ""
	}
	set, change, err := p.wish(v, s, typed, old)
	if err == nil {
		did := "hushed"
		switch {
		case change == "":
			did = "already"
		case slices.ContainsFunc(set, func(d policy.Directive) bool { return policy.Nameless(d.Term) }):
			did = "nameless"
		case old != "":
			did = "rehushed"
		}
		return v.done(s.Base+"/directives", did, change)
	}
	status, sentence := 0, ""
	if own, is := errors.AsType[*faulty](err); is {
		status, sentence = own.status, own.sentence
	} else {
		status, sentence = p.Meaning(err)
	}
	if status >= http.StatusInternalServerError {
		return err
	}
	page := directivesPage{Fault: v.told(sentenced(sentence))}
	return p.showDirectives(v, s, status, &page, old, &typed)
}

// wish sets one directive. What is as it was already makes no change.
func (p *Panel) wish(v *visit, s *space, typed wishForm, old string) (set []policy.Directive, change string, err error) {
	wish := repo.Wish{Kind: policy.DirectiveKind(typed.Kind), Term: typed.Term}
	if typed.Until != "" {
		var ok bool
		if wish.Until, ok = policy.Ahead(typed.Until, s.ws.Now()); !ok {
			return nil, "", errUntil
		}
	}
	ctx := v.r.Context()
	if old != "" {
		list, err := s.ws.Directives(ctx)
		if err != nil {
			return nil, "", err
		}
		i := slices.IndexFunc(list, func(d policy.Directive) bool { return d.ID == old })
		if i < 0 {
			return nil, "", errNoDirective
		}
		d, loc := list[i], s.ws.Now().Location()
		if d.Kind == wish.Kind && d.Term == strings.TrimSpace(typed.Term) && untilTyped(d.Until, loc) == untilTyped(wish.Until, loc) {
			return nil, "", nil
		}
	}
	got, err := s.ws.SetDirectives(ctx, p.meta(), old, wish)
	return got.Set, string(got.Change), err
}

// tryDraft holds a draft against what is not to be brought up. Nothing of it is kept.
func (p *Panel) tryDraft(v *visit, s *space) error {
	page := directivesPage{Draft: fromForm(v.r.PostForm.Get("draft"), "")}
	if strings.TrimSpace(page.Draft) == "" {
		page.Fault = v.told(errNoDraft.sentence)
		return p.showDirectives(v, s, errNoDraft.status, &page, "", nil)
	}
	got, err := p.Turns.Gate(v.r.Context(), s.ID, page.Draft)
	if err != nil {
		return err
	}
	page.Tried = p.tried(v, s, got)
	return p.showDirectives(v, s, http.StatusOK, &page, "", nil)
}

// tried says in sentences what a gate met.
func (p *Panel) tried(v *visit, s *space, got hooks.Gated) *triedView {
	loc := p.store.Config().LocationOf(s.ID)
	view := &triedView{Pass: got.Pass}
	for _, d := range got.Directives {
		if d.Kind == policy.DirectiveCall {
			view.Reasons = append(view.Reasons, v.say("It calls you what you are not called: %s", visible(d.Term)))
			continue
		}
		view.Reasons = append(view.Reasons, v.say("It brings up what is not to be mentioned: %s", visible(d.Term)))
	}
	for _, q := range got.Quiet {
		view.Reasons = append(view.Reasons, v.say("It was raised unasked more than twice in five hours, and is quiet until %[1]s: %[2]s", v.minute(q.Until.In(loc)), visible(q.Name)))
	}
	if got.Disputed {
		view.Reasons = append(view.Reasons, v.say("It says what you disputed."))
	}
	if r := got.Repeats; r != nil {
		view.Repeats = v.say("It raises again what was said at %[1]s: %[2]s", v.minute(r.At.In(loc)), visible(strings.Join(r.Words, ", ")))
	}
	return view
}
