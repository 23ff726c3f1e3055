package fault

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
)

// Wait delays a request.
func Wait(d time.Duration) Effect {
	e := Effect{
		name: fmt.Sprintf("Delay(%s)", d), on: anywhere,
		apply:  func(p *Plan, _ *meeting) { p.Delay = clock.Sum(p.Delay, d) },
		commit: func(p *Plan, _ *meeting) { p.Pause = clock.Sum(p.Pause, d) },
	}
	if d <= 0 {
		e.setup = fmt.Errorf("a delay of %s is none", d)
	}
	return e
}
