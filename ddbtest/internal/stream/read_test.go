package stream

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/table"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// follower reads a stream as an application does: shard by shard, parents first, and each shard
// from where it stopped.
type follower struct {
	call *engine.Call
	r    *rand.Rand
	seen map[string]string // last sequence number by shard; "" if there is none yet
	done map[string]bool   // shards that were read to their end
	read []string          // the changes in the records
}

// catchUp reads all records. After a record it resumes with an iterator of that type.
func (f *follower) catchUp(t *testing.T, name, resume string) {
	t.Helper()
	d := latest(t, f.call, name)
	for _, sh := range d.Shards {
		if parent := sh.ParentShardId; f.done[sh.ShardId] || parent != nil && contains(d.Shards, *parent) && !f.done[*parent] {
			continue
		}
		f.readShard(t, d.StreamArn, sh.ShardId, resume)
	}
}

func contains(shards []api.Shard, id string) bool {
	for _, sh := range shards {
		if sh.ShardId == id {
			return true
		}
	}
	return false
}

func (f *follower) readShard(t *testing.T, arn, shard, resume string) {
	t.Helper()
	kind, number := "TRIM_HORIZON", (*string)(nil)
	if last := f.seen[shard]; last != "" {
		kind, number = resume, &last
	}
	it, err := at(f.call, arn, shard, kind, number)
	require.NoError(t, err)
	for pages := 0; ; pages++ {
		require.Less(t, pages, 10_000, "the shard does not end")
		limit := 1 + f.r.Int64N(5)
		out, err := GetRecords(f.call, &api.GetRecordsInput{ShardIterator: it, Limit: &limit})
		require.NoError(t, err)
		require.LessOrEqual(t, len(out.Records), int(limit))
		for _, r := range out.Records {
			f.read = append(f.read, fmt.Sprint(r.EventName, r.Dynamodb.Keys))
			f.seen[shard] = r.Dynamodb.SequenceNumber
		}
		if out.NextShardIterator == nil {
			f.done[shard] = true
			return
		}
		if len(out.Records) == 0 {
			return
		}
		it = *out.NextShardIterator
	}
}

// TestFollowing reads a stream over days while it is written to. It checks that each change is read
// once, in order. The negative control resumes at the last record instead of after it.
func TestFollowing(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	steps := testsize.Pick(600, 3_000, 10_000)
	synctest.Test(t, func(t *testing.T) {
		wrote, read := follow(t, seed, steps, "AFTER_SEQUENCE_NUMBER")
		require.Equal(t, wrote, read)
		wrote, read = follow(t, seed, steps, "AT_SEQUENCE_NUMBER")
		require.NotEqual(t, wrote, read, "the check did not see records that came twice")
	})
}

func follow(t *testing.T, seed uint64, steps int, resume string) (wrote, read []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	c := open(t, "followed", "KEYS_ONLY")
	f := &follower{call: c, r: r, seen: map[string]string{}, done: map[string]bool{}}
	there := map[int64]bool{}
	behind := 0
	for range steps {
		switch n := r.Int64N(5); r.IntN(6) {
		// The time between two reads is always less than the 24 hours that a record lasts.
		case 0:
			c.DB.Clock.Advance(time.Duration(r.IntN(120)) * time.Minute)
			table.Sweep(c.DB, c.Config)
			if behind++; behind == 10 {
				f.catchUp(t, "followed", resume)
				behind = 0
			}
		case 1:
			f.catchUp(t, "followed", resume)
			behind = 0
		case 2:
			remove(c, "followed", id(n))
			if there[n] {
				wrote = append(wrote, fmt.Sprint("REMOVE", id(n)))
			}
			there[n] = false
		default:
			put(c, "followed", message(n, fmt.Sprint(r.Uint64())))
			event := map[bool]string{false: "INSERT", true: "MODIFY"}[there[n]]
			wrote = append(wrote, fmt.Sprint(event, id(n)))
			there[n] = true
		}
	}
	for range 10 { // a shard is read only after all of its parent
		f.catchUp(t, "followed", resume)
	}
	return wrote, f.read
}

// TestPagesAreLimited reads more than fits in one page: 1,000 records, and 1 MB.
func TestPagesAreLimited(t *testing.T) {
	t.Parallel()
	c := open(t, "small", "KEYS_ONLY")
	for n := range int64(1001) {
		put(c, "small", id(n))
	}
	require.Len(t, horizon(t, c, "small"), 1000)

	c = open(t, "large", "NEW_IMAGE")
	for n := range int64(4) {
		put(c, "large", id(n).With("b", value.Binary(strings.Repeat("x", 350<<10))))
	}
	require.Len(t, horizon(t, c, "large"), 2)
}

// TestClosedShards disables a stream: its records can be read, and then there is no next iterator.
func TestClosedShards(t *testing.T) {
	t.Parallel()
	c := open(t, "closed", "KEYS_ONLY")
	put(c, "closed", id(1))
	d := latest(t, c, "closed")
	arn, shard := d.StreamArn, d.Shards[0].ShardId
	require.Nil(t, d.Shards[0].SequenceNumberRange.EndingSequenceNumber)
	before, err := at(c, arn, shard, "LATEST", nil)
	require.NoError(t, err)
	turnOff(t, c, "closed")
	put(c, "closed", id(2))

	out, err := Describe(c, &api.DescribeStreamInput{StreamArn: arn})
	require.NoError(t, err)
	require.Equal(t, "DISABLED", out.StreamDescription.StreamStatus)
	require.NotNil(t, out.StreamDescription.Shards[0].SequenceNumberRange.EndingSequenceNumber)
	oldest, err := at(c, arn, shard, "TRIM_HORIZON", nil)
	require.NoError(t, err)
	page := records(t, c, oldest)
	require.Len(t, page.Records, 1)
	require.Nil(t, page.NextShardIterator)
	page = records(t, c, before)
	require.Empty(t, page.Records)
	require.Nil(t, page.NextShardIterator)
}
