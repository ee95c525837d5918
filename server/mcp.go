package server

import (
	"errors"
	"net/http"

	"quipu/policy"
	"quipu/repo"
	"quipu/server/mcp"
)

// mcp answers a client of the Model Context Protocol. The token says whose memory it has:
// a bot's token that bot's, the owner's the one that ?bot= names, or the only one there is.
func (s *Server) mcp(w http.ResponseWriter, r *http.Request) error {
	bot, err := s.mcpBot(r)
	if err != nil {
		return err
	}
	m, err := mcp.New(r.Context(), s.store, bot, mcp.Options{
		Now: s.now, Log: s.log, Version: s.version, Wait: s.patience, Schemas: s.schemas, Models: s.models,
		Sentence: func(err error) string { return Sentence(s.store, err) },
	})
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrInvalid) {
		return noSuchBot()
	}
	if err != nil {
		return err
	}
	patient(w)
	m.ServeHTTP(unkept{w}, r, maxPictureBody)
	return nil
}

func (s *Server) mcpBot(r *http.Request) (repo.ID, error) {
	t := holder(r)
	asked := r.URL.Query().Get("bot")
	switch {
	case t.Role == repo.RoleBot && (asked == "" || asked == string(t.Bot)):
		return t.Bot, nil
	case t.Role == repo.RoleBot:
		return "", forbidden("this token may not do that")
	case asked != "":
		if policy.CheckID(asked) != nil {
			return "", noSuchBot()
		}
		return repo.ID(asked), nil
	}
	bots, err := s.store.Bots(r.Context())
	if err != nil {
		return "", err
	}
	if len(bots) != 1 {
		return "", invalid("say which bot: /mcp?bot=ID, or use a token of that bot")
	}
	return bots[0].ID, nil
}

// Sentence says in one sentence what an error means for its reader.
func Sentence(store *repo.Store, err error) string {
	return problemIn(store, err).sentence
}

// unkept has nothing between here and the reader keep an answer, whatever the SDK says.
type unkept struct{ http.ResponseWriter }

// WriteHeader sets the header of every answer here again.
func (u unkept) WriteHeader(status int) {
	u.Header().Set("Cache-Control", "no-store")
	u.ResponseWriter.WriteHeader(status)
}

// Write begins the answer when nothing did.
func (u unkept) Write(p []byte) (int, error) {
	u.Header().Set("Cache-Control", "no-store")
	return u.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController through.
func (u unkept) Unwrap() http.ResponseWriter { return u.ResponseWriter }
