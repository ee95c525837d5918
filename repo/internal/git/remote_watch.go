package git

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// A remote that says nothing, or a byte now and then, is told from a slow one by what
// comes in the time of the limit.
const (
	remoteLimit = 20 * time.Second
	slowest     = 256 // bytes a second that still count as progress
)

var (
	errStalled  = errors.New("no progress")
	errTooLarge = errors.New("more than may be taken in")
)

// watch ends what it watches, by its context, when nothing moves for the limit.
type watch struct {
	moved atomic.Int64 // bytes, or what stands for them
	size  func() int64 // bytes that were taken in on the disk; nil: not known
	most  int64        // of them
	limit time.Duration
	floor int64 // bytes in the time of the limit
}

func newWatch(limit time.Duration) *watch {
	return &watch{limit: limit, floor: max(1, int64(slowest*limit.Seconds()))}
}

// run gives a context that ends with errStalled or errTooLarge as its cause. stop ends
// the watch; it must be called.
func (w *watch) run(ctx context.Context) (watched context.Context, stop func()) {
	const steps = 20
	watched, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		t := time.NewTicker(w.limit / steps)
		defer t.Stop()
		var seen [steps - 1]int64 // what had moved, so many ticks ago: the whole ends within the limit
		for n := 0; ; n++ {
			select {
			case <-watched.Done():
				return
			case <-t.C:
			}
			now := w.moved.Load()
			if w.size != nil {
				size := w.size()
				if size > w.most {
					cancel(errTooLarge)
					return
				}
				now += size
			}
			if n >= len(seen) && now-seen[n%len(seen)] < w.floor {
				cancel(errStalled)
				return
			}
			seen[n%len(seen)] = now
		}
	}()
	return watched, func() {
		cancel(context.Canceled)
		<-done
	}
}

// add counts bytes that went through.
func (w *watch) add(n int) { w.moved.Add(int64(n)) }

// step counts something that is done, whatever its size.
func (w *watch) step() { w.moved.Add(w.floor) }
