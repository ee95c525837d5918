package repo

import (
	"context"
	"errors"
	"strings"
	"time"

	"quipu/repo/internal/git"
)

// leaseRef begins the refs, at the remote, that say which machine does what is to be
// done once.
const leaseRef = "refs/quipu/lease/"

const (
	leaseFile   = "holder"  // in the commit of a lease: who holds it, and until when
	machineFile = "machine" // in the history's own folder: what this machine is called in leases
)

// TakeLease asks, among all machines that share the workspace through its remote, for
// the right to do what is to be done once, until a time. ok is false when another one
// has it. Without a remote there is nobody to ask, and it is given. ErrRemote.
func (w *Workspace) TakeLease(ctx context.Context, what string, until time.Time) (ok bool, err error) {
	remote, _, err := w.transport()
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	me, err := w.machine()
	if err != nil {
		return false, err
	}
	ref := leaseRef + what
	state, err := w.git.RemoteRefs(ctx, remote)
	if err != nil {
		return false, remoteError(err)
	}
	cur := state.Refs[ref]
	if held, err := w.leased(ctx, remote, ref, cur, me); err != nil || held {
		return false, err
	}
	text := me + " " + until.UTC().Format(time.RFC3339) + "\n"
	if err := w.git.KeepAside(ctx, ref, map[string][]byte{leaseFile: []byte(text)}, text); err != nil {
		return false, gitError(err)
	}
	mine, err := w.git.RefAt(ref)
	if err != nil || mine == cur {
		return err == nil, gitError(err)
	}
	results, err := w.git.Push(ctx, remote, []git.RefPush{{Ref: ref, Local: mine, Expect: cur}})
	if err != nil {
		return false, remoteError(err)
	}
	switch r := results[0]; r.Outcome {
	case git.RefPushed, git.RefSame:
		return true, nil
	case git.RefRejected:
		return false, wrapf(ErrRemote, "the remote refuses the lease of %s (%s)", what, r.Said)
	}
	return false, nil // another machine was faster
}

// leased says whether another machine holds a lease whose newest commit, at the remote,
// is cur. Where none does ours goes on from it.
func (w *Workspace) leased(ctx context.Context, remote git.Remote, ref string, cur git.Hash, me string) (bool, error) {
	if cur.IsZero() {
		return false, nil
	}
	theirs := remotesRef + "quipu-lease-" + strings.TrimPrefix(ref, leaseRef)
	if _, err := w.git.Fetch(ctx, remote, map[string]string{ref: theirs}); err != nil {
		return false, remoteError(err)
	}
	held, err := w.git.Aside(theirs)
	if err != nil {
		return false, gitError(err)
	}
	holder, end, _ := strings.Cut(strings.TrimSpace(string(held[leaseFile])), " ")
	if at, err := time.Parse(time.RFC3339, end); err == nil && holder != me && w.now().Before(at) {
		return true, nil
	}
	return false, gitError(w.git.JoinAside(ctx, ref, cur, "lease\n"))
}

// machine is what this machine is called in leases: a random name, kept here alone.
func (w *Workspace) machine() (string, error) {
	if name := strings.TrimSpace(w.ownFile("quipu/" + machineFile)); name != "" {
		return name, nil
	}
	id, err := w.store.change(w.now())
	if err != nil {
		return "", err
	}
	return string(id), w.writeOwn(machineFile, []byte(id))
}
