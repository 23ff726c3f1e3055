package table

import (
	"fmt"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// DescribeContinuousBackups implements DescribeContinuousBackups. Backups are enabled,
// point-in-time recovery is not.
func DescribeContinuousBackups(c *engine.Call, in *api.TableInput) (*api.ContinuousBackupsOutput, error) {
	err := c.DB.View(func(s *store.State) error {
		if s.Lookup(in.TableName, c.Now()) == nil {
			return awserr.New("TableNotFoundException", "Table not found: %s", api.TableName(in.TableName))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &api.ContinuousBackupsOutput{ContinuousBackupsDescription: &api.ContinuousBackupsDescription{
		ContinuousBackupsStatus:        "ENABLED",
		PointInTimeRecoveryDescription: &api.PointInTimeRecoveryDescription{PointInTimeRecoveryStatus: "DISABLED"},
	}}, nil
}

// DescribeLimits implements DescribeLimits. It returns the quotas of a new account.
func DescribeLimits(*engine.Call, *api.Empty) (*api.DescribeLimitsOutput, error) {
	return &api.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits: 80000, AccountMaxWriteCapacityUnits: 80000,
		TableMaxReadCapacityUnits: 40000, TableMaxWriteCapacityUnits: 40000,
	}, nil
}

// DescribeEndpoints implements DescribeEndpoints. The address cannot be resolved: a client that
// uses it, instead of the endpoint that it called, fails at once and sends nothing to the network.
func DescribeEndpoints(c *engine.Call, _ *api.Empty) (*api.DescribeEndpointsOutput, error) {
	return &api.DescribeEndpointsOutput{Endpoints: []api.Endpoint{
		{Address: fmt.Sprintf("dynamodb.%s.ddbtest.invalid", c.Config.Region), CachePeriodInMinutes: 1440},
	}}, nil
}
