package panel

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"time"

	"quipu/repo"
)

// syncLimit is how long a page waits for a remote. What a sync had done by then stands,
// and the next one does the rest.
const syncLimit = 10 * time.Minute

// remotePage is how a memory is shared: what is set, how both sides stand, and what a form
// of this page came to.
type remotePage struct {
	Space     *space
	Set       bool
	Remote    repo.Remote // as it is set, or as it was typed
	Address   string      // as it is shown
	Transport string
	Token     bool
	State     repo.SyncState
	Standing  []string
	Notices   []string
	Conflicts int
	CSRF      string

	Did       []string // what the form came to, a sentence each
	Undo      string
	Fault     string
	Unrelated bool // the remote was refused for its other history
	Open      bool // the settings are shown
	Remove    bool // it is asked whether the remote is to be forgotten
}

// Special says whether something is set that most remotes do without.
func (p remotePage) Special() bool {
	return p.Remote.User+p.Remote.Key+p.Remote.KnownHosts+p.Remote.CA != ""
}

// remote shows how a memory is shared, or asks before it no longer is.
func (p *Panel) remote(v *visit) error {
	page, s, err := p.remoteOf(v)
	if err != nil {
		return err
	}
	page.Remove = page.Set && v.r.URL.Query().Has("remove")
	p.show(v, http.StatusOK, "remote", v.say("Remote"), &s, page)
	return nil
}

// remoteOf reads what is set. An About me that was never written has no remote.
func (p *Panel) remoteOf(v *visit) (remotePage, space, error) {
	s, err := p.space(v)
	if s.Me && errors.Is(err, repo.ErrNotFound) {
		s.ws, err = nil, nil
	}
	page := remotePage{Space: &s, CSRF: v.csrf, Transport: p.store.Config().Sync.Transport}
	if err != nil || s.ws == nil {
		return page, s, err
	}
	got, err := s.ws.Shared(v.r.Context())
	if errors.Is(err, repo.ErrNotFound) {
		return page, s, nil
	}
	if err != nil {
		return page, s, err
	}
	open, err := s.ws.Conflicts()
	if err != nil {
		return page, s, err
	}
	page.Set, page.Remote, page.Address, page.Token = true, got.Remote, masked(got.URL), got.Token
	page.State, page.Standing, page.Conflicts = got.State, p.standing(v, s, got.State), len(open)
	for _, n := range got.Notices {
		page.Notices = append(page.Notices, v.told(sentenced(n)))
	}
	return page, s, nil
}

// password is the secret part of an address. None is taken into the settings, but the file
// may have been written by hand.
var password = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*://[^/@:]*):[^/@]*@`)

func masked(address string) string { return password.ReplaceAllString(address, "$1:…@") }

// standing says how both sides stand, a sentence each, the most important first.
func (p *Panel) standing(v *visit, s space, st repo.SyncState) []string {
	loc := p.store.Config().LocationOf(s.ID)
	var list []string
	switch {
	case st.InSync:
		list = append(list, v.say("In sync."))
	case st.Tried.IsZero():
		list = append(list, v.say("Never synced yet."))
	}
	if st.Ahead > 0 {
		list = append(list, v.several(st.Ahead, "1 change here is not at the remote yet.", "%d changes here are not at the remote yet."))
	}
	if st.Behind > 0 {
		list = append(list, v.several(st.Behind, "1 change there is not here yet.", "%d changes there are not here yet."))
	}
	if !st.InSync && !st.Tried.IsZero() && st.Ahead+st.Behind == 0 && st.Fault == "" && !st.Holds {
		list = append(list, v.say("Something was edited outside since the last sync."))
	}
	if !st.Success.IsZero() {
		list = append(list, v.say("Last synced %s.", v.minute(st.Success.In(loc))))
	}
	if !st.Tried.IsZero() && !st.Tried.Equal(st.Success) {
		list = append(list, v.say("Last tried %s.", v.minute(st.Tried.In(loc))))
	}
	return list
}

// changeRemote does what a form of the page asks for, and shows the page with what came of it.
func (p *Panel) changeRemote(v *visit) error {
	page, s, err := p.remoteOf(v)
	if err != nil {
		return err
	}
	do := v.r.PostForm.Get("do")
	switch {
	case do == "set":
		return p.setRemote(v, page, s)
	case !page.Set:
		return &faulty{http.StatusConflict, msg("No remote is set any more. Nothing was done.")}
	case do == "remove":
		if _, err := s.ws.DropRemote(); err != nil {
			return err
		}
		return v.done(s.Base+"/remote", "unshared", "")
	}
	ctl := http.NewResponseController(v.w)
	_ = errors.Join(ctl.SetReadDeadline(time.Time{}), ctl.SetWriteDeadline(time.Time{})) // a sync takes longer than a page
	ctx, end := context.WithTimeout(v.r.Context(), syncLimit)
	defer end()
	did, undo, err := p.askRemote(ctx, v, s, do)
	if own, ok := errors.AsType[*faulty](err); ok {
		return own
	}
	page, s, rerr := p.remoteOf(v) // it stands otherwise by now
	if rerr != nil {
		return errors.Join(err, rerr)
	}
	page.Did, page.Undo = did, undo
	status := p.remoteFault(v, &page, err)
	p.show(v, status, "remote", v.say("Remote"), &s, page)
	return nil
}

// remoteFault writes an error of a remote on its page.
func (p *Panel) remoteFault(v *visit, page *remotePage, err error) (status int) {
	switch {
	case err == nil:
		return http.StatusOK
	case errors.Is(err, repo.ErrUnrelated):
		page.Unrelated = true
		page.Fault = v.say("The remote holds another history, which has nothing in common with this one. Nothing was changed.")
		return http.StatusConflict
	case errors.Is(err, context.DeadlineExceeded):
		page.Fault = v.say("It took longer than ten minutes and was ended. What it had done stands; the next sync does the rest.")
		return http.StatusGatewayTimeout
	}
	status, sentence := p.Meaning(err)
	if status >= http.StatusInternalServerError {
		p.Log.Warn("the remote", "bot", page.Space.ID, "err", err)
	}
	page.Fault = v.told(sentenced(sentence))
	if page.Fault == page.State.Fault {
		page.State.Fault = ""
	}
	return status
}

// askRemote syncs, counts what a sync would do, or asks the remote what it holds.
func (p *Panel) askRemote(ctx context.Context, v *visit, s space, do string) (did []string, undo string, err error) {
	m, o := p.meta(), repo.Syncing{}
	switch do {
	case "test":
		got, err := s.ws.TestRemote(ctx)
		switch {
		case err != nil:
			return nil, "", err
		case got.Empty:
			return []string{v.say("It answers, and is empty.")}, "", nil
		}
		return []string{v.several(len(got.Branches), "It answers: it has 1 branch, and opens with %[2]s.", "It answers: it has %[1]d branches, and opens with %[2]s.", cmp.Or(got.Head, "-"))}, "", nil
	case "preview":
		m.DryRun = true
	case "sync":
	case repo.UnrelatedJoin, repo.UnrelatedAdopt:
		o.Unrelated = do
	default:
		return nil, "", &faulty{http.StatusBadRequest, msg("This form names nothing to do.")}
	}
	got, err := s.ws.Sync(ctx, m, o)
	if err != nil {
		return nil, "", err
	}
	if got.DryRun {
		return v.wouldSync(got), "", nil
	}
	if got.Change != "" {
		undo = s.Base + "/undo/" + string(got.Change)
	}
	return v.synced(got), undo, nil
}

// wouldSync says what a sync would do.
func (v *visit) wouldSync(got repo.Synced) []string {
	come, goes := v.say("Nothing would come."), v.say("Nothing would go.")
	if got.Pulled > 0 {
		come = v.several(got.Pulled, "1 change would come.", "%d changes would come.")
	}
	if got.Pushed > 0 {
		goes = v.several(got.Pushed, "1 change would go.", "%d changes would go.")
	}
	return []string{come, goes, v.say("Nothing was changed.")}
}

// synced says what a sync came to.
func (v *visit) synced(got repo.Synced) []string {
	var list []string
	for _, part := range []struct {
		n          int
		one, other string
	}{
		{got.Pulled, msg("1 change came."), msg("%d changes came.")},
		{got.Replayed, msg("1 change was made again on the history that an erasure made."), msg("%d changes were made again on the history that an erasure made.")},
		{got.Pushed, msg("1 change went."), msg("%d changes went.")},
		{got.Ahead, msg("1 change is not pushed yet."), msg("%d changes are not pushed yet.")},
		{got.Behind, msg("1 change is not pulled yet."), msg("%d changes are not pulled yet.")},
		{len(got.Conflicts), msg("1 note was changed on both sides: both wordings stand."), msg("%d notes were changed on both sides: both wordings stand.")},
	} {
		if part.n > 0 {
			list = append(list, v.several(part.n, part.one, part.other))
		}
	}
	if got.Merged {
		list = append(list, v.say("Both sides had changed, and were merged note by note."))
	}
	if got.Ahead+got.Behind == 0 {
		list = append(list, v.say("In sync with the branch %s.", got.Branch))
	}
	for _, n := range got.Notes {
		list = append(list, v.told(sentenced(n)))
	}
	return list
}

// setRemote sets the remote anew. A token that is left out stays, where the address does.
func (p *Panel) setRemote(v *visit, page remotePage, s space) error {
	f := v.r.PostForm
	text := func(name string) string { return strings.TrimSpace(f.Get(name)) }
	r := repo.Remote{URL: text("url"), Branch: text("branch"), User: text("user"), Key: text("key"), KnownHosts: text("knownHosts"), CA: text("ca")}
	var token *string
	if t := text("token"); t != "" || f.Has("forget") {
		token = new(t)
	}
	err := repo.CheckRemote(r)
	if err == nil && r.IsFolder() && !p.Local(v.r) {
		err = errFolder
	}
	if err == nil && s.ws == nil { // About me may be at the remote
		if s.ws, err = p.store.MakeMe(v.r.Context(), ""); err == nil {
			p.Used(s.ws)
		}
	}
	if err == nil {
		err = s.ws.SetRemote(r, token)
	}
	if err == nil {
		return v.done(s.Base+"/remote", "shared", "")
	}
	if !errors.Is(err, repo.ErrInvalid) {
		return err
	}
	page.Remote, page.Open = r, true
	status := p.remoteFault(v, &page, err)
	p.show(v, status, "remote", v.say("Remote"), &s, page)
	return nil
}
