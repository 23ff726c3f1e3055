package clock

import (
	"context"
	"time"
)

// Sleep returns nil when d has gone by on the clock, of itself or by [Clock.Advance], or else the context's error as soon as that has ended. In a
// bubble of testing/synctest the sleeper is durably blocked.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	began := time.Now()
	before, moved := c.watch()
	for skipped := before; ; skipped, moved = c.watch() {
		if err := ctx.Err(); err != nil {
			return err
		}
		left := remaining(d, time.Since(began), skipped-before)
		if left == 0 {
			return nil
		}
		wait(ctx, left, moved)
	}
}

// watch returns how much was skipped so far, and a channel that is closed when that changes.
func (c *Clock) watch() (skipped uint64, moved <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved == nil {
		c.moved = make(chan struct{})
	}
	return c.skipped, c.moved
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
