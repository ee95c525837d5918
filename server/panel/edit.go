package panel

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// editor is a whole text in a box, with the hash that its save is based on.
type editor struct {
	Space *space
	To    string // where the form goes
	Back  string
	Path  string
	Text  string
	Hash  string
	Draft string // what was typed before, kept under the editor

	Preview *previewView
	Unfit   string // why the text cannot be edited in a browser
	Turns   bool   // it holds characters that visible writes out
	New     bool
	CSRF    string

	Follow string // where an open editor learns that the file changed
}

// inForm writes a text as a browser hands it back, and fit says whether every byte of it
// comes back: a browser keeps no line end of its own, and no NUL.
func inForm(text string) (form string, fit bool) {
	form = strings.ReplaceAll(text, "\r\n", "\n")
	return form, fromForm(form, text) == text && !strings.ContainsAny(text, "\x00")
}

// fromForm puts the line ends back that the file has.
func fromForm(form, file string) string {
	form = strings.ReplaceAll(strings.ReplaceAll(form, "\r\n", "\n"), "\r", "\n")
	if file != "" && markdown.Parse("", []byte(file)).EOL() == "\r\n" {
		form = strings.ReplaceAll(form, "\n", "\r\n")
	}
	return form
}

func (p *Panel) editorOf(v *visit, s *space, t repo.Text) editor {
	e := editor{Space: s, To: s.Base + "/edit", Back: s.fileURL(t.Path), Path: t.Path, Hash: t.Hash, New: !t.Exists, CSRF: v.csrf}
	e.Follow = s.Base + "/text?path=" + url.QueryEscape(t.Path)
	if s.Me {
		e.To, e.Back = "/about", "/about"
	}
	var fit bool
	e.Text, fit = inForm(t.Text)
	e.Turns = visible(e.Text) != e.Text
	switch {
	case t.Invalid:
		e.Unfit = v.say("This file is not UTF-8, so it cannot be edited here. It stays as it is.")
	case !fit:
		e.Unfit = v.say("This file has line ends or characters that a browser does not keep, so it is not edited here. quipu edit opens it in your own editor.")
	}
	return e
}

// edit shows a file in the editor.
func (p *Panel) edit(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	q := v.r.URL.Query()
	if name := q.Get("topic"); name != "" && !s.Me { // a new one, by its name alone
		file, err := policy.TopicFile(name)
		if err != nil {
			return &faulty{http.StatusBadRequest, "A topic's name has letters, numbers, spaces, dots and dashes, and begins with no dot."}
		}
		q.Set("path", "memory/"+strings.TrimPrefix(file, "memory/"))
	}
	path, kind, err := s.pathOf(q.Get("path"))
	if err != nil {
		return err
	}
	if kind == policy.Log {
		return errLog
	}
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return err
	}
	p.show(v, http.StatusOK, "edit", v.say("Edit %s", path), &s, p.editorOf(v, &s, t))
	return nil
}

// save keeps what was typed, if the file is still what it was when it was opened. do says
// what else the person chose after it was not: reload, or overwrite (a save with the new hash).
func (p *Panel) save(v *visit) error {
	s, path, kind, err := p.fileSpace(v, v.r.PostForm)
	if err != nil {
		return err
	}
	if kind == policy.Log {
		return errLog
	}
	return p.saveIn(v, &s, path)
}

func (p *Panel) saveIn(v *visit, s *space, path string) error {
	ctx, form := v.r.Context(), v.r.PostForm
	t, err := s.ws.Read(ctx, path)
	if err != nil {
		return err
	}
	switch form.Get("do") {
	case "reload":
		e := p.editorOf(v, s, t)
		e.Draft, _ = inForm(fromForm(form.Get("text"), ""))
		p.show(v, http.StatusOK, "edit", v.say("Edit %s", path), s, e)
		return nil
	case "preview":
		p.preview(v, s, t)
		return nil
	}
	text := fromForm(form.Get("text"), t.Text)
	receipt, err := s.ws.Save(ctx, p.meta(), path, text, repo.Expect{Hash: cmp.Or(form.Get("hash"), "none")})
	if stale, ok := errors.AsType[*repo.StaleError](err); ok {
		return p.showStale(v, s, stale, text)
	}
	if errors.Is(err, repo.ErrNeedHash) {
		return &faulty{http.StatusPreconditionRequired, "The file was made meanwhile. Open it and edit it there."}
	}
	if err != nil {
		return err
	}
	if receipt.Change == "" {
		return v.done(s.fileURL(path), "same", "")
	}
	return v.done(s.fileURL(path), "saved", string(receipt.Change))
}

// stalePage shows what the file says now beside what was typed.
type stalePage struct {
	Sentence string
	Editor   editor // with what was typed, and the hash of what stands there now
	Current  string
	Diff     []diffLine
}

func (p *Panel) showStale(v *visit, s *space, stale *repo.StaleError, mine string) error {
	t := repo.Text{Path: stale.Path, Text: stale.Current, Hash: stale.CurrentHash, Exists: true}
	page := stalePage{Sentence: v.say("%s changed this file while you were editing.", p.whoChanged(v, s, stale.Path)), Editor: p.editorOf(v, s, t)}
	page.Current = page.Editor.Text
	page.Editor.Text, _ = inForm(mine)
	text, _, _ := markdown.Diff(stale.Path, []byte(page.Current), []byte(page.Editor.Text))
	page.Diff = parseDiff(text, 0)
	p.show(v, http.StatusConflict, "stale", v.say("Changed meanwhile"), s, page)
	return nil
}

// whoChanged names who changed a file last.
func (p *Panel) whoChanged(v *visit, s *space, path string) string {
	rows, err := s.ws.Journal(v.r.Context(), repo.Query{Path: path, Limit: 1, All: true})
	if err != nil || len(rows) == 0 {
		return v.say("Somebody")
	}
	switch repo.AuthorKind(rows[0].Actor) {
	case repo.Bot:
		if !s.Me {
			return s.Name
		}
	case repo.Person:
		if rows[0].Who == p.Person().Name {
			return v.say("You, in another window or editor,")
		}
	}
	return v.actor(rows[0].Actor, rows[0].Who)
}

// formHeader is where an open editor says what its form carries.
const formHeader = "X-Quipu-Form"

// fileNow is what an open editor learns of its file.
type fileNow struct {
	Hash string `json:"hash"`
	Text string `json:"text"` // as a box has it
	Fit  bool   `json:"fit"`  // the box keeps every byte of it
	Who  string `json:"who"`  // changed it last
	Form string `json:"form"` // what a form of this session carries
}

// text tells an open editor what its file says now, and nothing while that is what it knows.
func (p *Panel) text(v *visit) error {
	s, path, _, err := p.fileSpace(v, v.r.URL.Query())
	if err != nil {
		return err
	}
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return err
	}
	// The editor may be of a session that ended: then it learns what its form carries now.
	form := v.r.Header.Get(formHeader)
	if q := v.r.URL.Query(); (q.Get("hash") == t.Hash || q.Get("told") == t.Hash) && (form == "" || form == v.csrf) {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	now := fileNow{Hash: t.Hash, Who: p.whoChanged(v, &s, path), Form: v.csrf}
	now.Text, now.Fit = inForm(t.Text)
	now.Fit = now.Fit && !t.Invalid
	return v.json(now)
}

// deletePage asks before a file goes.
type deletePage struct {
	Path, Hash, Back, CSRF string
	Space                  *space
}

func (p *Panel) askDelete(v *visit) error {
	s, path, kind, err := p.fileSpace(v, v.r.URL.Query())
	if err != nil {
		return err
	}
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return err
	}
	if kind == policy.Memory || !t.Exists {
		return errNoNote
	}
	p.show(v, http.StatusOK, "delete", v.say("Delete %s", path), &s, deletePage{path, t.Hash, s.fileURL(path), v.csrf, &s})
	return nil
}

func (p *Panel) deleteFile(v *visit) error {
	s, path, _, err := p.fileSpace(v, v.r.PostForm)
	if err != nil {
		return err
	}
	receipt, err := s.ws.Delete(v.r.Context(), p.meta(), path, repo.Expect{Hash: cmp.Or(v.r.PostForm.Get("hash"), "none")})
	if errors.Is(err, repo.ErrStale) {
		return &faulty{http.StatusConflict, v.say("%s changed this file since you looked. Read it again first: nothing was deleted.", p.whoChanged(v, &s, path))}
	}
	if err != nil {
		return err
	}
	return v.done(s.Base, "deleted", string(receipt.Change))
}
