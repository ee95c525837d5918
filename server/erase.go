package server

import (
	"net/http"

	"quipu/repo"
)

// erase takes words, or what a change brought in, out of the notes and their history;
// with preview it only counts.
func (s *Server) erase(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var e repo.Erasing
	var change *string
	var preview, confirm *bool
	if err := decode(w, r, phrases("words", &e.Words), text("change", &change), flag("preview", &preview), flag("confirm", &confirm)); err != nil {
		return err
	}
	e.Change = valueOf(change)
	e.Confirm = confirm != nil && *confirm
	if (len(e.Words) == 0) == (e.Change == "") {
		return invalid("say what to erase: words, or a change")
	}
	patient(w)
	got, err := ws.Erase(r.Context(), repo.Meta{Author: s.person(), Via: repo.ViaAPI, DryRun: preview != nil && *preview}, e)
	if err != nil {
		return noSuchChange(err)
	}
	send(w, http.StatusOK, erasedAnswer{
		OK: true, Notes: got.Notes, Copies: got.Copies, Commits: got.Commits, Changed: got.Changed, Objects: got.Objects, Said: got.Said,
		Change: got.Change, Notices: append([]string{}, got.Receipt.Notes...), Unreached: append([]string{}, got.Unreached...),
	})
	return nil
}

// erasedAnswer is what an erasure did, in counts: no text, and no hash of one.
type erasedAnswer struct {
	OK        bool          `json:"ok"`
	Notes     int           `json:"notes"`
	Copies    int           `json:"copies"`
	Commits   int           `json:"commits"`
	Changed   int           `json:"changed"`
	Objects   int           `json:"objects"`
	Said      int           `json:"said"`
	Change    repo.ChangeID `json:"change,omitempty"`
	Notices   []string      `json:"notices"`
	Unreached []string      `json:"unreached"`
}
