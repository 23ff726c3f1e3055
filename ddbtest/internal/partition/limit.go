package partition

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
)

// SetLimit sets the units per second that each partition may use. A limit of 0 means no limit. All
// partitions start with their full capacity.
func (l *Loads) SetLimit(perSecond capacity.Units) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buckets = map[id]*bucket{}
	if perSecond == (capacity.Units{}) {
		l.limit.Store(nil)
		return
	}
	l.limit.Store(&perSecond)
}

// Limited reports whether there is a limit.
func (l *Loads) Limited() bool { return l.limit.Load() != nil }

// Limit returns the limit.
func (l *Loads) Limit() capacity.Units {
	if limit := l.limit.Load(); limit != nil {
		return *limit
	}
	return capacity.Units{}
}

// bucket is the remaining capacity of a partition.
type bucket struct {
	left capacity.Units
	at   time.Time
}

// maxBuckets limits the number of buckets. Full buckets can be dropped.
const maxBuckets = 1 << 16

// fill adds the capacity for the elapsed time. A limit of 0 means no limit.
func (b *bucket) fill(limit capacity.Units, now time.Time) {
	seconds := max(now.Sub(b.at).Seconds(), 0)
	b.left.Read = min(b.left.Read+limit.Read*seconds, limit.Read)
	b.left.Write = min(b.left.Write+limit.Write*seconds, limit.Write)
	b.at = now
}

// debit subtracts what was used. The result may be negative.
func (l *Loads) debit(p id, used capacity.Units) {
	limit := l.limit.Load()
	if limit == nil {
		return
	}
	b, now := l.buckets[p], l.store.Clock.Now()
	if b == nil {
		l.dropFullBuckets(*limit, now)
		b = &bucket{left: *limit, at: now}
		l.buckets[p] = b
	}
	b.fill(*limit, now)
	b.left.Read -= used.Read
	b.left.Write -= used.Write
}

// dropFullBuckets drops full buckets if there are too many buckets.
func (l *Loads) dropFullBuckets(limit capacity.Units, now time.Time) {
	if len(l.buckets) < maxBuckets {
		return
	}
	for p, b := range l.buckets {
		if b.fill(limit, now); b.left == limit {
			delete(l.buckets, p)
		}
	}
}

// exhausted reports whether a partition has no capacity left.
func (l *Loads) exhausted(p id, write bool, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	limit, b := l.limit.Load(), l.buckets[p]
	if limit == nil || b == nil {
		return false
	}
	b.fill(*limit, now)
	if write {
		return limit.Write > 0 && b.left.Write <= 0
	}
	return limit.Read > 0 && b.left.Read <= 0
}
