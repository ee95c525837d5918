package server

import (
	_ "embed" // for openapi.yaml
	"net/http"

	"quipu/repo"
)

// spec is the description that openapi.yaml holds.
//
//go:embed openapi.yaml
var spec []byte

// OpenAPI gives the description of every route, OpenAPI 3.0.3 in YAML.
func OpenAPI() []byte { return append([]byte(nil), spec...) }

// health says that the process answers, and nothing of what it holds.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) error {
	send(w, http.StatusOK, map[string]bool{"ok": true})
	return nil
}

type readyAnswer struct {
	Ready    bool     `json:"ready"`
	Warnings []string `json:"warnings,omitempty"`
}

// ready says whether the home can be read. A remote that is away is a warning, for the
// owner: everything here goes on without it.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.store.Bots(r.Context()); err != nil {
		return &problem{status: http.StatusServiceUnavailable, code: "not_ready", sentence: "the home cannot be read: the server's log says why", cause: err}
	}
	a := readyAnswer{Ready: true}
	if holder(r).Role == repo.RoleOwner {
		a.Warnings = s.remoteWarnings(r.Context())
	}
	send(w, http.StatusOK, a)
	return nil
}

func (s *Server) openAPI(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	_, err := w.Write(spec)
	return err
}
