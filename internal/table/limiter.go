package table

import (
	"context"
	"slices"
	"time"

	"github.com/trestledb/trestle/internal/errs"
)

// limiter delays writes to a rate.
type limiter struct {
	rate float64
	next time.Time // when the next write may be sent
}

// delay returns how long to wait before the next write.
func (l *limiter) delay(now time.Time) time.Duration {
	if l.rate == 0 {
		return 0
	}
	return max(0, l.next.Sub(now))
}

// add adds the units that a write has consumed.
func (l *limiter) add(units float64, now time.Time) {
	if l.rate > 0 {
		l.next = slices.MaxFunc([]time.Time{l.next, now}, time.Time.Compare).Add(time.Duration(units / l.rate * float64(time.Second)))
	}
}

// checkRate adds a problem of the rate.
func (l *limiter) checkRate(problems *errs.Problems) {
	if !(l.rate >= 0) { // also true for NaN
		problems.Add("", "the rate in write units is negative", "leave it out for no limit")
	}
}

// wait waits, or returns the error of an ended context.
func wait(ctx context.Context, delay time.Duration) error {
	if delay <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
