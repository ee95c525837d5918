package repo

import (
	"context"
	"time"
)

// detached is a context for what goes on after its caller, until the store is closed.
func (s *Store) detached(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.running.Go(func() {
		select {
		case <-s.closing:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, cancel
}

// background runs fn and waits for it no longer than wait; done is false when it still
// runs then. What runs on does so after the caller has gone, until it ends or the store
// is closed, and its error is logged. Without a wait it is the caller's own, to the end.
func (s *Store) background(ctx context.Context, wait time.Duration, fn func(context.Context) error) (done bool, err error) {
	if wait <= 0 {
		return true, fn(ctx)
	}
	ctx, stop := s.detached(ctx)
	result := make(chan error, 1)
	left := make(chan struct{})
	s.running.Go(func() {
		defer stop()
		err := fn(ctx)
		result <- err
		select {
		case <-left:
			if err != nil {
				s.log.Warn("what was left to the background failed; it is tried again later", "err", err)
			}
		default:
		}
	})
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case err := <-result:
		return true, err
	case <-timer.C:
		close(left)
		return false, nil
	}
}
