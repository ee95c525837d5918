package server

import (
	"net/http"
	"time"

	"quipu/repo"
)

// erase takes words, an entry, or what a change brought in, out of the notes and their
// history; with preview it only counts. What takes longer than a second is finished in
// the background: its end is a change of action erase.
func (s *Server) erase(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var e repo.Erasing
	var change, entry *string
	var preview, confirm *bool
	if err := decode(w, r, phrases("words", &e.Words), text("entry", &entry), text("change", &change), flag("preview", &preview), flag("confirm", &confirm)); err != nil {
		return err
	}
	e.Entry, e.Change, e.Wait = valueOf(entry), valueOf(change), s.patience
	e.Confirm = isTrue(confirm)
	patient(w)
	got, err := ws.Erase(r.Context(), repo.Meta{Author: s.person(), Via: repo.ViaAPI, DryRun: isTrue(preview)}, e)
	if err != nil {
		return noSuchChange(err)
	}
	send(w, http.StatusOK, erasedAnswer{
		OK: true, Pending: got.Pending, Listed: got.Listed, Epoch: got.Epoch, Notes: got.Notes, Copies: got.Copies, Commits: got.Commits, Changed: got.Changed, Objects: got.Objects, Said: got.Said,
		Change: got.Change, Notices: append([]string{}, got.Receipt.Notes...), Unreached: append([]string{}, got.Unreached...),
	})
	return nil
}

// erasedAnswer is what an erasure did, in counts: no text, and no hash of one.
type erasedAnswer struct {
	OK        bool          `json:"ok"`
	Pending   bool          `json:"pending"`
	Listed    bool          `json:"listed"`
	Notes     int           `json:"notes"`
	Copies    int           `json:"copies"`
	Commits   int           `json:"commits"`
	Changed   int           `json:"changed"`
	Objects   int           `json:"objects"`
	Said      int           `json:"said"`
	Epoch     int           `json:"epoch,omitempty"`
	Change    repo.ChangeID `json:"change,omitempty"`
	Notices   []string      `json:"notices"`
	Unreached []string      `json:"unreached"`
}

// retain makes history that is older than a number of days one commit; with preview it
// only counts.
func (s *Server) retain(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	var days *int
	var preview *bool
	if err := decode(w, r, number("days", &days), flag("preview", &preview)); err != nil {
		return err
	}
	if days == nil {
		days = new(s.store.Config().Memory.HistoryDays)
	}
	if *days < 1 {
		return invalid("days must be 1 or more, or memory.historyDays set")
	}
	patient(w)
	got, err := ws.Retain(r.Context(), repo.Meta{Author: s.person(), Via: repo.ViaAPI, DryRun: isTrue(preview)}, *days, nil)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, retainedAnswer{
		OK: true, Before: got.Before, Dropped: got.Dropped, Changed: got.Changed, Epoch: got.Epoch, Change: got.Change,
		Notices: append([]string{}, got.Notes...), Unreached: got.Unreached,
	})
	return nil
}

// retainedAnswer is what was let go of.
type retainedAnswer struct {
	OK        bool          `json:"ok"`
	Before    time.Time     `json:"before"`
	Dropped   int           `json:"dropped"`
	Changed   int           `json:"changed"`
	Epoch     int           `json:"epoch,omitempty"`
	Change    repo.ChangeID `json:"change,omitempty"`
	Notices   []string      `json:"notices"`
	Unreached []string      `json:"unreached"`
}
