package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// ErrBusy says that another program held a lock for longer than the wait. The error text
// names the lock.
var ErrBusy = errors.New("busy")

type busyError struct{ text string }

func (e *busyError) Error() string { return e.text }
func (e *busyError) Unwrap() error { return ErrBusy }

const tokenMark = "quipu-lock "

// writeToken makes the file that is linked to git's lock names. Its content is on
// the disk before it is ever used, so a lock of ours is never half-written and
// always says whose it is.
func (r *Repo) writeToken() error {
	r.token = filepath.Join(r.own, fmt.Sprintf("token-%d-%08x", os.Getpid(), rand.Uint32()))
	return r.disk.writeSynced(r.token, fmt.Appendf(nil, "%s%d %s\n", tokenMark, os.Getpid(), r.boot))
}

// isOurs says whether a lock file holds a token of quipu. The caller holds the
// flock, so no running quipu can own it: it is left over from a killed one.
func isOurs(lock string) bool {
	f, err := os.Open(lock)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // read only
	return marked(f)
}

// isForeign tells whether a lock stands that is not ours. It looks once: one of ours
// may go away between two looks, and what is gone is nobody's.
func isForeign(lock string) bool {
	f, err := os.Open(lock)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close() //nolint:errcheck // read only
	return !marked(f)
}

// marked tells whether a lock begins as ours do.
func marked(lock io.Reader) bool {
	var b [len(tokenMark)]byte
	n, err := lock.Read(b[:])
	return err == nil && bytes.Equal(b[:n], []byte(tokenMark))
}

// pause is one step of waiting for a lock; it grows and is jittered so that
// several waiters do not march in step.
func pause(ctx context.Context, d *time.Duration) error {
	wait := *d/2 + rand.N(*d)
	*d = min(*d*3/2, 16*time.Millisecond)
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// takeGitLock takes path.lock as git does, waiting until the deadline for a
// foreign one. A foreign lock is never removed.
func (r *Repo) takeGitLock(ctx context.Context, path string, deadline time.Time) error {
	lock := path + ".lock"
	step := 500 * time.Microsecond
	for {
		err := r.linkToken(lock)
		if err == nil {
			return nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			if err := r.makeLockable(lock); err != nil {
				return err
			}
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("take %s: %w", filepath.Base(lock), err)
		}
		if isOurs(lock) {
			return nil // left by one that was killed: we hold the flock
		}
		r.foreignAt = time.Now()
		if time.Now().After(deadline) {
			return heldByGit(lock)
		}
		if err := pause(ctx, &step); err != nil {
			return err
		}
	}
}

// makeLockable makes what a lock's link needs: its folder, and the token, which
// another machine on the same disk may have taken for a dead one's.
func (r *Repo) makeLockable(lock string) error {
	if _, err := os.Lstat(r.token); errors.Is(err, fs.ErrNotExist) {
		return r.writeToken()
	}
	if _, err := os.Lstat(filepath.Dir(lock)); err == nil {
		return nil // it was made just now, or the lock went away between two looks
	}
	return r.disk.mkdir(filepath.Dir(lock))
}

func heldByGit(lock string) error {
	return &busyError{fmt.Sprintf("another git program holds %s; wait for it, or remove the file when no git runs", lock)}
}

// linkToken makes the lock by link(2): it appears whole or not at all. Where a
// file system has no links the lock is an exclusive new file.
func (r *Repo) linkToken(lock string) error {
	err := r.disk.link(r.token, lock)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	content, rerr := os.ReadFile(r.token)
	if rerr != nil {
		return errors.Join(err, rerr)
	}
	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// takeFlock keeps quipu's own processes in order.
func (r *Repo) takeFlock(ctx context.Context, deadline time.Time) error {
	step := time.Millisecond
	for {
		ok, err := r.flock.TryLock()
		if err != nil {
			return fmt.Errorf("lock %s: %w", r.flock.Path(), err)
		}
		if ok {
			return nil
		}
		if time.Now().After(deadline) {
			return &busyError{"another quipu is writing to this workspace; try again"}
		}
		step = min(step, 4*time.Millisecond)
		if err := pause(ctx, &step); err != nil {
			return err
		}
	}
}
