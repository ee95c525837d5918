package server

import (
	"errors"
	"net/http"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// TurnAnswer is what a bot is given before a turn, as it is sent and printed.
type TurnAnswer struct {
	Turn      string       `json:"turn"`
	Block     string       `json:"block"` // what loads; "" when there is nothing to say
	Brief     string       `json:"brief"`
	Recall    RecallAnswer `json:"recall"`
	Outside   []string     `json:"outside"`
	Discloses []string     `json:"discloses"`
	// Directives are those that the message itself set; DirectivesFull is how many there was
	// no room for: the person has to be told.
	Directives     []policy.Directive `json:"directives"`
	DirectivesFull int                `json:"directivesFull"`
	// Reflection is a guess to ask the person about, once; it stands behind what loads.
	Reflection *GuessAnswer `json:"reflection,omitempty"`
}

// AnswerTurn lays out what a turn begins with; what there is none of is an empty list.
func AnswerTurn(o hooks.Opened) TurnAnswer {
	return TurnAnswer{
		Turn: o.Turn, Block: withGuess(o.Load.Block, o.Guess), Brief: o.Brief, Recall: AnswerRecall(o.Recall),
		Outside: append([]string{}, o.Outside...), Discloses: append([]string{}, o.Discloses...),
		Directives: append([]policy.Directive{}, o.Directives...), DirectivesFull: o.Full,
		Reflection: answerGuess(o.Guess),
	}
}

// EndAnswer is what was kept after a turn, as it is sent and printed.
type EndAnswer struct {
	Changes []string `json:"changes"`
	Log     string   `json:"log"` // the line of the day log, "" for none
}

// AnswerEnd lays out what was kept after a turn.
func AnswerEnd(c hooks.Closed) EndAnswer {
	return EndAnswer{Changes: append([]string{}, c.Changes...), Log: c.Log}
}

// startTurn begins a turn. It is the one route that makes a bot's workspace when there
// is none: at the bot's first turn.
func (s *Server) startTurn(w http.ResponseWriter, r *http.Request) error {
	id := pathPart(r, "id")
	if policy.CheckID(id) != nil {
		return noSuchBot()
	}
	data, err := body(w, r)
	if err != nil {
		return err
	}
	o, err := ParseOpening(data)
	if err != nil {
		return err
	}
	opened, err := s.turns.Start(r.Context(), repo.ID(id), o)
	if err != nil {
		return err
	}
	if ws, err := s.store.Open(r.Context(), repo.ID(id)); err == nil { // the turn has begun, whether or not it is watched
		s.used(ws)
	}
	send(w, http.StatusOK, AnswerTurn(opened))
	return nil
}

func (s *Server) endTurn(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	data := []byte("{}") // a turn may end without a word
	if r.ContentLength != 0 {
		if data, err = body(w, r); err != nil {
			return err
		}
	}
	c, err := ParseClosing(data)
	if err != nil {
		return err
	}
	closed, err := s.turns.End(r.Context(), ws.ID(), pathPart(r, "turn"), c)
	if err != nil {
		return noSuchTurn(err)
	}
	s.due.TurnEnded()
	send(w, http.StatusOK, AnswerEnd(closed))
	return nil
}

func noSuchTurn(err error) error {
	if errors.Is(err, repo.ErrNotFound) {
		return &problem{status: http.StatusNotFound, code: "not_found", sentence: "no such turn"}
	}
	if errors.Is(err, repo.ErrConflict) {
		return turnEnded()
	}
	return err
}

func turnEnded() *problem {
	return &problem{status: http.StatusConflict, code: "conflict", sentence: "this turn has ended"}
}
