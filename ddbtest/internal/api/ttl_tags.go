package api

// TimeToLiveSpecification turns the deletion of expired items on or off.
type TimeToLiveSpecification struct {
	AttributeName string `api:"required,min=1,max=255"`
	Enabled       *bool  `api:"required"`
}

// UpdateTimeToLiveInput is the request of UpdateTimeToLive.
type UpdateTimeToLiveInput struct {
	TableName               string                   `api:"required,table"`
	TimeToLiveSpecification *TimeToLiveSpecification `api:"required"`
}

// UpdateTimeToLiveOutput is the reply to UpdateTimeToLive.
type UpdateTimeToLiveOutput struct {
	TimeToLiveSpecification *TimeToLiveSpecification
}

// DescribeTimeToLiveOutput is the reply to DescribeTimeToLive.
type DescribeTimeToLiveOutput struct {
	TimeToLiveDescription *TimeToLiveDescription
}

// TimeToLiveDescription is the time-to-live setting of a table.
type TimeToLiveDescription struct {
	AttributeName    string
	TimeToLiveStatus string
}

// TagResourceInput is the request of TagResource.
type TagResourceInput struct {
	ResourceArn string `api:"required,min=1,max=1283"`
	Tags        []Tag  `api:"required"`
}

// UntagResourceInput is the request of UntagResource.
type UntagResourceInput struct {
	ResourceArn string   `api:"required,min=1,max=1283"`
	TagKeys     []string `api:"required,each=128"`
}

// ListTagsOfResourceInput is the request of ListTagsOfResource.
type ListTagsOfResourceInput struct {
	ResourceArn string `api:"required,min=1,max=1283"`
	NextToken   *string
}

// ListTagsOfResourceOutput is the reply to ListTagsOfResource.
type ListTagsOfResourceOutput struct {
	NextToken *string
	Tags      []Tag
}

// Empty is a request or a reply without members.
type Empty struct{}
