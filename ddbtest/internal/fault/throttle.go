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

// The names of the service's throttling errors.
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

// ThrottlingError returns the service's error of that name.
func ThrottlingError(name string, reasons ...awserr.ThrottlingReason) *awserr.Error {
	err := awserr.New(name, "%s", throttlingMessages[name])
	err.Throttling = reasons
	return err
}

// Throttle throttles the request, with the names of the exceeded limits. A name other than "" must
// be one of the three errors, and fails the whole request. With "" the effect follows the service:
// the table's billing mode determines the error. In a batch, the matching parts are unprocessed; if
// these are all parts, the whole request fails. A transaction is canceled at the first matching
// action.
func Throttle(name string, reasons ...string) Effect {
	e := Effect{name: "Throttle", operations: anywhere, decides: true}
	if name == "" || name == ProvisionedThroughput || len(reasons) > 0 {
		e.operations = keyed | page
	}
	if name != "" && throttlingMessages[name] == "" {
		e.err = UnknownName("throttling error", name, slices.Sorted(maps.Keys(throttlingMessages)))
	}
	limits := make([]limit, len(reasons))
	for i, r := range reasons {
		l, ok := limitNamed(r)
		if !ok {
			e.err = errors.Join(e.err, fmt.Errorf("there is no throttling reason %q: one is such as %q", r, "TableWriteKeyRangeThroughputExceeded"))
		}
		limits[i] = l
		e.operations &= l.on()
		e.needsIndex = e.needsIndex || l.index && l.write
	}
	if e.err == nil && e.operations == 0 {
		e.err = fmt.Errorf("no request meets all of the limits %s", strings.Join(reasons, ", "))
	}
	e.applicable = func(r *Request, targets []int) bool { return limitsApply(r, targets, limits) }
	e.apply = func(p *Plan, m *match) {
		err := throttled(name, limits, m)
		switch class := operations[m.Operation]; {
		case name == "" && class&transacts != 0 && len(m.targets) > 0:
			cancel(p, m.targets[0], CancellationReason(err))
		case name == "" && class&batches != 0 && len(m.targets) < len(m.Targets):
			undone := map[int]bool{}
			for _, i := range m.targets {
				undone[i] = true
			}
			leaveUnprocessed(p, undone)
		default:
			p.Before.Error = err
		}
	}
	return e
}

// CancellationReason returns the cancellation reason of a transaction for a throttling error.
func CancellationReason(throttling *awserr.Error) string {
	if throttling.Code == ProvisionedThroughput {
		return "ProvisionedThroughputExceeded"
	}
	return "ThrottlingError"
}

// limit is a capacity limit that a request can exceed.
type limit struct {
	name         string
	index, write bool
	kind         string
}

// The kinds of limits.
const (
	provisionedLimit = "ProvisionedThroughput"
	accountLimit     = "AccountLimit"
	keyRangeLimit    = "KeyRangeThroughput"
	onDemandLimit    = "MaxOnDemandThroughput"
)

// limitNamed parses the name of a limit. The name consists of a resource, a direction and a kind,
// such as "IndexWriteKeyRangeThroughputExceeded".
func limitNamed(text string) (limit, bool) {
	for _, kind := range []string{provisionedLimit, accountLimit, keyRangeLimit, onDemandLimit} {
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

// KeyRangeLimit returns the service's name for the limit of one partition of a table or an index.
func KeyRangeLimit(index, write bool) string { return limitName(index, write, keyRangeLimit) }

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

// on returns the operations that can exceed the limit.
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

// limitsApply reports whether the pages match the limits: a limit of an index needs a global index,
// and a limit of a table needs the table or a local index.
func limitsApply(r *Request, targets []int, limits []limit) bool {
	for _, l := range limits {
		if l.write || operations[r.Operation] != page {
			continue
		}
		for _, i := range targets {
			if t := &r.Targets[i]; r.Tables.IsGlobal(t.Table, t.Index) != l.index {
				return false
			}
		}
	}
	return true
}

func throttled(name string, limits []limit, m *match) *awserr.Error {
	var target engine.Target
	if len(m.targets) > 0 {
		target = m.Targets[m.targets[0]]
	}
	if name == "" {
		name = nameFor(limits, m.Tables.OnDemand(target.Table))
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
		err.Throttling = append(err.Throttling, awserr.ThrottlingReason{Reason: l.name, Resource: m.Tables.ARN(target.Table, index)})
	}
	return err
}

// nameFor returns the name of the error for these limits. Some limits exist in one billing mode
// only, and these determine the name.
func nameFor(limits []limit, onDemand bool) string {
	for _, l := range limits {
		switch l.kind {
		case provisionedLimit:
			onDemand = false
		case onDemandLimit:
			onDemand = true
		}
	}
	if onDemand {
		return Throttling
	}
	return ProvisionedThroughput
}
