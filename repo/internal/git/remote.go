package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"
)

// The ways to talk to a remote. The zero value is ViaAuto.
const (
	ViaAuto  = "auto"   // the git program where it is installed, else go-git
	ViaGit   = "git"    // the git program: the person's ssh config, agents, credential helpers and proxies count
	ViaGoGit = "go-git" // in this process: needs nothing but the network
)

// Remote is another copy of the history, and how to get at it.
type Remote struct {
	URL        string        // see CheckURL
	Transport  string        // ViaAuto, ViaGit, ViaGoGit; "" is ViaAuto
	Token      string        // for https; it goes to the address's own host and nowhere else
	User       string        // who signs in, where the address does not say; "" is "git" for https with a token
	Key        string        // path of an ssh private key without passphrase; "" is the agent and the person's own
	KnownHosts string        // path of a known_hosts file that is used strictly, alone; "" is the person's own
	CA         string        // path of a PEM file with the certificates that https trusts; "" is the system's
	Limit      time.Duration // how long nothing may move; 0 is 20 s
	Most       int64         // bytes that one fetch may bring; 0 is 1 GiB
}

// RemoteState is what a remote holds.
type RemoteState struct {
	Refs map[string]Hash // every ref by its whole name; without HEAD and peeled tags
	Head string          // the branch that HEAD names, as refs/heads/main; "" when it tells none
}

// Empty says that the remote has no branch, tag or other ref yet.
func (s RemoteState) Empty() bool { return len(s.Refs) == 0 }

// RefPush asks a remote to set one ref.
type RefPush struct {
	Ref    string // whole name, at the remote
	Local  Hash   // the new value, which our history holds; zero takes the ref away
	Expect Hash   // the value that it must have now; zero: it must not exist
	Force  bool   // Local need not contain Expect
}

// Outcome is what became of a RefPush.
type Outcome uint8

// The outcomes of a RefPush.
const (
	RefPushed   Outcome = iota + 1 // the remote has it
	RefSame                        // the remote had it already
	RefMoved                       // not sent, or refused: the ref has another value than Expect
	RefDiverged                    // not sent: Local does not contain Expect, and Force is not set
	RefRejected                    // the server refuses it; Said has its words
	RefHeld                        // not sent, or taken back, because another ref of the same push was refused
)

// RefResult is the outcome for one ref.
type RefResult struct {
	Ref     string
	Outcome Outcome
	Said    string // the server's words, cleaned and cut
}

// carrier is one way to talk to one remote.
type carrier interface {
	refs(ctx context.Context) (RemoteState, error)
	// fetch brings the objects of refs into the quarantine and says what each ref names.
	fetch(ctx context.Context, in *quarantine, refs []string) (map[string]Hash, error)
	// push sends what passed our own checks.
	push(ctx context.Context, q *quarantine, pushes []RefPush) ([]RefResult, error)
}

// endpoint is a remote whose settings were checked.
type endpoint struct {
	Remote
	at Address
}

func (m Remote) endpoint() (*endpoint, error) {
	at, err := CheckURL(m.URL)
	if err != nil {
		return nil, err
	}
	e := &endpoint{m, at}
	if e.at.User == "" && at.Scheme != "file" {
		e.at.User = m.User
	}
	if e.at.User == "" && m.Token != "" && at.Scheme != "ssh" {
		e.at.User = "git"
	}
	if e.Limit <= 0 {
		e.Limit = remoteLimit
	}
	if e.Most <= 0 {
		e.Most = 1 << 30
	}
	if e.at.User != "" && !wholeUser.MatchString(e.at.User) {
		return nil, badAddress(at.place(), "its user has characters that no user has")
	}
	for _, s := range []string{m.Token, m.Key, m.KnownHosts, m.CA} {
		if strings.ContainsFunc(s, unicode.IsControl) {
			return nil, badAddress(at.place(), "its token, or the name of one of its files, holds control characters")
		}
	}
	return e, nil
}

func (r *Repo) carrier(m Remote) (carrier, *endpoint, error) {
	e, err := m.endpoint()
	if err != nil {
		return nil, nil, err
	}
	if e.at.Scheme == "file" {
		switch there, dir := e.at.folder(); {
		case !there:
			return nil, nil, e.at.faultf(FaultNotFound, "there is no such folder")
		case !dir:
			return nil, nil, e.at.faultf(FaultNotGit, "it is a file")
		}
	}
	_, missing := exec.LookPath("git")
	installed := missing == nil
	switch {
	case m.Transport == ViaGoGit, !installed && (m.Transport == "" || m.Transport == ViaAuto):
		return &wireCarrier{e}, e, nil
	case m.Transport != "" && m.Transport != ViaAuto && m.Transport != ViaGit:
		return nil, nil, fmt.Errorf("transport %q is none of auto, git, go-git", m.Transport)
	case !installed:
		return nil, nil, e.at.faultf(FaultNoGit, "the transport is set to git")
	}
	return &gitCarrier{e}, e, nil
}

// RemoteRefs asks a remote what it holds. RemoteError, or the context's error.
func (r *Repo) RemoteRefs(ctx context.Context, m Remote) (RemoteState, error) {
	c, _, err := r.carrier(m)
	if err != nil {
		return RemoteState{}, err
	}
	state, err := c.refs(ctx)
	return state, ended(ctx, err)
}

// Fetch brings refs of a remote, by whole name, with all that they hold, and sets our
// refs (refs/remotes/..., or others outside refs/heads) to them. It gives what each
// remote ref names. All objects are checked, on the disk, and connected before a ref
// moves; after an error nothing has changed. Nothing of it is checked out or executed,
// and no tags, submodules or configuration come along. RemoteError, ErrBusy, or the
// context's error.
func (r *Repo) Fetch(ctx context.Context, m Remote, refs map[string]string) (map[string]Hash, error) {
	for from, to := range refs {
		if !wholeRef(from) || !wholeRef(to) || strings.HasPrefix(to, branchPrefix) {
			return nil, fmt.Errorf("fetch %q to %q: not a whole ref name, or one of our own branches", from, to)
		}
	}
	c, e, err := r.carrier(m)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	in, err := r.openQuarantine()
	if err != nil {
		return nil, e.local(err)
	}
	defer in.remove()
	got, err := c.fetch(ctx, in, slices.Sorted(maps.Keys(refs)))
	if err != nil {
		return nil, ended(ctx, e.local(err))
	}
	moves := map[string]Hash{}
	for from, to := range refs {
		moves[to] = got[from]
		if strings.HasPrefix(from, branchPrefix) {
			in.branches = append(in.branches, got[from])
		}
	}
	if err := r.admit(ctx, in, moves); err != nil {
		return nil, ended(ctx, e.local(err))
	}
	return got, nil
}

// Push sets refs of a remote to commits of ours, each only when it has the value that is
// expected; all or none where the server can. A ref that would lose commits is refused
// here unless Force is set. The results stand in the order of the pushes; they are
// complete whenever the error is nil. RemoteError, or the context's error.
func (r *Repo) Push(ctx context.Context, m Remote, pushes []RefPush) ([]RefResult, error) {
	c, e, err := r.carrier(m)
	if err != nil {
		return nil, err
	}
	out := make([]RefResult, len(pushes))
	refused := false
	for i, p := range pushes {
		if !wholeRef(p.Ref) {
			return nil, fmt.Errorf("push to %q: not a whole ref name", p.Ref)
		}
		out[i] = RefResult{Ref: p.Ref, Outcome: RefHeld}
		if !p.Local.IsZero() {
			if _, _, err := r.Object(p.Local); err != nil {
				return nil, fmt.Errorf("push to %s: %w", p.Ref, err)
			}
		}
		if !p.Force && !p.Expect.IsZero() && (p.Local.IsZero() || !r.contains(p.Local, p.Expect, ancestry)) {
			out[i].Outcome, refused = RefDiverged, true
		}
	}
	if refused || len(pushes) == 0 {
		return out, nil
	}
	q, err := r.openQuarantine()
	if err != nil {
		return nil, e.local(err)
	}
	defer q.remove()
	out, err = c.push(ctx, q, pushes)
	return out, ended(ctx, e.local(err))
}

// ValidBranch says whether a branch can have that name.
func ValidBranch(name string) bool {
	return wholeRef(branchPrefix+name) && !strings.HasPrefix(name, "-")
}

func wholeRef(ref string) bool {
	return strings.HasPrefix(ref, "refs/") && strings.Count(ref, "/") >= 2 && safeRef(ref) && !strings.ContainsFunc(ref, unicode.IsControl) &&
		!strings.HasSuffix(ref, ".") && !strings.Contains(ref, "@{")
}

// ended gives a caller who gave up what it asked for: its own context's error.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// local makes a fault of what failed on this machine while a remote was asked.
func (e *endpoint) local(err error) error {
	switch {
	case err == nil || FaultOf(err) != 0:
		return err
	case diskFault(err):
		return &RemoteError{Fault: FaultDisk, Host: e.at.place(), Said: clean(err.Error()), Err: err}
	case errors.Is(err, errBroken):
		return &RemoteError{Fault: FaultBroken, Host: e.at.place(), Said: clean(err.Error()), Err: err}
	case errors.Is(err, errTooLarge):
		return &RemoteError{Fault: FaultTooLarge, Host: e.at.place(), Said: fmt.Sprintf("over %d MiB", e.Most>>20), Err: err}
	case errors.Is(err, errStalled):
		return &RemoteError{Fault: FaultStalled, Host: e.at.place(), Said: fmt.Sprintf("within %s", e.Limit), Err: err}
	}
	return err
}
