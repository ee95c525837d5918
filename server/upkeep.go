package server

import (
	"net/http"
	"time"

	"quipu/hooks"
)

// upkeepState says how upkeep of a bot stands.
func (s *Server) upkeepState(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	status, err := s.upkeep.Status(r.Context(), ws.ID())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, status)
	return nil
}

// tidy tidies now and answers with the report; with dryRun=true it answers with the
// plan and writes nothing.
func (s *Server) tidy(w http.ResponseWriter, r *http.Request) error {
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
	report, err := s.upkeep.Tidy(r.Context(), ws.ID(), dry, nil)
	if err != nil {
		return err
	}
	o, err := s.overviewOf(r.Context(), ws)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, struct {
		Report   hooks.TidyReport `json:"report"`
		Overview overviewAnswer   `json:"overview"`
	}{report, o})
	return nil
}

// capture reads the chats that wait now.
func (s *Server) capture(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	if err := q.only(); err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	if err := s.store.UpkeepAllowed(ws.ID()); err != nil {
		return err
	}
	patient(w)
	report, err := s.upkeep.Capture(r.Context(), ws.ID(), hooks.Capturing{})
	if err != nil && report.Note == "" {
		return err
	}
	send(w, http.StatusOK, report) // a model that failed is a note in it
	return nil
}

// patient lifts the limits of an ordinary request: a model takes its time. Where they
// cannot be lifted the answer is cut off, and the report is still kept.
func patient(w http.ResponseWriter) {
	ctl := http.NewResponseController(w)
	_ = ctl.SetReadDeadline(time.Time{})
	_ = ctl.SetWriteDeadline(time.Time{})
}
