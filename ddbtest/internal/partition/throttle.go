package partition

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Throttle checks the partitions of a request before it runs. It returns the throttling error, or
// changes the overrides so that the throttled parts are left out.
func (l *Loads) Throttle(operation string, targets []engine.Target, o *engine.Overrides) error {
	if !fault.IsKeyed(operation) {
		return nil
	}
	throttled, last, write := map[int]bool{}, error(nil), fault.IsWrite(operation)
	reasons := map[int]string{}
	for i := range targets {
		if reason, err := l.checkTarget(&targets[i], write); err != nil {
			throttled[i], reasons[i], last = true, reason, err
		}
	}
	switch {
	case len(throttled) == 0:
	case fault.IsTransaction(operation):
		if o.Reasons == nil {
			o.Reasons = reasons
		}
	case fault.IsBatch(operation) && len(throttled) < len(targets):
		before := o.Unprocessed
		o.Unprocessed = func(i int) bool { return throttled[i] || before != nil && before(i) }
	default:
		return last
	}
	return nil
}

// ThrottlePage checks the partitions of a page, which are known only after the read.
func (l *Loads) ThrottlePage(operation string, uses []capacity.Use) (err error) {
	if !fault.IsPage(operation) {
		return nil
	}
	now := l.store.Clock.Now()
	for i := range uses {
		p := idOf(&uses[i])
		if p.key == "" || !l.exhausted(p, false, now) {
			continue
		}
		_ = l.store.View(func(s *store.State) error {
			if table := s.Tables[p.table]; table != nil {
				_, err = l.throttlingError(table, p, false)
			}
			return nil
		})
		return err
	}
	return nil
}

// checkTarget returns the error of one part of a request and the cancellation reason, or nil if no
// partition of it is throttled. A condition check costs as much as a write.
func (l *Loads) checkTarget(target *engine.Target, write bool) (reason string, throttling error) {
	_ = l.store.View(func(s *store.State) error {
		table := s.Tables[target.Table]
		if table == nil || !table.Key.Holds(target.Key) {
			return nil
		}
		now := l.store.Clock.Now()
		for _, p := range partitionsOf(table, target) {
			if l.exhausted(p, write, now) {
				reason, throttling = l.throttlingError(table, p, write)
				return nil
			}
		}
		return nil
	})
	return reason, throttling
}

// partitionsOf returns the partitions that a part of a request will use, as far as they are known
// beforehand.
func partitionsOf(t *store.Table, target *engine.Target) []id {
	all := []id{{t.Name, "", t.Key.PartitionPlace(target.Key)}}
	if !target.Write {
		return all
	}
	old := t.Get(target.Key)
	for _, ix := range t.Indexes {
		if ix.Local {
			continue
		}
		if ix.Holds(old) {
			all = append(all, id{t.Name, ix.Name, ix.Key.PartitionPlace(old)})
		}
		if ix.Holds(target.Key) {
			all = append(all, id{t.Name, ix.Name, ix.Key.PartitionPlace(target.Key)})
		}
	}
	return all
}

// throttlingError returns the service's error for a throttled partition.
func (l *Loads) throttlingError(table *store.Table, p id, write bool) (reason string, throttling error) {
	limit := awserr.ThrottlingReason{
		Reason: fault.KeyRangeLimit(p.index != "", write), Resource: l.config.ARN(p.table, p.index),
	}
	name := fault.ProvisionedThroughput
	if table.OnDemandBilling {
		name = fault.Throttling
	}
	err := fault.ThrottlingError(name, limit)
	return fault.CancellationReason(err), err
}
