package panel

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"quipu/markdown"
	"quipu/policy"
	"quipu/repo"
)

// pastPage is a file as one of its changes left it.
type pastPage struct {
	To, Path, FileURL string
	N, Of             int
	Earlier, Later    string // paths; "" at an end
	Change            changeView
	Exists, Now       bool // the file was there then; it is there now
	Same              bool // then and now are one text
	Reading           reading
	Diff              []diffLine // from now to then
	RestoreURL        string
	Journal           string
}

// past shows a file as its n-th change left it: n, or change, or the newest.
func (p *Panel) past(v *visit) error {
	s, path, kind, err := p.fileSpace(v, v.r.URL.Query())
	if s.Me && errors.Is(err, repo.ErrNotFound) {
		http.Redirect(v.w, v.r, "/about", http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	p.takeIn(v, s)
	version, err := p.version(v, s, path)
	if err != nil {
		return err
	}
	now, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return err
	}
	page := pastPage{
		To: s.Base + "/at", Path: path, FileURL: s.fileURL(path), N: version.N, Of: version.Of, Exists: version.Text.Exists, Now: now.Exists,
		Same:    version.Text.Exists == now.Exists && version.Text.Text == now.Text,
		Change:  v.viewOf(version.Row, s.Base, p.store.Config().LocationOf(s.ID), 0),
		Journal: s.Base + "/journal?path=" + url.QueryEscape(path),
	}
	if page.N > 1 {
		page.Earlier = s.pastURL(path, page.N-1)
	}
	if page.N < page.Of {
		page.Later = s.pastURL(path, page.N+1)
	}
	from, _ := strconv.Atoi(v.r.URL.Query().Get("from"))
	page.Reading = readingOf(v, &s, path, version.Text.Text, from, policy.Gauge{}, s.ws.Today())
	page.Reading.Plain = true
	page.Reading.NextURL = s.pastURL(path, page.N) + "&from=" + strconv.Itoa(page.Reading.Next)
	if !page.Same {
		diff, _, _ := markdown.Diff(path, []byte(now.Text), []byte(version.Text.Text))
		page.Diff = parseDiff(diff, 20_000)
		if page.Exists && kind != policy.Log {
			page.RestoreURL = s.Base + "/restore?path=" + url.QueryEscape(path) + "&change=" + url.QueryEscape(string(version.Row.Change))
		}
	}
	p.show(v, http.StatusOK, "past", v.say("As it was"), &s, page)
	return nil
}

func (s space) pastURL(path string, n int) string {
	return s.Base + "/at?path=" + url.QueryEscape(path) + "&n=" + strconv.Itoa(n)
}

// version reads which of a file's versions is asked for. What is out of range is the
// nearest there is.
func (p *Panel) version(v *visit, s space, path string) (repo.Version, error) {
	q, ctx := v.r.URL.Query(), v.r.Context()
	n, _ := strconv.Atoi(q.Get("n"))
	if change := q.Get("change"); change != "" {
		if !isChange(change) {
			return repo.Version{}, errNoChange
		}
		var err error
		n, err = s.ws.VersionOf(ctx, path, change)
		if errors.Is(err, repo.ErrNotFound) || errors.Is(err, repo.ErrInvalid) {
			return repo.Version{}, errNoChange
		}
		if err != nil {
			return repo.Version{}, err
		}
		n = max(n, 1)
	}
	version, err := s.ws.Version(ctx, path, max(n, 0))
	if errors.Is(err, repo.ErrNotFound) && n > 0 {
		version, err = s.ws.Version(ctx, path, 0)
	}
	if errors.Is(err, repo.ErrNotFound) {
		return version, errNoNote
	}
	return version, err
}

// restorePage asks whether a file is put back, and says what that does.
type restorePage struct {
	To, CSRF, Path, Hash string
	Change               changeView
	State                string
	Diff                 []diffLine
	Back                 string
	Fault                string
}

// askRestore says what putting a file back would do.
func (p *Panel) askRestore(v *visit) error {
	s, path, kind, err := p.fileSpace(v, v.r.URL.Query())
	if err != nil {
		return err
	}
	if kind == policy.Log {
		return errLog
	}
	if !isChange(v.r.URL.Query().Get("change")) {
		return errNoChange
	}
	p.takeIn(v, s)
	version, err := p.version(v, s, path)
	if err != nil {
		return err
	}
	now, err := s.ws.Read(v.r.Context(), path)
	if err != nil {
		return err
	}
	page := restorePage{
		To: s.Base + "/restore", CSRF: v.csrf, Path: path, Hash: now.Hash, State: string(version.Row.Change),
		Change: v.viewOf(version.Row, s.Base, p.store.Config().LocationOf(s.ID), 0), Back: s.pastURL(path, version.N),
	}
	m := p.meta()
	m.DryRun = true
	receipt, err := s.ws.RestoreOver(v.r.Context(), m, path, page.State, repo.Expect{Hash: now.Hash})
	if err != nil {
		status, sentence := p.Meaning(err)
		if status >= http.StatusInternalServerError {
			return err
		}
		page.Fault = v.told(sentenced(sentence))
	}
	for _, row := range receipt.Rows {
		if row.Path == path {
			page.Diff = parseDiff(row.Diff, 20_000)
		}
	}
	p.show(v, http.StatusOK, "restore", v.say("Put it back"), &s, page)
	return nil
}

// restore puts a file back over the text that the page was made from, or not at all.
func (p *Panel) restore(v *visit) error {
	form := v.r.PostForm
	s, path, kind, err := p.fileSpace(v, form)
	if err != nil {
		return err
	}
	if kind == policy.Log {
		return errLog
	}
	if !isChange(form.Get("change")) {
		return errNoChange
	}
	receipt, err := s.ws.RestoreOver(v.r.Context(), p.meta(), path, form.Get("change"), repo.Expect{Hash: form.Get("hash")})
	switch {
	case errors.Is(err, repo.ErrStale) || errors.Is(err, repo.ErrNeedHash):
		return errMoved
	case errors.Is(err, repo.ErrNotFound):
		return errNoChange
	case err != nil:
		return err
	}
	did := "restored"
	if receipt.Change == "" {
		did = "same"
	}
	return v.done(s.fileURL(path), did, string(receipt.Change))
}

var errMoved = &faulty{http.StatusConflict, msg("The file changed since the page was shown. Nothing was done: look at it again.")}
