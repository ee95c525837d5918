package server

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"quipu/server/panel"
)

// windows leads each request to the panel or to the API.
func (s *Server) windows(api http.Handler) http.Handler {
	pages := panel.New(s.store, panel.Options{
		Now: s.now, Log: s.log, Person: s.person, Used: s.used, Route: noteRoute,
		Turns: s.turns, Upkeep: s.upkeep, Errands: s.errands, Local: local, Open: s.open,
		Meaning: func(err error) (int, string) {
			p := s.problemOf(err)
			return p.status, p.sentence
		},
		Guess: func(r *http.Request) (time.Duration, bool) { return s.wrong.take(peer(r), s.now()) },
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if panel.Mine(r.URL.Path) || lost(r) {
			pages.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// lost says whether a person's browser asks for what is neither a page nor of the API: the
// panel tells it so.
func lost(r *http.Request) bool {
	if r.Method != http.MethodGet || r.Header.Get("Authorization") != "" || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		return false
	}
	return !strings.HasPrefix(r.URL.Path, "/api/") && !slices.Contains([]string{"/api", "/mcp", "/healthz", "/readyz", "/metrics", "/openapi.yaml"}, r.URL.Path)
}
