package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

const (
	payPerRequest = "PAY_PER_REQUEST"
	provisioned   = "PROVISIONED"
)

// maxUnits is the largest throughput for which the service checks its quotas.
const maxUnits = 1_000_000_000_000

// throughput parses the provisioned throughput of a table.
func throughput(p *api.ProvisionedThroughput, onDemand bool) (store.Throughput, error) {
	switch {
	case onDemand && p != nil:
		return store.Throughput{}, neitherUnits()
	case onDemand:
		return store.Throughput{}, nil
	case p == nil:
		return store.Throughput{}, invalid("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	return store.Throughput{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}, inBounds(p)
}

func neitherUnits() error {
	return invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
}

func inBounds(p *api.ProvisionedThroughput) error {
	if p == nil {
		return nil
	}
	if *p.ReadCapacityUnits > maxUnits {
		return awserr.Validation("Given value %d for ReadCapacityUnits is out of bounds", *p.ReadCapacityUnits)
	}
	if *p.WriteCapacityUnits > maxUnits {
		return awserr.Validation("Given value %d for WriteCapacityUnits is out of bounds", *p.WriteCapacityUnits)
	}
	return nil
}

// indexThroughput parses the provisioned throughput of a global index.
func indexThroughput(index string, p *api.ProvisionedThroughput, onDemand bool) (store.Throughput, error) {
	switch {
	case onDemand && p != nil:
		return store.Throughput{}, invalid("ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST", index)
	case onDemand:
		return store.Throughput{}, nil
	case p == nil:
		return store.Throughput{}, invalid("ProvisionedThroughput must be specified for index: %s", index)
	case *p.ReadCapacityUnits > maxUnits, *p.WriteCapacityUnits > maxUnits:
		return store.Throughput{}, awserr.Validation("This operation cannot be performed with given input values. " +
			"Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate")
	}
	return store.Throughput{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}, nil
}

// onDemandLimits parses the limits of on-demand throughput.
func onDemandLimits(o *api.OnDemandThroughput, onDemand bool) (store.OnDemand, error) {
	if o == nil {
		return store.OnDemand{}, nil
	}
	if !onDemand {
		return store.OnDemand{}, invalid("OnDemandThroughput can only be specified when BillingMode is PAY_PER_REQUEST")
	}
	read, okRead := onDemandLimit(o.MaxReadRequestUnits)
	write, okWrite := onDemandLimit(o.MaxWriteRequestUnits)
	if !okRead || !okWrite {
		return store.OnDemand{}, invalid("MaxReadRequestUnits and MaxWriteRequestUnits must be -1 or at least 1")
	}
	return store.OnDemand{Read: read, Write: write}, nil
}

// onDemandLimit returns the limit, or 0 if there is none.
func onDemandLimit(units *int64) (limit int64, ok bool) {
	switch {
	case units == nil, *units == -1:
		return 0, true
	default:
		return *units, *units >= 1
	}
}

// baseline returns the default warm throughput.
func baseline(p store.Throughput, onDemand bool) store.Warm {
	if onDemand {
		return store.Warm{Read: 12000, Write: 4000}
	}
	return store.Warm{Read: p.Read, Write: p.Write}
}

// warm parses the warm throughput. It must not be less than the baseline, nor than the previous
// value.
func warm(w *api.WarmThroughput, before, least store.Warm) (store.Warm, error) {
	if w == nil {
		return before, nil
	}
	after := before
	if u := w.ReadUnitsPerSecond; u != nil {
		if err := warmUnits("ReadUnitsPerSecond", *u, before.Read, least.Read); err != nil {
			return before, err
		}
		after.Read = *u
	}
	if u := w.WriteUnitsPerSecond; u != nil {
		if err := warmUnits("WriteUnitsPerSecond", *u, before.Write, least.Write); err != nil {
			return before, err
		}
		after.Write = *u
	}
	return after, nil
}

func warmUnits(name string, units, before, least int64) error {
	switch {
	case units < before:
		return invalid("Requested %s for WarmThroughput is %d, which is lower than current WarmThroughput: %d", name, units, before)
	case units < least:
		return invalid("Requested %s for WarmThroughput is %d, which is lower than the baseline: %d", name, units, least)
	default:
		return nil
	}
}
