package panel

import (
	"net/http"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// unitsPreviewed is how many notes a preview shows: more than ever load, so that it shows
// where loading stops.
const unitsPreviewed = 400

// previewView is a text that is not saved, as it would be read.
type previewView struct {
	Gauge              *gaugeView // of MEMORY.md
	Masked             int        // credentials that a save would mask
	Title, Description string
	Aliases            []string
	Reading            reading
}

// preview shows the editor as it was sent, with what its text would look like. Nothing is
// saved, and nothing of the form becomes another.
func (p *Panel) preview(v *visit, s *space, t repo.Text) {
	form := v.r.PostForm
	e := p.editorOf(v, s, t)
	typed := fromForm(form.Get("text"), "")
	e.Text, _ = inForm(typed)
	e.Turns = visible(e.Text) != e.Text
	e.Hash, e.Draft = form.Get("hash"), fromForm(form.Get("draft"), "")
	e.Preview = p.previewOf(v, s, t.Path, fromForm(typed, t.Text))
	p.show(v, http.StatusOK, "edit", v.say("Edit %s", t.Path), s, e)
}

func (p *Panel) previewOf(v *visit, s *space, path, text string) *previewView {
	text, masked := p.store.Redact(text)
	view := &previewView{Masked: masked}
	var g policy.Gauge
	kind, _ := policy.CheckPath(path)
	switch kind {
	case policy.Memory:
		g = p.limits().Measure([]byte(text))
		view.Gauge = new(v.gauge(g))
	case policy.Topic:
		head := markdown.Parse(path, []byte(text)).Header()
		view.Title, view.Description, view.Aliases = head.Title, head.Description, head.Aliases
	}
	today := p.Now().In(p.store.Config().LocationOf(s.ID)).Format("2006-01-02")
	view.Reading = reading{Space: s, Path: path, Plain: true}
	view.Reading.lay(v, text, 0, unitsPreviewed, g, today)
	return view
}
