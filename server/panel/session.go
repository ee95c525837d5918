package panel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"math"
	"net"
	"net/http"
	"strconv"
)

// cookieName is the session's cookie. Cookies are shared by all ports of a host, so the
// port is part of the name: two servers on one machine do not sign each other out.
func cookieName(r *http.Request) string {
	name := "quipu"
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		name += "-" + port
	}
	if r.TLS != nil {
		name = "__Host-" + name
	}
	return name
}

func cookie(r *http.Request, secret string) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(r), Value: secret, Path: "/", HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	}
}

// formToken is what the forms of a session carry: made of its secret, and of no use to
// make the secret of.
func formToken(secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("quipu panel form"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// signedIn lets a signed-in person through to a page, with forms that this session made.
func (p *Panel) signedIn(next page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := p.visit(w, r)
		if c, err := r.Cookie(cookieName(r)); err == nil && p.store.CheckSession(c.Value) {
			v.secret, v.csrf = c.Value, formToken(c.Value)
		}
		if r.Method == http.MethodPost {
			if err := r.ParseForm(); err != nil {
				p.fail(v, formFault(err))
				return
			}
		}
		if v.secret == "" {
			p.askToSignIn(v)
			return
		}
		if r.Method == http.MethodPost && !hmac.Equal([]byte(r.PostForm.Get("csrf")), []byte(v.csrf)) {
			p.outOfDate(v)
			return
		}
		if err := next(v); err != nil {
			p.fail(v, err)
		}
	})
}

func formFault(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooMuch
	}
	return &faulty{http.StatusBadRequest, "This form cannot be read."}
}

// askToSignIn says how. What was typed in a page whose session ended meanwhile is given
// back, so that it is not lost.
func (p *Panel) askToSignIn(v *visit) {
	p.show(v, http.StatusUnauthorized, "sign-in", v.say("Sign in"), nil, signInPage{Again: v.again()})
}

type signInPage struct {
	Again   *again
	Wrong   bool // a link that is used up
	Rotated bool // the owner's token was replaced just now
}

// signIn exchanges the code of a link for a session. The address with the code is left at
// once, and the code is then of no more use.
func (p *Panel) signIn(w http.ResponseWriter, r *http.Request) {
	v := p.visit(w, r)
	if r.Method != http.MethodGet { // a look at a link uses nothing up
		p.show(v, http.StatusOK, "sign-in", v.say("Sign in"), nil, signInPage{})
		return
	}
	secret, began, ok, err := p.store.TakeLogin(r.URL.Query().Get("code"))
	if err != nil {
		p.fail(v, err)
		return
	}
	if !ok {
		if wait, free := p.Guess(r); !free {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
			p.fail(v, &faulty{http.StatusTooManyRequests, "Too many wrong links. Wait a little."})
			return
		}
		p.show(v, http.StatusUnauthorized, "sign-in", v.say("Sign in"), nil, signInPage{Wrong: r.URL.Query().Has("code")})
		return
	}
	c := cookie(r, secret)
	c.Expires = began.Until
	http.SetCookie(w, c)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (p *Panel) signOut(v *visit) error {
	if err := p.store.EndSession(v.secret); err != nil {
		return err
	}
	c := cookie(v.r, "")
	c.MaxAge = -1
	http.SetCookie(v.w, c)
	http.Redirect(v.w, v.r, "/sign-in", http.StatusSeeOther)
	return nil
}
