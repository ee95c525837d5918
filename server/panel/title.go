package panel

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// titlePage is what a topic is called: its title, what it is about, and other words for it.
type titlePage struct {
	Space                       *space
	Path, Back                  string
	Title, Description, Aliases string
	Was                         string // names what was shown
	CSRF                        string
	Fault                       string
}

// topicAsked reads the topic that a form or an address names.
func (p *Panel) topicAsked(v *visit, path string) (space, repo.Text, error) {
	s, err := p.space(v)
	if err != nil {
		return s, repo.Text{}, err
	}
	path, kind, err := s.pathOf(path)
	if err != nil || kind != policy.Topic {
		return s, repo.Text{}, errNoNote
	}
	t, err := s.ws.Read(v.r.Context(), path)
	switch {
	case err != nil:
		return s, t, err
	case !t.Exists:
		return s, t, errNoNote
	case t.Invalid:
		return s, t, &faulty{http.StatusConflict, msg("This file is not UTF-8, so it cannot be edited here. It stays as it is.")}
	}
	return s, t, nil
}

func (v *visit) titlePageOf(s *space, t repo.Text) titlePage {
	f := markdown.Parse(t.Path, []byte(t.Text))
	h, title := f.Header(), ""
	if f.Titled() { // else it is the file's heading
		title = h.Title
	}
	return titlePage{
		Space: s, Path: t.Path, Back: s.fileURL(t.Path), CSRF: v.csrf, Was: headMark(h),
		Title: title, Description: h.Description, Aliases: strings.Join(h.Aliases, ", "),
	}
}

func headMark(h markdown.Header) string {
	return mark([]byte(strings.Join(append([]string{h.Title, h.Description}, h.Aliases...), "\x00")))
}

// title shows the form.
func (p *Panel) title(v *visit) error {
	s, t, err := p.topicAsked(v, v.r.URL.Query().Get("path"))
	if err != nil {
		return err
	}
	p.show(v, http.StatusOK, "title", v.say("Title and other words"), &s, v.titlePageOf(&s, t))
	return nil
}

// saveTitle writes the header anew. The notes may change meanwhile; the header may not.
func (p *Panel) saveTitle(v *visit) error {
	form := v.r.PostForm
	for range 3 {
		s, t, err := p.topicAsked(v, form.Get("path"))
		if err != nil {
			return err
		}
		page := v.titlePageOf(&s, t)
		after, refused := v.withTitle(t, page.Was)
		if refused != nil {
			page.Title, page.Description, page.Aliases, page.Fault = form.Get("title"), form.Get("description"), form.Get("aliases"), v.told(refused.sentence)
			p.show(v, refused.status, "title", v.say("Title and other words"), &s, page)
			return nil //nolint:nilerr // the page says what is wrong
		}
		receipt, err := s.ws.Save(v.r.Context(), p.meta(), t.Path, after, repo.Expect{Hash: t.Hash})
		switch {
		case errors.Is(err, repo.ErrStale):
			continue
		case err != nil:
			return err
		case receipt.Change == "":
			return v.done(page.Back, "same", "")
		}
		return v.done(page.Back, "saved", string(receipt.Change))
	}
	return errHead
}

var (
	errHead     = &faulty{http.StatusConflict, msg("The title or the other words changed since the page was shown. Nothing was saved: save again to put yours in their place.")}
	errHeadForm = &faulty{http.StatusConflict, msg("The header of this file is written in a way that is not changed here. Edit the file itself. Nothing was saved.")}
	errHeadTags = &faulty{http.StatusConflict, msg("Some of the other words are tags of the header, or there are more than twelve, or one is longer than 40 letters. Edit the file itself. Nothing was saved.")}
)

// withTitle is a topic's text with what the form says of it.
func (v *visit) withTitle(t repo.Text, was string) (string, *faulty) {
	form := v.r.PostForm
	if form.Get("was") != was {
		return "", errHead
	}
	before := markdown.Parse(t.Path, []byte(t.Text)).Header()
	text, ok := markdown.SetTitle([]byte(t.Text), form.Get("title"), form.Get("description"))
	if !ok {
		return "", errHeadForm
	}
	aliases := wordList(form.Get("aliases"))
	if slices.Equal(aliases, before.Aliases) {
		return string(text), nil
	}
	text = markdown.SetAliases(text, aliases)
	if !slices.Equal(markdown.Parse(t.Path, text).Header().Aliases, aliases) {
		return "", errHeadTags
	}
	return string(text), nil
}

// wordList reads words with commas between them, each once.
func wordList(text string) []string {
	var list []string
	for word := range strings.SplitSeq(text, ",") {
		word = strings.Join(strings.Fields(word), " ")
		if word != "" && !slices.ContainsFunc(list, func(w string) bool { return strings.EqualFold(w, word) }) {
			list = append(list, word)
		}
	}
	return list
}
