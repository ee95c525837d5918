package panel

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// entryPage is one note: what it says, where it is from, what can be done with it.
type entryPage struct {
	Space     *space
	Path      string
	Note      note
	Mark      string
	Raw       string // to edit: the fact alone of an entry, the whole line of another note
	Blame     *blameView
	Changes   []passageView // that touched it, oldest first
	Earlier   int           // changes before those
	SearchURL string
	Log       bool
	CSRF      string
	ForgetURL string
	Stands    *evidenceView // nil for what states no fact
}

// blameView is who taught a note.
type blameView struct {
	By, Source, Quote, Words string
	First, Last              changeLink
}

type changeLink struct {
	URL  string
	When string
}

// entry shows one note.
func (p *Panel) entry(v *visit) error {
	s, path, kind, err := p.fileSpace(v, v.r.URL.Query())
	if err != nil {
		return err
	}
	p.takeIn(v, s)
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return err
	}
	line, _ := strconv.Atoi(v.r.URL.Query().Get("line"))
	u, _, err := located(t, line, "")
	if err != nil {
		return errNoPage
	}
	page := entryPage{
		Space: &s, Path: path, Mark: mark(u.Raw), Raw: strings.TrimRight(string(u.Raw), "\r\n"), Log: kind == policy.Log, CSRF: v.csrf,
		ForgetURL: s.Base + "/forget?path=" + url.QueryEscape(path) + "&line=" + strconv.Itoa(line),
	}
	var b repo.Blamed
	lines, err := s.ws.BlameFrom(v.r.Context(), path, line, 1)
	if err != nil {
		return err
	}
	for _, l := range lines {
		if l.Line == line {
			b = l
		}
	}
	r := reading{Space: &s}
	r.add(v, u, b, s.ws.Today())
	if len(r.Blocks) == 1 && len(r.Blocks[0].Notes) == 1 {
		page.Note = r.Blocks[0].Notes[0]
	} else {
		page.Note = note{Line: line, Text: page.Raw}
	}
	if u.Entry != nil {
		page.Raw = u.Entry.Text
	}
	page.SearchURL = searchURL(&s, page.Note.Text)
	if !page.Log {
		if page.Stands, err = p.evidenceOf(v, &s, path, u); err != nil {
			return err
		}
		page.Note.Out = page.Stands != nil && page.Stands.Out
	}
	if b.Change != "" {
		page.Blame = p.blameOf(v, &s, b)
		if page.Changes, page.Earlier, err = p.history(v, &s, path, line); err != nil {
			return err
		}
	}
	p.show(v, http.StatusOK, "entry", v.say("Entry"), &s, page)
	return nil
}

func (p *Panel) blameOf(v *visit, s *space, b repo.Blamed) *blameView {
	loc := p.store.Config().LocationOf(s.ID)
	link := func(id repo.ChangeID, at string) changeLink {
		return changeLink{s.Base + "/change/" + string(id), at}
	}
	view := &blameView{
		By: v.byWhom(b), Source: b.Source, Quote: b.Quote,
		First: link(b.First, v.minute(b.FirstAt.In(loc))), Last: link(b.Change, v.minute(b.At.In(loc))),
	}
	if b.Words != b.Text {
		view.Words = b.Words
	}
	return view
}

// searchURL asks the journal for the first words of a note.
func searchURL(s *space, text string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"~*.,;:()[]`, r) {
			return ' '
		}
		return r
	}, text))
	words = words[:min(len(words), 6)]
	return s.Base + "/journal?q=" + url.QueryEscape(strings.Join(words, " "))
}

// changeEntry edits one note, strikes it through, with or without a new fact in its place,
// or takes it out. It acts on the very bytes that the page showed, or not at all.
func (p *Panel) changeEntry(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	form := v.r.PostForm
	path, kind, err := s.pathOf(form.Get("path"))
	if err != nil {
		return err
	}
	if kind == policy.Log {
		return errLog
	}
	line, _ := strconv.Atoi(form.Get("line"))
	// The rest of the file may change meanwhile: that is no conflict with this note.
	for range 3 {
		var receipt repo.Receipt
		var did string
		receipt, did, err = p.tryEntry(v, s, path, line)
		if errors.Is(err, repo.ErrStale) {
			continue
		}
		if err != nil {
			return err
		}
		if receipt.Change == "" {
			did = "same"
		}
		return v.done(s.fileURL(path), did, string(receipt.Change))
	}
	return err
}

func (p *Panel) tryEntry(v *visit, s space, path string, line int) (receipt repo.Receipt, did string, err error) {
	t, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return receipt, "", err
	}
	u, i, err := located(t, line, v.r.PostForm.Get("mark"))
	if err != nil {
		return receipt, "", err
	}
	if t.Invalid {
		return receipt, "", &faulty{http.StatusConflict, "This file is not UTF-8, so it cannot be edited here. It stays as it is."}
	}
	today, _ := markdown.ParseDate(s.ws.Today())
	f := markdown.Parse(path, []byte(t.Text))
	text := strings.TrimSpace(fromForm(v.r.PostForm.Get("text"), ""))
	var after []byte
	switch v.r.PostForm.Get("do") {
	case "edit":
		after, did = f.ReplaceUnit(i, edited(u, text, today)), "edited"
	case "strike":
		raw, ok := markdown.Strike(string(u.Raw), today)
		if !ok {
			return receipt, "", &faulty{http.StatusConflict, "This is struck through already, or it is nothing that can be."}
		}
		if text != "" {
			raw += f.EOL() + strings.ReplaceAll(markdown.NewEntry(text, "panel", false, today, markdown.Date{}).String(), "\n", f.EOL())
		}
		after, did = f.ReplaceUnit(i, raw), "struck"
	case "remove":
		after, did = f.RemoveUnit(i), "removed"
	default:
		return receipt, "", &faulty{http.StatusBadRequest, "This form names nothing to do."}
	}
	if text == "" && did == "edited" {
		return receipt, "", &faulty{http.StatusBadRequest, "An entry cannot be empty. Strike it through, or take it out."}
	}
	receipt, err = s.ws.Save(v.r.Context(), p.meta(), path, string(after), repo.Expect{Hash: t.Hash})
	return receipt, did, err
}

// edited is a note with another text: an entry keeps its date and source, another note is
// what was typed.
func edited(u markdown.Unit, text string, today markdown.Date) string {
	if u.Entry == nil {
		return text
	}
	if u.Entry.Text == text {
		return string(u.Raw)
	}
	return u.Entry.Replaced(text, today).String()
}
