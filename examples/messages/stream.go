package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// enableStream adds a stream with the old and new items to a table.
func enableStream(ctx context.Context, client *dynamodb.Client, table string) error {
	_, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName:           &table,
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	return err
}

// lastDay returns the records of a table's stream, which retains them for 24 hours. A service reads
// a stream with AWS Lambda or the Kinesis adapter instead: they read all shards, and remember what
// they have read.
func lastDay(ctx context.Context, client *dynamodbstreams.Client, table string) ([]streamtypes.Record, error) {
	list, err := client.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: &table})
	if err != nil {
		return nil, err
	}
	arn := list.Streams[0].StreamArn
	stream, err := client.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		return nil, err
	}
	var records []streamtypes.Record
	for _, shard := range stream.StreamDescription.Shards {
		start, err := client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
		})
		if err != nil {
			return nil, err
		}
		page, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: start.ShardIterator})
		if err != nil {
			return nil, err
		}
		records = append(records, page.Records...)
	}
	return records, nil
}

// isTTLDeletion reports whether time to live has deleted the item, and not a user. An event filter
// of AWS Lambda for these records is
//
//	{"userIdentity":{"type":["Service"],"principalId":["dynamodb.amazonaws.com"]}}
//
// In a global table, only the Region that deleted the item has the identity.
func isTTLDeletion(r streamtypes.Record) bool {
	by := r.UserIdentity
	return r.EventName == streamtypes.OperationTypeRemove && by != nil &&
		aws.ToString(by.Type) == "Service" && aws.ToString(by.PrincipalId) == "dynamodb.amazonaws.com"
}

// oldMessage returns the message before the change.
func oldMessage(r streamtypes.Record) (Message, error) {
	item, err := attributevalue.FromDynamoDBStreamsMap(r.Dynamodb.OldImage)
	if err != nil {
		return Message{}, err
	}
	return Messages.Decode(item)
}
