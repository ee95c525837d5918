package server

import (
	"context"
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

// shared opens what the path names: a bot, else About me, which is nil when nothing was
// ever written to it.
func (s *Server) shared(r *http.Request) (*repo.Workspace, error) {
	if isProfile(r) {
		return s.me(r.Context())
	}
	return s.workspace(r)
}

// isProfile says whether a route is one of About me.
func isProfile(r *http.Request) bool { return pathPart(r, "id") == "" }

// withRemote is shared for what needs a remote: an About me that is not there has none.
func (s *Server) withRemote(r *http.Request) (*repo.Workspace, error) {
	ws, err := s.shared(r)
	if err == nil && ws == nil {
		err = noRemote()
	}
	return ws, err
}

func noRemote() *problem {
	return &problem{status: http.StatusNotFound, code: "not_found", sentence: "no remote is set"}
}

func (s *Server) showRemote(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.withRemote(r)
	if err != nil {
		return err
	}
	return sendRemote(w, r, ws)
}

func sendRemote(w http.ResponseWriter, r *http.Request, ws *repo.Workspace) error {
	got, err := ws.Shared(r.Context())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, got)
	return nil
}

// putRemote sets the remote anew. A token that is left out stays, where the address does.
func (s *Server) putRemote(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.shared(r)
	if err != nil {
		return err
	}
	var m repo.Remote
	var branch, user, key, hosts, ca, token *string
	if err := decode(w, r, mustText("url", &m.URL), text("branch", &branch), text("user", &user), text("key", &key),
		text("knownHosts", &hosts), text("ca", &ca), text("token", &token)); err != nil {
		return err
	}
	m.Branch, m.User, m.Key, m.KnownHosts, m.CA = valueOf(branch), valueOf(user), valueOf(key), valueOf(hosts), valueOf(ca)
	if err := repo.CheckRemote(m); err != nil {
		return err
	}
	if m.IsFolder() && !local(r) {
		return forbidden("a folder of this machine is set as a remote by somebody at this machine")
	}
	if ws == nil { // it may be at the remote
		if ws, err = s.store.MakeMe(r.Context(), ""); err != nil {
			return err
		}
		s.used(ws)
	}
	if err := ws.SetRemote(m, token); err != nil {
		return err
	}
	return sendRemote(w, r, ws)
}

func (s *Server) dropRemote(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.withRemote(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	ok, err := ws.DropRemote()
	if err != nil {
		return err
	}
	if !ok {
		return noRemote()
	}
	send(w, http.StatusOK, map[string]bool{"ok": true})
	return nil
}

// testRemote asks the remote what it holds, and changes nothing.
func (s *Server) testRemote(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.withRemote(r)
	if err != nil {
		return err
	}
	if err := noBody(w, r); err != nil {
		return err
	}
	patient(w)
	got, err := ws.TestRemote(r.Context())
	if err != nil {
		return err
	}
	send(w, http.StatusOK, got)
	return nil
}

// sync brings both sides together; with preview it only counts. It ends with the request:
// what it had done by then stands, and the next one does the rest.
func (s *Server) sync(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.withRemote(r)
	if err != nil {
		return err
	}
	o, preview, err := decodeSync(w, r)
	if err != nil {
		return err
	}
	patient(w)
	got, err := ws.Sync(r.Context(), repo.Meta{Author: s.person(), Via: repo.ViaAPI, DryRun: preview}, o)
	if err != nil {
		return err
	}
	send(w, http.StatusOK, got)
	return nil
}

func decodeSync(w http.ResponseWriter, r *http.Request) (o repo.Syncing, preview bool, err error) {
	if r.ContentLength == 0 {
		return o, false, nil
	}
	var pull, push, dry *bool
	var unrelated *string
	if err := decode(w, r, flag("pullOnly", &pull), flag("pushOnly", &push), text("unrelated", &unrelated), flag("preview", &dry)); err != nil {
		return o, false, err
	}
	o = repo.Syncing{PullOnly: isTrue(pull), PushOnly: isTrue(push), Unrelated: valueOf(unrelated)}
	switch {
	case o.PullOnly && o.PushOnly:
		return o, false, invalid("pullOnly and pushOnly exclude each other; without them both is done")
	case o.Unrelated != "" && o.Unrelated != repo.UnrelatedJoin && o.Unrelated != repo.UnrelatedAdopt:
		return o, false, invalid("unrelated must be join or adopt")
	}
	return o, isTrue(dry), nil
}

func isTrue(b *bool) bool { return b != nil && *b }

// conflicts lists the notes that two sides changed differently.
func (s *Server) conflicts(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.shared(r)
	if err != nil {
		return err
	}
	list := []repo.OpenConflict{}
	if ws != nil {
		if list, err = ws.Conflicts(); err != nil {
			return err
		}
	}
	send(w, http.StatusOK, map[string]any{"conflicts": list})
	return nil
}

// resolve ends one conflict and answers with its file.
func (s *Server) resolve(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.shared(r)
	if err != nil {
		return err
	}
	var path, keep string
	var line *int
	if err := decode(w, r, mustText("path", &path), number("line", &line).needed(), mustText("keep", &keep)); err != nil {
		return err
	}
	check := policy.CheckNote
	if isProfile(r) {
		check = onlyAbout
	}
	if _, err := check(path); err != nil {
		return err
	}
	if ws == nil {
		return &problem{status: http.StatusNotFound, code: "not_found", sentence: "there is no such conflict"}
	}
	receipt, err := ws.Resolve(r.Context(), repo.Meta{Author: s.person(), Via: repo.ViaUI}, path, *line, keep)
	if err != nil {
		return oddFile(r.Context(), ws, path, err)
	}
	if isProfile(r) {
		s.sendAboutMe(w, r, ws, receipt)
		return nil
	}
	s.sendFile(w, r, ws, path, receipt)
	return nil
}

// sendAboutMe answers with About me as it stands after a change.
func (s *Server) sendAboutMe(w http.ResponseWriter, r *http.Request, ws *repo.Workspace, receipt repo.Receipt) {
	t := s.textAfter(r.Context(), ws, policy.AboutFile, receipt)
	tag(w, t)
	send(w, http.StatusOK, aboutFile{true, shownFile(t), rowOf(receipt, policy.AboutFile)})
}

// toRemote is how a workspace stands to its remote, for the owner alone: where a person
// keeps copies is told to no bot and no member. nil when no remote is set.
func (s *Server) toRemote(ctx context.Context, ws *repo.Workspace) *repo.SyncState {
	if t, _ := ctx.Value(tokenKey{}).(repo.Token); t.Role != repo.RoleOwner {
		return nil
	}
	state, err := ws.Standing(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "what is set for the remote cannot be read", "bot", ws.ID(), "err", err)
	}
	return state
}

// remoteWarnings tells of each workspace whose last sync failed, or whose remote holds
// what was erased.
func (s *Server) remoteWarnings(ctx context.Context) []string {
	var out []string
	for _, id := range s.store.WithRemote() {
		ws, err := s.store.OpenAny(ctx, id)
		if err != nil {
			continue // it is not ready for anything else either
		}
		switch state := ws.SyncState(); {
		case state.Fault != "":
			out = append(out, string(id)+": the last sync failed: "+state.Fault)
		case state.Holds:
			out = append(out, string(id)+": the remote still holds what was erased here")
		}
	}
	return out
}
