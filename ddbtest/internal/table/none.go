package table

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// The lists of what ddbtest does not have are empty. As in the service, they have no error for a
// table that does not exist: its backups, exports and imports remain after it.

// ListBackups implements ListBackups.
func ListBackups(*engine.Call, *api.ListBackupsInput) (*api.ListBackupsOutput, error) {
	return &api.ListBackupsOutput{BackupSummaries: []api.Empty{}}, nil
}

// ListExports implements ListExports.
func ListExports(*engine.Call, *api.ListExportsInput) (*api.ListExportsOutput, error) {
	return &api.ListExportsOutput{ExportSummaries: []api.Empty{}}, nil
}

// ListImports implements ListImports.
func ListImports(*engine.Call, *api.ListImportsInput) (*api.ListImportsOutput, error) {
	return &api.ListImportsOutput{ImportSummaryList: []api.Empty{}}, nil
}

// ListGlobalTables implements ListGlobalTables.
func ListGlobalTables(*engine.Call, *api.ListGlobalTablesInput) (*api.ListGlobalTablesOutput, error) {
	return &api.ListGlobalTablesOutput{GlobalTables: []api.Empty{}}, nil
}

// DescribeContributorInsights implements DescribeContributorInsights. They are disabled.
func DescribeContributorInsights(c *engine.Call, in *api.DescribeContributorInsightsInput) (*api.ContributorInsightsOutput, error) {
	out := &api.ContributorInsightsOutput{IndexName: in.IndexName, ContributorInsightsStatus: "DISABLED"}
	err := c.DB.View(func(s *store.State) error {
		t, err := find(s, c.Now(), in.TableName)
		if err != nil {
			return err
		}
		if in.IndexName != nil && t.Index(*in.IndexName) == nil {
			return awserr.New(awserr.CodeResourceNotFound, "Requested resource not found: Index: %s not found", *in.IndexName)
		}
		out.TableName = t.Name
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// DescribeKinesisStreamingDestination implements DescribeKinesisStreamingDestination. There is
// none.
func DescribeKinesisStreamingDestination(c *engine.Call, in *api.TableInput) (*api.StreamingDestinationOutput, error) {
	out := &api.StreamingDestinationOutput{KinesisDataStreamDestinations: []api.Empty{}}
	err := c.DB.View(func(s *store.State) error {
		t, err := find(s, c.Now(), in.TableName)
		if err != nil {
			return err
		}
		out.TableName = t.Name
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
