package panel

import (
	"context"
	"embed"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

//go:embed static
var static embed.FS

// maxForm is how much a form may send, in bytes: a note of 256 KiB and a draft of it as a
// browser encodes them.
const maxForm = 2 << 20

// csp allows what is served here and nothing inline.
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// Options is what the panel is given by the server around it; every field is required.
type Options struct {
	Now func() time.Time
	Log *slog.Logger
	// Person is who acts in the panel.
	Person func() repo.Author
	// Used is told of each workspace that a page names.
	Used func(*repo.Workspace)
	// Meaning turns an error into a status and a sentence that may be shown.
	Meaning func(error) (status int, sentence string)
	// Guess is asked after each wrong code; not free says how long to wait.
	Guess func(*http.Request) (wait time.Duration, free bool)
	// Route is told the template of the path, for the log line.
	Route func(w http.ResponseWriter, path string)
	// Turns recalls and searches; Upkeep says how a memory is tended, and Errands tends it
	// when a person asks.
	Turns   *hooks.Turns
	Upkeep  *hooks.Upkeep
	Errands *hooks.Errands
	// Local says whether a request comes from somebody at this machine, and Open shows them a
	// folder there: target is "obsidian" or "folder".
	Local func(*http.Request) bool
	Open  func(ctx context.Context, target, dir string) error
}

// Panel answers the pages of one home. It is safe for concurrent use.
type Panel struct {
	Options
	store     *repo.Store
	mux       *http.ServeMux
	static    staticFiles
	languages *languages
}

// New makes the panel of a home.
func New(store *repo.Store, o Options) *Panel {
	spoken, err := embedded()
	if err != nil {
		panic(err) // embedded: a test reads it
	}
	p := &Panel{Options: o, store: store, mux: http.NewServeMux(), static: readStatic(), languages: spoken}
	for pattern, page := range p.pages() {
		p.mux.Handle(pattern, p.signedIn(page))
	}
	p.mux.HandleFunc("GET /sign-in", p.signIn)
	p.mux.HandleFunc("GET /static/{name}", p.serveStatic)
	return p
}

// pages is every page that a signed-in person may ask for.
func (p *Panel) pages() map[string]page {
	all := p.tendPages()
	maps.Copy(all, map[string]page{
		"GET /{$}":                    p.bots,
		"POST /sign-out":              p.signOut,
		"POST /bots":                  p.makeBot,
		"POST /bots/{id}/note":        p.addNote,
		"GET /about":                  p.about,
		"POST /about":                 p.saveAbout,
		"POST /about/remove":          p.removeLearned,
		"GET /bots/{id}":              p.memory,
		"GET /bots/{id}/topics":       p.topics,
		"GET /bots/{id}/file":         p.file,
		"GET /bots/{id}/edit":         p.edit,
		"GET /bots/{id}/text":         p.text,
		"GET /about/text":             p.text,
		"POST /bots/{id}/edit":        p.save,
		"GET /bots/{id}/delete":       p.askDelete,
		"POST /bots/{id}/delete":      p.deleteFile,
		"GET /bots/{id}/entry":        p.entry,
		"GET /bots/{id}/image/{name}": p.image,
		"GET /bots/{id}/standing":     p.standings,
		"POST /bots/{id}/standing":    p.judge,
		"GET /bots/{id}/directives":   p.directives,
		"POST /bots/{id}/directives":  p.changeDirectives,
		"POST /bots/{id}/entry":       p.changeEntry,
		"GET /bots/{id}/forget":       p.askForget,
		"POST /bots/{id}/forget":      p.forget,
		"GET /bots/{id}/journal":      p.journal,
		"GET /bots/{id}/change/{row}": p.change,
		"GET /bots/{id}/undo/{row}":   p.askUndo,
		"POST /bots/{id}/undo/{row}":  p.undo,
		"GET /about/change/{row}":     p.change,
		"GET /about/undo/{row}":       p.askUndo,
		"POST /about/undo/{row}":      p.undo,
		"GET /about/journal":          p.journal,
		"GET /bots/{id}/remote":       p.remote,
		"POST /bots/{id}/remote":      p.changeRemote,
		"GET /about/remote":           p.remote,
		"POST /about/remote":          p.changeRemote,
		"GET /bots/{id}/conflicts":    p.conflicts,
		"POST /bots/{id}/conflicts":   p.resolve,
		"GET /about/conflicts":        p.conflicts,
		"POST /about/conflicts":       p.resolve,
		"GET /pulse":                  p.pulseOfAll,
		"GET /bots/{id}/pulse":        p.pulse,
		"GET /about/pulse":            p.pulse,
		"GET /bots/{id}/title":        p.title,
		"POST /bots/{id}/title":       p.saveTitle,
		"GET /bots/{id}/pictures":     p.pictures,
		"GET /bots/{id}/day/{date}":   p.day,
		"GET /about/day/{date}":       p.day,
		"GET /bots/{id}/at":           p.past,
		"GET /about/at":               p.past,
		"GET /bots/{id}/restore":      p.askRestore,
		"POST /bots/{id}/restore":     p.restore,
		"GET /about/restore":          p.askRestore,
		"POST /about/restore":         p.restore,
	})
	return all
}

// Pages lists the patterns of what a browser may ask for by GET, sorted: every page, and
// what the pages ask for themselves.
func Pages() []string {
	list := []string{"GET /sign-in"}
	for pattern := range new(Panel).pages() {
		if strings.HasPrefix(pattern, http.MethodGet) {
			list = append(list, pattern)
		}
	}
	slices.Sort(list)
	return list
}

// Mine says whether a path belongs to the panel, and not to the API beside it.
func Mine(path string) bool {
	switch path {
	case "/", "/about", "/sign-in", "/sign-out", "/pulse", "/bots", "/search", "/settings", "/access":
		return true
	}
	for _, under := range []string{"/about/", "/bots/", "/static/"} {
		if strings.HasPrefix(path, under) {
			return true
		}
	}
	return false
}

// ServeHTTP answers a page. The guard of the server stands before it.
func (p *Panel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", csp)
	_, pattern := p.mux.Handler(r)
	method, path, _ := strings.Cut(pattern, " ")
	if method != http.MethodGet && method != http.MethodPost { // no page, or the address of one written otherwise
		p.Route(w, "none")
		p.fail(p.visit(w, r), errNoPage)
		return
	}
	p.Route(w, path)
	if r.Body != nil {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	}
	p.mux.ServeHTTP(w, r)
}

// page answers one request of a signed-in person, or gives the error that fail shows.
type page func(v *visit) error

// visit is one request on its way through a page.
type visit struct {
	*speech
	w      http.ResponseWriter
	r      *http.Request
	secret string // of the session
	csrf   string // what its forms carry
}

// visit begins one, in the language that the browser asks for.
func (p *Panel) visit(w http.ResponseWriter, r *http.Request) *visit {
	return &visit{speech: p.languages.asked(r.Header.Get("Accept-Language")), w: w, r: r}
}

// space is the workspace that a page is about.
type space struct {
	ws   *repo.Workspace
	Base string // the path of its pages: /bots/ID, or /about
	ID   repo.ID
	Name string
	Me   bool
}

// faulty is an answer that the panel itself has a sentence for, in English.
type faulty struct {
	status   int
	sentence string
}

func (f *faulty) Error() string { return f.sentence }

var (
	errNoPage    = &faulty{http.StatusNotFound, "There is no such page."}
	errNoBot     = &faulty{http.StatusNotFound, "There is no such bot."}
	errNoEntry   = &faulty{http.StatusConflict, "This entry changed, or went, since the page was shown. Nothing was done."}
	errNoNote    = &faulty{http.StatusNotFound, "There is no such file in this memory."}
	errFolder    = &faulty{http.StatusForbidden, "A folder of this machine is set as a remote by somebody at this machine."}
	errForm      = &faulty{http.StatusForbidden, "This form is out of date. Go back, reload the page and send it again."}
	errFormAgain = &faulty{http.StatusForbidden, msg("This page was made by a session that has ended, so nothing was done yet.")}
	errLog       = &faulty{http.StatusForbidden, "A day log is the bot's own record: it can be read and deleted."}
	errTooMuch   = &faulty{http.StatusRequestEntityTooLarge, "That is more than a memory file can hold: at most 256 KiB."}
)

// fileSpace is the space of a page about one of its files, and which one.
func (p *Panel) fileSpace(v *visit, form url.Values) (s space, path string, kind policy.PathKind, err error) {
	if s, err = p.space(v); err == nil {
		path, kind, err = s.pathOf(form.Get("path"))
	}
	return s, path, kind, err
}

// space opens the bot that the path names, or About me. Nothing is made by asking.
func (p *Panel) space(v *visit) (space, error) {
	if v.r.PathValue("id") == "" {
		ws, err := p.store.Me(v.r.Context(), "")
		if err == nil {
			p.Used(ws)
		}
		return space{ws: ws, Base: "/about", Name: v.say("About me"), Me: true}, err
	}
	id := v.r.PathValue("id")
	if policy.CheckID(id) != nil {
		return space{}, errNoBot
	}
	ws, err := p.store.Open(v.r.Context(), repo.ID(id))
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrInvalid) {
		return space{}, errNoBot
	}
	if err != nil {
		return space{}, err
	}
	p.Used(ws)
	name := p.store.Config().Bots[ws.ID()].Name
	if name == "" {
		name = id
	}
	return space{ws: ws, Base: "/bots/" + id, ID: ws.ID(), Name: name}, nil
}

// takeIn commits what was edited outside, so that it is shown as what it is. A
// workspace that cannot be written just now can still be read.
func (p *Panel) takeIn(v *visit, s space) {
	if _, err := s.ws.TakeIn(v.r.Context(), p.Person()); err != nil {
		p.Log.WarnContext(v.r.Context(), "edits made outside are not taken in yet", "bot", s.ID, "err", err)
	}
}

func (p *Panel) meta() repo.Meta { return repo.Meta{Author: p.Person(), Via: repo.ViaUI} }

// limits are the two limits of MEMORY.md in this home.
func (p *Panel) limits() policy.Limits {
	return p.store.Config().Limits()
}
