package fault

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
)

// Delay delays a request.
func Delay(d time.Duration) Effect {
	e := Effect{
		name: fmt.Sprintf("Delay(%s)", d), operations: allOperations,
		apply:      func(p *Plan, _ *match) { p.Delay = clock.Sum(p.Delay, d) },
		applyAfter: func(p *Plan, _ *match) { p.DelayAfter = clock.Sum(p.DelayAfter, d) },
	}
	if d <= 0 {
		e.err = fmt.Errorf("%s: the delay is not positive", e.name)
	}
	return e
}
