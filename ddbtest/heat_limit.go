package ddbtest

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// LimitHeat throttles partitions that use more than these units per second, for example
// [PartitionLimit]. A limit of 0 means no limit. A request is served while its partition has
// capacity left. It may use more than is left, and the debt is repaid as time passes. Unused
// capacity is kept for at most one second.
//
// Writes are throttled for the table's partition and for the partitions of global indexes that are
// known beforehand: that of the old entry and that of a put's new entry. In a batch, the parts on a
// throttled partition are unprocessed; if these are all parts, the whole request fails. A
// transaction is canceled. Only the clock restores capacity. Inside a bubble of testing/synctest,
// time passes only by the waits of the test and the client's backoff.
func (db *DB) LimitHeat(perSecond Units) {
	db.testing().Helper()
	if err := perSecond.checkLimit(); err != nil {
		db.report(fmt.Errorf("LimitHeat: %w", err))
		return
	}
	db.heat.mu.Lock()
	defer db.heat.mu.Unlock()
	db.heat.buckets = map[spot]*bucket{}
	if perSecond == (Units{}) {
		db.heat.limit.Store(nil)
		return
	}
	db.heat.limit.Store(&perSecond)
}

// bucket is the remaining capacity of a partition.
type bucket struct {
	read, write float64
	at          time.Time
}

// maxBuckets limits the number of buckets. Full buckets can be dropped.
const maxBuckets = 1 << 16

// fill adds the capacity for the elapsed time. A limit of 0 means no limit.
func (b *bucket) fill(limit Units, now time.Time) {
	seconds := max(now.Sub(b.at).Seconds(), 0)
	b.read = min(b.read+limit.Read*seconds, limit.Read)
	b.write = min(b.write+limit.Write*seconds, limit.Write)
	b.at = now
}

// debit subtracts what was used. The result may be negative.
func (h *heat) debit(at spot, u *capacity.Use, now time.Time) {
	limit := h.limit.Load()
	if limit == nil {
		return
	}
	b := h.buckets[at]
	if b == nil {
		h.forget(*limit, now)
		b = &bucket{read: limit.Read, write: limit.Write, at: now}
		h.buckets[at] = b
	}
	b.fill(*limit, now)
	b.read -= u.Read
	b.write -= u.Write
}

// forget drops full buckets if there are too many buckets.
func (h *heat) forget(limit Units, now time.Time) {
	if len(h.buckets) < maxBuckets {
		return
	}
	for at, b := range h.buckets {
		if b.fill(limit, now); b.read == limit.Read && b.write == limit.Write {
			delete(h.buckets, at)
		}
	}
}

// hot reports whether a partition has no capacity left.
func (h *heat) hot(at spot, write bool, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	limit, b := h.limit.Load(), h.buckets[at]
	if limit == nil || b == nil {
		return false
	}
	b.fill(*limit, now)
	if write {
		return limit.Write > 0 && b.write <= 0
	}
	return limit.Read > 0 && b.read <= 0
}

// cool checks the partitions before the request runs. It returns the throttling error, or changes
// steer so that the throttled parts are left out.
func (db *DB) cool(x *exchange, steer *engine.Steer) error {
	if !fault.IsKeyed(x.in.Operation) {
		return nil
	}
	hot, last, write := map[int]bool{}, error(nil), fault.IsWrite(x.in.Operation)
	reasons := map[int]string{}
	for i := range x.request.Targets {
		if reason, err := db.throttled(&x.request.Targets[i], write); err != nil {
			hot[i], reasons[i], last = true, reason, err
		}
	}
	switch {
	case len(hot) == 0:
	case fault.IsTransaction(x.in.Operation):
		if steer.Reasons == nil {
			steer.Reasons = reasons
		}
	case fault.IsBatch(x.in.Operation) && len(hot) < len(x.request.Targets):
		before := steer.Unprocessed
		steer.Unprocessed = func(i int) bool { return hot[i] || before != nil && before(i) }
	default:
		return last
	}
	return nil
}

// coolPage fails a page that was read from a throttled partition, which is known only after the
// read. The page uses no capacity.
func (db *DB) coolPage(x *exchange) error {
	if !fault.IsPage(x.in.Operation) {
		return nil
	}
	now := db.clock.Now()
	for i := range x.uses {
		at := spotOf(&x.uses[i])
		if at.partition == "" || !db.heat.hot(at, false, now) {
			continue
		}
		x.uses = nil
		x.entry.measure(new(engine.Call))
		return db.pageTooHot(at)
	}
	return nil
}

func (db *DB) pageTooHot(at spot) (err error) {
	_ = db.store.View(func(s *store.State) error {
		if t := s.Tables[at.table]; t != nil {
			_, err = db.tooHot(t, at, false)
		}
		return nil
	})
	return err
}

// throttled returns the error of one part of a request and the cancellation reason, or nil if no
// partition of it is throttled. A condition check costs as much as a write.
func (db *DB) throttled(target *engine.Target, write bool) (reason string, refusal error) {
	now := db.clock.Now()
	_ = db.store.View(func(s *store.State) error {
		t := s.Tables[target.Table]
		if t == nil || !t.Key.Holds(target.Key) {
			return nil
		}
		for _, at := range spots(t, target) {
			if db.heat.hot(at, write, now) {
				reason, refusal = db.tooHot(t, at, write)
				return nil
			}
		}
		return nil
	})
	return reason, refusal
}

// spots returns the partitions that a part of a request will use, as far as they are known
// beforehand.
func spots(t *store.Table, target *engine.Target) []spot {
	all := []spot{{t.Name, "", string(t.Key.PartitionPlace(target.Key))}}
	if !target.Write {
		return all
	}
	old := t.Get(target.Key)
	for _, ix := range t.Indexes {
		if ix.Local {
			continue
		}
		if ix.Holds(old) {
			all = append(all, spot{t.Name, ix.Name, string(ix.Key.PartitionPlace(old))})
		}
		if ix.Holds(target.Key) {
			all = append(all, spot{t.Name, ix.Name, string(ix.Key.PartitionPlace(target.Key))})
		}
	}
	return all
}

// tooHot returns the service's error for a throttled partition.
func (db *DB) tooHot(t *store.Table, at spot, write bool) (reason string, refusal error) {
	limit := awserr.ThrottlingReason{Reason: fault.KeyRangeLimit(at.index != "", write), Resource: db.arn(at.table, at.index)}
	if t.OnDemandBilling {
		return "ThrottlingError", fault.ThrottlingError(fault.Throttling, limit)
	}
	return "ProvisionedThroughputExceeded", fault.ThrottlingError(fault.ProvisionedThroughput, limit)
}
