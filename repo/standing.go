package repo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"quipu/repo/internal/git"
)

// Shared is what is set for a remote, and how a workspace stands to it. The token itself
// is never told. JSON.
type Shared struct {
	Remote
	Token   bool      `json:"token"` // one is kept
	State   SyncState `json:"state"`
	Notices []string  `json:"notices"` // what the person should know of these settings
}

// Shared gives what is set for the remote and how both sides stand. ErrNotFound when none
// is set.
func (w *Workspace) Shared(ctx context.Context) (Shared, error) {
	r, ok, err := w.Remote()
	if err != nil {
		return Shared{}, err
	}
	if !ok {
		return Shared{}, wrapf(ErrNotFound, "no remote is set")
	}
	out := Shared{Remote: r, State: w.standing(ctx, r), Notices: []string{}}
	token, err := w.tokenOf(r.URL)
	out.Token = token != ""
	if err != nil {
		out.Notices = append(out.Notices, err.Error())
	}
	switch at, err := git.CheckURL(r.URL); {
	case err != nil:
		out.Notices = append(out.Notices, err.Error())
	case at.Plain:
		out.Notices = append(out.Notices, "over http all that is sent to "+at.Host+", a token among it, can be read and altered on its way; use https where the host has it")
	case out.Token && at.Scheme != "https" && at.Scheme != "http":
		out.Notices = append(out.Notices, "a token is for https; this remote is not sent it")
	}
	return out, nil
}

// Standing says how the workspace stands to its remote, with what was changed since the
// last sync; nil when no remote is set. Nothing is asked over the network.
func (w *Workspace) Standing(ctx context.Context) (*SyncState, error) {
	r, ok, err := w.Remote()
	if err != nil || !ok {
		return nil, err
	}
	return new(w.standing(ctx, r)), nil
}

func (w *Workspace) standing(ctx context.Context, r Remote) SyncState {
	s := w.SyncState()
	if s.URL != r.URL { // of another remote: a sync was on its way when this one was set
		s = SyncState{URL: r.URL}
	}
	known, err := w.stand(ctx, &s)
	if err != nil {
		w.log.Warn("how both sides stand is not known", "err", err)
	}
	if known && s.Fault == "" && !s.Holds && !s.Success.IsZero() && s.Ahead+s.Behind == 0 {
		edited, _, err := w.git.Scan()
		left, lerr := w.erasures()
		s.InSync = err == nil && lerr == nil && len(edited)+len(left) == 0
	}
	return s
}

// stand counts what each side has that the other has not, as the remote was read last;
// known is false when that cannot be counted.
func (w *Workspace) stand(ctx context.Context, s *SyncState) (known bool, err error) {
	last, ok := git.ParseHash(s.Head)
	ok = ok && !s.Holds // of what was dropped nothing counts
	if ok && !w.git.Has(last) {
		dropped, err := w.dropped()
		if err != nil {
			return false, err
		}
		if !dropped[last] { // it was read, and could not be fetched
			s.Behind = max(1, s.Behind)
			return false, nil
		}
		s.Holds, ok = true, false
	}
	if !ok { // all is ours
		x, err := w.history(ctx)
		if err == nil {
			s.Ahead, err = x.Count(ctx)
		}
		s.Behind = 0
		return err == nil, err
	}
	head, err := w.git.Position()
	if err != nil {
		return false, gitError(err)
	}
	rel, err := w.git.Relate(ctx, head, last)
	if err != nil {
		return false, gitError(err)
	}
	s.Ahead, s.Behind = len(rel.Ours), len(rel.Theirs)
	return true, nil
}

// SyncStamp changes whenever how the last sync went does: what a reader looks at before
// it reads.
func (w *Workspace) SyncStamp() string { return w.stampOf(syncFile) }

func (w *Workspace) stampOf(name string) string {
	fi, err := os.Stat(filepath.Join(w.git.Own(), name))
	if err != nil {
		return ""
	}
	return fmt.Sprint(fi.ModTime().UnixNano(), " ", fi.Size())
}

// WithRemote lists the workspaces that have a remote, About me among them, by id. None is
// opened for it.
func (s *Store) WithRemote() []ID { return s.having(remoteFile) }
