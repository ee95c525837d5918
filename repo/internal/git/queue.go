package git

import (
	"context"
	"errors"
	"sync"
	"time"
)

// request is one waiting change.
type request struct {
	fn   func(*Tx) error
	done chan error
}

// queue lets one goroutine run the changes of several: one sync serves them all.
type queue struct {
	mu      sync.Mutex
	waiting []*request
}

const batchSize = 32

func (q *queue) push(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, r)
}

func (q *queue) take() []*request {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), batchSize)
	batch := q.waiting[:n:n]
	q.waiting = append([]*request(nil), q.waiting[n:]...)
	return batch
}

// withdraw takes a request back that no batch has taken yet.
func (q *queue) withdraw(r *request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, w := range q.waiting {
		if w == r {
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// Update runs fn on a consistent view and makes what it committed durable, all or
// nothing. It returns nil only when that survives a kill and a power cut. fn runs
// under the locks: it must not wait for anything. An error of fn is returned as it
// is and nothing of it is kept.
//
// ErrBusy, ErrState, ErrDamaged.
func (r *Repo) Update(ctx context.Context, fn func(*Tx) error) error {
	req := &request{fn: fn, done: make(chan error, 1)}
	r.queue.push(req)
	limit := time.NewTimer(r.opt.Wait)
	defer limit.Stop()
	for {
		select {
		case err := <-req.done:
			return err
		case r.turn <- struct{}{}:
			r.lead(ctx)
		case <-ctx.Done():
			if r.queue.withdraw(req) {
				return ctx.Err()
			}
			return <-req.done
		case <-limit.C:
			if r.queue.withdraw(req) {
				return &busyError{"other changes of this workspace are still waiting; try again"}
			}
			return <-req.done
		}
	}
}

// lead runs one batch; the caller holds the turn, which it gives back. A leader's
// cancelled context must not fail the others, so it is not passed on.
func (r *Repo) lead(ctx context.Context) {
	defer func() { <-r.turn }()
	batch := r.queue.take()
	if len(batch) == 0 {
		return
	}
	errs := make([]error, len(batch))
	if err := r.runBatch(context.WithoutCancel(ctx), batch, errs); err != nil {
		for i := range errs {
			errs[i] = errors.Join(errs[i], err)
		}
	}
	for i, req := range batch {
		req.done <- errs[i]
	}
}

// runBatch runs the changes one after another on one chain of commits. An error of
// one is its own; an error that is returned is everybody's.
func (r *Repo) runBatch(ctx context.Context, batch []*request, errs []error) error {
	if err := r.acquire(ctx); err != nil {
		return err
	}
	t, err := r.begin()
	if err == nil {
		for i, req := range batch {
			errs[i] = t.attempt(req.fn)
		}
		err = t.finish(ctx)
	}
	r.unlock()
	return err
}
