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

// Throttle throttles the request. The names are those of exceeded limits, and at most one of the
// three errors. With an error the effect fails the whole request. Without one it follows the
// service: the table's billing mode determines the error. In a batch, the matching parts are
// unprocessed; if these are all parts, the whole request fails. A transaction is canceled at the
// first matching action.
func Throttle(names ...string) Effect {
	e := Effect{name: fmt.Sprintf("Throttle(%s)", strings.Join(names, ", ")), operations: allOperations, endsRequest: true}
	code, limits, err := parseThrottling(names)
	if code == "" || code == ProvisionedThroughput || len(limits) > 0 {
		e.operations = onItems | page
	}
	for _, l := range limits {
		e.operations &= l.operations()
		e.needsIndex = e.needsIndex || l.index && l.write
	}
	if e.err = err; err == nil && e.operations == 0 {
		e.err = fmt.Errorf("%s: no operation can exceed all of these limits", e.name)
	}
	e.applicable = func(r *Request, targets []int) bool { return limitsFit(r, targets, limits) }
	e.apply = func(p *Plan, m *match) {
		err := throttled(code, limits, m)
		switch class := m.class(); {
		case code == "" && class&transactions != 0 && len(m.targets) > 0:
			cancel(p, m.targets[0], CancellationReason(err))
		case code == "" && class&batches != 0 && len(m.targets) < len(m.Targets):
			leaveUnprocessed(p, m.targets)
		default:
			p.Before.Error = err
		}
	}
	return e
}

// parseThrottling divides the names into the code of an error, or "", and limits.
func parseThrottling(names []string) (code string, limits []limit, err error) {
	for _, name := range names {
		l, isLimit := limitNamed(name)
		switch {
		case isLimit:
			limits = append(limits, l)
		case throttlingMessages[name] == "":
			codes := strings.Join(slices.Sorted(maps.Keys(throttlingMessages)), ", ")
			err = errors.Join(err, fmt.Errorf("%q is neither a throttling error (%s) nor a limit, such as TableWriteKeyRangeThroughputExceeded", name, codes))
		case code != "":
			err = errors.Join(err, fmt.Errorf("only one error is possible: %s or %s", code, name))
		default:
			code = name
		}
	}
	return code, limits, err
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

// operations returns the operations that can exceed the limit.
func (l limit) operations() operationSet {
	switch {
	case l.write:
		return writes
	case l.index:
		return page
	default:
		return get | batchGet | transactGet | page
	}
}

// limitsFit reports whether the pages match the limits: a limit of an index needs a global index,
// and a limit of a table needs the table or a local index.
func limitsFit(r *Request, targets []int, limits []limit) bool {
	for _, l := range limits {
		if l.write || r.class() != page {
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

func throttled(code string, limits []limit, m *match) *awserr.Error {
	var target engine.Target
	if len(m.targets) > 0 {
		target = m.Targets[m.targets[0]]
	}
	if code == "" {
		code = codeFor(limits, m.Tables.OnDemand(target.Table))
	}
	err := ThrottlingError(code)
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

// codeFor returns the code of the error for these limits. Some limits exist in one billing mode
// only, and these determine the name.
func codeFor(limits []limit, onDemand bool) string {
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
