package api

import "github.com/trestledb/trestle/ddbtest/internal/value"

// ListStreamsInput is the request of ListStreams.
type ListStreamsInput struct {
	TableName               *string `api:"table"`
	Limit                   *int64  `api:"min=1,max=100"`
	ExclusiveStartStreamArn *string `api:"min=37,max=1024"`
}

// ListStreamsOutput is the reply to ListStreams.
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

// DescribeStreamInput is the request of DescribeStream.
type DescribeStreamInput struct {
	StreamArn             string  `api:"required,min=37,max=1024"`
	Limit                 *int64  `api:"min=1,max=100"`
	ExclusiveStartShardId *string `api:"min=28,max=65"`
	ShardFilter           *ShardFilter
}

// ShardFilter restricts the shards that DescribeStream returns.
type ShardFilter struct {
	Type    string  `api:"enum=CHILD_SHARDS"`
	ShardId *string `api:"min=28,max=65"`
}

// DescribeStreamOutput is the reply to DescribeStream.
type DescribeStreamOutput struct {
	StreamDescription *StreamDescription
}

// StreamDescription describes a stream and its shards.
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

// Shard is a part of a stream. A closed shard, which takes no more records, has an ending sequence
// number.
type Shard struct {
	ParentShardId       *string
	SequenceNumberRange *SequenceNumberRange
	ShardId             string
}

// SequenceNumberRange is the first and the last sequence number of a shard.
type SequenceNumberRange struct {
	EndingSequenceNumber   *string
	StartingSequenceNumber *string
}

// GetShardIteratorInput is the request of GetShardIterator.
type GetShardIteratorInput struct {
	StreamArn         string   `api:"required,min=37,max=1024"`
	ShardId           string   `api:"required,min=28,max=65"`
	ShardIteratorType string   `api:"required,enum=TRIM_HORIZON|LATEST|AT_SEQUENCE_NUMBER|AFTER_SEQUENCE_NUMBER|AT_TIMESTAMP"`
	SequenceNumber    *string  `api:"min=21,max=40"`
	Timestamp         *float64 // seconds since 1970
}

// GetShardIteratorOutput is the reply to GetShardIterator.
type GetShardIteratorOutput struct {
	ShardIterator string
}

// GetRecordsInput is the request of GetRecords.
type GetRecordsInput struct {
	ShardIterator string `api:"required,min=1,max=2048"`
	Limit         *int64 `api:"min=1,max=1000"`
}

// GetRecordsOutput is the reply to GetRecords.
type GetRecordsOutput struct {
	NextShardIterator *string
	Records           []Record
}

// Record is one change of one item. The JSON names are those of the DynamoDB Streams API.
type Record struct {
	AwsRegion    string       `json:"awsRegion"`
	Dynamodb     StreamRecord `json:"dynamodb"`
	EventID      string       `json:"eventID"`
	EventName    string       `json:"eventName"`
	EventSource  string       `json:"eventSource"`
	EventVersion string       `json:"eventVersion"`
	UserIdentity *Identity    `json:"userIdentity"`
}

// Identity is the service itself, if the service made the change.
type Identity struct {
	PrincipalId string
	Type        string
}

// StreamRecord is the changed item.
type StreamRecord struct {
	ApproximateCreationDateTime *float64
	Keys                        value.Map
	NewImage                    value.Map
	OldImage                    value.Map
	SequenceNumber              string
	SizeBytes                   int64
	StreamViewType              string
}
