package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// The names under which the service throttles.
const (
	ProvisionedThroughput = "ProvisionedThroughputExceededException"
	Throttling            = "ThrottlingException"
	RequestLimit          = "RequestLimitExceeded"
)

var throttlingMessages = map[string]string{
	ProvisionedThroughput: awserr.MessageProvisioned,
	Throttling:            awserr.MessageThrottled,
	RequestLimit:          "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at https://aws.amazon.com/support request a limit increase.",
}

// ThrottlingError is the service's error of that name.
func ThrottlingError(name string, reasons ...awserr.ThrottlingReason) *awserr.Error {
	err := awserr.New(name, "%s", throttlingMessages[name])
	err.Throttling = reasons
	return err
}

// Throttle refuses the request for want of capacity, with the limits that were met. The name is one of the three, and refuses the request as a
// whole; "" does what the service does of the table as it is paid: of a batch the parts that the rule speaks of stay undone, unless
// these are all, and a transaction is canceled at the first of them.
func Throttle(name string, reasons ...string) Effect {
	e := Effect{name: "Throttle", on: anywhere, decides: true}
	if name == "" || name == ProvisionedThroughput || len(reasons) > 0 {
		e.on = keyed | page
	}
	if name != "" && throttlingMessages[name] == "" {
		e.setup = Misnamed("throttling error", name, slices.Sorted(maps.Keys(throttlingMessages)))
	}
	limits := make([]limit, len(reasons))
	for i, r := range reasons {
		l, ok := limitNamed(r)
		if !ok {
			e.setup = errors.Join(e.setup, fmt.Errorf("there is no throttling reason %q: one is such as %q", r, "TableWriteKeyRangeThroughputExceeded"))
		}
		limits[i] = l
		e.on &= l.on()
		e.ofIndex = e.ofIndex || l.index && l.write
	}
	if e.setup == nil && e.on == 0 {
		e.setup = fmt.Errorf("no request meets all of the limits %s", strings.Join(reasons, ", "))
	}
	e.fits = func(r *Request, targets []int) bool { return fit(r, targets, limits) }
	e.apply = func(p *Plan, m *meeting) {
		err := throttled(name, limits, m)
		switch class := operations[m.Operation]; {
		case name == "" && class&transacts != 0 && len(m.targets) > 0:
			cancel(p, m.targets[0], reasonOf(err))
		case name == "" && class&batches != 0 && len(m.targets) < len(m.Targets):
			undone := map[int]bool{}
			for _, i := range m.targets {
				undone[i] = true
			}
			leave(p, undone)
		default:
			p.Before.Error = err
		}
	}
	return e
}

// reasonOf is what a transaction is canceled for.
func reasonOf(throttling *awserr.Error) string {
	if throttling.Code == ProvisionedThroughput {
		return "ProvisionedThroughputExceeded"
	}
	return "ThrottlingError"
}

// limit is a limit on capacity that a request can meet.
type limit struct {
	name         string
	index, write bool
	kind         string
}

// The kinds of limits.
const (
	ofProvisioned = "ProvisionedThroughput"
	ofAccount     = "AccountLimit"
	ofKeyRange    = "KeyRangeThroughput"
	ofOnDemand    = "MaxOnDemandThroughput"
)

// limitNamed is the limit whose name is made of a resource, a direction and a kind, such as "IndexWriteKeyRangeThroughputExceeded".
func limitNamed(text string) (limit, bool) {
	for _, kind := range []string{ofProvisioned, ofAccount, ofKeyRange, ofOnDemand} {
		for _, index := range []bool{false, true} {
			for _, write := range []bool{false, true} {
				if text == limitName(index, write, kind) {
					return limit{text, index, write, kind}, true
				}
			}
		}
	}
	return limit{}, false
}

// KeyRangeLimit is the service's name of what one partition of a table, or of an index, can take.
func KeyRangeLimit(index, write bool) string { return limitName(index, write, ofKeyRange) }

func limitName(index, write bool, kind string) string {
	resource, direction := "Table", "Read"
	if index {
		resource = "Index"
	}
	if write {
		direction = "Write"
	}
	return resource + direction + kind + "Exceeded"
}

// on is where the limit can be met.
func (l limit) on() class {
	switch {
	case l.write:
		return writes
	case l.index:
		return page
	default:
		return get | batchGet | transactGet | page
	}
}

// fit tells whether a page is one of what the limits are of: of a global index, or of a table with its local ones.
func fit(r *Request, targets []int, limits []limit) bool {
	for _, l := range limits {
		if l.write || operations[r.Operation] != page {
			continue
		}
		for _, i := range targets {
			if t := &r.Targets[i]; r.World.IsGlobal(t.Table, t.Index) != l.index {
				return false
			}
		}
	}
	return true
}

func throttled(name string, limits []limit, m *meeting) *awserr.Error {
	var target engine.Target
	if len(m.targets) > 0 {
		target = m.Targets[m.targets[0]]
	}
	if name == "" {
		name = nameFor(limits, m.World.OnDemand(target.Table))
	}
	err := ThrottlingError(name)
	for _, l := range limits {
		index := ""
		if l.index {
			index = target.Index
			if l.write {
				index = m.index
			}
		}
		err.Throttling = append(err.Throttling, awserr.ThrottlingReason{Reason: l.name, Resource: m.World.ARN(target.Table, index)})
	}
	return err
}

// nameFor is the name under which the limits are told of a table: some limits are those of one way to pay for it.
func nameFor(limits []limit, onDemand bool) string {
	for _, l := range limits {
		switch l.kind {
		case ofProvisioned:
			onDemand = false
		case ofOnDemand:
			onDemand = true
		}
	}
	if onDemand {
		return Throttling
	}
	return ProvisionedThroughput
}
