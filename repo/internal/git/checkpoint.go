package git

import (
	"context"
	"time"
)

// Checkpoint syncs everything that the records put in place and empties the record
// file. It can wait for other programs' data, so it is for idle times.
func (r *Repo) Checkpoint(ctx context.Context) error {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	deadline := time.Now().Add(r.opt.Wait)
	if err := r.takeFlock(ctx, deadline); err != nil {
		return err
	}
	defer r.flock.Unlock() //nolint:errcheck // nothing to be done about it
	if err := r.catchUp(ctx, deadline); err != nil {
		return err
	}
	if r.wal.seq == r.wal.header.seq {
		return nil
	}
	branch := r.wal.branch()
	if b, err := r.branch(); err == nil {
		branch = b
	}
	return r.checkpoint(branch, r.tips.at(branch))
}

// Full says how full the record file is, from 0 to 1 and beyond.
func (r *Repo) Full() float64 {
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	return r.wal.used()
}

// checkpoint is Checkpoint for a holder of the flock; head is what branch holds.
func (r *Repo) checkpoint(branch string, head Hash) error {
	if err := r.disk.ask("syncfs", r.own); err != nil {
		return err
	}
	if err := syncAll(r.own); err != nil {
		return err
	}
	if err := r.wal.reset(branch, head, time.Now()); err != nil {
		r.broken = true
		return err
	}
	r.tips.set(branch, head)
	r.setApplied()
	return nil
}
