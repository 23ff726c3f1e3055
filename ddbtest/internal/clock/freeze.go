package clock

import "time"

// Freeze makes Now return one fixed time until [Clock.Unfreeze]. It does not affect sleepers.
func (c *Clock) Freeze(at time.Time) { c.frozen.Store(&at) }

// Unfreeze ends [Clock.Freeze]. Now then includes the time that passed meanwhile.
func (c *Clock) Unfreeze() { c.frozen.Store(nil) }
