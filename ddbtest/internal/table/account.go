package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// The quotas of a new account, in provisioned units per second. Nothing enforces them, because an
// account can have higher ones.
const (
	maxAccountUnits = 80_000
	maxTableUnits   = 40_000
)

// DescribeLimits implements DescribeLimits.
func DescribeLimits(*engine.Call, *api.Empty) (*api.LimitsOutput, error) {
	return &api.LimitsOutput{
		AccountMaxReadCapacityUnits: api.Pointer[int64](maxAccountUnits), AccountMaxWriteCapacityUnits: api.Pointer[int64](maxAccountUnits),
		TableMaxReadCapacityUnits: api.Pointer[int64](maxTableUnits), TableMaxWriteCapacityUnits: api.Pointer[int64](maxTableUnits),
	}, nil
}

// cachePeriod is how long the service lets clients use an endpoint, in minutes.
const cachePeriod = 1440

// DescribeEndpoints implements DescribeEndpoints. The endpoint is the one to which the request was
// sent.
func DescribeEndpoints(c *engine.Call, _ *api.Empty) (*api.EndpointsOutput, error) {
	return &api.EndpointsOutput{Endpoints: []api.Endpoint{{Address: c.Host, CachePeriodInMinutes: api.Pointer[int64](cachePeriod)}}}, nil
}
