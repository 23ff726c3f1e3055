package control

import (
	"context"
	"encoding/json"

	"github.com/trestledb/trestle/ddbtest"
)

// stream reads the stream of a table.
type stream struct {
	db  *ddbtest.DB
	arn string
}

// records returns all records, shard by shard.
func (s stream) records(ctx context.Context) ([]json.RawMessage, error) {
	var all []json.RawMessage
	in := map[string]string{"StreamArn": s.arn}
	for {
		var page struct {
			StreamDescription struct {
				Shards               []struct{ ShardId string } //nolint:staticcheck // the name in the API
				LastEvaluatedShardId string                     //nolint:staticcheck // the name in the API
			}
		}
		if err := ask(ctx, s.db, serviceStreams+"DescribeStream", in, &page); err != nil {
			return nil, err
		}
		for _, shard := range page.StreamDescription.Shards {
			records, err := s.ofShard(ctx, shard.ShardId)
			if err != nil {
				return nil, err
			}
			all = append(all, records...)
		}
		if page.StreamDescription.LastEvaluatedShardId == "" {
			return all, nil
		}
		in["ExclusiveStartShardId"] = page.StreamDescription.LastEvaluatedShardId
	}
}

// ofShard returns the records of a shard. The database is a fork, so nobody writes to it: a page
// without records is the last one.
func (s stream) ofShard(ctx context.Context, shard string) ([]json.RawMessage, error) {
	var all []json.RawMessage
	var iterator struct{ ShardIterator string }
	in := map[string]string{"StreamArn": s.arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
	if err := ask(ctx, s.db, serviceStreams+"GetShardIterator", in, &iterator); err != nil {
		return nil, err
	}
	for next := iterator.ShardIterator; next != ""; {
		var page struct {
			Records           []json.RawMessage
			NextShardIterator string
		}
		if err := ask(ctx, s.db, serviceStreams+"GetRecords", map[string]string{"ShardIterator": next}, &page); err != nil {
			return nil, err
		}
		if len(page.Records) == 0 {
			break
		}
		all, next = append(all, page.Records...), page.NextShardIterator
	}
	return all, nil
}
