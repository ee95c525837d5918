package server

import (
	"context"
	"net/http"

	"quipu/repo"
)

// What is durable is answered as done: what cannot be read for the answer afterwards
// is left out of it and told to the log, never made an error.

// textAfter is a file as it stands after a change of it: where that cannot be read,
// as the change left it, and failing that no more than its path.
func (s *Server) textAfter(ctx context.Context, ws *repo.Workspace, path string, receipt repo.Receipt) repo.Text {
	t, err := ws.Read(ctx, path)
	if err == nil {
		return t
	}
	s.notReadAfter(ctx, ws, err)
	if receipt.Change != "" {
		if t, err = ws.At(ctx, path, string(receipt.Change)); err == nil {
			return t
		}
	}
	return repo.Text{Path: path}
}

// overviewAfter is the overview after a change; nil where it cannot be read.
func (s *Server) overviewAfter(ctx context.Context, ws *repo.Workspace) *overviewAnswer {
	o, err := s.overviewOf(ctx, ws)
	if err != nil {
		s.notReadAfter(ctx, ws, err)
		return nil
	}
	return &o
}

func (s *Server) notReadAfter(ctx context.Context, ws *repo.Workspace, err error) {
	s.log.WarnContext(ctx, "a change is kept, and its answer says less than it should", "bot", ws.ID(), "err", err)
}

// tag gives the ETag of a text; one that could not be read has none.
func tag(w http.ResponseWriter, t repo.Text) {
	if t.Hash != "" {
		w.Header().Set("ETag", etag(t.Hash))
	}
}
