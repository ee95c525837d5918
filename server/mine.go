package server

import (
	"errors"
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

// layer is a member's own notes with one bot. Which member is decided by the token
// and by nothing else that a request says.
type layer struct {
	bot    repo.ID
	member string
	ws     *repo.Workspace // nil when nothing was ever written
}

// layerOf opens the layer of the member who asks. Nothing is made by asking.
func (s *Server) layerOf(r *http.Request) (layer, error) {
	l := layer{bot: repo.ID(pathPart(r, "id")), member: holder(r).Member}
	if policy.CheckID(string(l.bot)) != nil {
		return l, noSuchBot()
	}
	if _, err := s.store.Open(r.Context(), l.bot); err != nil {
		if errors.Is(err, repo.ErrNotFound) {
			return l, noSuchBot()
		}
		return l, err
	}
	ws, err := s.store.Member(r.Context(), l.bot, l.member)
	if errors.Is(err, repo.ErrNotFound) {
		return l, nil
	}
	l.ws = ws
	return l, err
}

func (l layer) author() repo.Author { return repo.Author{Kind: repo.Person, Name: l.member} }

// overviewOfLayer is an overview as its member sees it: of the bot, and with no
// folder, which is not theirs to open.
func (s *Server) overviewOfLayer(r *http.Request, l layer) (overviewAnswer, error) {
	if l.ws == nil {
		g := s.limits().Measure(nil)
		return overviewAnswer{
			BotID: l.bot, Topics: []listed{}, Logs: []listed{}, Gauge: gaugeAnswer{g, g.Sentence()},
			Index: indexAnswer{MaxLines: g.MaxLines, MaxBytes: g.MaxBytes, Hash: emptyHash()},
		}, nil
	}
	o, err := s.overviewOf(r.Context(), l.ws)
	o.BotID, o.WorkspacePath = l.bot, ""
	return o, err
}

// rowOf is a row of the layer's journal, under the bot's name.
func (l layer) rowOf(receipt repo.Receipt, path string) *repo.Row {
	row := rowOf(receipt, path)
	if row != nil {
		row.BotID = l.bot
	}
	return row
}

func (s *Server) myOverview(w http.ResponseWriter, r *http.Request) error {
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	o, err := s.overviewOfLayer(r, l)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(o.Index.Hash))
	send(w, http.StatusOK, o)
	return nil
}

func (s *Server) myFile(w http.ResponseWriter, r *http.Request) error {
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	q, err := queryOf(r)
	if err != nil {
		return err
	}
	path, _, err := pathOf(q)
	if err != nil {
		return err
	}
	t, err := readOrNone(r.Context(), l.ws, path)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(t.Hash))
	send(w, http.StatusOK, shownFile(t))
	return nil
}

func (s *Server) putMyFile(w http.ResponseWriter, r *http.Request) error {
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	sv, err := decodeSave(w, r, policy.MemoryFile, policy.CheckNote)
	if err != nil {
		return err
	}
	begins := l.ws == nil
	if begins {
		if sv.hash != "" && sv.hash != emptyHash() {
			return &repo.StaleError{Path: sv.path, CurrentHash: emptyHash()}
		}
		if l.ws, err = s.store.MakeMember(r.Context(), l.bot, l.member); err != nil {
			return err
		}
	}
	receipt, err := s.save(r.Context(), l.ws, l.author(), sv, begins)
	if err != nil {
		return err
	}
	t := s.textAfter(r.Context(), l.ws, sv.path, receipt)
	tag(w, t)
	send(w, http.StatusOK, fileAnswer{
		OK: true, fileText: shownFile(t), Entry: l.rowOf(receipt, sv.path), Overview: s.overviewAfterMine(r, l),
	})
	return nil
}

func (s *Server) deleteMyFile(w http.ResponseWriter, r *http.Request) error {
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	q, err := queryOf(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	del, err := deletionOf(r, q)
	if err != nil {
		return err
	}
	var receipt repo.Receipt
	if l.ws != nil {
		m := repo.Meta{Author: l.author(), Via: repo.ViaUI}
		receipt, err = l.ws.Delete(r.Context(), m, del.path, repo.Expect{Hash: del.hash, Any: del.hash == ""})
		if err != nil {
			return oddFile(r.Context(), l.ws, del.path, err)
		}
	}
	send(w, http.StatusOK, deleteAnswer{true, del.path, l.rowOf(receipt, del.path), s.overviewAfterMine(r, l)})
	return nil
}

// overviewAfterMine is overviewAfter for a layer.
func (s *Server) overviewAfterMine(r *http.Request, l layer) *overviewAnswer {
	o, err := s.overviewOfLayer(r, l)
	if err != nil {
		s.notReadAfter(r.Context(), l.ws, err)
		return nil
	}
	return &o
}
