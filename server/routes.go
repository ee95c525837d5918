package server

import (
	"context"
	"net/http"
	"slices"

	"github.com/gorilla/mux"
)

// who says what a caller must hold to go through a route.
type who uint8

const (
	owner  who = iota // the owner's token
	bot               // the owner's, or the token of the bot in the path
	client            // the owner's, or any bot's: each has the memory of its own bot
	member            // any token: nothing of a bot is told
	self              // a member's token alone: that person's own notes with the bot
	anyone            // no token at all
)

// handler answers one route, or gives the error that errors.go turns into a status.
type handler func(s *Server, w http.ResponseWriter, r *http.Request) error

// route is one line of the table.
type route struct {
	method, path string
	handle       handler
	who          who
}

const (
	oneBot  = "/api/bots/{id}"
	mine    = oneBot + "/memory/mine"
	profile = "/api/profile"
)

// routes is every door of the server. openapi.yaml has the same ones: a test
// holds the two together.
func routes() []route {
	return slices.Concat(ofServer(), ofBots(), ofNotes(), ofProfile())
}

// ofServer are the doors of the server itself.
func ofServer() []route {
	return []route{
		{http.MethodGet, "/healthz", (*Server).health, anyone},
		{http.MethodGet, "/readyz", (*Server).ready, member},
		{http.MethodGet, "/metrics", (*Server).metrics, owner},
		{http.MethodGet, "/openapi.yaml", (*Server).openAPI, member},
		{http.MethodPost, "/mcp", (*Server).mcp, client},
		{http.MethodGet, "/mcp", (*Server).mcp, client},
		{http.MethodDelete, "/mcp", (*Server).mcp, client},
	}
}

// ofBots are the doors of each bot's memory.
func ofBots() []route {
	return []route{
		{http.MethodGet, "/api/bots", (*Server).listBots, owner},
		{http.MethodPost, "/api/bots", (*Server).createBot, owner},
		{http.MethodGet, oneBot, (*Server).showBot, owner},
		{http.MethodPatch, oneBot, (*Server).changeBot, owner},
		{http.MethodGet, oneBot + "/memory", (*Server).overview, bot},
		{http.MethodPut, oneBot + "/memory", (*Server).putMemory, owner},
		{http.MethodGet, oneBot + "/memory/file", (*Server).getFile, bot},
		{http.MethodPut, oneBot + "/memory/file", (*Server).putFile, owner},
		{http.MethodDelete, oneBot + "/memory/file", (*Server).deleteFile, owner},
		{http.MethodPost, oneBot + "/memory/update", (*Server).update, bot},
		{http.MethodPost, oneBot + "/memory/tool", (*Server).tool, bot},
		{http.MethodGet, oneBot + "/memory/load", (*Server).load, bot},
		{http.MethodGet, oneBot + "/memory/evidence", (*Server).evidence, bot},
		{http.MethodPost, oneBot + "/memory/evidence", (*Server).signal, bot},
		{http.MethodGet, oneBot + "/memory/evidence/log", (*Server).evidenceLog, bot},
		{http.MethodPost, oneBot + "/turns", (*Server).startTurn, bot},
		{http.MethodPost, oneBot + "/turns/{turn}/end", (*Server).endTurn, bot},
		{http.MethodPost, oneBot + "/recall", (*Server).recall, bot},
		{http.MethodGet, oneBot + "/search", (*Server).search, bot},
		{http.MethodGet, oneBot + "/brief", (*Server).brief, bot},
		{http.MethodDelete, oneBot + "/conversations/{conversation}", (*Server).deleteConversation, owner},
		{http.MethodPost, oneBot + "/conversations/{conversation}/rewind", (*Server).rewindConversation, owner},
		{http.MethodPost, oneBot + "/capture", (*Server).capture, bot},
		{http.MethodGet, oneBot + "/memory/upkeep", (*Server).upkeepState, owner},
		{http.MethodPost, oneBot + "/memory/tidy", (*Server).tidy, owner},
		{http.MethodGet, oneBot + "/events", (*Server).events, bot},
		{http.MethodGet, oneBot + "/memory/journal", (*Server).journal, bot},
		{http.MethodPost, oneBot + "/memory/journal/{entryId}/revert", (*Server).revert, owner},
		{http.MethodPost, oneBot + "/memory/open", (*Server).openFolder, owner},
		{http.MethodPost, oneBot + "/memory/erase", (*Server).erase, owner},
		{http.MethodPost, oneBot + "/memory/retain", (*Server).retain, owner},
		{http.MethodGet, oneBot + "/memory/diff", (*Server).diff, owner},
		{http.MethodGet, oneBot + "/memory/blame", (*Server).blame, owner},
		{http.MethodGet, oneBot + "/memory/at", (*Server).at, owner},
		{http.MethodGet, oneBot + "/memory/stats", (*Server).stats, bot},
		{http.MethodGet, oneBot + "/memory/directives", (*Server).directives, bot},
		{http.MethodPost, oneBot + "/memory/directives", (*Server).setDirective, owner},
		{http.MethodPut, oneBot + "/memory/directives/{directive}", (*Server).setDirective, owner},
		{http.MethodDelete, oneBot + "/memory/directives/{directive}", (*Server).liftDirective, owner},
		{http.MethodPost, oneBot + "/gate", (*Server).gate, bot},
		{http.MethodGet, oneBot + "/memory/reflections", (*Server).reflections, bot},
		{http.MethodPost, oneBot + "/memory/reflections/answer", (*Server).answerReflection, bot},
		{http.MethodPost, oneBot + "/memory/reflect", (*Server).reflect, owner},
		{http.MethodGet, oneBot + "/remote", (*Server).showRemote, owner},
		{http.MethodPut, oneBot + "/remote", (*Server).putRemote, owner},
		{http.MethodDelete, oneBot + "/remote", (*Server).dropRemote, owner},
		{http.MethodPost, oneBot + "/remote/test", (*Server).testRemote, owner},
		{http.MethodPost, oneBot + "/sync", (*Server).sync, owner},
		{http.MethodGet, oneBot + "/conflicts", (*Server).conflicts, owner},
		{http.MethodPost, oneBot + "/conflicts/resolve", (*Server).resolve, owner},
		{http.MethodGet, mine, (*Server).myOverview, self},
		{http.MethodGet, mine + "/file", (*Server).myFile, self},
		{http.MethodPut, mine + "/file", (*Server).putMyFile, self},
		{http.MethodDelete, mine + "/file", (*Server).deleteMyFile, self},
		{http.MethodDelete, oneBot, (*Server).removeBot, owner},
	}
}

// ofNotes are the doors of what may be kept, and of pictures.
func ofNotes() []route {
	return []route{
		{http.MethodGet, oneBot + "/memory/images", (*Server).pictures, bot},
		{http.MethodPost, oneBot + "/memory/images", (*Server).rememberPicture, bot},
		{http.MethodGet, oneBot + "/memory/images/{picture}", (*Server).picture, bot},
		{http.MethodGet, oneBot + "/rules", (*Server).rules, bot},
		{http.MethodPost, oneBot + "/rules/try", (*Server).tryRules, bot},
	}
}

// ofProfile are the doors of About me.
func ofProfile() []route {
	return []route{
		{http.MethodGet, profile + "/file", (*Server).aboutMe, owner},
		{http.MethodPut, profile + "/file", (*Server).putAboutMe, owner},
		{http.MethodGet, profile + "/learned", (*Server).learned, owner},
		{http.MethodPost, profile + "/learned/{learnedId}/remove", (*Server).removeLearned, owner},
		{http.MethodGet, profile + "/remote", (*Server).showRemote, owner},
		{http.MethodPut, profile + "/remote", (*Server).putRemote, owner},
		{http.MethodDelete, profile + "/remote", (*Server).dropRemote, owner},
		{http.MethodPost, profile + "/remote/test", (*Server).testRemote, owner},
		{http.MethodPost, profile + "/sync", (*Server).sync, owner},
		{http.MethodGet, profile + "/conflicts", (*Server).conflicts, owner},
		{http.MethodPost, profile + "/conflicts/resolve", (*Server).resolve, owner},
	}
}

// router leads requests through the table. Paths are matched as they were sent:
// an encoded slash or dot is never decoded into another route, and nothing is
// cleaned or redirected.
func (s *Server) router() *mux.Router {
	m := mux.NewRouter().UseEncodedPath().SkipClean(true)
	for _, rt := range routes() {
		m.Handle(rt.path, s.door(rt)).Methods(rt.method).Name(rt.method + " " + rt.path)
	}
	m.NotFoundHandler = s.door(route{path: "none", handle: noRoute, who: member})
	m.MethodNotAllowedHandler = m.NotFoundHandler
	return m
}

func noRoute(*Server, http.ResponseWriter, *http.Request) error {
	return &problem{status: http.StatusNotFound, code: "not_found", sentence: "no such route"}
}

// door checks who comes, runs the handler and answers for its error.
func (s *Server) door(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noteRoute(w, rt.path)
		t, err := s.admit(rt, r)
		if err == nil {
			err = rt.handle(s, w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, t)))
		}
		if err != nil {
			s.fail(w, r, err)
		}
	})
}
