package lock

import (
	"time"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/libitem"
)

// Config configures the locks of a family. The zero value is the default. The maximum of each time
// is 100 years.
type Config struct {
	// Lease is how long a lock is held without a renewal. The default is 30 seconds. The minimum is
	// 100 milliseconds.
	Lease time.Duration
	// Skew is the largest difference between the clocks of two programs. A lock is free for others
	// that long after its lease has ended. The default is one second.
	Skew time.Duration
	// Poll is the time between two tries of [Locks.Acquire] while another holder has the lock, plus
	// or minus a random half. The default is one second.
	Poll time.Duration
	// Keep is how long after the end of the last lease the item of a lock is kept, if the schema
	// has a TTL attribute; otherwise it is kept for ever. The default is 30 days, the minimum one
	// day. See [Lease.Fence].
	Keep time.Duration
}

const (
	defaultLease = 30 * time.Second
	defaultSkew  = time.Second
	defaultPoll  = time.Second
	defaultKeep  = 30 * 24 * time.Hour
	leastLease   = 100 * time.Millisecond
	leastKeep    = 24 * time.Hour
	mostTime     = 100 * 365 * 24 * time.Hour // nanoseconds since 1970 have 64 bits until 2262
)

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		value *time.Duration
		or    time.Duration
	}{{&c.Lease, defaultLease}, {&c.Skew, defaultSkew}, {&c.Poll, defaultPoll}, {&c.Keep, defaultKeep}} {
		if *d.value == 0 {
			*d.value = d.or
		}
	}
	return c
}

// check reports all mistakes of a configuration.
func (c Config) check(family, tenant string, s *core.Schema) error {
	var wrong errs.Problems
	wrong.AddErr("", s.CheckOwnItems(tenant))
	wrong.AddAt("family", libitem.CheckText("the family", family))
	libitem.CheckSchema(&wrong, s, ownAttributes, "locks")
	if c.Lease < leastLease {
		wrong.Add("Lease", "it is shorter than 100 milliseconds", "leave it 0 for 30 seconds")
	}
	if c.Skew < 0 {
		wrong.Add("Skew", "the time is negative", "leave it 0 for one second")
	}
	if c.Poll < 0 {
		wrong.Add("Poll", "the time is negative", "leave it 0 for one second")
	}
	if c.Keep < leastKeep {
		wrong.Add("Keep", "it is shorter than a day", "leave it 0 for 30 days")
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"Lease", c.Lease}, {"Skew", c.Skew}, {"Poll", c.Poll}, {"Keep", c.Keep}} {
		if d.value > mostTime {
			wrong.Add(d.name, "it is longer than 100 years", "use a shorter time")
		}
	}
	return wrong.Err()
}
