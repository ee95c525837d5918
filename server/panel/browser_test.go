package panel_test

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"quipu/policy"
	"quipu/repo"
	"quipu/server"
)

const host = "127.0.0.1:7717"

// clock goes on at each reading, by a second, and can be set on.
type clock struct {
	mu  sync.Mutex
	at  time.Time
	per time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(c.per)
	return c.at
}

func (c *clock) on(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// browser is a person's browser before a server with a real home and a bot, scout.
type browser struct {
	t      testing.TB
	store  *repo.Store
	server *server.Server
	scout  *repo.Workspace
	clock  *clock
	log    *strings.Builder
	cookie *http.Cookie // nil before signing in
	csrf   string
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newcomer is a browser that is not signed in.
func newcomer(t testing.TB) *browser {
	t.Helper()
	b := &browser{t: t, clock: &clock{at: time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC), per: time.Second}, log: &strings.Builder{}}
	log := slog.New(slog.NewTextHandler(b.log, nil))
	var err error
	b.store, err = repo.OpenHome(filepath.Join(t.TempDir(), "home"), repo.Options{Now: b.clock.now, Log: log})
	must(t, err)
	t.Cleanup(func() { must(t, b.store.Close()) })
	must(t, b.store.EditConfig(repo.Setting{Path: []string{"timezone"}, Value: "UTC"}, repo.Setting{Path: []string{"person", "name"}, Value: "Ada"}))
	b.server = server.New(b.store, server.Options{Now: b.clock.now, Log: log})
	_, _, err = b.store.Create(t.Context(), "scout", "")
	must(t, err)
	b.scout, err = b.store.Open(t.Context(), "scout")
	must(t, err)
	return b
}

// signedIn is a browser that followed a link.
func signedIn(t testing.TB) *browser {
	t.Helper()
	b := newcomer(t)
	b.signIn()
	return b
}

func (b *browser) signIn() {
	b.t.Helper()
	code, err := b.store.NewLogin()
	must(b.t, err)
	b.get("/sign-in?code=" + code).is(http.StatusSeeOther)
	page := b.get("/").is(http.StatusOK)
	_, rest, _ := strings.Cut(page.body, `name="csrf" value="`)
	b.csrf, _, _ = strings.Cut(rest, `"`)
}

// answer is what a browser got.
type answer struct {
	t      testing.TB
	asked  string
	status int
	header http.Header
	body   string
}

// is fails the test unless the answer has this status.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: got %d, want %d\n%s", a.asked, a.status, status, a.body)
	}
	return a
}

// has fails the test unless the page shows each of these, as text.
func (a answer) has(want ...string) answer {
	a.t.Helper()
	shown := a.text()
	for _, w := range want {
		if !strings.Contains(shown, w) {
			a.t.Errorf("%s does not show %q:\n%s", a.asked, w, shown)
		}
	}
	return a
}

func (a answer) hasNot(unwanted ...string) answer {
	a.t.Helper()
	shown := a.text()
	for _, w := range unwanted {
		if strings.Contains(shown, w) {
			a.t.Errorf("%s shows %q", a.asked, w)
		}
	}
	return a
}

// text is what a page says, its markup taken off and its white space folded.
func (a answer) text() string {
	var out strings.Builder
	for z := html.NewTokenizer(strings.NewReader(a.body)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(out.String()), " ")
		case html.TextToken:
			out.Write(z.Text())
		}
	}
}

// field is the value of a form's field.
func (a answer) field(name string) string {
	a.t.Helper()
	for z := html.NewTokenizer(strings.NewReader(a.body)); ; {
		switch z.Next() {
		case html.ErrorToken:
			a.t.Fatalf("%s has no field %q:\n%s", a.asked, name, a.body)
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := z.Token()
			if attr(tag, "name") != name {
				continue
			}
			if tag.Data == "textarea" {
				z.Next()
				return strings.TrimPrefix(z.Token().Data, "\n")
			}
			return attr(tag, "value")
		}
	}
}

// link is the address of the first link with this text, "" when there is none.
func (a answer) link(text string) string {
	href := ""
	for z := html.NewTokenizer(strings.NewReader(a.body)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken:
			if tag := z.Token(); tag.Data == "a" {
				href = attr(tag, "href")
			}
		case html.TextToken:
			if strings.TrimSpace(string(z.Text())) == text && href != "" {
				return href
			}
		}
	}
}

func attr(tag html.Token, name string) string {
	for _, a := range tag.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

type change func(*http.Request)

func with(name, value string) change { return func(r *http.Request) { r.Header.Set(name, value) } }

func (b *browser) get(target string, changes ...change) answer {
	b.t.Helper()
	return b.send(httptest.NewRequestWithContext(b.t.Context(), http.MethodGet, target, http.NoBody), changes)
}

// post sends a form, with the token of the session unless the form has one.
func (b *browser) post(target string, form url.Values, changes ...change) answer {
	b.t.Helper()
	sent := url.Values{"csrf": {b.csrf}}
	maps.Copy(sent, form)
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, target, strings.NewReader(sent.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+host)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r, changes)
}

func (b *browser) send(r *http.Request, changes []change) answer {
	b.t.Helper()
	r.Host, r.RemoteAddr = host, "127.0.0.1:50000"
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	for _, c := range changes {
		c(r)
	}
	w := httptest.NewRecorder()
	b.server.Handler().ServeHTTP(w, r)
	res := w.Result()
	defer func() { _ = res.Body.Close() }()
	for _, c := range res.Cookies() {
		if b.cookie = c; c.MaxAge < 0 {
			b.cookie = nil
		}
	}
	a := answer{b.t, r.Method + " " + r.URL.String(), w.Code, w.Header(), w.Body.String()}
	if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") && w.Code != http.StatusSeeOther {
		a.wellFormed()
	}
	return a
}

// follow asks for the page that a form led to.
func (b *browser) follow(a answer) answer {
	b.t.Helper()
	return b.get(a.is(http.StatusSeeOther).header.Get("Location"))
}

var void = []string{"meta", "link", "input", "br", "hr", "img"}

// wellFormed holds a page to what the policy of its content allows, and to tags that close.
func (a answer) wellFormed() {
	a.t.Helper()
	var open []string
	ids := map[string]bool{}
	for z := html.NewTokenizer(strings.NewReader(a.body)); ; {
		kind := z.Next()
		tag := z.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				a.t.Errorf("%s leaves %v open", a.asked, open)
			}
			return
		case html.StartTagToken:
			a.allowed(tag, ids)
			if !slices.Contains(void, tag.Data) {
				open = append(open, tag.Data)
			}
		case html.SelfClosingTagToken:
			a.allowed(tag, ids)
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != tag.Data {
				a.t.Fatalf("%s closes %s inside %v", a.asked, tag.Data, open)
			}
			open = open[:len(open)-1]
		case html.TextToken:
			if len(open) > 0 && (open[len(open)-1] == "script" || open[len(open)-1] == "style") {
				a.t.Errorf("%s has inline %s: %q", a.asked, open[len(open)-1], tag.Data)
			}
		}
	}
}

var known = strings.Fields(`img html head meta title link script body a header div nav ul li form input button main p span b bdi h1 h2 h3 s q svg rect
	time code pre section article label textarea select option details summary blockquote dl dt dd ins del hr br table thead tbody tr th td text line polyline
	fieldset legend progress strong ol noscript`)

func (a answer) allowed(tag html.Token, ids map[string]bool) {
	a.t.Helper()
	if !slices.Contains(known, tag.Data) {
		a.t.Errorf("%s has an element <%s> that no page of the panel is made of", a.asked, tag.Data)
	}
	for _, at := range tag.Attr {
		if strings.HasPrefix(at.Key, "on") || at.Key == "style" {
			a.t.Errorf("%s has an inline %s=%q", a.asked, at.Key, at.Val)
		}
		if slices.Contains([]string{"href", "src", "action"}, at.Key) && !strings.HasPrefix(at.Val, "/") && !strings.HasPrefix(at.Val, "#") && !strings.HasPrefix(at.Val, "?") || strings.HasPrefix(at.Val, "//") {
			a.t.Errorf("%s leads elsewhere: %s=%q", a.asked, at.Key, at.Val)
		}
		if at.Key == "id" && ids[at.Val] {
			a.t.Errorf("%s has two elements with the id %q", a.asked, at.Val)
		}
		if at.Key == "id" {
			ids[at.Val] = true
		}
	}
}

// teach has the bot note something, and gives the change.
func (b *browser) teach(u policy.Update, source string) repo.Receipt {
	b.t.Helper()
	if u.Action == "" {
		u.Action = policy.Append
	}
	u.TextSet, u.Source = true, source
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn, Source: source}
	r, err := b.scout.Update(b.t.Context(), m, u)
	must(b.t, err)
	return r
}

func (b *browser) write(path, text string) repo.Receipt {
	b.t.Helper()
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: "scout"}, Via: repo.ViaTurn}
	r, err := b.scout.Save(b.t.Context(), m, path, text, repo.Expect{Any: true})
	must(b.t, err)
	return r
}

func (b *browser) read(path string) string {
	b.t.Helper()
	t, err := b.scout.Read(b.t.Context(), path)
	must(b.t, err)
	return t.Text
}

// entryAt is the address of the page of the note in MEMORY.md that holds a text.
func (b *browser) entryAt(text string) string {
	b.t.Helper()
	for i, line := range strings.Split(b.read(policy.MemoryFile), "\n") {
		if strings.Contains(line, text) {
			return fmt.Sprintf("/bots/scout/entry?path=%s&line=%d", policy.MemoryFile, i+1)
		}
	}
	b.t.Fatalf("no note holds %q:\n%s", text, b.read(policy.MemoryFile))
	return ""
}

// form collects the fields that a page's form hands back.
func form(a answer, names ...string) url.Values {
	v := url.Values{}
	for _, n := range names {
		v.Set(n, a.field(n))
	}
	return v
}
