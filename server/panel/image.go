package panel

import (
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"quipu/policy"
)

// image sends a picture that a note links.
func (p *Panel) image(v *visit) error {
	s, err := p.space(v)
	if err != nil {
		return err
	}
	name := v.r.PathValue("name")
	b, kind, err := s.ws.Picture(name)
	if err != nil {
		return errNoNote
	}
	SendPicture(v.w, name, kind, b)
	return nil
}

// SendPicture writes a picture, with the headers that keep it one: nobody's browser takes
// it for anything else.
func SendPicture(w http.ResponseWriter, name string, kind policy.PictureType, b []byte) {
	h := w.Header()
	h.Set("Content-Type", kind.MediaType())
	h.Set("Content-Length", strconv.Itoa(len(b)))
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": name}))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(b) // the browser has gone: there is no one left to tell
}

// picture adds to a note the picture that its entry keeps, of a bot's own notes.
func (n *note) picture(s *space, text string) {
	if s == nil || s.Me {
		return
	}
	if c, p, ok := policy.ParseShown(text); ok {
		n.Picture, n.About = s.Base+"/image/"+url.PathEscape(path.Base(p)), c.About
	}
}
