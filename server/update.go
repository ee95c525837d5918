package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// actionFields are the actions there are, in the order they are named to a caller,
// and which of the fields that not all of them share each may have.
var actionFields = []struct {
	action policy.Action
	fields []string
}{
	{policy.Append, []string{"text", "oldText", "until", "topic", "quote"}}, // what of these does not go together is the policy's to say
	{policy.Replace, []string{"text", "oldText", "until", "topic", "quote"}},
	{policy.Remove, []string{"text", "oldText", "until", "topic"}},
	{policy.Supersede, []string{"text", "oldText", "until", "topic", "quote"}},
	{hooks.Forget, []string{"words", "confirm", "keepHistory"}},
	{hooks.Prefer, []string{"text"}},
}

// update runs one action of memory_update for the bot. Every answer of it that is
// no success says ok: false besides.
func (s *Server) update(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var done hooks.Updated
	a, err := decodeUpdate(w, r)
	if err == nil {
		a.Wait = s.patience
		if a.Action == hooks.Forget {
			patient(w)
		}
		done, err = s.turns.Update(r.Context(), ws.ID(), a)
	}
	if me, merr := s.store.Me(r.Context(), ""); a.Action == hooks.Prefer && merr == nil {
		s.used(me)
	}
	if err != nil {
		p := *s.problemOf(err)
		p.extra = maps.Clone(p.extra)
		if p.extra == nil {
			p.extra = map[string]any{}
		}
		p.extra["ok"] = false
		return &p
	}
	send(w, http.StatusOK, done)
	return nil
}

// decodeUpdate reads an update. A source that is sent along is not believed: text
// that a model wrote could name any chat.
func decodeUpdate(w http.ResponseWriter, r *http.Request) (hooks.Asked, error) {
	a := hooks.Asked{Via: repo.ViaAPI}
	var action string
	var turn, layer, fact, old, until, topic, quote, source *string
	var confirm, keep *bool
	err := decode(w, r, mustText("action", &action), text("text", &fact), text("oldText", &old), text("until", &until),
		text("topic", &topic), text("quote", &quote), text("source", &source), text("turn", &turn), text("layer", &layer), phrases("words", &a.Words), flag("confirm", &confirm), flag("keepHistory", &keep))
	if err != nil {
		return a, err
	}
	given := map[string]bool{
		"text": fact != nil, "oldText": old != nil, "until": until != nil, "topic": topic != nil, "quote": quote != nil,
		"words": a.Words != nil, "confirm": confirm != nil, "keepHistory": keep != nil,
	}
	if err := checkAction(policy.Action(action), given); err != nil {
		return a, err
	}
	if turn != nil && *turn == "" {
		return a, invalid("turn must not be blank: leave it out")
	}
	a.Turn, a.Layer, a.Confirm, a.KeepHistory = valueOf(turn), valueOf(layer), isTrue(confirm), isTrue(keep)
	a.Update = policy.Update{
		Action: policy.Action(action), Text: valueOf(fact), OldText: valueOf(old), Until: valueOf(until), Topic: valueOf(topic), Quote: valueOf(quote),
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
