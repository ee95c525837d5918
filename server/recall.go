package server

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"quipu/hooks"
	"quipu/repo"
)

// RecallAnswer is what a message recalls, as it is sent and printed.
type RecallAnswer struct {
	Block    string               `json:"block"` // "" when nothing is recalled
	Notes    []hooks.Recollection `json:"notes"`
	Passages []hooks.Recollection `json:"passages"`
	Why      []hooks.Why          `json:"why"`
}

// AnswerRecall lays out what a message recalls; what there is none of is an empty list.
func AnswerRecall(r hooks.Recalled) RecallAnswer {
	a := RecallAnswer{
		Block: r.Block, Notes: append([]hooks.Recollection{}, r.Notes...), Passages: append([]hooks.Recollection{}, r.Passages...),
		Why: append([]hooks.Why{}, r.Why...),
	}
	for i, w := range a.Why {
		a.Why[i].Words = append([]string{}, w.Words...)
	}
	return a
}

// SearchAnswer is what a search found, as it is sent and printed.
type SearchAnswer struct {
	Hits      []hooks.Found `json:"hits"`
	Discloses []string      `json:"discloses"`
}

// AnswerSearch lays out what a search found.
func AnswerSearch(r hooks.Results) SearchAnswer {
	return SearchAnswer{Hits: append([]hooks.Found{}, r.Hits...), Discloses: append([]string{}, r.Discloses...)}
}

// recall answers with what would be put before a message. Without a conversation it
// recalls notes alone: a fact that is missing never widens what is read.
func (s *Server) recall(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var words string
	var c repo.Conversation
	var who speaker
	if err := decode(w, r, mustText("message", &words), conversationField(&c), speakerField(&who)); err != nil {
		return err
	}
	found, err := s.turns.Recall(r.Context(), ws.ID(), words, c, who.in(c))
	if err != nil {
		return err
	}
	send(w, http.StatusOK, AnswerRecall(found))
	return nil
}

// The numbers of hits of a search, of notes and of what was said each.
const (
	usualHits = 12
	mostHits  = 100
)

func (s *Server) search(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	asked, err := s.searchOf(r, ws.ID(), q)
	if err != nil {
		return err
	}
	found, err := s.turns.Search(r.Context(), ws.ID(), asked)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, AnswerSearch(found))
	return nil
}

func (s *Server) searchOf(r *http.Request, bot repo.ID, q query) (asked hooks.Search, err error) {
	asked.Words, asked.Scope = q.Get("q"), q.Get("scope")
	if !slices.Contains([]string{"", "all", "notes", "conversations"}, asked.Scope) {
		return asked, invalid("scope must be all, notes or conversations")
	}
	if asked.Scope == "" {
		asked.Scope = "all"
	}
	now := s.now().In(s.store.Config().LocationOf(bot))
	for _, end := range []struct {
		name string
		into *time.Time
	}{{"since", &asked.Since}, {"until", &asked.Until}} {
		if text := q.Get(end.name); text != "" {
			if *end.into, err = when(end.name, text, now, end.name == "until"); err != nil {
				return asked, err
			}
		}
	}
	if strings.TrimSpace(asked.Words) == "" && asked.Since.IsZero() && asked.Until.IsZero() {
		return asked, invalid("say what to look for: q, since or until")
	}
	if asked.Limit, err = q.number("limit", usualHits, 1, mostHits); err != nil {
		return asked, err
	}
	asked.Conversation, asked.Speaker, err = s.asker(r, bot, q)
	return asked, err
}

func (s *Server) brief(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	c, who, err := s.asker(r, ws.ID(), q)
	if err != nil {
		return err
	}
	if c == nil {
		c, who = OwnersChat()
	}
	text, discloses, err := s.turns.Brief(r.Context(), ws.ID(), *c, who)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, map[string]any{"brief": text, "discloses": append([]string{}, discloses...)})
	return nil
}

// OwnersChat is a chat of the owner's alone with a bot: what they see who ask
// outside any conversation.
func OwnersChat() (*repo.Conversation, repo.Speaker) {
	return &repo.Conversation{Kind: repo.DirectChat, StartedBy: string(repo.ByOwner)}, repo.Speaker{By: repo.ByOwner}
}

// asker says in which conversation a request asks, and for whom: that of the open
// turn or of the conversation that it names. Without either the owner asks for
// themselves, nil; a bot's token then asks for nobody, and sees what anybody may.
func (s *Server) asker(r *http.Request, bot repo.ID, q query) (*repo.Conversation, repo.Speaker, error) {
	turn, conversation := q.Get("turn"), q.Get("conversation")
	switch {
	case q.Has("turn") && turn == "", q.Has("conversation") && conversation == "":
		// A script whose variable is empty must not read as if it had asked for nobody.
		return nil, repo.Speaker{}, invalid("turn and conversation must not be blank: leave them out")
	case turn != "" && conversation != "":
		return nil, repo.Speaker{}, invalid("give turn or conversation, not both")
	case turn != "":
		t, err := s.turns.Of(r.Context(), bot, turn)
		if err == nil && !t.Open() {
			err = turnEnded() // else an old turn's id would open what it could read then
		}
		return &t.Conversation, t.Speaker, err
	case conversation != "":
		return s.askerIn(r, bot, conversation)
	case holder(r).Role == repo.RoleOwner:
		return nil, repo.Speaker{}, nil
	}
	return &repo.Conversation{}, repo.Speaker{}, nil
}

// askerIn is asker for a conversation: its open turn says who asks. Between turns the
// owner's token asks for the owner, and the conversation's last turn says what it is.
func (s *Server) askerIn(r *http.Request, bot repo.ID, conversation string) (*repo.Conversation, repo.Speaker, error) {
	said, err := s.store.Conversations() //nolint:contextcheck // the file is opened for every request to come, not for this one
	if err != nil {
		return nil, repo.Speaker{}, err
	}
	open, err := said.OpenTurns(r.Context(), string(bot), s.now())
	if err != nil {
		return nil, repo.Speaker{}, repo.TurnError(err)
	}
	for _, t := range slices.Backward(open) {
		if t.Conversation.ID == conversation {
			return &t.Conversation, t.Speaker, nil
		}
	}
	if holder(r).Role != repo.RoleOwner {
		return &repo.Conversation{ID: conversation}, repo.Speaker{}, nil
	}
	all, err := said.Newest(r.Context(), string(bot), time.Unix(0, 0), "")
	for _, one := range all {
		if one.Conversation.ID == conversation {
			return &one.Conversation, repo.Speaker{By: repo.ByOwner}, nil
		}
	}
	return &repo.Conversation{ID: conversation}, repo.Speaker{By: repo.ByOwner}, repo.TurnError(err)
}
