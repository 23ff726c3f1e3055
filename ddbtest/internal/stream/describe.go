package stream

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Describe implements DescribeStream. Shards are in the order in which they were opened, so parents
// precede their children.
func Describe(c *engine.Call, in *api.DescribeStreamInput) (*api.DescribeStreamOutput, error) {
	if f := in.ShardFilter; f != nil && (f.Type == "" || f.ShardId == nil) {
		return nil, awserr.Validation("One or more parameter values were invalid: ShardFilter needs a Type and a ShardId")
	}
	out := &api.DescribeStreamOutput{}
	err := viewSwept(c, func(s *store.State) error {
		st, err := findStream(s, in.StreamArn)
		if err != nil {
			return err
		}
		d := describeStream(st)
		most := pageLimit(in.Limit, maxListed)
		for _, sh := range st.Shards {
			if !selected(sh, in) {
				continue
			}
			if len(d.Shards) == most {
				d.LastEvaluatedShardId = api.Pointer(d.Shards[most-1].ShardId)
				break
			}
			d.Shards = append(d.Shards, describeShard(sh))
		}
		out.StreamDescription = d
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// selected reports whether the request selects that shard. IDs are ordered, so
// ExclusiveStartShardId may be a shard that no longer exists.
func selected(sh store.Shard, in *api.DescribeStreamInput) bool {
	if in.ExclusiveStartShardId != nil && sh.ID <= *in.ExclusiveStartShardId {
		return false
	}
	return in.ShardFilter == nil || sh.Parent == *in.ShardFilter.ShardId
}

// describeStream describes a stream without its shards.
func describeStream(st *store.Stream) *api.StreamDescription {
	status := "ENABLED"
	if !st.ClosedAt.IsZero() {
		status = "DISABLED"
	}
	d := &api.StreamDescription{
		CreationRequestDateTime: api.Seconds(st.Created),
		Shards:                  []api.Shard{},
		StreamArn:               st.ARN,
		StreamLabel:             st.Label,
		StreamStatus:            status,
		StreamViewType:          st.View,
		TableName:               st.Table,
	}
	for _, a := range st.Key.Partition {
		d.KeySchema = append(d.KeySchema, api.KeySchemaElement{AttributeName: a.Name, KeyType: "HASH"})
	}
	for _, a := range st.Key.Sort {
		d.KeySchema = append(d.KeySchema, api.KeySchemaElement{AttributeName: a.Name, KeyType: "RANGE"})
	}
	return d
}

func describeShard(sh store.Shard) api.Shard {
	d := api.Shard{ShardId: sh.ID, SequenceNumberRange: &api.SequenceNumberRange{StartingSequenceNumber: api.Pointer(formatSequence(sh.Start))}}
	if sh.Parent != "" {
		d.ParentShardId = api.Pointer(sh.Parent)
	}
	if sh.End != 0 {
		d.SequenceNumberRange.EndingSequenceNumber = api.Pointer(formatSequence(sh.End))
	}
	return d
}
