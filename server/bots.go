package server

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gorilla/mux"

	"quipu/policy"
	"quipu/repo"
)

// workspace opens the bot that the path names. Nothing is made by asking for it.
func (s *Server) workspace(r *http.Request) (*repo.Workspace, error) {
	id := pathPart(r, "id")
	if policy.CheckID(id) != nil {
		return nil, noSuchBot()
	}
	ws, err := s.store.Open(r.Context(), repo.ID(id))
	if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrInvalid) {
		return nil, noSuchBot()
	}
	if err != nil {
		return nil, err
	}
	s.used(ws)
	return ws, nil
}

// asked opens the bot that the path names and reads the query.
func (s *Server) asked(r *http.Request) (*repo.Workspace, query, error) {
	ws, err := s.workspace(r)
	if err != nil {
		return nil, query{}, err
	}
	q, err := queryOf(r)
	return ws, q, err
}

func noSuchBot() *problem { return &problem{status: http.StatusNotFound, sentence: "no such bot"} }

// pathPart is one part of the path, decoded; "" when it cannot be.
func pathPart(r *http.Request, name string) string {
	part, err := url.PathUnescape(mux.Vars(r)[name])
	if err != nil {
		return ""
	}
	return part
}

// person is who acts when the owner's token asks for something that a person does
// by hand.
func (s *Server) person() repo.Author {
	return repo.Author{Kind: repo.Person, Name: s.store.Config().PersonName()}
}

type botAnswer struct {
	ID   repo.ID `json:"id"`
	Name string  `json:"name"`
	Path string  `json:"path"`
}

func (s *Server) listBots(w http.ResponseWriter, r *http.Request) error {
	bots, err := s.store.Bots(r.Context())
	if err != nil {
		return err
	}
	list := make([]botAnswer, 0, len(bots))
	for _, b := range bots {
		list = append(list, botAnswer(b))
	}
	send(w, http.StatusOK, map[string]any{"bots": list})
	return nil
}

func (s *Server) createBot(w http.ResponseWriter, r *http.Request) error {
	var id string
	var name *string
	if err := decode(w, r, mustText("id", &id), text("name", &name)); err != nil {
		return err
	}
	if err := policy.CheckID(id); err != nil {
		return botRule(err)
	}
	if name != nil && *name != "" {
		if err := repo.CheckName(*name); err != nil {
			return err
		}
		if s.store.ConfigFault() != nil {
			return badConfig() // before the bot is made, not after
		}
	}
	b, made, err := s.store.Create(r.Context(), repo.ID(id), valueOf(name))
	if err != nil {
		return err
	}
	status := http.StatusOK
	if made {
		status = http.StatusCreated
	}
	send(w, status, botAnswer(b))
	return nil
}

// removeBot takes a bot away for good, with all that it keeps.
func (s *Server) removeBot(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	gone, err := s.store.Remove(r.Context(), ws.ID())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, gone)
	return nil
}

// badConfig refuses a change of config.json while that cannot be read.
func badConfig() *problem {
	return &problem{status: http.StatusConflict, code: "config", sentence: "config.json is not valid: quipu config validate says what to mend"}
}

// botRule answers for an id that no bot can have; it is no path of a file.
func botRule(err error) error {
	if path, ok := errors.AsType[*policy.PathError](err); ok {
		return invalid(path.Rule)
	}
	return err
}

// settingsAnswer is what holds for one bot, its defaults filled in.
type settingsAnswer struct {
	botAnswer
	MemoryEnabled bool             `json:"memoryEnabled"`
	MemoryUpkeep  bool             `json:"memoryUpkeep"`
	HelperModel   bool             `json:"helperModel"`
	Rules         repo.RulesConfig `json:"rules"`
	Timezone      string           `json:"timezone"` // "" is the machine's
}

func (s *Server) showBot(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	s.sendSettings(w, ws)
	return nil
}

func (s *Server) sendSettings(w http.ResponseWriter, ws *repo.Workspace) {
	id := ws.ID()
	c := s.store.Config()
	own := c.Bots[id]
	a := settingsAnswer{botAnswer: botAnswer{ID: id, Name: cmp.Or(own.Name, string(id)), Path: ws.Dir()}}
	a.MemoryEnabled, a.MemoryUpkeep, a.HelperModel = isOn(own.MemoryEnabled), isOn(own.MemoryUpkeep), isOn(own.HelperModel)
	a.Rules, a.Timezone = c.RulesOf(id), c.Timezone
	if own.Timezone != "" {
		a.Timezone = own.Timezone
	}
	send(w, http.StatusOK, a)
}

// changeBot keeps settings of one bot in config.json. null puts one back to what
// holds for every bot.
func (s *Server) changeBot(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	values := map[string]any{}
	fields := []field{raw("memoryEnabled", values), raw("memoryUpkeep", values), raw("helperModel", values), raw("rules", values), raw("timezone", values)}
	if err := decode(w, r, fields...); err != nil {
		return err
	}
	if s.store.ConfigFault() != nil {
		return badConfig()
	}
	err = s.store.SetBot(ws.ID(), values)
	if own := ownSentence(err, repo.ErrInvalid); own != "" {
		own = strings.TrimPrefix(own, "config.json: ")
		return invalid(strings.ReplaceAll(own, "bots."+string(ws.ID())+".", ""))
	}
	if err != nil {
		return err
	}
	s.sendSettings(w, ws)
	return nil
}

func isOn(b *bool) bool { return b == nil || *b }

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
