package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

// learnedAnswer is one line of About me that a bot added.
type learnedAnswer struct {
	ID      string  `json:"id"`
	Text    string  `json:"text"`
	Line    string  `json:"line"`
	BotID   repo.ID `json:"botId"` // "" when no bot has that name now
	BotName string  `json:"botName"`
	At      string  `json:"at"` // YYYY-MM-DD
}

// aboutFile is About me after a save.
type aboutFile struct {
	OK bool `json:"ok"`
	fileText
	Entry *repo.Row `json:"entry"` // null when nothing changed
}

// me opens the owner's About me, nil when nothing was ever written to it.
func (s *Server) me(ctx context.Context) (*repo.Workspace, error) {
	ws, err := s.store.Me(ctx, "")
	if errors.Is(err, repo.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.used(ws)
	return ws, nil
}

func (s *Server) aboutMe(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.me(r.Context())
	if err != nil {
		return err
	}
	t, err := readOrNone(r.Context(), ws, policy.AboutFile)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(t.Hash))
	send(w, http.StatusOK, shownFile(t))
	return nil
}

// readOrNone reads a file of a workspace that may not be there yet.
func readOrNone(ctx context.Context, ws *repo.Workspace, path string) (repo.Text, error) {
	if ws == nil {
		return repo.Text{Path: path, Hash: emptyHash()}, nil
	}
	t, err := ws.Read(ctx, path)
	if err != nil {
		return t, oddFile(ctx, ws, path, err)
	}
	return t, nil
}

// emptyHash is the hash of no text.
func emptyHash() string {
	sum := sha256.Sum256(nil)
	return hex.EncodeToString(sum[:])
}

func onlyAbout(path string) (policy.PathKind, error) {
	if path != policy.AboutFile {
		return 0, &policy.PathError{Path: path, Rule: "About me is one file, ABOUT.md"}
	}
	return policy.About, nil
}

func (s *Server) putAboutMe(w http.ResponseWriter, r *http.Request) error {
	sv, err := decodeSave(w, r, policy.AboutFile, onlyAbout)
	if err != nil {
		return err
	}
	ws, err := s.me(r.Context())
	if err != nil {
		return err
	}
	begins := ws == nil
	if begins {
		if sv.hash != "" && sv.hash != emptyHash() {
			return &repo.StaleError{Path: sv.path, CurrentHash: emptyHash()}
		}
		if ws, err = s.store.MakeMe(r.Context(), ""); err != nil {
			return err
		}
		s.used(ws)
	}
	receipt, err := s.save(r.Context(), ws, s.person(), sv, begins)
	if err != nil {
		return err
	}
	s.sendAboutMe(w, r, ws, receipt)
	return nil
}

// save keeps a text in a workspace that has an owner of its own: About me, or a
// member's layer. When it begins with this very save, what quipu itself put there at
// the start is not what the save could have been based on, and gives way.
func (s *Server) save(ctx context.Context, ws *repo.Workspace, by repo.Author, sv saving, begins bool) (repo.Receipt, error) {
	expect := repo.Expect{Hash: sv.hash}
	if begins {
		rows, err := ws.Journal(ctx, repo.Query{Path: sv.path, All: true, Limit: 2})
		if err != nil {
			return repo.Receipt{}, err
		}
		if len(rows) == 1 && rows[0].Action == string(repo.ActInit) && rows[0].AfterHash != nil {
			expect.Hash = *rows[0].AfterHash
		}
	}
	receipt, err := ws.Save(ctx, repo.Meta{Author: by, Via: repo.ViaUI}, sv.path, sv.text, expect)
	if err != nil {
		return receipt, oddFile(ctx, ws, sv.path, err)
	}
	return receipt, nil
}

func (s *Server) learned(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.me(r.Context())
	if err != nil {
		return err
	}
	list, err := s.learnedOf(r.Context(), ws)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, map[string]any{"learned": list})
	return nil
}

// learnedOf lists what bots added to About me, newest first.
func (s *Server) learnedOf(ctx context.Context, ws *repo.Workspace) ([]learnedAnswer, error) {
	list := []learnedAnswer{}
	if ws == nil {
		return list, nil
	}
	facts, err := ws.Learned(ctx)
	if err != nil {
		return nil, err
	}
	bots, err := s.store.Bots(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string]repo.ID{}
	for _, b := range bots {
		ids[b.Name] = b.ID
	}
	for _, f := range facts {
		list = append(list, learnedAnswer{f.ID, f.Text, f.Line, ids[f.BotName], f.BotName, f.At.String()})
	}
	return list, nil
}

// removeLearned takes one learned line out of About me. A save that fails leaves it
// there, and listed.
func (s *Server) removeLearned(w http.ResponseWriter, r *http.Request) error {
	if err := noBody(w, r); err != nil {
		return err
	}
	ws, err := s.me(r.Context())
	if err != nil {
		return err
	}
	if ws == nil {
		return &problem{status: http.StatusNotFound, code: "not_found", sentence: "there is no such learned fact"}
	}
	m := repo.Meta{Author: s.person(), Via: repo.ViaUI}
	receipt, err := ws.RemoveLearned(r.Context(), m, pathPart(r, "learnedId"))
	if err != nil {
		return err
	}
	t := s.textAfter(r.Context(), ws, policy.AboutFile, receipt)
	list, err := s.learnedOf(r.Context(), ws)
	if err != nil {
		s.notReadAfter(r.Context(), ws, err) // the list is null then
	}
	send(w, http.StatusOK, map[string]any{"ok": true, "aboutMe": t.Text, "learned": list})
	return nil
}
