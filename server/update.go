package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// updateAnswer is what a bot reads after it changed its memory.
type updateAnswer struct {
	OK        bool           `json:"ok"`
	Entry     string         `json:"entry,omitempty"`
	Moved     []string       `json:"moved"`
	Truncated bool           `json:"truncated"`
	Removed   *int           `json:"removed,omitempty"` // by forget: how many notes went, never which
	Erased    *int           `json:"erased,omitempty"`  // by forget: how many copies went from the history and from what was said
	Known     bool           `json:"known,omitempty"`
	Kept      string         `json:"kept,omitempty"`
	Change    *repo.ChangeID `json:"change"` // null when nothing was written
	Message   string         `json:"message"`
}

// The actions of this floor beside those of policy.Update.
const (
	forget policy.Action = "forget"
	prefer policy.Action = "prefer"
)

// actionFields are the actions there are, in the order they are named to a caller,
// and which of the fields that not all of them share each may have.
var actionFields = []struct {
	action policy.Action
	fields []string
}{
	{policy.Append, []string{"text", "oldText", "until", "topic"}}, // what of these does not go together is the policy's to say
	{policy.Replace, []string{"text", "oldText", "until", "topic"}},
	{policy.Remove, []string{"text", "oldText", "until", "topic"}},
	{policy.Supersede, []string{"text", "oldText", "until", "topic"}},
	{forget, []string{"words", "confirm", "keepHistory"}},
	{prefer, []string{"text"}},
}

// update runs one action of memory_update for the bot. Every answer of it that is
// no success says ok: false besides.
func (s *Server) update(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	a, err := s.runUpdate(w, r, ws)
	if err != nil {
		p := *s.problemOf(err)
		p.extra = maps.Clone(p.extra)
		if p.extra == nil {
			p.extra = map[string]any{}
		}
		p.extra["ok"] = false
		return &p
	}
	send(w, http.StatusOK, a)
	return nil
}

// runUpdate does what was asked. The bot acts, and what comes in by this door is
// from "api", unless the open turn that it names says from where: without a turn
// nobody's own words stand behind it, so About me is out of its reach.
func (s *Server) runUpdate(w http.ResponseWriter, r *http.Request, ws *repo.Workspace) (updateAnswer, error) {
	u, err := decodeUpdate(w, r)
	if err != nil {
		return updateAnswer{}, err
	}
	if !s.store.Config().MemoryOn(ws.ID()) {
		return updateAnswer{}, repo.ErrOff
	}
	by, err := s.standing(r.Context(), ws.ID(), u.turn)
	if err != nil {
		return updateAnswer{}, err
	}
	var a updateAnswer
	var receipt repo.Receipt
	switch u.Action {
	case prefer:
		if receipt, err = s.prefer(r.Context(), ws.ID(), by, u.Text); err != nil {
			return a, err
		}
		a.Message = message(policy.Append, receipt)
	case forget:
		patient(w)
		f, err := ws.Forget(r.Context(), by.meta, repo.Forgetting{Words: u.words, Confirm: u.confirm, About: by.person, Erase: !u.keep && by.names(u.words), Wait: s.patience})
		if err != nil {
			return a, err
		}
		receipt, a.Removed, a.Message = f.Receipt, new(f.Notes+f.About), forgotten(f)
		if f.Erased != nil && !f.Erased.Pending {
			a.Erased = new(f.Erased.Copies + f.Erased.Notes + f.Erased.Said)
		}
	default:
		u.Source = by.source()
		if receipt, err = s.learn(r.Context(), ws, by, u.Update); err != nil {
			return a, err
		}
		a.Message = message(u.Action, receipt)
	}
	t := s.textAfter(r.Context(), ws, policy.MemoryFile, receipt)
	a.OK, a.Entry, a.Known, a.Kept, a.Moved = true, receipt.Entry, receipt.Known, receipt.Kept, append([]string{}, receipt.Moved...)
	a.Truncated = s.limits().Measure([]byte(t.Text)).Truncated
	if receipt.Change != "" {
		a.Change = &receipt.Change
	}
	return a, nil
}

// asked is an update as the body has it.
type asked struct {
	policy.Update
	words   []string
	confirm bool
	keep    bool // the history as it is
	turn    *string
}

// decodeUpdate reads an update. A source that is sent along is not believed: text
// that a model wrote could name any chat.
func decodeUpdate(w http.ResponseWriter, r *http.Request) (asked, error) {
	var a asked
	var action string
	var turn, fact, old, until, topic, source *string
	var confirm, keep *bool
	err := decode(w, r, mustText("action", &action), text("text", &fact), text("oldText", &old), text("until", &until),
		text("topic", &topic), text("source", &source), text("turn", &turn), phrases("words", &a.words), flag("confirm", &confirm), flag("keepHistory", &keep))
	if err != nil {
		return a, err
	}
	given := map[string]bool{
		"text": fact != nil, "oldText": old != nil, "until": until != nil, "topic": topic != nil,
		"words": a.words != nil, "confirm": confirm != nil, "keepHistory": keep != nil,
	}
	if err := checkAction(policy.Action(action), given); err != nil {
		return a, err
	}
	a.turn = turn
	a.confirm = confirm != nil && *confirm
	a.keep = keep != nil && *keep
	a.Update = policy.Update{
		Action: policy.Action(action), Text: valueOf(fact), OldText: valueOf(old), Until: valueOf(until), Topic: valueOf(topic),
		TextSet: fact != nil, OldTextSet: old != nil,
	}
	return a, nil
}

// checkAction refuses an action that there is not, and fields that do not go with it.
func checkAction(action policy.Action, given map[string]bool) error {
	list := make([]string, 0, len(actionFields))
	for _, a := range actionFields {
		if a.action == action {
			return checkFields(action, a.fields, given)
		}
		list = append(list, string(a.action))
	}
	return invalid(fmt.Sprintf("there is no action %q; the actions are %s", cut(string(action)), strings.Join(list, ", ")))
}

func checkFields(action policy.Action, fields []string, given map[string]bool) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if given[name] && !slices.Contains(fields, name) {
			return invalid(fmt.Sprintf("%s does not go with %s, which takes %s", name, action, strings.Join(fields, ", ")))
		}
	}
	return nil
}

// phrases takes one phrase, or a list of them that must all occur in one note.
func phrases(name string, into *[]string) field {
	return field{name, "a string or a list of strings", func(v json.RawMessage) error {
		var one *string
		if json.Unmarshal(v, &one) != nil {
			return json.Unmarshal(v, into)
		}
		if one != nil {
			*into = []string{*one}
		}
		return nil
	}, false}
}

// message is one line that a bot can pass on, with what it has to know besides.
func message(action policy.Action, receipt repo.Receipt) string {
	text := map[policy.Action]string{
		policy.Append: "noted", policy.Replace: "changed", policy.Remove: "taken out", policy.Supersede: "noted in place of what was struck",
	}[action]
	switch {
	case receipt.Known:
		text = "already known"
	case receipt.Change == "":
		text = "nothing to change"
	}
	if receipt.Message != "" {
		text += ". " + receipt.Message
	}
	return text
}

// forgotten says what became of a forget, and names neither files nor notes.
func forgotten(f repo.Forgotten) string {
	text := "no note mentions it"
	switch n := f.Notes + f.About; {
	case n == 1:
		text = "forgot 1 note"
	case n > 1:
		text = fmt.Sprintf("forgot %d notes", n)
	}
	switch {
	case f.Erased != nil && f.Erased.Pending:
		text += "; the history and what was said before follow in the background, and it cannot be undone"
	case f.Erased != nil:
		text += "; it is out of the history and of what was said before, too, and cannot be undone"
	case f.Notes+f.About > 0:
		text += "; the history still holds it"
	}
	if n := len(f.Left); n > 0 {
		text += fmt.Sprintf("; the words still stand in headings (%d)", n)
	}
	if f.Listed {
		text += "; it will not be learned again unless the person asks for it"
	}
	return text
}
