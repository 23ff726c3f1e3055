package lock

import (
	"context"
	"errors"
	"sync"
	"time"
)

// keeper renews a lease while a function runs, and ends its context when the lease is lost.
type keeper struct {
	*Lease
	lose   context.CancelCauseFunc // ends the context of the function
	cancel context.CancelFunc      // ends the goroutines
	done   sync.WaitGroup

	mu     sync.Mutex
	failed error // of the last renewal
}

// newKeeper returns the context of the function, and its keeper.
func newKeeper(ctx context.Context, held *Lease) (context.Context, *keeper) {
	inner, lose := context.WithCancelCause(ctx)
	return inner, &keeper{Lease: held, lose: lose, cancel: func() {}}
}

// start begins to renew the lease, until ctx ends.
func (k *keeper) start(ctx context.Context) {
	ctx, k.cancel = context.WithCancel(ctx)
	k.done.Go(func() { k.watch(ctx) })
	k.done.Go(func() { k.renewAgain(ctx) })
}

// stop waits until nothing is renewed any more.
func (k *keeper) stop() {
	k.cancel()
	k.done.Wait()
}

// left returns how long the lease will be held.
func (k *keeper) left() time.Duration { return k.Until().Sub(k.locks.exec.Now()) }

// watch ends the context of the function when the lease ends, whatever a renewal in flight does.
func (k *keeper) watch(ctx context.Context) {
	for left := k.left(); left > 0; left = k.left() {
		if sleep(ctx, left) != nil {
			return
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lose(k.locks.lost(k.failed))
	k.cancel()
}

// renewAgain renews the lease until ctx ends or another holder has the lock.
func (k *keeper) renewAgain(ctx context.Context) {
	for sleep(ctx, k.pause()) == nil {
		err := k.Renew(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrLost):
			k.lose(err)
			return
		}
		k.mu.Lock()
		k.failed = err
		k.mu.Unlock()
	}
}

// pause returns when the lease is renewed next: after a third of a whole lease, or after half of
// what is left of it if that is less.
func (k *keeper) pause() time.Duration {
	return min(k.locks.config.Lease/3, max(k.left()/2, time.Millisecond/10))
}
