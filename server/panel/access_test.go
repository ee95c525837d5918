package panel_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quipu/repo"
)

// another browser signs in to the same home.
func (b *browser) another() *browser {
	b.t.Helper()
	o := *b
	o.cookie, o.csrf = nil, ""
	o.signIn()
	return &o
}

func TestSessionsPage(t *testing.T) {
	b := signedIn(t)
	second, third := b.another(), b.another()
	page := b.get("/access").is(200).has("This browser", "Another browser", "since 30 Nov 2026")
	if strings.Count(page.text(), "Another browser") != 2 || strings.Count(page.text(), "This browser") != 1 {
		t.Errorf("sessions:\n%s", page.text())
	}
	for _, one := range []*browser{b, second, third} {
		if strings.Contains(page.body, one.cookie.Value) {
			t.Error("the page holds a session's secret")
		}
	}
	id := func(o *browser) url.Values {
		return url.Values{"do": {"end"}, "id": {repo.SessionID(o.cookie.Value)}}
	}
	b.follow(b.post("/access", id(second))).is(200).has("That browser is signed out.")
	second.get("/").is(http.StatusUnauthorized)
	third.get("/").is(200)
	b.post("/access", id(second)).is(http.StatusConflict).has("It was gone already.")
	link, err := b.store.NewLogin()
	must(t, err)
	b.follow(b.post("/access", url.Values{"do": {"others"}})).is(200).has("Every other browser is signed out.")
	third.get("/").is(http.StatusUnauthorized)
	third.get("/sign-in?code=" + link).is(http.StatusUnauthorized)
	b.get("/access").is(200).hasNot("Another browser")
	b.post("/access", id(b)).is(http.StatusSeeOther)
	b.get("/").is(http.StatusUnauthorized)
}

func TestTokensPage(t *testing.T) {
	b := signedIn(t)
	b.get("/access").is(200).has("None but the owner's.")
	made := b.post("/access", url.Values{"do": {"create"}, "role": {"bot"}, "bot": {"scout"}}).is(200).has("it is shown this once")
	_, rest, _ := strings.Cut(made.body, `<input id="token" class="path" value="`)
	plain, _, _ := strings.Cut(rest, `"`)
	token, ok := b.store.CheckToken(plain)
	if !ok || token.Role != repo.RoleBot || token.Bot != "scout" {
		t.Fatalf("the token %q is %+v", plain, token)
	}
	again := b.get("/access").is(200).has(token.ID, "scout")
	if strings.Contains(again.body, plain) || strings.Contains(b.log.String(), plain) {
		t.Error("the token is shown twice, or in the log")
	}
	for name, wrong := range map[string]url.Values{
		"a bot's without a bot":       {"role": {"bot"}},
		"a member's without a member": {"role": {"member"}},
		"a member on two lines":       {"role": {"member"}, "member": {"a\x01b"}},
		"a role of its own":           {"role": {"king"}},
		"a bot that is none":          {"role": {"bot"}, "bot": {"nobody"}},
		"a bot outside":               {"role": {"bot"}, "bot": {"../x"}},
	} {
		wrong.Set("do", "create")
		if a := b.post("/access", wrong); a.status < 400 || a.status >= 500 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if list, err := b.store.ListTokens(); err != nil || len(list) != 1 {
		t.Errorf("tokens %v, %v", list, err)
	}
	b.follow(b.post("/access", url.Values{"do": {"revoke"}, "id": {token.ID}})).is(200).has("The token opens nothing any more.")
	if _, ok := b.store.CheckToken(plain); ok {
		t.Error("a revoked token opens something")
	}
	b.post("/access", url.Values{"do": {"revoke"}, "id": {token.ID}}).is(http.StatusConflict).has("It was gone already.")
	b.post("/access", url.Values{"do": {"dance"}}).is(http.StatusForbidden)
}

// A new token of the owner's ends every session, the one that asked for it too.
func TestRotate(t *testing.T) {
	b := signedIn(t)
	other := b.another()
	old, err := b.store.OwnerToken()
	must(t, err)
	a := b.post("/access", url.Values{"do": {"rotate"}}).is(200).has("The owner's token is another now.", "quipu open")
	now, err := b.store.OwnerToken()
	must(t, err)
	if _, ok := b.store.CheckToken(old); ok || now == old || strings.Contains(a.body, now) {
		t.Error("the old token opens something, or the new one is shown")
	}
	if b.cookie != nil {
		t.Error("the cookie stays")
	}
	b.get("/").is(http.StatusUnauthorized)
	other.get("/").is(http.StatusUnauthorized)
	b.signIn()
	b.get("/").is(200)
}

// Nothing of these pages opens without a session, and no form counts without its token.
func TestTendingNeedsASession(t *testing.T) {
	b := signedIn(t)
	stranger := newcomer(t)
	for _, page := range []string{"/search?q=x", "/settings", "/access", "/bots/scout/upkeep", "/bots/scout/upkeep/state", "/bots/scout/search?q=x", "/bots/scout/recall?message=x", "/bots/scout/settings"} {
		stranger.get(page).is(http.StatusUnauthorized)
	}
	before := b.config()
	for page, sent := range map[string]url.Values{
		"/settings": {"person.name": {"Eve"}}, "/bots/scout/settings": {"bots.scout.name": {"Eve"}}, "/bots/scout/remove": {"confirm": {"scout"}},
		"/access": {"do": {"rotate"}}, "/bots/scout/upkeep": {"do": {"tidy"}}, "/bots/scout/open": {"target": {"folder"}},
	} {
		sent.Set("csrf", "wrong")
		b.post(page, sent).is(http.StatusForbidden)
		stranger.post(page, sent).is(http.StatusUnauthorized)
	}
	b.get("/bots/scout").is(200)
	if b.config() != before {
		t.Error("a form without its token was taken")
	}
}
