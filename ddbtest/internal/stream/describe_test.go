package stream

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/table"
)

func turnOff(t *testing.T, c *engine.Call, name string) {
	t.Helper()
	_, err := table.Update(c, &api.UpdateTableInput{TableName: name, StreamSpecification: &api.StreamSpecification{StreamEnabled: api.Pointer(false)}})
	require.NoError(t, err)
}

// TestDescribe describes a stream that was just enabled.
func TestDescribe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "new", "NEW_IMAGE")
		d := latest(t, c, "new")
		require.Regexp(t, `^shardId-\d{20}-[0-9a-f]{8}$`, d.Shards[0].ShardId)
		label := c.Now().UTC().Format("2006-01-02T15:04:05.000")
		require.Equal(t, &api.StreamDescription{
			CreationRequestDateTime: api.Seconds(c.Now()),
			KeySchema:               []api.KeySchemaElement{{AttributeName: "Id", KeyType: "HASH"}},
			Shards: []api.Shard{{
				ShardId:             d.Shards[0].ShardId,
				SequenceNumberRange: &api.SequenceNumberRange{StartingSequenceNumber: api.Pointer("000000000000000000002")},
			}},
			StreamArn:      "arn:aws:dynamodb:us-east-1:123456789012:table/new/stream/" + label,
			StreamLabel:    label,
			StreamStatus:   "ENABLED",
			StreamViewType: "NEW_IMAGE",
			TableName:      "new",
		}, d)
	})
}

// TestDescribeShards lists the shards of most of a day: page by page, and child by child.
func TestDescribeShards(t *testing.T) {
	t.Parallel()
	c := open(t, "old", "KEYS_ONLY")
	for range 5 {
		c.DB.Clock.Advance(4 * time.Hour)
		latest(t, c, "old")
	}
	d := latest(t, c, "old")
	require.Len(t, d.Shards, 6)

	for _, limit := range []int64{1, 4, 5, 6, 100} {
		var paged []api.Shard
		in := &api.DescribeStreamInput{StreamArn: d.StreamArn, Limit: &limit}
		for {
			out, err := Describe(c, in)
			require.NoError(t, err)
			paged = append(paged, out.StreamDescription.Shards...)
			if in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; in.ExclusiveStartShardId == nil {
				break
			}
		}
		require.Equal(t, d.Shards, paged)
	}
	for i, sh := range d.Shards {
		out, err := Describe(c, &api.DescribeStreamInput{StreamArn: d.StreamArn, ShardFilter: &api.ShardFilter{Type: "CHILD_SHARDS", ShardId: &sh.ShardId}})
		require.NoError(t, err)
		require.ElementsMatch(t, d.Shards[i+1:min(i+2, len(d.Shards))], out.StreamDescription.Shards)
	}
	_, err := Describe(c, &api.DescribeStreamInput{StreamArn: d.StreamArn, ShardFilter: &api.ShardFilter{Type: "CHILD_SHARDS"}})
	requireServiceError(t, err, awserr.CodeValidation, invalidValues+"ShardFilter needs a Type and a ShardId")
}

// TestDescribeRejects describes streams that do not exist.
func TestDescribeRejects(t *testing.T) {
	t.Parallel()
	c := open(t, "here", "KEYS_ONLY")
	_, err := Describe(c, &api.DescribeStreamInput{StreamArn: "here"})
	requireServiceError(t, err, awserr.CodeValidation, "Invalid StreamArn")
	const none = "arn:aws:dynamodb:us-east-1:123456789012:table/here/stream/then"
	_, err = Describe(c, &api.DescribeStreamInput{StreamArn: none})
	requireServiceError(t, err, awserr.CodeResourceNotFound, "Requested resource not found: Stream: "+none+" not found")
}

// TestList lists streams page by page, including one that was disabled less than a day ago.
func TestList(t *testing.T) {
	t.Parallel()
	c := open(t, "table0", "KEYS_ONLY")
	for i := 1; i < 7; i++ {
		create(t, c, fmt.Sprint("table", i), map[bool]string{true: "NEW_IMAGE"}[i != 3])
	}
	turnOff(t, c, "table5")
	list := func(in *api.ListStreamsInput) (tables []string) {
		for {
			out, err := List(c, in)
			require.NoError(t, err)
			for _, st := range out.Streams {
				require.Equal(t, "arn:aws:dynamodb:us-east-1:123456789012:table/"+st.TableName+"/stream/"+st.StreamLabel, st.StreamArn)
				tables = append(tables, st.TableName)
			}
			if in.ExclusiveStartStreamArn = out.LastEvaluatedStreamArn; in.ExclusiveStartStreamArn == nil {
				return tables
			}
		}
	}
	all := []string{"table0", "table1", "table2", "table4", "table5", "table6"}
	for _, limit := range []int64{1, 2, 5, 6, 7} {
		require.Equal(t, all, list(&api.ListStreamsInput{Limit: &limit}))
	}
	require.Equal(t, all, list(&api.ListStreamsInput{}))
	require.Equal(t, []string{"table2"}, list(&api.ListStreamsInput{TableName: api.Pointer("table2")}))
	require.Empty(t, list(&api.ListStreamsInput{TableName: api.Pointer("table3")}))

	c.DB.Clock.Advance(24 * time.Hour)
	require.Empty(t, list(&api.ListStreamsInput{TableName: api.Pointer("table5")}))
	_, err := List(c, &api.ListStreamsInput{ExclusiveStartStreamArn: api.Pointer("x")})
	requireServiceError(t, err, awserr.CodeValidation, "Invalid StreamArn")
}
