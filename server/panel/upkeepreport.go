package panel

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/repo"
)

// planView is what a tidy-up would do.
type planView struct {
	Groups []planGroup
	Note   string // what is left out, and why
	Again  bool   // a model is asked again when it is done
}

type planGroup struct {
	Title string
	Steps []planStep
}

// planStep is what would happen to one note.
type planStep struct {
	Text, Beside, Keeps, To string
	Path, URL               string
	Line                    int
}

// plan lays a plan out, by what would happen.
func (v *visit) plan(s *space, r *hooks.TidyReport) *planView {
	view := &planView{Note: v.told(sentenced(r.Note)), Again: r.Note == ""}
	for _, kind := range []struct{ what, title string }{
		{"expire", v.say("Expired: to the archive")},
		{"drop", v.say("The same fact twice: the newer one stays")},
		{"strike", v.say("No longer true: struck through")},
		{"file", v.say("Detail: filed under its topic")},
		{"fall", v.say("Nothing holds it up: to the archive")},
		{"rise", v.say("You said it is so: to MEMORY.md")},
	} {
		g := planGroup{Title: kind.title}
		for _, step := range r.Plan {
			if step.What != kind.what {
				continue
			}
			g.Steps = append(g.Steps, planStep{
				Text: factIn(step.Entry), Beside: factIn(step.Beside), Keeps: step.Keeps, To: step.To,
				Path: step.Path, Line: step.Line, URL: s.lineURL(step.Path, step.Line),
			})
		}
		if len(g.Steps) > 0 {
			view.Groups = append(view.Groups, g)
		}
	}
	return view
}

// factIn is an entry without its bullet.
func factIn(raw string) string { return strings.TrimPrefix(strings.TrimSpace(raw), "- ") }

// reportView is what one run of upkeep came to.
type reportView struct {
	At        time.Time
	Sentences []string
	Note      string
	Changes   []changeView
}

// tidied reads the report of the last tidy-up; nil when there was none.
func (p *Panel) tidied(v *visit, s *space, data json.RawMessage) *reportView {
	var r hooks.TidyReport
	if json.Unmarshal(data, &r) != nil || r.At == 0 {
		return nil
	}
	view := &reportView{Note: v.told(sentenced(r.Note))}
	view.count(r.Expired, v.several(r.Expired, "1 expired entry went to the archive.", "%d expired entries went to the archive."))
	view.count(r.Duplicates, v.several(r.Duplicates, "1 entry that said the same as a newer one went.", "%d entries that said the same as a newer one went."))
	view.count(r.Superseded, v.several(r.Superseded, "1 entry that is no longer true was struck through.", "%d entries that are no longer true were struck through."))
	view.count(r.Organized, v.several(r.Organized, "1 line was filed under its topic.", "%d lines were filed under their topics."))
	view.count(r.Fallen, v.several(r.Fallen, "1 entry that nothing holds up went to the archive.", "%d entries that nothing holds up went to the archive."))
	view.count(r.Risen, v.several(r.Risen, "1 reflection that you bore out went to MEMORY.md.", "%d reflections that you bore out went to MEMORY.md."))
	view.count(r.Ignored, v.several(r.Ignored, "1 reflection was shown to you and not answered.", "%d reflections were shown to you and not answered."))
	view.count(r.Moved, v.several(r.Moved, "1 older entry moved to the archive to make room.", "%d older entries moved to the archive to make room."))
	view.count(r.Deferred, v.several(r.Deferred, "1 pair of notes waits for the next tidy-up.", "%d pairs of notes wait for the next tidy-up."))
	view.count(r.Skipped, v.several(r.Skipped, "1 step was passed over: its note had changed meanwhile.", "%d steps were passed over: their notes had changed meanwhile."))
	view.count(r.Refused, v.several(r.Refused, "1 answer of the model was of no use.", "%d answers of the model were of no use."))
	if r.Truncated {
		view.Sentences = append(view.Sentences, v.say("MEMORY.md is still over its budget."))
	}
	if len(view.Sentences) == 0 {
		view.Sentences = []string{v.say("There was nothing to do.")}
	}
	p.finish(v, s, view, r.At, r.Changes)
	return view
}

// captured reads the report of the last reading of chats; nil when there was none.
func (p *Panel) captured(v *visit, s *space, data json.RawMessage) *reportView {
	var r hooks.CaptureReport
	if json.Unmarshal(data, &r) != nil || r.At == 0 {
		return nil
	}
	refused := 0
	for _, n := range r.Refused {
		refused += n
	}
	view := &reportView{Note: v.told(sentenced(r.Note))}
	view.count(r.Turns, v.several(r.Turns, "1 turn was read.", "%d turns were read."))
	view.count(r.Added, v.several(r.Added, "1 note went into MEMORY.md.", "%d notes went into MEMORY.md."))
	view.count(r.Filed, v.several(r.Filed, "1 note went into a topic.", "%d notes went into topics."))
	view.count(r.AboutMe, v.several(r.AboutMe, "1 line was added to About me.", "%d lines were added to About me."))
	view.count(r.Known, v.several(r.Known, "1 fact was known already.", "%d facts were known already."))
	view.count(refused, v.several(refused, "1 fact was refused by a rule.", "%d facts were refused by a rule."))
	view.count(r.Organized, v.several(r.Organized, "1 line was filed under its topic.", "%d lines were filed under their topics."))
	if len(view.Sentences) == 0 {
		view.Sentences = []string{v.say("There was nothing to read.")}
	}
	p.finish(v, s, view, r.At, r.Changes)
	return view
}

func (r *reportView) count(n int, sentence string) {
	if n > 0 {
		r.Sentences = append(r.Sentences, sentence)
	}
}

// finish adds when a run was and what it changed. A change that is gone, by an erasure or a
// forget, is left out.
func (p *Panel) finish(v *visit, s *space, view *reportView, at int64, changes []repo.ChangeID) {
	loc := p.store.Config().LocationOf(s.ID)
	view.At = time.UnixMilli(at).In(loc)
	for _, id := range changes {
		d, err := s.ws.Show(v.r.Context(), string(id))
		if err != nil {
			if !errors.Is(err, repo.ErrNotFound) {
				p.Log.WarnContext(v.r.Context(), "a change of upkeep is not told", "bot", s.ID, "err", err)
			}
			continue
		}
		change := v.viewOf(d.Row, s.Base, loc, 0)
		for _, r := range d.Rows { // what undoes the change undoes all of it
			if r.CanRevert && r.UndoneBy == "" {
				change.UndoURL = s.Base + "/undo/" + string(id)
			}
		}
		view.Changes = append(view.Changes, change)
	}
}
