package clock

import (
	"context"
	"errors"
	"time"
)

// ErrStopped is returned by a sleep on a stopped clock.
var ErrStopped = errors.New("the clock was stopped")

// Sleep returns nil when d has passed on the clock, in real time or by [Clock.Advance]. It returns
// the context's error as soon as the context ends, or [ErrStopped] when the clock is stopped. In a
// bubble of testing/synctest the sleeper is durably blocked, even if its context was made outside.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithCancel(ctx) // belongs to the bubble, if there is one
	defer cancel()
	began := time.Now()
	moved, done := c.addSleeper()
	defer done()
	for before := c.totalAdvanced(); ; {
		if err := c.err(ctx); err != nil {
			return err
		}
		left := remaining(d, time.Since(began), c.totalAdvanced()-before)
		if left == 0 {
			return nil
		}
		wait(ctx, left, moved)
	}
}

// Wait blocks until the context ends and returns its error, or [ErrStopped] when the clock is
// stopped. In a bubble it blocks like [Clock.Sleep].
func (c *Clock) Wait(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	moved, done := c.addSleeper()
	defer done()
	for {
		if err := c.err(ctx); err != nil {
			return err
		}
		select {
		case <-moved:
		case <-ctx.Done():
		}
	}
}

// Stop ends all sleeps, present and future. The clock itself continues.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.wake()
}

// addSleeper returns a channel that receives when the clock is moved or stopped. Each sleeper makes
// its own channel and drops it with done, because code outside a bubble must not use a channel of
// the bubble.
func (c *Clock) addSleeper() (moved <-chan struct{}, done func()) {
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

// wake makes all sleepers check their conditions. The caller holds the lock.
func (c *Clock) wake() {
	for s := range c.sleepers {
		select {
		case s <- struct{}{}:
		default: // a signal is already pending
		}
	}
}

func (c *Clock) totalAdvanced() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.advanced
}

// err returns the reason to end a sleep, or nil.
func (c *Clock) err(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped && ctx.Err() == nil {
		return ErrStopped
	}
	return ctx.Err()
}

// remaining returns what is left of d after the time gone and the skipped time, or 0.
func remaining(d, gone time.Duration, skipped uint64) time.Duration {
	if d <= gone || uint64(d-gone) <= skipped {
		return 0
	}
	return d - gone - time.Duration(skipped)
}

// wait returns when d is over, the clock was moved or the context has ended.
func wait(ctx context.Context, d time.Duration, moved <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-moved:
	case <-ctx.Done():
	}
}
