// Package clock is a clock that runs as the real one does, and that a test can set forward, or back.
package clock

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Clock tells the time: that of [time.Now], so fake time inside a bubble of testing/synctest, and what [Clock.Advance] added to it. The zero
// value is ready. All methods may be called at once.
type Clock struct {
	offset atomic.Int64 // what Now adds; written under mu
	frozen atomic.Pointer[time.Time]

	mu       sync.Mutex
	skipped  uint64 // all that Advance ever skipped, in nanoseconds; beyond 2^64 it begins anew
	stopped  bool
	sleepers map[chan struct{}]struct{} // one channel for each
}

// Copy is a clock of its own that tells the same time.
func (c *Clock) Copy() *Clock {
	other := new(Clock)
	other.offset.Store(c.offset.Load())
	return other
}

// Now is the clock's time. Times that were told before and after an Advance are as far apart as the clock says, even where the machine's clock is
// set meanwhile.
func (c *Clock) Now() time.Time {
	if t := c.frozen.Load(); t != nil {
		return *t
	}
	return time.Now().Add(time.Duration(c.offset.Load()))
}

// Advance skips time, as if d had gone by at once, and wakes who slept for it. A negative d sets the clock back, as a machine's clock may be; who
// sleeps does not sleep longer for that. The clock can be set as far from the real time as a Duration reaches, which is 292 years.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset.Store(int64(Sum(time.Duration(c.offset.Load()), d)))
	if d <= 0 {
		return
	}
	c.skipped += uint64(d)
	c.wake()
}

// Sum adds without overflow: a sum that a Duration cannot hold is the longest one that it can.
func Sum(a, b time.Duration) time.Duration {
	switch sum := a + b; {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	default:
		return sum
	}
}
