package panel

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quipu/policy"
	"quipu/repo"
)

// eraseWait is how long a page waits for a history to be rewritten; the rest follows in the
// background.
const eraseWait = time.Second

// forgetPage asks before something is forgotten, and says what would go.
type forgetPage struct {
	Space      *space
	Path       string
	Line       int
	Mark       string
	Note       string // the one note that is to go; "" when it is by words
	Words      string
	Taken      []policy.Removal
	Left       []string
	Places     int
	Copies     int
	Said       int
	Asked      bool // words were given, and looked for
	Vague      string
	CSRF, Back string
}

type forgottenPage struct {
	Notes, Copies, Said int
	Pending, Listed     bool
	Unreached           []string
	Left                []string
	Back                string
	Phrases             string // that went, as JSON, so that this browser lets drafts with them go
}

// askForget shows one note that is to be forgotten with what that takes, or asks for words.
func (p *Panel) askForget(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	page := forgetPage{Space: &s, CSRF: v.csrf, Back: s.Base}
	if q := v.r.URL.Query(); q.Has("line") {
		path, _, err := s.pathOf(q.Get("path"))
		if err != nil {
			return err
		}
		line, _ := strconv.Atoi(q.Get("line"))
		e, mark, err := p.erasing(v, s, path, line, "")
		if err != nil {
			return err
		}
		m := p.meta()
		m.DryRun = true
		got, err := s.ws.Erase(v.r.Context(), m, e)
		if err != nil {
			return err
		}
		page.Path, page.Line, page.Mark, page.Note = path, line, mark, e.Fact
		page.Places, page.Copies, page.Said, page.Back = got.Notes, got.Copies, got.Said, s.fileURL(path)
	}
	p.show(v, http.StatusOK, "forget", v.say("Forget"), &s, page)
	return nil
}

// erasing says that one note is to go, the one whose bytes the form names.
func (p *Panel) erasing(v *visit, s space, path string, line int, want string) (e repo.Erasing, is string, err error) {
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return e, "", err
	}
	u, _, err := located(t, line, want)
	if err != nil {
		return e, "", err
	}
	e.Entry = selector(path, u.Line)
	n := policy.Notes{Order: []string{path}, Files: map[string][]byte{path: []byte(t.Text)}}
	if e.Fact, err = n.FactAt(e.Entry); err != nil {
		return e, "", err
	}
	e.Wait = eraseWait
	return e, mark(u.Raw), nil
}

// forget takes out what the page before it listed: one note, or every note that mentions
// words. It goes from the history, too, as on the command line.
func (p *Panel) forget(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	_ = http.NewResponseController(v.w).SetWriteDeadline(time.Time{}) // a long history takes longer than a page
	form := v.r.PostForm
	if form.Get("line") != "" {
		return p.forgetOne(v, s)
	}
	words := phrasesOf(form.Get("words"))
	f := repo.Forgetting{Words: words, Confirm: true, About: !s.Me, Erase: true, Wait: eraseWait}
	if form.Get("do") != "forget" {
		return p.wouldForget(v, s, f)
	}
	got, err := s.ws.Forget(v.r.Context(), p.meta(), f)
	if err != nil {
		return err
	}
	page := forgottenPage{Notes: got.Notes + got.About, Listed: got.Listed, Left: got.Left, Back: s.Base, Phrases: phrasesIn(words...)}
	if e := got.Erased; e != nil {
		page.Copies, page.Said, page.Pending, page.Unreached = e.Copies, e.Said, e.Pending, e.Unreached
	}
	p.show(v, http.StatusOK, "forgotten", v.say("Forgotten"), &s, page)
	return nil
}

// wouldForget lists every note that would go.
func (p *Panel) wouldForget(v *visit, s space, f repo.Forgetting) error {
	page := forgetPage{Space: &s, CSRF: v.csrf, Back: s.Base, Words: v.r.PostForm.Get("words"), Asked: true}
	phrases, vague := policy.ParsePhrases(f.Words)
	if vague != nil {
		page.Vague = v.told(sentenced(vague.Error()))
	}
	if len(phrases) == 0 {
		page.Asked = false
		p.show(v, http.StatusBadRequest, "forget", v.say("Forget"), &s, page)
		return nil
	}
	m := p.meta()
	m.DryRun = true
	// About me is not made by looking.
	if _, err := p.store.Me(v.r.Context(), ""); err != nil {
		f.About = false
	}
	got, err := s.ws.Forget(v.r.Context(), m, f)
	if err != nil {
		return err
	}
	page.Taken, page.Left = got.Taken, got.Left
	if all, err := s.ws.Erase(v.r.Context(), m, repo.Erasing{Words: f.Words, Confirm: true}); err == nil { // counts alone: where there is nothing to count, none are told
		page.Copies, page.Said = all.Copies, all.Said
	}
	p.show(v, http.StatusOK, "forget", v.say("Forget"), &s, page)
	return nil
}

func (p *Panel) forgetOne(v *visit, s space) error {
	form := v.r.PostForm
	path, _, err := s.pathOf(form.Get("path"))
	if err != nil {
		return err
	}
	line, _ := strconv.Atoi(form.Get("line"))
	if form.Get("mark") == "" {
		return errNoEntry
	}
	e, _, err := p.erasing(v, s, path, line, form.Get("mark"))
	if err != nil {
		return err
	}
	got, err := s.ws.Erase(v.r.Context(), p.meta(), e)
	if err != nil {
		return err
	}
	p.show(v, http.StatusOK, "forgotten", v.say("Forgotten"), &s, forgottenPage{
		Notes: got.Notes, Copies: got.Copies, Said: got.Said, Pending: got.Pending, Listed: got.Listed, Unreached: got.Unreached, Back: s.fileURL(path),
		Phrases: phrasesIn(e.Fact),
	})
	return nil
}

// phrasesIn writes what was forgotten for the browser, which lets its drafts with it go.
func phrasesIn(phrases ...string) string {
	data, err := json.Marshal(phrases)
	if err != nil {
		return ""
	}
	return string(data)
}

// phrasesOf reads what is to be forgotten: each line is one phrase, and a note must
// mention all of them.
func phrasesOf(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}
