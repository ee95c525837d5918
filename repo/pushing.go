package repo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quipu/repo/internal/git"
)

// push sends what the remote has not; again says that it moved meanwhile.
func (j *joining) push(ctx context.Context) (again bool, err error) {
	w := j.w
	head, err := w.git.Position()
	if err != nil {
		return false, gitError(err)
	}
	pushes, err := j.wanted(head)
	if err != nil {
		return false, err
	}
	if len(pushes) == 0 {
		return false, nil
	}
	known := j.theirs
	if j.holds { // it was let go of
		known = git.Hash{}
	}
	rel, err := w.git.Relate(ctx, head, known)
	if err != nil {
		return false, gitError(err)
	}
	results, err := w.git.Push(ctx, j.remote, pushes)
	if err != nil {
		return false, remoteError(err)
	}
	for _, r := range results {
		switch r.Outcome {
		case git.RefMoved, git.RefDiverged:
			again = true
		case git.RefRejected:
			return false, j.rejected(r)
		}
	}
	if again {
		return true, nil
	}
	j.out.Pushed += len(rel.Ours)
	if j.holds {
		j.out.Notes = append(j.out.Notes, "the remote has the new history; what it had before may lie there until its own clean-up: ask whoever runs it")
	}
	j.holds = false
	return j.verify(ctx, head)
}

// wanted are the refs of the remote that are to be set.
func (j *joining) wanted(head git.Hash) (pushes []git.RefPush, err error) {
	if head != j.theirs {
		pushes = append(pushes, git.RefPush{Ref: j.branch, Local: head, Expect: j.theirs, Force: j.holds})
	}
	mine, err := j.w.git.RefAt(erasedRef)
	if err != nil {
		return nil, gitError(err)
	}
	if !mine.IsZero() && mine != j.erased {
		pushes = append(pushes, git.RefPush{Ref: erasedRef, Local: mine, Expect: j.erased})
	}
	if j.holds {
		others, err := j.others()
		if err != nil {
			return nil, err
		}
		pushes = append(pushes, others...)
	}
	return pushes, nil
}

// others replaces the other branches and tags of the remote that have what an erasure
// here dropped, where ours of that name has not; the rest is told.
func (j *joining) others() ([]git.RefPush, error) {
	if err := j.readDropped(); err != nil {
		return nil, err
	}
	var out []git.RefPush
	for _, ref := range slices.Sorted(maps.Keys(j.refs)) {
		h := j.refs[ref]
		tag := strings.HasPrefix(ref, "refs/tags/")
		if ref == j.branch || !tag && !strings.HasPrefix(ref, headsRef) || !j.dropped[h] && (!tag || j.w.git.Has(h)) {
			continue
		}
		mine, err := j.w.git.RefAt(ref)
		if err != nil {
			return nil, gitError(err)
		}
		if mine.IsZero() || !j.dropped[h] {
			j.out.Notes = append(j.out.Notes, fmt.Sprintf("%s at the remote may still hold what was erased: push it anew, or delete it there", ref))
			continue
		}
		out = append(out, git.RefPush{Ref: ref, Local: mine, Expect: h, Force: true})
	}
	return out, nil
}

// rejected is what a server that takes no push means.
func (j *joining) rejected(r git.RefResult) error {
	if j.holds {
		return wrapf(ErrRemote, "the remote still holds what was erased: it refuses the new history of %s (%s); allow a forced push there, and sync again", j.out.Branch, r.Said)
	}
	return wrapf(ErrRemote, "the remote refuses the push to %s (%s); what you changed is kept here", j.out.Branch, r.Said)
}

// verify reads the remote once more: it must say itself that it has what was pushed.
func (j *joining) verify(ctx context.Context, head git.Hash) (again bool, err error) {
	state, err := j.w.git.RemoteRefs(ctx, j.remote)
	if err != nil {
		return false, remoteError(err)
	}
	j.theirs = state.Refs[j.branch]
	return j.theirs != head, nil
}
