package server

import (
	"net/http"
	"path"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
	"quipu/server/panel"
)

// rememberPicture keeps a picture. Its bytes come with the request, or from a URL.
func (s *Server) rememberPicture(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	a, err := decodePicture(w, r)
	if err != nil {
		return err
	}
	patient(w)
	done, err := s.turns.RememberPicture(r.Context(), ws.ID(), a)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, done)
	return nil
}

func decodePicture(w http.ResponseWriter, r *http.Request) (hooks.Picturing, error) {
	a := hooks.Picturing{Via: repo.ViaAPI}
	sent, err := bodyUpTo(w, r, maxPictureBody)
	if err != nil {
		return a, err
	}
	var about string
	var source, data, note, kind, topic, turn, layer *string
	err = parse(sent, text("source", &source), text("data", &data), mustText("about", &about), text("note", &note), text("kind", &kind),
		text("topic", &topic), text("turn", &turn), text("layer", &layer))
	if err != nil {
		return a, err
	}
	if (valueOf(source) == "") == (valueOf(data) == "") {
		return a, invalid("send source or data, one of them")
	}
	if turn != nil && *turn == "" {
		return a, invalid("turn must not be blank: leave it out")
	}
	if a.Data, err = hooks.DecodePicture(valueOf(data)); err != nil {
		return a, err
	}
	a.Source, a.Topic, a.Turn, a.Layer = valueOf(source), valueOf(topic), valueOf(turn), valueOf(layer)
	a.Caption = policy.Caption{About: about, Note: valueOf(note), Kind: valueOf(kind)}
	return a, nil
}

// pictures lists pictures, or those that words ask for.
func (s *Server) pictures(w http.ResponseWriter, r *http.Request) error {
	ws, q, err := s.asked(r)
	if err != nil {
		return err
	}
	if err := q.only("q", "turn"); err != nil {
		return err
	}
	if q.Has("turn") && (q.Get("turn") == "" || !q.Has("q")) {
		return invalid("turn must not be blank, and goes with q")
	}
	if !q.Has("q") {
		list, err := ws.Pictures(r.Context())
		if err != nil {
			return err
		}
		send(w, http.StatusOK, AnswerPictures(list))
		return nil
	}
	found, err := s.turns.RecallPictures(r.Context(), ws.ID(), q.Get("q"), q.Get("turn"))
	if err != nil {
		return err
	}
	send(w, http.StatusOK, found)
	return nil
}

// AnswerPictures lays out the entries that keep pictures, none of them opened.
func AnswerPictures(list []policy.Shown) hooks.Pictures {
	out := hooks.Pictures{Pictures: make([]hooks.Recollected, 0, len(list)), Instruction: policy.TellSeen(nil)}
	for _, p := range list {
		out.Pictures = append(out.Pictures, hooks.Recollected{
			Picture: path.Base(p.Picture), About: p.About, Note: p.Note, Kind: p.Kind, Date: p.Date.String(), Path: p.Path, Line: p.Line, Missing: "not opened: nothing was asked for",
		})
	}
	if len(list) > 0 {
		out.Instruction = "No picture is attached: ask for one by its name."
	}
	return out
}

// picture sends the bytes of a picture. Nobody's browser may take it for anything else.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	if !s.store.Config().MemoryOn(ws.ID()) && holder(r).Role != repo.RoleOwner {
		return repo.Meaning(repo.ErrOff, "memory is switched off for this bot")
	}
	name := pathPart(r, "picture")
	b, kind, err := ws.Picture(name)
	if err != nil {
		return err
	}
	panel.SendPicture(w, name, kind, b)
	return nil
}
