package clock

import "time"

// Freeze makes the clock tell one time, whatever goes by, until [Clock.Unfreeze]. Who sleeps takes no notice.
func (c *Clock) Freeze(at time.Time) { c.frozen.Store(&at) }

// Unfreeze lets the clock tell the time that has gone by in the meantime.
func (c *Clock) Unfreeze() { c.frozen.Store(nil) }
