package repo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quipu/repo/internal/git"
)

// The files, in the history's own folder, of what is set for a remote, of its token,
// which only its owner can read, and of how the last sync went. They are never pushed.
const (
	remoteFile = "remote.json"
	tokenFile  = "remote-token"
	syncFile   = "sync.json"
)

// tokenVar is the environment variable that wins over the token on the disk.
const tokenVar = "QUIPU_REMOTE_TOKEN"

// Remote is another copy of a workspace's history, by which machines share it. JSON.
type Remote struct {
	URL        string `json:"url"`                  // https, ssh, or a folder; never with a password
	Branch     string `json:"branch,omitempty"`     // there; empty is ours, or the one that it opens with
	User       string `json:"user,omitempty"`       // who signs in, where the address does not say
	Key        string `json:"key,omitempty"`        // path of an ssh private key; empty is the person's own
	KnownHosts string `json:"knownHosts,omitempty"` // path of a known_hosts file that is used alone
	CA         string `json:"ca,omitempty"`         // path of a PEM file with what https trusts
}

// SyncState is how a workspace stands to its remote. JSON.
type SyncState struct {
	URL     string    `json:"url,omitempty"`    // of the remote that this is about
	Tried   time.Time `json:"tried,omitzero"`   // the last sync
	Success time.Time `json:"success,omitzero"` // the last that came to its end
	Fault   string    `json:"fault,omitempty"`  // of the last; "" when it came to its end
	Branch  string    `json:"branch,omitempty"` // at the remote
	Head    string    `json:"head,omitempty"`   // its newest commit, as it was read last
	Ahead   int       `json:"ahead"`            // our changes that it does not have
	Behind  int       `json:"behind"`           // its changes that we do not have
	// Holds: it refuses the history that an erasure made and still has the old one; no
	// other change is pushed until it takes it.
	Holds bool   `json:"holds,omitempty"`
	Zone  string `json:"zone,omitempty"` // in which days are counted wherever the memory is shared
	// InSync: the last sync came to its end, and nothing was changed since, an edit that
	// is not taken in yet among it. Standing alone finds it out.
	InSync bool `json:"inSync"`
}

// remoteToken is a token on the disk. It is of one address: it never goes to another, at
// whatever moment the remote is set anew.
type remoteToken struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

// Remote gives what is set; ok is false when nothing is.
func (w *Workspace) Remote() (r Remote, ok bool, err error) {
	b, err := readSmall(filepath.Join(w.git.Own(), remoteFile))
	if err != nil || len(b) == 0 {
		return r, false, err
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return r, false, fmt.Errorf("%s: %w", remoteFile, err)
	}
	return r, true, nil
}

// IsFolder says whether the remote is a folder of this machine.
func (r Remote) IsFolder() bool {
	at, err := git.CheckURL(r.URL)
	return err == nil && at.Scheme == "file"
}

// CheckRemote refuses what can be no remote, without asking for it. ErrInvalid.
func CheckRemote(r Remote) error {
	if _, err := git.CheckURL(r.URL); err != nil {
		return wrapf(ErrInvalid, "%s", err.Error())
	}
	if r.Branch != "" && !git.ValidBranch(r.Branch) {
		return wrapf(ErrInvalid, "%q is no branch", oneLine(r.Branch))
	}
	for name, path := range map[string]string{"key": r.Key, "knownHosts": r.KnownHosts, "ca": r.CA} {
		if path != "" && !filepath.IsAbs(path) {
			return wrapf(ErrInvalid, "%s must be the whole path of a file", name)
		}
	}
	return nil
}

// SetRemote sets the remote; token, when it is not nil, is kept for it, "" for none.
// Nothing is asked over the network. ErrInvalid.
func (w *Workspace) SetRemote(r Remote, token *string) error {
	r.URL = strings.TrimSpace(r.URL)
	if err := CheckRemote(r); err != nil {
		return err
	}
	old, had, err := w.Remote()
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if had && old.URL != r.URL { // what was known is of another place; so is its token
		if err := errors.Join(w.removeOwn(syncFile), w.removeOwn(tokenFile)); err != nil {
			return err
		}
	}
	if token != nil {
		err = w.removeOwn(tokenFile)
		if *token != "" {
			err = w.keepToken(remoteToken{r.URL, *token})
		}
	}
	if err != nil {
		return fmt.Errorf("keep the token: %w", err)
	}
	return w.writeOwn(remoteFile, append(b, '\n'))
}

// DropRemote forgets the remote and its token; the remote itself is left as it is. ok is
// false when none was set.
func (w *Workspace) DropRemote() (ok bool, err error) {
	_, ok, err = w.Remote()
	return ok, errors.Join(err, w.removeOwn(remoteFile), w.removeOwn(tokenFile), w.removeOwn(syncFile))
}

func (w *Workspace) keepToken(k remoteToken) error {
	b, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return w.writeOwn(tokenFile, b)
}

// tokenOf is the token that is kept for an address, "" for none.
func (w *Workspace) tokenOf(url string) (string, error) {
	b, err := readSmall(filepath.Join(w.git.Own(), tokenFile))
	if err != nil || len(b) == 0 {
		return "", err
	}
	var k remoteToken
	if json.Unmarshal(b, &k) != nil { // its own words would repeat part of it
		return "", wrapf(ErrState, "the token of the remote cannot be read; set it again")
	}
	if k.URL != url {
		return "", nil
	}
	return k.Token, nil
}

func (w *Workspace) removeOwn(name string) error {
	err := os.Remove(filepath.Join(w.git.Own(), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// transport is the remote as the floor below takes it. ErrNotFound when none is set.
func (w *Workspace) transport() (git.Remote, Remote, error) {
	r, ok, err := w.Remote()
	if err != nil {
		return git.Remote{}, r, err
	}
	if !ok {
		return git.Remote{}, r, wrapf(ErrNotFound, "no remote is set")
	}
	token := os.Getenv(tokenVar)
	if token == "" {
		if token, err = w.tokenOf(r.URL); err != nil {
			return git.Remote{}, r, err
		}
	}
	return git.Remote{
		URL: r.URL, Transport: w.store.Config().Sync.Transport, Token: token, User: r.User, Key: r.Key, KnownHosts: r.KnownHosts, CA: r.CA,
	}, r, nil
}

// RemoteTest is what a remote says of itself.
type RemoteTest struct {
	Branches []string `json:"branches"`
	Head     string   `json:"head"` // the branch that it opens with
	Empty    bool     `json:"empty"`
}

// TestRemote asks the remote what it holds and changes nothing. ErrNotFound, ErrRemote.
func (w *Workspace) TestRemote(ctx context.Context) (RemoteTest, error) {
	out := RemoteTest{Branches: []string{}}
	m, _, err := w.transport()
	if err != nil {
		return out, err
	}
	state, err := w.git.RemoteRefs(ctx, m)
	if err != nil {
		return out, remoteError(err)
	}
	for ref := range state.Refs {
		if name, ok := strings.CutPrefix(ref, headsRef); ok {
			out.Branches = append(out.Branches, name)
		}
	}
	out.Head, out.Empty = strings.TrimPrefix(state.Head, headsRef), state.Empty()
	return out, nil
}

// SyncState gives how the workspace stood to its remote after the last sync; zero when it
// was never synced. What was changed since is not in it: see Standing.
func (w *Workspace) SyncState() SyncState {
	var s SyncState
	b, err := readSmall(filepath.Join(w.git.Own(), syncFile))
	if err == nil && len(b) > 0 {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		w.log.Warn("how the last sync went is not known", "err", err)
	}
	return s
}

func (w *Workspace) keepSyncState(s SyncState) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return w.writeOwn(syncFile, b)
}

// remoteError gives a fault of a remote its meaning here.
func remoteError(err error) error {
	if err != nil && git.FaultOf(err) != 0 {
		return wrapf(ErrRemote, "%s", err.Error())
	}
	return gitError(err)
}
