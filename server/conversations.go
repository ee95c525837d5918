package server

import "net/http"

// deleteConversation takes away all that was said in a conversation, its lines in the
// day logs too. The notes stay.
func (s *Server) deleteConversation(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	n, err := s.store.DeleteConversation(r.Context(), ws.ID(), pathPart(r, "conversation"))
	if err != nil {
		return err
	}
	if n == 0 {
		return noSuchConversation()
	}
	send(w, http.StatusOK, map[string]any{"ok": true, "turns": n})
	return nil
}

// rewindConversation takes away what was said in a conversation after one turn of it.
func (s *Server) rewindConversation(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var to string
	if err := decode(w, r, mustText("to", &to)); err != nil {
		return err
	}
	n, err := s.store.RewindConversation(r.Context(), ws.ID(), pathPart(r, "conversation"), to)
	if err != nil {
		return noSuchTurn(err)
	}
	send(w, http.StatusOK, map[string]any{"ok": true, "turns": n})
	return nil
}

func noSuchConversation() *problem {
	return &problem{status: http.StatusNotFound, code: "not_found", sentence: "no such conversation"}
}
