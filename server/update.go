package server

import (
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
	Removed   []string       `json:"removed,omitempty"`
	Known     bool           `json:"known,omitempty"`
	Change    *repo.ChangeID `json:"change"` // null when nothing was written
	Message   string         `json:"message"`
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

func (s *Server) runUpdate(w http.ResponseWriter, r *http.Request, ws *repo.Workspace) (updateAnswer, error) {
	u, err := decodeUpdate(w, r)
	if err != nil {
		return updateAnswer{}, err
	}
	m := repo.Meta{Author: repo.Author{Kind: repo.Bot, Name: string(ws.ID())}, Source: u.Source, Via: repo.ViaAPI}
	receipt, err := ws.Update(r.Context(), m, u)
	if err != nil {
		return updateAnswer{}, err
	}
	t, err := ws.Read(r.Context(), policy.MemoryFile)
	if err != nil {
		return updateAnswer{}, err
	}
	a := updateAnswer{
		OK: true, Entry: receipt.Entry, Moved: append([]string{}, receipt.Moved...), Removed: receipt.Removed, Known: receipt.Known,
		Truncated: policy.Measure([]byte(t.Text)).Truncated, Message: message(u.Action, receipt),
	}
	if receipt.Change != "" {
		a.Change = &receipt.Change
	}
	return a, nil
}

// updateActions are the actions there are, in the order they are named to a caller.
func updateActions() []policy.Action {
	return []policy.Action{policy.Append, policy.Replace, policy.Remove, policy.Supersede}
}

// decodeUpdate reads an update. A source that is sent along is not believed: text
// that a model wrote could name any chat. What comes in by this door is from "api".
func decodeUpdate(w http.ResponseWriter, r *http.Request) (policy.Update, error) {
	var action string
	var turn, words, fact, old, until, topic, source *string
	var confirm, keep *bool
	err := decode(w, r, mustText("action", &action), text("text", &fact), text("oldText", &old), text("until", &until),
		text("topic", &topic), text("source", &source), text("turn", &turn), text("words", &words), flag("confirm", &confirm), flag("keepHistory", &keep))
	if err != nil {
		return policy.Update{}, err
	}
	if !slices.Contains(updateActions(), policy.Action(action)) {
		list := make([]string, 0, len(updateActions()))
		for _, a := range updateActions() {
			list = append(list, string(a))
		}
		return policy.Update{}, invalid(fmt.Sprintf("there is no action %q; the actions are %s", cut(action), strings.Join(list, ", ")))
	}
	if words != nil || confirm != nil || keep != nil {
		return policy.Update{}, invalid("words, confirm and keepHistory do not go with " + action)
	}
	if turn != nil {
		return policy.Update{}, &problem{status: http.StatusNotFound, code: "not_found", sentence: "no such turn"}
	}
	return policy.Update{
		Action: policy.Action(action), Text: valueOf(fact), OldText: valueOf(old), Until: valueOf(until), Topic: valueOf(topic),
		Source: "api", TextSet: fact != nil, OldTextSet: old != nil,
	}, nil
}

// message is one sentence that a bot can pass on.
func message(action policy.Action, receipt repo.Receipt) string {
	text := map[policy.Action]string{
		policy.Append: "noted", policy.Replace: "changed", policy.Remove: "taken out", policy.Supersede: "noted in place of what was struck",
	}[action]
	if receipt.Known {
		return "already known"
	}
	if receipt.Change == "" {
		return "nothing to change"
	}
	if receipt.Redacted > 0 {
		text += "; a credential in it was masked"
	}
	if n := len(receipt.Moved); n > 0 {
		text += fmt.Sprintf("; %d older notes moved to the archive to make room", n)
	}
	return text
}
