package scan

import (
	"context"
	"slices"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
)

// limiter delays the requests of a run to a rate.
type limiter struct {
	rate float64   // units per second; 0: no limit
	next time.Time // when the next request may be sent
}

// delay returns how long to wait before the next request.
func (l *limiter) delay(now time.Time) time.Duration {
	if l.rate == 0 {
		return 0
	}
	return max(0, l.next.Sub(now))
}

// add adds the units that a request has consumed.
func (l *limiter) add(c trestle.Capacity) {
	if l.rate > 0 {
		seconds := (c.Read + c.Write) / l.rate
		l.next = slices.MaxFunc([]time.Time{l.next, time.Now()}, time.Time.Compare).Add(time.Duration(seconds * float64(time.Second)))
	}
}

// check adds a problem of the rate.
func (l *limiter) check(problems *errs.Problems) {
	if !(l.rate >= 0) { // also true for NaN
		problems.Add("", "the rate in units per second is negative", "leave it out for no limit")
	}
}

// awaitRate waits until the rate allows another request.
func (r *Run) awaitRate(ctx context.Context) error {
	var delay time.Duration
	r.Locked(func() { delay = r.rate.delay(time.Now()) })
	if err := exec.Wait(ctx, delay); err != nil {
		return r.Fail(r.Outcome, err)
	}
	return nil
}
