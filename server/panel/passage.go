package panel

import (
	"time"

	"quipu/markdown"
	"quipu/repo"
)

// mostPassages is how many changes of one note its page tells, the newest of them.
const mostPassages = 100

// passageView is one change that touched a note, and how the note read after it.
type passageView struct {
	At           time.Time
	Who, How     string
	What         string
	URL, UndoURL string
	UndoneBy     string
	Diff         []diffLine
}

// history is every change that touched a note, from its first words to now; left is how
// many earlier ones are not told.
func (p *Panel) history(v *visit, s *space, path string, line int) (list []passageView, left int, err error) {
	passages, err := s.ws.NoteHistory(v.r.Context(), selector(path, line))
	if err != nil {
		return nil, 0, err
	}
	loc := p.store.Config().LocationOf(s.ID)
	before := ""
	for i, passage := range passages {
		if i >= len(passages)-mostPassages {
			list = append(list, v.passageOf(s, passage, before, loc))
		}
		before = passage.Text
		if passage.Did == "removed" {
			before = ""
		}
	}
	return list, len(passages) - len(list), nil
}

func (v *visit) passageOf(s *space, passage repo.Passage, before string, loc *time.Location) passageView {
	row := v.viewOf(passage.Row, s.Base, loc, 0)
	view := passageView{At: row.At, Who: row.Who, How: row.How, What: v.didTo(passage), URL: row.URL, UndoURL: row.UndoURL, UndoneBy: row.UndoneBy}
	after := passage.Text
	if passage.Did == "removed" {
		after = ""
	}
	if before == after {
		view.Diff = []diffLine{{"same", []span{{Text: after}}}}
		return view
	}
	text, _, _ := markdown.Diff(passage.Row.Path, lineOf(before), lineOf(after))
	view.Diff = parseDiff(text, 20_000)
	return view
}

func lineOf(text string) []byte {
	if text == "" {
		return nil
	}
	return []byte(text + "\n")
}

// didTo says what a change did to a note.
func (v *visit) didTo(passage repo.Passage) string {
	switch passage.Did {
	case "changed":
		return v.say("Reworded")
	case "moved":
		if passage.From != "" {
			return v.say("Moved from %s to %s", passage.From, passage.Row.Path)
		}
		return v.say("Moved")
	case "removed":
		return v.say("Taken out")
	case "returned":
		return v.say("Put back")
	}
	return v.say("Written for the first time")
}
