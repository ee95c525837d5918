package server

import (
	"net/http"
	"time"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

// signal moves the standing of a fact. A bot's token acts for the bot, in a turn; the
// owner's without a turn for the person.
func (s *Server) signal(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	a := hooks.Signalling{Via: repo.ViaAPI, Person: holder(r).Role == repo.RoleOwner}
	var quote, turn *string
	if err := decode(w, r, mustText("fact", &a.Fact), mustText("signal", &a.Signal), text("quote", &quote), text("turn", &turn)); err != nil {
		return err
	}
	if turn != nil && *turn == "" {
		return invalid("turn must not be blank: leave it out")
	}
	a.Quote, a.Turn = valueOf(quote), valueOf(turn)
	done, err := s.turns.Signal(r.Context(), ws.ID(), a)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, done)
	return nil
}

// evidence tells how one fact stands, or all of them.
func (s *Server) evidence(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	var at time.Time
	if q.Has("at") {
		if at, err = when("at", q.Get("at"), s.now().In(s.store.Config().LocationOf(ws.ID())), true); err != nil {
			return err
		}
	}
	if q.Has("fact") {
		e, err := ws.Evidence(r.Context(), q.Get("fact"), at)
		if err != nil {
			return err
		}
		send(w, http.StatusOK, e)
		return nil
	}
	list, err := ws.Standings(r.Context(), at)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, map[string]any{"facts": append([]repo.Stand{}, list...)})
	return nil
}

// evidenceLog lists the signals that moved one fact, or any.
func (s *Server) evidenceLog(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	limit, err := q.number("limit", usualSignals, 1, mostSignals)
	if err != nil {
		return err
	}
	list, err := ws.EvidenceLog(r.Context(), q.Get("fact"), limit)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, map[string]any{"signals": append([]policy.Transition{}, list...)})
	return nil
}

// How many signals are listed.
const (
	usualSignals = 50
	mostSignals  = 1000
)
