package clock

import (
	"context"
	"errors"
	"time"
)

// ErrStopped is the end of a sleep on a clock that was stopped.
var ErrStopped = errors.New("the clock was stopped")

// Sleep returns nil when d has gone by on the clock, of itself or by [Clock.Advance], or else the context's error as soon as that has ended, or
// [ErrStopped]. In a bubble of testing/synctest the sleeper is durably blocked, wherever its context comes from.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithCancel(ctx) // in the bubble, where there is one
	defer cancel()
	began := time.Now()
	moved, done := c.watch()
	defer done()
	for before := c.skips(); ; {
		if err := c.ended(ctx); err != nil {
			return err
		}
		left := remaining(d, time.Since(began), c.skips()-before)
		if left == 0 {
			return nil
		}
		wait(ctx, left, moved)
	}
}

// Wait returns the context's error when that has ended, or [ErrStopped]; until then the caller is blocked as in [Clock.Sleep].
func (c *Clock) Wait(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	moved, done := c.watch()
	defer done()
	for {
		if err := c.ended(ctx); err != nil {
			return err
		}
		select {
		case <-moved:
		case <-ctx.Done():
		}
	}
}

// Stop ends all sleep, now and later. The clock itself goes on.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.wake()
}

// watch returns a channel that has something when the clock was moved or stopped. It is made where the sleeper is, and forgotten when it is
// done: a channel of a bubble must not be touched from outside.
func (c *Clock) watch() (moved <-chan struct{}, done func()) {
	own := make(chan struct{}, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sleepers == nil {
		c.sleepers = map[chan struct{}]struct{}{}
	}
	c.sleepers[own] = struct{}{}
	return own, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.sleepers, own)
	}
}

// wake makes all sleepers look again. The lock is held.
func (c *Clock) wake() {
	for s := range c.sleepers {
		select {
		case s <- struct{}{}:
		default: // it will look anyway
		}
	}
}

func (c *Clock) skips() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped
}

// ended is why nobody sleeps any longer, or nil.
func (c *Clock) ended(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped && ctx.Err() == nil {
		return ErrStopped
	}
	return ctx.Err()
}

// remaining is what is left of d when some time has gone by and some was skipped; 0 is nothing.
func remaining(d, gone time.Duration, skipped uint64) time.Duration {
	if d <= gone || uint64(d-gone) <= skipped {
		return 0
	}
	return d - gone - time.Duration(skipped)
}

// wait returns when d is over, the clock has moved or the context has ended.
func wait(ctx context.Context, d time.Duration, moved <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-moved:
	case <-ctx.Done():
	}
}
