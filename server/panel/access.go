package panel

import (
	"errors"
	"net/http"
	"time"

	"quipu/repo"
)

type accessPage struct {
	CSRF     string
	Fault    string
	Tokens   []tokenView
	Sessions []sessionView
	Others   int // sessions but this one
	Bots     []repo.Listing
	Made     string // the text of a token that was made just now
	MadeFor  string
	Role     string // that the form asked for
	Bot      string
	Member   string
}

type tokenView struct {
	ID, Role, Bot, Member string
	Made                  time.Time
}

type sessionView struct {
	ID           string
	Began, Until time.Time
	This         bool
}

// access lists what opens this home: tokens, and the browsers that are signed in.
func (p *Panel) access(v *visit) error {
	return p.showAccess(v, http.StatusOK, accessPage{})
}

func (p *Panel) showAccess(v *visit, status int, page accessPage) error {
	page.CSRF = v.csrf
	loc := p.store.Config().Location()
	tokens, err := p.store.ListTokens()
	if err != nil {
		return err
	}
	for _, t := range tokens {
		page.Tokens = append(page.Tokens, tokenView{t.ID, roleWords(v, t.Role), string(t.Bot), t.Member, t.Created.In(loc)})
	}
	sessions, err := p.store.ListSessions()
	if err != nil {
		return err
	}
	this := repo.SessionID(v.secret)
	for _, s := range sessions {
		page.Sessions = append(page.Sessions, sessionView{s.ID, s.Began.In(loc), s.Until.In(loc), s.ID == this})
	}
	page.Others = max(0, len(sessions)-1)
	if page.Bots, err = p.store.Bots(v.r.Context()); err != nil {
		return err
	}
	p.show(v, status, "access", v.say("Access"), nil, page)
	return nil
}

func roleWords(v *visit, role string) string {
	switch role {
	case repo.RoleOwner:
		return v.say("owner")
	case repo.RoleMember:
		return v.say("member")
	}
	return v.say("bot")
}

// changeAccess makes and takes away tokens, and ends sessions.
func (p *Panel) changeAccess(v *visit) error {
	form := v.r.PostForm
	switch form.Get("do") {
	case "create":
		return p.createToken(v)
	case "revoke":
		return p.accessDone(v, p.store.RevokeToken(form.Get("id")), "revoked")
	case "rotate":
		return p.rotate(v)
	case "end":
		if form.Get("id") == repo.SessionID(v.secret) {
			return p.signOut(v)
		}
		return p.accessDone(v, p.store.DropSession(form.Get("id")), "ended")
	case "others":
		_, err := p.store.DropSessions(v.secret)
		return p.accessDone(v, err, "others")
	}
	return errForm
}

func (p *Panel) accessDone(v *visit, err error, did string) error {
	if errors.Is(err, repo.ErrNotFound) {
		return p.showAccess(v, http.StatusConflict, accessPage{Fault: v.say("It was gone already.")})
	}
	if err != nil {
		return err
	}
	return v.done("/access", did, "")
}

// createToken makes a token and shows its text, this once: the answer is no page that an
// address leads to.
func (p *Panel) createToken(v *visit) error {
	form := v.r.PostForm
	page := accessPage{Role: form.Get("role"), Bot: form.Get("bot"), Member: form.Get("member")}
	bot, member := repo.ID(page.Bot), page.Member
	switch page.Role {
	case repo.RoleOwner:
		bot, member = "", ""
	case repo.RoleBot:
		member = ""
		if bot == "" {
			page.Fault = v.say("A bot's token is for one bot: choose which.")
		}
	case repo.RoleMember:
		if member == "" {
			page.Fault = v.say("A member's token is for one person: say who.")
		}
	default:
		return errForm
	}
	if bot != "" {
		if _, err := p.store.Open(v.r.Context(), bot); err != nil {
			return errNoBot
		}
	}
	if page.Fault != "" {
		return p.showAccess(v, http.StatusBadRequest, page)
	}
	plain, t, err := p.store.CreateToken(page.Role, bot, member)
	if errors.Is(err, repo.ErrInvalid) {
		page.Fault = v.say("A member's name is one line of at most 200 bytes.")
		return p.showAccess(v, http.StatusBadRequest, page)
	}
	if err != nil {
		return err
	}
	return p.showAccess(v, http.StatusOK, accessPage{Made: plain, MadeFor: t.ID})
}

// rotate replaces the owner's token, which ends every session, this one too.
func (p *Panel) rotate(v *visit) error {
	if _, err := p.store.RotateToken(); err != nil {
		return err
	}
	c := cookie(v.r, "")
	c.MaxAge = -1
	http.SetCookie(v.w, c)
	v.secret, v.csrf = "", ""
	p.show(v, http.StatusOK, "sign-in", v.say("Sign in"), nil, signInPage{Rotated: true})
	return nil
}
