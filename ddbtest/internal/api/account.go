package api

// LimitsOutput is the reply to DescribeLimits.
type LimitsOutput struct {
	AccountMaxReadCapacityUnits  *int64
	AccountMaxWriteCapacityUnits *int64
	TableMaxReadCapacityUnits    *int64
	TableMaxWriteCapacityUnits   *int64
}

// EndpointsOutput is the reply to DescribeEndpoints.
type EndpointsOutput struct {
	Endpoints []Endpoint
}

// Endpoint is an address to which clients can send requests, for some minutes.
type Endpoint struct {
	Address              string
	CachePeriodInMinutes *int64
}
