// Package git is the only package of quipu that speaks go-git. It reads objects
// through go-git's storage and writes commits by a path of its own, because
// go-git's loses acknowledged commits under concurrency and crashes.
//
// A change is durable when ONE record with its new objects, the old and new value
// of the branch and the new file texts is synced in quipu/wal. Loose objects, work
// files, index, branch and reflog follow from it and need no sync: what a crash
// takes away is made again from the record at the next open. The locks are git's
// own (index.lock, refs/heads/X.lock), so that a person's git waits for quipu and
// quipu for it, inside one flock that keeps quipu's processes in order.
//
// Remotes are asked by the person's git program or in this process. What they send is
// kept apart until it is checked, whole and synced; then it is moved in and refs under
// refs/remotes are set. No branch of ours and no work file is touched, and every wait has
// an end.
//
// It never runs a hook, a filter or a signing program, never follows a symbolic
// link, never removes a lock that is not provably its own, and never starts a new
// root commit where a history exists.
package git
