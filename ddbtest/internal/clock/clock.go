// Package clock provides a clock that follows the real time and that a test can move forward or
// back.
package clock

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Clock returns the time of [time.Now], which is fake inside a bubble of testing/synctest, plus
// what [Clock.Advance] added. The zero value is ready to use. All methods are safe for concurrent
// use.
type Clock struct {
	offset atomic.Int64 // what Now adds; written under mu
	frozen atomic.Pointer[time.Time]

	mu       sync.Mutex
	advanced uint64 // total skipped by Advance, in nanoseconds modulo 2^64
	stopped  bool
	sleepers map[chan struct{}]struct{} // one channel for each sleeper
}

// Copy returns an independent clock with the same offset.
func (c *Clock) Copy() *Clock {
	other := new(Clock)
	other.offset.Store(c.offset.Load())
	return other
}

// Now returns the clock's time. The result has a monotonic reading, so differences are right even
// if the machine's clock is set meanwhile.
func (c *Clock) Now() time.Time { return c.At(time.Now()) }

// At returns the clock's time at a time of [time.Now].
func (c *Clock) At(now time.Time) time.Time {
	if t := c.frozen.Load(); t != nil {
		return *t
	}
	if offset := c.offset.Load(); offset != 0 {
		return now.Add(time.Duration(offset))
	}
	return now
}

// Since returns the time since an earlier result of [Clock.Now].
func (c *Clock) Since(earlier time.Time) time.Duration {
	if t := c.frozen.Load(); t != nil {
		return t.Sub(earlier)
	}
	if offset := c.offset.Load(); offset >= 0 {
		return Sum(time.Since(earlier), time.Duration(offset)) // cheaper than Now and Sub
	}
	return c.Now().Sub(earlier) // time.Since is limited to 292 years, and the clock may be that slow
}

// Advance moves the clock by d and wakes the sleepers that are due. A negative d moves the clock
// back, like a correction of a machine's clock, and does not prolong any sleep. The total offset is
// limited to the range of a Duration, which is 292 years.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset.Store(int64(Sum(time.Duration(c.offset.Load()), d)))
	if d <= 0 {
		return
	}
	c.advanced += uint64(d)
	c.wake()
}

// Offset returns what [Clock.Advance] added so far.
func (c *Clock) Offset() time.Duration { return time.Duration(c.offset.Load()) }

// Freeze makes Now return one fixed time until [Clock.Unfreeze]. It does not affect sleepers.
func (c *Clock) Freeze(at time.Time) { c.frozen.Store(&at) }

// Unfreeze ends [Clock.Freeze]. Now then includes the time that passed meanwhile.
func (c *Clock) Unfreeze() { c.frozen.Store(nil) }

// Sum adds two durations. On overflow it returns the largest or smallest Duration.
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
