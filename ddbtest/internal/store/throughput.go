package store

import "time"

// Throughput is provisioned throughput in units per second, and when it changed.
type Throughput struct {
	Read, Write        int64
	Increase, Decrease ThroughputChange // the last ones
	Decreases          int64            // on the UTC day of the last decrease, which is counted too
}

// WarmThroughput is warm throughput in units per second. 0 is that of the billing mode.
type WarmThroughput struct{ Read, Write int64 }

// ThroughputChange is a change of throughput. The zero value is none.
type ThroughputChange struct {
	Requested, Done time.Time
}

// At returns the time of the change as it is described at some time: that of the request until the
// change is done.
func (c ThroughputChange) At(now time.Time) time.Time {
	if now.Before(c.Done) {
		return c.Requested
	}
	return c.Done
}

// ChangeTo returns the throughput after a change to other units.
func (p Throughput) ChangeTo(read, write int64, change ThroughputChange) Throughput {
	next := p
	next.Read, next.Write = read, write
	if read > p.Read || write > p.Write {
		next.Increase = change
	}
	if read < p.Read || write < p.Write {
		next.Decrease, next.Decreases = change, 1+p.DecreasesToday(change.Done)
	}
	return next
}

// DecreasesToday returns the number of decreases that are done on the UTC day of now.
func (p Throughput) DecreasesToday(now time.Time) int64 {
	switch {
	case p.Decreases == 0 || !sameDay(now, p.Decrease.Done):
		return 0
	case now.Before(p.Decrease.Done):
		return p.Decreases - 1
	default:
		return p.Decreases
	}
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Truncate(24 * time.Hour).Equal(b.UTC().Truncate(24 * time.Hour))
}
