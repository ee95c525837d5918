package server

import (
	"cmp"
	"net/http"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// diff shows one change, what differs between two states, or, asked for neither,
// what was edited since the last change. Credentials are masked.
func (s *Server) diff(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	path := q.Get("path")
	if q.Has("path") {
		if _, err := policy.CheckNote(path); err != nil {
			return err
		}
	}
	change, from := q.Get("change"), cmp.Or(q.Get("from"), q.Get("at"))
	if change != "" && (from != "" || q.Has("to")) {
		return invalid("give change, or from and to, not both")
	}
	if change != "" {
		return sendChange(w, r, ws, change, path)
	}
	from = cmp.Or(from, "HEAD")
	text, err := ws.Diff(r.Context(), from, q.Get("to"), path)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, map[string]any{"from": from, "to": q.Get("to"), "path": path, "diff": text})
	return nil
}

func sendChange(w http.ResponseWriter, r *http.Request, ws *repo.Workspace, change, path string) error {
	d, err := ws.Show(r.Context(), change)
	if err != nil {
		return noSuchChange(err)
	}
	rows := make([]repo.Row, 0, len(d.Rows))
	diffs := make([]string, 0, len(d.Rows))
	for _, row := range d.Rows {
		if path == "" || row.Path == path {
			rows = append(rows, row)
			diffs = append(diffs, strings.TrimSuffix(row.Diff, "\n")+"\n")
		}
	}
	send(w, http.StatusOK, map[string]any{
		"change": d.Row.Change, "path": path, "diff": strings.Join(diffs, ""), "message": d.Body, "entries": rows,
	})
	return nil
}

func (s *Server) blame(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	path, _, err := pathOf(q)
	if err != nil {
		return err
	}
	lines, err := ws.Blame(r.Context(), path)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, map[string]any{"path": path, "lines": append([]repo.Blamed{}, lines...)})
	return nil
}

// at shows a file as it was: at a time, or right after a change.
func (s *Server) at(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	path, _, err := pathOf(q)
	if err != nil {
		return err
	}
	moment, change := q.Get("at"), q.Get("change")
	if (moment == "") == (change == "") {
		return invalid("say when: either at, a time, or change, a change's id")
	}
	t, err := ws.At(r.Context(), path, cmp.Or(moment, change))
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(t.Hash))
	send(w, http.StatusOK, struct {
		fileText
		At string `json:"at"`
	}{shownFile(t), cmp.Or(moment, change)})
	return nil
}

// stats is what pictures of a memory over time are drawn from.
func (s *Server) stats(w http.ResponseWriter, r *http.Request) error {
	ws, _, err := s.asked(r)
	if err != nil {
		return err
	}
	stats, err := ws.Stats(r.Context())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, stats)
	return nil
}
