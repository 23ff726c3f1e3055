package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

const (
	payPerRequest = "PAY_PER_REQUEST"
	provisioned   = "PROVISIONED"
)

// throughput parses the provisioned throughput of a table.
func throughput(p *api.ProvisionedThroughput, onDemand bool) (store.Throughput, error) {
	switch {
	case onDemand && p != nil:
		return store.Throughput{}, errUnitsOnDemand()
	case onDemand:
		return store.Throughput{}, nil
	case p == nil:
		return store.Throughput{}, invalid("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	return store.Throughput{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}, nil
}

func errUnitsOnDemand() error {
	return invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
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
	}
	return store.Throughput{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}, nil
}
