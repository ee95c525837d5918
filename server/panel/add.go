package panel

import (
	"net/http"
	"strings"

	"quipu/policy"
	"quipu/repo"
)

// adding is the form by which a note is added to a file.
type adding struct{ Base, CSRF, Path string }

// addNote notes one fact of the person's, in MEMORY.md or in the topic that its page shows.
func (p *Panel) addNote(v *visit) error {
	s, path, kind, err := p.fileSpace(v, v.r.PostForm)
	if err != nil {
		return err
	}
	u := policy.Update{Action: policy.Append, Text: strings.TrimSpace(v.r.PostForm.Get("note")), TextSet: true, Until: v.r.PostForm.Get("until")}
	switch kind {
	case policy.Memory:
	case policy.Topic:
		u.Topic = path
	default:
		return errNoNote
	}
	receipt, err := s.ws.Update(v.r.Context(), p.meta(), u)
	if err != nil {
		return err
	}
	if receipt.Known || receipt.Change == "" {
		return v.done(s.fileURL(path), "known", "")
	}
	return v.done(s.fileURL(path), "added", string(receipt.Change))
}

// makeBot makes a bot's memory, or leads to the one that is there.
func (p *Panel) makeBot(v *visit) error {
	id, name := repo.ID(strings.TrimSpace(v.r.PostForm.Get("bot"))), strings.TrimSpace(v.r.PostForm.Get("name"))
	if policy.CheckID(string(id)) != nil {
		return &faulty{http.StatusBadRequest, "An id has letters, digits, dots, dashes and underscores, and begins with a letter or digit."}
	}
	if name != "" {
		if err := repo.CheckName(name); err != nil {
			return err
		}
		if p.store.ConfigFault() != nil {
			return &faulty{http.StatusConflict, "config.json is not valid, so the name could not be kept. quipu config validate says what to mend."}
		}
	}
	_, made, err := p.store.Create(v.r.Context(), id, name)
	if err != nil {
		return err
	}
	did := "begun"
	if !made {
		did = "same"
	}
	return v.done("/bots/"+string(id), did, "")
}
