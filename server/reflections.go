package server

import (
	"errors"
	"net/http"
	"strings"

	"quipu/hooks"
	"quipu/repo"
)

// ReflectionsAnswer is what was drawn from several facts, as it is sent and printed.
type ReflectionsAnswer struct {
	Reflections []repo.Guess `json:"reflections"`
}

// GuessAnswer is a reflection that a bot is to ask its person about.
type GuessAnswer struct {
	Fact string   `json:"fact"`
	From []string `json:"from"`
}

// answerGuess lays out a reflection to ask about, nil for none.
func answerGuess(g *hooks.Guess) *GuessAnswer {
	if g == nil {
		return nil
	}
	return &GuessAnswer{Fact: g.Fact, From: append([]string{}, g.From...)}
}

// withGuess is what loads with the reflection to ask about behind it.
func withGuess(block string, g *hooks.Guess) string {
	switch {
	case g == nil:
		return block
	case block == "":
		return g.Block
	}
	return strings.TrimRight(block, "\n") + "\n\n" + g.Block
}

// reflections lists what was drawn from several facts, and how it stands.
func (s *Server) reflections(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	list, err := ws.Guesses(r.Context())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, ReflectionsAnswer{Reflections: list})
	return nil
}

// answerReflection takes the person's yes or no: the owner's own, or what they said in the
// turn of a bot that asked.
func (s *Server) answerReflection(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var fact, answer string
	var turn, quote *string
	if err := decode(w, r, mustText("fact", &fact), mustText("answer", &answer), text("turn", &turn), text("quote", &quote)); err != nil {
		return err
	}
	if answer != "yes" && answer != "no" {
		return invalid("answer must be yes or no; to no answer nothing is sent")
	}
	var receipt repo.Receipt
	if turn != nil || holder(r).Role != repo.RoleOwner {
		receipt, err = s.turns.AnswerGuess(r.Context(), ws.ID(), hooks.Answered{Turn: valueOf(turn), Fact: fact, Quote: valueOf(quote), Yes: answer == "yes"})
	} else {
		receipt, err = ws.Answer(r.Context(), s.byPerson(), fact, answer == "yes")
	}
	if errors.Is(err, repo.ErrNotFound) {
		return &problem{status: http.StatusNotFound, code: "not_found", sentence: "no such reflection, or no such turn", cause: err}
	}
	if err != nil {
		return err
	}
	send(w, http.StatusOK, struct {
		OK     bool          `json:"ok"`
		Change repo.ChangeID `json:"change"`
	}{true, receipt.Change})
	return nil
}

// reflect draws reflections now and answers with the report; with dryRun=true nothing is
// written.
func (s *Server) reflect(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	if err := q.only("dryRun"); err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	dry, err := q.flag("dryRun")
	if err != nil {
		return err
	}
	patient(w)
	report, err := s.upkeep.Reflect(r.Context(), ws.ID(), hooks.Reflecting{DryRun: dry})
	if err != nil {
		return err
	}
	send(w, http.StatusOK, report)
	return nil
}
