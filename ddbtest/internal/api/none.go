package api

// The requests that list what ddbtest does not have, and their replies. The lists of the replies
// are always empty, so their element is Empty.

// ListBackupsInput is the request of ListBackups.
type ListBackupsInput struct {
	TableName               *string `api:"table"`
	Limit                   *int64  `api:"min=1,max=100"`
	TimeRangeLowerBound     *float64
	TimeRangeUpperBound     *float64
	ExclusiveStartBackupArn *string `api:"min=37,max=1024"`
	BackupType              string  `api:"enum=USER|SYSTEM|AWS_BACKUP|ALL"`
}

// ListBackupsOutput is the reply to ListBackups.
type ListBackupsOutput struct {
	BackupSummaries        []Empty
	LastEvaluatedBackupArn *string
}

// ListExportsInput is the request of ListExports.
type ListExportsInput struct {
	TableArn   *string `api:"min=1,max=1024"`
	MaxResults *int64  `api:"min=1,max=25"`
	NextToken  *string
}

// ListExportsOutput is the reply to ListExports.
type ListExportsOutput struct {
	ExportSummaries []Empty
	NextToken       *string
}

// ListImportsInput is the request of ListImports.
type ListImportsInput struct {
	TableArn  *string `api:"min=1,max=1024"`
	PageSize  *int64  `api:"min=1,max=25"`
	NextToken *string `api:"min=112,max=1024"`
}

// ListImportsOutput is the reply to ListImports.
type ListImportsOutput struct {
	ImportSummaryList []Empty
	NextToken         *string
}

// ListGlobalTablesInput is the request of ListGlobalTables.
type ListGlobalTablesInput struct {
	ExclusiveStartGlobalTableName *string `api:"name"`
	Limit                         *int64  `api:"min=1"`
	RegionName                    *string
}

// ListGlobalTablesOutput is the reply to ListGlobalTables.
type ListGlobalTablesOutput struct {
	GlobalTables                 []Empty
	LastEvaluatedGlobalTableName *string
}

// DescribeContributorInsightsInput is the request of DescribeContributorInsights.
type DescribeContributorInsightsInput struct {
	TableName string  `api:"required,table"`
	IndexName *string `api:"name"`
}

// ContributorInsightsOutput is the reply to DescribeContributorInsights.
type ContributorInsightsOutput struct {
	TableName                 string
	IndexName                 *string
	ContributorInsightsStatus string
}

// StreamingDestinationOutput is the reply to DescribeKinesisStreamingDestination.
type StreamingDestinationOutput struct {
	TableName                     string
	KinesisDataStreamDestinations []Empty
}
