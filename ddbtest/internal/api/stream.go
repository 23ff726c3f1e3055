package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// ListStreamsInput is a request.
type ListStreamsInput struct {
	TableName               *string `api:"table"`
	Limit                   *int64  `api:"min=1,max=100"`
	ExclusiveStartStreamArn *string `api:"min=37,max=1024"`
}

// ListStreamsOutput is its reply.
type ListStreamsOutput struct {
	LastEvaluatedStreamArn *string
	Streams                []Stream
}

// Stream names a stream.
type Stream struct {
	StreamArn   string
	StreamLabel string
	TableName   string
}

// DescribeStreamInput is a request.
type DescribeStreamInput struct {
	StreamArn             string  `api:"required,min=37,max=1024"`
	Limit                 *int64  `api:"min=1,max=100"`
	ExclusiveStartShardId *string `api:"min=28,max=65"`
	ShardFilter           *ShardFilter
}

// ShardFilter narrows the shards of a description.
type ShardFilter struct {
	Type    string  `api:"enum=CHILD_SHARDS"`
	ShardId *string `api:"min=28,max=65"`
}

// DescribeStreamOutput is its reply.
type DescribeStreamOutput struct {
	StreamDescription *StreamDescription
}

// StreamDescription is a stream and its shards.
type StreamDescription struct {
	CreationRequestDateTime *float64
	KeySchema               []KeySchemaElement
	LastEvaluatedShardId    *string
	Shards                  []Shard
	StreamArn               string
	StreamLabel             string
	StreamStatus            string
	StreamViewType          string
	TableName               string
}

// Shard is a part of a stream; it has an end once it takes no more records.
type Shard struct {
	ParentShardId       *string
	SequenceNumberRange *SequenceNumberRange
	ShardId             string
}

// SequenceNumberRange is a shard's first and last number.
type SequenceNumberRange struct {
	EndingSequenceNumber   *string
	StartingSequenceNumber *string
}

// GetShardIteratorInput is a request.
type GetShardIteratorInput struct {
	StreamArn         string   `api:"required,min=37,max=1024"`
	ShardId           string   `api:"required,min=28,max=65"`
	ShardIteratorType string   `api:"required,enum=TRIM_HORIZON|LATEST|AT_SEQUENCE_NUMBER|AFTER_SEQUENCE_NUMBER|AT_TIMESTAMP"`
	SequenceNumber    *string  `api:"min=21,max=40"`
	Timestamp         *float64 // seconds since 1970
}

// GetShardIteratorOutput is its reply.
type GetShardIteratorOutput struct {
	ShardIterator string
}

// GetRecordsInput is a request.
type GetRecordsInput struct {
	ShardIterator string `api:"required,min=1,max=2048"`
	Limit         *int64 `api:"min=1,max=1000"`
}

// GetRecordsOutput is its reply.
type GetRecordsOutput struct {
	NextShardIterator *string
	Records           []Record
}

// Record is one change of one item. Its members' names are spelled as the streams' API has them.
type Record struct {
	AwsRegion    string       `json:"awsRegion"`
	Dynamodb     StreamRecord `json:"dynamodb"`
	EventID      string       `json:"eventID"`
	EventName    string       `json:"eventName"`
	EventSource  string       `json:"eventSource"`
	EventVersion string       `json:"eventVersion"`
	UserIdentity *Identity    `json:"userIdentity"`
}

// Identity is who made a change, where it was the service itself.
type Identity struct {
	PrincipalId string
	Type        string
}

// StreamRecord is the change.
type StreamRecord struct {
	ApproximateCreationDateTime *float64
	Keys                        value.Map
	NewImage                    value.Map
	OldImage                    value.Map
	SequenceNumber              string
	SizeBytes                   int64
	StreamViewType              string
}
