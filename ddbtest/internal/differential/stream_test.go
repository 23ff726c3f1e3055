package differential

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

// compareStreams compares the records of each stream. The records of each item must be the same, in
// the same order.
func (r *run) compareStreams(ctx context.Context) ([]difference, error) {
	for _, t := range r.tables {
		if t.stream == "" {
			continue
		}
		a, err := r.a.records(ctx, t)
		if err != nil {
			return nil, err
		}
		b, err := r.b.records(ctx, t)
		if err != nil {
			return nil, err
		}
		for _, key := range union(a, b) {
			if differences := compareLists("records of "+key, a[key], b[key]); len(differences) > 0 {
				return differences, nil
			}
		}
		for _, records := range a {
			r.coverage["stream record"] += len(records)
		}
	}
	return nil, nil
}

// records reads the stream of a table. It returns the records of each item, in order.
func (s *side) records(ctx context.Context, t *table) (map[string][]string, error) {
	described, err := s.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: name(t)})
	if err != nil {
		return nil, fmt.Errorf("%s: describe %s: %w", s.name, t.name, err)
	}
	arn := described.Table.LatestStreamArn
	stream, err := s.streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		return nil, fmt.Errorf("%s: describe the stream of %s: %w", s.name, t.name, err)
	}
	all := map[string][]string{}
	for _, shard := range stream.StreamDescription.Shards {
		if err := s.shard(ctx, arn, shard, all); err != nil {
			return nil, fmt.Errorf("%s: read the stream of %s: %w", s.name, t.name, err)
		}
	}
	return all, nil
}

// shard adds the records of one shard. An open shard has no end: it is read until a page is empty.
func (s *side) shard(ctx context.Context, arn *string, shard streamtypes.Shard, all map[string][]string) error {
	begun, err := s.streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		return err
	}
	for at := begun.ShardIterator; at != nil; {
		got, err := s.streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: at})
		if err != nil {
			return err
		}
		for _, record := range got.Records {
			key, text, err := s.record(record)
			if err != nil {
				return err
			}
			all[key] = append(all[key], text)
		}
		if at = got.NextShardIterator; len(got.Records) == 0 {
			return nil
		}
	}
	return nil
}

func (s *side) record(record streamtypes.Record) (key, text string, err error) {
	var images [3]item
	for i, image := range []map[string]streamtypes.AttributeValue{record.Dynamodb.Keys, record.Dynamodb.OldImage, record.Dynamodb.NewImage} {
		if image == nil {
			continue
		}
		images[i], err = attributevalue.FromDynamoDBStreamsMap(image)
		if err != nil {
			return "", "", err
		}
	}
	user := ""
	if record.UserIdentity != nil {
		user = aws.ToString(record.UserIdentity.Type) + " " + aws.ToString(record.UserIdentity.PrincipalId)
	}
	text = fmt.Sprint(record.EventName, " ", record.Dynamodb.StreamViewType, " ", s.item(images[0]), " old ", s.item(images[1]), " new ", s.item(images[2]), " ", user)
	return showPlain(images[0]), text, nil
}
