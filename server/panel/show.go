package panel

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"quipu/policy"
)

//go:embed templates
var templates embed.FS

// screen is what the frame around every page shows.
type screen struct {
	Title  string
	Space  *space
	Tab    string
	CSRF   string
	Notice *notice
	Body   any
	Again  int // seconds after which a page without scripts is asked for again; 0 is never
}

// WithinMemory says whether the page is about a note or a file, which Memory leads to.
func (s screen) WithinMemory() bool {
	return slices.Contains(strings.Fields("entry edit stale file forget forgotten delete past restore title"), s.Tab)
}

// notice says what a form did. It is told after the redirect, by a word of the address
// that only chooses among sentences.
type notice struct {
	Text string
	Undo string // the path that takes it back
}

var notices = map[string]string{
	"saved":   msg("Saved."),
	"same":    msg("Nothing to change: the text is as it was."),
	"added":   msg("Noted."),
	"known":   msg("It is known already."),
	"begun":   msg("The bot is made. What it should know can be noted here."),
	"struck":  msg("Struck through. The bot reads it as no longer true."),
	"edited":  msg("The entry is changed."),
	"removed": msg("Taken out."),
	"deleted": msg("The file is deleted."),
	"undone":  msg("Taken back, as a change of its own."),
	"kept":    msg("Your choice is kept."),
	"keptone": msg("This wording is kept. The other one was not found: where it still stands, take it out yourself."),
	"shared":  msg("The remote is set. Sync now brings both sides together."),

	"unshared": msg("The remote is forgotten here. It stays as it is."),
	"settings": msg("The settings are saved."),
	"gone":     msg("The bot is removed."),
	"opened":   msg("The folder is open on this machine."),
	"revoked":  msg("The token opens nothing any more."),
	"ended":    msg("That browser is signed out."),
	"others":   msg("Every other browser is signed out."),
	"restored": msg("Put back, as a change of its own."),

	"out":        msg("Kept: this is not so. It enters no prompt from now on; the note stays in its file."),
	"outweighed": msg("Kept: this is not so. More still speaks for it than against it, so it enters prompts as before."),
	"sustained":  msg("Kept: this is so. It enters prompts."),
	"backin":     msg("Kept: this is so. It enters prompts again."),
	"stillout":   msg("Kept: this is so. More still speaks against it than for it, so it stays out of every prompt."),
	"hushed":     msg("Set. It is not brought up from now on."),
	"nameless":   msg("Set. It names nothing by itself, so it stands in every prompt and holds no draft back."),
	"rehushed":   msg("Changed. It holds from now on as it stands here."),
	"already":    msg("That is set already."),
	"lifted":     msg("Lifted. It may be brought up again."),
}

// parsePages gives each page its templates, which speak with these functions.
func parsePages(functions template.FuncMap) map[string]*template.Template {
	base := template.Must(template.New("frame.html").Funcs(functions).ParseFS(templates, "templates/frame.html", "templates/parts.html"))
	all := map[string]*template.Template{}
	list, err := templates.ReadDir("templates")
	if err != nil {
		panic(err) // embedded: cannot be missing
	}
	for _, f := range list {
		name := strings.TrimSuffix(f.Name(), ".html")
		if name != "frame" && name != "parts" {
			all[name] = template.Must(template.Must(base.Clone()).ParseFS(templates, "templates/"+f.Name()))
		}
	}
	return all
}

// functions are what a template says its sentences with.
func (s *speech) functions() template.FuncMap {
	assets := readStatic()
	return template.FuncMap{
		"text":    visible,
		"asset":   func(name string) string { return "/static/" + name + "?v=" + assets[name].tag },
		"say":     s.say,
		"several": s.several,
		"told":    s.told,
		"lang":    s.tag.String,
		"dir":     s.dir,
		"script":  s.script,
		"n":       s.number,
		"size":    s.size,
		"day":     s.day,
		"longDay": s.longDay,
		"minute":  s.minute,
		"stamp":   func(t time.Time) string { return t.Format(time.RFC3339) },
	}
}

// show writes a page. It is made whole before anything is sent, so that a fault in it is
// an error and not half a page.
func (p *Panel) show(v *visit, status int, name, title string, s *space, body any) {
	sc := screen{Title: title, Space: s, Tab: name, CSRF: v.csrf, Body: body, Notice: noticeOf(v, s)}
	if waits, ok := body.(interface{ again() int }); ok {
		sc.Again = waits.again()
	}
	var out bytes.Buffer
	if err := v.pages()[name].ExecuteTemplate(&out, "frame.html", sc); err != nil {
		p.Log.Error("a page is not made", "page", name, "err", err)
		http.Error(v.w, "something went wrong on the server; its log says more", http.StatusInternalServerError)
		return
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(out.Bytes()) // the reader has gone: there is no one left to tell
	}
}

func noticeOf(v *visit, s *space) *notice {
	q := v.r.URL.Query()
	text, ok := notices[q.Get("did")]
	if !ok || v.r.Method != http.MethodGet {
		return nil
	}
	n := &notice{Text: v.say(text)}
	if change := q.Get("change"); s != nil && isID(change) {
		n.Undo = s.Base + "/undo/" + change
	}
	return n
}

// isID says whether a text can be a change's id and nothing else.
func isID(text string) bool {
	return len(text) == 26 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z')
	})
}

// isChange says whether a text can be the id of a change of quipu's, or of a commit that a
// person made.
func isChange(text string) bool {
	return isID(text) || len(text) == 40 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'f')
	})
}

// done leads from a form to the page that shows what it did.
func (v *visit) done(to, did, change string) error {
	sep := "?"
	if strings.Contains(to, "?") {
		sep = "&"
	}
	to += sep + "did=" + did
	if change != "" {
		to += "&change=" + url.QueryEscape(change)
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

type failPage struct {
	Title    string
	Sentence string
	Again    *again // what was sent, to send it once more
	Home     string // of the bot that it is about
}

// home is where the pages of the bot begin that an address is about, "" for none.
func (v *visit) home() string {
	switch id := v.r.PathValue("id"); {
	case id != "" && policy.CheckID(id) == nil:
		return "/bots/" + id
	case strings.HasPrefix(v.r.URL.Path, "/about"):
		return "/about"
	}
	return ""
}

// fail shows an error with its sentence, and gives back what was typed.
func (p *Panel) fail(v *visit, err error) {
	f, own := errors.AsType[*faulty](err)
	if !own {
		status, sentence := p.Meaning(err)
		f = &faulty{status, sentenced(sentence)}
		if status >= http.StatusInternalServerError {
			p.Log.Error("page failed", "id", v.w.Header().Get("X-Request-Id"), "err", err)
		}
	}
	again := v.again()
	if again != nil && len(again.Typed) == 0 && f != errFormAgain { // nothing was typed that could be lost
		again = nil
	}
	title := v.say("That did not work")
	if f == errFormAgain {
		title = v.say("Not done yet")
	}
	p.show(v, f.status, "fail", title, nil, failPage{title, v.told(f.sentence), again, v.home()})
}

// sentenced writes a sentence of the API as a page has it.
func sentenced(s string) string {
	if s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// visible shows what would otherwise act on the text around it: the controls that turn
// the direction of writing, and other control characters. Line ends and tabs stay.
func visible(text string) string {
	if !strings.ContainsFunc(text, acts) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !acts(r):
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune('\u2400' + r)
		default:
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}

func acts(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	}
	// Embeddings, overrides and isolates. The plain marks (U+200E, U+200F, U+061C) stay: text
	// in several scripts needs them, and dir=auto keeps them to their own box.
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// staticFiles are the embedded files by name.
type staticFiles map[string]staticFile

type staticFile struct {
	data []byte
	kind string
	tag  string // changes with the file
}

var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

var readStatic = sync.OnceValue(func() staticFiles {
	out := staticFiles{}
	list, err := static.ReadDir("static")
	if err != nil {
		panic(err) // embedded: cannot be missing
	}
	for _, f := range list {
		data, err := static.ReadFile("static/" + f.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(data)
		out[f.Name()] = staticFile{data, kinds[path.Ext(f.Name())], hex.EncodeToString(sum[:6])}
	}
	return out
})

// serveStatic sends an embedded file. It holds nothing of anybody's, so it needs no session:
// the page that asks to sign in is drawn with it.
func (p *Panel) serveStatic(w http.ResponseWriter, r *http.Request) {
	f, ok := p.static[r.PathValue("name")]
	if !ok {
		p.fail(p.visit(w, r), errNoPage)
		return
	}
	if r.URL.Query().Get("v") == f.tag {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	w.Header().Set("Content-Type", f.kind)
	_, _ = w.Write(f.data)
}
