package api

// TimeToLiveSpecification turns the deletion of expired items on or off.
type TimeToLiveSpecification struct {
	AttributeName string `api:"required,min=1,max=255"`
	Enabled       *bool  `api:"required"`
}

// UpdateTimeToLiveInput is a request.
type UpdateTimeToLiveInput struct {
	TableName               string                   `api:"required,table"`
	TimeToLiveSpecification *TimeToLiveSpecification `api:"required"`
}

// UpdateTimeToLiveOutput is its reply.
type UpdateTimeToLiveOutput struct {
	TimeToLiveSpecification *TimeToLiveSpecification
}

// DescribeTimeToLiveOutput is a reply.
type DescribeTimeToLiveOutput struct {
	TimeToLiveDescription *TimeToLiveDescription
}

// TimeToLiveDescription is a table's setting.
type TimeToLiveDescription struct {
	AttributeName    string
	TimeToLiveStatus string
}

// TagResourceInput is a request.
type TagResourceInput struct {
	ResourceArn string `api:"required,min=1,max=1283"`
	Tags        []Tag  `api:"required"`
}

// UntagResourceInput is a request.
type UntagResourceInput struct {
	ResourceArn string   `api:"required,min=1,max=1283"`
	TagKeys     []string `api:"required,each=128"`
}

// ListTagsOfResourceInput is a request.
type ListTagsOfResourceInput struct {
	ResourceArn string `api:"required,min=1,max=1283"`
	NextToken   *string
}

// ListTagsOfResourceOutput is its reply.
type ListTagsOfResourceOutput struct {
	NextToken *string
	Tags      []Tag
}

// Empty is a request or a reply without members.
type Empty struct{}

// DescribeLimitsOutput is a reply.
type DescribeLimitsOutput struct {
	AccountMaxReadCapacityUnits  int64
	AccountMaxWriteCapacityUnits int64
	TableMaxReadCapacityUnits    int64
	TableMaxWriteCapacityUnits   int64
}

// DescribeEndpointsOutput is a reply.
type DescribeEndpointsOutput struct {
	Endpoints []Endpoint
}

// Endpoint is where to call.
type Endpoint struct {
	Address              string
	CachePeriodInMinutes int64
}

// ContinuousBackupsOutput is a reply.
type ContinuousBackupsOutput struct {
	ContinuousBackupsDescription *ContinuousBackupsDescription
}

// ContinuousBackupsDescription is a table's backups: none here.
type ContinuousBackupsDescription struct {
	ContinuousBackupsStatus        string
	PointInTimeRecoveryDescription *PointInTimeRecoveryDescription
}

// PointInTimeRecoveryDescription is a table's point-in-time recovery: off here.
type PointInTimeRecoveryDescription struct {
	PointInTimeRecoveryStatus string
}
