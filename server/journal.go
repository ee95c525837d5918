package server

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// journal answers with what happened, newest first. What was edited outside is
// taken in first, so that it is among the rows.
func (s *Server) journal(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	q, err := s.journalQuery(r, ws.ID())
	if err != nil {
		return err
	}
	// A workspace that cannot be written just now can still be read.
	if _, err := ws.TakeIn(r.Context(), s.person()); err != nil {
		s.log.WarnContext(r.Context(), "edits made outside are not taken in yet", "bot", ws.ID(), "err", err)
	}
	rows, err := ws.Journal(r.Context(), q)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, map[string]any{"entries": append([]repo.Row{}, rows...)})
	return nil
}

func (s *Server) journalQuery(r *http.Request, id repo.ID) (repo.Query, error) {
	q, err := queryOf(r)
	if err != nil {
		return repo.Query{}, err
	}
	query := repo.Query{
		Path: q.Get("path"), Author: repo.AuthorKind(q.Get("author")), Action: repo.Action(q.Get("action")),
		Words: q.Get("q"), Before: repo.ChangeID(q.Get("before")), Note: q.Get("entry"),
	}
	if query.Limit, err = q.number("limit", 50, 1, 200); err != nil {
		return repo.Query{}, err
	}
	if query.Path != "" {
		if _, err := policy.CheckNote(query.Path); err != nil {
			return repo.Query{}, err
		}
	}
	if query.Author != "" && !slices.Contains(repo.AuthorKinds(), query.Author) {
		return repo.Query{}, invalid("author must be bot, person, upkeep, import or sync")
	}
	if query.Action != "" && !slices.Contains(repo.Actions(), query.Action) {
		return repo.Query{}, invalid("there is no such action; update, edit, undo, capture and tidy are some that there are")
	}
	now := s.now().In(s.store.Config().LocationOf(id))
	if since := q.Get("since"); since != "" {
		if query.Since, err = when("since", since, now, false); err != nil {
			return repo.Query{}, err
		}
	}
	if until := q.Get("until"); until != "" {
		if query.Until, err = when("until", until, now, true); err != nil {
			return repo.Query{}, err
		}
	}
	query.All, err = q.flag("all")
	return query, err
}

// revert reverses a change, or with mode=restore puts a file back to the text
// before it. It is itself a change that can be reverted.
func (s *Server) revert(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	mode := cmp.Or(repo.Mode(q.Get("mode")), repo.Revert)
	if mode != repo.Revert && mode != repo.Restore {
		return invalid("mode must be revert or restore")
	}
	id := pathPart(r, "entryId")
	if strings.HasPrefix(id, "HEAD") { // what it names moves: a request sent twice would undo two changes
		return noSuchChange(repo.ErrNotFound)
	}
	d, err := ws.Show(r.Context(), id)
	if err != nil {
		return noSuchChange(err)
	}
	m := repo.Meta{Author: s.person(), Via: repo.ViaRevert}
	receipt, err := ws.Undo(r.Context(), m, id, mode)
	if err != nil {
		return noSuchChange(err)
	}
	s.sendFile(w, r, ws, revertedPath(id, d.Rows, receipt.Rows), receipt)
	return nil
}

// revertedPath is the file that a revert answers with: the one whose row was asked
// for when the revert wrote it, else the first that it wrote and that can be shown,
// else MEMORY.md. The list of what is not to be learned is a file that nobody is shown.
func revertedPath(id string, asked, written []repo.Row) string {
	shown := func(row repo.Row) bool {
		_, err := policy.CheckNote(row.Path)
		return err == nil
	}
	i := slices.IndexFunc(asked, func(row repo.Row) bool { return row.ID == id && shown(row) })
	if i >= 0 && slices.ContainsFunc(written, func(row repo.Row) bool { return row.Path == asked[i].Path }) {
		return asked[i].Path
	}
	if i := slices.IndexFunc(written, shown); i >= 0 {
		return written[i].Path
	}
	return policy.MemoryFile
}

// noSuchChange says the same for an id that is malformed, unknown or another bot's.
func noSuchChange(err error) error {
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrInvalid) {
		return &problem{status: http.StatusNotFound, code: "not_found", sentence: "no such memory change"}
	}
	return err
}
