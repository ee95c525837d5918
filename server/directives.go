package server

import (
	"errors"
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

// DirectivesAnswer is what is not to be mentioned, as it is sent and printed.
type DirectivesAnswer struct {
	Directives []policy.Directive `json:"directives"`
	Most       int                `json:"most"` // as many fit
}

// AnswerDirectives lays out directives.
func AnswerDirectives(list []policy.Directive) DirectivesAnswer {
	return DirectivesAnswer{Directives: append([]policy.Directive{}, list...), Most: policy.MaxDirectives}
}

// directives lists what the person asked not to be told of.
func (s *Server) directives(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	list, err := ws.Directives(r.Context())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, AnswerDirectives(list))
	return nil
}

// directiveAnswer is what became of a directive.
type directiveAnswer struct {
	OK         bool               `json:"ok"`
	Change     *repo.ChangeID     `json:"change"` // null when it was set already
	Directives []policy.Directive `json:"directives"`
}

// setDirective adds a directive, or puts one in the place of another.
func (s *Server) setDirective(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var wish repo.Wish
	var kind, until *string
	if err := decode(w, r, mustText("term", &wish.Term), text("kind", &kind), text("until", &until)); err != nil {
		return err
	}
	wish.Kind = policy.DirectiveKind(valueOf(kind))
	if until != nil {
		var ok bool
		if wish.Until, ok = policy.Ahead(*until, ws.Now()); !ok {
			return invalid("until must be a time to come: 24h, 3d, tomorrow, YYYY-MM-DD or an RFC 3339 time")
		}
	}
	got, err := ws.SetDirectives(r.Context(), s.byPerson(), pathPart(r, "directive"), wish)
	if err != nil {
		return noSuchDirective(err)
	}
	status := http.StatusOK
	if len(got.Set) > 0 && r.Method == http.MethodPost {
		status = http.StatusCreated
	}
	return s.answerDirective(w, r, ws, status, got.Receipt)
}

func (s *Server) liftDirective(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	receipt, err := ws.LiftDirective(r.Context(), s.byPerson(), pathPart(r, "directive"))
	if err != nil {
		return noSuchDirective(err)
	}
	return s.answerDirective(w, r, ws, http.StatusOK, receipt)
}

func (s *Server) byPerson() repo.Meta { return repo.Meta{Author: s.person(), Via: repo.ViaAPI} }

func (s *Server) answerDirective(w http.ResponseWriter, r *http.Request, ws *repo.Workspace, status int, receipt repo.Receipt) error {
	list, err := ws.Directives(r.Context())
	if err != nil {
		return err
	}
	a := directiveAnswer{OK: true, Directives: append([]policy.Directive{}, list...)}
	if receipt.Change != "" {
		a.Change = &receipt.Change
	}
	send(w, status, a)
	return nil
}

func noSuchDirective(err error) error {
	if errors.Is(err, repo.ErrNotFound) {
		return &problem{status: http.StatusNotFound, code: "not_found", sentence: "no such directive"}
	}
	return err
}

// gate says whether a draft may be said unasked.
func (s *Server) gate(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var draft string
	if err := decode(w, r, mustText("draft", &draft)); err != nil {
		return err
	}
	got, err := s.turns.Gate(r.Context(), ws.ID(), draft)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, got)
	return nil
}
