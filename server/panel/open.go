package panel

import (
	"context"
	"net/http"
	"time"
)

// openWait is how long the desktop has to show a folder.
const openWait = 3 * time.Second

var errAway = &faulty{http.StatusForbidden, "A folder is only opened for somebody at this machine."}

// folderView is where a bot's files lie. Buttons open it only for somebody at this machine.
type folderView struct {
	Dir, URL, CSRF string
	Local          bool
}

func (p *Panel) folder(v *visit, s *space) folderView {
	return folderView{s.ws.Dir(), s.Base, v.csrf, p.Local(v.r)}
}

// open shows a bot's folder on the desktop of the machine that the server runs on, and so
// only for somebody who sits there.
func (p *Panel) open(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	target := v.r.PostForm.Get("target")
	if target != "obsidian" && target != "folder" {
		return errForm
	}
	if !p.Local(v.r) {
		return errAway
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), openWait)
	defer cancel()
	if err := p.Open(ctx, target, s.ws.Dir()); err != nil {
		p.Log.WarnContext(v.r.Context(), "the desktop did not open a folder", "bot", s.ID, "err", err)
		return &faulty{http.StatusInternalServerError, "The desktop did not open the folder. Its path stands on the bot's page."}
	}
	return v.done(s.Base, "opened", "")
}
