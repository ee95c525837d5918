package panel

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

type aboutPage struct {
	Editor  editor
	Learned []policy.Learned
	CSRF    string
	Journal bool // there is one

	Conflicts int // notes in two wordings
}

// about shows what every bot knows of the person, and what bots added to it.
func (p *Panel) about(v *visit) error {
	s, t, err := p.me(v)
	if err != nil {
		return err
	}
	page := aboutPage{Editor: p.editorOf(v, &s, t), CSRF: v.csrf, Journal: s.ws != nil}
	if s.ws != nil {
		if page.Learned, err = s.ws.Learned(v.r.Context()); err != nil {
			return err
		}
		open, err := s.ws.Conflicts()
		if err != nil {
			return err
		}
		page.Conflicts = len(open)
	}
	p.show(v, http.StatusOK, "about", v.say("About me"), &s, page)
	return nil
}

// me opens About me, which may not be there yet, and its text.
func (p *Panel) me(v *visit) (space, repo.Text, error) {
	s, err := p.space(v)
	if errors.Is(err, repo.ErrNotFound) {
		empty := sha256.Sum256(nil)
		s.ws = nil
		return s, repo.Text{Path: policy.AboutFile, Hash: hex.EncodeToString(empty[:])}, nil
	}
	if err != nil {
		return s, repo.Text{}, err
	}
	p.takeIn(v, s)
	t, err := s.ws.Read(v.r.Context(), policy.AboutFile)
	return s, t, err
}

func (p *Panel) saveAbout(v *visit) error {
	s, t, err := p.me(v)
	if err != nil {
		return err
	}
	if s.ws == nil && v.r.PostForm.Get("do") == "preview" { // looking makes nothing
		p.preview(v, &s, t)
		return nil
	}
	if s.ws == nil {
		if s.ws, err = p.store.MakeMe(v.r.Context(), ""); err != nil {
			return err
		}
		p.Used(s.ws)
		// What stands in it from the start is not what the save could have been based on.
		began, err := s.ws.Read(v.r.Context(), policy.AboutFile)
		if err != nil {
			return err
		}
		if v.r.PostForm.Get("hash") == t.Hash {
			v.r.PostForm.Set("hash", began.Hash)
		}
	}
	return p.saveIn(v, &s, policy.AboutFile)
}

// removeLearned takes one learned line out; it is never learned again.
func (p *Panel) removeLearned(v *visit) error {
	s, _, err := p.me(v)
	if err != nil {
		return err
	}
	if s.ws == nil {
		return errNoEntry
	}
	receipt, err := s.ws.RemoveLearned(v.r.Context(), p.meta(), v.r.PostForm.Get("id"))
	if errors.Is(err, repo.ErrNotFound) {
		return errNoEntry
	}
	if err != nil {
		return err
	}
	return v.done("/about", "removed", string(receipt.Change))
}
